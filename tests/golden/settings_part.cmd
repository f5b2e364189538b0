lbsim settings balancer
