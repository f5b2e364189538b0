#include "workloads/rng.h"

#include <limits.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* GSL hands numbers around as unsigned long and seeds as such. */
_Static_assert(ULONG_MAX == UINT64_MAX, "unsigned long must have 64 bits");

void rng_seed(struct rng *rng, rng_u128 seed, rng_u128 stream)
{
    rng->increment = stream << 1 | 1;
    rng->state = (seed + rng->increment) * RNG_MULTIPLIER + rng->increment;
}

static void put_little_endian(unsigned char bytes[8], uint64_t word)
{
    for (int i = 0; i < 8; i++)
        bytes[i] = (unsigned char)(word >> 8 * i);
}

/* The hash's own seeds 0 to 3 make four independent words of one tuple. */
void rng_stream(struct rng *rng, uint64_t seed, uint64_t replication,
                enum rng_purpose purpose, uint64_t entity)
{
    unsigned char tuple[32];
    uint64_t words[4];

    put_little_endian(tuple, seed);
    put_little_endian(tuple + 8, replication);
    put_little_endian(tuple + 16, (uint64_t)purpose);
    put_little_endian(tuple + 24, entity);
    for (uint64_t i = 0; i < 4; i++)
        words[i] = XXH64(tuple, sizeof tuple, i);

    rng->state = (rng_u128)words[0] << 64 | words[1];
    rng->increment = (rng_u128)words[2] << 64 | words[3] | 1;
}

/* One draw maps the state s to m s + c. */
struct affine {
    rng_u128 multiplier, increment;
};

/*
 * That map applied distance times, by squaring: Brown, "Random number
 * generation with arbitrary strides", Trans. Am. Nucl. Soc. 71, 1994.
 */
static struct affine steps(rng_u128 increment, rng_u128 distance)
{
    struct affine power = {RNG_MULTIPLIER, increment};
    struct affine total = {1, 0};

    for (; distance; distance >>= 1) {
        if (distance & 1) {
            total.multiplier *= power.multiplier;
            total.increment =
                total.increment * power.multiplier + power.increment;
        }
        power.increment *= power.multiplier + 1;
        power.multiplier *= power.multiplier;
    }
    return total;
}

void rng_advance(struct rng *rng, rng_u128 distance)
{
    struct affine jump = steps(rng->increment, distance);

    rng->state = rng->state * jump.multiplier + jump.increment;
}

/*
 * Lemire, "Fast Random Integer Generation in an Interval", ACM TOMACS 29(1),
 * 2019: the high word of draw * bound is the result. Draws are refused whose
 * low word lies below 2^64 mod bound; the division for that is rarely needed.
 */
uint64_t rng_below(struct rng *rng, uint64_t bound)
{
    if (bound == 0)
        return rng_next(rng);

    rng_u128 product = (rng_u128)rng_next(rng) * bound;
    if ((uint64_t)product < bound) {
        uint64_t excess = -bound % bound;

        while ((uint64_t)product < excess)
            product = (rng_u128)rng_next(rng) * bound;
    }
    return (uint64_t)(product >> 64);
}

void rng_lane_init_entity(struct rng_lane *lane, uint64_t seed,
                          uint64_t replication, enum rng_purpose purpose,
                          uint64_t entity)
{
    rng_stream(&lane->start, seed, replication, purpose, entity);

    struct affine jump = steps(lane->start.increment, RNG_LANE_STRIDE);
    lane->multiplier = jump.multiplier;
    lane->increment = jump.increment;
}

void rng_lane_init(struct rng_lane *lane, uint64_t seed, uint64_t replication,
                   enum rng_purpose purpose)
{
    rng_lane_init_entity(lane, seed, replication, purpose, 0);
}

void rng_lane_skip(struct rng_lane *lane, rng_u128 pieces)
{
    rng_advance(&lane->start, pieces * RNG_LANE_STRIDE);
}

static void gsl_set(void *state, unsigned long seed)
{
    rng_seed(state, seed, 0);
}

static unsigned long gsl_get(void *state)
{
    return rng_next(state);
}

static double gsl_get_double(void *state)
{
    return rng_uniform(state);
}

static const gsl_rng_type gsl_type = {
    .name = "pcg64",
    .max = UINT64_MAX,
    .min = 0,
    .size = sizeof(struct rng),
    .set = gsl_set,
    .get = gsl_get,
    .get_double = gsl_get_double,
};

const gsl_rng_type *const rng_gsl_type = &gsl_type;
