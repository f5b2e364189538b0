/*
 * Random faults against theory, and nodes that freeze against published cases.
 * Values of availability, of breakdowns and of survival come from closed forms
 * (alternating renewal; White & Christie 1958, Avi-Itzhak & Naor 1963), each
 * checked against chains and simulations of other hands.
 */
#include "sim/cluster/fault_spec.h"
#include "tests/oracle/harness.h"

#include <math.h>

/* --- availability --------------------------------------------------------- */

/* MTBF / (MTBF + MTTR), whatever the distributions: 100 / 105. */
static void availability(unsigned seed, const char *up, const char *down)
{
    struct trial trial;

    trial_load(&trial,
               "lbsim: 1\nduration: 20000 s\nseed: %u\n"
               "workload:\n"
               "  arrivals: {process: deterministic, rate: 0.01/s}\n"
               "  work: {dist: constant, value: 1 ms}\n"
               "nodes: [{group: n, count: 8}]\n"
               "faults: [{kind: crash, target: \"n[*]\", mtbf: {dist: %s}, "
               "mttr: {dist: %s}}]\n"
               "policies: [random]\n",
               seed, up, down);
    trial_run(&trial, 20);
    TRIAL_MEAN(&trial, M_AVAILABILITY, 0.952380952380952, 0.005);
    trial_done(&trial);
}

static void nodes_are_as_available_as_renewal_says(void)
{
    availability(1, "exponential, mean: 100 s", "exponential, mean: 5 s");
    availability(2, "weibull, shape: 0.7, mean: 100 s",
                 "lognormal, mean: 5 s, scv: 4");
    availability(3, "gamma, shape: 4, mean: 100 s", "constant, value: 5 s");
}

#define NODES_MAX 8

/* How long `most` nodes or fewer were down, from the list of strikes. */
static double share_of_time(const struct run_result *run, double end_s,
                            uint32_t most)
{
    double down_until_s[NODES_MAX] = {0}, at_s = 0, sum_s = 0;

    for (uint32_t i = 0; i <= run->strike_count; i++) {
        double next_s = i < run->strike_count ? run->strikes[i].at_s : end_s;

        while (at_s < next_s) { /* from end to end of what is down */
            double until_s = next_s;
            uint32_t down = 0;

            for (int n = 0; n < NODES_MAX; n++) {
                if (down_until_s[n] <= at_s)
                    continue;
                down++;
                until_s = fmin(until_s, down_until_s[n]);
            }
            if (down <= most)
                sum_s += until_s - at_s;
            at_s = until_s;
        }
        if (i < run->strike_count)
            down_until_s[run->strikes[i].node] = run->strikes[i].end_s;
    }
    return sum_s / end_s;
}

struct some_up {
    double up_s, down_s; /* means of exponential times */
    unsigned nodes, most_down;
    double share, widest; /* of time; the half-width as a share of the rest */
};

/* A thousand lives of each node; strikes are all that matters. */
static void check_some_up(unsigned seed, const struct some_up *some)
{
    struct trial trial;
    double shares[20], end_s = 1000 * some->up_s;

    trial_load(&trial,
               "lbsim: 1\nduration: %.0f s\nseed: %u\n"
               "workload:\n"
               "  arrivals: {process: deterministic, rate: %.9g/s}\n"
               "  work: {dist: constant, value: 1 ms}\n"
               "nodes: [{group: n, count: %u}]\n"
               "faults: [{kind: crash, target: \"n[*]\", mtbf: {dist: "
               "exponential, mean: %g s}, mttr: {dist: exponential, mean: %g "
               "s}}]\n"
               "policies: [random]\n",
               end_s, seed, 1 / some->up_s, some->nodes, some->up_s,
               some->down_s);
    trial_run(&trial, 20);
    for (uint32_t r = 0; r < trial.replications && r < 20; r++)
        shares[r] = share_of_time(&trial.results[r], end_s, some->most_down);
    trial_judge("share of time", trial_estimate_of(shares, 20), some->share, 0,
                some->widest * (1 - some->share), __LINE__, __FILE__, __func__);
    trial_done(&trial);
}

/* At least k of N are up: binomial, with A = MTBF / (MTBF + MTTR) each. */
static void so_many_are_up_as_binomials_say(void)
{
    static const struct some_up rows[] = {
        {1000, 10, 4, 1, 0.999419558262129, 0.15},
        {1000, 10, 8, 2, 0.999947633303848, 0.4},
        {3600, 60, 4, 1, 0.998422558803037, 0.15},
        {3600, 60, 8, 2, 0.999768057897292, 0.25},
        {100, 5, 4, 1, 0.987242969750258, 0.08},
        {100, 5, 8, 2, 0.99495386218217, 0.1},
    };

    for (unsigned i = 0; i < 6; i++)
        check_some_up(41 + i, &rows[i]);
}

