# Queues that the drain does not empty: completed stays below offered.
lbsim run tests/golden/few.yaml --quiet --set 'nodes[n].count=1' --set 'drain=1 s' 2>/dev/null
