/* Rates, gaps and bins of a profile. */
#include "workloads/profile_internal.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#define NS_PER_S INT64_C(1000000000)
#define FEWEST_GAPS 3 /* for an autocorrelation */

__extension__ typedef unsigned __int128 wide;

static int rising(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

static int64_t gap(const int64_t *times_ns, size_t i)
{
    return times_ns[i + 1] - times_ns[i];
}

static double spread(const int64_t *times_ns, size_t gaps, double mean)
{
    double squares = 0;

    for (size_t i = 0; i < gaps; i++) {
        double apart = (double)gap(times_ns, i) - mean;

        squares += apart * apart;
    }
    return sqrt(squares / (double)gaps);
}

/* Pearson's r of each gap but the last with the one after it. */
static double follow(const int64_t *times_ns, size_t gaps)
{
    double pairs = (double)(gaps - 1);
    double mean_x = (double)(times_ns[gaps - 1] - times_ns[0]) / pairs;
    double mean_y = (double)(times_ns[gaps] - times_ns[1]) / pairs;
    double xx = 0, yy = 0, xy = 0;

    for (size_t i = 0; i + 1 < gaps; i++) {
        double x = (double)gap(times_ns, i) - mean_x;
        double y = (double)gap(times_ns, i + 1) - mean_y;

        xx += x * x;
        yy += y * y;
        xy += x * y;
    }
    return xx > 0 && yy > 0 ? xy / (sqrt(xx) * sqrt(yy)) : (double)NAN;
}

static void measure_gaps(const int64_t *times_ns, size_t gaps,
                         struct profile_arrivals *ret)
{
    double mean = (double)ret->span_ns / (double)gaps;

    if (mean > 0)
        ret->gap_cv = spread(times_ns, gaps, mean) / mean;
    if (gaps >= FEWEST_GAPS)
        ret->gap_autocorrelation = follow(times_ns, gaps);
}

/* The median of the gaps above 0, by nearest rank. false: no memory. */
static bool find_median(const int64_t *times_ns, size_t gaps,
                        struct profile_arrivals *ret)
{
    int64_t *open = malloc((gaps + 1) * sizeof *open);
    size_t count = 0;

    if (!open)
        return false;
    for (size_t i = 0; i < gaps; i++)
        if (gap(times_ns, i) > 0)
            open[count++] = gap(times_ns, i);
    qsort(open, count, sizeof *open, rising);
    if (count > 0) {
        ret->median_gap_ns = open[(count - 1) / 2];
        ret->largest_gap_ns = open[count - 1];
    }
    ret->zero_gaps = gaps - count;
    free(open);
    return true;
}

static void count_instants(const int64_t *times_ns, size_t rows,
                           struct profile_arrivals *ret)
{
    uint64_t at_once = 0;

    for (size_t i = 0; i < rows; i++) {
        at_once = i > 0 && gap(times_ns, i - 1) == 0 ? at_once + 1 : 1;
        ret->distinct_times += at_once == 1;
        if (at_once > ret->most_at_once)
            ret->most_at_once = at_once;
    }
}

/* The last one holds the last arrival too. */
static void count_tenths(const int64_t *times_ns, size_t rows,
                         struct profile_arrivals *ret)
{
    uint64_t counts[PROFILE_TENTHS] = {0};
    wide span = (wide)ret->span_ns;

    for (size_t i = 0; span > 0 && i < rows; i++) {
        wide of = (wide)(times_ns[i] - times_ns[0]) * PROFILE_TENTHS / span;

        counts[of < PROFILE_TENTHS ? of : PROFILE_TENTHS - 1]++;
    }
    for (int i = 0; i < PROFILE_TENTHS; i++)
        ret->tenths_per_s[i] =
            span > 0 ? (double)counts[i] * PROFILE_TENTHS /
                           ((double)ret->span_ns / (double)NS_PER_S)
                     : (double)NAN;
}

/* Bins without a request are passed over and known by their number. */
static void count_bins(const int64_t *times_ns, size_t rows,
                       struct profile_bins *ret)
{
    int64_t width_ns = ret->width_ns;
    uint64_t filled = 0, total = 0, inside = 0;
    wide squares = 0;
    int64_t bin = 0;

    ret->count = (uint64_t)((times_ns[rows - 1] - times_ns[0]) / width_ns);
    for (size_t i = 0; i <= rows; i++) {
        int64_t of = i < rows ? (times_ns[i] - times_ns[0]) / width_ns : -1;

        if (of != bin) {
            filled++;
            total += inside;
            squares += (wide)inside * inside;
            if (inside > ret->most)
                ret->most = inside;
            inside = 0;
            bin = of;
        }
        if (of >= (int64_t)ret->count)
            break; /* the bin at the end is not whole */
        inside++;
    }
    ret->mean = ret->dispersion = (double)NAN;
    if (ret->count == 0 || total == 0)
        return;
    ret->empty = ret->count - filled;
    ret->mean = (double)total / (double)ret->count;
    ret->dispersion = (double)(ret->count * squares - (wide)total * total) /
                      ((double)ret->count * (double)total);
}

bool profile_count_arrivals(struct gather *gather)
{
    static const int64_t widths_ns[PROFILE_WIDTHS] = {NS_PER_S, 60 * NS_PER_S};
    struct profile_arrivals *ret = &gather->profile->arrivals;
    int64_t *times_ns = gather->times_ns;
    size_t rows = gather->rows;

    assert(rows > 0);
    if (ret->backward_rows > 0)
        qsort(times_ns, rows, sizeof *times_ns, rising);
    ret->span_ns = times_ns[rows - 1] - times_ns[0];
    ret->rate_per_s = ret->gap_cv = ret->gap_autocorrelation = (double)NAN;
    if (ret->span_ns > 0)
        ret->rate_per_s =
            (double)(rows - 1) / ((double)ret->span_ns / (double)NS_PER_S);
    if (rows > 1)
        measure_gaps(times_ns, rows - 1, ret);
    count_instants(times_ns, rows, ret);
    count_tenths(times_ns, rows, ret);
    for (int i = 0; i < PROFILE_WIDTHS; i++) {
        ret->bins[i].width_ns = widths_ns[i];
        count_bins(times_ns, rows, &ret->bins[i]);
    }
    return find_median(times_ns, rows - 1, ret);
}
