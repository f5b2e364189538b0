# One replication of the shipped scenario, past the crash and the return.
lbsim run scenarios/quickstart.yaml --quiet --replications 1 --set duration=6min
