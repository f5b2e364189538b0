# Replication 1 is the trace, the others are blocks of it.
lbsim run tests/golden/trace.yaml --quiet --set replications=3 --set 'workload.trace.resample={blocks: 3 s}'
