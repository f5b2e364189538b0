#include "sim/experiment/crossover_fit.h"

#include "sim/measure/skewness.h"
#include "sim/measure/stats.h"

#include <math.h>

enum {
    PLACES = CROSSOVER_PLACES,
    TERMS = 3,  /* of a quadratic */
    STEPS = 512 /* of the grid on which the test is inverted */
};

/* How much more skewness than is seen the test allows for. */
static const double CAUTION = 2;

/* Polynomials on the places, scaled to -1 .. 1, orthogonal by weight. */
struct basis {
    double middle, half;
    double scaled[PLACES];
    double weight[PLACES];      /* all sum up to 1 */
    double mean, square, cross; /* of the places, for the two higher terms */
    double norm[TERMS];
};

struct sums {
    double mean[PLACES];
    double covariance[PLACES][PLACES];    /* of the means */
    double third[PLACES][PLACES][PLACES]; /* central moments of the values */
    uint32_t count;
};

static double scale(const struct basis *basis, double x)
{
    return (x - basis->middle) / basis->half;
}

static double term(const struct basis *basis, int which, double u)
{
    double line = u - basis->mean;

    if (which == 0)
        return 1;
    if (which == 1)
        return line;
    return u * u - basis->square - basis->cross * line;
}

/* A place counts by how little its replications differ: at a node that is full
   now and then they may differ a hundred times as much as at the other end. */
static void weigh_places(const struct sums *sums, struct basis *basis)
{
    double total = 0, least = INFINITY;

    for (int i = 0; i < PLACES; i++)
        if (sums->covariance[i][i] > 0)
            least = fmin(least, sums->covariance[i][i]);
    for (int i = 0; i < PLACES; i++) {
        basis->weight[i] =
            isfinite(least) ? least / fmax(sums->covariance[i][i], least) : 1;
        total += basis->weight[i];
    }
    for (int i = 0; i < PLACES; i++)
        basis->weight[i] /= total;
}

static void make_basis(const double *places, const struct sums *sums,
                       struct basis *ret)
{
    double line = 0, both = 0;

    *ret = (struct basis){.middle = (places[0] + places[PLACES - 1]) / 2,
                          .half = (places[PLACES - 1] - places[0]) / 2};
    weigh_places(sums, ret);
    for (int i = 0; i < PLACES; i++) {
        ret->scaled[i] = scale(ret, places[i]);
        ret->mean += ret->weight[i] * ret->scaled[i];
        ret->square += ret->weight[i] * ret->scaled[i] * ret->scaled[i];
    }
    for (int i = 0; i < PLACES; i++) {
        double off = ret->scaled[i] - ret->mean;

        line += ret->weight[i] * off * off;
        both += ret->weight[i] * off * ret->scaled[i] * ret->scaled[i];
    }
    ret->cross = both / line;
    for (int k = 0; k < TERMS; k++)
        for (int i = 0; i < PLACES; i++)
            ret->norm[k] += ret->weight[i] * term(ret, k, ret->scaled[i]) *
                            term(ret, k, ret->scaled[i]);
}

/* The fitted value at x is the sum of these times values. */
static void factors_at(const struct basis *basis, double x, double *ret)
{
    double u = scale(basis, x);

    for (int i = 0; i < PLACES; i++) {
        ret[i] = 0;
        for (int k = 0; k < TERMS; k++)
            ret[i] += basis->weight[i] * term(basis, k, u) *
                      term(basis, k, basis->scaled[i]) / basis->norm[k];
    }
}

/* What one replication adds to the third moments. */
static void add_third(const double *values, uint32_t stride, struct sums *sums)
{
    double off[PLACES];

    for (uint32_t i = 0; i < PLACES; i++)
        off[i] = values[(size_t)i * stride] - sums->mean[i];
    for (int i = 0; i < PLACES; i++)
        for (int j = 0; j < PLACES; j++)
            for (int k = 0; k < PLACES; k++)
                sums->third[i][j][k] += off[i] * off[j] * off[k] / sums->count;
}

