# As written but for the number of replications: what the shipped scenario shows.
lbsim run scenarios/articles/black_hole.yaml --quiet --replications 2
