/*
 * What a simulated request costs: `<case> <ns of CPU per request>`, each case
 * run several times in turn with the others in one process, medians. Absolute
 * figures drift with the machine's other work, so the ratio to the Lindley
 * recursion, the floor for anything that draws two numbers per request, stands
 * beside them.
 *
 *   bench_engine                     all cases
 *   bench_engine CASE REQUESTS       one case once, for callgrind; also
 *                                    POLICY-NODES of any policy and number
 */
#include "policies/params.h"
#include "policies/registry.h"
#include "sim/experiment/simulation.h"
#include "sim/measure/sample.h"
#include "workloads/ziggurat.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define LOAD 0.9
#define ROUNDS 7
#define REQUESTS 1000000.0

struct bench_case {
    const char *name;
    const char *policy; /* NULL: the Lindley recursion */
    uint32_t nodes;
    enum engine_kind engine;
    bool guarded; /* checks, time-outs and retries are on */
};

static const struct bench_case cases[] = {
    {"lindley", NULL, 1, ENGINE_SLOTS, false},
    {"mm1", "random", 1, ENGINE_SLOTS, false},
    {"random-16", "random", 16, ENGINE_SLOTS, false},
    {"least_conn-16", "least_conn", 16, ENGINE_SLOTS, false},
    {"guarded-16", "least_conn", 16, ENGINE_SLOTS, true},
    {"least_conn-256", "least_conn", 256, ENGINE_SLOTS, false},
    {"two_choices-256", "two_choices", 256, ENGINE_SLOTS, false},
    {"two_choices-4096", "two_choices", 4096, ENGINE_SLOTS, false},
    {"sharing-16", "random", 16, ENGINE_SHARING, false},
};
#define CASES (sizeof cases / sizeof *cases)

