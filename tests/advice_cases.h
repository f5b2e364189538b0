/*
 * Small scenarios of known character: which rules of advice must fire on them,
 * and which must not. The unit test checks that; the long test runs them and
 * checks that what was predicted is so.
 *
 * Loads are rate x mean work / (nodes x slots x speed), by arithmetic.
 */
#ifndef TESTS_ADVICE_CASES_H
#define TESTS_ADVICE_CASES_H

struct advice_case {
    const char *name, *yaml;
    const char *fires, *silent; /* names of rules, blanks between them */
};

#define HEAD(duration)                                  \
    "lbsim: 1\nduration: " duration "\nwarm_up: 30 s\n" \
    "replications: 8\nseed: 7\n"
#define POLICY "policies: [round_robin]\n"
#define EIGHT "nodes: [{group: n, count: 8, engine: {slots: 1}}]\n"
#define WORK(law, rate)                                                 \
    "workload: {arrivals: {process: poisson, rate: " rate "/s}, work: " \
    "{dist: " law "}}\n"
#define REPEATS(keys, cache)                                             \
    HEAD("5 min")                                                        \
    "workload: {arrivals: {process: poisson, rate: 54/s}, work: {dist: " \
    "exponential, mean: 500 ms}, keys: " keys "}\n"                      \
    "nodes: [{group: n, count: 8, engine: {slots: 4}" cache "}]\n" POLICY
#define ACCIDENT(front, fault)                            \
    HEAD("4 min")                                         \
    WORK("exponential, mean: 500 ms", "32")               \
    "nodes: [{group: n, count: 8, engine: {slots: 4}}]\n" \
    "balancer: {timeout: {total: 20 s}" front "}\n"       \
    "faults: [{target: 'n[3]', at: 60 s, " fault "}]\n" POLICY

