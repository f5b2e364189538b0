# Hits count for load as far as one endless cache could have them, in lint and in
# the note of a run; between that and capacity, they decide.
lbsim lint tests/golden/hits_hoped_for.yaml 2>&1
lbsim lint tests/golden/hits_hoped_for.yaml --set workload.arrivals.rate=2.2/s 2>&1
lbsim run tests/golden/hits_hoped_for.yaml --quiet 2>/dev/null | grep -E 'load|unstable'
