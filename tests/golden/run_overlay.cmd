# A recorded trace with a made spike on top: by hand, see trace.yaml, 8 rows, and
# at 3.1 and 4.1 s two requests of 0.2 s each, which are new. Of 10 answers 5
# are hits; the node is busy 5 * 0.2 s of 10.2857 s, 9.7 %. The one at 4.1 s
# waits 0.1 s for the row at 4 s: P99 is 0.3 s.
lbsim run tests/golden/trace.yaml --quiet --set 'workload.overlay=[{name: spike, at: 2.1 s, duration: 2.5 s, arrivals: {process: deterministic, rate: 1/s}, input_tokens: {dist: constant, value: 100}, output_tokens: {dist: constant, value: 10}, keys: {dist: unique}}]'
