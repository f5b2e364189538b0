# By hand: see frozen.yaml.
lbsim run tests/golden/frozen.yaml --quiet
