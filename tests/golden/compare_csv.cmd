lbsim compare tests/golden/accidents.yaml --quiet --format csv --until 30% --max-replications 10 --set objective=success_ratio 2>/dev/null
