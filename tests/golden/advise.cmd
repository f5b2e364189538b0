# Which rules fire and what becomes of them; the rules are tested elsewhere.
lbsim advise tests/golden/few.yaml --quiet --set duration=120s --replications 4
