#include "tests/oracle/random_scenario.h"

#include "tests/oracle/scenario_writer.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const char *const processes_without_rate[] = {
    "process: mmpp, states: [{rate: 2/s, stay: 3 s}, {rate: 60/s, stay: 300 "
    "ms}]",
    "process: mmpp, states: [{rate: 0/s, moves: [0/s, 1/s, 0/s]}, {rate: 9/s, "
    "moves: [0/s, 0/s, 2/s]}, {rate: 30/s, moves: [3/s, 1/s, 0/s]}]",
    "process: diurnal, period: 4 s, points: [{at: 0 s, rate: 0/s}, {at: 1 s, "
    "rate: 40/s}, {at: 1 s, rate: 5/s}]",
    "process: closed, clients: 1",
    "process: closed, clients: 30, think: {dist: exponential, mean: 400 ms}",
    "process: closed, clients: 7, think: {dist: constant, value: 1 s}"};

static void put_arrivals(struct writer *writer)
{
    uint32_t count =
        sizeof processes_without_rate / sizeof *processes_without_rate;

    put(writer, "workload:\n");
    if (chance(writer, 40))
        put(writer, "  arrivals: {%s}\n",
            one_of(writer, processes_without_rate, count));
    else
        put(writer, "  arrivals: {%s, rate: %" PRIu32 "/s}\n",
            ONE_OF(writer, "process: poisson", "process: deterministic",
                   "process: gamma, cv: 3",
                   "process: diurnal, amplitude: 1, period: 5 s, phase: 2 s",
                   "process: gamma, cv: 2, spikes: [{at: 1 s, duration: 500 "
                   "ms, factor: 8, every: 3 s}]",
                   "process: deterministic, spikes: [{at: 4 s, duration: 6 s, "
                   "factor: 3, ramp: 2 s}, {at: 8 s, duration: 1 s, factor: "
                   "0}]"),
            1 + below(writer, 40));
}

/* Work by itself, or by tokens; nodes with token costs understand both. */
static void put_workload(struct writer *writer)
{
    put_arrivals(writer);
    put(writer, "  input_tokens: {dist: uniform, min: 1, max: 200}\n"
                "  output_tokens: {dist: geometric, mean: 20}\n");
    if (chance(writer, 50))
        put(writer, "  work: {dist: %s}\n",
            ONE_OF(writer, "exponential, mean: 100 ms",
                   "constant, value: 50 ms", "lognormal, mean: 80 ms, scv: 4",
                   "weibull, shape: 0.6, mean: 90 ms",
                   "gamma, shape: 3, scale: 30 ms"));
    if (chance(writer, 50))
        put(writer,
            "  noise: {dist: lognormal, mean: 1, sigma: 0.7, per: %s}\n",
            ONE_OF(writer, "request", "attempt"));
    if (chance(writer, 70))
        put(writer, "  keys: {%s}\n",
            ONE_OF(writer, "dist: unique",
                   "dist: zipf, exponent: 0.9, distinct: 40",
                   "dist: zipf, exponent: 0.5, distinct: 500, repeat_share: 40 "
                   "%"));
}

/* Draws about batches, classes and models come from a state of their own, so
   that the rest of a scenario stays what it was. */
static struct writer aside(const struct writer *writer, uint64_t purpose)
{
    struct writer other = *writer;

    other.state ^= purpose * 0xD1342543DE82EF95u;
    return other;
}

/* What was written aside stays written. */
static void back(struct writer *writer, const struct writer *other)
{
    writer->length = other->length;
}

/* In place of what else the engine would be, now and then. */
static bool put_batch(struct writer *writer)
{
    struct writer other = aside(writer, 4);

    if (!chance(&other, 20))
        return false;
    put(&other, ", kind: batch, size: %" PRIu32 ", max_wait: %s, sort: %s%s",
        1 + below(&other, 9), ONE_OF(&other, "0 s", "20 ms", "700 ms"),
        ONE_OF(&other, "arrival", "ascending", "descending"),
        ONE_OF(&other, "", ", ratio: 1", ", ratio: 4", ", max_skips: 0"));
    back(writer, &other);
    return true;
}

