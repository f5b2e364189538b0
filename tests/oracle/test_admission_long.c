/*
 * Queues at the front door against queueing theory, and the stories of outages
 * that are about admission.
 */
#include "tests/oracle/harness.h"

#include <math.h>

#define REPLICATIONS 10

/*
 * M/M/c/K: c nodes of one slot each behind one queue of K - c places, whatever
 * the policy. Gross & Harris, Fundamentals of Queueing Theory, ch. 2; values
 * computed with mpmath from the birth-death equations. Means are over those
 * that were let in.
 */
static void run_mmck(struct trial *trial, unsigned seed, double seconds,
                     unsigned servers, unsigned places, double rate_per_s)
{
    trial_load(trial,
               "lbsim: 1\n"
               "duration: %.0f s\n"
               "warm_up: 10 %%\n"
               "seed: %u\n"
               "workload:\n"
               "  arrivals: {process: poisson, rate: %.1f/s}\n"
               "  work: {dist: exponential, mean: 1 s}\n"
               "nodes: [{group: node, count: %u}]\n"
               "balancer: {caps: {max: 1}, queue: {size: %u}}\n"
               "policies: [round_robin]\n",
               seconds, seed, rate_per_s, servers, places);
    trial_run(trial, REPLICATIONS);
}

static void four_servers_ten_places(void)
{
    struct trial trial;

    run_mmck(&trial, 2101, 12000, 4, 6, 3.5);
    TRIAL_MEAN(&trial, M_SUCCESS, 1 - 0.05828070215, 0.004);
    TRIAL_MEAN(&trial, M_LATENCY_MEAN, 1.473501399, 0.02);
    TRIAL_MEAN(&trial, M_WAIT_MEAN, 0.473501399, 0.05);
    trial_done(&trial);
}

static void four_servers_no_place(void)
{
    struct trial trial;

    run_mmck(&trial, 2102, 8000, 4, 0, 3.5);
    TRIAL_MEAN(&trial, M_SUCCESS, 1 - 0.2602710027, 0.01);
    TRIAL_MEAN(&trial, M_LATENCY_MEAN, 1, 0.02);
    TRIAL_MEAN(&trial, M_WAIT_MEAN, 0, 0);
    trial_done(&trial);
}

/* More comes than can be served: the queue is nearly always full. */
static void eight_servers_overloaded(void)
{
    struct trial trial;

    run_mmck(&trial, 2103, 8000, 8, 56, 8.8);
    TRIAL_MEAN(&trial, M_SUCCESS, 1 - 0.09120463245, 0.02);
    TRIAL_MEAN(&trial, M_WAIT_MEAN, 5.776601116, 0.05);
    trial_done(&trial);
}

/* The same counted at the door: Little's law for those who waited there. */
static void door_keeps_littles_law(void)
{
    struct trial trial;

    run_mmck(&trial, 2104, 8000, 4, 6, 3.5);
    for (uint32_t i = 0; i < trial.replications; i++) {
        const double *values = trial.results[i].values;
        double waited_s = values[M_HELD] * values[M_HELD_MEAN];

        CHECK_NEAR(values[M_DOOR_QUEUE] * 7200, waited_s, 0.005 * waited_s);
    }
    trial_done(&trial);
}

/*
 * Erlang A: who waits leaves after an exponential patience. Garnett, Mandelbaum
 * & Reiman 2002; P(abandon) = theta Lq / lambda from the birth-death equations,
 * with mpmath. The mean wait is over all, those who leave too.
 */
struct erlang_a {
    unsigned servers;
    double rate_per_s, patience_s;
    double abandoned, waits; /* shares of all */
    double wait_s;           /* mean of all */
};

static void run_erlang_a(struct trial *trial, unsigned seed,
                         const struct erlang_a *row)
{
    trial_load(trial,
               "lbsim: 1\n"
               "duration: 12000 s\n"
               "warm_up: 10 %%\n"
               "seed: %u\n"
               "workload:\n"
               "  arrivals: {process: poisson, rate: %.1f/s}\n"
               "  work: {dist: exponential, mean: 1 s}\n"
               "  patience: {dist: exponential, mean: %.9g s}\n"
               "nodes: [{group: node, count: %u}]\n"
               "balancer: {caps: {max: 1}}\n"
               "policies: [round_robin]\n",
               seed, row->rate_per_s, row->patience_s, row->servers);
    trial_run(trial, REPLICATIONS);
}

