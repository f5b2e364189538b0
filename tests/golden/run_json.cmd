# One policy for short. By hand, see accidents.yaml; offered are 199 requests in
# 20 s = 9.95/s, throughput 163 / 20 = 8.15/s.
lbsim run tests/golden/accidents.yaml --quiet --format json --policy round_robin
