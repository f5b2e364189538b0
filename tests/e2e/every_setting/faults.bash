# What goes wrong.
# shellcheck shell=bash # read by test_every_setting_long.sh, after lines.bash

scenario faults <<'YAML'
lbsim: 1
duration: 40 s
drain: 20 s
seed: 5
workload:
  arrivals: {process: poisson, rate: 30/s}
  input_tokens: {dist: constant, value: 100}
  output_tokens: {dist: exponential, mean: 30}
  keys: {dist: zipf, distinct: 100}
nodes:
  - group: gpu
    count: 4
    zone: "a, b"
    memory: {base: 20 %, per_request: 5 %}
    engine: {slots: 4, service: {base: 10 ms, per_output_token: 5 ms}}
balancer:
  count: 2
  report_interval: 500 ms
  health: {interval: 1 s, timeout: 200 ms}
  timeout: {total: 5 s}
result_tier: {entries: 50}
policies: [round_robin, least_conn, resource_score]
YAML

# fault SETTINGS NAME VALUE...: as all_matter, for the only fault there is.
fault() {
    local settings=$1

    shift
    while [[ $# -ge 2 ]]; do
        matters "faults[0].$1" "$2" "faults=[{$settings}]"
        shift 2
    done
}

fault 'kind: crash, target: "gpu[1]", at: 12 s, restart_after: 10 s' \
    kind host_down target '"gpu[0]"' at '20 s' restart_after '20 s' seen_as silent
fault 'kind: crash, target: "gpu[1]", at: 12 s, restart_after: 10 s, seen_as: connect_timeout' inside_lost_after '100 ms'
fault 'kind: crash, target: "gpu[1]", mtbf: {dist: exponential, mean: 10 s}, mttr: {dist: constant, value: 3 s}' \
    mtbf.mean '5 s' at '15 s' for '20 s'
fault 'kind: hang, target: "gpu[1]", mtbf: {dist: exponential, mean: 10 s}, mttr: {dist: constant, value: 2 s}' mttr.value '4 s'
fault 'kind: crash, target: "*", mtbf: {dist: exponential, mean: 10 s}, mttr: {dist: constant, value: 3 s}' together 2
fault 'kind: crash, target: "gpu[0]", at: 5 s, restart_after: 5 s' spread '100 %'
fault 'kind: partition, target: "gpu[0]", at: 5 s, for: 5 s' balancers '"0"' for '10 s'
fault 'kind: slow, target: "gpu[0]", at: 5 s, for: 20 s, factor: 4' factor 8 ramp '10 s'
fault 'kind: slow, target: "gpu[0]", at: 5 s, for: 20 s, factor: 4, ramp: 10 s' ramp_steps 2
fault 'kind: hang, target: "gpu[0]", at: 5 s, for: 20 s' passes L1 lose true
fault 'kind: fail_fast, target: "gpu[0]", at: 5 s, for: 20 s' share '20 %'
fault 'kind: memory_leak, target: "gpu[0]", at: 5 s, fills_in: 10 s, restart_after: 5 s' fills_in '20 s'
fault 'kind: memory_leak, target: "gpu[0]", at: 5 s, leak_per_answer: 1 %, restart_after: 5 s' leak_per_answer '2 %'
fault 'kind: flapping, target: "gpu[0]", at: 5 s, for: 20 s, up_for: 2 s, down_for: 2 s' up_for '4 s' down_for '4 s'
fault 'kind: report_delay, target: "*", at: 5 s, for: 20 s, delay: 1 s' delay '3 s'
fault 'kind: tier_outage, at: 5 s, for: 5 s' cold false
matters 'nodes[gpu].zone' '"a"' 'faults=[{kind: crash, target: "zone a", at: 5 s, restart_after: 5 s}]'