static double cpu_now_s(void)
{
    struct timespec now;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* One server, first come first served: wait of the next from that of this. */
static double run_lindley(double requests)
{
    struct rng arrivals, services;
    struct sample sample;
    double wait = 0, started_s, mean;

    rng_stream(&arrivals, 42, 1, RNG_ARRIVALS, 0);
    rng_stream(&services, 42, 1, RNG_WORK, 0);
    if (!sample_init(&sample))
        exit(3);
    started_s = cpu_now_s();
    for (double i = 0; i < requests; i++) {
        double gap = ziggurat_draw_exponential(&arrivals) * (1e9 / LOAD);
        double time = wait + ziggurat_draw_exponential(&services) * 1e9;

        sample_add(&sample, (int64_t)time);
        wait = time > gap ? time - gap : 0;
    }
    started_s = cpu_now_s() - started_s;
    mean = sample_mean(&sample);
    if (!(mean > 0))
        exit(3);
    sample_done(&sample);
    return started_s;
}

/* What most front doors have on, though nothing goes wrong here. */
static void guard(struct balancer_spec *balancer)
{
    int64_t second_ns = 1000000000;

    balancer->health = (struct health_spec){.given = true,
                                            .interval_ns = 5 * second_ns,
                                            .timeout_ns = second_ns,
                                            .unhealthy_after = 3,
                                            .healthy_after = 2};
    balancer->retry.given = true;
    retry_spec_apply_rule(&balancer->retry, 16, second_ns);
    balancer->timeout.connect_ns = second_ns;
    balancer->timeout.ttft_ns = 60 * second_ns;
    balancer->timeout.total_ns = 120 * second_ns;
}

static double run_engine(const struct bench_case *bench, double requests)
{
    double rate_per_s = LOAD * bench->nodes;
    struct group_spec group = {.name = "node",
                               .count = bench->nodes,
                               .weight = 1,
                               .cpu_per_request = NAN,
                               .engine = {.kind = bench->engine,
                                          .slots = 1,
                                          .slowdown_per_request = 1,
                                          .speed = 1}};
    struct policy_spec policy = {
        .label = bench->policy,
        .ops = lbp_registry_find(bench->policy, strlen(bench->policy))};
    struct dist_params work = DIST_PARAMS_NONE;
    struct scenario scenario = {
        .duration_ns = (int64_t)(requests / rate_per_s * 1e9),
        .drain_ns = 600 * (int64_t)1000000000,
        .seed = 42,
        .workload = {.arrivals = {.rate_per_s = rate_per_s}},
        .group_count = 1,
        .groups = &group,
        .node_count = bench->nodes,
        .balancer = {.count = 1,
                     .report_interval_ns = -1,
                     .timeout = {.total_ns = INT64_MAX, .cancel = true}},
        .policy_count = 1,
        .policies = &policy,
    };
    struct simulation_setup setup = {
        .scenario = &scenario, .replication = 1, .warm_up_ns = -1};
    struct run_result result;
    double cpu_s;
    char error[200];

    void *config = calloc(1, policy.ops->config_size + 1);
    struct keys_spec keys = {
        .kind = policy.ops->needs & LBP_NEEDS_KEY ? KEYS_UNIQUE : KEYS_NONE};

    lbp_params_preset(policy.ops, config);
    policy.config = config;
    if (bench->guarded)
        guard(&scenario.balancer);
    work.kind = DIST_EXPONENTIAL;
    work.mean = 1;
    if (!config || !keys_init(&scenario.workload.keys, &keys) ||
        !dist_init(&scenario.workload.work, &work, error, sizeof error) ||
        simulation_run(&setup, &result) != SIM_OK)
        exit(3);
    cpu_s = result.cpu_s * requests / (double)result.books.arrived;
    run_result_done(&result);
    free(config);
    return cpu_s;
}

static double run_case(const struct bench_case *bench, double requests)
{
    return (bench->policy ? run_engine(bench, requests)
                          : run_lindley(requests)) *
           1e9 / requests;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static int run_all(void)
{
    double ns[CASES][ROUNDS];
    double lindley = 0;

    for (int round = 0; round < ROUNDS; round++)
        for (size_t i = 0; i < CASES; i++)
            ns[i][round] = run_case(&cases[i], REQUESTS);
    for (size_t i = 0; i < CASES; i++) {
        qsort(ns[i], ROUNDS, sizeof ns[i][0], ascending);
        if (!cases[i].policy)
            lindley = ns[i][ROUNDS / 2];
        printf("%-18s %7.1f  (%.1f to %.1f, %.1f x lindley)\n", cases[i].name,
               ns[i][ROUNDS / 2], ns[i][0], ns[i][ROUNDS - 1],
               ns[i][ROUNDS / 2] / lindley);
    }
    return 0;
}

/* POLICY-NODES of any built-in policy; text is cut at the hyphen. */
static bool parse_case(char *text, struct bench_case *ret)
{
    char *hyphen = strrchr(text, '-');
    long nodes = hyphen ? strtol(hyphen + 1, NULL, 10) : 0;

    if (nodes < 1 || nodes > 1000000)
        return false;
    *hyphen = '\0';
    *ret = (struct bench_case){.name = text,
                               .policy = text,
                               .nodes = (uint32_t)nodes,
                               .engine = ENGINE_SLOTS};
    return lbp_registry_find(text, strlen(text)) != NULL;
}

int main(int argc, char **argv)
{
    struct bench_case other;

    if (argc == 1)
        return run_all();
    for (size_t i = 0; argc == 3 && i < CASES; i++)
        if (strcmp(argv[1], cases[i].name) == 0) {
            printf("%s %.1f\n", argv[1], run_case(&cases[i], atof(argv[2])));
            return 0;
        }
    if (argc == 3 && parse_case(argv[1], &other)) {
        printf("%s-%" PRIu32 " %.1f\n", other.policy, other.nodes,
               run_case(&other, atof(argv[2])));
        return 0;
    }
    fprintf(stderr, "usage: bench_engine [CASE REQUESTS]\n");
    return 2;
}
