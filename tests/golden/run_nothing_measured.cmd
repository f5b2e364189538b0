# The warm-up takes all.
lbsim run tests/golden/few.yaml --quiet --set 'warm_up=1000 requests'
