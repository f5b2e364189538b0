/*
 * What a text means once it is loaded. Expected values are read off the text
 * by hand.
 */
#include "tests/unit/scenario/scenario_text.h"

#include "policies/lbp.h"

static void every_mechanism_is_off_unless_named(void)
{
    struct scenario *s = loaded(load_more(""));

    CHECK(!s->balancer.health.given);
    CHECK(!s->balancer.retry.given);
    CHECK(!s->groups[0].result_cache.given);
    CHECK(!s->groups[0].memory_given);
    CHECK(!s->groups[0].engine.service.given);
    CHECK(isnan(s->groups[0].cpu_per_request));
    CHECK_INT(s->balancer.timeout.total_ns, INT64_MAX);
    CHECK_INT(s->balancer.report_interval_ns, -1);
    CHECK_INT(s->balancer.network_delay_ns, 0);
    CHECK_UINT(s->fault_count, 0);
    CHECK_UINT(s->goal_count, 0);
    CHECK_INT(s->warm_up.time_ns, 0);
    CHECK_INT(s->workload.noise.kind, DIST_NONE);
    CHECK_INT(s->workload.keys.spec.kind, KEYS_NONE);
    scenario_destroy(s);
}

static void the_run_has_its_defaults(void)
{
    struct scenario *s = loaded(load_more(""));

    CHECK_TEXT(s->name, "test");
    CHECK_TEXT(s->path, "test.yaml");
    CHECK_INT(s->duration_ns, 600000000000);
    CHECK_INT(s->drain_ns, 600000000000); /* 10 min without a time-out */
    CHECK_UINT(s->replications, 1);
    CHECK_UINT(s->seed, 1);
    CHECK_NEAR(s->confidence, 0.95, 0);
    CHECK_NEAR(s->min_effect, 0.01, 0);
    CHECK_INT(s->objective, M_LATENCY_ALL_P99);
    CHECK(!s->node_percentiles);
    CHECK_UINT(s->balancer.count, 1);
    CHECK_UINT(s->node_count, 4);
    CHECK_UINT(s->groups[0].weight, 1);
    CHECK_NEAR(s->groups[0].engine.speed, 1, 0);
    CHECK_UINT(s->groups[0].engine.slots, 2);
    CHECK_TEXT(s->policies[0].label, "round_robin");
    scenario_destroy(s);
}

/* Health 5 s, 1 s, 3, 2 and two attempts: the numbers of the user's articles;
   connect 1 s and inside_lost_after 10 s: of the design. */
static void what_is_named_takes_its_numbers(void)
{
    struct scenario *s = loaded(
        load_more("balancer: {health: {}, retry: {}, timeout: {total: 60 s}}\n"
                  "faults:\n"
                  "  - {kind: crash, target: \"gpu[2]\", at: 4 min}\n"
                  "  - {kind: host_down, target: \"gpu[0]\", at: 0 s}\n"));

    CHECK(s->balancer.health.given);
    CHECK_INT(s->balancer.health.interval_ns, 5000000000);
    CHECK_INT(s->balancer.health.timeout_ns, 1000000000);
    CHECK_UINT(s->balancer.health.unhealthy_after, 3);
    CHECK_UINT(s->balancer.health.healthy_after, 2);
    CHECK_INT(s->balancer.health.mode, HEALTH_FIXED_RATE);
    CHECK(s->balancer.retry.given);
    CHECK_UINT(s->balancer.retry.attempts, 2);
    CHECK_INT(s->balancer.timeout.connect_ns, 1000000000);
    CHECK_INT(s->balancer.timeout.cancel, CANCEL_ALL);
    CHECK_INT(s->drain_ns, 60000000000); /* the total time-out */
    CHECK_UINT(s->fault_count, 2);
    CHECK_INT(s->faults[0].seen_as, FAULT_REFUSED);
    CHECK_INT(s->faults[1].seen_as, FAULT_SILENT);
    CHECK_UINT(fault_target_only(&s->faults[0].target), 2);
    CHECK_INT(s->faults[0].at_ns, 240000000000);
    CHECK_INT(s->faults[0].restart_after_ns, INT64_MAX);
    CHECK_INT(s->faults[0].inside_lost_after_ns, 10000000000);
    scenario_destroy(s);
}

