lbsim settings objective
