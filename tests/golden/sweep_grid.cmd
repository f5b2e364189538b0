# A point is what 'lbsim run' says with --set: see test_sweep.sh.
lbsim sweep scenarios/theory/crossover.yaml --set crossover=off --set 'duration=600 s' --quiet \
    --vary 'workload.arrivals.rate=[0.5/s, 0.9/s, 1.3/s]'
