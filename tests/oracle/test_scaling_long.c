/*
 * Cold starts at high load, where waits are long and runs must be: the rest of
 * the tables of test_scaling.c (Welch 1964; Gandhi et al. 2013).
 */
#include "tests/oracle/harness.h"

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

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"setups at high load", setups_at_high_load},
        {"four servers at high load", four_servers_at_high_load},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("scaling long", NULL, NULL, NULL, forget_trial, tests),
        CU_SUITE_INFO_NULL,
    };

    return check_main(argc, argv, suites);
}
