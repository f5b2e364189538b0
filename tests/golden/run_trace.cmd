# By hand: see trace.yaml.
lbsim run tests/golden/trace.yaml --quiet
