/*
 * What people reported of load generators and random inputs in public, with
 * the right results. The cases are named by project and issue.
 */
#include "policies/lbp.h"
#include "tests/oracle/harness.h"

#include <math.h>

static struct trial trial;

static void forget_trial(void)
{
    trial_done(&trial);
}

/* --- wg/wrk #99; gatling/gatling #2077; rakyll/boom #100 ------------------
   Coordinated omission: a node stands still for 5 s of 10. One job of 5 s does
   that: it comes at 2.5 s, as traffic of its own. */

static bool run_frozen(const char *arrivals)
{
    if (!trial_load(&trial,
                    "lbsim: 1\n"
                    "duration: 10 s\n"
                    "workload:\n"
                    "  arrivals: {%s}\n"
                    "  work: {dist: constant, value: 1 ms}\n"
                    "  overlay:\n"
                    "    - at: 1.5 s\n"
                    "      duration: 1.5 s\n"
                    "      arrivals: {process: deterministic, rate: 1/s}\n"
                    "      work: {dist: constant, value: 5 s}\n"
                    "nodes: [{group: n}]\n"
                    "policies: [random]\n",
                    arrivals))
        return false;
    trial.keep_latencies = true;
    return trial_run(&trial, 1);
}

/* How many of the requests took longer, a share of all. */
static double share_above(double latency_s)
{
    const struct run_result *result = &trial.results[0];
    uint64_t above = 0;

    for (uint64_t i = 0; i < result->latency_count; i++)
        above += result->latencies[i] > latency_s;
    return (double)above / (double)result->latency_count;
}

/* Users who come whatever happens: half of them wait. */
static void open_loop_shows_the_stall(void)
{
    const double *values;

    if (!run_frozen("process: deterministic, rate: 100/s"))
        return;
    values = trial.results[0].values;
    CHECK_NEAR(values[M_LATENCY_P50], 0.5, 0.02);
    CHECK(share_above(2.73) >= 0.25 && share_above(2.77) < 0.25); /* P75 */
    CHECK_NEAR(values[M_LATENCY_ALL_P90], 4.1, 0.02);
    CHECK_NEAR(values[M_LATENCY_P99], 4.91, 0.02);
    CHECK_NEAR(values[M_LATENCY_MAX], 5, 0.02);
    CHECK_NEAR(values[M_OFFERED], 100, 0.01);
    /* The job came with a user of 1 ms, who was first, and took its 5 s; the
       others paid. */
    CHECK_UINT(trial.results[0].source_count, 2);
    values = trial.results[0].sources[1].values;
    CHECK_NEAR(values[CLASS_ARRIVED], 1, 0);
    CHECK_NEAR(values[CLASS_LATENCY_MEAN], 5.001, 1e-9);
    values = trial.results[0].sources[0].values;
    CHECK_NEAR(values[CLASS_ARRIVED],
               (double)trial.results[0].books.arrived - 1, 0);
    CHECK_NEAR(values[CLASS_LATENCY_ALL_P99], 4.91, 0.02);
}

/* One client asks at 0, 1, ..., 2500 ms, then at 2501 ms behind the job, which
   ends at 7501 ms; it has its answer at 7502 ms and asks on until 9999 ms: 2501
   + 1 + 2498 = 5000 requests, one of them slow; and the job. */
static void closed_loop_hides_it(void)
{
    const double *values;

    if (!run_frozen("process: closed, clients: 1"))
        return;
    values = trial.results[0].values;
    CHECK_UINT(trial.results[0].books.arrived, 5001);
    CHECK_UINT(trial.results[0].source_requests[0], 5000);
    CHECK_UINT(trial.results[0].source_requests[1], 1);
    CHECK_NEAR(values[M_LATENCY_P99], 0.001, 1e-12);
    CHECK_NEAR(values[M_LATENCY_MAX], 5.001, 1e-9);
}

/* The same with a node that hangs: what was under way goes on afterwards. Of
   one client that is the request of 2500 ms, which has its answer at 7501 ms:
   it asks 2501 times until then, and 2499 or 2500 times until 10 s. */
static bool run_hung(const char *arrivals)
{
    if (!trial_load(&trial,
                    "lbsim: 1\n"
                    "duration: 10 s\n"
                    "workload:\n"
                    "  arrivals: {%s}\n"
                    "  work: {dist: constant, value: 1 ms}\n"
                    "nodes: [{group: n}]\n"
                    "faults: [{kind: hang, target: n, at: 2500500 us, for: "
                    "5 s}]\n"
                    "policies: [random]\n",
                    arrivals))
        return false;
    trial.keep_latencies = true;
    return trial_run(&trial, 1);
}

static void hanging_nodes_are_no_different(void)
{
    const double *values;

    if (!run_hung("process: deterministic, rate: 100/s"))
        return;
    values = trial.results[0].values;
    CHECK_NEAR(values[M_LATENCY_P50], 0.5, 0.02);
    CHECK(share_above(2.73) >= 0.25 && share_above(2.77) < 0.25);
    CHECK_NEAR(values[M_LATENCY_ALL_P90], 4.1, 0.02);
    CHECK_NEAR(values[M_LATENCY_P99], 4.91, 0.02);
    CHECK_NEAR(values[M_LATENCY_MAX], 5, 0.02);
    forget_trial();
    if (!run_hung("process: closed, clients: 1"))
        return;
    values = trial.results[0].values;
    CHECK_NEAR((double)trial.results[0].books.arrived, 5001, 1);
    CHECK_NEAR(values[M_LATENCY_P99], 0.001, 1e-12);
    CHECK_NEAR(values[M_LATENCY_MAX], 5.001, 1e-9);
}

