# Engines that serve in batches, or run out of memory.
# shellcheck shell=bash # read by test_every_setting_long.sh, after lines.bash

scenario batches <<'YAML'
lbsim: 1
duration: 30 s
seed: 5
workload:
  arrivals: {process: poisson, rate: 70/s}
  input_tokens: {dist: lognormal, median: 200, p99: 4000}
nodes:
  - group: cpu
    count: 4
    engine: {kind: batch, size: 6, max_wait: 20 ms, max_skips: 1, service: {base: 20 ms, per_input_token: 0.05 ms}}
policies: [round_robin, least_conn]
YAML

engine='nodes[cpu].engine'
matters "$engine.size" 3
matters "$engine.max_wait" '80 ms'
matters "$engine.sort" arrival
matters "$engine.sort" descending
matters "$engine.ratio" 4
matters "$engine.max_skips" 0

scenario full_memory <<'SCENARIO'
lbsim: 1
duration: 30 s
seed: 5
workload:
  arrivals: {process: poisson, rate: 20/s}
  work: {dist: exponential, mean: 500 ms}
nodes:
  - group: gpu
    count: 4
    engine: {slots: 4}
    memory: {base: 20 %, per_request: 30 %}
policies: [least_conn]
SCENARIO

memory='nodes[gpu].memory'
matters "$memory.when_full" slow
matters "$memory.when_full" refuse
matters "$memory.slow_factor" 3 "$memory.when_full=slow"
