lbsim policies peak_ewma
