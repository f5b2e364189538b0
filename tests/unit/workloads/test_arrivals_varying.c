/*
 * Arrivals whose rate changes: the integral of the rate over the gaps of a
 * Poisson process is exponential of mean 1, whatever the rate does.
 */
#include "workloads/arrivals.h"

#include "tests/check.h"
#include "tests/unit/workloads/ks.h"

#include <gsl/gsl_cdf.h>

enum { SAMPLE = 200000 };
#define SECOND INT64_C(1000000000)

static double sample[SAMPLE];

static double exponential_cdf(double x, const void *mean)
{
    return gsl_cdf_exponential_P(x, *(const double *)mean);
}

/* Expected arrivals from 0 to t seconds, found without the code under test. */
struct integral {
    double (*of)(double t, const struct arrivals_spec *spec);
};

static double sum_of_sine(double t, const struct arrivals_spec *spec)
{
    double period = 1e-9 * (double)spec->period_ns;
    double phase = 1e-9 * (double)spec->phase_ns;
    double turn = 2 * 3.14159265358979323846 / period;

    return spec->rate_per_s *
           (t + spec->amplitude / turn *
                    (cos(turn * phase) - cos(turn * (t + phase))));
}

static void check_gaps(const struct arrivals_spec *spec,
                       struct integral integral, uint64_t seed)
{
    struct arrivals arrivals;
    double before = 0, mean = 1;
    int64_t before_ns = 0;

    arrivals_init(&arrivals, spec, seed, 1);
    for (int i = 0; i < SAMPLE; i++) {
        int64_t at_ns = arrivals_next(&arrivals);
        double sum = integral.of(1e-9 * (double)at_ns, spec);

        CHECK(at_ns >= before_ns);
        before_ns = at_ns;
        sample[i] = sum - before;
        before = sum;
    }
    CHECK_NEAR(ks_distance(sample, SAMPLE, exponential_cdf, &mean), 0,
               KS_LIMIT);
}

static void sine_is_followed(void)
{
    struct arrivals_spec spec = {.process = ARRIVALS_DIURNAL,
                                 .rate_per_s = 3,
                                 .amplitude = 0.9,
                                 .period_ns = 50 * SECOND,
                                 .phase_ns = 130 * SECOND};

    check_gaps(&spec, (struct integral){sum_of_sine}, 101);
    spec.amplitude = 1;
    spec.phase_ns = 0;
    check_gaps(&spec, (struct integral){sum_of_sine}, 102);
}

/* --- points -------------------------------------------------------------- */

/* Of 10 s: 2/s at 1 s, 6/s at 3 s, a step to 1/s there, 4/s at 9 s; from there
   over the end to the first point, 2 s later. */
static const struct arrivals_point day[] = {
    {SECOND, 2}, {3 * SECOND, 6}, {3 * SECOND, 1}, {9 * SECOND, 4}};

static const double knots[][2] = {{0, 3}, {1, 2}, {3, 6},
                                  {3, 1}, {9, 4}, {10, 3}};

/* By trapezia; a whole day: 2.5 + 8 + 15 + 3.5 = 29. */
static double sum_of_day(double t, const struct arrivals_spec *spec)
{
    double days = floor(t / 10), into = t - 10 * days, sum = 29 * days;

    (void)spec;
    for (int i = 0; i < 5; i++) {
        double from = knots[i][0], to = knots[i + 1][0];
        double part = fmin(into, to) - from;
        double slope =
            to > from ? (knots[i + 1][1] - knots[i][1]) / (to - from) : 0;

        if (part > 0)
            sum += part * (knots[i][1] + 0.5 * slope * part);
    }
    return sum;
}

static struct arrivals_spec daily(void)
{
    return (struct arrivals_spec){.process = ARRIVALS_DIURNAL,
                                  .points = day,
                                  .point_count = 4,
                                  .period_ns = 10 * SECOND};
}

static void points_are_followed(void)
{
    struct arrivals_spec spec = daily();

    check_gaps(&spec, (struct integral){sum_of_day}, 103);
}

/* Before the first point its rate holds, behind the last one that one's: 2/s
   to 1 s, and 4/s from 9 s on. */