static void check_good_run(const struct scenario *s)
{
    CHECK_TEXT(s->name, "good");
    CHECK_INT(s->warm_up.kind, WARM_UP_TIME);
    CHECK_INT(s->warm_up.time_ns, 60000000000); /* 10 % of 10 min */
    CHECK_INT(s->drain_ns, 30000000000);
    CHECK_UINT(s->replications, 3);
    CHECK_UINT(s->seed, 7);
    CHECK_NEAR(s->confidence, 0.9, 0);
    CHECK_NEAR(s->min_effect, 0.02, 0);
    CHECK_INT(s->objective, M_LATENCY_P99);
    CHECK(s->node_percentiles);
    CHECK_UINT(s->goal_count, 2);
    CHECK_INT(s->goals[0].measure, M_LATENCY_ALL_P99);
    CHECK_NEAR(s->goals[0].bound, 20, 0);
    CHECK_INT(s->goals[1].measure, M_SUCCESS);
    CHECK_NEAR(s->goals[1].bound, 0.99, 0);
}

static void check_good_workload(const struct workload_spec *w)
{
    CHECK_INT(w->arrivals.process, ARRIVALS_GAMMA);
    CHECK_NEAR(w->arrivals.rate_per_s, 12, 0);
    CHECK_NEAR(w->arrivals.cv, 2, 0);
    CHECK_INT(w->input_tokens.kind, DIST_LOGNORMAL);
    CHECK_NEAR(w->input_tokens.at_most, 8000, 0);
    CHECK_INT(w->output_tokens.kind, DIST_UNIFORM);
    CHECK_NEAR(w->output_tokens.mean, 105, 1e-9);
    CHECK_NEAR(w->work.mean, 0.25, 0); /* seconds */
    CHECK_NEAR(w->noise.mean, 1, 1e-12);
    CHECK_INT(w->noise_per, WORKLOAD_NOISE_ATTEMPT);
    CHECK_INT(w->keys.spec.kind, KEYS_ZIPF);
    CHECK_NEAR(w->keys.spec.exponent, 0.9, 0);
    CHECK_UINT(w->keys.spec.distinct, 5000);
    CHECK_NEAR(w->keys.spec.repeat_share, 0.35, 0);
}

static void check_good_nodes(const struct scenario *s)
{
    const struct group_spec *gpu = &s->groups[0], *cpu = &s->groups[1];

    CHECK_UINT(s->group_count, 3);
    CHECK_UINT(s->node_count, 5);
    CHECK_UINT(gpu->engine.slots, 4); /* from defaults */
    CHECK_NEAR(gpu->engine.service.base_s, 0.02, 0);
    CHECK_NEAR(gpu->engine.service.per_output_token_s, 0.0025, 0);
    CHECK_UINT(gpu->result_cache.entries, 1000);
    CHECK_UINT(gpu->result_cache.bytes, 67108864);
    CHECK_INT(gpu->result_cache.ttl_ns, 5400000000000);
    CHECK_INT(gpu->result_cache.hit_time_ns, 5000000);
    CHECK_NEAR(gpu->memory_base, 0.4, 0);
    CHECK_NEAR(gpu->memory_per_request, 0.05, 0);
    CHECK_NEAR(gpu->cpu_per_request, 0.02, 0);
    CHECK_INT(gpu->keys, NODE_KEYS_BY_REPLICATION);
    CHECK_INT(cpu->kind, NODE_CPU);
    CHECK_UINT(cpu->engine.slots, 4);
    CHECK_NEAR(cpu->engine.speed, 0.5, 0);
    CHECK_NEAR(cpu->engine.service.base_s, 0.02, 0);
    CHECK_INT(cpu->keys, NODE_KEYS_LISTED);
    CHECK_TEXT(cpu->listed_keys[1], "b:2");
    CHECK_UINT(s->groups[2].count, 0);
}

