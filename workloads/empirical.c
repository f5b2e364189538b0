#include "workloads/empirical.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/*
 * Draws come from cells: as is, a cell is one value; with interpolation, the
 * way from one value to the next.
 */
struct empirical {
    size_t count;   /* of cells */
    bool between;   /* cell i reaches from values[i] to values[i + 1] */
    double *values; /* [count], or [count + 1] with between; rising */
    double *sums;   /* [count] weight of the cells up to this one */
};

struct weighed {
    double value, weight;
};

static int compare(const void *a, const void *b)
{
    const struct weighed *x = a, *y = b;

    return (x->value > y->value) - (x->value < y->value);
}

/* Values that are drawn never, or are there twice, take no room. */
static size_t merge_equal(struct weighed *sorted, size_t count)
{
    size_t kept = 0;

    for (size_t i = 0; i < count; i++) {
        if (sorted[i].weight == 0)
            continue;
        if (kept > 0 && sorted[kept - 1].value == sorted[i].value)
            sorted[kept - 1].weight += sorted[i].weight;
        else
            sorted[kept++] = sorted[i];
    }
    return kept;
}

static void fill_cells(struct empirical *table, const struct weighed *sorted)
{
    double sum = 0;

    for (size_t i = 0; i < table->count; i++) {
        table->values[i] = sorted[i].value;
        sum += table->between
                   ? 0.5 * sorted[i].weight + 0.5 * sorted[i + 1].weight
                   : sorted[i].weight;
        table->sums[i] = sum;
    }
    if (table->between)
        table->values[table->count] = sorted[table->count].value;
}

static struct empirical *of_sorted(struct weighed *sorted, size_t count,
                                   bool interpolate)
{
    struct empirical *table = calloc(1, sizeof *table);

    if (!table)
        return NULL;
    if (!interpolate)
        count = merge_equal(sorted, count);
    assert(count > 0); /* some value has a weight */
    table->between = interpolate && count > 1;
    table->count = count - table->between;
    table->values = calloc(count, sizeof *table->values);
    table->sums = calloc(count, sizeof *table->sums);
    if (!table->values || !table->sums) {
        empirical_destroy(table);
        return NULL;
    }
    fill_cells(table, sorted);
    return table;
}

struct empirical *empirical_create(const double *values, const double *weights,
                                   size_t count, bool interpolate)
{
    struct weighed *sorted = calloc(count, sizeof *sorted);
    struct empirical *table = NULL;

    if (!sorted)
        return NULL;
    for (size_t i = 0; i < count; i++)
        sorted[i] = (struct weighed){values[i], weights ? weights[i] : 1};
    qsort(sorted, count, sizeof *sorted, compare);
    table = of_sorted(sorted, count, interpolate);
    free(sorted);
    return table;
}

void empirical_destroy(struct empirical *table)
{
    if (!table)
        return;
    free(table->values);
    free(table->sums);
    free(table);
}

static double total_of(const struct empirical *table)
{
    return table->sums[table->count - 1];
}

/* The first cell whose sum is above the weight; the last one if none is. */
static size_t find_cell(const struct empirical *table, double weight)
{
    size_t low = 0, high = table->count - 1;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (table->sums[middle] > weight)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static double weight_before(const struct empirical *table, size_t cell)
{
    return cell > 0 ? table->sums[cell - 1] : 0;
}

double empirical_quantile(const struct empirical *table, double share)
{
    double weight = share * total_of(table);
    size_t cell = find_cell(table, weight);
    double low = table->values[cell];

    if (!table->between)
        return low;

    double before = weight_before(table, cell);
    double width = table->sums[cell] - before;
    double way = width > 0 ? (weight - before) / width : 0;
    return low + fmin(way, 1) * (table->values[cell + 1] - low);
}

double empirical_draw(const struct empirical *table, struct rng *rng)
{
    return empirical_quantile(table, rng_uniform(rng));
}

/* Of min(draw, x) for a draw between low and high. */
static double limited_between(double low, double high, double x)
{
    if (x <= low)
        return x;
    if (x >= high)
        return 0.5 * (low + high);
    return x - 0.5 * (x - low) * ((x - low) / (high - low));
}

double empirical_limited_mean(const struct empirical *table, double x)
{
    double sum = 0;

    for (size_t i = 0; i < table->count; i++) {
        double weight = table->sums[i] - weight_before(table, i);
        double low = table->values[i];
        double high = table->between ? table->values[i + 1] : low;

        sum += weight * limited_between(low, high, x);
    }
    return sum / total_of(table);
}

double empirical_mean(const struct empirical *table)
{
    return empirical_limited_mean(table, INFINITY);
}
