/*
 * Nodes that come and go, whole runs: cold starts against fluids and Welch's
 * formula, the three delays of autoscaling, and what draining loses.
 */
#include "tests/oracle/harness.h"

#include <math.h>

static struct trial trial;

static void forget_trial(void)
{
    trial_done(&trial);
}

/* --- fluids ------------------------------------------------------------- */

/*
 * Load jumps above what is there at time 0; what was ordered then is ready
 * after d seconds. Peak (load - c0) d, gone after peak / (c1 - load) more, and
 * by Little's law the mean delay is the area over what arrived. Each request
 * takes 1 s, so the first second has a ramp and the last waits end within one.
 */
static void cold_start_is_a_triangle(unsigned load, unsigned before,
                                     unsigned more, unsigned delay,
                                     double drain_s, double peak,
                                     double mean_delay_s)
{
    double most = 0;

    trial_load(&trial,
               "lbsim: 1\n"
               "duration: %g s\n"
               "seed: 1\n"
               "workload:\n"
               "  arrivals: {process: deterministic, rate: %u/s}\n"
               "  work: {dist: constant, value: 1 s}\n"
               "nodes:\n"
               "  - {group: a, engine: {slots: %u}}\n"
               "  - group: b\n"
               "    count: 0\n"
               "    engine: {slots: %u}\n"
               "    start_up: {provision: %u s}\n"
               "    autoscale:\n"
               "      {rule: schedule, min: 0, max: 1, schedule: 1 at 0 s}\n"
               "policies: [least_conn]\n",
               delay + drain_s, load, before, more, delay);
    if (!trial_run(&trial, 1))
        return;
    for (uint32_t b = 0; b < trial.results[0].bucket_count; b++)
        most = fmax(most, trial.results[0].buckets[b].in_flight_mean_requests);
    CHECK_NEAR(most - before, peak, 0.04 * peak);
    CHECK_NEAR(trial_mean(&trial, M_WAIT_MEAN), mean_delay_s,
               0.03 * mean_delay_s);
    CHECK_NEAR(trial_mean(&trial, M_COLD_START), delay, 1e-9);
    CHECK_NEAR(trial_mean(&trial, M_NODES_MEAN), 2, 1e-9);
}

static void fluid_steps(void)
{
    cold_start_is_a_triangle(10, 5, 7, 30, 75, 150, 7.5);
    trial_done(&trial);
    cold_start_is_a_triangle(150, 100, 100, 60, 60, 3000, 10);
}

/* --- scale to zero ------------------------------------------------------ */

/*
 * A node that goes the moment it is idle; the next arrival starts its setup.
 * Welch (1964): Wq = rho / (1 - rho) + (2 E[D] + lambda E[D^2]) / (2 (1 +
 * lambda E[D])) for exponential services of mean 1; it is there, busy or in
 * setup, for the share 1 - (1 - rho) / (1 + lambda E[D]).
 */
static void setup_of(double rate, double setup_s, const char *law, double wq,
                     double there, double share)
{
    trial_load(&trial,
               "lbsim: 1\n"
               "duration: 60000 s\n"
               "warm_up: 2 %%\n"
               "seed: 7301\n"
               "workload:\n"
               "  arrivals: {process: poisson, rate: %g/s}\n"
               "  work: {dist: exponential, mean: 1 s}\n"
               "nodes:\n"
               "  - group: a\n"
               "    count: 0\n"
               "    start_up: {provision: %g s, law: %s}\n"
               "    autoscale: {rule: demand, min: 0, max: 1}\n"
               "policies: [random]\n",
               rate, setup_s, law);
    trial_run(&trial, 12);
    TRIAL_MEAN(&trial, M_WAIT_MEAN, wq, share);
    TRIAL_MEAN(&trial, M_NODES_MEAN, there, share);
    trial_done(&trial);
}

static void setups_after_welch(void)
{
    setup_of(0.5, 4, "constant", 3.66666666666667, 0.833333333333333, 0.03);
    setup_of(0.2, 30, "constant", 17.3928571428571, 0.885714285714286, 0.03);
    setup_of(0.5, 4, "exponential", 5, 0.833333333333333, 0.05);
    setup_of(0.2, 30, "exponential", 30.25, 0.885714285714286, 0.08);
}

/*
 * M/M/k/setup of Gandhi, Doroudi, Harchol-Balter and Scheller-Wolf (2013), its
 * chain solved numerically: idle servers go at once, as many setups run as
 * requests wait, a departing server takes the one that waits and a surplus
 * setup is cancelled.
 */
