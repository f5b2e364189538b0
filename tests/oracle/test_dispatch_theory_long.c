/*
 * Policies in front of equal nodes against theory: Poisson arrivals,
 * exponential services of a mean second, one slot a node.
 */
#include "tests/oracle/harness.h"

#define REPLICATIONS 20

/* load: per node. nodes: as in a scenario. policy: with its parameters. */
static bool run_pool(struct trial *trial, unsigned seed, double seconds,
                     double rate_per_s, const char *nodes, const char *policy)
{
    return trial_load(trial,
                      "lbsim: 1\n"
                      "duration: %.0f s\n"
                      "warm_up: 10 %%\n"
                      "seed: %u\n"
                      "workload:\n"
                      "  arrivals: {process: poisson, rate: %.2f/s}\n"
                      "  work: {dist: exponential, mean: 1 s}\n"
                      "nodes: %s\n"
                      "policies: [%s]\n",
                      seconds, seed, rate_per_s, nodes, policy) &&
           trial_run(trial, REPLICATIONS);
}

/* A random split of a Poisson stream is Poisson: N times M/M/1. */
static void random_splits_into_mm1(void)
{
    struct trial trial;

    run_pool(&trial, 2001, 150000, 3.2, "[{group: n, count: 4}]", "random");
    TRIAL_MEAN(&trial, M_LATENCY_MEAN, 5, 0.02);
    TRIAL_MEAN(&trial, M_LATENCY_P99, 23.02585093, 0.04);
    trial_done(&trial);
}

/*
 * Each of N nodes in turn sees every N-th arrival, Erlang-N gaps: GI/M/1 with
 * sigma = (N rho / (N rho + 1 - sigma))^N, T exponential with rate 1 - sigma.
 * Kleinrock 1975 ch. 6.
 */
static void taking_turns_sees_erlang_gaps(void)
{
    struct trial trial;

    run_pool(&trial, 2002, 120000, 3.2, "[{group: n, count: 4}]",
             "round_robin");
    TRIAL_MEAN(&trial, M_LATENCY_MEAN, 3.26738361, 0.02);
    TRIAL_MEAN(&trial, M_WAIT_MEAN, 2.26738361, 0.02);
    TRIAL_MEAN(&trial, M_LATENCY_P99, 15.04685759, 0.04);
    trial_done(&trial);

    run_pool(&trial, 2003, 12000, 12.8, "[{group: n, count: 16}]",
             "round_robin");
    TRIAL_MEAN(&trial, M_LATENCY_MEAN, 2.83613245, 0.03);
    TRIAL_MEAN(&trial, M_LATENCY_P99, 13.0608726, 0.05);
    trial_done(&trial);
}

/*
 * Weights 3 and 1: the smooth rotation serves the second node every fourth
 * time (credits 3,1 -> 0; 2,2 -> 0; 1,3 -> 1; 4,0 -> 0, and over again), so it
 * is alone with Erlang-4 gaps and has the time of round robin over four nodes.
 * The pool is better off than under a random split by the same weights, which
 * takes N / (M - lam) = 2 / (4 - 3.2) (Harchol-Balter 2013 ch. 14).
 */
static void smooth_weights_space_evenly(void)
{
    struct trial trial;
    double in_flight[REPLICATIONS], share[REPLICATIONS];
    struct trial_estimate estimate;

    run_pool(&trial, 2004, 200000, 3.2,
             "[{group: fast, weight: 3, engine: {speed: 3}}, {group: slow}]",
             "smooth_weighted");
    for (uint32_t i = 0; i < trial.replications; i++) {
        in_flight[i] = trial.results[i].nodes[1].in_flight_mean_requests;
        share[i] = trial.results[i].nodes[1].share_ratio;
    }
    /* Little: 0.8 a second stay 3.26738361 s. */
    trial_judge("in flight at the slow node",
                trial_estimate_of(in_flight, trial.replications), 2.613906888,
                0, 0.05, __LINE__, __FILE__, __func__);
    estimate = trial_estimate_of(share, trial.replications);
    CHECK_NEAR(estimate.mean, 0.25, 1e-5); /* to one request in 600,000 */
    CHECK(trial_mean(&trial, M_LATENCY_MEAN) < 2.5);
    trial_done(&trial);
}

/* --- least_conn is the shortest queue ------------------------------------
   Sorted, the queues of exponential servers are the same Markov chain however
   ties are broken, so the values hold for nginx's rule too. Chains solved
   numerically, truncated with an error below 1e-7. */

