/*
 * Result caches against theory: keys by Zipf's law, every answer of unit size
 * and kept at the miss, and nodes so wide that nobody waits. Key k of K has
 * weight k^-alpha.
 */
#include "tests/oracle/harness.h"

#define REPLICATIONS 10

static bool run_caches(struct trial *trial, unsigned seed, unsigned requests,
                       unsigned nodes, unsigned capacity, unsigned keys,
                       double alpha, const char *policy)
{
    return trial_load(trial,
                      "lbsim: 1\n"
                      "duration: %u ms\n"
                      "warm_up: 20 %%\n"
                      "seed: %u\n"
                      "workload:\n"
                      "  arrivals: {process: deterministic, rate: 1000/s}\n"
                      "  work: {dist: constant, value: 0.1 ms}\n"
                      "  keys: {dist: zipf, exponent: %.1f, distinct: %u}\n"
                      "nodes: [{group: n, count: %u, engine: {slots: 100},\n"
                      "  result_cache: {entries: %u, fill: at_miss, hit_time: "
                      "0 s}}]\n"
                      "policies: [%s]\n",
                      requests, seed, alpha, keys, nodes, capacity, policy) &&
           trial_run(trial, REPLICATIONS);
}

/* King 1971, by enumerating all ordered contents; 50 keys by the integral of
   Flajolet, Gardy & Thimonier 1992. */
static void lru_exactly(void)
{
    static const struct {
        unsigned keys, capacity;
        double alpha, hits;
    } cases[] = {
        {4, 2, 1.0, 0.6038454177},  {6, 2, 1.0, 0.4605028257},
        {6, 3, 0.8, 0.5916387954},  {7, 3, 1.2, 0.6372605689},
        {50, 5, 1.0, 0.3222853497}, {50, 10, 0.8, 0.3879290533},
    };

    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct trial trial;

        run_caches(&trial, 3001 + i, 100000, 1, cases[i].capacity,
                   cases[i].keys, cases[i].alpha, "random");
        TRIAL_MEAN(&trial, M_RESULT_HIT, cases[i].hits, 0.015);
        trial_done(&trial);
    }
}

/* Che, Tung & Wang 2002: sum of p_i (1 - exp(-p_i t)), sum of (1 - exp(-p_i
   t)) = C. Its bias for 50 entries and more is below 0.001. */
static void lru_by_che(void)
{
    static const struct {
        unsigned keys, capacity;
        double alpha, hits;
    } cases[] = {
        {1000, 50, 0.8, 0.2616191525},    {1000, 100, 1.0, 0.5765246162},
        {10000, 100, 1.0, 0.3905254854},  {10000, 1000, 0.8, 0.4366597222},
        {10000, 1000, 1.2, 0.8614348032}, {100000, 1000, 0.9, 0.3420611651},
    };

    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct trial trial;

        run_caches(&trial, 3011 + i, 100000, 1, cases[i].capacity,
                   cases[i].keys, cases[i].alpha, "random");
        TRIAL_BIASED(&trial, M_RESULT_HIT, cases[i].hits, 0.001, 0.004);
        trial_done(&trial);
    }
}

/* Spreading thins the stream of each cache but not its law: the hits of one
   cache, however many there are. */
static void spreading_wins_nothing(void)
{
    static const char *const policies[] = {"random", "round_robin",
                                           "least_conn"};

    for (unsigned i = 0; i < 3; i++) {
        struct trial trial;

        run_caches(&trial, 3021 + i, 100000, 4, 100, 10000, 1.0, policies[i]);
        TRIAL_BIASED(&trial, M_RESULT_HIT, 0.3905254854, 0.001, 0.004);
        trial_done(&trial);
    }
}

/*
 * Affinity makes four caches one of four times the size, Che(N C), for equal
 * shares of the keys. A ring of 1000 points a node has shares that vary by 3 %
 * of themselves (Beta law), which shifts hits in the second order only: less
 * than 0.002 beside the bias of Che's formula.
 */
static void affinity_multiplies_the_cache(void)
{
    static const struct {
        unsigned nodes, capacity;
        double alpha, hits;
    } cases[] = {
        {2, 100, 1.0, 0.4736041362},
        {4, 100, 1.0, 0.5587829397},
        {4, 500, 0.8, 0.5677076676},
        {8, 500, 0.8, 0.7310844616},
    };

    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct trial trial;

        run_caches(&trial, 3031 + i, 100000, cases[i].nodes, cases[i].capacity,
                   10000, cases[i].alpha, "ring_hash: {replicas: 1000}");
        TRIAL_BIASED(&trial, M_RESULT_HIT, cases[i].hits, 0.003, 0.008);
        trial_done(&trial);
    }
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"LRU exactly", lru_exactly},
        {"LRU by Che's formula", lru_by_che},
        {"spreading wins nothing", spreading_wins_nothing},
        {"affinity multiplies the cache", affinity_multiplies_the_cache},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("caches", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
