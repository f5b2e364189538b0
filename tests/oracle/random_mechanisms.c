#include "tests/oracle/random_mechanisms.h"

#include <inttypes.h>

/* --- traffic -------------------------------------------------------------- */

/* A loop of clients stands still when nothing answers, so one brings steady
   traffic too. */
static void put_arrivals(struct writer *writer)
{
    if (chance(writer, 20)) {
        put(writer,
            "  arrivals: {process: closed, clients: %s, think: {dist: %s}}\n",
            ONE_OF(writer, "3", "40"),
            ONE_OF(writer, "exponential, mean: 100 ms", "constant, value: 0 s",
                   "uniform, min: 0 s, max: 1 s"));
        put(writer, "  overlay:\n    - {arrivals: {process: deterministic, "
                    "rate: 80/s}");
    } else {
        put(writer, "  arrivals: {process: %s}\n",
            ONE_OF(writer, "poisson, rate: 120/s", "deterministic, rate: 80/s",
                   "gamma, rate: 130/s, cv: 2",
                   "poisson, rate: 120/s, spikes: [{at: 1 s, duration: 500 "
                   "ms, factor: 4}]"));
        if (!chance(writer, 30))
            return;
        put(writer, "  overlay:\n    - {arrivals: {process: closed, clients: "
                    "20, think: {dist: exponential, mean: 200 ms}}");
        put(writer, "%s", ONE_OF(writer, "", ", at: 1 s", ", duration: 2 s"));
    }
    put(writer,
        ", input_tokens: {dist: constant, value: 9}, output_tokens: "
        "{dist: constant, value: 5}%s}\n",
        writer->has_tenants ? ONE_OF(writer, "", ", tenant: 2") : "");
}

static void put_classes(struct writer *writer)
{
    put(writer,
        "  classes:\n    - {name: a, share: 60 %%, model: m1, priority: 1%s}\n"
        "    - {name: b, share: 40 %%, model: m2%s}\n",
        ONE_OF(writer, "", ", deadline: 400 ms",
               ", deadline: 2 s, urgency: interactive"),
        ONE_OF(writer, "", ", deadline: 1 s", ", urgency: background",
               ", patience: {dist: exponential, mean: 300 ms}"));
}

static void put_workload(struct writer *writer)
{
    put(writer, "workload:\n"
                "  input_tokens: {dist: uniform, min: 1, max: 100}\n"
                "  output_tokens: {dist: geometric, mean: 10}\n");
    put_arrivals(writer);
    if (writer->has_keys)
        put(writer, "  keys: {dist: zipf, exponent: 0.9, distinct: 60}\n");
    if (writer->has_classes)
        put_classes(writer);
    if (writer->has_tenants)
        put(writer, "  tenants: {count: 5, exponent: %s}\n",
            ONE_OF(writer, "0", "1"));
    if (chance(writer, 30))
        put(writer, "  noise: {dist: lognormal, mean: 1, sigma: 0.7, per: "
                    "attempt}\n");
    if (chance(writer, 15))
        put(writer, "  patience: {dist: exponential, mean: 400 ms}\n");
}

/* --- nodes ---------------------------------------------------------------- */

static void put_engine(struct writer *writer)
{
    put(writer,
        ", engine: {%s, service: {base: 5 ms, per_input_token: 0.1 ms, "
        "per_output_token: 2 ms}}",
        ONE_OF(writer, "slots: 1", "slots: 3", "slots: 2, queue_limit: 4",
               "slots: 2, order: sjf", "slots: 1, order: edf", "kind: sharing",
               "kind: sharing, slowdown: {base: 0.5, per_request: 0.3}",
               "kind: batch, size: 4, max_wait: 10 ms",
               "kind: batch, size: 8, sort: ascending, ratio: 2"));
}

static void put_cache(struct writer *writer)
{
    put(writer, ", result_cache: {entries: 20, hit_time: %s%s}",
        ONE_OF(writer, "2 ms", "200 ms"),
        ONE_OF(writer, "", ", coalesce: true"));
}

static void put_memory(struct writer *writer)
{
    put(writer, ", memory: {base: 30 %%, per_request: 5 %%}");
}

static void put_models(struct writer *writer)
{
    if (writer->has_classes)
        put(writer, ", models: [m1, m2], misroute: load, model_load: {time: "
                    "300 ms, resident: 1}");
}

static void put_max_in_flight(struct writer *writer)
{
    writer->holds = true;
    put(writer, ", max_in_flight: %" PRIu32, 2 + below(writer, 4));
}

