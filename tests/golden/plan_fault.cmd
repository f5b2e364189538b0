# A fault that makes a[0] a second slow for good: with it no mix has 300 ms.
# Without group a it does not happen, and four of b are enough: 3.125
# are busy at 125 %.
lbsim plan tests/golden/plan.yaml --quiet --set "nodes=[{group: a, count: 1, engine: {slots: 1}}, {group: b, count: 1, engine: {slots: 1}}]" --set "faults=[{kind: slow, target: \"a[0]\", factor: 4, at: 3 s}]" --group a=0..4 --group b=0..6
echo "exit $?"
# Nor where a is all there is.
lbsim plan tests/golden/plan.yaml --quiet --set "nodes=[{group: a, count: 1, engine: {slots: 1}}, {group: b, count: 1, engine: {slots: 1}}]" --set "faults=[{kind: slow, target: \"a[0]\", factor: 4, at: 3 s}]" --group a=0..9 --group b=0
echo "exit $?"
