lbsim policies ring_hash
