lbsim trace profile tests/golden/labels.csv | sed -n '/^classes/,$p'
lbsim trace profile tests/golden/labels.csv --format json | grep -A 20 '"classes"'
