lbsim trace profile tests/data/traces/canonical.csv --capacity 1 --format json
