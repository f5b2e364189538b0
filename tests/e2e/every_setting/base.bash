# What most scenarios say: the run, traffic, nodes, routing, the tier.
# shellcheck shell=bash disable=SC2154 # read by test_every_setting_long.sh, after lines.bash

scenario base <<'YAML'
lbsim: 1
duration: 40 s
warm_up: 4 s
seed: 5
workload:
  arrivals: {process: poisson, rate: 20/s}
  input_tokens: {dist: lognormal, median: 300, p99: 2000}
  output_tokens: {dist: lognormal, median: 100, p99: 700}
  noise: {dist: lognormal, sigma: 0.5}
  keys: {dist: zipf, exponent: 0.9, distinct: 300, repeat_share: 60 %}
  classes: [{name: chat, share: 60 %, model: chat, priority: 1}, {name: light, share: 40 %, model: light}]
nodes:
  - group: gpu
    count: 4
    weight: 3
    models: [chat, light]
    cpu_per_request: 5 %
    memory: {base: 20 %, per_request: 10 %}
    engine: {slots: 2, service: {base: 20 ms, per_input_token: 0.1 ms, per_output_token: 4 ms}}
    result_cache: {entries: 60}
  - {group: cpu, count: 2, kind: cpu, models: [light], engine: {slots: 2, speed: 0.5, service: {base: 20 ms, per_input_token: 0.2 ms, per_output_token: 4 ms}}}
balancer: {count: 2, report_interval: 1 s, health: {}, retry: {attempts: 2}, timeout: {total: 8 s}}
routing: {table: {chat: [{model: chat}], light: [{model: light}]}}
classifier: {accuracy: 90 %}
faults: [{kind: crash, target: "gpu[1]", at: 12 s, restart_after: 10 s}]
policies: [smooth_weighted, resource_score, ring_hash]
YAML
printf 'tokens,count\n40,5\n200,2\n900,1\n' >"$work/sizes.csv"
printf 'tokens,count\n70,1\n600,2\n' >"$work/more.csv"

matters duration '50 s'
matters warm_up '8 s'
matters drain '0 s' 'balancer.timeout={}' workload.arrivals.rate=60/s
matters replications 2
matters seed 6
matters confidence '99 %' replications=2
matters min_effect '99 %' replications=5
matters objective latency_mean_s
matters goals '{latency_all_p99: 1 s}' 'nodes[0].cost_per_hour=1' 'nodes[1].cost_per_hour=1'
matters report.node_percentiles true

arrivals=workload.arrivals
matters $arrivals.process deterministic
matters $arrivals.rate 25/s
matters $arrivals.cv 3 "$arrivals={process: gamma, rate: 20/s, cv: 2}"
sine="$arrivals={process: diurnal, rate: 20/s, amplitude: 50 %, period: 20 s}"
matters $arrivals.amplitude '90 %' "$sine"
matters $arrivals.period '30 s' "$sine"
matters $arrivals.phase '5 s' "$sine"
closed="$arrivals={process: closed, clients: 10, think: {dist: exponential, mean: 1 s}}"
matters $arrivals.clients 15 "$closed"
matters $arrivals.think.mean '2 s' "$closed"
matters $arrivals.think.dist exponential "$arrivals={process: closed, clients: 10, think: {dist: geometric, mean: 1 s}}"
points="$arrivals={process: diurnal, points: [{at: 0 s, rate: 20/s}, {at: 20 s, rate: 5/s}]}"
matters "$arrivals.points[1].at" '25 s' "$points"
matters "$arrivals.points[1].rate" 10/s "$points"
spike="$arrivals.spikes=[{at: 10 s, duration: 5 s, factor: 3}]"
matters "$arrivals.spikes[0].at" '15 s' "$spike"
matters "$arrivals.spikes[0].duration" '8 s' "$spike"
matters "$arrivals.spikes[0].factor" 2 "$spike"
matters "$arrivals.spikes[0].rate" 90/s "$arrivals.spikes=[{at: 10 s, duration: 5 s, rate: 60/s}]"
matters "$arrivals.spikes[0].ramp" '2 s' "$spike"
matters "$arrivals.spikes[0].every" '12 s' "$spike"
states="$arrivals={process: mmpp, states: [{rate: 40/s, stay: 5 s}, {rate: 5/s, stay: 5 s}]}"
matters "$arrivals.states[0].rate" 60/s "$states"
matters "$arrivals.states[0].stay" '2 s' "$states"
moves="$arrivals={process: mmpp, states: [{rate: 40/s, moves: [0/s, 0.2/s]}, {rate: 5/s, moves: [0.2/s, 0/s]}]}"
matters "$arrivals.states[0].moves" '[0/s, 1/s]' "$moves"

