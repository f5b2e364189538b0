# By hand for round_robin: see accidents.yaml.
lbsim run tests/golden/accidents.yaml --quiet