static double sum_once(double t, const struct arrivals_spec *spec)
{
    double within = t < 9 ? sum_of_day(t, spec) : sum_of_day(9, spec);

    if (t < 1)
        return 2 * t;
    return within - 0.5 + (t > 9 ? 4 * (t - 9) : 0);
}

static void points_without_period_hold_their_ends(void)
{
    struct arrivals_spec spec = daily();

    spec.period_ns = 0;
    check_gaps(&spec, (struct integral){sum_once}, 104);
}

/* Nothing comes where the rate is 0, and nothing at all behind a last 0. */
static void rates_of_zero_bring_nothing(void)
{
    static const struct arrivals_point points[] = {
        {0, 0}, {5 * SECOND, 0}, {5 * SECOND, 1000}, {6 * SECOND, 0}};
    struct arrivals_spec spec = {
        .process = ARRIVALS_DIURNAL, .points = points, .point_count = 4};
    struct arrivals arrivals;
    int64_t at_ns;
    int count = 0;

    arrivals_init(&arrivals, &spec, 1, 1);
    while ((at_ns = arrivals_next(&arrivals)) < INT64_MAX) {
        CHECK(at_ns >= 5 * SECOND && at_ns <= 6 * SECOND);
        count++;
    }
    CHECK(arrivals_next(&arrivals) == INT64_MAX);
    CHECK_NEAR(count, 500, KS_NORMAL_LIMIT * sqrt(500));
}

/* --- spikes -------------------------------------------------------------- */

/* Equal gaps of 1 s. From 10 s to 20 s they come four times as fast: at 10.25,
   10.5, ..., 20, then at 21. */
static void spike_plays_equal_gaps_faster(void)
{
    static const struct arrivals_spike spike = {10 * SECOND, 10 * SECOND, 0, 0,
                                                4};
    struct arrivals_spec spec = {.process = ARRIVALS_DETERMINISTIC,
                                 .rate_per_s = 1,
                                 .spikes = &spike,
                                 .spike_count = 1};
    struct arrivals arrivals;

    arrivals_init(&arrivals, &spec, 1, 1);
    for (int i = 1; i <= 10; i++)
        CHECK_INT(arrivals_next(&arrivals), i * SECOND);
    for (int i = 1; i <= 40; i++)
        CHECK_INT(arrivals_next(&arrivals), 10 * SECOND + i * SECOND / 4);
    CHECK_INT(arrivals_next(&arrivals), 21 * SECOND);
}

/* A ramp from 1 to 5 in 4 s: t seconds into it t + t^2 / 2 gaps have passed, so
   the k-th arrival is at sqrt(1 + 2 k) - 1: 1.2361 s for 2, 4 s for 12. Then 2
   s at five a second, and down again: 12 more by 10 s. Every 20 s. */
static void ramps_are_straight(void)
{
    static const struct arrivals_spike spike = {0, 10 * SECOND, 4 * SECOND,
                                                20 * SECOND, 5};
    struct arrivals_spec spec = {.process = ARRIVALS_DETERMINISTIC,
                                 .rate_per_s = 1,
                                 .spikes = &spike,
                                 .spike_count = 1};
    struct arrivals arrivals;
    int64_t at_ns = 0;

    arrivals_init(&arrivals, &spec, 1, 1);
    for (int k = 1; k <= 12; k++) {
        at_ns = arrivals_next(&arrivals);
        CHECK_NEAR(1e-9 * (double)at_ns, sqrt(1 + 2.0 * k) - 1, 2e-9);
    }
    for (int k = 1; k <= 10; k++)
        at_ns = arrivals_next(&arrivals);
    CHECK_NEAR(1e-9 * (double)at_ns, 6, 3e-9);
    for (int k = 1; k <= 12; k++)
        at_ns = arrivals_next(&arrivals);
    CHECK_NEAR(1e-9 * (double)at_ns, 10, 1e-8);
    for (int k = 1; k <= 10 + 12; k++)
        at_ns = arrivals_next(&arrivals);
    CHECK_NEAR(1e-9 * (double)at_ns, 24, 1e-7);
}

/* 2/s; from 5 s for 4 s every 10 s three times that, with a second one from 6 s
   for 1 s, once, that halves: what they add to 1 is 2 and -0.5. */
static double sum_of_spikes(double t, const struct arrivals_spec *spec)
{
    double rounds = floor(t / 10), into = t - 10 * rounds;
    double sum = t + 8 * rounds + 2 * fmin(fmax(into - 5, 0), 4);

    (void)spec;
    return 2 * (sum - 0.5 * fmin(fmax(t - 6, 0), 1));
}