/* --- vllm-project/guidellm #1048; scylladb/scylla-bench #46; hatoo/oha #211
   Latency counts from the intended time. Arrivals every millisecond from 1 ms
   on, service 0.1 ms, a node that is busy until 11 ms. */

static void latency_counts_from_the_intended_time(void)
{
    static const double expected_ms[] = {10.1, 9.2, 8.3, 7.4, 6.5, 5.6, 4.7,
                                         3.8,  2.9, 2.0, 1.1, 0.2, 0.1, 0.1};
    const double *values;

    trial_load(&trial,
               "lbsim: 1\n"
               "duration: 30.5 ms\n"
               "workload:\n"
               "  arrivals: {process: deterministic, rate: 1000/s}\n"
               "  work: {dist: constant, value: 100 us}\n"
               "  overlay:\n"
               "    - duration: 900 us\n"
               "      arrivals: {process: deterministic, rate: 2000/s}\n"
               "      work: {dist: constant, value: 10.5 ms}\n"
               "nodes: [{group: n}]\n"
               "policies: [random]\n");
    trial.keep_latencies = true;
    if (!trial_run(&trial, 1))
        return;
    CHECK_UINT(trial.results[0].latency_count, 31);
    for (size_t i = 0; i < sizeof expected_ms / sizeof *expected_ms; i++)
        CHECK_NEAR(1e3 * trial.results[0].latencies[i + 1], expected_ms[i],
                   1e-9);
    /* From the start of service they would all be 0.1, but for the long one. */
    values = trial.results[0].values;
    CHECK_NEAR(1e3 * (values[M_LATENCY_MEAN] - values[M_WAIT_MEAN]),
               (30 * 0.1 + 10.5) / 31, 1e-9);
}

/* --- gvegayon/parallel #114; philchalmers/SimDesign #1; kingaa/pomp #81 ---
   The same random inputs for every policy. */

enum { SEEDS = 30 };

static void run_load_08(uint32_t policy, double *ret_means)
{
    trial_load(&trial, "lbsim: 1\n"
                       "duration: 6250 s\n"
                       "seed: 7301\n"
                       "workload:\n"
                       "  arrivals: {process: poisson, rate: 3.2/s}\n"
                       "  work: {dist: exponential, mean: 1 s}\n"
                       "nodes: [{group: n, count: 4}]\n"
                       "policies: [round_robin, two_choices]\n");
    trial.policy_index = policy;
    trial_run(&trial, SEEDS);
    for (uint32_t i = 0; i < trial.replications; i++)
        ret_means[i] = trial.results[i].values[M_LATENCY_MEAN];
}

static double deviation(const double *values)
{
    double mean = 0, squares = 0;

    for (int i = 0; i < SEEDS; i++)
        mean += values[i] / SEEDS;
    for (int i = 0; i < SEEDS; i++)
        squares += (values[i] - mean) * (values[i] - mean);
    return sqrt(squares / (SEEDS - 1));
}

/* Pairs of one seed differ less than pairs of unlike seeds, by 1.2 at least;
   and any replication can be had alone. */
static void pairs_see_the_same_traffic(void)
{
    double turns[SEEDS], choices[SEEDS], paired[SEEDS], crossed[SEEDS];
    uint64_t arrived[SEEDS];
    struct run_result alone;

    run_load_08(0, turns);
    for (uint32_t i = 0; i < SEEDS; i++)
        arrived[i] = trial.results[i].books.arrived;
    trial_done(&trial);
    run_load_08(1, choices);
    for (uint32_t i = 0; i < SEEDS; i++) {
        CHECK_UINT(trial.results[i].books.arrived, arrived[i]);
        paired[i] = turns[i] - choices[i];
        crossed[i] = turns[i] - choices[(i + 1) % SEEDS];
    }
    CHECK(deviation(crossed) > 1.2 * deviation(paired));
    CHECK(trial_run_one(&trial, 17, &alone) == SIM_OK);
    CHECK(alone.values[M_LATENCY_P99] ==
          trial.results[16].values[M_LATENCY_P99]);
    CHECK(alone.values[M_LATENCY_MEAN] == choices[16]);
    run_result_done(&alone);
}

/* Replication 1 of seed 2 and replication 2 of seed 1 have no arrival in
   common, though both count from 1 and 2. */
static void crossed_replications_share_nothing(void)
{
    struct workload_spec spec = {
        .arrivals = {.process = ARRIVALS_POISSON, .rate_per_s = 10}};
    struct workload *a, *b;
    struct workload_request at_a, at_b;
    bool more;

    spec.work.kind = DIST_CONSTANT;
    a = workload_create(&spec, INT64_C(1000000000000), 2, 1);
    b = workload_create(&spec, INT64_C(1000000000000), 1, 2);
    more = workload_next(a, &at_a) && workload_next(b, &at_b);
    while (more) {
        CHECK(at_a.at_ns != at_b.at_ns);
        more = at_a.at_ns < at_b.at_ns ? workload_next(a, &at_a)
                                       : workload_next(b, &at_b);
    }
    workload_destroy(a);
    workload_destroy(b);
}

int main(int argc, char **argv)
{
    CU_TestInfo cases[] = {
        {"open loop shows the stall", open_loop_shows_the_stall},
        {"hanging nodes are no different", hanging_nodes_are_no_different},
        {"closed loop hides it", closed_loop_hides_it},
        {"latency counts from the intended time",
         latency_counts_from_the_intended_time},
        {"pairs see the same traffic", pairs_see_the_same_traffic},
        {"crossed replications share nothing",
         crossed_replications_share_nothing},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("cases_traffic", NULL, NULL, NULL, forget_trial, cases),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
