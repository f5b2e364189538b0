/*
 * Cold starts at high load, where waits are long and runs must be: the rest of
 * the tables of test_scaling.c (Welch 1964; Gandhi et al. 2013). And delays of
 * an autoscaler that vary, each by a law.
 */
#include "tests/oracle/harness.h"

#include <math.h>
#include <stdio.h>

static struct trial trial;

static void forget_trial(void)
{
    trial_done(&trial);
}

static void setups_at_high_load(void)
{
    static const struct {
        const char *law;
        double wq;
    } rows[] = {{"constant", 9.55555555555556}, {"exponential", 14}};

    for (int i = 0; i < 2; i++) {
        trial_load(&trial,
                   "lbsim: 1\n"
                   "duration: 500000 s\n"
                   "warm_up: 2 %%\n"
                   "seed: 7311\n"
                   "workload:\n"
                   "  arrivals: {process: poisson, rate: 0.8/s}\n"
                   "  work: {dist: exponential, mean: 1 s}\n"
                   "nodes:\n"
                   "  - group: a\n"
                   "    count: 0\n"
                   "    start_up: {provision: 10 s, law: %s}\n"
                   "    autoscale: {rule: demand, min: 0, max: 1}\n"
                   "policies: [random]\n",
                   rows[i].law);
        trial_run(&trial, 12);
        TRIAL_MEAN(&trial, M_WAIT_MEAN, rows[i].wq, 0.03);
        TRIAL_MEAN(&trial, M_NODES_MEAN, 0.977777777777778, 0.005);
        trial_done(&trial);
    }
}

static void four_servers_at_high_load(void)
{
    trial_load(&trial,
               "lbsim: 1\n"
               "duration: 200000 s\n"
               "warm_up: 2 %%\n"
               "seed: 7312\n"
               "workload:\n"
               "  arrivals: {process: poisson, rate: 2.8/s}\n"
               "  work: {dist: exponential, mean: 1 s}\n"
               "nodes:\n"
               "  - group: a\n"
               "    count: 0\n"
               "    max_in_flight: 1\n"
               "    start_up: {provision: 10 s, law: exponential}\n"
               "    autoscale:\n"
               "      {rule: demand, min: 0, max: 4, victim: least_loaded}\n"
               "balancer: {queue: {size: 100000, without_nodes: hold}}\n"
               "policies: [random]\n");
    trial_run(&trial, 12);
    TRIAL_MEAN(&trial, M_LATENCY_MEAN, 5.19560508605289, 0.03);
    TRIAL_MEAN(&trial, M_NODES_MEAN, 3.85490459649518, 0.01);
}

/* --- delays that vary --------------------------------------------------- */

/* The case of test_scaling.c: work waits from 100 s on, half as much as is
   served, and one node is ordered. */
static void run_delays(unsigned seconds, unsigned slots, const char *start_up,
                       const char *scale, uint32_t replications)
{
    trial_load(&trial,
               "lbsim: 1\n"
               "duration: %u s\n"
               "drain: 1 h\n"
               "seed: 7313\n"
               "workload:\n"
               "  arrivals:\n"
               "    process: deterministic\n"
               "    rate: %g/s\n"
               "    spikes: [{at: 100 s, duration: 1 h, factor: 20}]\n"
               "  work: {dist: constant, value: 1 s}\n"
               "nodes:\n"
               "  - group: a\n"
               "    engine: {slots: %u}\n"
               "    start_up: {%s}\n"
               "    autoscale: {max: 2, target: {queue: 1}, %s}\n"
               "policies: [least_conn]\n",
               seconds, 0.075 * slots, slots, start_up, scale);
    trial_run(&trial, replications);
}

/* Mean and standard deviation over the replications. */
static void check_moments(const char *what, const double *values,
                          uint32_t count, double mean, double sd,
                          double mean_within, double sd_within)
{
    double sum = 0, squares = 0;

    for (uint32_t i = 0; i < count; i++)
        sum += values[i] / count;
    for (uint32_t i = 0; i < count; i++)
        squares += (values[i] - sum) * (values[i] - sum) / (count - 1);
    check_near(what, sum, mean, mean_within, __LINE__, __FILE__, __func__);
    check_near(what, sqrt(squares), sd, sd_within, __LINE__, __FILE__,
               __func__);
}

