#include "workloads/figures.h"

#include "workloads/mathx.h"

#include <math.h>
#include <stdlib.h>

#define FIRST_RANKS 1000
#define STEPS 100
#define STEEPEST 50.0 /* exponent: the second rank is as good as never */

__extension__ typedef unsigned __int128 wide;

const unsigned figures_thousandths[FIGURES_QUANTILES] = {500, 900, 950, 990,
                                                         999};

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

void figures_sort(uint64_t *values, size_t count)
{
    if (count > 1)
        qsort(values, count, sizeof *values, compare);
}

static void find_quantiles(const uint64_t *values, size_t count,
                           struct figures *ret)
{
    for (int i = 0; i < FIGURES_QUANTILES; i++) {
        uint64_t p = figures_thousandths[i];
        uint64_t rank = (p * count + 999) / 1000;
        size_t place = (count - 1) * p / 1000;
        uint64_t rest = (count - 1) * p % 1000;

        ret->nearest_rank[i] = values[rank - 1];
        ret->linear[i] = (double)values[place];
        if (rest > 0)
            ret->linear[i] += (double)(values[place + 1] - values[place]) *
                              (double)rest / 1000;
    }
}

void figures_of_sorted(const uint64_t *values, size_t count,
                       struct figures *ret)
{
    wide squares = 0;
    double n = (double)count;

    *ret = (struct figures){
        .count = count, .min = values[0], .max = values[count - 1]};
    for (size_t i = 0; i < count; i++) {
        ret->sum += values[i];
        squares += (wide)values[i] * values[i];
    }
    ret->mean = (double)ret->sum / n;
    ret->deviation =
        sqrt((double)(count * squares - (wide)ret->sum * ret->sum)) / n;
    find_quantiles(values, count, ret);
}

/* Sums of pairs, exact. */
struct sums {
    uint64_t count;
    wide x, y, xx, yy, xy;
};

static void add_pair(struct sums *sums, uint64_t x, uint64_t y)
{
    sums->count++;
    sums->x += x;
    sums->y += y;
    sums->xx += (wide)x * x;
    sums->yy += (wide)y * y;
    sums->xy += (wide)x * y;
}

static double correlation(const struct sums *sums)
{
    wide n = sums->count;
    wide both = n * sums->xy, apart = sums->x * sums->y;
    double x = (double)(n * sums->xx - sums->x * sums->x);
    double y = (double)(n * sums->yy - sums->y * sums->y);
    double covariance =
        both >= apart ? (double)(both - apart) : -(double)(apart - both);

    return x > 0 && y > 0 ? covariance / (sqrt(x) * sqrt(y)) : (double)NAN;
}

double figures_pearson(const uint32_t *x, const uint32_t *y, size_t count)
{
    struct sums sums = {0};

    for (size_t i = 0; i < count; i++)
        add_pair(&sums, x[i], y[i]);
    return correlation(&sums);
}

/* How many values are below the given one. */
static size_t count_below(const uint64_t *sorted, size_t count, uint64_t value)
{
    size_t low = 0, high = count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (sorted[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Twice the average rank, a whole number: ranks of equal values run from the
   number below plus 1 to the number not above. */
static uint64_t rank_twice(const uint64_t *sorted, size_t count, uint64_t value)
{
    return count_below(sorted, count, value) +
           count_below(sorted, count, value + 1) + 1;
}

double figures_spearman(const uint32_t *x, const uint32_t *y,
                        const uint64_t *sorted_x, const uint64_t *sorted_y,
                        size_t count)
{
    struct sums sums = {0};

    for (size_t i = 0; i < count; i++)
        add_pair(&sums, rank_twice(sorted_x, count, x[i]),
                 rank_twice(sorted_y, count, y[i]));
    return correlation(&sums);
}

/* ---- Zipf ---- */

static double fit_line(const uint64_t *counts, size_t ranks)
{
    double x = 0, y = 0, xx = 0, xy = 0, n = (double)ranks;

    for (size_t i = 0; i < ranks; i++) {
        double log_rank = mathx_log((double)(i + 1));
        double log_count = mathx_log((double)counts[i]);

        x += log_rank;
        y += log_count;
        xx += log_rank * log_rank;
        xy += log_rank * log_count;
    }
    return ranks < 2 ? (double)NAN : -(n * xy - x * y) / (n * xx - x * x);
}

/* Mean and variance of the log of the rank under exponent s. */
static void moments_of_rank(double s, size_t ranks, double *ret_mean,
                            double *ret_variance)
{
    double weight = 0, first = 0, second = 0;

    for (size_t i = 0; i < ranks; i++) {
        double log_rank = mathx_log((double)(i + 1));
        double w = mathx_exp(-s * log_rank);

        weight += w;
        first += w * log_rank;
        second += w * log_rank * log_rank;
    }
    *ret_mean = first / weight;
    *ret_variance = second / weight - *ret_mean * *ret_mean;
}

/* The likelihood is greatest where the mean log rank is as observed, which
   falls when s grows: Newton's steps, halving where they leave the bracket. */
static double fit_likelihood(const uint64_t *counts, size_t ranks)
{
    double low = 0, high = STEEPEST, s = 1, seen = 0, total = 0;

    if (ranks < 2)
        return (double)NAN;
    for (size_t i = 0; i < ranks; i++) {
        seen += (double)counts[i] * mathx_log((double)(i + 1));
        total += (double)counts[i];
    }
    seen /= total;
    for (int step = 0; step < STEPS && high - low > 1e-12; step++) {
        double mean, variance, next;

        moments_of_rank(s, ranks, &mean, &variance);
        if (mean > seen)
            low = s;
        else
            high = s;
        next = s + (mean - seen) / variance;
        if (!(next > low && next < high))
            next = low + (high - low) / 2;
        if (fabs(next - s) < 1e-13)
            return next;
        s = next;
    }
    return s;
}

struct figures_zipf figures_zipf_of(const uint64_t *counts, size_t ranks)
{
    return (struct figures_zipf){
        .least_squares = fit_line(counts, ranks),
        .least_squares_1000 =
            fit_line(counts, ranks < FIRST_RANKS ? ranks : FIRST_RANKS),
        .maximum_likelihood = fit_likelihood(counts, ranks)};
}
