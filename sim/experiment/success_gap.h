/*
 * Whether success differs where the objective cannot say so.
 *
 * A percentile of latency is infinite as soon as too many requests have no
 * answer, however many: of two policies that are both that bad, one may still
 * answer far more. The verdict stays cannot tell, for it is on the objective
 * that the scenario names; this says what else is known.
 */
#ifndef SIM_EXPERIMENT_SUCCESS_GAP_H
#define SIM_EXPERIMENT_SUCCESS_GAP_H

#include <stdbool.h>
#include <stdint.h>

struct success_gap {
    uint32_t
        both_infinite; /* pairs without a finite objective on either side */
    bool separated;    /* both are infinite in most pairs, and the interval is
                          without 0; else what follows is 0 */
    double difference, lo, hi; /* of the shares with success, this policy minus
                                  the reference, paired */
};

/*
 * Arrays are [replications], those of the reference first; NaN: no value.
 * comparisons: policies compared with the reference, at least 1; the interval
 * is as wide as so many need (Bonferroni).
 */
struct success_gap
success_gap_of(const double *old_objective, const double *new_objective,
               const double *old_success, const double *new_success,
               uint32_t replications, uint32_t comparisons, double confidence);

#endif