static void servers_with_setup(unsigned k, double rate, double setup_s,
                               double mean, double there, double share)
{
    trial_load(&trial,
               "lbsim: 1\n"
               "duration: 20000 s\n"
               "warm_up: 2 %%\n"
               "seed: 7302\n"
               "workload:\n"
               "  arrivals: {process: poisson, rate: %g/s}\n"
               "  work: {dist: exponential, mean: 1 s}\n"
               "nodes:\n"
               "  - group: a\n"
               "    count: 0\n"
               "    max_in_flight: 1\n"
               "    start_up: {provision: %g s, law: exponential}\n"
               "    autoscale:\n"
               "      {rule: demand, min: 0, max: %u, victim: least_loaded}\n"
               "balancer: {queue: {size: 100000, without_nodes: hold}}\n"
               "policies: [random]\n",
               rate, setup_s, k);
    trial_run(&trial, 8);
    TRIAL_MEAN(&trial, M_LATENCY_MEAN, mean, share);
    TRIAL_MEAN(&trial, M_NODES_MEAN, there, share);
    trial_done(&trial);
}

static void many_setups(void)
{
    servers_with_setup(1, 0.5, 2, 4, 0.75, 0.05);
    servers_with_setup(2, 1, 2, 2.70588235299971, 1.51470588235304, 0.05);
    servers_with_setup(8, 4, 10, 2.98290292594957, 7.0019172654233, 0.05);
}

/* --- ASC-05: three delays ----------------------------------------------- */

/* When the first added node gets its first request, within a bucket. */
static double first_use_s(const struct run_result *run, uint32_t node)
{
    for (uint32_t b = 0; b < run->bucket_count; b++)
        if (run->node_buckets[b * run->node_count + node]
                .in_flight_mean_requests > 0)
            return run->buckets[b].end_s;
    return INFINITY;
}

/* inference-sim/inference-sim #742: load doubles at 100 s; metrics every 15 s,
   decisions every 15 s, a machine after 60 s, its model after 240 s. */
static void run_delays(const char *scrape, const char *provision,
                       const char *init)
{
    trial_load(&trial,
               "lbsim: 1\n"
               "duration: 600 s\n"
               "drain: 1 h\n"
               "seed: 1\n"
               "workload:\n"
               "  arrivals:\n"
               "    process: deterministic\n"
               "    rate: 7.5/s\n"
               "    spikes: [{at: 100 s, duration: 1 h, factor: 2}]\n"
               "  work: {dist: constant, value: 1 s}\n"
               "nodes:\n"
               "  - group: a\n"
               "    engine: {slots: 10}\n"
               "    start_up: {provision: %s, init: %s}\n"
               "    autoscale: {max: 2, scrape: %s, target: {gpu: 75 %%}}\n"
               "policies: [least_conn]\n",
               provision, init, scrape);
    trial_run(&trial, 1);
}

static void three_delays_add_up(void)
{
    const struct run_result *run;
    double at_s, backlog;
    uint32_t bucket;

    run_delays("15 s", "60 s", "240 s");
    run = &trial.results[0];
    if (!run || run->bucket_count == 0)
        return;
    at_s = first_use_s(run, 1);
    CHECK(at_s > 400 && at_s <= 435); /* a bucket is 5 s */
    /* 15 come, 10 are served: the backlog is 5 times the delay. */
    bucket = (uint32_t)(at_s / 5) - 2;
    backlog = run->buckets[bucket].in_flight_mean_requests - 10;
    CHECK_NEAR(backlog, 5 * (run->buckets[bucket].end_s - 2.5 - 100),
               0.05 * backlog);
    trial_done(&trial);
    run_delays("1 s", "0 s", "0 s");
    at_s = first_use_s(&trial.results[0], 1);
    CHECK(at_s > 100 && at_s <= 120);
}

/* --- ASC-07: draining --------------------------------------------------- */

/* volcano-sh/kthena #1589: 4 nodes of 8 requests each, 30 to 120 s long, become
   2 at 300 s. Cut off: all 16 without a drain; of those with 30 s the residual
   lives that exceed it, 60 %, 9.6 of 16; none with 120 s. */
static void run_drain(const char *timeout, const char *retry)
{
    trial_load(&trial,
               "lbsim: 1\n"
               "duration: 600 s\n"
               "seed: 7303\n"
               "workload:\n"
               "  arrivals: {process: closed, clients: 32}\n"
               "  work: {dist: uniform, min: 30 s, max: 120 s}\n"
               "nodes:\n"
               "  - group: a\n"
               "    count: 4\n"
               "    engine: {slots: 8}\n"
               "    drain: {timeout: %s}\n"
               "    autoscale: {rule: schedule, min: 2, max: 4,\n"
               "                schedule: \"4 at 0 s, 2 at 300 s\"}\n"
               "balancer: {%s}\n"
               "policies: [least_conn]\n",
               timeout, retry);
    trial_run(&trial, 10);
}

