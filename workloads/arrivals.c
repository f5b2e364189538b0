#include "workloads/arrivals.h"

#include "workloads/arrivals_varying.h"
#include "workloads/gamma.h"

#include <assert.h>
#include <math.h>

const char *const arrivals_process_names[ARRIVALS_PROCESS_COUNT] = {
    "poisson", "deterministic", "gamma", "mmpp", "diurnal", "closed",
};

/*
 * A rate is m 2^e per second with m below 2^53, so that a gap is the fraction
 * 10^9 2^-e / m ns. Whole nanoseconds and the rest of the division are carried
 * apart, so that no arrival is off by more than its own rounding.
 */
static void init_equal_gaps(struct arrivals *arrivals, double rate_per_s)
{
    int exponent;
    uint64_t divisor = (uint64_t)ldexp(frexp(rate_per_s, &exponent), 53);
    rng_u128 dividend = 1000000000;

    arrivals->gap_whole_ns = INT64_MAX;
    if (rate_per_s < 2e-10) /* the first one lies near the end of 64 bits */
        return;

    exponent -= 53; /* below 0, as rates are */
    while (exponent < 0 && divisor % 2 == 0) {
        divisor /= 2;
        exponent++;
    }
    dividend <<= -exponent; /* by at most 85: it stays below 2^115 */

    arrivals->gap_whole_ns = (int64_t)(dividend / divisor);
    arrivals->gap_rest = (uint64_t)(dividend % divisor);
    arrivals->divisor = divisor;
    arrivals->rest = divisor / 2; /* rounds to nearest */
}

void arrivals_init_entity(struct arrivals *arrivals,
                          const struct arrivals_spec *spec, uint64_t seed,
                          uint64_t replication, uint64_t entity)
{
    *arrivals = (struct arrivals){
        .spec = *spec,
        .mean_gap_ns = 1e9 / spec->rate_per_s,
        .horizon_ns = INT64_MAX,
        .plain = spec->process == ARRIVALS_POISSON && spec->spike_count == 0,
    };
    rng_stream(&arrivals->rng, seed, replication, RNG_ARRIVALS, entity);
    if (spec->process == ARRIVALS_DETERMINISTIC)
        init_equal_gaps(arrivals, spec->rate_per_s);
    if (spec->process == ARRIVALS_GAMMA) {
        assert(spec->cv > 0);
        arrivals->shape = 1 / (spec->cv * spec->cv);
    }
    if (spec->process == ARRIVALS_MMPP) {
        rng_stream(&arrivals->state_rng, seed, replication, RNG_ARRIVAL_STATES,
                   entity);
        arrivals_varying_start(arrivals);
    }
}

void arrivals_init(struct arrivals *arrivals, const struct arrivals_spec *spec,
                   uint64_t seed, uint64_t replication)
{
    arrivals_init_entity(arrivals, spec, seed, replication, 0);
}

static double draw_gap_ns(struct arrivals *arrivals)
{
    switch (arrivals->spec.process) {
    case ARRIVALS_DETERMINISTIC:
        return arrivals->mean_gap_ns;
    case ARRIVALS_GAMMA:
        return arrivals->mean_gap_ns / arrivals->shape *
               gamma_draw(&arrivals->rng, arrivals->shape);
    default:
        return arrivals->mean_gap_ns * dist_draw_exponential(&arrivals->rng);
    }
}

static int64_t next_of_equal(struct arrivals *arrivals)
{
    rng_u128 rest = (rng_u128)arrivals->rest + arrivals->gap_rest;
    int64_t carry = arrivals->divisor > 0 && rest >= arrivals->divisor;

    arrivals->rest = (uint64_t)(carry ? rest - arrivals->divisor : rest);
    if (arrivals->now_ns > INT64_MAX - 1 - arrivals->gap_whole_ns)
        return INT64_MAX;
    return arrivals->now_ns + arrivals->gap_whole_ns + carry;
}

static int64_t next_of_gap(struct arrivals *arrivals, double gap_ns)
{
    /* 2^62 first: above it, gap and sum could leave 64 bits. */
    if (gap_ns + 0.5 >= 0x1p62 || arrivals->now_ns >= INT64_C(1) << 62)
        return INT64_MAX;
    return arrivals->now_ns + (int64_t)(gap_ns + 0.5);
}

/* Apart, so that the loop of plain Poisson traffic does not carry them. */
static __attribute__((noinline)) int64_t
next_of_other(struct arrivals *arrivals)
{
    const struct arrivals_spec *spec = &arrivals->spec;

    if (spec->process == ARRIVALS_DIURNAL && spec->point_count == 0)
        return arrivals_varying_sine(arrivals);
    if (spec->process == ARRIVALS_DIURNAL || spec->process == ARRIVALS_MMPP)
        return arrivals_varying_advance(arrivals,
                                        dist_draw_exponential(&arrivals->rng));
    if (spec->spike_count > 0)
        return arrivals_varying_advance(arrivals, draw_gap_ns(arrivals));
    if (spec->process == ARRIVALS_DETERMINISTIC)
        return next_of_equal(arrivals);
    return next_of_gap(arrivals, draw_gap_ns(arrivals));
}

int64_t arrivals_next(struct arrivals *arrivals)
{
    arrivals->count++;
    if (__builtin_expect(!arrivals->plain, 0))
        arrivals->now_ns = next_of_other(arrivals);
    else
        arrivals->now_ns =
            next_of_gap(arrivals, arrivals->mean_gap_ns *
                                      dist_draw_exponential(&arrivals->rng));
    return arrivals->now_ns;
}
