# A trace without keys: a hash policy can only place at random, and is told so;
# then with an assumed model of sharing, which the results repeat.
lbsim lint tests/golden/lengths_alone.yaml 2>&1
lbsim run tests/golden/lengths_alone.yaml --quiet --set 'workload.keys={dist: zipf, exponent: 0.8, distinct: 3, repeat_share: 60 %}' 2>/dev/null | grep -E 'keys:|trace:'
