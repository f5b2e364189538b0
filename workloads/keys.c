#include "workloads/keys.h"

#include "workloads/mathx.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <math.h>

const char *const keys_kind_names[KEYS_KIND_COUNT] = {
    "none",
    "zipf",
    "unique",
};

static const uint64_t distinct_limit = 100000000;

/*
 * Zipf's law by rejection-inversion: Hörmann and Derflinger, "Rejection-
 * Inversion to Generate Variates from Monotone Discrete Distributions", ACM
 * TOMACS 6(3), 1996.
 *
 * Rank k = 1 .. n has weight h(k) = k^-s. As h is convex, the area below it
 * from k - 1/2 to k + 1/2 is at least h(k): a point drawn evenly below the
 * curve is taken for its k when it lies in the last h(k) of that area, and
 * drawn anew otherwise, which is rare. For rank 1 the curve starts where just
 * h(1) is left to 3/2, so that no point is lost. The law is exact, by inversion
 * alone, for every s.
 */

/* (e^t - 1) / t, and its counterpart log(1 + t) / t. */
static double growth(double t)
{
    double power = mathx_exp(t);

    return power == 1 ? 1 : (power - 1) / (fabs(t) < 1 ? mathx_log(power) : t);
}

static double log_growth(double t)
{
    double sum = 1 + t;

    return sum == 1 ? 1 : mathx_log(sum) / (fabs(t) < 1 ? sum - 1 : t);
}

/* The area below the curve from 1 to x: (x^(1 - s) - 1) / (1 - s), or log x
   at s = 1. */
static double area_to(double x, double exponent)
{
    double log_x = mathx_log(x);

    return log_x * growth((1 - exponent) * log_x);
}

/* The x of that area. */
static double place_of(double area, double exponent)
{
    double t = (1 - exponent) * area;

    if (t <= -1) /* by rounding only: the area to infinity */
        return INFINITY;
    return mathx_exp(area * log_growth(t));
}

static double weight(double rank, double exponent)
{
    return mathx_exp(-exponent * mathx_log(rank));
}

bool keys_init(struct keys *keys, const struct keys_spec *spec)
{
    double s = spec->exponent;

    *keys = (struct keys){.spec = *spec};
    if (spec->kind != KEYS_ZIPF)
        return true;
    if (!(s >= 0 && s <= 100) || spec->distinct < 1 ||
        spec->distinct > distinct_limit ||
        !(spec->repeat_share >= 0 && spec->repeat_share <= 1))
        return false;

    keys->top = area_to((double)spec->distinct + 0.5, s);
    keys->range = keys->top - (area_to(1.5, s) - 1);
    /* From rank - margin on a point is in: for rank 2, and the more so for
       higher ranks. It spares most points the area. */
    keys->margin = 2 - place_of(area_to(2.5, s) - weight(2, s), s);
    return true;
}

void keys_done(struct keys *keys)
{
    *keys = (struct keys){0};
}

/*
 * Sum over all ranks of their weight; or, with repeats, of the chance that a
 * rank is among so many repeats, total being the sum of weights. Ranks are
 * taken one by one up to 256, then in blocks that their middle stands for.
 */
static double sum_of_ranks(const struct keys_spec *spec, double total,
                           double repeats)
{
    double sum = 0;
    uint64_t size = 1;

    for (uint64_t first = 1; first <= spec->distinct; first += size) {
        double here, middle;

        size = first / 256 + 1;
        if (size > spec->distinct - first + 1)
            size = spec->distinct - first + 1;
        middle = (double)first + 0.5 * (double)(size - 1);
        here = weight(middle, spec->exponent);
        if (repeats > 0)
            here = 1 - mathx_exp(-repeats * here / total);
        sum += here * (double)size;
    }
    return sum;
}

double keys_ideal_hit_share(const struct keys_spec *spec, double requests)
{
    double repeats = requests * spec->repeat_share;
    double asked;

    if (spec->kind != KEYS_ZIPF || !(repeats > 0))
        return 0;
    if (isinf(requests))
        return spec->repeat_share;
    asked = sum_of_ranks(spec, sum_of_ranks(spec, 0, 0), repeats);
    return fmax(0, spec->repeat_share - asked / requests);
}

static uint64_t draw_rank(const struct keys *keys, struct rng *rng)
{
    const double s = keys->spec.exponent;
    const double last = (double)keys->spec.distinct;

    for (;;) {
        double area = keys->top - rng_uniform(rng) * keys->range;
        double x = place_of(area, s);
        double rank = floor(x + 0.5);

        /* Rounding at the ends of the range. */
        rank = rank < 1 ? 1 : rank > last ? last : rank;
        if (rank - x <= keys->margin ||
            area >= area_to(rank + 0.5, s) - weight(rank, s))
            return (uint64_t)rank;
    }
}

uint64_t keys_draw(const struct keys *keys, struct rng *rng,
                   uint64_t request_number)
{
    if (keys->spec.kind == KEYS_NONE)
        return 0;
    if (keys->spec.kind == KEYS_UNIQUE)
        return request_number;
    if (rng_uniform(rng) >= keys->spec.repeat_share)
        return keys->spec.distinct + request_number;
    if (keys->spec.exponent == 0)
        return rng_below(rng, keys->spec.distinct);
    return draw_rank(keys, rng) - 1;
}

uint32_t keys_text(uint64_t key, char text[KEYS_TEXT_SIZE])
{
    char digits[20];
    uint32_t count = 0, length = 0;

    do
        digits[count++] = (char)('0' + key % 10);
    while (key /= 10);

    text[length++] = 'k';
    while (count > 0)
        text[length++] = digits[--count];
    text[length] = '\0';
    return length;
}

uint64_t keys_hash(uint64_t key)
{
    char text[KEYS_TEXT_SIZE];
    uint32_t length = keys_text(key, text);
    uint64_t hash = XXH64(text, length, 0);

    return hash ? hash : 1; /* 0 means no key */
}
