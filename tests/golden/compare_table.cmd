# Every number by hand, see two_speeds.yaml: P99 0.2 s of both; of the 180
# measured least_conn answers two thirds within the goal, round_robin half.
# Nothing is random, so there is one replication.
lbsim compare tests/golden/two_speeds.yaml --quiet --measure goodput_per_s --measure latency_mean_s
