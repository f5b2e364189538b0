/*
 * Sizes against tables: Erlang C summed directly, the function of Halfin and
 * Whitt (1981) solved with scipy, fluids stepped with Euler's method.
 */
#include "sim/cluster/staffing.h"

#include "tests/check.h"

static void tables_of_erlang(void)
{
    static const struct {
        double load, most;
        uint32_t servers;
        double probability;
        uint32_t by_root;
    } rows[] = {
        {1, 0.5, 2, 0.333333333333333, 2},
        {1, 0.2, 3, 0.0909090909090909, 3},
        {1, 0.05, 4, 0.0204081632653061, 3},
        {1, 0.01, 5, 0.00383141762452107, 4},
        {4, 0.5, 6, 0.28476084538376, 6},
        {4, 0.2, 7, 0.135110172846022, 7},
        {4, 0.05, 9, 0.0237578738558983, 8},
        {4, 0.01, 10, 0.00881472506708961, 9},
        {8, 0.5, 10, 0.409180150796444, 10},
        {8, 0.2, 12, 0.139841654516272, 12},
        {8, 0.05, 14, 0.0392801624659542, 13},
        {8, 0.01, 16, 0.00901880974215197, 15},
        {16, 0.5, 19, 0.3735689371541, 19},
        {16, 0.2, 21, 0.170891636582033, 21},
        {16, 0.05, 24, 0.0428353275930694, 23},
        {16, 0.01, 27, 0.00822584283376785, 26},
        {50, 0.5, 54, 0.473607733310265, 54},
        {50, 0.2, 58, 0.194431823555058, 58},
        {50, 0.05, 64, 0.0374514200254933, 63},
        {50, 0.01, 68, 0.0099436977519287, 67},
        {100, 0.5, 106, 0.445782626213274, 106},
        {100, 0.2, 111, 0.199787279888062, 111},
        {100, 0.05, 119, 0.041509703036054, 118},
        {100, 0.01, 125, 0.00986883360168044, 124},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        CHECK_UINT(staffing_for_probability(rows[i].load, rows[i].most),
                   rows[i].servers);
        CHECK_NEAR(staffing_wait_probability(rows[i].servers, rows[i].load),
                   rows[i].probability, 1e-12);
        CHECK_UINT(staffing_square_root(rows[i].load, rows[i].most),
                   rows[i].by_root);
    }
}

/* P99 of the wait at most half a mean service. */
static void sizes_for_a_percentile(void)
{
    static const double loads[] = {1, 4, 8, 16, 50, 100};
    static const uint32_t servers[] = {4, 8, 13, 22, 57, 108};

    for (int i = 0; i < 6; i++) {
        CHECK_UINT(staffing_for_wait(loads[i], 0.01, 0.5), servers[i]);
        CHECK_UINT(staffing_for_wait_beyond(loads[i], 0.01, 0.5, false),
                   servers[i]);
    }
}

/* Quantiles of M/M/c: at the 99th of the latency, one answer in a hundred is
   beyond it (the table's last two rows have c - a of 1.6 and 3.2). */
