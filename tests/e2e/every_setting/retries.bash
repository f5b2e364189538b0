# Attempts that fail or take long: time-outs, retries, hedges, deadlines.
# shellcheck shell=bash # read by test_every_setting_long.sh, after lines.bash

scenario retries <<'YAML'
lbsim: 1
duration: 40 s
drain: 20 s
seed: 5
workload:
  arrivals: {process: poisson, rate: 30/s}
  input_tokens: {dist: lognormal, median: 200, p99: 1000}
  output_tokens: {dist: exponential, mean: 40}
  classes: [{name: chat, share: 60 %, deadline: 400 ms}, {name: mail, share: 40 %}]
nodes:
  - {group: gpu, count: 4, engine: {slots: 2, queue_limit: 3, service: {base: 10 ms, per_input_token: 0.1 ms, per_output_token: 4 ms}}}
balancer: {timeout: {total: 4 s}}
faults:
  - {kind: crash, target: "gpu[1]", at: 5 s, restart_after: 5 s}
  - {kind: fail_fast, target: "gpu[2]", at: 15 s, for: 10 s, share: 30 %}
  - {kind: slow, target: "gpu[3]", at: 25 s, for: 10 s, factor: 10}
policies: [round_robin, least_conn]
YAML

timeout=balancer.timeout
unreached='faults=[{kind: crash, target: "gpu[1]", at: 5 s, restart_after: 5 s, seen_as: connect_timeout}]'
matters $timeout.total '1 s'
matters $timeout.connect '100 ms' "$unreached"
matters $timeout.ttft '100 ms'
matters $timeout.inter_token '20 ms'
matters $timeout.attempt '300 ms'
matters $timeout.queue '100 ms'
matters $timeout.cancel false $timeout.attempt='300 ms'
matters $timeout.cancel queue $timeout.attempt='300 ms'

retry=balancer.retry
errors='on: [refused, reset, connect_timeout, error, full, attempt]'
patient=$timeout.attempt='300 ms'
all_matter $retry 'attempts: 3' rule nginx attempts 1 on '[full]' non_idempotent false to any \
    backoff '{base: 20 ms}' budget '{kind: fixed, at_least: 1}'
matters $retry.rule haproxy "$retry={}"
matters $retry.rule envoy "$retry={}"
matters $retry.rule grpc "$retry={}"
matters $retry.rule finagle "$retry={}"
matters $retry.redispatch 1 "$retry={attempts: 4, to: same, $errors, backoff: {base: 100 ms}}"
matters $retry.time_limit '200 ms' "$retry={attempts: 3, $errors}" "$patient"
matters $retry.partial never "$retry={attempts: 3, $errors}" "$patient"
matters $retry.partial resume "$retry={attempts: 3, $errors}" "$patient"
matters $retry.push_back '100 ms' "$retry={attempts: 3}" workload.arrivals.rate=60/s
backoff="attempts: 4, $errors, backoff"
matters $retry.backoff.ladder summed "$retry={$backoff: {}}"
matters $retry.backoff.base '60 ms' "$retry={$backoff: {}}"
matters $retry.backoff.factor 3 "$retry={$backoff: {}}"
matters $retry.backoff.max '30 ms' "$retry={$backoff: {}}"
matters $retry.backoff.jitter around "$retry={$backoff: {}}"
matters $retry.backoff.spread '80 %' "$retry={$backoff: {jitter: around}}"
budget="attempts: 4, $errors, budget"
load=workload.arrivals.rate=50/s
matters $retry.budget.kind fixed "$retry={$budget: {share: 50 %}}" "$load"
matters $retry.budget.share '90 %' "$retry={$budget: {at_least: 0}}" "$load"
matters $retry.budget.at_least 1 "$retry={$budget: {}}" "$load"
matters $retry.budget.reserve 0/s "$retry={$budget: {kind: deposits}}" "$load"
matters $retry.budget.ttl '1 s' "$retry={$budget: {kind: deposits}}" "$load"
matters $retry.budget.tokens 40 "$retry={$budget: {kind: throttle}}" "$load"
matters $retry.budget.refill 1 "$retry={$budget: {kind: throttle}}" "$load"

all_matter balancer.hedge 'after: 100 ms, budget: 20 %' rule grpc attempts 3 after '200 ms' \
    budget '5 %' saturation '20 %' until answer
all_matter balancer.hedge 'budget: 20 %' percentile '70 %'
all_matter balancer.deadline '' in_queue false at_least '300 ms'
matters balancer.deadline.at_dispatch false 'balancer.deadline={}' 'balancer.caps={max: 2}' "$load"