static void check_good_front(const struct scenario *s)
{
    CHECK_UINT(s->balancer.count, 2);
    CHECK_INT(s->balancer.assign, BALANCER_ASSIGN_ROUND_ROBIN);
    CHECK_INT(s->balancer.network_delay_ns, 200000);
    CHECK_INT(s->balancer.health.interval_ns, 2000000000);
    CHECK_UINT(s->balancer.retry.attempts, 3);
    CHECK_INT(s->balancer.timeout.connect_ns, 500000000);
    CHECK_INT(s->balancer.timeout.cancel, CANCEL_NOTHING);
    CHECK_INT(s->faults[0].seen_as, FAULT_CONNECT_TIMEOUT);
    CHECK_INT(s->faults[0].restart_after_ns, 90000000000);
    CHECK_INT(s->faults[0].inside_lost_after_ns, 5000000000);
    CHECK_INT(s->faults[1].kind, FAULT_HOST_DOWN);
    CHECK_UINT(fault_target_only(&s->faults[1].target), 3); /* cpu[0] */
    CHECK_UINT(s->policy_count, 3);
    CHECK_TEXT(s->policies[1].label, "ring_hash(replicas=200)");
    CHECK_TEXT(s->policies[2].label, "ring_hash");
    CHECK(s->policies[1].ops == s->policies[2].ops);
}

static void every_setting_arrives(void)
{
    struct diag diag = {0};
    struct scenario *s =
        scenario_load("tests/data/scenarios/good.yaml", NULL, 0, &diag);

    CHECK_TEXT(diag.text ? diag.text : "", "");
    if (!s)
        return;
    check_good_run(s);
    check_good_workload(&s->workload);
    check_good_nodes(s);
    check_good_front(s);
    scenario_destroy(s);
}

/* CFG-05: three forms that mean three things. */
static void warm_up_says_what_it_counts(void)
{
    struct scenario *s = loaded(load_more("warm_up: 10 %\n"));

    CHECK_INT(s->warm_up.kind, WARM_UP_TIME);
    CHECK_INT(s->warm_up.time_ns, 60000000000);
    scenario_destroy(s);
    s = loaded(load_more("warm_up: 10s\n"));
    CHECK_INT(s->warm_up.kind, WARM_UP_TIME);
    CHECK_INT(s->warm_up.time_ns, 10000000000);
    scenario_destroy(s);
    s = loaded(load_more("warm_up: 100requests\n"));
    CHECK_INT(s->warm_up.kind, WARM_UP_REQUESTS);
    CHECK_UINT(s->warm_up.requests, 100);
    scenario_destroy(s);
    s = loaded(load_more("warm_up: auto\n"));
    CHECK_INT(s->warm_up.kind, WARM_UP_AUTO);
    scenario_destroy(s);
}

static bool is_refused(struct scenario *scenario, const char *why)
{
    bool refused = !scenario;

    scenario_destroy(scenario);
    return refused && complained(why);
}

/* CFG-05: the durations of the report. */
static void units_are_never_guessed(void)
{
    struct scenario *s;

    CHECK(is_refused(load_changed("10 min", "5"),
                     "5 needs a unit, such as '5 s' or '5 ms'"));
    CHECK(is_refused(load_changed("10 min", "1e9"), "1e9 needs a unit"));
    CHECK(is_refused(load_changed("10 min", "-1s"), "must not be negative"));
    CHECK(is_refused(load_changed("10 min", "5 parsecs"), "unknown unit"));
    CHECK(is_refused(load_more("warm_up: 0.9\n"),
                     "0.9 needs a unit, such as '0.9 s', '0.9 %' or"));
    s = loaded(load_changed("10 min", "1h30m"));
    CHECK_INT(s->duration_ns, 5400000000000);
    scenario_destroy(s);
    s = loaded(load_changed("10 min", "500ms"));
    CHECK_INT(s->duration_ns, 500000000);
    scenario_destroy(s);
}

/* CFG-01: all of them, with place and nearest name. */
static void all_problems_are_listed(void)
{
    CHECK(is_refused(
        load_with("lbsim: 1\n"
                  "duratoin: 10 min\n"
                  "workload:\n"
                  "  arrivals: {process: poisson, rate: 12/s}\n"
                  "  work: {dist: exponential, mean: 250 ms}\n"
                  "nodes:\n"
                  "  - {group: gpu, num_workers: 4, engine: {slot: 2}}\n"
                  "  - {group: cpu, slots: 4}\n"
                  "policies: [{ring_hash: {replica: 3}}]\n",
                  NULL, 0),
        "test.yaml:2:1: error: unknown key 'duratoin' at the top level"));
    CHECK(complained("did you mean 'duration'?"));
    CHECK(complained("test.yaml:7:18: error: unknown key 'num_workers' in "
                     "nodes[]"));
    CHECK(complained("test.yaml:7:43: error: unknown key 'slot' in "
                     "nodes[].engine"));
    CHECK(complained("did you mean 'slots'?"));
    CHECK(complained("'slots' belongs in nodes[].engine"));
    CHECK(complained("test.yaml:9:25: error: unknown parameter 'replica' of "
                     "policy ring_hash"));
    CHECK_UINT(last_diag.errors, 5);
}

