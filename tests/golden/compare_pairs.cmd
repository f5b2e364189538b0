# Infinite percentiles are compared by sign; three policies, so a ranking.
lbsim compare tests/golden/accidents.yaml --quiet --all-pairs --set replications=8 --policy round_robin --policy random --policy least_conn 2>/dev/null
