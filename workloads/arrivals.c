#include "workloads/arrivals.h"

#include "workloads/dist.h"
#include "workloads/gamma.h"

#include <assert.h>
#include <math.h>

const char *const arrivals_process_names[ARRIVALS_PROCESS_COUNT] = {
    "poisson",
    "deterministic",
    "gamma",
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

void arrivals_init(struct arrivals *arrivals, const struct arrivals_spec *spec,
                   uint64_t seed, uint64_t replication)
{
    assert(spec->rate_per_s > 0 && spec->rate_per_s <= 1e15);
    *arrivals = (struct arrivals){
        .spec = *spec,
        .mean_gap_ns = 1e9 / spec->rate_per_s,
    };
    rng_stream(&arrivals->rng, seed, replication, RNG_ARRIVALS, 0);
    if (spec->process == ARRIVALS_DETERMINISTIC)
        init_equal_gaps(arrivals, spec->rate_per_s);
    if (spec->process == ARRIVALS_GAMMA) {
        assert(spec->cv > 0);
        arrivals->shape = 1 / (spec->cv * spec->cv);
    }
}

static double draw_gap_ns(struct arrivals *arrivals)
{
    if (arrivals->spec.process == ARRIVALS_POISSON)
        return arrivals->mean_gap_ns * dist_draw_exponential(&arrivals->rng);
    return arrivals->mean_gap_ns / arrivals->shape *
           gamma_draw(&arrivals->rng, arrivals->shape);
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

int64_t arrivals_next(struct arrivals *arrivals)
{
    arrivals->count++;
    if (__builtin_expect(arrivals->spec.process == ARRIVALS_DETERMINISTIC, 0)) {
        arrivals->now_ns = next_of_equal(arrivals);
        return arrivals->now_ns;
    }

    /* 2^62 first: above it, gap and sum could leave 64 bits. */
    double gap_ns = draw_gap_ns(arrivals) + 0.5;
    if (gap_ns >= 0x1p62 || arrivals->now_ns >= INT64_C(1) << 62)
        arrivals->now_ns = INT64_MAX;
    else
        arrivals->now_ns += (int64_t)gap_ns;
    return arrivals->now_ns;
}