/* Of up to six nodes that there are at the start. */
static void put_autoscale(struct writer *writer)
{
    put(writer, ", autoscale: {max: %" PRIu32 ", rule: %s}",
        6 + below(writer, 3),
        ONE_OF(writer, "hpa, sync: 300 ms, scrape: 200 ms, target: {gpu: 50 %}",
               "hpa, sync: 500 ms, scrape: 200 ms, lag: 300 ms, lag_noise: "
               "{dist: exponential}, scrape_noise: {dist: exponential}, down: "
               "{window: 0 s}, target: {in_flight: 2, queue: 1}",
               "keda, sync: 200 ms, scrape: 200 ms, min: 0, target: {queue: "
               "2}, keda: {polling: 200 ms, cooldown: 500 ms}",
               "kpa, sync: 200 ms, scrape: 100 ms, target: {rps: 20}, kpa: "
               "{stable_window: 1 s, panic_window: 200 ms}",
               "schedule, min: 0, hold: true, day: 2 s, schedule: \"3 at 500 "
               "ms, 0 at 1 s, 2 at 1500 ms\"",
               "trend, sync: 500 ms, scrape: 500 ms, target: {in_flight: 1}",
               "goal, sync: 500 ms, scrape: 500 ms, patience: 1, target: "
               "{latency_p99: 300 ms}",
               "staffing, sync: 500 ms, scrape: 200 ms",
               "threshold, sync: 500 ms, scrape: 200 ms, inherits: false, "
               "target: {in_flight: 1}, victim: oldest",
               "demand, victim: least_loaded, target: {in_flight: 2}"));
}

static void put_rollout(struct writer *writer)
{
    put(writer, ", rollout: {at: %s, at_once: %s%s}",
        ONE_OF(writer, "0 s", "500 ms", "1 s"), ONE_OF(writer, "1", "2", "9"),
        ONE_OF(writer, "", ", pause: 200 ms"));
}

/* Nodes come and go, in the middle of it all. */
static void put_scale(struct writer *writer)
{
    put(writer,
        ", start_up: {provision: %s, model: 1 GB, per_second: 10 GB, init: 50 "
        "ms}, drain: {timeout: %s}",
        ONE_OF(writer, "0 s", "200 ms", "200 ms, law: exponential",
               "100 ms, provision_noise: {dist: exponential}, load_noise: "
               "{dist: lognormal, sigma: 1}"),
        ONE_OF(writer, "0 s", "100 ms", "2 s"));
    if (chance(writer, 70))
        put_autoscale(writer);
    if (chance(writer, 50))
        put_rollout(writer);
}

/* Settings of groups. */
static const struct {
    void (*put)(struct writer *writer);
    uint32_t percent;
} group_mechanisms[] = {
    {put_engine, 100}, {put_cache, 40},         {put_memory, 40},
    {put_models, 100}, {put_max_in_flight, 10}, {put_scale, 35},
};

static void put_nodes(struct writer *writer)
{
    put(writer, "nodes:\n");
    for (uint32_t g = 0; g < writer->groups; g++) {
        put(writer,
            "  - {group: g%" PRIu32 ", count: %" PRIu32 ", zone: \"%s\"", g,
            g == 0 ? 3 + below(writer, 4) : 1 + below(writer, 3),
            g == 0 ? "a, b" : ONE_OF(writer, "a", "b", "c"));
        for (size_t i = 0;
             i < sizeof group_mechanisms / sizeof *group_mechanisms; i++)
            if (chance(writer, group_mechanisms[i].percent))
                group_mechanisms[i].put(writer);
        put(writer, "}\n");
    }
}

/* --- front door ----------------------------------------------------------- */

static void put_health(struct writer *writer)
{
    put(writer, "  health: {interval: %s, timeout: %s%s%s}\n",
        ONE_OF(writer, "200 ms", "500 ms"), ONE_OF(writer, "50 ms", "150 ms"),
        ONE_OF(writer, "", ", mode: after_result", ", probe: tcp",
               ", path: queued", ", busy_is_alive: true", ", rule: envoy",
               ", rule: haproxy"),
        ONE_OF(writer, "", ", unhealthy_after: 1, healthy_after: 1",
               ", generation: {interval: 600 ms, timeout: 200 ms, work: 5 "
               "ms}"));
    if (chance(writer, 30))
        put(writer, "  panic: {threshold: 50 %%}\n");
    if (chance(writer, 30))
        put(writer, "  slow_start: {window: 1 s%s}\n",
            ONE_OF(writer, "", ", rule: haproxy"));
}

