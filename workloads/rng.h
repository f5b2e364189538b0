/*
 * Streams of chance: PCG64 (XSL-RR 128/64), one stream per concern.
 *
 * Generator: Melissa O'Neill, "PCG: A Family of Simple Fast Space-Efficient
 * Statistically Good Algorithms for Random Number Generation", 2014; bit for
 * bit the package's pcg64. A stream's state and increment are XXH64s of the
 * fixed-width tuple (seed, replication, purpose, entity), so streams do not
 * overlap and adding one never shifts another. Policies compared on one seed
 * face equal arrivals, sizes, keys and needs, whatever they draw themselves.
 *
 * A lane is a stream cut into equal pieces, one for each request: piece n
 * starts at draw n * RNG_LANE_STRIDE. A request's draws so depend on its
 * number and not on how many draws the requests before it took.
 */
#ifndef WORKLOADS_RNG_H
#define WORKLOADS_RNG_H

#include <gsl/gsl_rng.h>
#include <stdint.h>

__extension__ typedef unsigned __int128 rng_u128;

struct rng {
    rng_u128 state;
    rng_u128 increment; /* odd */
};

/* Append only: the numbers are part of what a seed means. The highest one so
   far is RNG_PROVISION. */
enum rng_purpose {
    RNG_ARRIVALS = 1,
    RNG_INPUT_TOKENS = 2,
    RNG_OUTPUT_TOKENS = 3,
    RNG_WORK = 4,
    RNG_NOISE = 5,
    RNG_KEYS = 6,
    RNG_KEY_INPUT_TOKENS = 7, /* entity: the key */
    RNG_ATTEMPT_NOISE = 8,    /* entity: rng_entity(request, attempt) */
    RNG_RESAMPLE = 9,
    RNG_POLICY = 10, /* entity: the balancer */
    RNG_ASSIGN = 11,
    RNG_HEALTH_PHASE = 12,      /* entity: rng_entity(balancer, node) */
    RNG_REPORT_PHASE = 13,      /* entity: the node */
    RNG_NODE_KEYS = 14,         /* entity: the node */
    RNG_KEY_OUTPUT_TOKENS = 15, /* entity: the key */
    RNG_KEY_WORK = 16,          /* entity: the key */
    RNG_CLASSES = 17,
    RNG_KEY_CLASS = 18, /* entity: the key */
    RNG_CLASSIFIER = 19,
    RNG_REPORT_LOSS = 20,       /* entity: rng_entity(balancer, node) */
    RNG_ARRIVAL_STATES = 21,    /* of an mmpp */
    RNG_THINK = 22,             /* of clients in a closed loop */
    RNG_HEALTH_JITTER = 23,     /* entity: rng_entity(balancer, node) */
    RNG_GENERATION_PHASE = 24,  /* likewise */
    RNG_GENERATION_JITTER = 25, /* likewise */
    RNG_OUTLIERS = 40,          /* entity: the balancer */
    RNG_BACKOFF = 50,           /* entity: rng_entity(request, attempt) */
    RNG_PATIENCE = 51,          /* entity: rng_entity(request, source) */
    RNG_START_UP = 60,          /* entity: the node */
    RNG_SCRAPES = 61,           /* entity: the group */
    RNG_SCRAPE_LAGS = 62,       /* entity: the group */
    RNG_FAULT_TIMES = 26, /* of random ones; entity: rng_entity(fault, node) */
    RNG_FAULT_VICTIMS = 27, /* entity: the fault */
    RNG_FAULT_ERRORS = 28,  /* entity: the node */
    RNG_FAULT_PROBES = 29,  /* entity: rng_entity(balancer, node) */
    RNG_FAULT_REPORTS = 30, /* likewise */
    RNG_TENANTS = 63,       /* entity: the source of a request */
    RNG_PROVISION = 64,     /* entity: the node */
    RNG_CONNECTIONS = 65,   /* entity: the balancer */
};

#define RNG_MULTIPLIER \
    (((rng_u128)0x2360ED051FC65DA4u << 64) | 0x4385DF649FCCF645u)
#define RNG_LANE_STRIDE 61 /* odd, so that a lane keeps the full period */

/* The package's seeding: pcg64(seed, stream). */
void rng_seed(struct rng *rng, rng_u128 seed, rng_u128 stream);

/* The stream of one concern; replications count from 1. */
void rng_stream(struct rng *rng, uint64_t seed, uint64_t replication,
                enum rng_purpose purpose, uint64_t entity);

/* One entity out of two numbers below 2^40 and 2^24. */
static inline uint64_t rng_entity(uint64_t major, uint64_t minor)
{
    return major << 24 | minor;
}

/* Moves the stream by distance draws; backwards as its two's complement. */
void rng_advance(struct rng *rng, rng_u128 distance);

static inline uint64_t rng_next(struct rng *rng)
{
    rng->state = rng->state * RNG_MULTIPLIER + rng->increment;

    uint64_t mixed = (uint64_t)(rng->state >> 64) ^ (uint64_t)rng->state;
    uint32_t turn = (uint32_t)(rng->state >> 122);

    return mixed >> turn | mixed << (-turn & 63u);
}

/* [0, 1), multiples of 2^-53. */
static inline double rng_uniform(struct rng *rng)
{
    return (double)(int64_t)(rng_next(rng) >> 11) * 0x1p-53;
}

/* (0, 1): never an end. */
static inline double rng_uniform_open(struct rng *rng)
{
    return ((double)(int64_t)(rng_next(rng) >> 12) + 0.5) * 0x1p-52;
}

/* [0, bound) without bias, by Lemire's multiply-shift with rejection;
   bound 0: all 64 bits. */
uint64_t rng_below(struct rng *rng, uint64_t bound);

/* The pieces of one stream, one a request. */
struct rng_lane {
    struct rng start;               /* where the next piece starts */
    rng_u128 multiplier, increment; /* one jump of RNG_LANE_STRIDE draws */
};

void rng_lane_init(struct rng_lane *lane, uint64_t seed, uint64_t replication,
                   enum rng_purpose purpose);

/* The same for other entities than 0. */
void rng_lane_init_entity(struct rng_lane *lane, uint64_t seed,
                          uint64_t replication, enum rng_purpose purpose,
                          uint64_t entity);

/* Passes over pieces; backwards as their two's complement. */
void rng_lane_skip(struct rng_lane *lane, rng_u128 pieces);

/* The piece of the next request; the first call gives piece 0. */
static inline struct rng rng_lane_next(struct rng_lane *lane)
{
    struct rng piece = lane->start;

    lane->start.state = piece.state * lane->multiplier + lane->increment;
    return piece;
}

/* PCG64 as a GSL generator; its state is a struct rng, to be set through
   gsl_rng_state(). max is 2^64 - 1. */
extern const gsl_rng_type *const rng_gsl_type;

#endif