/* Returns what the group may say of a memory that is full. */
static const char *put_engine(struct writer *writer)
{
    uint32_t at_once = 1 + below(writer, 4);
    const char *when_full = "";

    put(writer, ", engine: {speed: %s", ONE_OF(writer, "0.4", "1", "2.5"));
    if (put_batch(writer))
        (void)below(writer, 100);
    else if (chance(writer, 60)) {
        put(writer, ", slots: %" PRIu32, at_once);
        when_full = at_once > 3   ? ", when_full: refuse"
                    : at_once > 1 ? ", when_full: slow"
                                  : "";
    } else if (chance(writer, 30)) {
        put(writer, ", kind: sharing");
        when_full = ", when_full: refuse";
    } else
        put(writer, ", kind: sharing, limit: %" PRIu32 "%s", at_once,
            ONE_OF(writer, "", ", slowdown: {base: 0.5, per_request: 0.2}",
                   ", slowdown: {base: 1, per_request: 0}"));
    if (chance(writer, 50))
        put(writer, ", order: %s",
            ONE_OF(writer, "sjf", "edf", "priority",
                   "priority, aging: 200 ms"));
    if (chance(writer, 30))
        put(writer, ", queue_limit: %" PRIu32, below(writer, 6));
    put(writer, ", service: {base: 10 ms, per_input_token: 0.2 ms, "
                "per_output_token: 3 ms}}");
    return when_full;
}

/* Two places at least, whatever the engine. */
static void put_cards(struct writer *writer)
{
    put(writer,
        ", cards: 2, engine: {%s, service: {base: 10 ms, per_input_token: "
        "0.2 ms, per_output_token: 3 ms}}",
        ONE_OF(writer, "slots: 2", "slots: 5, order: sjf",
               "kind: sharing, limit: 3"));
}

static void put_classes(struct writer *writer)
{
    struct writer other = aside(writer, 1);

    put(&other,
        "  classes:\n    - {name: chat, share: 60 %%, model: m1, output_tokens: "
        "{dist: geometric, mean: 40}, max_output_tokens: %" PRIu32
        ", deadline: %s}\n    - {name: light, share: 40 %%, model: m2, "
        "priority: %" PRIu32 "%s}\n",
        1 + below(&other, 100), ONE_OF(&other, "500 ms", "3 s"),
        below(&other, 5),
        ONE_OF(&other, "", ", work: {dist: constant, value: 20 ms}",
               ", noise: {dist: exponential, mean: 1}"));
    back(writer, &other);
}

/* The first group lists both models, so that every row has a node to go to. */
static void put_models(struct writer *writer, uint32_t group)
{
    struct writer other = aside(writer, 2);

    put(&other, "%s",
        group == 0 ? ", models: [m1, m2]"
                   : ONE_OF(&other, "", ", models: [m1]", ", models: [m2]"));
    put(&other, "%s",
        ONE_OF(&other, ", misroute: refuse", ", misroute: run",
               ", misroute: load, model_load: {time: 700 ms, resident: 1}",
               ", misroute: load, model_load: {time: 0 s}"));
    if (chance(&other, 40))
        put(&other, ", max_context: %" PRIu32, 20 + below(&other, 200));
    back(writer, &other);
}

static void put_routing(struct writer *writer)
{
    struct writer other = aside(writer, 3);

    put(&other,
        "routing:\n  table: {chat: [{model: m1, groups: [g0]}, {model: "
        "m2}]%s}\n",
        ONE_OF(&other, ", light: [{model: m2}]", ""));
    if (chance(&other, 50))
        put(&other, "  default_class: chat\n");
    if (chance(&other, 50))
        put(&other, "classifier: {accuracy: %" PRIu32 " %%}\n",
            below(&other, 101));
    back(writer, &other);
}

/* On top: some that begin late, ask in a loop, or come behind the end. */
static void put_overlays(struct writer *writer)
{
    uint32_t count = chance(writer, 30) ? 1 + below(writer, 3) : 0;

    if (count > 0)
        put(writer, "  overlay:\n");
    for (uint32_t i = 0; i < count; i++) {
        put(writer, "    - {arrivals: {%s}, %s",
            ONE_OF(writer, "process: poisson, rate: 20/s",
                   "process: deterministic, rate: 3/s",
                   "process: closed, clients: 5, think: {dist: uniform, min: "
                   "0 s, max: 1 s}",
                   "process: mmpp, states: [{rate: 0/s, stay: 2 s}, {rate: "
                   "90/s, stay: 200 ms}]"),
            ONE_OF(writer, "work: {dist: constant, value: 30 ms}",
                   "work: {dist: exponential, mean: 60 ms}, noise: {dist: "
                   "lognormal, sigma: 1, per: attempt}"));
        if (chance(writer, 60))
            put(writer, ", at: %" PRIu32 " s", below(writer, 17));
        if (chance(writer, 40))
            put(writer, ", duration: %" PRIu32 " s", 1 + below(writer, 5));
        if (chance(writer, 40))
            put(writer, ", keys: {dist: zipf, distinct: 20}");
        put(writer, ", input_tokens: {dist: constant, value: 9}, "
                    "output_tokens: {dist: constant, value: 9}}\n");
    }
}

