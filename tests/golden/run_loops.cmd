# By hand: see loops.yaml.
lbsim run tests/golden/loops.yaml --quiet
