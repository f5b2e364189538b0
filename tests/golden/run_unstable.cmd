# Load 1.25: by hand, 10/s * 0.25 s / 2 slots.
lbsim run tests/golden/few.yaml --quiet --set 'nodes[n].count=2' 2>/dev/null