/* Nodes that come and go, now and then, of every rule that has no zero in it:
   whether a request waits is then the policy's word alone. */
static void put_scaling(struct writer *writer, uint32_t group, uint32_t count)
{
    struct writer other = aside(writer, 40 + group);

    if (!chance(&other, 25))
        return;
    put(&other, ", start_up: {provision: %s, law: %s, init: %s}",
        ONE_OF(&other, "0 s", "400 ms", "2 s"),
        ONE_OF(&other, "constant", "exponential"),
        ONE_OF(&other, "0 s", "1 s"));
    put(&other, ", drain: {timeout: %s}",
        ONE_OF(&other, "0 s", "300 ms", "10 min"));
    if (chance(&other, 30))
        put(&other, ", rollout: {at: 4 s, at_once: %" PRIu32 "}",
            1 + below(&other, 3));
    if (chance(&other, 80))
        put(&other, ", autoscale: {max: %" PRIu32 ", rule: %s}",
            count + below(&other, 4),
            ONE_OF(&other,
                   "hpa, sync: 1 s, scrape: 500 ms, lag: 300 ms, "
                   "down: {window: 1 s}, target: {in_flight: 2, queue: 1}",
                   "keda, sync: 500 ms, target: {queue: 2}",
                   "kpa, sync: 200 ms, scrape: 100 ms, target: {rps: 4}, "
                   "kpa: {stable_window: 2 s, panic_window: 500 ms}",
                   "schedule, min: 0, hold: false, day: 3 s, "
                   "schedule: \"1 at 500 ms, 0 at 1 s, 1 at 2 s\"",
                   "trend, sync: 1 s, scrape: 1 s, target: {in_flight: 1}",
                   "goal, sync: 1 s, scrape: 1 s, patience: 1, "
                   "target: {latency_p99: 300 ms}",
                   "threshold, sync: 1 s, scrape: 1 s, inherits: false, "
                   "target: {in_flight: 1}, victim: oldest",
                   "demand, victim: least_loaded, target: {in_flight: 2}"));
    back(writer, &other);
}

static void put_group(struct writer *writer, uint32_t group, uint32_t count)
{
    const char *when_full = "";

    put(writer,
        "  - {group: g%" PRIu32 ", count: %" PRIu32 ", kind: %s, weight: "
        "%" PRIu32,
        group, count, ONE_OF(writer, "gpu", "cpu"),
        group == 0 ? 1 + below(writer, 4) : below(writer, 4));
    if (chance(writer, 20))
        put_cards(writer);
    else
        when_full = put_engine(writer);
    if (chance(writer, 50))
        put(writer, ", result_cache: {entries: %" PRIu32 ", hit_time: %s%s%s}",
            1 + below(writer, 30), ONE_OF(writer, "0 s", "5 ms", "2 s"),
            ONE_OF(writer, "", ", fill: at_miss", ", ttl: 2 s",
                   ", bytes: 1 KiB"),
            ONE_OF(writer, "", ", coalesce: true"));
    if (chance(writer, 40))
        put(writer, ", memory: {base: 30 %%, per_request: 40 %%%s}", when_full);
    if (chance(writer, 40))
        put(writer, ", cpu_per_request: 30 %%");
    if (writer->has_classes)
        put_models(writer, group);
    put_scaling(writer, group, count);
    put(writer, "}\n");
}

static void put_timeouts(struct writer *writer)
{
    if (chance(writer, 60))
        put(writer, "  timeout: {total: %s, cancel: %s, connect: %s}\n",
            ONE_OF(writer, "300 ms", "1 s", "4 s"),
            ONE_OF(writer, "true", "false", "queue"),
            ONE_OF(writer, "100 ms", "1 s"));
    if (chance(writer, 60))
        put(writer, "  retry: {attempts: %" PRIu32 "%s}\n",
            1 + below(writer, 4),
            writer->has_classes ? ", on_misroute: true" : "");
}