static void put_retry(struct writer *writer)
{
    put(writer, "  retry: {attempts: %" PRIu32 "%s%s}\n", 2 + below(writer, 3),
        ONE_OF(writer, "", ", rule: nginx", ", rule: haproxy", ", rule: envoy",
               ", rule: grpc", ", rule: finagle",
               ", on: [refused, reset, connect_timeout, error, full]",
               ", non_idempotent: false"),
        ONE_OF(writer, "", ", backoff: {base: 20 ms, max: 200 ms}",
               ", time_limit: 700 ms", ", to: any", ", to: same",
               ", partial: resume", ", budget: {kind: active, at_least: 1}",
               ", budget: {kind: throttle}"));
}

static void put_timeout(struct writer *writer)
{
    put(writer, "  timeout: {total: %s, cancel: %s, connect: %s%s}\n",
        ONE_OF(writer, "400 ms", "1 s", "3 s"),
        ONE_OF(writer, "true", "false", "queue"),
        ONE_OF(writer, "50 ms", "400 ms"),
        ONE_OF(writer, "", "", ", attempt: 300 ms", ", ttft: 200 ms",
               ", queue: 200 ms", ", inter_token: 5 ms"));
}

static void put_hedge(struct writer *writer)
{
    writer->hedges = true;
    put(writer, "  hedge: {%s, budget: %s}\n",
        ONE_OF(writer, "after: 50 ms", "after: 200 ms", "after: 0 s",
               "percentile: 50 %", "after: 50 ms, rule: grpc",
               "after: 100 ms, until: answer", "after: 20 ms, attempts: 3",
               "percentile: 90 %, until: answer, saturation: 10000 %"),
        ONE_OF(writer, "50 %", "300 %"));
}

static void put_max_fails(struct writer *writer)
{
    put(writer, "  max_fails: {fails: %" PRIu32 ", fail_timeout: %s}\n",
        1 + below(writer, 3), ONE_OF(writer, "500 ms", "1 s"));
}

static void put_outlier(struct writer *writer)
{
    put(writer,
        "  outlier: {interval: 300 ms, base_ejection_time: 500 ms, "
        "max_ejection_percent: %s%s}\n",
        ONE_OF(writer, "34 %", "100 %"),
        ONE_OF(writer, "", ", rule: grpc",
               ", latency: {of: answer, ratio: 1.5, request_volume: 4}"));
}

static void put_breaker(struct writer *writer)
{
    put(writer,
        "  breaker: {request_volume: 3, failure_share: 20 %%, window: 1 s, "
        "cool: 300 ms}\n");
}

static void put_caps(struct writer *writer)
{
    writer->holds = true;
    put(writer, "  caps: {max: %" PRIu32 "%s%s}\n", 2 + below(writer, 6),
        ONE_OF(writer, "", ", min: 1", ", min: 2, full: 30"),
        writer->hedges ? ""
                       : ONE_OF(writer, "", ", queue: node",
                                ", queue: node, node_queue: 2"));
}

static void put_admission(struct writer *writer)
{
    writer->holds = true;
    if (writer->has_tenants && chance(writer, 40))
        put(writer, "  admission: {bucket: {rate: 20/s, per: tenant}}\n");
    else
        put(writer, "  admission: {%s%s}\n",
            ONE_OF(writer, "in_flight: 8", "bucket: {rate: 60/s, burst: 10}",
                   "bucket: {rate: 2k/s, of: tokens}",
                   "adaptive: {target: 100 ms, window: 200 ms, start: 9}",
                   "deadline: true", "in_flight: 30, deadline: true"),
            ONE_OF(writer, "", "",
                   ", shedding: {background: 0.3, normal: 0.6, per_node: 3}"));
}

static void put_queue(struct writer *writer)
{
    writer->holds = true;
    put(writer,
        "  queue: {size: %" PRIu32 ", order: %s, without_nodes: %s%s}\n",
        1 + below(writer, 40), ONE_OF(writer, "fcfs", "edf", "slo"),
        ONE_OF(writer, "hold", "fail"),
        ONE_OF(writer, "", ", fairness: round_robin",
               ", fairness: round_robin, flow_size: 3", ", tokens: 400"));
}

static void put_flow_control(struct writer *writer)
{
    writer->holds = true;
    put(writer, "  flow_control: {%s, limit: %s%s}\n",
        writer->has_reports ? ONE_OF(writer, "queue_depth: 1",
                                     "queue_depth: 3, stale_after: 500 ms",
                                     "saturation: in_flight, per_node: 4")
                            : ONE_OF(writer, "saturation: in_flight",
                                     "saturation: in_flight, per_node: 3"),
        ONE_OF(writer, "0.5", "1"),
        ONE_OF(writer, "", ", ttl: 300 ms, sweep_interval: 100 ms"));
}

