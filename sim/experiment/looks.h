/*
 * Replications in portions, until it can be told: when to look, at which level,
 * and whether to go on.
 *
 * The looks are fixed before the first: at first, 2 first, 4 first, ... and at
 * most replications. Each may spend the same part of alpha, so that a large
 * difference ends the experiment at the first of them and a small one still
 * finds most of alpha at the last (measure/spending.h says what that costs).
 */
#ifndef SIM_EXPERIMENT_LOOKS_H
#define SIM_EXPERIMENT_LOOKS_H

#include "sim/experiment/verdict.h"
#include "sim/measure/spending.h"

#include <stdbool.h>
#include <stdint.h>

struct looks {
    uint32_t count;
    uint32_t at[SPENDING_LOOKS_MAX]; /* [count] replications, ascending */
};

/* first: 2 or more; most: at least first. Where doubling would need more looks
   than there may be, the last step is longer. */
struct looks looks_plan(uint32_t first, uint32_t most);

/*
 * Levels of a family of tests at a look (from 0), for verdict_rules.levels:
 * ret_levels[k - 1] when k of them are left. Exact up to k of 16; beyond it
 * those of a somewhat larger k, so that a large family takes no minutes.
 */
void looks_levels(const struct looks *looks, uint32_t look, double alpha,
                  uint32_t tests, double *ret_levels);

/* Whether more replications have nothing to add: the verdict is clear, or the
   interval's half width is at most until, a share of verdict_yardstick, or
   no difference as large as min_effect is left, or there are no values. */
bool looks_have_told(const struct verdict *verdict, double until);

#endif