# The laws of sizes, work, noise and thinking share their settings.
size() {
    matters "workload.output_tokens.$1" "$2" "workload.output_tokens=$3"
}
size dist geometric '{dist: exponential, mean: 200}'
size value 300 '{dist: constant, value: 200}'
size mean 300 '{dist: exponential, mean: 200}'
size median 200 '{dist: lognormal, median: 100, p99: 700}'
size p99 900 '{dist: lognormal, median: 100, p99: 700}'
size sigma 1.5 '{dist: lognormal, mean: 200, sigma: 0.5}'
size scv 9 '{dist: hyperexponential, mean: 200, scv: 4}'
size shape 1.9 '{dist: bounded_pareto, min: 20, max: 4000, shape: 1.1}'
size scale 300 '{dist: weibull, shape: 0.8, scale: 200}'
size min 50 '{dist: uniform, min: 20, max: 400}'
size max 500 '{dist: uniform, min: 20, max: 400}'
size at_least 150 '{dist: exponential, mean: 200}'
size at_most 150 '{dist: exponential, mean: 200}'
size file more.csv '{dist: empirical, file: sizes.csv, column: tokens}'
size column count '{dist: empirical, file: sizes.csv, column: tokens}'
size weights count '{dist: empirical, file: sizes.csv, column: tokens}'
size interpolate true '{dist: empirical, file: sizes.csv, column: tokens}'

matters workload.noise.per attempt 'faults[0].at=5 s' workload.arrivals.rate=40/s
matters workload.noise.sigma 1
matters workload.input_tokens.median 600
matters workload.keys.dist unique 'workload.keys={dist: none}'
matters workload.keys.exponent 1.4
matters workload.keys.distinct 3000
matters workload.keys.repeat_share '90 %'

blind='policies=[{round_robin: {}, routing: off}]'
class='workload.classes[chat]'
matters workload.classes '[{name: chat, share: 30 %, model: chat}, {name: light, share: 70 %, model: light}]'
echo 'workload.classes[].share' >>"$work/covered"
matters "$class.priority" 0 'nodes[0].engine.order=priority' workload.arrivals.rate=40/s
matters "$class.deadline" '1 s' 'nodes[0].engine.order=edf' workload.arrivals.rate=40/s
matters "$class.model" light "$blind"
matters "$class.max_output_tokens" 40 'nodes[0].max_context=1000'

