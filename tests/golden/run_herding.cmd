# As written but for the length: what the shipped scenario shows.
lbsim run scenarios/articles/herding.yaml --quiet --replications 2 --set duration=2min
