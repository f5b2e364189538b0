lbsim run tests/golden/tier.yaml 2>/dev/null
