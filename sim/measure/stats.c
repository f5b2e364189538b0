#include "sim/measure/stats.h"

#include <assert.h>
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef unsigned __int128 wide;

/*
 * Running mean and sum of squared deviations. Welford, "Note on a method for
 * calculating corrected sums of squares and products", Technometrics 4(3),
 * 1962: nothing cancels when the mean is large, and equal values give exactly
 * their value and 0, on which the rules for constant differences and constant
 * batch means rest.
 */
struct moments {
    size_t n;
    double mean, squares;
};

static void add_to_moments(struct moments *moments, double value)
{
    double deviation = value - moments->mean;

    moments->n++;
    moments->mean += deviation / (double)moments->n;
    moments->squares += deviation * (value - moments->mean);
}

static double variance_of(const struct moments *moments)
{
    if (moments->n < 2)
        return NAN;
    return moments->squares / (double)(moments->n - 1);
}

/*
 * Sum that carries the rounding errors along. Neumaier, "Rundungsfehleranalyse
 * einiger Verfahren zur Summation endlicher Summen", ZAMM 54, 1974.
 */
static double sum_of(const double *values, size_t n)
{
    double sum = 0, lost = 0;

    for (size_t i = 0; i < n; i++) {
        double next = sum + values[i];

        if (fabs(sum) >= fabs(values[i]))
            lost += (sum - next) + values[i];
        else
            lost += (values[i] - next) + sum;
        sum = next;
    }
    return sum + lost;
}

double stats_mean(const double *values, size_t n)
{
    return n > 0 ? sum_of(values, n) / (double)n : NAN;
}

static struct moments moments_of(const double *values, size_t n)
{
    struct moments moments = {0};

    for (size_t i = 0; i < n; i++)
        add_to_moments(&moments, values[i]);
    return moments;
}

double stats_variance(const double *values, size_t n)
{
    struct moments moments = moments_of(values, n);

    return variance_of(&moments);
}

double stats_sd(const double *values, size_t n)
{
    return sqrt(stats_variance(values, n));
}

/*
 * With q = m / 2^e, m an integer of 53 bits, the reals that round to q begin
 * at (2 m - 1) / 2^(e + 1). The rank is computed from that one, exactly.
 */
uint64_t stats_nearest_rank(double q, uint64_t n)
{
    int exponent;

    assert(q > 0 && q <= 1);
    assert(n > 0);
    uint64_t m = (uint64_t)ldexp(frexp(q, &exponent), 53);
    int shift = 54 - exponent; /* 53 at least, as q <= 1 */
    wide product = (wide)(2 * m - 1) * n;

    if (shift > 120) /* product < 2^118: q n is less than 1 by far */
        return 1;
    return (uint64_t)((product + ((wide)1 << shift) - 1) >> shift);
}

bool stats_quantile_is_weak(double q, uint64_t n)
{
    return n == 0 || stats_nearest_rank(q, n) == n;
}

double stats_quantile_sorted(const double *sorted, size_t n, double q)
{
    return n > 0 ? sorted[stats_nearest_rank(q, n) - 1] : NAN;
}

double stats_cv_population(const double *values, size_t n)
{
    struct moments moments = moments_of(values, n);

    if (n == 0 || moments.mean == 0)
        return NAN;
    return sqrt(moments.squares / (double)n) / moments.mean;
}

double stats_jain(const double *values, size_t n)
{
    double sum = sum_of(values, n);
    double squares = 0;

    for (size_t i = 0; i < n; i++)
        squares += values[i] * values[i];
    return sum > 0 ? sum * sum / ((double)n * squares) : NAN;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;

    return (x > y) - (x < y);
}

double stats_gini(const double *values, size_t n)
{
    double sum = sum_of(values, n);
    double weighted = 0;

    if (!(sum > 0))
        return NAN;

    double *sorted = malloc(n * sizeof *sorted);

    if (!sorted)
        return NAN;
    memcpy(sorted, values, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, ascending);
    /* Of all pairs, value i from 0 is the larger in i, the smaller in the
       other n - 1 - i: its weight in the sum of differences. */
    for (size_t i = 0; i < n; i++)
        weighted += ((double)i - (double)(n - 1 - i)) * sorted[i];
    free(sorted);
    return weighted / ((double)n * sum);
}

double stats_max_over_mean(const double *values, size_t n)
{
    double sum = sum_of(values, n);
    double max = 0;

    for (size_t i = 0; i < n; i++)
        max = values[i] > max ? values[i] : max;
    return sum > 0 ? max / (sum / (double)n) : NAN;
}

/*
 * GSL calls its error handler, which ends the program, when its search for a
 * quantile does not converge. That happens for tails below 1e-43 and for
 * fractional degrees of freedom below 1, so these stay out.
 */
