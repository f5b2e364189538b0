# Two nodes of a speed each, the slow one at half of it, in turns: a slow node
# gets as much as a fast one. 300 ms are too short for its 500 ms of work.
lbsim plan tests/golden/plan.yaml --quiet --set "nodes=[{group: fast, cost_per_hour: 2, engine: {slots: 1}}, {group: slow, cost_per_hour: 0.5, engine: {slots: 1, speed: 0.5}}]" --group fast=0..8 --group slow=0..4
echo "exit $?"
lbsim plan tests/golden/plan.yaml --quiet --group n=0..3
echo "exit $?"
