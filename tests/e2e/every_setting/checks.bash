# What a balancer believes: health checks, panic, slow starts, weights.
# shellcheck shell=bash # read by test_every_setting_long.sh, after lines.bash

scenario checks <<'YAML'
lbsim: 1
duration: 40 s
drain: 20 s
seed: 5
workload:
  arrivals: {process: poisson, rate: 30/s}
  input_tokens: {dist: constant, value: 100}
  output_tokens: {dist: exponential, mean: 40}
nodes:
  - {group: gpu, count: 4, weight: 20, engine: {slots: 2, service: {base: 10 ms, per_output_token: 5 ms}}}
balancer:
  count: 2
  report_interval: 500 ms
  timeout: {total: 5 s}
faults: [{kind: flapping, target: "gpu[1]", at: 5 s, for: 20 s, up_for: 5 s, down_for: 3 s, seen_as: silent}]
policies: [smooth_weighted, least_conn]
YAML

health=balancer.health
no_tokens=(workload.input_tokens=off workload.output_tokens=off 'workload.work={dist: exponential, mean: 200 ms}'
    'nodes[gpu].engine.service=off')
hang='faults=[{kind: hang, target: "gpu[1]", at: 5 s, for: 20 s, passes: L2}]'
plain='interval: 1 s, timeout: 500 ms'
all_matter $health "$plain" rule envoy interval '2 s' timeout '900 ms' unhealthy_after 1 \
    healthy_after 4 mode after_result path queued jitter '500 ms' interval_jitter '30 %' \
    generation '{interval: 1 s, timeout: 800 ms}'
matters $health.probe generation "$health={$plain}" "$hang"
matters $health.work '200 ms' "$health={$plain, probe: generation}" "${no_tokens[@]}" "$hang"
matters $health.busy_is_alive true "$health={interval: 500 ms, timeout: 100 ms, path: queued}" workload.arrivals.rate=35/s
matters $health.restart_takes '5 s' "$health={$plain, probe: generation}" "$hang"
envoy="rule: envoy, $plain"
all_matter $health "$envoy" unhealthy_edge_interval '100 ms'
brisk='interval: 500 ms, timeout: 100 ms'
all_matter $health "rule: envoy, $brisk" unhealthy_interval '2 s' healthy_edge_interval '100 ms'
matters $health.no_traffic_interval '500 ms' "$health={$envoy, no_traffic_interval: 10 s}" \
    'workload.arrivals={process: diurnal, points: [{at: 0 s, rate: 0/s}, {at: 8 s, rate: 0/s}, {at: 8 s, rate: 30/s}]}'
all_matter $health "rule: haproxy, $plain" fastinter '100 ms' spread_checks '40 %'
all_matter $health "rule: haproxy, $brisk" downinter '3 s'
generation='interval: 1 s, timeout: 800 ms'
for line in 'interval=3 s' 'timeout=300 ms' 'unhealthy_after=1' 'healthy_after=5' 'work=200 ms'; do
    matters "$health.generation.${line%%=*}" "${line#*=}" "$health={$plain, generation: {$generation}}" "$hang" "${no_tokens[@]}"
done

quick="$health={$brisk}"
matters balancer.panic.threshold '90 %' "$quick" 'balancer.panic={threshold: 20 %}' \
    'faults=[{kind: crash, target: "gpu[0-1]", at: 5 s, restart_after: 10 s}]'
for line in 'rule=haproxy' 'window=2 s' 'aggression=3' 'min_share=50 %'; do
    matters "balancer.slow_start.${line%%=*}" "${line#*=}" "$quick" 'balancer.slow_start={window: 8 s}'
done
matters balancer.connections.clients 9 'balancer.connections={clients: 3}'
all_matter balancer.connections 'clients: 6' max_age '2 s'
matters balancer.connections.age_jitter '80 %' 'balancer.connections={clients: 6, max_age: 2 s}'
agent='says: [{target: "gpu[0]", at: 5 s, words: "20%"}]'
matters balancer.agent.interval '7 s' "balancer.agent={$agent}"
matters balancer.agent.load gpu_use "balancer.agent={$agent}"
matters balancer.agent.says[0].target '"gpu[0-1]"' "balancer.agent={$agent}"
matters balancer.agent.says[0].at '15 s' "balancer.agent={$agent}"
matters balancer.agent.says[0].words drain "balancer.agent={$agent}"
all_matter balancer.dynamic_weights 'period: 1 s' rule haproxy_agent period '3 s' above '50 %' below '60 %' down 5 up 4
all_matter balancer.dynamic_weights 'period: 1 s, above: 95 %, below: 90 %, up: 20' cap 1
all_matter balancer.dynamic_weights 'period: 1 s, above: 60 %, below: 20 %' return true