/*
 * 60 s to provision and 240 s to load on average: uniform between half and one
 * and a half of that, the sum has variance (60^2 + 240^2) / 12, 71.4 s squared;
 * exponential 60^2 + 240^2, 247 s squared. Of 200, the mean strays by 1/14 of
 * that and the deviation of the exponential by a tenth of itself: four times
 * that is allowed.
 */
static void starts_vary(void)
{
    static const struct {
        const char *law;
        double sd;
    } rows[] = {{"uniform, min: 1, max: 3", 71.4}, {"exponential", 247.4}};
    double starts_s[200];
    char start_up[200];

    for (int i = 0; i < 2; i++) {
        snprintf(start_up, sizeof start_up,
                 "provision: 60 s, provision_noise: {dist: %s}, init: 240 s, "
                 "load_noise: {dist: %s}",
                 rows[i].law, rows[i].law);
        run_delays(3000, 1, start_up, "down: {select: disabled}", 200);
        for (uint32_t r = 0; r < 200 && trial.results; r++)
            starts_s[r] = trial.results[r].values[M_COLD_START];
        check_moments(rows[i].law, starts_s, 200, 300, rows[i].sd,
                      4 * rows[i].sd / sqrt(200), 0.4 * rows[i].sd);
        trial_done(&trial);
    }
}

/* When the second node got its first request after 100 s, within a bucket. */
static void first_uses(double *ret_s, uint32_t count)
{
    for (uint32_t r = 0; r < count && trial.results; r++) {
        const struct run_result *run = &trial.results[r];

        ret_s[r] = NAN;
        for (uint32_t b = run->bucket_count; b-- > 0;)
            if (run->node_buckets[b * run->node_count + 1]
                    .in_flight_mean_requests > 0)
                ret_s[r] = run->buckets[b].end_s - 100;
    }
}

/*
 * A scrape a second, each on its way for 60 s on average. When that is constant
 * the node comes after 60 s; when it is exponential, scrapes overtake each
 * other, and the first of those after 100 s to come decides: t s later the
 * chance that none has is exp(-t^2 / 120), of mean sqrt(30 pi) = 9.7 s and
 * deviation 5.1 s. What is asked for must be above the tolerance (a scrape or
 * two), decisions come every second and a bucket takes as long.
 */
static void lags_vary(void)
{
    double uses_s[60] = {0};

    run_delays(400, 10, "init: 0 s", "sync: 1 s, scrape: 1 s, lag: 60 s", 1);
    first_uses(uses_s, 1);
    CHECK_NEAR(uses_s[0], 62.5, 2.5);
    trial_done(&trial);
    run_delays(400, 10, "init: 0 s",
               "sync: 1 s, scrape: 1 s, lag: 60 s, lag_noise: {dist: "
               "exponential}",
               60);
    first_uses(uses_s, 60);
    check_moments("exponential lag", uses_s, 60, 9.7 + 2.5, 5.1, 4.5, 2);
}

/* Scrapes every 20 s on average, exponential: how long until the next one has
   forgotten when the last was, 20 s on average and in deviation. */
static void scrapes_vary(void)
{
    double uses_s[150] = {0};

    run_delays(400, 10, "init: 0 s",
               "sync: 1 s, scrape: 20 s, scrape_noise: {dist: exponential}",
               150);
    first_uses(uses_s, 150);
    check_moments("exponential scrapes", uses_s, 150, 20 + 4, 20, 7, 7);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"setups at high load", setups_at_high_load},
        {"four servers at high load", four_servers_at_high_load},
        {"starts vary", starts_vary},
        {"lags vary", lags_vary},
        {"scrapes vary", scrapes_vary},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("scaling long", NULL, NULL, NULL, forget_trial, tests),
        CU_SUITE_INFO_NULL,
    };

    return check_main(argc, argv, suites);
}