/* --- breakdowns ----------------------------------------------------------- */

/* M/M/1 that breaks down, also while idle, and resumes: mean sojourn
   L / lambda with L = lam ((f + r)^2 + f mu) / ((f + r)(r mu - lam (f + r))).
 */
static void breakdowns(unsigned seed, double rate_per_s, double up_s,
                       double down_s, double expected_s)
{
    struct trial trial;

    trial_load(&trial,
               "lbsim: 1\nduration: 20000 s\nwarm_up: 500 s\nseed: %u\n"
               "workload:\n"
               "  arrivals: {process: poisson, rate: %g/s}\n"
               "  work: {dist: exponential, mean: 1 s}\n"
               "nodes: [{group: n, count: 1}]\n"
               "faults: [{kind: hang, target: n, mtbf: {dist: exponential, "
               "mean: %g s}, mttr: {dist: exponential, mean: %g s}}]\n"
               "policies: [round_robin]\n",
               seed, rate_per_s, up_s, down_s);
    trial_run(&trial, 20);
    TRIAL_MEAN(&trial, M_LATENCY_MEAN, expected_s, 0.06);
    trial_done(&trial);
}

static void breakdowns_resume_as_theory_says(void)
{
    breakdowns(11, 0.5, 10, 1, 2.64646464646465);
    breakdowns(12, 0.3, 2, 2, 7.5);
}

/* --- survival ------------------------------------------------------------- */

/* A failure every 10 s on the average, over at once: e^-0.2 of the jobs of 2 s
   survive; of exponential ones 1 / (1 + 0.2). */
static void survival(unsigned seed, const char *work, double expected)
{
    struct trial trial;

    trial_load(&trial,
               "lbsim: 1\nduration: 50000 s\nwarm_up: 100 s\nseed: %u\n"
               "workload:\n"
               "  arrivals: {process: poisson, rate: 0.2/s}\n"
               "  work: {dist: %s}\n"
               "nodes: [{group: n, count: 1, engine: {slots: 1000}}]\n"
               "faults: [{kind: crash, target: n, mtbf: {dist: exponential, "
               "mean: 10 s}, mttr: {dist: constant, value: 0 s}}]\n"
               "policies: [round_robin]\n",
               seed, work);
    trial_run(&trial, 20);
    TRIAL_MEAN(&trial, M_SUCCESS, expected, 0.01);
    trial_done(&trial);
}

static void jobs_survive_as_theory_says(void)
{
    survival(21, "constant, value: 2 s", 0.818730753077982);
    survival(22, "exponential, mean: 2 s", 0.833333333333333);
}

/* Blind picks among four, tried again elsewhere: 1 - (1 - A)^(r + 1), in that
   over A attempts on the average. */
static void retries(unsigned seed, unsigned attempts, double expected,
                    double mean_attempts)
{
    struct trial trial;

    trial_load(&trial,
               "lbsim: 1\nduration: 20000 s\nseed: %u\n"
               "workload:\n"
               "  arrivals: {process: poisson, rate: 1/s}\n"
               "  work: {dist: constant, value: 1 us}\n"
               "nodes: [{group: n, count: 4}]\n"
               "balancer: {retry: {attempts: %u}}\n"
               "faults: [{kind: crash, target: \"n[*]\", mtbf: {dist: "
               "exponential, mean: 100 s}, mttr: {dist: exponential, mean: 5 "
               "s}}]\n"
               "policies: [random]\n",
               seed, attempts);
    trial_run(&trial, 20);
    TRIAL_MEAN(&trial, M_SUCCESS, expected, 0.004);
    if (attempts > 1)
        TRIAL_MEAN(&trial, M_RETRIES, mean_attempts - 1, 0.06);
    trial_done(&trial);
}

static void retries_succeed_as_theory_says(void)
{
    retries(31, 1, 0.952380952380952, 1);
    retries(32, 2, 0.997732426303855, 1.04761904761905);
}

/* --- a node that freezes -------------------------------------------------- */

#define FROZEN                                                   \
    "faults: [{kind: hang, target: n, at: 2500 ms, for: 5 s}]\n" \
    "policies: [round_robin]\n"

/* Coordinated omission, open: the published percentiles of a freeze of 5 s in
   10 s at 100/s. */
