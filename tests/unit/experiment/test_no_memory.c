/*
 * Memory may run out at any allocation. Small simulations that use every
 * mechanism are run again and again, the n-th allocation of run n failing:
 * each must say so, and give back all it took. The linker leads the
 * allocations of the whole program through here (see extra.cmake).
 */
#include "sim/experiment/simulation.h"

#include "policies/params.h"
#include "policies/registry.h"
#include "tests/check.h"

#include <stdlib.h>

#define S INT64_C(1000000000)
#define MS (S / 1000)
#define GROUPS 2
#define FAULTS 3
#define CONFIG_SIZE 256

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void __real_free(void *memory);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
void __wrap_free(void *memory);

/* --- memory that runs out ------------------------------------------------- */

static uint64_t asked;      /* allocations so far */
static uint64_t failing_at; /* that one fails; 0: none does */
static int64_t held;        /* blocks that were not given back */

static bool runs_out(void)
{
    return ++asked == failing_at;
}

static void *hold(void *memory)
{
    held += memory != NULL;
    return memory;
}

void *__wrap_malloc(size_t size)
{
    return runs_out() ? NULL : hold(__real_malloc(size));
}

void *__wrap_calloc(size_t count, size_t size)
{
    return runs_out() ? NULL : hold(__real_calloc(count, size));
}

void *__wrap_realloc(void *memory, size_t size)
{
    if (runs_out())
        return NULL;
    return memory ? __real_realloc(memory, size)
                  : hold(__real_realloc(NULL, size));
}

void __wrap_free(void *memory)
{
    held -= memory != NULL;
    __real_free(memory);
}

/* --- a world with everything ---------------------------------------------- */

static struct scenario scenario;
static struct group_spec groups[GROUPS];
static struct fault_spec faults[FAULTS];
static const struct fault_pick the_one = {.stretch_count = 1};
static struct fault_stretch struck[FAULTS];
static struct policy_spec policy;
static union {
    double number;
    uint64_t count;
    const char *text;
    unsigned char bytes[CONFIG_SIZE];
} config;
static struct simulation_setup setup;

static struct dist make_dist(struct dist_params params)
{
    struct dist dist;

    CHECK(dist_init(&dist, &params, NULL, 0));
    return dist;
}

static void make_workload(struct workload_spec *workload)
{
    struct dist_params tokens = DIST_PARAMS_NONE, noise = DIST_PARAMS_NONE;
    struct keys_spec keys = {KEYS_ZIPF, 0.9, 50, 0.5};

    tokens.kind = DIST_GEOMETRIC;
    tokens.mean = 50;
    noise.kind = DIST_EXPONENTIAL;
    noise.mean = 1;
    *workload = (struct workload_spec){
        .arrivals = {.process = ARRIVALS_POISSON, .rate_per_s = 100},
        .input_tokens = make_dist(tokens),
        .output_tokens = make_dist(tokens),
        .noise = make_dist(noise),
        .noise_per = WORKLOAD_NOISE_ATTEMPT,
    };
    CHECK(keys_init(&workload->keys, &keys));
}

static void make_groups(void)
{
    groups[0] = (struct group_spec){
        .name = "gpu",
        .count = 3,
        .weight = 3,
        .engine = {.slots = 2,
                   .speed = 1,
                   .service = {true, 0.005, 0.0001, 0.0005},
                   .order = QUEUE_PRIORITY,
                   .aging_ns = 20 * MS,
                   .limits_queue = true,
                   .queue_limit = 20},
        .result_cache = {.given = true,
                         .entries = 100,
                         .bytes_per_token = 4,
                         .ttl_ns = INT64_MAX,
                         .hit_time_ns = 5 * MS,
                         .fill = CACHE_FILL_AT_ANSWER,
                         .coalesce = true},
        .memory_given = true,
        .memory_base = 0.3,
        .memory_per_request = 0.1,
        .cpu_per_request = 0.1,
    };
    groups[1] = groups[0];
    groups[1].name = "cpu";
    groups[1].kind = NODE_CPU;
    groups[1].count = 1;
    groups[1].weight = 1;
    groups[1].engine.kind = ENGINE_SHARING;
    groups[1].engine.limit = 3;
    groups[1].engine.slowdown_per_request = 0.5;
    groups[1].engine.order = QUEUE_SJF;
    groups[1].cards = 2;
}

/* A node dies in each of the ways that a balancer may see. */
static void make_faults(void)
{
    for (uint32_t i = 0; i < FAULTS; i++) {
        struck[i] = (struct fault_stretch){i, 1, 1};
        faults[i] = (struct fault_spec){
            .kind = FAULT_CRASH,
            .target = {&the_one, &struck[i], 1},
            .at_ns = 200 * MS + i * 50 * MS,
            .restart_after_ns = 300 * MS,
            .seen_as = (enum fault_seen_as)i,
            .inside_lost_after_ns = 20 * MS,
        };
    }
}

static void prepare(void)
{
    make_groups();
    make_faults();
    scenario = (struct scenario){
        .duration_ns = S,
        .drain_ns = 2 * S,
        .warm_up = {.kind = WARM_UP_REQUESTS, .requests = 5},
        .replications = 1,
        .seed = 2,
        .node_percentiles = true,
        .group_count = GROUPS,
        .groups = groups,
        .node_count = 4,
        .balancer = {.count = 2,
                     .network_delay_ns = 1 * MS,
                     .report_interval_ns = 100 * MS,
                     .health = {.given = true,
                                .interval_ns = 50 * MS,
                                .timeout_ns = 20 * MS,
                                .unhealthy_after = 2,
                                .healthy_after = 1},
                     .retry = {.given = true,
                               .attempts = 3,
                               .on = UINT32_MAX,
                               .non_idempotent = true},
                     .timeout = {.total_ns = 500 * MS, .connect_ns = 30 * MS}},
        .fault_count = FAULTS,
        .faults = faults,
        .policy_count = 1,
        .policies = &policy,
    };
    make_workload(&scenario.workload);
    setup = (struct simulation_setup){.scenario = &scenario,
                                      .replication = 2,
                                      .warm_up_ns = -1,
                                      .keep_latencies = true};
    failing_at = 0;
}