static void put_limits(struct writer *writer)
{
    put(writer, "  timeout: {cancel: %s, connect: %s",
        ONE_OF(writer, "true", "false", "queue"),
        ONE_OF(writer, "100 ms", "1 s"));
    if (chance(writer, 40))
        put(writer, ", total: %s", ONE_OF(writer, "600 ms", "2 s", "4 s"));
    if (chance(writer, 40))
        put(writer, ", ttft: %s", ONE_OF(writer, "30 ms", "200 ms", "1 s"));
    if (chance(writer, 40))
        put(writer, ", inter_token: %s", ONE_OF(writer, "2 ms", "9 ms", "1 s"));
    if (chance(writer, 40))
        put(writer, ", attempt: %s", ONE_OF(writer, "100 ms", "500 ms", "2 s"));
    if (chance(writer, 40))
        put(writer, ", queue: %s", ONE_OF(writer, "50 ms", "400 ms", "2 s"));
    put(writer, "}\n");
    if (chance(writer, 50))
        put(writer,
            "  deadline: {at_dispatch: %s, in_queue: %s, at_least: %s}\n",
            ONE_OF(writer, "true", "false"), ONE_OF(writer, "true", "false"),
            ONE_OF(writer, "0 s", "50 ms"));
}

static void put_tries(struct writer *writer)
{
    if (chance(writer, 80)) {
        put(writer, "  retry: {rule: %s, partial: %s%s%s%s}\n",
            ONE_OF(writer, "plain", "nginx", "haproxy", "envoy", "grpc",
                   "finagle"),
            ONE_OF(writer, "again", "never", "resume"),
            ONE_OF(writer, "", ", attempts: 2", ", attempts: 5", ", to: same",
                   ", to: any"),
            ONE_OF(writer, "", ", push_back: 300 ms",
                   ", backoff: {base: 50 ms}",
                   ", budget: {kind: active, at_least: 1}",
                   ", budget: {kind: throttle}",
                   ", budget: {kind: deposits, reserve: 1/s, ttl: 3 s}"),
            ONE_OF(writer, "",
                   ", on: [refused, reset, full, ttft, inter_token, attempt, "
                   "queue, patience]"));
    }
    if (chance(writer, 60))
        put(writer,
            "  hedge: {%s, attempts: %" PRIu32
            ", budget: %s, saturation: 10000 %%, until: %s}\n",
            ONE_OF(writer, "after: 0 s", "after: 20 ms", "after: 300 ms",
                   "percentile: 50 %"),
            2 + below(writer, 3), ONE_OF(writer, "30 %", "300 %"),
            ONE_OF(writer, "first_token", "answer"));
}

static void put_reports(struct writer *writer)
{
    const char *interval = ONE_OF(writer, "0 s", "100 ms", "1 s");

    put(writer, "  report_interval: %s\n", interval);
    if (strcmp(interval, "0 s") == 0)
        return;
    if (chance(writer, 50))
        put(writer, "  report_delay: %s\n",
            ONE_OF(writer, "30 ms", "700 ms", "1 s"));
    if (chance(writer, 30))
        put(writer, "  report_loss: %s\n", ONE_OF(writer, "10 %", "0.9"));
}

/* What traffic tells, soon enough to do something within a few seconds. */
static void put_passive(struct writer *writer)
{
    struct writer other = aside(writer, 20);

    if (chance(&other, 25))
        put(&other, "  max_fails: {fails: %" PRIu32 ", fail_timeout: %s%s}\n",
            1 + below(&other, 3), ONE_OF(&other, "0 s", "1 s", "3 s"),
            ONE_OF(&other, "", ", clock: 1 ms", ", count_overload: true"));
    if (chance(&other, 25))
        put(&other,
            "  outlier: {interval: %s, base_ejection_time: 1 s, "
            "max_ejection_percent: %s, %s%s}\n",
            ONE_OF(&other, "300 ms", "1 s"), ONE_OF(&other, "34 %", "100 %"),
            ONE_OF(&other, "rule: grpc, failure_percentage_threshold: 20 %",
                   "consecutive_5xx: 2, count_overload: true",
                   "split_external_local_origin_errors: true, "
                   "enforcing_consecutive_gateway_failure: 50 %",
                   "max_ejection_time_jitter: 1 s, always_eject_one_host: "
                   "true, success_rate_request_volume: 3, "
                   "success_rate_minimum_hosts: 2"),
            ONE_OF(&other, "",
                   ", latency: {of: answer, ratio: 1.2, request_volume: 4}"));
    if (chance(&other, 25))
        put(&other,
            "  breaker: {request_volume: %" PRIu32
            ", failure_share: 20 %%, window: 2 s, cool: 700 ms, trials: "
            "%" PRIu32 "%s}\n",
            1 + below(&other, 5), 1 + below(&other, 3),
            ONE_OF(&other, "", ", count_overload: true"));
}

