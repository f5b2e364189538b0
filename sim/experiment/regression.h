/*
 * Regressions: which of many measures are worse than they were, beyond doubt
 * and by more than is allowed?
 *
 * Each test is one measure of one policy, in pairs that share their random
 * numbers: replication i as it was, and as it is now. Three things make an
 * alarm, and all of them must hold:
 *
 * - Chance does not explain it: the changes lie above the allowed one by
 *   Wilcoxon's signed rank test, Holm-corrected over all tests, so that whole
 *   checks without any difference raise an alarm as seldom as asked, once in
 *   1,000, however heavy the tails and many the ties.
 * - Typical replications are worse by more than is allowed. That is what the
 *   test asks: not whether there is a change, but whether it exceeds.
 * - So is the mean.
 *
 * It passes when the interval of the change lies within what is allowed, and
 * is unclear in between, with the number of replications that would tell.
 *
 * Tests that could not reach their level whatever happened (five pairs, or all
 * values equal) are known before looking at who was better, by the sizes of
 * the differences alone, so they need no share of the false alarms: Tarone, "A
 * modified Bonferroni method for discrete data", Biometrics 46(2), 1990. A
 * change that touches one policy is therefore judged as if it stood alone.
 */
#ifndef SIM_EXPERIMENT_REGRESSION_H
#define SIM_EXPERIMENT_REGRESSION_H

#include "sim/measure/measures.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum regression_kind {
    REGRESSION_SAME,   /* identical in every replication */
    REGRESSION_WITHIN, /* changed, by no more than is allowed */
    REGRESSION_BETTER, /* by more than would be allowed the other way */
    REGRESSION_WORSE,  /* the alarm */
    REGRESSION_UNCLEAR,
    REGRESSION_KIND_COUNT
};

enum regression_reason {
    REGRESSION_CLEAR,  /* nothing to explain: any kind but UNCLEAR */
    REGRESSION_OVER,   /* looks worse than allowed, but chance can do that */
    REGRESSION_NEAR,   /* looks allowed, but may be worse than that */
    REGRESSION_FEW,    /* too few pairs for any test at this level */
    REGRESSION_UNEVEN, /* the mean and typical replications disagree */
    REGRESSION_ABSENT, /* values that were there are missing, or are new */
    REGRESSION_REASON_COUNT
};

/* In words that scripts can rely on: "same", "within", ...; "few", ... */
extern const char *const regression_kind_names[REGRESSION_KIND_COUNT];
extern const char *const regression_reason_names[REGRESSION_REASON_COUNT];

struct regression_test {
    const double *old_values; /* [pairs] NaN: absent; INFINITY: unanswered, */
    const double *new_values; /* [pairs] which is worse than any number */
    uint32_t pairs;
    enum measure_better better; /* not BETTER_NEITHER */
    /* What a change for the worse may be: the larger of both counts. */
    double allowed_ratio; /* of the old value */
    double allowed;       /* in the measure's unit */
};

struct regression_rules {
    double false_alarms; /* chance of any alarm in a check without change */
    double confidence;   /* of the intervals, 0.95 */
    bool exact;          /* nothing is random: values are what they are */
};

struct regression {
    enum regression_kind kind;
    enum regression_reason reason;
    uint32_t pairs; /* with both values */
    uint32_t worse_pairs, better_pairs;
    uint32_t old_unbounded, new_unbounded; /* infinite ones among the pairs */
    double old_value, new_value; /* means; NaN where some are infinite */
    /* New minus old: the typical change and its interval, in the measure's
       unit; NaN: none, because of infinite values or too few pairs. */
    double change, lo, hi;
    double change_ratio;   /* change over |old_value|; NaN: none */
    double allowed;        /* what it came to, 0 or more, in the unit */
    double p;              /* of the alarm, corrected; 1 when there is none */
    uint64_t pairs_needed; /* that would tell; 0: known to none */
};

/* One finding for each test. false: no memory. */
bool regressions_judge(const struct regression_test *tests, size_t count,
                       const struct regression_rules *rules,
                       struct regression *ret);

/*
 * The fewest pairs with which a check of that many tests can raise an alarm
 * about each at all, when every pair is worse: 2^-pairs must be within the
 * false alarms over the tests. A few more make it likely.
 */
uint32_t regressions_fewest_pairs(size_t tests, double false_alarms);

#endif
