#include "workloads/arrivals.h"

#include "tests/check.h"
#include "tests/unit/workloads/ks.h"

#include <gsl/gsl_cdf.h>

enum { SAMPLE = 400000 };

static double gaps_s[SAMPLE];
static struct arrivals arrivals;

static void start(enum arrivals_process process, double rate_per_s, double cv)
{
    struct arrivals_spec spec = {
        .process = process, .rate_per_s = rate_per_s, .cv = cv};

    arrivals_init(&arrivals, &spec, 42, 1);
}

static void record_gaps(void)
{
    int64_t before_ns = 0;

    for (int i = 0; i < SAMPLE; i++) {
        int64_t at_ns = arrivals_next(&arrivals);

        CHECK(at_ns >= before_ns);
        gaps_s[i] = (double)(at_ns - before_ns) / 1e9;
        before_ns = at_ns;
    }
}

static double exponential_cdf(double x, const void *mean)
{
    return gsl_cdf_exponential_P(x, *(const double *)mean);
}

static void poisson_gaps_are_exponential(void)
{
    double mean = 0.1;

    start(ARRIVALS_POISSON, 10, 0);
    record_gaps();
    CHECK_NEAR(ks_distance(gaps_s, SAMPLE, exponential_cdf, &mean), 0,
               KS_LIMIT);
}

/* Shape and scale. */
static double gamma_cdf(double x, const void *context)
{
    const double *p = context;

    return gsl_cdf_gamma_P(x, p[0], p[1]);
}

/* cv below, at and above 1 take different ways. At a cv of 2 one gap of 2,000
   is below 1 ns and rounded, even though their mean is 10,000 s: far less than
   the test can see. */
static void gamma_gaps_have_their_law(void)
{
    static const double cvs[] = {0.2, 0.5, 1, 1.5, 2};

    for (size_t i = 0; i < sizeof cvs / sizeof *cvs; i++) {
        double shape = 1 / (cvs[i] * cvs[i]);
        double law[] = {shape, 10000 / shape};

        start(ARRIVALS_GAMMA, 1e-4, cvs[i]);
        record_gaps();
        CHECK_NEAR(ks_distance(gaps_s, SAMPLE, gamma_cdf, law), 0, KS_LIMIT);
    }
}

/* Variance over mean of the counts in windows of the given length. */
static double dispersion(int64_t window_ns, int windows)
{
    double sum = 0, squares = 0;
    int64_t at_ns = arrivals_next(&arrivals);

    for (int i = 1; i <= windows; i++) {
        double count = 0;

        for (; at_ns < i * window_ns; at_ns = arrivals_next(&arrivals))
            count++;
        sum += count;
        squares += count * count;
    }

    double mean = sum / windows;
    return (squares / windows - mean * mean) / mean;
}

/* The index of dispersion of a sample of n windows has a deviation of about
   sqrt(2/n) of itself. */
static void poisson_counts_are_dispersed_as_1(void)
{
    enum { WINDOWS = 20000 };

    start(ARRIVALS_POISSON, 50, 0);
    CHECK_NEAR(dispersion(1000000000, WINDOWS), 1,
               KS_NORMAL_LIMIT * sqrt(2.0 / WINDOWS));
}

/* It tends to cv^2 in long windows (Cox, Renewal Theory, 1962, section 4.2);
   with 500 gaps a window the rest is below 1 %. */
static void gamma_counts_are_dispersed_as_cv_squared(void)
{
    enum { WINDOWS = 2000 };
    static const double cvs[] = {0.5, 2};

    for (size_t i = 0; i < sizeof cvs / sizeof *cvs; i++) {
        double square = cvs[i] * cvs[i];

        start(ARRIVALS_GAMMA, 500, cvs[i]);
        CHECK_NEAR(dispersion(1000000000, WINDOWS), square,
                   square * (KS_NORMAL_LIMIT * sqrt(2.0 / WINDOWS) + 0.01));
    }
}

/* Over n gaps the mean gap has a deviation of cv / sqrt(n). */
static void rates_are_as_asked(void)
{
    static const struct arrivals_spec specs[] = {
        {.process = ARRIVALS_POISSON, .rate_per_s = 12, .cv = 1},
        {.process = ARRIVALS_POISSON, .rate_per_s = 250000, .cv = 1},
        {.process = ARRIVALS_GAMMA, .rate_per_s = 12, .cv = 2.5},
        {.process = ARRIVALS_GAMMA, .rate_per_s = 12, .cv = 0.1},
    };

    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        arrivals_init(&arrivals, &specs[i], 7, 3);
        record_gaps();
        CHECK_NEAR((double)arrivals.now_ns / 1e9 * specs[i].rate_per_s / SAMPLE,
                   1, KS_NORMAL_LIMIT * specs[i].cv / sqrt(SAMPLE));
        CHECK_UINT(arrivals.count, SAMPLE);
    }
}

