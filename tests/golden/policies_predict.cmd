lbsim policies predict
