# Who may come in, and who waits.
# shellcheck shell=bash # read by test_every_setting_long.sh, after lines.bash

scenario door <<'YAML'
lbsim: 1
duration: 30 s
drain: 20 s
seed: 5
workload:
  arrivals: {process: poisson, rate: 60/s}
  input_tokens: {dist: constant, value: 100}
  output_tokens: {dist: exponential, mean: 30}
  tenants: {count: 5, exponent: 1}
  classes:
    - {name: chat, share: 40 %, urgency: interactive, deadline: 500 ms, priority: 1}
    - {name: code, share: 10 %, urgency: interactive, deadline: 1500 ms}
    - {name: mail, share: 20 %, deadline: 2 s}
    - {name: news, share: 10 %}
    - {name: index, share: 20 %, urgency: background}
nodes:
  - {group: gpu, count: 4, memory: {per_request: 10 %}, engine: {slots: 2, service: {base: 10 ms, per_input_token: 0.05 ms, per_output_token: 4 ms}}}
balancer: {count: 2, report_interval: 100 ms, timeout: {total: 5 s}}
policies: [round_robin, least_conn]
YAML

shed='balancer.admission={shedding: {per_node: 3}}'
shedding=balancer.admission.shedding
matters 'workload.classes[mail].urgency' background "$shed"
matters workload.tenants.count 2 'balancer.admission={bucket: {rate: 5/s, per: tenant}}'
matters workload.tenants.exponent 0 'balancer.admission={bucket: {rate: 5/s, per: tenant}}'
matters workload.patience '{dist: constant, value: 200 ms}'
overlay='workload.overlay=[{at: 5 s, duration: 10 s, tenant: 5, class: mail, arrivals: {process: deterministic, rate: 20/s}}]'
queue='balancer.queue={size: 10, fairness: round_robin}'
caps='balancer.caps={max: 2}'
for line in 'at=8 s' 'duration=5 s' 'tenant=1' 'class=chat' 'arrivals.rate=30/s' 'input_tokens={dist: constant, value: 10}' \
    'output_tokens={dist: constant, value: 10}' 'work={dist: constant, value: 10 ms}' 'noise={dist: exponential}' \
    'patience={dist: constant, value: 100 ms}'; do
    matters "workload.overlay[0].${line%%=*}" "${line#*=}" "$overlay" "$queue" "$caps"
done

matters balancer.admission.in_flight 10
matters balancer.admission.deadline true "$caps" 'balancer.queue={size: 100}'
bucket='balancer.admission={bucket: {rate: 20/s, burst: 5}}'
for line in rate=15/s burst=10 per=class per=tenant of=tokens; do
    matters "balancer.admission.bucket.${line%%=*}" "${line#*=}" "$bucket"
done
matters $shedding.background 1.5 "$shed"
matters $shedding.normal 0.5 "$shed"
matters $shedding.interactive 0.6 "$shed"
matters $shedding.saturation reports "$shed"
matters $shedding.per_node 4 "$shed"
reports='balancer.admission={shedding: {saturation: reports}}'
matters $shedding.queue_depth 2 "$reports"
matters $shedding.stale_after '20 ms' "$reports"
adaptive='balancer.admission={adaptive: {target: 200 ms, start: 6, least: 2, most: 20}}'
for line in 'target=100 ms' 'quantile=50 %' 'window=3 s' start=12 least=6 most=7 increase=4 'decrease=0.5' grows=when_reached; do
    matters "balancer.admission.adaptive.${line%%=*}" "${line#*=}" "$adaptive"
done

fast='balancer.timeout.total=1 s'
matters balancer.queue.size 2 "$caps" 'balancer.queue={size: 20}'
matters balancer.queue.tokens 500 "$caps" 'balancer.queue={size: 20}'
matters balancer.queue.flow_size 2 "$caps" "$queue"
matters balancer.queue.order edf "$caps" 'balancer.queue={size: 20}'
matters balancer.queue.order slo "$caps" 'balancer.queue={size: 20, order: edf}' "$fast"
matters balancer.queue.fairness round_robin "$caps" 'balancer.queue={size: 20}'
matters balancer.queue.without_nodes fail 'balancer.queue={size: 20}' 'balancer.health={interval: 500 ms, timeout: 100 ms}' \
    'faults=[{kind: crash, target: "*", at: 10 s, restart_after: 5 s}]'
all_matter balancer.caps 'max: 3' max 2 min 1 queue node
all_matter balancer.caps 'max: 4, min: 1, full: 20' full 10
all_matter balancer.caps 'max: 2, queue: node' node_queue 1
matters 'nodes[gpu].max_in_flight' 2 'balancer.caps={max: 4}'
all_matter balancer.pool_limits 'connections: 6, pending: 5' connections 4 pending 2
all_matter balancer.pool_limits 'requests: 10' requests 8
all_matter balancer.flow_control 'limit: 1, per_node: 2, saturation: in_flight' limit 2 saturation reports per_node 1 ttl '500 ms'
all_matter balancer.flow_control '' limit 2 queue_depth 2 stale_after '50 ms'
all_matter balancer.flow_control 'per_node: 2, saturation: in_flight, ttl: 300 ms' sweep_interval '100 ms'
out='faults=[{kind: crash, target: "*", at: 10 s, restart_after: 8 s}]'
health='balancer.health={interval: 500 ms, timeout: 100 ms}'
matters balancer.fail_fast.after '5 s' "$out" "$health" 'balancer.fail_fast={after: 2 s}'
matters balancer.fail_fast.queue 10 "$out" "$health" 'balancer.fail_fast={after: 2 s}'
