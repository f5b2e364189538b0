# What balancers learn from traffic: passive checks, outliers, breakers.
# shellcheck shell=bash # read by test_every_setting_long.sh, after lines.bash

scenario passive <<'YAML'
lbsim: 1
duration: 40 s
drain: 20 s
seed: 5
workload:
  arrivals: {process: poisson, rate: 60/s}
  input_tokens: {dist: constant, value: 100}
  output_tokens: {dist: exponential, mean: 20}
nodes:
  - {group: gpu, count: 6, engine: {slots: 2, queue_limit: 1, service: {base: 10 ms, per_output_token: 3.5 ms}}}
balancer: {count: 2, timeout: {total: 4 s}}
faults:
  - {kind: crash, target: "gpu[1]", at: 5 s, restart_after: 5 s}
  - {kind: fail_fast, target: "gpu[2]", at: 12 s, for: 10 s, share: 70 %}
  - {kind: slow, target: "gpu[3]", at: 25 s, for: 10 s, factor: 6}
policies: [round_robin, least_conn]
YAML

all_matter balancer.max_fails 'fail_timeout: 3 s' fails 3 fail_timeout '6 s' clock '10 ms' count_5xx true count_overload true

health='balancer.health={rule: haproxy, interval: 2 s}'
for line in 'layer=layer7' 'error_limit=2' 'on_error=mark_down' 'on_error=sudden_death' 'on_error=fastinter'; do
    matters "balancer.observe.${line%%=*}" "${line#*=}" "$health" balancer.health.fastinter='100 ms' 'balancer.observe={error_limit: 4}'
done
matters balancer.observe.count_overload true "$health" 'balancer.observe={layer: layer7, error_limit: 2}'

outlier=balancer.outlier
short='interval: 1 s, base_ejection_time: 2 s, max_ejection_percent: 40 %'
all_matter $outlier "$short" rule grpc interval '3 s' base_ejection_time '4 s' max_ejection_time '3 s' \
    max_ejection_time_jitter '2 s' max_ejection_percent '10 %' count_overload true \
    consecutive_5xx 2 consecutive_gateway_failure 2 enforcing_consecutive_5xx '20 %' \
    enforcing_consecutive_gateway_failure '100 %' latency '{request_volume: 10}'
all_matter $outlier 'interval: 1 s, base_ejection_time: 2 s' always_eject_one_host true
matters $outlier.successful_active_health_check_uneject_host false "$outlier={$short}" 'balancer.health={interval: 500 ms, timeout: 100 ms}'
all_matter $outlier "$short, split_external_local_origin_errors: true" \
    split_external_local_origin_errors false consecutive_local_origin_failure 1 \
    enforcing_consecutive_local_origin_failure '10 %'
rates="$short, consecutive_5xx: 0, success_rate_minimum_hosts: 3, success_rate_request_volume: 3"
all_matter $outlier "$rates" success_rate_minimum_hosts 10 success_rate_request_volume 8 \
    success_rate_stdev_factor 4000 enforcing_success_rate '20 %'
shares="$short, consecutive_5xx: 0, enforcing_success_rate: 0 %, enforcing_failure_percentage: 100 %"
shares+=', failure_percentage_minimum_hosts: 3, failure_percentage_request_volume: 3, failure_percentage_threshold: 60 %'
all_matter $outlier "$shares" failure_percentage_minimum_hosts 10 failure_percentage_request_volume 8 \
    failure_percentage_threshold '95 %' enforcing_failure_percentage '20 %'
for line in of=answer ratio=20 request_volume=40 'enforcing=20 %'; do
    matters "$outlier.latency.${line%%=*}" "${line#*=}" "$outlier={$short, latency: {request_volume: 10}}"
done

all_matter balancer.breaker 'cool: 2 s' request_volume 60 failure_share '80 %' window '1 s' cool '5 s' \
    max_cool '2 s' trials 1 count_overload true
