lbsim advise tests/golden/few.yaml --quiet --format json --set duration=120s --replications 4