static void answers_beyond_a_time(void)
{
    static const struct {
        double servers, load, waits, p99;
    } rows[] = {
        {2, 1, 0.333333333333333, 5.665960683793},
        {2, 1.6, 0.711111111111111, 11.9373702360043},
        {4, 3.2, 0.5964324718, 6.893203749},
        {8, 6.4, 0.4576449254, 5.152181563},
        {16, 12.8, 0.3048839129, 4.734951575},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        CHECK_NEAR(staffing_beyond(rows[i].waits,
                                   rows[i].servers - rows[i].load, rows[i].p99),
                   0.01, 1e-10);
}

/* The same table read the other way: its c is the fewest for a bound just
   above its quantile, and not for one just below. */
static void fewest_for_a_latency(void)
{
    static const struct {
        uint32_t servers;
        double load, p99;
    } rows[] = {
        {2, 1, 5.665960683793},  {2, 1.8, 23.34443},
        {4, 3.6, 12.19316744},   {8, 7.2, 7.087347448},
        {16, 15.2, 7.216605625}, {64, 60.8, 4.842036253},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        CHECK_UINT(
            staffing_for_latency(rows[i].load, 0.01, rows[i].p99 + 1e-6, false),
            rows[i].servers);
        CHECK(staffing_for_latency(rows[i].load, 0.01, rows[i].p99 - 1e-6,
                                   false) > rows[i].servers);
    }
    /* exp(-4) of the services alone take longer than 4. */
    CHECK_UINT(staffing_for_latency(10, 0.01, 4, false), 0);
}

/* Mean waits of the same table: 4.2632 with 2 servers at 1.8, 0.0953 with 16 at
   12.8. Halfin and Whitt say for 100 erlangs what Erlang says. */
static void fewest_for_a_mean(void)
{
    CHECK_UINT(staffing_for_mean_wait(1.8, 4.2632, false), 2);
    CHECK_UINT(staffing_for_mean_wait(1.8, 4.2631, false), 3);
    CHECK_UINT(staffing_for_mean_wait(12.8, 0.0953, false), 16);
    CHECK_UINT(staffing_for_mean_wait(12.8, 0.0952, false), 17);
    CHECK_NEAR(staffing_halfin_whitt(0.506054468989181), 0.5, 1e-12);
    CHECK_NEAR(staffing_halfin_whitt(2.37488814753505), 0.01, 1e-12);
    CHECK_NEAR(staffing_halfin_whitt(0), 1, 0);
    for (double wait = 0.01; wait < 1; wait *= 2) {
        uint32_t exact = staffing_for_mean_wait(100, wait, false);
        uint32_t by_root = staffing_for_mean_wait(100, wait, true);

        CHECK(by_root <= exact && by_root + 1 >= exact);
    }
}

static void beta_of_halfin_and_whitt(void)
{
    CHECK_NEAR(staffing_beta(0.5), 0.506054468989181, 1e-12);
    CHECK_NEAR(staffing_beta(0.2), 1.06151627541872, 1e-12);
    CHECK_NEAR(staffing_beta(0.05), 1.7398362717905, 1e-12);
    CHECK_NEAR(staffing_beta(0.01), 2.37488814753505, 1e-12);
}

static void edges_of_sizes(void)
{
    CHECK_NEAR(staffing_wait_probability(0, 1), 1, 0);
    CHECK_NEAR(staffing_wait_probability(4, 4), 1, 0);
    CHECK_NEAR(staffing_wait_probability(4, 0), 0, 0);
    CHECK_UINT(staffing_for_probability(0, 0.5), 1);
    CHECK_UINT(staffing_square_root(0, 0.5), 1);
    CHECK_UINT(staffing_for_probability(4, 1), 5); /* 4 never catch up */
}

/* Peak 950 a second, 100 a second each, a fifth to spare: 11.4 nodes. */
static void plan_of_capacity(void)
{
    CHECK_UINT(staffing_nodes(950, 100, 1.2), 12);
    CHECK_UINT(staffing_nodes(950, 100, 1), 10);
    CHECK_UINT(staffing_nodes(1000, 100, 1.1), 11); /* not 12 for a bit */
    CHECK_UINT(staffing_nodes(1, 100, 1.2), 1);
}

static void backlog_of_a_cold_start(void)
{
    struct staffing_backlog small = staffing_backlog(10, 5, 12, 30);
    struct staffing_backlog large = staffing_backlog(150, 100, 200, 60);

    CHECK_NEAR(small.peak, 150, 1e-9);
    CHECK_NEAR(small.drain_s, 75, 1e-9);
    CHECK_NEAR(small.area_s, 7875, 1e-9);
    CHECK_NEAR(small.mean_delay_s, 7.5, 1e-9);
    CHECK_NEAR(large.peak, 3000, 1e-9);
    CHECK_NEAR(large.drain_s, 60, 1e-9);
    CHECK_NEAR(large.area_s, 180000, 1e-6);
    CHECK_NEAR(large.mean_delay_s, 10, 1e-9);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"tables of Erlang", tables_of_erlang},
        {"sizes for a percentile", sizes_for_a_percentile},
        {"answers beyond a time", answers_beyond_a_time},
        {"fewest for a latency", fewest_for_a_latency},
        {"fewest for a mean", fewest_for_a_mean},
        {"beta of Halfin and Whitt", beta_of_halfin_and_whitt},
        {"edges of sizes", edges_of_sizes},
        {"plan of capacity", plan_of_capacity},
        {"backlog of a cold start", backlog_of_a_cold_start},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("staffing", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };

    return check_main(argc, argv, suites);
}
