/*
 * Static batches against theory: a server that takes up to K at a time in a
 * time that does not depend on how many, and how long a batch waits to fill.
 */
#include "tests/oracle/harness.h"

#define REPLICATIONS 20

static bool run_batches(struct trial *trial, unsigned seed, double seconds,
                        double rate_per_s, const char *work, const char *engine)
{
    return trial_load(trial,
                      "lbsim: 1\n"
                      "duration: %.0f s\n"
                      "warm_up: 10 %%\n"
                      "seed: %u\n"
                      "workload:\n"
                      "  arrivals: {process: poisson, rate: %g/s}\n"
                      "  work: {dist: constant, value: %s}\n"
                      "nodes: [{group: node, engine: {kind: batch, %s}}]\n"
                      "policies: [random]\n",
                      seconds, seed, rate_per_s, work, engine) &&
           trial_run(trial, REPLICATIONS);
}

/*
 * M/D^[1,K]/1, service of 1 s: at its end up to K of those that wait start
 * (Bailey 1954; Chaudhry & Templeton 1983). Wait and busy share computed
 * independently from the Markov chain of the queue just after starts: with X
 * left behind, Lq = (E[X] + lam / 2) / (1 + p0 / lam), p0 the share of services
 * at whose end nobody waits, Wq = Lq / lam.
 */
static void bulk_service_waits_as_known(void)
{
    static const struct {
        double rate_per_s;
        const char *engine;
        double wait_s, busy;
    } rows[] = {
        {2, "size: 4, max_wait: 0 s", 0.5169603806, 0.9405235062},
        {3, "size: 4, max_wait: 0 s, sort: arrival", 0.7584272899,
         0.9888731392},
        {0.5, "size: 2, max_wait: 0 s", 0.2452890273, 0.4559778470},
        {6, "size: 8, max_wait: 0 s, sort: descending", 0.5966686226,
         0.9996797239},
    };

    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct trial trial;

        run_batches(&trial, 3101 + i, 10000, rows[i].rate_per_s, "1 s",
                    rows[i].engine);
        TRIAL_MEAN(&trial, M_WAIT_MEAN, rows[i].wait_s, 0.02);
        TRIAL_MEAN(&trial, M_LATENCY_MEAN, 1 + rows[i].wait_s, 0.02);
        TRIAL_MEAN(&trial, M_GPU_USE, rows[i].busy, 0.02);
        trial_done(&trial);
    }
}

/* Batches of one are M/D/1: Wq = rho / (2 (1 - rho)) services. */
static void batches_of_one_are_a_single_server(void)
{
    struct trial trial;

    run_batches(&trial, 3111, 20000, 0.5, "1 s", "size: 1");
    TRIAL_MEAN(&trial, M_WAIT_MEAN, 0.5, 0.05);
    TRIAL_MEAN(&trial, M_GPU_USE, 0.5, 0.02);
    trial_done(&trial);
}

/* The i-th of K that come at rate r waits for K - i others: (K - 1) / (2 r) in
   the mean, when a service takes next to no time. */
static void a_batch_that_fills_takes_half_its_size(void)
{
    struct trial trial;

    run_batches(&trial, 3112, 5000, 4, "1 us", "size: 7, max_wait: 1 h");
    TRIAL_MEAN(&trial, M_WAIT_MEAN, 0.75, 0.03);
    trial_done(&trial);
}

/* The oldest waits w, and r w others come in that time, who wait w / 2 each:
   w (1 + r w / 2) / (1 + r w). */
static void a_batch_waits_for_its_oldest(void)
{
    struct trial trial;

    run_batches(&trial, 3113, 5000, 4, "1 us", "size: 1000, max_wait: 500 ms");
    TRIAL_MEAN(&trial, M_WAIT_MEAN, 0.5 * 2 / 3, 0.02);
    trial_done(&trial);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"bulk service waits as known", bulk_service_waits_as_known},
        {"batches of one are a single server",
         batches_of_one_are_a_single_server},
        {"a batch that fills takes half its size",
         a_batch_that_fills_takes_half_its_size},
        {"a batch waits for its oldest", a_batch_waits_for_its_oldest},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("batches", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
