#include "sim/experiment/verdict.h"

#include "sim/measure/stats.h"

#include <math.h>
#include <stdlib.h>

#define POWER 0.9           /* of the comparison that would tell */
#define SEARCH_LIMIT 10000u /* pairs of a sign test that we look up to */

const char *const verdict_names[] = {"reference", "better", "worse",
                                     "cannot_tell"};

struct comparison {
    double *old_values, *new_values; /* pairs without absent values */
    uint32_t pairs;
    enum measure_better better;
    double alpha, min_effect;
};

static bool collect_pairs(struct comparison *comparison,
                          const double *reference, const double *values,
                          uint32_t replications)
{
    bool infinite = false;

    comparison->pairs = 0;
    for (uint32_t i = 0; i < replications; i++) {
        if (isnan(reference[i]) || isnan(values[i]))
            continue;
        infinite |= isinf(reference[i]) || isinf(values[i]);
        comparison->old_values[comparison->pairs] = reference[i];
        comparison->new_values[comparison->pairs++] = values[i];
    }
    return infinite;
}

/* -1: the policy is lower, 1: higher, 0: a tie. */
static int pair_sign(double old_value, double new_value, double tie_share)
{
    if (isinf(old_value) || isinf(new_value))
        return (isinf(new_value) != 0) - (isinf(old_value) != 0);

    double difference = new_value - old_value;
    if (difference == 0 || fabs(difference) < tie_share * fabs(old_value))
        return 0;
    return difference < 0 ? -1 : 1;
}

static void count_signs(const struct comparison *comparison, double tie_share,
                        struct verdict *verdict)
{
    verdict->better_pairs = 0;
    verdict->worse_pairs = 0;
    for (uint32_t i = 0; i < comparison->pairs; i++) {
        double old_value = comparison->old_values[i];
        double new_value = comparison->new_values[i];
        int sign = pair_sign(old_value, new_value, tie_share);

        /* Infinite is worse in both directions: it means no answer. */
        if (comparison->better == BETTER_HIGHER && isfinite(old_value) &&
            isfinite(new_value))
            sign = -sign;
        verdict->better_pairs += sign < 0;
        verdict->worse_pairs += sign > 0;
    }
}

/* The first test, before Holm: fills what needs no corrected level. */
static void test_pairs(const struct comparison *comparison, bool infinite,
                       struct verdict *verdict)
{
    *verdict = (struct verdict){
        .kind = VERDICT_CANNOT_TELL,
        .by_sign = infinite,
        .pairs = comparison->pairs,
        .difference = NAN,
        .lo = NAN,
        .hi = NAN,
        .effect_ratio = NAN,
        .p = NAN,
    };
    count_signs(comparison, infinite ? comparison->min_effect : 0, verdict);
    if (comparison->pairs == 0) {
        verdict->reason = VERDICT_NO_VALUE;
        return;
    }
    if (!infinite) {
        double reference =
            stats_mean(comparison->old_values, comparison->pairs);

        verdict->difference =
            stats_mean(comparison->new_values, comparison->pairs) - reference;
        if (reference != 0)
            verdict->effect_ratio = verdict->difference / fabs(reference);
    }
    if (comparison->pairs < 2) {
        verdict->reason = VERDICT_ONE_PAIR;
        return;
    }
    if (verdict->better_pairs + verdict->worse_pairs == 0) {
        verdict->reason = VERDICT_SAME;
        verdict->p = 1;
    } else if (infinite) {
        verdict->p =
            stats_sign_test_p(verdict->better_pairs, verdict->worse_pairs);
    } else {
        verdict->p =
            stats_paired_t(comparison->old_values, comparison->new_values,
                           comparison->pairs, 1 - comparison->alpha)
                .p;
    }
}

/* ---- what the corrected level says ---- */

static double sd_of_differences(const struct comparison *comparison,
                                const struct stats_paired *paired,
                                double confidence)
{
    double n = comparison->pairs;
    double half = (paired->difference.hi - paired->difference.lo) / 2;

    return half / stats_t_quantile(0.5 + confidence / 2, n - 1) * sqrt(n);
}

