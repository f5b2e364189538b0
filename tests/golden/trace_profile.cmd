lbsim trace profile scenarios/articles/normalise.csv --capacity 1,10,50
