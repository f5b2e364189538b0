# The level and the form; what is found has tests of its own.
lbsim compare tests/golden/accidents.yaml --quiet --power --set replications=8 --set objective=success_ratio 2>/dev/null