static void judge_by_t(const struct comparison *comparison, double level,
                       bool significant, struct verdict *verdict)
{
    double confidence = 1 - level;
    struct stats_paired paired =
        stats_paired_t(comparison->old_values, comparison->new_values,
                       comparison->pairs, confidence);
    double reference = stats_mean(comparison->old_values, comparison->pairs);
    double least = comparison->min_effect * fabs(reference);
    double size = fabs(verdict->difference);

    verdict->lo = paired.difference.lo;
    verdict->hi = paired.difference.hi;
    if (significant && size >= least) {
        bool lower = verdict->difference < 0;

        verdict->reason = VERDICT_CLEAR;
        verdict->kind = lower == (comparison->better == BETTER_LOWER)
                            ? VERDICT_BETTER
                            : VERDICT_WORSE;
        return;
    }
    if (significant) {
        verdict->reason = VERDICT_SMALL;
        return;
    }
    if (size < least && verdict->lo > -least && verdict->hi < least) {
        verdict->reason = VERDICT_ALIKE; /* more runs would not matter */
        return;
    }
    verdict->reason = VERDICT_NOISE;
    verdict->replications_needed =
        stats_pairs_needed(sd_of_differences(comparison, &paired, confidence),
                           fmax(size, least), level, POWER);
    if (verdict->replications_needed == UINT64_MAX)
        verdict->replications_needed = 0;
    else if (verdict->replications_needed <= comparison->pairs)
        verdict->replications_needed = comparison->pairs + 1;
}

/* Pairs at which signs in today's proportion would be enough; 0: none below
   the search's limit. */
static uint64_t signs_needed(const struct verdict *verdict, double level)
{
    uint64_t decided = verdict->better_pairs + verdict->worse_pairs;
    uint64_t fewer = verdict->better_pairs < verdict->worse_pairs
                         ? verdict->better_pairs
                         : verdict->worse_pairs;

    /* Steps grow, because one test costs as much as it has pairs. */
    for (uint64_t n = decided + 1; n < SEARCH_LIMIT; n += 1 + n / 64) {
        uint64_t against = (n * fewer + decided - 1) / decided;

        if (stats_sign_test_p(n - against, against) <= level)
            return n * verdict->pairs / decided; /* ties come along */
    }
    return 0;
}

static void judge_by_sign(double level, bool significant,
                          struct verdict *verdict)
{
    uint32_t decided = verdict->better_pairs + verdict->worse_pairs;

    if (!significant) {
        verdict->reason = VERDICT_NOISE;
        /* A forecast from a minority of pairs recedes as replications are
           added, so where most pairs tie there is none. */
        if (decided >= verdict->pairs - decided)
            verdict->replications_needed = signs_needed(verdict, level);
        return;
    }
    verdict->reason = VERDICT_CLEAR;
    verdict->kind = verdict->better_pairs > verdict->worse_pairs
                        ? VERDICT_BETTER
                        : VERDICT_WORSE;
}

/*
 * The level at which Holm's procedure looks at test i: alpha over the tests
 * whose p is not smaller, itself among them.
 */
static double holm_level(const double *p, uint32_t count, uint32_t i,
                         double alpha)
{
    uint32_t left = 0;

    for (uint32_t j = 0; j < count; j++)
        if (!isnan(p[j]) && (p[j] > p[i] || (!(p[j] < p[i]) && j >= i)))
            left++;
    return alpha / left;
}

static void judge(const double *const *values, uint32_t policies,
                  uint32_t replications, struct comparison *comparison,
                  const double *p, const double *adjusted, struct verdict *ret)
{
    for (uint32_t i = 1; i < policies; i++) {
        if (isnan(p[i]) || ret[i].reason == VERDICT_SAME)
            continue;

        double level = holm_level(p, policies, i, comparison->alpha);
        bool significant = adjusted[i] <= comparison->alpha;

        collect_pairs(comparison, values[0], values[i], replications);
        ret[i].p = adjusted[i];
        if (ret[i].by_sign)
            judge_by_sign(level, significant, &ret[i]);
        else
            judge_by_t(comparison, level, significant, &ret[i]);
    }
}

bool verdicts_reach(const double *const *values, uint32_t policies,
                    uint32_t replications, enum measure_better better,
                    double confidence, double min_effect, struct verdict *ret)
{
    size_t room = 2 * ((size_t)policies + replications);
    double *owned = calloc(room, sizeof *owned);

    if (!owned)
        return false;

    double *p = owned;
    double *adjusted = owned + policies;
    struct comparison comparison = {
        .old_values = adjusted + policies,
        .new_values = adjusted + policies + replications,
        .better = better,
        .alpha = 1 - confidence,
        .min_effect = min_effect,
    };

    ret[0] = (struct verdict){.kind = VERDICT_REFERENCE,
                              .pairs = replications,
                              .difference = NAN,
                              .lo = NAN,
                              .hi = NAN,
                              .effect_ratio = NAN,
                              .p = NAN};
    p[0] = NAN;
    for (uint32_t i = 1; i < policies; i++) {
        bool infinite =
            collect_pairs(&comparison, values[0], values[i], replications);

        test_pairs(&comparison, infinite, &ret[i]);
        p[i] = ret[i].p;
    }
    stats_holm(p, adjusted, policies);
    judge(values, policies, replications, &comparison, p, adjusted, ret);
    free(owned);
    return true;
}
