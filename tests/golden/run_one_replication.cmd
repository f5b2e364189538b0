# Intervals from the ranks of one run.
lbsim run tests/golden/few.yaml --quiet --set duration=100s