static void drains_cut_what_is_long(void)
{
    double nodes_without, nodes_short, nodes_long;

    run_drain("0 s", "");
    CHECK_NEAR(trial_mean(&trial, M_DRAIN_CUT), 16, 0);
    CHECK_NEAR(trial_mean(&trial, M_FAILED), 16, 0);
    nodes_without = trial_mean(&trial, M_NODES_MEAN);
    CHECK_NEAR(nodes_without, (300 * 4 + 300 * 2) / 600.0, 1e-9);
    trial_done(&trial);
    run_drain("30 s", "");
    TRIAL_MEAN(&trial, M_DRAIN_CUT, 9.6, 0.3);
    for (uint32_t i = 0; trial.results && i < trial.replications; i++)
        CHECK(trial.results[i].values[M_DRAIN_CUT] >= 5 &&
              trial.results[i].values[M_DRAIN_CUT] <= 14);
    nodes_short = trial_mean(&trial, M_NODES_MEAN);
    trial_done(&trial);
    run_drain("120 s", "");
    CHECK_NEAR(trial_mean(&trial, M_DRAIN_CUT), 0, 0);
    CHECK_NEAR(trial_mean(&trial, M_LOST_WORK), 0, 0);
    nodes_long = trial_mean(&trial, M_NODES_MEAN);
    CHECK(nodes_without < nodes_short && nodes_short < nodes_long);
}

/* With another attempt nothing is lost but the work. */
static void retries_save_what_was_cut(void)
{
    run_drain("30 s", "retry: {attempts: 2}");
    CHECK(trial_mean(&trial, M_DRAIN_CUT) >= 5);
    CHECK_NEAR(trial_mean(&trial, M_FAILED), 0, 0);
    CHECK(trial_mean(&trial, M_LOST_WORK) > 5 * 30);
}

/* With 100 ms each way and 100 requests a second in turn, 5 are on their way to
   the node that goes at once. They meet nobody there and go elsewhere, and so
   do the 5 whose 100 ms of service it throws away, half done on average. */
static void what_is_on_its_way_meets_nobody(void)
{
    trial_load(&trial,
               "lbsim: 1\n"
               "duration: 20 s\n"
               "seed: 1\n"
               "workload:\n"
               "  arrivals: {process: deterministic, rate: 100/s}\n"
               "  work: {dist: constant, value: 100 ms}\n"
               "nodes:\n"
               "  - group: a\n"
               "    count: 2\n"
               "    engine: {slots: 20}\n"
               "    drain: {timeout: 0 s}\n"
               "    autoscale: {rule: schedule, max: 2,\n"
               "                schedule: 1 at 10 s}\n"
               "balancer: {network_delay: 100 ms, retry: {attempts: 2}}\n"
               "policies: [round_robin]\n");
    trial_run(&trial, 1);
    CHECK_NEAR(trial_mean(&trial, M_FAILED), 0, 0);
    CHECK_NEAR(trial_mean(&trial, M_ERRORS_REFUSED), 5, 1);
    CHECK_NEAR(trial_mean(&trial, M_DRAIN_CUT), 5, 1);
    CHECK_NEAR(trial_mean(&trial, M_LOST_WORK), 0.25, 0.1);
    CHECK_NEAR(trial_mean(&trial, M_NODES_MEAN), 1.5, 0.02);
    if (trial.results)
        CHECK_UINT(trial.results[0].nodes[1].deaths, 0);
}

/* --- keys --------------------------------------------------------------- */

static void run_keys(const char *policy)
{
    trial_load(&trial,
               "lbsim: 1\n"
               "duration: 300 s\n"
               "seed: 7304\n"
               "workload:\n"
               "  arrivals: {process: poisson, rate: 2/s}\n"
               "  work: {dist: exponential, mean: 1 s}\n"
               "  keys: {dist: zipf, distinct: 200}\n"
               "nodes:\n"
               "  - group: a\n"
               "    count: 9\n"
               "    result_cache: {entries: 100}\n"
               "    autoscale: {rule: schedule, max: 10,\n"
               "                schedule: \"10 at 100 s, 9 at 200 s\"}\n"
               "policies: [%s]\n",
               policy);
    trial_run(&trial, 10);
}

/* A tenth node takes a tenth of the keys on a ring, and nobody else's change;
   the ring is another one in each replication. Taken modulo the number of
   nodes, nine tenths would change. */
static void newcomers_take_their_share_of_keys(void)
{
    run_keys("ring_hash");
    TRIAL_MEAN(&trial, M_REMAPPED, 0.1, 0.3);
    CHECK(trial_mean(&trial, M_COLD_MISSES) > 0);
    trial_done(&trial);
    run_keys("least_conn");
    CHECK(isnan(trial.results[0].values[M_REMAPPED]));
    trial_done(&trial);
    run_keys("random");
    CHECK(isnan(trial.results[0].values[M_REMAPPED]));
}

