# Too few requests for a P99, and an interval from ranks for none.
lbsim run tests/golden/few.yaml --quiet --set duration=5s
