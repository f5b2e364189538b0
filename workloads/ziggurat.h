/*
 * Standard exponential and normal draws by the ziggurat method.
 *
 * Marsaglia and Tsang, "The Ziggurat Method for Generating Random Variables",
 * J. Stat. Soft. 5(8), 2000, with 53 bits for the place inside a layer, drawn
 * apart from the 8 bits which choose the layer (Doornik, "An Improved Ziggurat
 * Method to Generate Normal Random Samples", 2005).
 *
 * 256 layers of equal area v cover the density f (exp(-x), exp(-x^2/2)). Layer
 * i reaches from 0 to x[i], with x[1] = r, x[256] = 0 and
 *
 *     x[i] (f(x[i + 1]) - f(x[i])) = v = r f(r) + (area of f beyond r);
 *
 * layer 0 is the lowest, with the tail: x[0] = v / f(r). More than 97 draws of
 * 100 fall where the layer lies below f as a whole: one multiplication and one
 * comparison, inlined into the caller. The rest is a call.
 *
 * The tables were made by bisection for r with mpmath at 300 bits; unit is the
 * nearest double to x[i] / 2^53 and inside is 2^53 x[i + 1] / x[i] rounded
 * down. The unit test checks them against the equations above.
 */
#ifndef WORKLOADS_ZIGGURAT_H
#define WORKLOADS_ZIGGURAT_H

#include "workloads/rng.h"

#include <stdbool.h>
#include <stdint.h>

#define ZIGGURAT_LAYERS 256u

struct ziggurat_layer {
    uint64_t inside; /* places below this need no look at the density */
    double unit;     /* width of the layer over 2^53 places */
};

extern const struct ziggurat_layer ziggurat_exponential[ZIGGURAT_LAYERS];
extern const struct ziggurat_layer ziggurat_normal[ZIGGURAT_LAYERS];

/* Finishes a draw that fell near the edge of its layer, or in the tail. */
double ziggurat_exponential_rest(struct rng *rng, uint32_t layer, double x);
double ziggurat_normal_rest(struct rng *rng, uint32_t layer, double x);

/* Mean 1. */
static inline double ziggurat_draw_exponential(struct rng *rng)
{
    uint64_t bits = rng_next(rng);
    uint64_t place = bits >> 11;
    uint32_t layer = bits % ZIGGURAT_LAYERS;
    double x = (double)(int64_t)place * ziggurat_exponential[layer].unit;

    if (__builtin_expect(place < ziggurat_exponential[layer].inside, 1))
        return x;
    return ziggurat_exponential_rest(rng, layer, x);
}

static inline uint64_t ziggurat_distance(int64_t place)
{
    return (uint64_t)(place < 0 ? -place : place);
}

/* Mean 0, standard deviation 1. The place carries the sign. */
static inline double ziggurat_draw_normal(struct rng *rng)
{
    uint64_t bits = rng_next(rng);
    int64_t place = (int64_t)bits >> 10;
    uint32_t layer = bits % ZIGGURAT_LAYERS;
    double x = (double)place * ziggurat_normal[layer].unit;

    if (__builtin_expect(
            ziggurat_distance(place) < ziggurat_normal[layer].inside, 1))
        return x;
    return ziggurat_normal_rest(rng, layer, x);
}

#endif