static void put_weights(struct writer *writer)
{
    if (writer->has_reports)
        put(writer, "  dynamic_weights: {period: 300 ms%s}\n",
            ONE_OF(writer, "", ", rule: haproxy_agent"));
}

static void put_pool_limits(struct writer *writer)
{
    writer->holds = true;
    put(writer, "  pool_limits: {requests: %" PRIu32 ", pending: 5}\n",
        3 + below(writer, 20));
}

static void put_fail_fast(struct writer *writer)
{
    writer->holds = true;
    put(writer, "  fail_fast: {after: %s}\n", ONE_OF(writer, "100 ms", "3 s"));
}

static void put_deadline(struct writer *writer)
{
    put(writer, "  deadline: {at_dispatch: %s, in_queue: %s, at_least: %s}\n",
        ONE_OF(writer, "true", "false"), ONE_OF(writer, "true", "false"),
        ONE_OF(writer, "0 s", "20 ms"));
}

static void put_degrade(struct writer *writer)
{
    put(writer, "  degrade: {%s%s%s%s}\n",
        ONE_OF(writer, "after: 100 ms", "after: 1 s", "primary_share: 20 %"),
        ONE_OF(writer, "", ", cached: {entries: 20}",
               ", cached: {hit_time: 200 ms}"),
        ONE_OF(writer, "", ", failures: 2, skip: 300 ms, probe: 30 %",
               ", failures: 0"),
        writer->has_classes ? ONE_OF(writer, "", ", light: m2",
                                     ", light: m1, light_expected: 50 ms")
                            : "");
}

/* Not beside what holds requests too. */
static void put_batching(struct writer *writer)
{
    if (!writer->holds)
        put(writer, "  batching: {size: %s, max_wait: %s%s}\n",
            ONE_OF(writer, "2", "8"), ONE_OF(writer, "0 s", "20 ms", "200 ms"),
            ONE_OF(writer, "", ", ratio: 2", ", collect: 20, ratio: 4",
                   ", before_deadline: 300 ms", ", collect: 9, sort: arrival"));
}

static void put_delay(struct writer *writer)
{
    put(writer, "  network_delay: %s\n", ONE_OF(writer, "1 ms", "30 ms"));
}

/* Blocks of balancer, each drawn with its own chance; batching after all that
   hold requests. */
static const struct {
    void (*put)(struct writer *writer);
    uint32_t percent;
} balancer_mechanisms[] = {
    {put_health, 60},      {put_retry, 60},        {put_timeout, 75},
    {put_hedge, 25},       {put_max_fails, 20},    {put_outlier, 20},
    {put_breaker, 15},     {put_caps, 15},         {put_admission, 15},
    {put_delay, 50},       {put_queue, 15},        {put_weights, 20},
    {put_pool_limits, 10}, {put_flow_control, 15}, {put_fail_fast, 5},
    {put_deadline, 25},    {put_degrade, 25},      {put_batching, 40},
};

static void put_balancer(struct writer *writer)
{
    put(writer, "balancer:\n  count: %" PRIu32 "\n  assign: %s\n",
        1 + below(writer, 3), ONE_OF(writer, "hash", "round_robin"));
    if (writer->has_reports)
        put(writer, "  report_interval: %s\n%s",
            ONE_OF(writer, "50 ms", "300 ms"),
            ONE_OF(writer, "", "  report_delay: 40 ms\n"));
    for (size_t i = 0;
         i < sizeof balancer_mechanisms / sizeof *balancer_mechanisms; i++)
        if (chance(writer, balancer_mechanisms[i].percent))
            balancer_mechanisms[i].put(writer);
}

/* --- the whole ------------------------------------------------------------ */

void random_mechanisms_choose(struct writer *writer)
{
    writer->groups = 1 + below(writer, 3);
    writer->has_reports = chance(writer, 60);
    writer->has_keys = chance(writer, 60);
    writer->has_classes = chance(writer, 30);
    writer->has_tenants = chance(writer, 25);
    writer->holds = writer->has_tenants; /* fair queues go by them */
}

void random_mechanisms_put(struct writer *writer)
{
    put_workload(writer);
    put_nodes(writer);
    put_balancer(writer);
    if (writer->has_keys)
        put(writer, "result_tier: {entries: 20, hit_time: 1 ms, timeout: %s}\n",
            ONE_OF(writer, "0 s", "100 ms"));
}
