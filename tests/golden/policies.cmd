lbsim policies
