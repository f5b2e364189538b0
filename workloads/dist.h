/*
 * Distributions of sizes, work and noise.
 *
 * A user describes one by any of the accepted sets of parameters; dist_init
 * turns the description into the form that draws fast. Draws use our own
 * ziggurats and mathx, so that results do not depend on libm. Draws are
 * doubles in the unit of the description (tokens, seconds, a factor).
 */
#ifndef WORKLOADS_DIST_H
#define WORKLOADS_DIST_H

#include "workloads/empirical.h"
#include "workloads/rng.h"
#include "workloads/ziggurat.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

enum dist_kind {
    DIST_NONE,
    DIST_CONSTANT,         /* value */
    DIST_UNIFORM,          /* min, max */
    DIST_EXPONENTIAL,      /* mean */
    DIST_LOGNORMAL,        /* (median | mean), (sigma | p99 | scv); p99 goes
                              with median only */
    DIST_PARETO,           /* shape, (mean | min); mean needs shape > 1 */
    DIST_BOUNDED_PARETO,   /* shape, (min, max | mean, ratio = max / min) */
    DIST_HYPEREXPONENTIAL, /* mean, scv >= 1: two phases, balanced means */
    DIST_GEOMETRIC,        /* mean >= 1: 1, 2, 3, ... */
    DIST_WEIBULL,          /* shape, (mean | scale) */
    DIST_GAMMA,            /* (shape, (mean | scale) | mean, scv): variance is
                              mean^2 / shape */
    DIST_EMPIRICAL,        /* table; scale: what a 1 in it stands for, or 1 */
    DIST_KIND_COUNT
};

/* As users write it, in enum order; dist_names[DIST_NONE] is "none". */
extern const char *const dist_names[DIST_KIND_COUNT];

/*
 * What a user may say; NaN where unsaid. All are 0 or more, and finite but for
 * at_most. sigma is the standard deviation of the logarithm, scv the squared
 * coefficient of variation (variance / mean^2).
 */
struct dist_params {
    enum dist_kind kind;
    double value, mean, median, p99, sigma, scv, shape, min, max, ratio, scale;
    double at_least, at_most; /* draws outside are set to the bound */

    /* empirical: the file as a user names it, and what was read from it by
       whoever calls dist_init. Both borrowed, NULL where unsaid. */
    const char *file;
    struct empirical_spec columns;
    const struct empirical *table;
};

#define DIST_PARAMS_NONE                                                \
    (struct dist_params)                                                \
    {                                                                   \
        .kind = DIST_NONE, .value = NAN, .mean = NAN, .median = NAN,    \
        .p99 = NAN, .sigma = NAN, .scv = NAN, .shape = NAN, .min = NAN, \
        .max = NAN, .ratio = NAN, .scale = NAN, .at_least = NAN,        \
        .at_most = NAN                                                  \
    }

struct dist {
    enum dist_kind kind;
    double a, b, c, d; /* what the kind needs, see dist.c */
    const struct empirical *table;
    double at_least, at_most;
    double mean; /* of the law without at_least and at_most; may be INFINITY */
};

/*
 * Whether params describe a distribution. false: reterr says what is missing,
 * too many or out of range, in the user's words and 0-terminated, in at most
 * reterr_size bytes (160 are enough); NULL when nobody asks. DIST_NONE is fine.
 */
bool dist_params_check(const struct dist_params *params, char *reterr,
                       size_t reterr_size);

/* The form that draws. false: as dist_params_check says, and *dist is "none".
 */
bool dist_init(struct dist *dist, const struct dist_params *params,
               char *reterr, size_t reterr_size);

/* The distribution and its bounds scaled to mean 1: for noise. false, and
   nothing done: its mean is 0 or not finite. */
bool dist_scale_to_mean_1(struct dist *dist);

/* One draw, 0 or more; INFINITY only where the law reaches beyond what a double
   holds and at_most does not stop it. DIST_NONE draws nothing and yields 0. */
double dist_draw(const struct dist *dist, struct rng *rng);

/* Mean of what dist_draw yields, with its bounds, in closed form. For load
   estimates. May be INFINITY. */
double dist_effective_mean(const struct dist *dist);

/* Standard draws of which the others are made. Mean 1. */
static inline double dist_draw_exponential(struct rng *rng)
{
    return ziggurat_draw_exponential(rng);
}

/* Mean 0, standard deviation 1. */
static inline double dist_draw_normal(struct rng *rng)
{
    return ziggurat_draw_normal(rng);
}

#endif
