# Requests that are collected at the front door.
# shellcheck shell=bash # read by test_every_setting_long.sh, after lines.bash

scenario batching <<'YAML'
lbsim: 1
duration: 30 s
drain: 20 s
seed: 5
workload:
  arrivals: {process: poisson, rate: 60/s}
  input_tokens: {dist: uniform, min: 10, max: 400}
  classes: [{name: text, share: 100 %}]
nodes:
  - group: cpu
    count: 3
    kind: cpu
    engine: {kind: batch, max_wait: 0 s, sort: arrival, service: {base: 5 ms, per_input_token: 0.05 ms}}
balancer:
  timeout: {total: 2 s}
policies: [round_robin, least_conn]
YAML

all_matter balancer.batching 'size: 6, collect: 12, max_wait: 150 ms, ratio: 4' \
    size 3 collect 20 max_wait '40 ms' before_deadline '1900 ms' sort descending ratio 2
matters 'workload.classes[text].batched' false 'balancer.batching={}'
