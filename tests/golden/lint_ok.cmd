lbsim lint tests/golden/few.yaml
lbsim lint tests/golden/two_speeds.yaml 2>&1
