# For a pull request: names may hold what Markdown takes for markup.
lbsim compare tests/golden/accidents.yaml --quiet --format markdown --set replications=8 --set objective=success_ratio 2>/dev/null
