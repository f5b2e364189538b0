# Load 1: by hand, 8/s * 0.25 s / 2 slots. Neither stable nor seen to grow; at
# 0.8 nothing is said, at 1.2 that it is unstable.
for rate in 8/s 6.4/s 9.6/s; do
    lbsim run tests/golden/few.yaml --quiet --set 'nodes[n].count=2' --set workload.arrivals.rate=$rate --set duration=300s 2>/dev/null | grep -E 'load|cannot decide'
done
