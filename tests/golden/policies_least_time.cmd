lbsim policies least_time