double stats_t_quantile(double p, double df)
{
    if (!(p >= 1e-40 && p < 1 && df >= 1 && df <= 1e9))
        return NAN;
    return gsl_cdf_tdist_Pinv(p, df);
}

double stats_t_two_sided_p(double t, double df)
{
    if (isnan(t) || !(df >= 1))
        return NAN;
    if (isinf(t))
        return 0;
    return 2 * gsl_cdf_tdist_Q(fabs(t), df);
}

double stats_normal_quantile(double p)
{
    return p > 0 && p < 1 ? gsl_cdf_ugaussian_Pinv(p) : NAN;
}

static struct stats_interval interval_of(double mean, double variance, size_t n,
                                         double confidence)
{
    struct stats_interval interval = {mean, NAN, NAN, n};

    if (n >= 2) {
        double t = stats_t_quantile(1 - (1 - confidence) / 2, (double)(n - 1));
        double half_width = t * sqrt(variance / (double)n);

        interval.lo = mean - half_width;
        interval.hi = mean + half_width;
    }
    return interval;
}

struct stats_interval stats_t_interval(const double *values, size_t n,
                                       double confidence)
{
    return interval_of(stats_mean(values, n), stats_variance(values, n), n,
                       confidence);
}

/*
 * P(B <= k) for B binomial. Sums the probabilities on either side of k as
 * multiples of that of k itself, from there outwards: neighbours differ by a
 * simple factor, so no factorial is needed and no precision lost. Each side
 * rises at most once and then falls for good, so it ends when a term no longer
 * counts or the sum is infinite, which says that k is far out in the other
 * tail. About 20 standard deviations of steps; the continued fraction of
 * gsl_cdf_binomial_P, in contrast, gives up for n from about 1e8 on.
 */
static double binomial_cdf(uint64_t k, uint64_t n, double p)
{
    const double negligible = 1e-20;
    double odds = p / (1 - p);
    double below = 1, above = 0; /* below includes k */
    double term = 1;

    if (k >= n)
        return 1;
    for (uint64_t i = k; i > 0 && term > below * negligible; i--) {
        term *= (double)i / ((double)(n - i + 1) * odds);
        below += term;
    }
    term = 1;
    for (uint64_t i = k; i < n && term > above * negligible; i++) {
        term *= (double)(n - i) * odds / (double)(i + 1);
        above += term;
    }
    return 1 / (1 + above / below);
}

/* The largest r of 0 to n with P(B <= r - 1) <= tail. */
static uint64_t rank_below(double q, uint64_t n, double tail)
{
    /* So many standard deviations below the mean it mostly is. */
    static const double usual[] = {1.8, 2.2, 3};
    double mean = (double)n * q, deviation = sqrt(mean * (1 - q));
    uint64_t lo = 0, hi = n;

    for (size_t i = 0; lo < hi; i++) {
        double guess =
            i < sizeof usual / sizeof *usual ? mean - usual[i] * deviation : 0;
        bool is_within = guess > (double)lo && guess < (double)hi;
        uint64_t middle =
            is_within ? (uint64_t)ceil(guess) : hi - (hi - lo) / 2;

        if (binomial_cdf(middle - 1, n, q) <= tail)
            lo = middle;
        else
            hi = middle - 1;
    }
    return lo;
}

void stats_quantile_ci_ranks(double q, uint64_t n, double confidence,
                             uint64_t *ret_lo, uint64_t *ret_hi)
{
    double tail = (1 - confidence) / 2;

    assert(q > 0 && q < 1);
    assert(confidence > 0 && confidence < 1);
    /* Counted from the top, the upper rank is the lower one of 1 - q. */
    uint64_t from_top = rank_below(1 - q, n, tail);

    *ret_lo = rank_below(q, n, tail);
    *ret_hi = from_top > 0 ? n + 1 - from_top : 0;
}

double stats_sign_test_p(uint64_t better, uint64_t worse)
{
    uint64_t fewer = better < worse ? better : worse;

    return fmin(1, 2 * binomial_cdf(fewer, better + worse, 0.5));
}

/* Index of the smallest p that is not adjusted yet; n when there is none. */
static size_t next_smallest(const double *p, const double *adjusted, size_t n)
{
    size_t best = n;

    for (size_t i = 0; i < n; i++)
        if (isnan(adjusted[i]) && !isnan(p[i]) && (best == n || p[i] < p[best]))
            best = i;
    return best;
}

