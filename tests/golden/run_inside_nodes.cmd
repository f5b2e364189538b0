# By hand: see inside_nodes.yaml.
lbsim run tests/golden/inside_nodes.yaml --quiet
