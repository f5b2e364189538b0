# Nodes that come and go: what the table says of them.
lbsim run tests/golden/comes_and_goes.yaml --quiet
