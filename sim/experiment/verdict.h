/*
 * Which policy is better? Each policy against the first, on the objective,
 * paired by seed.
 *
 * better or worse needs two things at once: a paired interval without 0, wide
 * enough for as many policies as are compared (Holm), and a mean difference of
 * at least min_effect of the reference. All else is cannot tell, with the
 * reason, and with the number of replications that would tell.
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
    VERDICT_CANNOT_TELL
};

/* As written in summary.json: "cannot_tell". */
extern const char *const verdict_names[];

enum verdict_reason {
    VERDICT_CLEAR,    /* better, worse or reference */
    VERDICT_NOISE,    /* the interval holds 0 */
    VERDICT_SMALL,    /* a difference for certain, but below min_effect */
    VERDICT_ALIKE,    /* none for certain, and none as large as min_effect */
    VERDICT_SAME,     /* no difference in any pair */
    VERDICT_ONE_PAIR, /* fewer than two pairs: nothing to judge by */
    VERDICT_NO_VALUE  /* the objective has no value */
};

struct verdict {
    enum verdict_kind kind;
    enum verdict_reason reason;
    bool by_sign;   /* by sign test: difference, lo, hi, effect are NaN */
    uint32_t pairs; /* with a value on both sides */
    uint32_t better_pairs, worse_pairs; /* the others are ties */
    double difference, lo, hi; /* this policy minus the reference, in the unit
                                  of the objective; lo and hi Holm-corrected */
    double effect_ratio;       /* difference over the reference's mean */
    double p;                  /* Holm-adjusted; NaN without a test */
    uint64_t replications_needed; /* that would tell; 0: not known */
};

/*
 * values: [policies] arrays of replications values of the objective, NaN for
 * absent, INFINITY for unbounded; the first is the reference. ret: [policies].
 * better: BETTER_LOWER or BETTER_HIGHER; confidence such as 0.95; min_effect a
 * share. false: no memory.
 */
bool verdicts_reach(const double *const *values, uint32_t policies,
                    uint32_t replications, enum measure_better better,
                    double confidence, double min_effect, struct verdict *ret);

#endif