static void a_scenario_hashes_what_it_means(void)
{
    struct scenario *a = loaded(load_more(""));
    struct scenario *b = loaded(load_changed(
        "duration: 10 min\n", "# the same\nname: other\nreplications: 5\n"
                              "goals: {success: 99 %}\nduration: 600 s\n"
                              "seed: 1\n"));
    struct scenario *c = loaded(load_changed("12/s", "12.1/s"));
    struct scenario *d = loaded(load_more("seed: 2\n"));
    struct scenario *e = loaded(load_changed("slots: 2", "slots: 3"));
    struct scenario *f = loaded(load_changed("[round_robin]", "[random]"));

    CHECK(a->hash == b->hash);
    CHECK(a->hash != c->hash);
    CHECK(a->hash != d->hash);
    CHECK(a->hash != e->hash);
    CHECK(a->hash != f->hash);
    scenario_destroy(a);
    scenario_destroy(b);
    scenario_destroy(c);
    scenario_destroy(d);
    scenario_destroy(e);
    scenario_destroy(f);
}

static void check_same_node(const struct group_spec *a,
                            const struct group_spec *b)
{
    CHECK_INT(a->kind, b->kind);
    CHECK_UINT(a->weight, b->weight);
    CHECK_UINT(a->engine.slots, b->engine.slots);
    CHECK_NEAR(a->engine.speed, b->engine.speed, 0);
    CHECK_NEAR(a->memory_base, b->memory_base, 0);
    CHECK_NEAR(a->engine.service.base_s, b->engine.service.base_s, 0);
    CHECK_UINT(a->result_cache.entries, b->result_cache.entries);
}

/* CFG-08: two fast, four slow and eight cpu nodes, in groups and one by one:
   the k-th node is the same in both. */
static void groups_and_single_nodes_are_the_same_pool(void)
{
    static const char *const words[] = {
        "kind: gpu, weight: 4, memory: {base: 30 %}, engine: {slots: 8, "
        "speed: 2}, result_cache: {entries: 100}",
        "kind: gpu, weight: 2, memory: {base: 50 %}, engine: {slots: 4, "
        "speed: 1}",
        "kind: cpu, engine: {slots: 2, speed: 0.25}",
    };
    static const unsigned counts[] = {2, 4, 8};
    char groups[2000] = "", single[6000] = "", text[8000];
    struct scenario *a, *b;
    unsigned node = 0;

    for (size_t i = 0; i < 3; i++) {
        snprintf(groups + strlen(groups), sizeof groups - strlen(groups),
                 "  - {group: g%zu, count: %u, %s}\n", i, counts[i], words[i]);
        for (unsigned j = 0; j < counts[i]; j++)
            snprintf(single + strlen(single), sizeof single - strlen(single),
                     "  - {group: n%u, count: 1, %s}\n", node++, words[i]);
    }
    strcat(groups, "  - {group: none, count: 0}\n");
    a = loaded(load_changed("  - {group: gpu, count: 4, engine: {slots: 2}}\n",
                            groups));
    snprintf(text, sizeof text, "%.*s%s%s",
             (int)(strstr(plain_text, "  - {group") - plain_text), plain_text,
             single, "policies: [round_robin]\n");
    b = loaded(load_with(text, NULL, 0));
    CHECK_UINT(a->node_count, 14);
    CHECK_UINT(b->node_count, 14);
    CHECK_UINT(a->group_count, 4);
    CHECK_UINT(b->group_count, 14);
    node = 0;
    for (uint32_t i = 0; i < a->group_count; i++)
        for (uint32_t j = 0; j < a->groups[i].count; j++)
            check_same_node(&a->groups[i], &b->groups[node++]);
    scenario_destroy(a);
    scenario_destroy(b);
    CHECK(is_refused(load_changed("count: 4", "count: -4"),
                     "'count': must not be negative, got '-4'"));
}

