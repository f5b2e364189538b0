#include "sim/measure/signed_rank.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- ranks ---- */

struct sized {
    double size; /* without its sign */
    bool above;
};

static int compare_sizes(const void *a, const void *b)
{
    double first = ((const struct sized *)a)->size;
    double second = ((const struct sized *)b)->size;

    return (first > second) - (first < second);
}

/* Sorted by size, without zeros; returns how many are left. */
static size_t sort_by_size(const double *differences, size_t n,
                           struct sized *ret)
{
    size_t count = 0;

    for (size_t i = 0; i < n; i++)
        if (differences[i] != 0)
            ret[count++] =
                (struct sized){fabs(differences[i]), differences[i] > 0};
    qsort(ret, count, sizeof *ret, compare_sizes);
    return count;
}

/* Twice the rank, a whole number where equal ones share their mean rank too.
   Returns the sum of those above 0. */
static uint64_t rank(const struct sized *sorted, size_t count, uint64_t *ret)
{
    uint64_t above = 0;

    for (size_t first = 0, end; first < count; first = end) {
        end = first + 1;
        while (end < count && !(sorted[end].size > sorted[first].size))
            end++;
        for (size_t i = first; i < end; i++) {
            ret[i] = first + 1 + end;
            above += sorted[i].above ? ret[i] : 0;
        }
    }
    return above;
}

/* ---- chances ---- */

/*
 * chances[s]: that the doubled ranks of a fair coin's heads sum to s, for s up
 * to their total, by adding one rank after the other. NULL: no memory.
 */
static double *distribution(const uint64_t *ranks, size_t count,
                            uint64_t *ret_total)
{
    uint64_t total = 0;

    for (size_t i = 0; i < count; i++)
        total += ranks[i];

    double *chances = calloc(total + 1, sizeof *chances);
    if (!chances)
        return NULL;
    chances[0] = 1;
    for (size_t i = 0, reach = 0; i < count; i++) {
        size_t step = ranks[i];

        reach += step;
        for (size_t sum = reach; sum >= step; sum--)
            chances[sum] = (chances[sum] + chances[sum - step]) / 2;
        for (size_t sum = 0; sum < step; sum++)
            chances[sum] /= 2;
    }
    *ret_total = total;
    return chances;
}

static bool exact_tails(const uint64_t *ranks, size_t count, uint64_t above,
                        struct signed_rank_p *ret)
{
    uint64_t total;
    double *chances = distribution(ranks, count, &total);

    if (!chances)
        return false;
    *ret = (struct signed_rank_p){0};
    for (uint64_t sum = total + 1; sum-- > above;) /* small ones first */
        ret->above += chances[sum];
    for (uint64_t sum = 0; sum <= above; sum++)
        ret->below += chances[sum];
    free(chances);
    return true;
}

/* Half a rank, which is 1 in doubled ones, makes up for the steps. */
static struct signed_rank_p normal_tails(const uint64_t *ranks, size_t count,
                                         uint64_t above)
{
    double mean = 0, variance = 0, sum = (double)above;

    for (size_t i = 0; i < count; i++) {
        double half = (double)ranks[i] / 2;

        mean += half;
        variance += half * half;
    }
    return (struct signed_rank_p){
        .above = gsl_cdf_ugaussian_Q((sum - 1 - mean) / sqrt(variance)),
        .below = gsl_cdf_ugaussian_P((sum + 1 - mean) / sqrt(variance)),
    };
}

bool signed_rank_test(const double *differences, size_t n,
                      struct signed_rank_p *ret)
{
    struct sized *sorted = calloc(n + 1, sizeof *sorted);
    uint64_t *ranks = calloc(n + 1, sizeof *ranks);
    bool fine = sorted && ranks;

    if (fine) {
        size_t count = sort_by_size(differences, n, sorted);
        uint64_t above = rank(sorted, count, ranks);

        if (count > SIGNED_RANK_EXACT_MAX)
            *ret = normal_tails(ranks, count, above);
        else
            fine = exact_tails(ranks, count, above, ret);
    }
    free(ranks);
    free(sorted);
    return fine;
}

/* ---- estimate and interval ---- */

static int compare_doubles(const void *a, const void *b)
{
    double first = *(const double *)a, second = *(const double *)b;

    return (first > second) - (first < second);
}

/* Largest k with P(sum of ranks < k) <= chance, ranks 1 to n; 0: none.
   false: no memory. */
static bool rank_sum_quantile(size_t n, double chance, size_t *ret)
{
    uint64_t ranks[SIGNED_RANK_EXACT_MAX], total;
    double below = 0;

    for (size_t i = 0; i < n; i++)
        ranks[i] = i + 1;

    double *chances = distribution(ranks, n, &total);
    if (!chances)
        return false;
    *ret = 0;
    while (*ret <= total && below + chances[*ret] <= chance)
        below += chances[(*ret)++];
    free(chances);
    return true;
}

static bool bound_rank(size_t n, double chance, size_t *ret)
{
    double count = (double)n;

    if (n <= SIGNED_RANK_EXACT_MAX)
        return rank_sum_quantile(n, chance, ret);

    double mean = count * (count + 1) / 4;
    double sd = sqrt(count * (count + 1) * (2 * count + 1) / 24);
    *ret = (size_t)fmax(0, mean + sd * gsl_cdf_ugaussian_Pinv(chance));
    return true;
}

bool signed_rank_count(size_t n, double level, size_t *ret_count)
{
    return bound_rank(n, level, ret_count);
}

/* How many means of two are at most that. */
static size_t means_up_to(const double *ascending, size_t n, double most)
{
    size_t count = 0;

    for (size_t i = 0, end = n; i < n; i++) {
        while (end > i && ascending[i] / 2 + ascending[end - 1] / 2 > most)
            end--;
        if (end == i)
            break;
        count += end - i; /* of i with those from i to end */
    }
    return count;
}

double signed_rank_mean_of_two(const double *ascending, size_t n, size_t count)
{
    double lo = ascending[0], hi = ascending[n - 1];
    double close = 1e-6 * (hi - lo);

    while (hi - lo > close) {
        double middle = lo + (hi - lo) / 2;

        if (means_up_to(ascending, n, middle) < count)
            lo = middle;
        else
            hi = middle;
    }
    return hi;
}

bool signed_rank_interval(const double *differences, size_t n,
                          double confidence, struct signed_rank_interval *ret)
{
    size_t count = n * (n + 1) / 2, k;
    double *means = calloc(count + 1, sizeof *means);
    bool fine = means && bound_rank(n, (1 - confidence) / 2, &k);

    *ret = (struct signed_rank_interval){NAN, NAN, NAN};
    if (fine && n > 0) {
        size_t at = 0;

        for (size_t i = 0; i < n; i++)
            for (size_t j = i; j < n; j++)
                means[at++] = differences[i] / 2 + differences[j] / 2;
        qsort(means, count, sizeof *means, compare_doubles);
        ret->estimate = means[(count - 1) / 2] / 2 + means[count / 2] / 2;
        if (k > 0) {
            ret->lo = means[k - 1];
            ret->hi = means[count - k];
        }
    }
    free(means);
    return fine;
}