/* false: something is not finite. */
static bool sum_up(const double *values, uint32_t stride, uint32_t count,
                   struct sums *ret)
{
    *ret = (struct sums){.count = count};
    for (uint32_t i = 0; i < PLACES; i++) {
        const double *row = values + (size_t)i * stride;

        for (uint32_t r = 0; r < count; r++)
            if (!isfinite(row[r]))
                return false;
        ret->mean[i] = stats_mean(row, count);
    }
    for (uint32_t i = 0; i < PLACES; i++)
        for (uint32_t j = 0; j < PLACES; j++) {
            const double *a = values + (size_t)i * stride;
            const double *b = values + (size_t)j * stride;
            double sum = 0;

            for (uint32_t r = 0; r < count; r++)
                sum += (a[r] - ret->mean[i]) * (b[r] - ret->mean[j]);
            ret->covariance[i][j] = sum / (count - 1.0) / count;
        }
    for (uint32_t r = 0; r < count; r++)
        add_third(values + r, stride, ret);
    return true;
}

/* The fitted curves at x. */
struct height {
    double mean, error; /* and its standard error */
    double skewness;    /* of the curves of replications, with caution */
};

static struct height height_at(const struct basis *basis,
                               const struct sums *sums, double x)
{
    double factors[PLACES], variance = 0, third = 0;
    struct height height = {0};

    factors_at(basis, x, factors);
    for (int i = 0; i < PLACES; i++) {
        height.mean += factors[i] * sums->mean[i];
        for (int j = 0; j < PLACES; j++) {
            double both = factors[i] * factors[j];

            variance += both * sums->covariance[i][j];
            for (int k = 0; k < PLACES; k++)
                third += both * factors[k] * sums->third[i][j][k];
        }
    }
    height.error = sqrt(fmax(variance, 0));
    if (height.error > 0)
        height.skewness =
            CAUTION * skewness_estimate(variance * (sums->count - 1.0), third,
                                        sums->count);
    return height;
}

/* May the mean be 0? Yes, unless t says no, with its skewness and without. */
static bool may_be_zero(const struct height *height, uint32_t count,
                        double critical)
{
    double t = height->mean / height->error;

    if (height->error <= 0)
        return height->mean == 0;
    return fabs(t) <= critical ||
           fabs(skewness_remove(t, height->skewness, count)) <= critical;
}

/* Between two neighbours of the grid the curve is as good as straight. */
static double root_between(double x, double y, double last_x, double last_y)
{
    return y == last_y ? x : last_x + (x - last_x) * last_y / (last_y - y);
}

bool crossover_fit(const double *places, const double *values, uint32_t stride,
                   uint32_t count, int sign, double miss,
                   struct crossover_fit *ret)
{
    struct basis basis;
    struct sums sums;
    double low = places[0], high = places[PLACES - 1];
    double least = INFINITY, last_x = low, last_y = NAN, nearest = low;
    bool inside = false;

    if (count < 3 || !sum_up(values, stride, count, &sums))
        return false;
    make_basis(places, &sums, &basis);
    double critical = stats_t_quantile(1 - miss / 2, count - 1.0);

    *ret = (struct crossover_fit){.at = NAN, .lo = low, .hi = high};
    for (int step = 0; step <= STEPS; step++) {
        double x = low + (high - low) * step / STEPS;
        struct height height = height_at(&basis, &sums, x);
        double y = sign * height.mean;
        bool accepted = may_be_zero(&height, count, critical);

        /* NaN is less than nothing: the first step has no neighbour */
        if (isnan(ret->at) && last_y > 0 && y <= 0)
            ret->at = root_between(x, y, last_x, last_y);
        if (fabs(y) < least) {
            least = fabs(y);
            nearest = x;
        }
        if (accepted && !inside)
            ret->lo = last_x;
        inside = inside || accepted;
        if (accepted)
            ret->hi = fmin(high, low + (high - low) * (step + 1) / STEPS);
        last_x = x;
        last_y = y;
    }
    if (isnan(ret->at))
        ret->at = nearest;
    if (!inside) { /* no noise at all: the root is between two steps */
        ret->lo = fmax(low, ret->at - (high - low) / STEPS);
        ret->hi = fmin(high, ret->at + (high - low) / STEPS);
    }
    ret->lo = fmin(ret->lo, ret->at);
    ret->hi = fmax(ret->hi, ret->at);
    return true;
}
