# By hand, see two_speeds.yaml: who knows each request sends all to a-0, which
# is free again when the next one comes: 0.1 s each, use (1 + 0) / 2, CV 1, and
# every prediction true.
lbsim run tests/golden/two_speeds.yaml --quiet --set 'policies=[round_robin, {predict: {oracle: true}}]'
