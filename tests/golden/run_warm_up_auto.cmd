lbsim run tests/golden/few.yaml --quiet --set warm_up=auto --set replications=3 --set workload.arrivals.rate=14/s
