# Every number by hand: see two_speeds.yaml.
lbsim run tests/golden/two_speeds.yaml --quiet
