lbsim plan tests/golden/plan.yaml --quiet --format json