static const struct arrivals_spike two_spikes[] = {
    {5 * SECOND, 4 * SECOND, 0, 10 * SECOND, 3},
    {6 * SECOND, 1 * SECOND, 0, 0, 0.5}};

static void spikes_add_up(void)
{
    struct arrivals_spec spec = {.process = ARRIVALS_POISSON,
                                 .rate_per_s = 2,
                                 .spikes = two_spikes,
                                 .spike_count = 2};

    check_gaps(&spec, (struct integral){sum_of_spikes}, 105);
}

/* Their gaps keep their law, on a clock that runs faster. */
static double gamma_cdf(double x, const void *shape)
{
    return gsl_cdf_gamma_P(x, *(const double *)shape,
                           1 / *(const double *)shape);
}

static void gamma_gaps_keep_their_law_in_spikes(void)
{
    struct arrivals_spec spec = {.process = ARRIVALS_GAMMA,
                                 .rate_per_s = 2,
                                 .cv = 2,
                                 .spikes = two_spikes,
                                 .spike_count = 2};
    struct arrivals arrivals;
    double before = 0, shape = 0.25;

    arrivals_init(&arrivals, &spec, 106, 1);
    for (int i = 0; i < 20000; i++) { /* few, as gaps below 1 ns are cut */
        double sum =
            sum_of_spikes(1e-9 * (double)arrivals_next(&arrivals), &spec);

        sample[i] = sum - before;
        before = sum;
    }
    CHECK_NEAR(ks_distance(sample, 20000, gamma_cdf, &shape), 0,
               KS_LIMIT + 0.5); /* one gap of 200 is below a nanosecond */
}

/* A pace of 0 for ever ends at the horizon and does not turn in circles. */
static void pace_of_zero_ends(void)
{
    static const struct arrivals_spike spike = {SECOND, SECOND, 0, SECOND, 0};
    struct arrivals_spec spec = {.process = ARRIVALS_POISSON,
                                 .rate_per_s = 100,
                                 .spikes = &spike,
                                 .spike_count = 1};
    struct arrivals arrivals;

    arrivals_init(&arrivals, &spec, 1, 1);
    arrivals.horizon_ns = 100000 * SECOND;
    for (int i = 0; i < 1000; i++) {
        int64_t at_ns = arrivals_next(&arrivals);

        CHECK(at_ns <= SECOND || at_ns == INT64_MAX);
    }
    CHECK(arrivals_next(&arrivals) == INT64_MAX);
}

/* --- states -------------------------------------------------------------- */

/* An interrupted Poisson process is renewal with hyperexponential gaps
   (Kuczura 1973): rates (s +- sqrt(s^2 - 4 l b)) / 2 with s = l + a + b, l the
   rate when on, a and b those of leaving on and off. */
static double ipp_cdf(double x, const void *context)
{
    const double *law = context; /* chance of the first phase, its rate, other
                                    rate */

    return law[0] * gsl_cdf_exponential_P(x, 1 / law[1]) +
           (1 - law[0]) * gsl_cdf_exponential_P(x, 1 / law[2]);
}

static void interrupted_poisson_is_hyperexponential(void)
{
    static const struct arrivals_state states[] = {{15, 2, NULL},
                                                   {0, 0.5, NULL}};
    struct arrivals_spec spec = {
        .process = ARRIVALS_MMPP, .states = states, .state_count = 2};
    struct arrivals arrivals;
    double l = 15, a = 0.5, b = 2, s = l + a + b;
    double root = sqrt(s * s - 4 * l * b), law[3];
    int64_t before_ns;

    law[1] = (s + root) / 2;
    law[2] = (s - root) / 2;
    law[0] = (l - law[2]) / (law[1] - law[2]);
    arrivals_init(&arrivals, &spec, 107, 1);
    before_ns = arrivals_next(&arrivals); /* the first gap is another */
    for (int i = 0; i < SAMPLE; i++) {
        int64_t at_ns = arrivals_next(&arrivals);

        sample[i] = 1e-9 * (double)(at_ns - before_ns);
        before_ns = at_ns;
    }
    CHECK_NEAR(ks_distance(sample, SAMPLE, ipp_cdf, law), 0, KS_LIMIT);
}