/* Degradation, with a light model where there are models. */
static void put_degrade(struct writer *writer)
{
    struct writer other = aside(writer, 5);

    if (!chance(&other, 30))
        return;
    put(&other, "  degrade: {%s%s%s%s}\n",
        ONE_OF(&other, "after: 300 ms", "after: 2 s", "primary_share: 20 %"),
        ONE_OF(&other, "", ", cached: {entries: 20}",
               ", cached: {hit_time: 400 ms}", ", cached: {hit_time: 0 s}"),
        ONE_OF(&other, "", ", failures: 2, skip: 500 ms, probe: 30 %",
               ", failures: 0"),
        writer->has_classes ? ONE_OF(&other, "", ", light: m2",
                                     ", light: m1, light_expected: 100 ms")
                            : "");
    back(writer, &other);
}

/* Rules, probes that wait their turn and a second row, beside the interval. */
static void put_health(struct writer *writer)
{
    const char *interval = ONE_OF(writer, "1 s", "500 ms");
    const char *timeout = ONE_OF(writer, "100 ms", "400 ms");
    uint32_t unhealthy = 1 + below(writer, 3), healthy = 1 + below(writer, 3);
    const char *mode = ONE_OF(writer, "mode: fixed_rate", "mode: after_result");
    struct writer other = aside(writer, 21);

    if (chance(&other, 40))
        mode = ONE_OF(&other,
                      "rule: envoy, unhealthy_interval: 700 ms, "
                      "healthy_edge_interval: 100 ms, no_traffic_interval: 2 s",
                      "rule: haproxy, fastinter: 200 ms, downinter: 900 ms, "
                      "spread_checks: 20 %");
    put(&other,
        "  health: {interval: %s, timeout: %s, unhealthy_after: %" PRIu32
        ", healthy_after: %" PRIu32 ", %s%s%s%s}\n",
        interval, timeout, unhealthy, healthy, mode,
        ONE_OF(&other, "", "", ", probe: generation, work: 30 ms",
               ", path: queued"),
        ONE_OF(&other, "", "", ", busy_is_alive: true, jitter: 90 ms"),
        ONE_OF(&other, "", "",
               ", generation: {interval: 2 s, timeout: 300 ms, "
               "unhealthy_after: 1}"));
    back(writer, &other);
}

/* What goes by beliefs. */
static void put_beliefs(struct writer *writer, bool reports)
{
    struct writer other = aside(writer, 22);

    if (chance(&other, 25))
        put(&other, "  panic: {threshold: %s}\n",
            ONE_OF(&other, "30 %", "50 %", "100 %"));
    if (chance(&other, 25))
        put(&other, "  slow_start: {%s}\n",
            ONE_OF(&other, "window: 2 s", "window: 1 s, aggression: 3",
                   "rule: haproxy, window: 3 s"));
    if (reports && chance(&other, 25))
        put(&other, "  dynamic_weights: {period: 600 ms%s}\n",
            ONE_OF(&other, "", ", rule: haproxy_agent",
                   ", above: 0.2, below: 0.1, cap: 5, return: true"));
    else if (chance(&other, 25))
        put(&other,
            "  agent: {interval: 500 ms%s, says: [{target: \"*\", at: 1 s, "
            "words: \"%s\"}, {target: \"*\", at: 2 s, words: \"%s\"}]}\n",
            reports ? ONE_OF(&other, "", ", load: gpu_use") : "",
            ONE_OF(&other, "50%", "drain", "down", "weight:0 maint"),
            ONE_OF(&other, "ready up", "100% ready", "stopped"));
    if (chance(&other, 20))
        put(&other, "  connections: {clients: %" PRIu32 "%s}\n",
            1 + below(&other, 6), ONE_OF(&other, "", ", max_age: 1 s"));
    back(writer, &other);
}

