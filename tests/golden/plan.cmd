# By hand: see plan.yaml.
lbsim plan tests/golden/plan.yaml --quiet