#define CHECK_SHARE(what, values, value)                                   \
    trial_judge(what, trial_estimate_of(values, REPLICATIONS), (value), 0, \
                0.05 * (value), __LINE__, __FILE__, __func__)

static void clients_lose_patience(void)
{
    static const struct erlang_a rows[] = {
        {1, 0.9, 2, 0.284956141918901, 0.643539472272989, 0.569912283837801},
        {1, 1.5, 5, 0.38500012016882, 0.92249981974677, 1.9250006008441},
        {4, 3.6, 4, 0.0973812130447903, 0.601733663005931, 0.389524852179161},
        {10, 11, 1, 0.168479087255872, 0.659489357534339, 0.168479087255872},
    };

    for (unsigned k = 0; k < 4; k++) {
        double waits[REPLICATIONS] = {0}, waited_s[REPLICATIONS] = {0};
        struct trial trial;

        run_erlang_a(&trial, 2105 + 20 * k, &rows[k]);
        for (uint32_t i = 0; i < trial.replications; i++) {
            const double *values = trial.results[i].values;

            waits[i] = values[M_HELD] / values[M_ARRIVED];
            /* Of all the time spent at the door, per arrival: Lq / lambda. */
            waited_s[i] = values[M_DOOR_QUEUE] / values[M_OFFERED];
        }
        TRIAL_MEAN(&trial, M_SUCCESS, 1 - rows[k].abandoned, 0.02);
        CHECK_SHARE("waits", waits, rows[k].waits);
        CHECK_SHARE("waited_s", waited_s, rows[k].wait_s);
        trial_done(&trial);
    }
}

/* One server; who has waited for 3 s leaves the queue at the door. Barrer 1957;
   Baccelli & Hebuterne 1981: P(abandon) = lambda p0 exp(-(mu - lambda) tau). */
static void waits_end_at_the_time_out(void)
{
    struct trial trial;

    trial_load(&trial, "lbsim: 1\n"
                       "duration: 20000 s\n"
                       "warm_up: 10 %%\n"
                       "seed: 2107\n"
                       "workload:\n"
                       "  arrivals: {process: poisson, rate: 1.2/s}\n"
                       "  work: {dist: exponential, mean: 1 s}\n"
                       "nodes: [{group: node}]\n"
                       "balancer: {caps: {max: 1}, timeout: {queue: 3 s}}\n"
                       "policies: [random]\n");
    trial_run(&trial, REPLICATIONS);
    TRIAL_MEAN(&trial, M_SUCCESS, 1 - 0.2693033367, 0.02);
    TRIAL_MEAN(&trial, M_WAIT_MEAN, 1.371139084, 0.03);
    for (uint32_t i = 0; i < trial.replications; i++)
        CHECK_NEAR(trial.results[i].values[M_EXPIRED],
                   (double)trial.results[i].values[M_TIMED_OUT], 0);
    trial_done(&trial);
}

/* --- stories -----------------------------------------------------------------
 */

static double in_deadline(const char *path, uint32_t request_class)
{
    struct trial trial;
    double sum = 0;

    if (trial_open(&trial, path, NULL) && trial_run(&trial, 2))
        for (uint32_t i = 0; i < trial.replications; i++)
            sum += trial.results[i]
                       .classes[request_class]
                       .values[CLASS_IN_DEADLINE] /
                   2;
    trial_done(&trial);
    return sum;
}

static void shedding_saves_the_interactive(void)
{
    CHECK_NEAR(in_deadline("scenarios/outages/overload.yaml", 0), 0.5, 0.1);
    CHECK(in_deadline("scenarios/outages/overload_shed.yaml", 0) > 0.99);
    /* 30 % are interactive, whom the nodes can serve in any case: 120/s come
       and 80/s can go, so a third of all must be turned away for two minutes
       of nine: of background, 40 % of what comes, most. */
    CHECK(in_deadline("scenarios/outages/overload_shed.yaml", 1) > 0.9);
}

static double middle_tenant(const char *path, double *ret_least)
{
    struct trial trial;
    double middle = NAN;

    *ret_least = NAN;
    if (trial_open(&trial, path, NULL) && trial_run(&trial, 1)) {
        middle = trial.results[0].values[M_TENANT_MEDIAN];
        *ret_least = trial.results[0].values[M_TENANT_LEAST];
    }
    trial_done(&trial);
    return middle;
}

/*
 * 160/s come for three of the eight minutes that count and 80/s can go: in one
 * row everybody loses half of what is sent then, 3/8 x 1/2 of all. In turn the
 * flood gets what the others leave, 80/s - 38/s of its 122/s.
 */