static void put_balancer(struct writer *writer)
{
    bool reports;

    put(writer, "balancer:\n  count: %" PRIu32 "\n  assign: %s\n",
        1 + below(writer, 3), ONE_OF(writer, "hash", "round_robin"));
    if (chance(writer, 50))
        put(writer, "  network_delay: %s\n",
            ONE_OF(writer, "1 ms", "50 ms", "150 ms"));
    reports = chance(writer, 50);
    if (reports)
        put_reports(writer);
    if (chance(writer, 50))
        put_health(writer);
    if (writer->hurried) {
        put_limits(writer);
        put_tries(writer);
    } else {
        put_timeouts(writer);
    }
    put_passive(writer);
    put_beliefs(writer, reports);
    put_degrade(writer);
}

static void put_tier(struct writer *writer)
{
    put(writer, "result_tier: {entries: %" PRIu32 ", hit_time: %s%s%s}\n",
        1 + below(writer, 50), ONE_OF(writer, "0 s", "5 ms", "800 ms"),
        ONE_OF(writer, "", ", fill: at_miss", ", ttl: 2 s", ", miss_time: 0 s",
               ", miss_time: 400 ms"),
        ONE_OF(writer, "", ", outages: [{at: 0 s, for: 1 s}]",
               ", timeout: 0 s, outages: [{at: 2 s, for: 3 s}]",
               ", timeout: 600 ms, outages: [{at: 1 s, for: 2 s}, {at: 5 s, "
               "for: 2 s, cold: false}]"));
}

static void put_fault(struct writer *writer, uint32_t group, uint32_t index)
{
    put(writer,
        "  - {kind: %s, target: \"g%" PRIu32 "[%" PRIu32 "]\", at: %" PRIu32
        " ms",
        ONE_OF(writer, "crash", "host_down"), group, index,
        below(writer, 14000));
    if (chance(writer, 60))
        put(writer, ", restart_after: %" PRIu32 " ms", 1 + below(writer, 6000));
    if (chance(writer, 75))
        put(writer, ", seen_as: %s",
            ONE_OF(writer, "refused", "silent", "connect_timeout",
                   "connect_timeout, inside_lost_after: 700 ms"));
    put(writer, "}\n");
}

/* At most one a node: a dead node cannot die. */
static void put_faults(struct writer *writer, uint32_t groups,
                       const uint32_t *counts)
{
    uint32_t faults = below(writer, 5);
    uint64_t struck[3] = {0}; /* a bit for each node of a group */

    for (uint32_t f = 0; f < faults; f++) {
        uint32_t group = below(writer, groups);
        uint32_t index = below(writer, counts[group]);
        uint64_t bit = (uint64_t)1 << (index % 64);

        if (f == 0)
            put(writer, "faults:\n");
        if (!(struck[group] & bit))
            put_fault(writer, group, index);
        struck[group] |= bit;
    }
}

static void write_scenario(uint64_t number, bool hurried, char *text,
                           size_t size)
{
    struct writer writer = {.state = number,
                            .has_classes = number % 3 == 1,
                            .hurried = hurried,
                            .text = text,
                            .size = size};
    uint32_t groups = 1 + below(&writer, 3);
    uint32_t counts[3];

    put(&writer,
        "lbsim: 1\nduration: 15 s\nwarm_up: %s\ndrain: %s\nseed: %" PRIu64
        "\npolicies: [random]\n",
        ONE_OF(&writer, "0 s", "3 s", "20 requests", "10 %"),
        ONE_OF(&writer, "0 s", "2 s", "1 min"), number);
    put_workload(&writer);
    if (writer.has_classes)
        put_classes(&writer);
    if (hurried && chance(&writer, 50))
        put(&writer, "  patience: {dist: %s}\n",
            ONE_OF(&writer, "exponential, mean: 300 ms",
                   "constant, value: 100 ms"));
    put_overlays(&writer);
    put(&writer, "nodes:\n");
    for (uint32_t g = 0; g < groups; g++) {
        counts[g] = 1 + below(&writer, chance(&writer, 5) ? 40 : 4);
        put_group(&writer, g, counts[g]);
    }
    put_balancer(&writer);
    if (writer.has_classes && number % 2 == 0)
        put_routing(&writer);
    put_faults(&writer, groups, counts);
    if (number % 3 == 1) /* last, so that the rest is as without it */
        put_tier(&writer);
}

void random_scenario_write(uint64_t number, char *text, size_t size)
{
    write_scenario(number, false, text, size);
}

void random_scenario_write_hurried(uint64_t number, char *text, size_t size)
{
    write_scenario(number, true, text, size);
}
