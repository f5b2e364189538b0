# The limit is for each simulation, so what ends is the same everywhere.
lbsim run tests/golden/few.yaml --quiet --set replications=3 --limit-events 735 2>&1
echo "exit $?"