static void an_open_loop_sees_the_freeze(void)
{
    struct trial trial;
    const double *values;

    trial_load(&trial, "lbsim: 1\nduration: 10 s\n"
                       "workload:\n"
                       "  arrivals: {process: deterministic, rate: 100/s}\n"
                       "  work: {dist: constant, value: 1 ms}\n"
                       "nodes: [{group: n}]\n" FROZEN);
    trial_run(&trial, 1);
    values = trial.results[0].values;
    CHECK_NEAR(values[M_LATENCY_P50], 0.50, 0.02);
    CHECK_NEAR(values[M_LATENCY_P90], 4.10, 0.02);
    CHECK_NEAR(values[M_LATENCY_P99], 4.91, 0.02);
    CHECK_NEAR(values[M_LATENCY_MAX], 5.00, 0.02);
    CHECK_NEAR(values[M_AVAILABILITY], 0.5, 1e-9);
    trial_done(&trial);
}

/* Closed: one client sees it once. The published 5,002 requests count the
   edges of run and freeze twice; intervals here are half open: 0 to 2499 ms,
   2500 ms, which waits, and 7501 to 9999 ms are 5,000. */
static void a_closed_loop_hardly_notices(void)
{
    struct trial trial;
    const double *values;

    trial_load(&trial, "lbsim: 1\nduration: 10 s\n"
                       "workload:\n"
                       "  arrivals: {process: closed, clients: 1}\n"
                       "  work: {dist: constant, value: 1 ms}\n"
                       "nodes: [{group: n}]\n" FROZEN);
    trial_run(&trial, 1);
    values = trial.results[0].values;
    CHECK_UINT(trial.results[0].books.arrived, 5000);
    CHECK_NEAR(values[M_LATENCY_P99], 0.001, 1e-9);
    CHECK_NEAR(values[M_LATENCY_MAX], 5.001, 1e-9);
    trial_done(&trial);
}

/* Arrivals every 1 ms, service 0.1 ms, stalled until 10 ms: published, in ms.
 */
static void latency_counts_from_the_intended_time(void)
{
    static const double expected_ms[] = {10.1, 9.2, 8.3, 7.4, 6.5, 5.6, 4.7,
                                         3.8,  2.9, 2.0, 1.1, 0.2, 0.1, 0.1};
    struct trial trial;

    trial_load(&trial, "lbsim: 1\nduration: 15 ms\n"
                       "workload:\n"
                       "  arrivals: {process: deterministic, rate: 1000/s}\n"
                       "  work: {dist: constant, value: 100 us}\n"
                       "nodes: [{group: n}]\n"
                       "faults: [{kind: hang, target: n, at: 1 ms, for: 10 "
                       "ms}]\n"
                       "policies: [round_robin]\n");
    trial.keep_latencies = true;
    trial_run(&trial, 1);
    CHECK_UINT(trial.results[0].latency_count, 14);
    for (int i = 0; i < 14 && trial.results[0].latencies; i++)
        CHECK_NEAR(trial.results[0].latencies[i], expected_ms[i] * 1e-3, 1e-9);
    trial_done(&trial);
}

/* scenarios/outages/hung_gpu.yaml, by arithmetic: a sixth of what arrives in 40
   of 360 s waits for longer than its 20 s under round robin; least_conn loses
   less than a fifth of that. */
static void a_hung_node_is_seen_by_what_is_in_flight(void)
{
    struct trial trial;
    double lost;

    trial_open(&trial, "scenarios/outages/hung_gpu.yaml", NULL);
    trial_run(&trial, 5);
    TRIAL_MEAN(&trial, M_SUCCESS, 1 - 40.0 / 360 / 6, 0.01);
    lost = 1 - trial_mean(&trial, M_SUCCESS);
    trial_done(&trial);
    trial_open(&trial, "scenarios/outages/hung_gpu.yaml", NULL);
    trial.policy_index = 1;
    trial_run(&trial, 5);
    CHECK(1 - trial_mean(&trial, M_SUCCESS) < lost / 5);
    CHECK(trial_mean(&trial, M_SUCCESS) < 1);
    trial_done(&trial);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"nodes are as available as renewal says",
         nodes_are_as_available_as_renewal_says},
        {"so many are up as binomials say", so_many_are_up_as_binomials_say},
        {"breakdowns resume as theory says", breakdowns_resume_as_theory_says},
        {"jobs survive as theory says", jobs_survive_as_theory_says},
        {"retries succeed as theory says", retries_succeed_as_theory_says},
        {"an open loop sees the freeze", an_open_loop_sees_the_freeze},
        {"a closed loop hardly notices", a_closed_loop_hardly_notices},
        {"latency counts from the intended time",
         latency_counts_from_the_intended_time},
        {"a hung node is seen by what is in flight",
         a_hung_node_is_seen_by_what_is_in_flight},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("faults", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
