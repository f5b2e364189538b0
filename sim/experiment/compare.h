/*
 * Several results side by side, on several measures: which differ, by how
 * much, and which is the best.
 *
 * A side is what one policy yielded, with its values in each replication. Sides
 * are compared in pairs: each policy with the first, or all with all, or a
 * policy with itself in another result.
 *
 * What counts as a difference is min_effect of the reference's mean; of
 * success_ratio, of its failures where these are fewer (verdict_yardstick).
 *
 * Verdicts come in families, in each of which the chance of even one false
 * call is at most 1 - confidence (verdict.h): all pairs on the objective are
 * one; all pairs on all other measures are the second; the ranking, which
 * compares every side with every other on the objective, is the third.
 */
#ifndef SIM_EXPERIMENT_COMPARE_H
#define SIM_EXPERIMENT_COMPARE_H

#include "sim/experiment/looks.h"
#include "sim/experiment/verdict.h"
#include "sim/measure/measures.h"

#include <stdbool.h>
#include <stdint.h>

struct compare_side {
    const char *label; /* borrowed */
    /* [count] each, in order of replications, NaN where there is no value;
       NULL: no such measure. */
    const double *values[MEASURE_COUNT];
    uint32_t count; /* the same of all sides that are paired */
};

struct compare_pair {
    uint32_t reference, side; /* indices of sides */
};

struct compare_setup {
    const struct compare_side *sides; /* [side_count] */
    uint32_t side_count;
    const struct compare_pair *pairs; /* [pair_count] */
    uint32_t pair_count;
    const enum measure_id *measures; /* [measure_count], the objective first */
    uint32_t measure_count;
    bool unpaired; /* the sides share no seed */
    bool ranks;    /* the sides are one experiment's, so rank them all */
    double confidence, min_effect;
    const struct looks *looks; /* NULL: looked at once */
    uint32_t look;             /* which of them this is, from 0 */
};

/* How sure a side is placed before another. */
enum compare_step { STEP_BETTER, STEP_ALIKE, STEP_CANNOT_TELL };

struct compare_mean {
    double mean, lo, hi; /* NaN: infinite somewhere, or no value */
    bool infinite;
};

struct compare_result {
    const struct compare_setup *setup;
    struct compare_mean *means; /* [measure_count][side_count] */
    struct verdict *verdicts;   /* [measure_count][pair_count] */
    double *pairing_gains;      /* [pair_count], as of stats_pairing_gain(), on
                                   the objective */
    double *deviations;         /* [pair_count] standard deviation of the paired
                                   differences on the objective; NaN: infinite values,
                                   fewer than two pairs, or no pairs */
    bool *same; /* [pair_count]: no measure differs in any replication */
    /* Sides from the best to the worst by the mean of the objective, infinite
       ones last; [side_count] when ranks. */
    uint32_t *ranking;
    enum compare_step *from_best; /* [side_count] the best and ranking[i] */
    enum compare_step *to_next;   /* [side_count] ranking[i] and the next */
};

/* false: no memory. *ret is to be released by compare_done either way; it
   borrows the setup. */
bool compare_sides(const struct compare_setup *setup,
                   struct compare_result *ret);
void compare_done(struct compare_result *result);

/*
 * The smallest difference on the objective that so many replications would find
 * with this power (such as 0.9), if they spread as those at hand do: in the
 * measure's unit, at the level of Holm's first step, which is that of the
 * family's largest difference. NaN where deviations are.
 */
double compare_smallest(const struct compare_result *result, uint32_t pair,
                        uint32_t replications, double power);

/* Verdict of a pair on a measure, both by their place in the setup. */
const struct verdict *compare_verdict(const struct compare_result *result,
                                      uint32_t measure, uint32_t pair);

#endif
