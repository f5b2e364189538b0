# Everything a front door can do at once: the lines about it.
lbsim run tests/golden/door.yaml 2>/dev/null
