/*
 * Which policy is better? Each policy against the first, on the objective,
 * paired by seed.
 *
 * better or worse needs two things at once: a paired interval without 0, wide
 * enough for as many policies as are compared (Holm), and a mean difference of
 * at least min_effect of the reference; of success_ratio, of the failures of
 * the reference where these are fewer than the successes. All else is cannot
 * tell, with the reason, and with the number of replications that would tell.
 *
 * Two results that share no seed are no pairs: then the interval is Welch's, of
 * two independent series.
 *
 * Where the objective is infinite in some replication (requests without an
 * answer count so) there are no differences to average: then an exact sign
 * test over the pairs decides. Infinite is worse than any number, both
 * infinite is a tie, and so is a difference below min_effect.
 */
#ifndef SIM_EXPERIMENT_VERDICT_H
#define SIM_EXPERIMENT_VERDICT_H

#include "sim/measure/measures.h"

#include <stdint.h>

enum verdict_kind {
    VERDICT_REFERENCE,
    VERDICT_BETTER,
    VERDICT_WORSE,
    VERDICT_CANNOT_TELL,
    VERDICT_DIFFERS /* of a measure that has no better and worse */
};

/* As written in summary.json: "cannot_tell". */
extern const char *const verdict_names[];

enum verdict_reason {
    VERDICT_CLEAR,    /* better, worse, differs or reference */
    VERDICT_NOISE,    /* the interval holds 0 */
    VERDICT_SMALL,    /* a difference for certain, but below min_effect */
    VERDICT_ALIKE,    /* none for certain, and none as large as min_effect */
    VERDICT_SAME,     /* no difference in any pair */
    VERDICT_ONE_PAIR, /* fewer than two pairs: nothing to judge by */
    VERDICT_NO_VALUE, /* the objective has no value */
    VERDICT_INFINITE  /* infinite somewhere, and no pairs for a sign test */
};

struct verdict {
    enum verdict_kind kind;
    enum verdict_reason reason;
    bool by_sign;   /* by sign test: difference, lo, hi, effect are NaN */
    bool unpaired;  /* by Welch's test */
    uint32_t pairs; /* with a value on both sides; unpaired: of the side that
                       has fewer */
    uint32_t better_pairs, worse_pairs; /* the others are ties */
    double difference, lo, hi; /* this policy minus the reference, in the unit
                                  of the objective; lo and hi Holm-corrected */
    double effect_ratio;       /* difference over the reference's mean */
    double p;                  /* Holm-adjusted; NaN without a test */
    double level;              /* that of lo and hi; NaN without a test */
    double reference_mean;     /* of the values compared; NaN: infinite */
    bool by_failures; /* what is missing from 100 % counts: verdict_yardstick */
    uint64_t replications_needed; /* that would tell; 0: not known */
};

/* Two series to be compared, NaN for absent, INFINITY for unbounded. */
struct verdict_test {
    const double *old_values; /* [old_count] those of the reference */
    const double *new_values; /* [new_count]; pairs: as many as old_count */
    uint32_t old_count, new_count;
    enum measure_better better;
    bool unpaired;
    bool by_failures;
};

struct verdict_rules {
    double confidence, min_effect;
    /* [tests] as of stats_step_down(); NULL: alpha / k. */
    const double *levels;
};

/* Of success_ratio: half as many failures matter, though 99.9 % of success are
   hardly less than 99.95 %. */
bool verdict_is_by_failures(enum measure_id id);

/* What min_effect is a share of: the size of the reference's mean; by failures
   the smaller of success and failures. NaN where the mean is. */
double verdict_yardstick(const struct verdict *verdict);

/*
 * Verdicts on a family of tests: the chance of even one false better or worse
 * among them is at most 1 - confidence. ret: [count], which may be 0. false: no
 * memory.
 */
bool verdict_family_reach(const struct verdict_test *tests, uint32_t count,
                          const struct verdict_rules *rules,
                          struct verdict *ret);

/*
 * values: [policies] arrays of replications values of this measure, NaN for
 * absent, INFINITY for unbounded; the first is the reference. ret: [policies].
 * confidence such as 0.95; min_effect a
 * share. false: no memory.
 */
bool verdicts_reach(const double *const *values, uint32_t policies,
                    uint32_t replications, enum measure_id measure,
                    double confidence, double min_effect, struct verdict *ret);

#endif
