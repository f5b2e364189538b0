# Infinite percentiles in all replications: no mean, and a verdict by sign.
lbsim run tests/golden/accidents.yaml --quiet --set replications=3 2>/dev/null