static const struct advice_case advice_cases[] = {
    {"exponential at load 0.85",
     HEAD("20 min") WORK("exponential, mean: 1 s", "6.8") EIGHT POLICY,
     "needs_vary power_of_two all_counts_beat_two weights_are_equal no_keys",
     "needs_are_constant nobody_waits unequal_speeds bursts overload one_node "
     "reports_draw_herds hits_pay classes_have_their_place slow_node"},
    {"constant at load 0.85",
     HEAD("20 min") WORK("constant, value: 1 s", "6.8") EIGHT POLICY,
     "needs_are_constant power_of_two weights_are_equal",
     "needs_vary nobody_waits"},
    {"idle: load 0.2 on eight slots", /* Erlang C(8, 1.6) is 0.0003 */
     HEAD("10 min") WORK(
         "exponential, mean: 1 s",
         "12.8") "nodes: [{group: n, count: 8, engine: {slots: 8}}]\n" POLICY,
     "nobody_waits weights_are_equal",
     "needs_vary power_of_two needs_are_constant bursts"},
    {"speeds 2 to 1, weighted so, load 0.6",
     HEAD("10 min") WORK(
         "exponential, mean: 500 ms",
         "28.8") "nodes: [{group: fast, count: 4, weight: 2, engine: {slots: 4}}, {group: "
                 "slow, count: 4, weight: 1, engine: {slots: 4, speed: 0.5}}]\n" POLICY,
     "weights_follow_speeds unequal_speeds",
     "weights_overload weights_are_equal needs_vary slow_nodes_drown "
     "expected_finish nobody_waits"},
    {"speeds 4 to 1, equal weights", /* slow nodes: 20/8 of 2 = 1.25 */
     HEAD("5 min") WORK(
         "exponential, mean: 500 ms",
         "20") "nodes: [{group: fast, count: 4, engine: {slots: 4}}, {group: slow, "
               "count: 4, engine: {slots: 4, speed: 0.25}}]\n" POLICY,
     "slow_nodes_drown weights_are_equal",
     "unequal_speeds weights_follow_speeds weights_overload"},
    {"speeds 2 to 1, weights 1 to 2", /* slow nodes: 28.8/6 of 4 = 1.2 */
     HEAD("5 min") WORK(
         "exponential, mean: 500 ms",
         "28.8") "nodes: [{group: fast, count: 4, weight: 1, engine: {slots: 4}}, {group: "
                 "slow, count: 4, weight: 2, engine: {slots: 4, speed: 0.5}}]\n" POLICY,
     "weights_overload unequal_speeds",
     "weights_follow_speeds slow_nodes_drown"},
    {"tokens on nodes of speeds 3 to 1",
     HEAD(
         "5 min") "workload: {arrivals: {process: poisson, rate: 40/s}, input_tokens: "
                  "{dist: constant, value: 1000}, output_tokens: {dist: lognormal, median: "
                  "120, sigma: 0.8}}\n"
                  "nodes: [{group: fast, count: 4, weight: 3, engine: {slots: 4, speed: "
                  "1.5, service: {base: 20 ms, per_output_token: 3 ms}}}, {group: slow, "
                  "count: 4, weight: 1, engine: {slots: 4, speed: 0.5, service: {base: 20 "
                  "ms, per_output_token: 3 ms}}}]\n" POLICY,
     "expected_finish", "needs_vary hits_pay weights_are_equal"},
    {"reports every 2 s", /* 54 / 8 x 2 = 13.5 requests a node between two */
     HEAD("5 min")
         WORK("exponential, mean: 500 ms",
              "54") "nodes: [{group: n, count: 8, engine: {slots: 4}}]\n"
                    "balancer: {report_interval: 2 s}\n" POLICY,
     "reports_draw_herds herds_are_worse_than_chance", "nobody_waits"},
    {"reports every 50 ms", /* a third of a request */
     HEAD("5 min")
         WORK("exponential, mean: 500 ms",
              "54") "nodes: [{group: n, count: 8, engine: {slots: 4}}]\n"
                    "balancer: {report_interval: 50 ms}\n" POLICY,
     "needs_vary", "reports_draw_herds herds_are_worse_than_chance"},
    {"half of the questions repeat",
     REPEATS("{dist: zipf, exponent: 0.9, distinct: 3000, repeat_share: 60 %}",
             ", result_cache: {entries: 500, hit_time: 5 ms}"),
     "keys_stay_at_home hits_pay", "hits_do_not_pay no_keys hot_key"},
    {"no question repeats",
     REPEATS("{dist: unique}",
             ", result_cache: {entries: 500, hit_time: 5 ms}"),
     "hits_do_not_pay", "keys_stay_at_home hits_pay no_keys hot_key"},
    {"one key is half of all, and nothing is cached",
     REPEATS("{dist: zipf, exponent: 1.8, distinct: 500, repeat_share: 100 %}",
             ""),
     "hot_key hits_do_not_pay", "keys_stay_at_home hits_pay"},
    {"a node dies without a word",
     ACCIDENT(", health: {}",
              "kind: host_down, restart_after: 90 s, seen_as: silent"),
     "the_dead_hold_on",
     "fast_failure_looks_idle the_hung_hold_on slow_node needs_vary"},
    {"a node hangs", ACCIDENT("", "kind: hang, for: 60 s"), "the_hung_hold_on",
     "the_dead_hold_on fast_failure_looks_idle slow_node"},
    {"a node fails at once",
     ACCIDENT("", "kind: fail_fast, share: 100 %, for: 90 s"),
     "fast_failure_looks_idle", "the_dead_hold_on the_hung_hold_on"},
    {"a node fails at once, and is ejected",
     ACCIDENT(", outlier: {}", "kind: fail_fast, share: 100 %, for: 90 s"), "",
     "fast_failure_looks_idle"},
    {"a node is four times as slow", /* 0.5 x 4 */
     ACCIDENT("", "kind: slow, factor: 4, for: 150 s"), "slow_node",
     "the_dead_hold_on fast_failure_looks_idle"},
    {"two classes, and a table",
     HEAD(
         "5 min") "workload: {arrivals: {process: poisson, rate: 100/s}, classes: [{name: "
                  "chat, share: 50 %, model: chat, work: {dist: exponential, mean: 400 "
                  "ms}}, {name: light, share: 50 %, model: light, work: {dist: exponential, "
                  "mean: 100 ms}}]}\n"
                  "nodes: [{group: gpu, count: 4, models: [chat, light], engine: {slots: "
                  "8}}, {group: cpu, count: 4, kind: cpu, models: [chat, light], engine: "
                  "{slots: 8, speed: 0.4}}]\n"
                  "routing: {table: {chat: [{model: chat, groups: [gpu]}], light: [{model: "
                  "light, groups: [cpu]}]}}\n" POLICY,
     "classes_have_their_place turns_of_their_own",
     "needs_vary unequal_speeds slow_nodes_drown"},
    {"bursts", /* load 0.45 on average, 0.9 in a burst */
     HEAD(
         "10 min") "workload: {arrivals: {process: mmpp, states: [{rate: 14/s, stay: 10 "
                   "s}, {rate: 58/s, stay: 10 s}]}, work: {dist: exponential, mean: 500 "
                   "ms}}\n"
                   "nodes: [{group: n, count: 8, engine: {slots: 4}}]\n" POLICY,
     "bursts", "nobody_waits"},
    {"ten balancers",
     HEAD("10 min") WORK("exponential, mean: 1 s", "6.8") EIGHT
     "balancer: {count: 10}\n" POLICY,
     "weights_are_equal", "needs_vary power_of_two all_counts_beat_two"},
    {"too much work",
     HEAD("2 min") WORK("exponential, mean: 1 s", "9") EIGHT POLICY, "overload",
     "needs_vary power_of_two all_counts_beat_two slow_nodes_drown"},
    {"one node",
     HEAD("5 min") WORK(
         "exponential, mean: 1 s",
         "0.7") "nodes: [{group: n, count: 1, engine: {slots: 1}}]\n" POLICY,
     "one_node", "needs_vary power_of_two weights_are_equal"},
};

#define ADVICE_CASES (sizeof advice_cases / sizeof *advice_cases)

#endif