static void use_policy(const struct lbp_ops *ops)
{
    CHECK(ops->config_size <= CONFIG_SIZE);
    lbp_params_preset(ops, &config);
    policy = (struct policy_spec){.label = ops->name,
                                  .name = ops->name,
                                  .ops = ops,
                                  .config = ops->config_size ? &config : NULL};
}

/* Run n: says whether memory ran out in it. */
static bool run_with_failure(uint64_t n, const struct run_result *whole)
{
    int64_t held_before = held;
    struct run_result result;
    enum sim_status status;

    asked = 0;
    failing_at = n;
    status = simulation_run(&setup, &result);
    failing_at = 0;
    if (status == SIM_OK) /* then nothing is missing from it */
        CHECK(memcmp(result.values, whole->values, sizeof result.values) == 0);
    else
        CHECK_INT(status, SIM_NO_MEMORY);
    run_result_done(&result);
    CHECK_INT(held, held_before);
    return asked >= n;
}

static void fail_everywhere(void)
{
    struct run_result whole;
    uint64_t n = 0;

    CHECK_INT(simulation_run(&setup, &whole), SIM_OK);
    CHECK(whole.books.completed > 0);
    while (run_with_failure(++n, &whole))
        continue;
    CHECK(n > 40); /* the memory of four nodes and two balancers at least */
    run_result_done(&whole);
}

static void every_policy_survives(void)
{
    uint32_t count;
    const struct lbp_ops *const *all = lbp_registry_list(&count);

    for (uint32_t i = 0; i < count; i++) {
        use_policy(all[i]);
        fail_everywhere();
    }
}

/* The world in question does what it is for. */
static void every_mechanism_is_at_work(void)
{
    struct run_result result;
    const double *values = result.values;

    use_policy(lbp_registry_find("round_robin", 11));
    CHECK_INT(simulation_run(&setup, &result), SIM_OK);
    CHECK(values[M_RETRIES] > 0);
    CHECK(values[M_ERRORS_REFUSED] > 0);
    CHECK(values[M_ERRORS_RESET] > 0);
    CHECK(values[M_ERRORS_CONNECT] > 0);
    CHECK(values[M_TIMED_OUT] > 0);
    CHECK(values[M_RESULT_HIT] > 0);
    CHECK(values[M_DETECTION] > 0);
    run_result_done(&result);
}

/* Attempts that run out of time, wait, and go out twice. */
static void hurry_survives(void)
{
    struct balancer_spec *balancer = &scenario.balancer;

    retry_spec_apply_rule(&balancer->retry, 4, 30 * MS);
    balancer->retry.attempts = 4;
    balancer->retry.backoff_given = true;
    balancer->retry.budget.given = true;
    balancer->timeout.ttft_ns = 60 * MS;
    balancer->timeout.attempt_ns = 90 * MS;
    balancer->timeout.queue_ns = 40 * MS;
    balancer->timeout.cancel = false;
    balancer->deadline = (struct deadline_spec){
        .given = true, .at_dispatch = true, .in_queue = true};
    balancer->hedge = (struct hedge_spec){.given = true,
                                          .attempts = 3,
                                          .after_ns = -1,
                                          .percentile = 0.5,
                                          .budget = 1,
                                          .saturation = 100,
                                          .until = HEDGE_UNTIL_ANSWER};
    use_policy(lbp_registry_find("round_robin", 11));
    fail_everywhere();
    balancer->hedge.after_ns = 10 * MS;
    fail_everywhere();
}

/* More requests inside than one chunk holds, and more on their way than a
   delay line holds at first. */
static void crowd_survives(void)
{
    scenario.workload.arrivals.rate_per_s = 5000;
    scenario.duration_ns = 400 * MS;
    scenario.balancer.network_delay_ns = 20 * MS;
    scenario.balancer.timeout.total_ns = S;
    use_policy(lbp_registry_find("least_conn", 10));
    fail_everywhere();
}

/* Its keys are remembered as they come. */
static void trace_survives(void)
{
    struct trace_spec spec = {.path = "tests/data/traces/canonical.csv",
                              .rate_scale = NAN,
                              .rate_per_s = NAN,
                              .duration_ns = INT64_MAX,
                              .bad_rows_limit = 0.01,
                              .memory_bytes = 1 << 20};
    struct keys_spec no_keys = {.kind = KEYS_NONE};
    struct diag diag = {0};
    struct trace *trace;

    trace = trace_open(&spec, &diag);
    diag_done(&diag);
    CHECK(trace != NULL);
    if (!trace)
        return;
    scenario.workload.trace = trace;
    keys_init(&scenario.workload.keys, &no_keys);
    scenario.duration_ns = 5 * S;
    scenario.fault_count = 0;
    use_policy(lbp_registry_find("ring_hash", 9));
    fail_everywhere();
    trace_close(trace);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"every mechanism is at work", every_mechanism_is_at_work},
        {"every policy survives", every_policy_survives},
        {"hurry survives", hurry_survives},
        {"a crowd survives", crowd_survives},
        {"a trace survives", trace_survives},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("no memory", NULL, NULL, prepare, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
