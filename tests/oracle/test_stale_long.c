/*
 * Old information, every known value; test_stale.c has the quick ones and names
 * the sources.
 */
#include "tests/oracle/stale.h"

#define REPLICATIONS 20

/* --- eight nodes, load 0.8: the snapshot's age -----------------------------
 */

/* Published with a tolerance of 10 % (llm-d-router #1598, #298). */
static void snapshots_of_eight_nodes(void)
{
    static const struct {
        double period_s, shortest;
    } rows[] = {{0, 1.45}, {0.5, 2.1}, {1, 2.8}, {2, 4.1}, {4, 6.4}, {8, 10.9}};
    double two = 0;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct trial trial;
        double value = rows[i].shortest;

        stale_load(&trial, 2401, 20000, 8, 0.8, rows[i].period_s);
        stale_run(&trial, STALE_SHORTEST, REPLICATIONS);
        TRIAL_BIASED(&trial, M_LATENCY_MEAN, value, 0.1 * value, 0.1 * value);
        CHECK((trial_mean(&trial, M_LATENCY_MEAN) > 5) ==
              (rows[i].period_s >= 4));
        stale_run(&trial, STALE_OWN_COUNTED, REPLICATIONS);
        CHECK(trial_mean(&trial, M_LATENCY_MEAN) < 2.4);
        stale_run(&trial, STALE_TWO, REPLICATIONS);
        CHECK(trial_mean(&trial, M_LATENCY_MEAN) > two); /* gently worse */
        two = trial_mean(&trial, M_LATENCY_MEAN);
        if (rows[i].period_s == 0)
            TRIAL_BIASED(&trial, M_LATENCY_MEAN, 2.1, 0.21, 0.2);
        trial_done(&trial);
    }
    CHECK_NEAR(two, 3.8, 0.38);
}

static void blind_choice_is_one_queue_each(void)
{
    struct trial trial;

    stale_load(&trial, 2402, 40000, 8, 0.8, 1);
    stale_run(&trial, STALE_RANDOM, REPLICATIONS);
    TRIAL_MEAN(&trial, M_LATENCY_MEAN, 5, 0.03);
    trial_done(&trial);
}

/* --- a hundred nodes -------------------------------------------------------
 */

struct posted {
    double period_s, load, value, half_width_95;
};

static void check_posted(const struct posted *rows, size_t count,
                         enum stale_policy policy, double seconds,
                         double widest)
{
    for (size_t i = 0; i < count; i++) {
        struct trial trial;

        stale_load(&trial, 2403 + (unsigned)i, seconds, 100, rows[i].load,
                   rows[i].period_s);
        stale_run(&trial, policy, REPLICATIONS);
        TRIAL_TWO_SAMPLES(&trial, M_LATENCY_MEAN, rows[i].value,
                          rows[i].half_width_95, widest);
        trial_done(&trial);
    }
}

static void two_choices_of_a_hundred(void)
{
    static const struct posted rows[] = {
        {0.5, 0.5, 1.36205, 0.0016}, {0.5, 0.9, 2.82202, 0.011},
        {1, 0.5, 1.43752, 0.0018},   {1, 0.9, 2.97551, 0.011},
        {5, 0.5, 1.81119, 0.0033},   {5, 0.9, 4.01908, 0.017},
        {10, 0.5, 2.07556, 0.0041},  {10, 0.9, 5.11748, 0.021},
        {50, 0.5, 2.81736, 0.008},   {50, 0.9, 12.5438, 0.048},
    };

    check_posted(rows, sizeof rows / sizeof *rows, STALE_TWO, 4000, 0.02);
}

static void shortest_of_a_hundred(void)
{
    static const struct posted rows[] = {
        {0.1, 0.9, 1.55544, 0.0067}, {0.5, 0.9, 2.82246, 0.017},
        {1, 0.9, 4.0291, 0.024},     {2, 0.9, 6.14357, 0.044},
        {5, 0.9, 12.1333, 0.13},     {10, 0.9, 23.4536, 0.3},
    };

    check_posted(rows, sizeof rows / sizeof *rows, STALE_SHORTEST, 4000, 0.04);
}

/* --- eight nodes of eight slots, by the age of reports ----------------------
 */

/*
 * The other program reports uses of the moment, and this one means over the
 * interval: it found 2.13 for 2.01 at 1 s then, so up to 7 % more are right,
 * and 3 % either way for chance. Without reports the two programs agree: 0.60
 * +- 0.01. Where counts are normalised, the way of reporting matters more (1.94
 * for 1.65), so there only the order is checked.
 */
static void herd_by_the_age_of_reports(void)
{
    static const struct {
        const char *interval;
        double plain, raw, two;
    } rows[] = {
        {"100 ms", 0.58, 0.52, 0.53}, {"200 ms", 0.70, 0.52, 0.53},
        {"500 ms", 1.16, 0.53, 0.56}, {"1 s", 2.01, 0.53, 0.60},
        {"2 s", 3.84, 0.53, 0.69},    {"5 s", 9.56, 0.53, 0.97},
        {"10 s", 19.0, 0.53, 1.45},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct trial trial;
        struct trial_estimate random, plain, normalised;

        herd_load(&trial, 2420, 600, rows[i].interval);
        random = herd_mean(&trial, HERD_RANDOM, 10);
        CHECK_NEAR(random.mean, 0.60, 0.02);
        plain = herd_mean(&trial, HERD_PLAIN, 10);
        CHECK_NEAR(plain.mean, 1.035 * rows[i].plain, 0.065 * rows[i].plain);
        CHECK_NEAR(herd_mean(&trial, HERD_RAW, 10).mean, rows[i].raw, 0.015);
        CHECK(trial_mean(&trial, M_LATENCY_MEAN) < random.mean - 0.05);
        CHECK_NEAR(herd_mean(&trial, HERD_TWO, 10).mean, 1.035 * rows[i].two,
                   0.065 * rows[i].two);
        normalised = herd_mean(&trial, HERD_NORMALISED, 10);
        CHECK(normalised.mean < plain.mean);
        CHECK((normalised.mean > random.mean) == (i >= 1));
        trial_done(&trial);
    }
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"snapshots of eight nodes", snapshots_of_eight_nodes},
        {"blind choice is one queue each", blind_choice_is_one_queue_each},
        {"two choices of a hundred", two_choices_of_a_hundred},
        {"shortest of a hundred", shortest_of_a_hundred},
        {"herd by the age of reports", herd_by_the_age_of_reports},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("old information long", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