/* The first state comes from the stationary law: here 1 in 5 starts in the
   second, where the first arrival is a thousand times later. */
static void start_is_stationary(void)
{
    static const struct arrivals_state states[] = {{1000, 400, NULL},
                                                   {0.001, 100, NULL}};
    struct arrivals_spec spec = {
        .process = ARRIVALS_MMPP, .states = states, .state_count = 2};
    int late = 0;

    for (uint64_t replication = 1; replication <= 2000; replication++) {
        struct arrivals arrivals;

        arrivals_init(&arrivals, &spec, 108, replication);
        late += arrivals_next(&arrivals) > SECOND / 10;
    }
    CHECK_NEAR(late, 400, KS_NORMAL_LIMIT * sqrt(2000 * 0.2 * 0.8));
}

/* A ring 0 -> 1 -> 2 -> 0 left at 1, 2 and 4 a second: shares 4/7, 2/7, 1/7. */
static void shares_solve_the_chain(void)
{
    static const double from_0[] = {0, 1, 0}, from_1[] = {0, 0, 2},
                        from_2[] = {4, 0, 0}, nowhere[] = {0, 0, 0};
    struct arrivals_state states[] = {
        {10, 0, from_0}, {20, 0, from_1}, {70, 0, from_2}};
    struct arrivals_spec spec = {
        .process = ARRIVALS_MMPP, .states = states, .state_count = 3};
    double shares[3];
    struct arrivals_rates rates = arrivals_rates(&spec, INT64_MAX);

    CHECK(arrivals_state_shares(&spec, shares));
    CHECK_NEAR(shares[0], 4.0 / 7, 1e-15);
    CHECK_NEAR(shares[1], 2.0 / 7, 1e-15);
    CHECK_NEAR(shares[2], 1.0 / 7, 1e-15);
    CHECK_NEAR(rates.mean_per_s, (40 + 40 + 70) / 7.0, 1e-13);
    CHECK_NEAR(rates.peak_per_s, 70, 0);
    states[1].moves_per_s = nowhere;
    CHECK(!arrivals_state_shares(&spec, shares));
}

/* Counts in the long run, with moves of unequal rates. */
static void states_bring_their_mean(void)
{
    static const double from_0[] = {0, 1, 0.5}, from_1[] = {3, 0, 2},
                        from_2[] = {4, 0, 0};
    static const struct arrivals_state states[] = {
        {10, 0, from_0}, {20, 0, from_1}, {70, 0, from_2}};
    struct arrivals_spec spec = {
        .process = ARRIVALS_MMPP, .states = states, .state_count = 3};
    /* balance by hand: x1 = x0 / 5, 4 x2 = x0 / 2 + 2 x1, so x2 = 0.225 x0 */
    double mean = (10 + 4 + 70 * 0.225) / 1.425;
    double sum = 0, squares = 0;

    for (uint64_t replication = 1; replication <= 200; replication++) {
        struct arrivals arrivals;
        double count = 0;

        arrivals_init(&arrivals, &spec, 109, replication);
        while (arrivals_next(&arrivals) < 50 * SECOND)
            count++;
        sum += count / 50;
        squares += count / 50 * count / 50;
    }
    sum /= 200;
    CHECK_NEAR(sum, mean,
               KS_NORMAL_LIMIT * sqrt((squares / 200 - sum * sum) / 200));
    CHECK_NEAR(arrivals_rates(&spec, 1).mean_per_s, mean, 1e-12);
}

/* --- means --------------------------------------------------------------- */

static void check_rates(const struct arrivals_spec *spec, double duration_s,
                        double mean, double peak)
{
    int64_t duration_ns =
        isinf(duration_s) ? INT64_MAX : (int64_t)(duration_s * 1e9);
    struct arrivals_rates rates = arrivals_rates(spec, duration_ns);

    CHECK_NEAR(rates.mean_per_s, mean, 1e-9 * mean);
    CHECK_NEAR(rates.peak_per_s, peak, 0);
}

