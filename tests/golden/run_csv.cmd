# The same run as a table for programs. By hand, see two_speeds.yaml, for
# round_robin: of the 180 measured, 90 take 0.1 s (a-0: arrivals 2.1, 2.3 ...)
# and 90 take 0.2 s: mean 0.15, P50 0.1, P99 0.2; goodput, answers within the
# goal of 0.15 s, 90 in 18 s = 5/s. Uses 0.5 and 1: Jain 1.5^2 / (2 * 1.25) = 0.9,
# Gini 2 * 0.5 / (2 * 4 * 0.75) = 1/6; 0.5 + 1 requests are in flight.
lbsim run tests/golden/two_speeds.yaml --quiet --format csv --set replications=1
