# Classes mistaken for others and models loaded: what the table says of them.
lbsim run tests/golden/taken_for_another.yaml --quiet
