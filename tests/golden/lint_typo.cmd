# What is wrong, where, and what was meant.
lbsim lint tests/golden/few.yaml --set policies=[leest_conn] --set workload.arivals.rate=2/s --set duration=10 2>&1
echo "exit $?"
