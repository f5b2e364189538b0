lbsim policies two_choices
