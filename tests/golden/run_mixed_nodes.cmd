# As written but for the length: what the shipped scenario shows.
lbsim run scenarios/articles/mixed_nodes.yaml --quiet --replications 2 --set duration=3min