static void aliases_and_merge_keys_work(void)
{
    struct scenario *s = loaded(load_with(
        "lbsim: 1\n"
        "duration: 1 min\n"
        "workload: {arrivals: {rate: 5/s}, work: &w {dist: constant, value: "
        "1 s}}\n"
        "nodes:\n"
        "  - &a {group: a, count: 2, engine: &e {slots: 3, speed: 2}}\n"
        "  - {<<: *a, group: b, count: 1}\n"
        "  - {<<: [{weight: 5}, {weight: 7, count: 9}], group: c, engine: *e}\n"
        "policies: [random]\n",
        NULL, 0));

    if (!s)
        return;
    CHECK_UINT(s->groups[1].engine.slots, 3);
    CHECK_UINT(s->groups[1].count, 1);
    CHECK_UINT(s->groups[2].count, 9);
    CHECK_UINT(s->groups[2].weight, 5); /* the first of the list wins */
    CHECK_NEAR(s->groups[2].engine.speed, 2, 0);
    scenario_destroy(s);
}

static void a_policy_may_be_listed_with_other_parameters(void)
{
    struct scenario *s = loaded(load_changed(
        "[round_robin]", "[{ring_hash: {replicas: 1k}}, {ring_hash: {}}, "
                         "{two_choices: {replacement: true}}]"));

    if (!s)
        return;
    CHECK_TEXT(s->policies[0].label, "ring_hash(replicas=1000)");
    CHECK_TEXT(s->policies[1].label, "ring_hash");
    CHECK_TEXT(s->policies[2].label, "two_choices(replacement=true)");
    scenario_destroy(s);
}

/* The names in the table and those of the modules must not drift apart. */
static void choices_are_the_modules_own(void)
{
    char line[200];

    for (int i = 1; i < DIST_KIND_COUNT; i++)
        if (i == DIST_CONSTANT || i == DIST_GEOMETRIC ||
            i == DIST_EXPONENTIAL) {
            struct scenario *s;

            snprintf(line, sizeof line, "{dist: %s, %s: 2 s}", dist_names[i],
                     i == DIST_CONSTANT ? "value" : "mean");
            s = loaded(load_changed("{dist: exponential, mean: 250 ms}", line));
            CHECK_INT(s ? (int)s->workload.work.kind : -1, i);
            scenario_destroy(s);
        }
    for (int i = 0; i < ARRIVALS_PROCESS_COUNT; i++) {
        static const char *const needs[ARRIVALS_PROCESS_COUNT] = {
            "rate: 12/s",
            "rate: 12/s",
            "rate: 12/s, cv: 2",
            "states: [{rate: 1/s, stay: 1 s}, {rate: 2/s, stay: 1 s}]",
            "points: [{at: 0 s, rate: 1/s}]",
            "clients: 3"};
        struct scenario *s;

        snprintf(line, sizeof line, "%s, %s", arrivals_process_names[i],
                 needs[i]);
        s = loaded(load_changed("poisson, rate: 12/s", line));
        CHECK_INT(s ? (int)s->workload.arrivals.process : -1, i);
        scenario_destroy(s);
    }
}

/* A scenario of the reference documentation, word by word but for policies
   that are not built in. */
static void a_full_example_loads(void)
{
    static const char text[] =
        "lbsim: 1\nduration: 10 min\nwarm_up: 1 min\nreplications: 10\n"
        "seed: 42\n"
        "workload:\n"
        "  arrivals: {process: poisson, rate: 12/s}\n"
        "  input_tokens: {dist: lognormal, median: 1020, p99: 4142}\n"
        "  output_tokens: {dist: lognormal, median: 129, p99: 800}\n"
        "  noise: {dist: lognormal, sigma: 0.6}\n"
        "  keys: {dist: zipf, exponent: 0.9, distinct: 50k, repeat_share: 35 "
        "%}\n"
        "nodes:\n"
        "  - {group: gpu, count: 6, kind: gpu, weight: 3, engine: {kind: slots, "
        "slots: 4, service: {base: 20 ms, per_input_token: 0.1 ms, "
        "per_output_token: 12 ms}}, result_cache: {entries: 1024, hit_time: 5 "
        "ms}}\n"
        "  - {group: cpu, count: 2, kind: cpu, weight: 1, engine: {kind: slots, "
        "slots: 2, service: {base: 20 ms, per_input_token: 0.4 ms, "
        "per_output_token: 50 ms}}, result_cache: {entries: 1024, hit_time: 5 "
        "ms}}\n"
        "balancer:\n  count: 1\n  report_interval: 1 s\n  health: {}\n"
        "  retry: {attempts: 2}\n  timeout: {total: 60 s}\n"
        "faults:\n"
        "  - {kind: crash, target: \"gpu[2]\", at: 4 min, restart_after: 90 s, "
        "seen_as: connect_timeout}\n"
        "policies: [round_robin, smooth_weighted, least_conn, two_choices, "
        "ring_hash]\n"
        "goals: {latency_all_p99: 20 s, success: 99 %}\n";
    struct scenario *s = loaded(load_with(text, NULL, 0));

    if (!s)
        return;
    CHECK_NEAR(s->workload.noise.mean, 1, 1e-12);
    CHECK_INT(s->balancer.report_interval_ns, 1000000000);
    CHECK_UINT(s->node_count, 8);
    scenario_destroy(s);
}

