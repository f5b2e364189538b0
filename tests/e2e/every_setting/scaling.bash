# Nodes that come and go.
# shellcheck shell=bash # read by test_every_setting_long.sh, after lines.bash

scenario scaling <<'YAML'
lbsim: 1
duration: 200 s
drain: 30 s
seed: 5
workload:
  arrivals: {process: poisson, rate: 8/s, spikes: [{at: 30 s, duration: 50 s, factor: 3}]}
  work: {dist: exponential, mean: 300 ms}
  keys: {dist: zipf, distinct: 50, repeat_share: 40 %}
nodes:
  - group: gpu
    count: 4
    cost_per_hour: 2
    engine: {slots: 2}
    result_cache: {entries: 20}
    start_up: {provision: 4 s, model: 4 GB, init: 1 s, warm_up_request: 500 ms}
    drain: {timeout: 500 ms}
balancer: {retry: {attempts: 2}, timeout: {total: 20 s}}
policies: [least_conn]
YAML

group='nodes[gpu]'
scale=$group.autoscale
quick='min: 2, max: 12, sync: 3 s, scrape: 1 s, down: {window: 15 s}'
hpa="$scale={$quick, target: {gpu: 60 %}}"
for line in 'provision=8 s' law=exponential 'model=8 GB' 'per_second=1 GB' 'init=3 s' warm_up_requests=6 'warm_up_request=1 s'; do
    matters "$group.start_up.${line%%=*}" "${line#*=}" "$hpa"
done
matters "$group.start_up.provision_noise" '{dist: exponential}' "$hpa"
matters "$group.start_up.load_noise" '{dist: exponential}' "$hpa"
matters "$group.drain.timeout" '0 s' "$hpa"
matters "$scale.scrape_noise" '{dist: exponential}' "$hpa"
matters "$scale.lag_noise" '{dist: exponential}' "$scale={$quick, lag: 5 s, target: {gpu: 60 %}}"
all_matter "$scale" "$quick, target: {gpu: 60 %}" rule threshold target '{gpu: 40 %}' min 3 max 6 sync '6 s' scrape '4 s' \
    lag '2 s' victim newest tolerance 0.5
for line in 'gpu=40 %' in_flight=1 queue=1 rps=2 'latency_p99=500 ms' 'ttft_p99=500 ms'; do
    matters "$scale.target.${line%%=*}" "${line#*=}" "$scale={$quick, target: {gpu: 70 %}}"
done
none="workload.arrivals={process: diurnal, points: [{at: 0 s, rate: 6/s}, {at: 40 s, rate: 0/s}, {at: 100 s, rate: 0/s}, {at: 110 s, rate: 12/s}]}"
zero="sync: 3 s, scrape: 1 s, min: 0, max: 8"
matters "$scale.hold" false "$scale={$zero, rule: kpa, kpa: {stable_window: 10 s, grace: 2 s}}" "$none"
cpu="$scale={$quick, target: {cpu: 60 %}}"
matters "$scale.target.cpu" '40 %' "$cpu" "$group.kind=cpu"
old="$scale={min: 2, max: 12, sync: 2 s, scrape: 8 s, target: {cpu: 30 %}, up: {pods: 1, pods_per: 4 s, percent: 0}}"
matters "$scale.cpu_initialization" '0 s' "$old" "$group.kind=cpu"
starting="$scale={min: 2, max: 12, sync: 1 s, scrape: 1 s, target: {cpu: 60 %}, tolerance: 0.3, cpu_initialization: 0 s, down: {window: 0 s}}"
matters "$scale.readiness_delay" '0 s' "$starting" "$group.kind=cpu"
busy='target: {queue: 1}'
for line in 'window=10 s' select=disabled pods=1 'pods_per=3 s' percent=0 'percent_per=3 s'; do
    matters "$scale.up.${line%%=*}" "${line#*=}" "$scale={$quick, $busy, up: {pods: 2, percent: 50}}" "$group.count=2"
done
matters "$scale.up.select" min "$scale={$quick, $busy, up: {pods: 2, percent: 50}}" "$group.count=2"
gentle='min: 2, max: 12, sync: 3 s, scrape: 1 s, target: {gpu: 60 %}, down: {window: 5 s, pods: 2, percent: 20}'
for line in 'window=20 s' select=disabled pods=3 'pods_per=3 s' percent=50 'percent_per=3 s'; do
    matters "$scale.down.${line%%=*}" "${line#*=}" "$scale={$gentle}" "$group.count=8"
done

keda="$scale={$zero, rule: keda, target: {in_flight: 2}, down: {window: 5 s}, keda: {polling: 3 s, cooldown: 10 s}}"
for line in 'polling=8 s' 'cooldown=40 s' 'initial_cooldown=80 s' activation=5; do
    matters "$scale.keda.${line%%=*}" "${line#*=}" "$keda" "$none"
done
kpa="$scale={$zero, rule: kpa, target: {in_flight: 1.5}, kpa: {stable_window: 12 s, panic_window: 3 s, grace: 2 s}}"
for line in 'stable_window=30 s' 'panic_window=6 s' panic_threshold=5 max_up_rate=1.5 max_down_rate=1.1 'grace=20 s'; do
    matters "$scale.kpa.${line%%=*}" "${line#*=}" "$kpa" "$none"
done
matters "$scale.schedule" '"6 at 20 s"' "$scale={rule: schedule, min: 2, max: 12, schedule: \"8 at 20 s\"}"
matters "$scale.day" '60 s' "$scale={rule: schedule, min: 2, max: 12, schedule: \"8 at 20 s, 3 at 40 s\"}"
trend="$quick, rule: trend, target: {in_flight: 2}"
for line in method=linear 'level=90 %' 'slope=80 %' 'ahead=20 s'; do
    matters "$scale.trend.${line%%=*}" "${line#*=}" "$scale={$trend}"
done
matters "$scale.trend.points" 3 "$scale={$trend, trend: {method: linear}}"
goal='min: 2, max: 12, sync: 3 s, scrape: 1 s, rule: goal, target: {latency_p99: 2 s}'
all_matter "$scale" "$goal" low '90 %' patience 1
matters "$scale.max_factor" 1.2 "$scale={${goal/2 s/500 ms}}"
bare='min: 2, max: 12, sync: 3 s, scrape: 1 s, rule: threshold, target: {gpu: 70 %}'
all_matter "$scale" "$bare" inherits false low '40 %'
staffing='min: 2, max: 12, sync: 3 s, scrape: 1 s, rule: staffing'
all_matter "$scale" "$staffing" method square_root target.wait_probability '1 %'
matters "$scale.rule" demand "$scale={min: 2, max: 12, rule: schedule, schedule: \"8 at 20 s\"}"
for line in 'at=50 s' at_once=2 'pause=10 s'; do
    matters "$group.rollout.${line%%=*}" "${line#*=}" "$group.rollout={at: 20 s}"
done