static void turns_leave_the_flood_alone(void)
{
    double least;

    CHECK_NEAR(middle_tenant("scenarios/outages/noisy_tenant.yaml", &least),
               1 - 3.0 / 16, 0.03);
    CHECK_NEAR(
        middle_tenant("scenarios/outages/noisy_tenant_fair.yaml", &least), 1,
        0.002);
    /* Of 122/s for 180 s and 2/s for 300 s: */
    CHECK_NEAR(least, (42.0 * 180 + 600) / (122.0 * 180 + 600), 0.03);
}

/* Who waited before the newcomer was there goes to it in the order of arrival,
   from the moment of the check that finds it, 5.0 to 5.1 s, one a second. */
static void queue_is_not_stranded(void)
{
    static const char *const fails[] = {"balancer.queue.without_nodes=fail",
                                        NULL};
    struct trial trial;
    double answered_s = NAN;

    trial_open(&trial, "scenarios/outages/stranded_queue.yaml", NULL);
    trial.keep_latencies = true;
    if (trial_run(&trial, 1)) {
        const struct run_result *result = &trial.results[0];

        CHECK_UINT(result->books.arrived, 11);
        CHECK_UINT(result->books.completed, 11);
        for (uint64_t i = 0; i < result->latency_count && i < 11; i++) {
            double at_s = 0.1 * (double)(i + 1) + result->latencies[i];

            if (i == 0)
                CHECK(at_s > 6.0 && at_s <= 6.1);
            else
                CHECK_NEAR(at_s - answered_s, 1, 1e-6);
            answered_s = at_s;
        }
    }
    trial_done(&trial);
    trial_open(&trial, "scenarios/outages/stranded_queue.yaml", fails);
    if (trial_run(&trial, 1))
        CHECK(trial.results[0].books.failed >= 10);
    trial_done(&trial);
}

/*
 * 22 come a hundredth of a second apart to two nodes that take one of 1 s each:
 * 20 wait when a third is ready at 0.5 s. It gets the first of them at that
 * moment, and from then on the three go on in turn, every third answer of
 * a node: at 1.01, 1.02 and 1.5 s and every second from there.
 */
static void a_third_node_takes_from_the_queue(void)
{
    static const double first_answers_s[] = {1.01, 1.02, 1.5};
    struct trial trial;

    trial_load(&trial, "lbsim: 1\n"
                       "duration: 225 ms\n"
                       "drain: 1 min\n"
                       "workload:\n"
                       "  arrivals: {process: deterministic, rate: 100/s}\n"
                       "  work: {dist: constant, value: 1 s}\n"
                       "nodes:\n"
                       "  - group: n\n"
                       "    count: 2\n"
                       "    autoscale: {rule: schedule, min: 2, max: 3,\n"
                       "                schedule: \"2 at 0 s, 3 at 500 ms\"}\n"
                       "balancer: {caps: {max: 1}}\n"
                       "policies: [least_conn]\n");
    trial.keep_latencies = true;
    if (trial_run(&trial, 1)) {
        const struct run_result *result = &trial.results[0];

        CHECK_UINT(result->books.arrived, 22);
        CHECK_UINT(result->books.completed, 22);
        CHECK_UINT(result->latency_count, 22);
        for (uint64_t i = 0; i < result->latency_count && i < 22; i++)
            CHECK_NEAR(0.01 * (double)(i + 1) + result->latencies[i],
                       first_answers_s[i % 3] + (double)(i / 3), 1e-9);
    }
    trial_done(&trial);
}

int main(int argc, char **argv)
{
    CU_TestInfo queues[] = {
        {"four servers, ten places", four_servers_ten_places},
        {"four servers, no place to wait", four_servers_no_place},
        {"eight servers, overloaded", eight_servers_overloaded},
        {"the door keeps Little's law", door_keeps_littles_law},
        {"clients lose patience", clients_lose_patience},
        {"waits end at the time-out", waits_end_at_the_time_out},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo stories[] = {
        {"shedding saves the interactive", shedding_saves_the_interactive},
        {"turns leave the flood alone", turns_leave_the_flood_alone},
        {"a queue is not stranded", queue_is_not_stranded},
        {"a third node takes from the queue",
         a_third_node_takes_from_the_queue},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("admission_queues", NULL, NULL, NULL, NULL, queues),
        SUITE("admission_stories", NULL, NULL, NULL, NULL, stories),
        CU_SUITE_INFO_NULL,
    };

    return check_main(argc, argv, suites);
}