static void noise_needs_its_shape_only(void)
{
    static const char *const shapes[] = {
        "exponential", "lognormal, scv: 2", "pareto, shape: 2.5",
        "hyperexponential, scv: 4", "bounded_pareto, shape: 1.5, ratio: 100"};

    for (size_t i = 0; i < 5; i++) {
        char text[200];
        struct scenario *s;

        snprintf(text, sizeof text, "250 ms}\n  noise: {dist: %s}", shapes[i]);
        s = loaded(load_changed("250 ms}", text));
        CHECK_NEAR(s ? s->workload.noise.mean : 0, 1, 1e-9);
        scenario_destroy(s);
    }
}

static void goals_take_the_units_of_their_measures(void)
{
    struct scenario *s = loaded(load_more(
        "goals: {latency_p99: 250 ms, failed: 1k, throughput: 600/min, "
        "in_flight_mean: 2.5, retries_per_request: 20 %}\n"));

    if (!s)
        return;
    CHECK_NEAR(s->goals[0].bound, 0.25, 0);
    CHECK_INT(s->goals[1].measure, M_FAILED);
    CHECK_NEAR(s->goals[1].bound, 1000, 0);
    CHECK_NEAR(s->goals[2].bound, 10, 0);
    CHECK_INT(s->goals[3].measure, M_IN_FLIGHT);
    CHECK_NEAR(s->goals[3].bound, 2.5, 0);
    CHECK_NEAR(s->goals[4].bound, 0.2, 0);
    scenario_destroy(s);
}

/* A scenario lives on after its text is gone. */
static void the_text_may_go(void)
{
    char *text = strdup(plain_text), *effective;
    struct scenario *s = loaded(load_with(text, NULL, 0));

    memset(text, 'x', strlen(text));
    free(text);
    effective = scenario_effective(s);
    CHECK_TEXT(s->groups[0].name, "gpu");
    CHECK(strstr(effective, "group: gpu") != NULL);
    free(effective);
    scenario_destroy(s);
}

static void no_listener_is_fine(void)
{
    CHECK(!scenario_parse("x.yaml", "a: 1\n", 5, NULL, 0, NULL));
    scenario_destroy(NULL);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"every mechanism is off unless named",
         every_mechanism_is_off_unless_named},
        {"the run has its defaults", the_run_has_its_defaults},
        {"what is named takes its numbers", what_is_named_takes_its_numbers},
        {"every setting arrives", every_setting_arrives},
        {"warm_up says what it counts", warm_up_says_what_it_counts},
        {"units are never guessed", units_are_never_guessed},
        {"all problems are listed", all_problems_are_listed},
        {"a scenario hashes what it means", a_scenario_hashes_what_it_means},
        {"groups and single nodes are the same pool",
         groups_and_single_nodes_are_the_same_pool},
        {"aliases and merge keys work", aliases_and_merge_keys_work},
        {"a policy may be listed with other parameters",
         a_policy_may_be_listed_with_other_parameters},
        {"choices are the modules' own", choices_are_the_modules_own},
        {"a full example loads", a_full_example_loads},
        {"noise needs its shape only", noise_needs_its_shape_only},
        {"goals take the units of their measures",
         goals_take_the_units_of_their_measures},
        {"the text may go", the_text_may_go},
        {"no listener is fine", no_listener_is_fine},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("scenario loader", NULL, NULL, NULL, forget_diag, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