/* --- deployments -------------------------------------------------------- */

/* Nodes of three are restarted, one after the other: each is away for 20 s,
   then there are 10 s of peace. All at once nobody is there for 20 s. */
static void run_rollout(unsigned at_once)
{
    trial_load(&trial,
               "lbsim: 1\n"
               "duration: 400 s\n"
               "seed: 1\n"
               "workload:\n"
               "  arrivals: {process: deterministic, rate: 10/s}\n"
               "  work: {dist: constant, value: 50 ms}\n"
               "nodes:\n"
               "  - group: a\n"
               "    count: 3\n"
               "    start_up: {provision: 1 h, init: 20 s}\n"
               "    rollout: {at: 100 s, at_once: %u, pause: 10 s}\n"
               "policies: [round_robin]\n",
               at_once);
    trial_run(&trial, 1);
}

static void deployments_restart_node_by_node(void)
{
    double least = 3;

    run_rollout(1);
    CHECK_NEAR(trial_mean(&trial, M_FAILED), 0, 0);
    CHECK_NEAR(trial_mean(&trial, M_COLD_START), 20, 1e-9);
    for (uint32_t b = 0; trial.results && b < trial.results[0].bucket_count;
         b++)
        least = fmin(least, trial.results[0].buckets[b].nodes_ready_mean);
    CHECK_NEAR(least, 2, 1e-6);
    CHECK_NEAR(trial_mean(&trial, M_IN_FLIGHT), 0.5, 1e-3);
    trial_done(&trial);
    run_rollout(3);
    CHECK_NEAR(trial_mean(&trial, M_FAILED), 200, 2);
}

/* --- faults ------------------------------------------------------------- */

/* Of two nodes one crashes for good. Its pod is missing, so on the way up the
   HPA counts it as idle: 100 % of one is 50 % of two, which says down, and
   nothing changes. A threshold looks at those that are there, and orders. */
static void run_crash(const char *rule, const char *faults)
{
    trial_load(&trial,
               "lbsim: 1\n"
               "duration: 600 s\n"
               "seed: 7305\n"
               "workload:\n"
               "  arrivals: {process: deterministic, rate: 12.5/s}\n"
               "  work: {dist: constant, value: 1 s}\n"
               "nodes:\n"
               "  - group: a\n"
               "    count: 2\n"
               "    engine: {slots: 10}\n"
               "    start_up: {provision: 30 s}\n"
               "    autoscale: {rule: %s, max: 4}\n"
               "balancer: {health: {}}\n"
               "%s"
               "policies: [least_conn]\n",
               rule, faults);
    trial_run(&trial, 1);
}

static void crashed_nodes_are_missing_pods(void)
{
    run_crash("hpa", "");
    CHECK_NEAR(trial_mean(&trial, M_SCALINGS), 0, 0);
    trial_done(&trial);
    run_crash("hpa", "faults: [{kind: crash, target: \"a[0]\", at: 100 s}]\n");
    CHECK_NEAR(trial_mean(&trial, M_SCALINGS), 0, 0);
    trial_done(&trial);
    run_crash("threshold",
              "faults: [{kind: crash, target: \"a[0]\", at: 100 s}]\n");
    CHECK(trial_mean(&trial, M_SCALINGS) >= 1);
    CHECK(trial_mean(&trial, M_NODES_MEAN) > 2.5);
    trial_done(&trial);
    /* Where there is no node yet a fault strikes nobody. */
    run_crash("hpa", "faults: [{kind: crash, target: \"a[3]\", at: 100 s}]\n");
    CHECK_NEAR(trial_mean(&trial, M_SCALINGS), 0, 0);
    CHECK_NEAR(trial_mean(&trial, M_COMPLETED), trial_mean(&trial, M_ARRIVED),
               0);
    CHECK(isnan(trial.results[0].values[M_DETECTION]));
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"newcomers take their share of keys",
         newcomers_take_their_share_of_keys},
        {"deployments restart node by node", deployments_restart_node_by_node},
        {"crashed nodes are missing pods", crashed_nodes_are_missing_pods},
        {"a cold start is a triangle", fluid_steps},
        {"setups after Welch", setups_after_welch},
        {"servers with setup", many_setups},
        {"three delays add up", three_delays_add_up},
        {"drains cut what is long", drains_cut_what_is_long},
        {"retries save what was cut", retries_save_what_was_cut},
        {"what is on its way meets nobody", what_is_on_its_way_meets_nobody},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("scaling", NULL, NULL, NULL, forget_trial, tests),
        CU_SUITE_INFO_NULL,
    };

    return check_main(argc, argv, suites);
}
