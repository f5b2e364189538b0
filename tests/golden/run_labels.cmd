# Classes and models as the rows of a trace name them; nothing is drawn.
lbsim lint tests/golden/labels.yaml 2>&1
lbsim run tests/golden/labels.yaml --quiet --replications 2 --set workload.trace.resample=none 2>/dev/null