matters 'nodes[gpu].count' 5
matters 'nodes[gpu].kind' cpu
matters 'nodes[gpu].weight' 1
matters 'nodes[gpu].cards' 2
matters 'nodes[gpu].cpu_per_request' '50 %'
matters 'nodes[gpu].cost_per_hour' 3
matters 'nodes[gpu].keys' '[w, x, y, z]'
matters 'nodes[gpu].models' '[chat]'
matters 'nodes[cpu].misroute' run "$blind"
matters 'nodes[cpu].model_load.time' '5 s' "$blind" 'nodes[cpu].misroute=load' 'nodes[cpu].model_load={time: 1 s}'
matters 'nodes[cpu].model_load.resident' 2 "$blind" 'nodes[cpu].misroute=load' 'nodes[cpu].model_load={time: 1 s, resident: 1}'
matters 'nodes[gpu].max_context' 500
matters 'nodes[gpu].engine.kind' sharing 'nodes[gpu].engine={service: {per_output_token: 4 ms}}'
sharing='nodes[gpu].engine={kind: sharing, limit: 4, slowdown: {base: 0.8, per_request: 0.2}, service: {per_output_token: 4 ms}}'
matters 'nodes[gpu].engine.limit' 2 "$sharing"
matters 'nodes[gpu].engine.slowdown.base' 1.5 "$sharing"
matters 'nodes[gpu].engine.slowdown.per_request' 0.9 "$sharing"
matters 'nodes[gpu].engine.slots' 1
matters 'nodes[gpu].engine.order' sjf workload.arrivals.rate=40/s
matters 'nodes[gpu].engine.aging' '100 ms' 'nodes[gpu].engine.order=priority' workload.arrivals.rate=40/s
matters 'nodes[gpu].engine.queue_limit' 0 workload.arrivals.rate=40/s
matters 'nodes[gpu].engine.speed' 2
matters 'nodes[gpu].engine.service.base' '100 ms'
matters 'nodes[gpu].engine.service.per_input_token' '1 ms'
matters 'nodes[gpu].engine.service.per_output_token' '8 ms'
cache='nodes[gpu].result_cache'
matters "$cache.entries" 10
matters "$cache.bytes" '4 KiB'
matters "$cache.bytes_per_token" 40 "$cache={bytes: 64 KiB}"
matters "$cache.ttl" '2 s'
matters "$cache.hit_time" '500 ms'
matters "$cache.fill" at_miss
matters "$cache.coalesce" true
matters 'nodes[gpu].memory.base' '90 %'
matters 'nodes[gpu].memory.per_request' '40 %'

matters balancer.count 3
matters balancer.assign round_robin
matters balancer.network_delay '20 ms'
matters balancer.report_interval '2 s'
matters balancer.report_phase same
matters balancer.report_delay '1 s'
matters balancer.report_loss '50 %'
matters balancer.health.interval '2 s'
checks='balancer.health={interval: 2 s, timeout: 500 ms}'
silent='faults[0].seen_as=silent'
matters balancer.health.timeout '1500 ms' "$checks" "$silent"
matters balancer.health.unhealthy_after 1 "$checks"
matters balancer.health.healthy_after 4 "$checks"
matters balancer.health.mode after_result "$checks" "$silent"
matters balancer.retry.attempts 1
matters balancer.retry.on_misroute true "$blind"
matters balancer.timeout.total '2 s'
matters balancer.timeout.connect '3 s' 'faults[0].seen_as=connect_timeout'
matters balancer.timeout.cancel false balancer.timeout.total=1s
matters routing.table '{chat: [{model: chat}], light: [{model: light, groups: [cpu]}]}'
matters routing.default_class light 'nodes[gpu].max_context=400'
matters classifier.accuracy '50 %'

tier='result_tier={entries: 50}'
matters result_tier.entries 10 "$tier"
matters result_tier.bytes '4 KiB' "$tier"
matters result_tier.bytes_per_token 40 'result_tier={bytes: 64 KiB}'
matters result_tier.ttl '2 s' "$tier"
matters result_tier.hit_time '40 ms' "$tier"
matters result_tier.miss_time '40 ms' "$tier"
matters result_tier.fill at_miss "$tier"
outage='result_tier={entries: 50, outages: [{at: 10 s, for: 5 s}]}'
matters result_tier.timeout '20 ms' "$outage"
matters 'result_tier.outages[0].at' '20 s' "$outage"
matters 'result_tier.outages[0].for' '15 s' "$outage"
matters 'result_tier.outages[0].cold' false "$outage"

differ 'policies[].routing' 'policies=[round_robin]' 'policies=[{round_robin: {}, routing: off}]'
differ 'policies[].hints' 'policies=[{predict: {}, hints: none}]' 'policies=[{predict: {}, hints: exact}]'
