# The truth is 0.8818/s: see the scenario.
lbsim sweep scenarios/theory/crossover.yaml --set 'duration=600 s' --quiet --scan 3 --within 0.1/s
