lbsim advise scenarios/quickstart.yaml --no-run --format markdown