void stats_step_down(const double *p, const double *levels, double alpha,
                     double *ret_adjusted, size_t n)
{
    size_t left = 0;
    double floor = 0; /* what the smaller p were adjusted to */

    for (size_t i = 0; i < n; i++) {
        ret_adjusted[i] = NAN;
        if (!isnan(p[i]))
            left++;
    }
    for (; left > 0; left--) {
        size_t i = next_smallest(p, ret_adjusted, n);
        double factor = levels ? alpha / levels[left - 1] : (double)left;

        floor = fmax(floor, fmin(1, factor * p[i]));
        ret_adjusted[i] = floor;
    }
}

void stats_holm(const double *p, double *ret_adjusted, size_t n)
{
    stats_step_down(p, NULL, 1, ret_adjusted, n);
}

static double paired_p(const struct moments *difference)
{
    double n = (double)difference->n;

    if (difference->n < 2)
        return NAN;
    if (difference->squares == 0)
        return difference->mean == 0 ? 1 : 0;
    return stats_t_two_sided_p(
        difference->mean / sqrt(variance_of(difference) / n), n - 1);
}

struct stats_paired stats_paired_t(const double *old_values,
                                   const double *new_values, size_t n,
                                   double confidence)
{
    struct moments difference = {0};

    for (size_t i = 0; i < n; i++)
        add_to_moments(&difference, new_values[i] - old_values[i]);
    return (struct stats_paired){
        .difference = interval_of(n > 0 ? difference.mean : NAN,
                                  variance_of(&difference), n, confidence),
        .p = paired_p(&difference),
    };
}

double stats_pairing_gain(const double *old_values, const double *new_values,
                          size_t n)
{
    struct moments difference = {0};

    for (size_t i = 0; i < n; i++)
        add_to_moments(&difference, new_values[i] - old_values[i]);
    if (n < 2 || difference.squares == 0)
        return NAN;
    return sqrt(
        (stats_variance(old_values, n) + stats_variance(new_values, n)) /
        variance_of(&difference));
}

/* Degrees of freedom of a sum of two variances of means (Welch-Satterthwaite).
 */
static double welch_df(double old_share, size_t old_n, double new_share,
                       size_t new_n)
{
    double sum = old_share + new_share;

    return sum * sum /
           (old_share * old_share / (double)(old_n - 1) +
            new_share * new_share / (double)(new_n - 1));
}

struct stats_welch stats_welch_t(const double *old_values, size_t old_n,
                                 const double *new_values, size_t new_n,
                                 double confidence)
{
    double mean = stats_mean(new_values, new_n) - stats_mean(old_values, old_n);
    struct stats_welch welch = {
        {mean, NAN, NAN, old_n < new_n ? old_n : new_n}, NAN, NAN};

    if (old_n < 2 || new_n < 2)
        return welch;

    double old_share = stats_variance(old_values, old_n) / (double)old_n;
    double new_share = stats_variance(new_values, new_n) / (double)new_n;
    double error = sqrt(old_share + new_share);

    if (error == 0) { /* two constants */
        welch.difference.lo = welch.difference.hi = mean;
        welch.p = mean == 0 ? 1 : 0;
        return welch;
    }
    welch.df = welch_df(old_share, old_n, new_share, new_n);

    double half = stats_t_quantile(1 - (1 - confidence) / 2, welch.df) * error;

    welch.difference.lo = mean - half;
    welch.difference.hi = mean + half;
    welch.p = stats_t_two_sided_p(mean / error, welch.df);
    return welch;
}

uint64_t stats_pairs_needed(double sd, double effect, double alpha,
                            double power)
{
    double z = stats_normal_quantile(1 - alpha / 2);
    double ratio = (z + stats_normal_quantile(power)) * sd / effect;
    double pairs = ceil(ratio * ratio + z * z / 2);

    if (sd == 0 && effect != 0)
        return 2;
    if (!(pairs < 0x1p63)) /* endless, or not a number */
        return UINT64_MAX;
    return pairs > 2 ? (uint64_t)pairs : 2;
}

size_t stats_mser5(const double *values, size_t n, bool *ret_reliable)
{
    const size_t batch = 5;
    size_t batches = n / batch;
    size_t cut = 0;
    double least = INFINITY;
    struct moments kept = {0};

    *ret_reliable = false;
    if (batches < 2)
        return 0;
    /* From the last batch to the first, so that the moments of what a cut
       keeps grow by one batch a step. */
    for (size_t d = batches; d-- > 0;) {
        add_to_moments(&kept, stats_mean(values + d * batch, batch));
        if (d > batches / 2)
            continue;

        double kept_count = (double)kept.n;
        double statistic = kept.squares / (kept_count * kept_count);

        if (statistic <= least) { /* of equal ones, the earliest cut */
            least = statistic;
            cut = d;
        }
    }
    *ret_reliable = cut < batches / 2;
    return cut * batch;
}
