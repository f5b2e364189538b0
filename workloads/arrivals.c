#include "workloads/arrivals.h"

#include "workloads/dist.h"
#include "workloads/mathx.h"

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

/*
 * Gamma law of mean shape, for shape >= 1: Marsaglia and Tsang, "A Simple
 * Method for Generating Gamma Variables", ACM TOMS 26(3), 2000.
 */
static double draw_gamma_of_large_shape(struct rng *rng, double shape)
{
    double d = shape - 1.0 / 3, c = 1 / sqrt(9 * d);

    for (;;) {
        double x = dist_draw_normal(rng);
        double root = 1 + c * x, v = root * root * root;

        /* -log(U) is exponential. */
        if (root > 0 && -dist_draw_exponential(rng) <
                            0.5 * x * x + d * (1 - v + mathx_log(v)))
            return d * v;
    }
}

/* Below 1, by the same paper's section 6: gamma(shape + 1) U^(1/shape). */
static double draw_gamma(struct rng *rng, double shape)
{
    if (shape >= 1)
        return draw_gamma_of_large_shape(rng, shape);

    double large = draw_gamma_of_large_shape(rng, shape + 1);
    return large * mathx_exp(-dist_draw_exponential(rng) / shape);
}

static double draw_gap_ns(struct arrivals *arrivals)
{
    if (arrivals->spec.process == ARRIVALS_POISSON)
        return arrivals->mean_gap_ns * dist_draw_exponential(&arrivals->rng);
    return arrivals->mean_gap_ns / arrivals->shape *
           draw_gamma(&arrivals->rng, arrivals->shape);
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
