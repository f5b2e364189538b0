lbsim run tests/golden/few.yaml --quiet --limit-events 5 2>&1
echo "exit $?"
