# By hand (two_speeds.yaml): b-0 is at 100 %, the pool at 75 %. Weighted 2 : 1
# both are at 2/3: all of it is explained. The longest latency stays b-0's 0.2 s.
lbsim diagnose tests/golden/two_speeds.yaml --quiet
