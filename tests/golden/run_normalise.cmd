lbsim run scenarios/articles/normalise.yaml --quiet
