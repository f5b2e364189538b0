# 3 replications leave out 20 requests each: 60.
lbsim run tests/golden/few.yaml --quiet --set 'warm_up=20 requests' --set replications=3