static void shortest_of_2_queues(void)
{
    struct trial trial;

    run_pool(&trial, 2005, 150000, 1.6, "[{group: n, count: 2}]", "least_conn");
    TRIAL_MEAN(&trial, M_LATENCY_MEAN, 2.955736618, 0.02);
    trial_done(&trial);
}

static void shortest_of_4_queues(void)
{
    struct trial trial;

    run_pool(&trial, 2006, 60000, 3.2, "[{group: n, count: 4}]", "least_conn");
    TRIAL_MEAN(&trial, M_LATENCY_MEAN, 1.953134214, 0.02);
    trial_done(&trial);
}

/* Against an independent simulation, 1.91407 +- 0.016. Nobody beats one
   queue before all servers: Erlang C, 1.668731524. */
static void shortest_of_10_queues(void)
{
    struct trial trial;

    run_pool(&trial, 2007, 40000, 9, "[{group: n, count: 10}]", "least_conn");
    TRIAL_TWO_SAMPLES(&trial, M_LATENCY_MEAN, 1.91407, 0.016, 0.02);
    CHECK(trial_mean(&trial, M_LATENCY_MEAN) > 1.668731524);
    trial_done(&trial);
}

/* --- two choices ---------------------------------------------------------
   Three nodes: a chain, solved numerically. Ten and a hundred: independent
   simulations. Endless: Vvedenskaya, Dobrushin & Karpelevich 1996, to which N
   nodes come from above like const / N (Gast & Van Houdt 2017). */

static void two_choices_of_3(void)
{
    struct trial trial;

    run_pool(&trial, 2008, 90000, 2.4, "[{group: n, count: 3}]", "two_choices");
    TRIAL_MEAN(&trial, M_LATENCY_MEAN, 2.509999789, 0.02);
    trial_done(&trial);
}

static void two_choices_of_10(void)
{
    struct trial trial;

    run_pool(&trial, 2009, 40000, 9, "[{group: n, count: 10}]", "two_choices");
    TRIAL_TWO_SAMPLES(&trial, M_LATENCY_MEAN, 2.98787, 0.014, 0.02);
    trial_done(&trial);
}

/* The gap between the two ways of drawing is 4 % at ten nodes. */
static void two_choices_with_replacement(void)
{
    struct trial trial;

    run_pool(&trial, 2010, 40000, 9, "[{group: n, count: 10}]",
             "two_choices: {replacement: true}");
    TRIAL_TWO_SAMPLES(&trial, M_LATENCY_MEAN, 3.11373, 0.017, 0.02);
    trial_done(&trial);
}

static void two_choices_of_100(void)
{
    struct trial trial;

    run_pool(&trial, 2011, 2000, 70, "[{group: n, count: 100}]", "two_choices");
    TRIAL_TWO_SAMPLES(&trial, M_LATENCY_MEAN, 1.62181, 0.0019, 0.01);
    trial_done(&trial);
}

/* 100 nodes lie 0.0074 above the limit, so 1000 nodes 0.0008. */
static void two_choices_of_1000_near_the_limit(void)
{
    struct trial trial;

    run_pool(&trial, 2012, 150, 700, "[{group: n, count: 1000}]",
             "two_choices");
    TRIAL_BIASED(&trial, M_LATENCY_MEAN, 1.61445377, 0.001, 0.01 * 1.6);
    trial_done(&trial);
}

int main(int argc, char **argv)
{
    CU_TestInfo fixed[] = {
        {"random splits into M/M/1", random_splits_into_mm1},
        {"taking turns sees Erlang gaps", taking_turns_sees_erlang_gaps},
        {"smooth weights space evenly", smooth_weights_space_evenly},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo adaptive[] = {
        {"shortest of 2 queues", shortest_of_2_queues},
        {"shortest of 4 queues", shortest_of_4_queues},
        {"shortest of 10 queues", shortest_of_10_queues},
        {"two choices of 3", two_choices_of_3},
        {"two choices of 10", two_choices_of_10},
        {"two choices with replacement", two_choices_with_replacement},
        {"two choices of 100", two_choices_of_100},
        {"two choices of 1000", two_choices_of_1000_near_the_limit},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("dispatch fixed", NULL, NULL, NULL, NULL, fixed),
        SUITE("dispatch adaptive", NULL, NULL, NULL, NULL, adaptive),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
