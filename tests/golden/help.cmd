lbsim help
lbsim --version
