# Worse answers in time.
# shellcheck shell=bash # read by test_every_setting_long.sh, after lines.bash

scenario degrade <<'YAML'
lbsim: 1
duration: 30 s
drain: 20 s
seed: 5
workload:
  arrivals: {process: poisson, rate: 30/s}
  input_tokens: {dist: constant, value: 100}
  output_tokens: {dist: exponential, mean: 40}
  keys: {dist: zipf, distinct: 100, repeat_share: 60 %}
  classes: [{name: chat, share: 100 %, model: big, deadline: 1 s}]
nodes:
  - {group: gpu, count: 3, models: [big], engine: {slots: 3, service: {base: 10 ms, per_input_token: 0.5 ms, per_output_token: 4 ms}}}
  - {group: cpu, count: 1, models: [small], engine: {slots: 3, service: {base: 10 ms, per_output_token: 2 ms}}}
balancer:
  count: 2
  timeout: {total: 5 s}
routing: {table: {chat: [{model: big}]}}
faults: [{kind: hang, target: "gpu[0-1]", at: 5 s, for: 10 s}]
policies: [round_robin, least_conn]
YAML

all_matter balancer.degrade 'light: small, primary_share: 50 %, cached: {entries: 50}, failures: 3, skip: 2 s' \
    light_expected '10 s' primary_share '80 %' after '200 ms' failures 10 skip '5 s' probe '50 %' \
    quality.primary 0.9 quality.light 0.3 quality.cached 0.1
matters balancer.degrade.light small 'balancer.degrade={cached: {entries: 50}}'
all_matter balancer.degrade.cached 'entries: 50' entries 10 hit_time '50 ms'
