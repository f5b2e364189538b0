# Origins: what is typed, what the file says, what is preset.
lbsim run tests/golden/two_speeds.yaml --show-effective --set seed=1 --set 'nodes[b].engine.speed=0.4'
