# What nodes are left out for stands below the table.
lbsim run scenarios/outages/one_error_each.yaml --quiet --replications 2