static void means_and_peaks_are_known(void)
{
    struct arrivals_spec sine = {.process = ARRIVALS_DIURNAL,
                                 .rate_per_s = 3,
                                 .amplitude = 0.5,
                                 .period_ns = 100 * SECOND};
    struct arrivals_spec points = daily();
    static const struct arrivals_spike ramped = {2 * SECOND, 4 * SECOND,
                                                 1 * SECOND, 10 * SECOND, 4};
    struct arrivals_spec spikes = {.process = ARRIVALS_POISSON,
                                   .rate_per_s = 2,
                                   .spikes = &ramped,
                                   .spike_count = 1};

    check_rates(&sine, 300, 3, 4.5);
    check_rates(&sine, INFINITY, 3, 4.5);
    check_rates(&sine, 50, sum_of_sine(50, &sine) / 50, 4.5);
    check_rates(&points, 40, 2.9, 6);
    check_rates(&points, 4, sum_of_day(4, &points) / 4, 6);
    check_rates(&points, 25, sum_of_day(25, &points) / 25, 6);
    check_rates(&points, INFINITY, 2.9, 6);
    points.period_ns = 0;
    check_rates(&points, 20, sum_once(20, &points) / 20, 6);
    check_rates(&points, 2, sum_once(2, &points) / 2, 4); /* half-way */
    check_rates(&points, INFINITY, 4, 6);
    /* three more for 3 s of every 10 s */
    check_rates(&spikes, INFINITY, 2 * 1.9, 8);
    check_rates(&spikes, 22, 2 * (1 + 18.0 / 22), 8);
    check_rates(&spikes, 1, 2, 2);
    spikes.spike_count = 0;
    check_rates(&spikes, 1, 2, 2);
    spikes.process = ARRIVALS_CLOSED;
    CHECK(isnan(arrivals_rates(&spikes, 1).mean_per_s));
}

/* 5/s that climb to 40/s in 600 s: the run may end there, or half-way up. */
static void a_climb_has_its_peak_at_its_end(void)
{
    static const struct arrivals_point up[] = {{0, 5}, {600 * SECOND, 40}};
    static const struct arrivals_point step[] = {
        {0, 5}, {600 * SECOND, 5}, {600 * SECOND, 40}};
    struct arrivals_spec spec = {
        .process = ARRIVALS_DIURNAL, .points = up, .point_count = 2};

    check_rates(&spec, 600, 22.5, 40);
    check_rates(&spec, 300, 13.75, 22.5);
    spec.points = step;
    spec.point_count = 3;
    check_rates(&spec, 600, 5, 5);
    check_rates(&spec, 601, (5 * 600 + 40) / 601.0, 40);
}

static void chance_is_told(void)
{
    struct arrivals_spec spec = {.process = ARRIVALS_DETERMINISTIC};

    CHECK(!arrivals_are_random(&spec));
    spec.process = ARRIVALS_MMPP;
    CHECK(arrivals_are_random(&spec));
    spec.process = ARRIVALS_CLOSED;
    CHECK(!arrivals_are_random(&spec));
    spec.think.kind = DIST_EXPONENTIAL;
    CHECK(arrivals_are_random(&spec));
}

int main(int argc, char **argv)
{
    CU_TestInfo timetable[] = {
        {"sine is followed", sine_is_followed},
        {"points are followed", points_are_followed},
        {"points without period hold their ends",
         points_without_period_hold_their_ends},
        {"rates of zero bring nothing", rates_of_zero_bring_nothing},
        {"means and peaks are known", means_and_peaks_are_known},
        {"a climb has its peak at its end", a_climb_has_its_peak_at_its_end},
        {"chance is told", chance_is_told},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo spikes[] = {
        {"spike plays equal gaps faster", spike_plays_equal_gaps_faster},
        {"ramps are straight", ramps_are_straight},
        {"spikes add up", spikes_add_up},
        {"gamma gaps keep their law in spikes",
         gamma_gaps_keep_their_law_in_spikes},
        {"pace of zero ends", pace_of_zero_ends},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo states[] = {
        {"interrupted Poisson is hyperexponential",
         interrupted_poisson_is_hyperexponential},
        {"start is stationary", start_is_stationary},
        {"shares solve the chain", shares_solve_the_chain},
        {"states bring their mean", states_bring_their_mean},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("arrivals_timetable", NULL, NULL, NULL, NULL, timetable),
        SUITE("arrivals_spikes", NULL, NULL, NULL, NULL, spikes),
        SUITE("arrivals_states", NULL, NULL, NULL, NULL, states),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