/* The k-th at k * divisor / dividend s, by integer arithmetic. */
static void check_equal_gaps(double rate_per_s, int64_t dividend,
                             int64_t divisor)
{
    int64_t wrong = 0;

    start(ARRIVALS_DETERMINISTIC, rate_per_s, 0);
    for (int64_t k = 1; k <= 1000000; k++) {
        int64_t twice_ns = 2 * k * 1000000000 * divisor;

        wrong +=
            arrivals_next(&arrivals) != (twice_ns + dividend) / (2 * dividend);
    }
    CHECK_INT(wrong, 0);
}

static void equal_gaps_do_not_drift(void)
{
    check_equal_gaps(1, 1, 1);
    check_equal_gaps(12, 12, 1);
    check_equal_gaps(7, 7, 1);
    check_equal_gaps(12.5, 25, 2);
    check_equal_gaps(0.5, 1, 2);
    check_equal_gaps(1000000000, 1000000000, 1);
    check_equal_gaps(3e9, 3000000000, 1); /* three in a ns */
}

/* 0.1 is no binary number, but its nearest double is 10 s to 2^-54: after a
   million arrivals that makes half a ns at most. */
static void equal_gaps_of_uneven_rates_do_not_drift(void)
{
    start(ARRIVALS_DETERMINISTIC, 0.1, 0);
    for (int64_t k = 1; k <= 1000000; k++)
        CHECK_NEAR((double)(arrivals_next(&arrivals) - k * 10000000000), 0, 1);
}

static void slowest_rates_never_arrive(void)
{
    start(ARRIVALS_DETERMINISTIC, 1e-11, 0);
    CHECK_INT(arrivals_next(&arrivals), INT64_MAX);
    CHECK_INT(arrivals_next(&arrivals), INT64_MAX);
    start(ARRIVALS_POISSON, 1e-12, 0);
    CHECK_INT(arrivals_next(&arrivals), INT64_MAX);
    CHECK_INT(arrivals_next(&arrivals), INT64_MAX);
}

/* 2^63 ns are 9.2e18: at 1e-9 per s the ninth arrival fits, the tenth not. That
   rate is no binary number, so the ninth is known to 9e18 / 2^53. */
static void arrivals_end_where_time_does(void)
{
    start(ARRIVALS_DETERMINISTIC, 1e-9, 0);
    for (int64_t k = 1; k <= 9; k++)
        CHECK_NEAR((double)arrivals_next(&arrivals), (double)k * 1e18, 2000);
    CHECK_INT(arrivals_next(&arrivals), INT64_MAX);
    CHECK_INT(arrivals_next(&arrivals), INT64_MAX);

    start(ARRIVALS_POISSON, 1e-9, 0);
    for (int i = 0; i < 100; i++)
        CHECK(arrivals_next(&arrivals) >= 0);
    CHECK_INT(arrivals_next(&arrivals), INT64_MAX);
}

static int64_t tenth_arrival(uint64_t seed, uint64_t replication)
{
    struct arrivals_spec spec = {.process = ARRIVALS_POISSON, .rate_per_s = 10};

    arrivals_init(&arrivals, &spec, seed, replication);
    for (int i = 0; i < 9; i++)
        arrivals_next(&arrivals);
    return arrivals_next(&arrivals);
}

static void seed_and_replication_decide(void)
{
    CHECK_INT(tenth_arrival(1, 1), tenth_arrival(1, 1));
    CHECK(tenth_arrival(1, 1) != tenth_arrival(2, 1));
    CHECK(tenth_arrival(1, 1) != tenth_arrival(1, 2));
}

static void names_are_those_users_write(void)
{
    CHECK_TEXT(arrivals_process_names[ARRIVALS_POISSON], "poisson");
    CHECK_TEXT(arrivals_process_names[ARRIVALS_DETERMINISTIC], "deterministic");
    CHECK_TEXT(arrivals_process_names[ARRIVALS_GAMMA], "gamma");
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"poisson gaps are exponential", poisson_gaps_are_exponential},
        {"gamma gaps have their law", gamma_gaps_have_their_law},
        {"poisson counts are dispersed as 1",
         poisson_counts_are_dispersed_as_1},
        {"gamma counts are dispersed as cv squared",
         gamma_counts_are_dispersed_as_cv_squared},
        {"rates are as asked", rates_are_as_asked},
        {"equal gaps do not drift", equal_gaps_do_not_drift},
        {"equal gaps of uneven rates do not drift",
         equal_gaps_of_uneven_rates_do_not_drift},
        {"slowest rates never arrive", slowest_rates_never_arrive},
        {"arrivals end where time does", arrivals_end_where_time_does},
        {"seed and replication decide", seed_and_replication_decide},
        {"names are those users write", names_are_those_users_write},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("arrivals", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
