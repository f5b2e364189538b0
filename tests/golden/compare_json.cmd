lbsim compare tests/golden/accidents.yaml --quiet --format json --set replications=8 --set objective=success_ratio 2>/dev/null
