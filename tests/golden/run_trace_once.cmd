# Nothing is random: three replications are one.
lbsim run tests/golden/trace.yaml --quiet --set replications=3 --set workload.trace.resample=none 2>/dev/null
