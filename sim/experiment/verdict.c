#include "sim/experiment/verdict.h"

#include "sim/measure/stats.h"

#include <math.h>
#include <stdlib.h>

#define ROUNDING 1e-12      /* fewer failures are none but for arithmetic */
#define POWER 0.9           /* of the comparison that would tell */
#define SEARCH_LIMIT 10000u /* pairs of a sign test that we look up to */

const char *const verdict_names[] = {"reference", "better", "worse",
                                     "cannot_tell", "differs"};

bool verdict_is_by_failures(enum measure_id id)
{
    return id == M_SUCCESS;
}

double verdict_yardstick(const struct verdict *verdict)
{
    double size = fabs(verdict->reference_mean);

    if (!verdict->by_failures || !(size > 0.5))
        return size;
    return 1 - size > ROUNDING ? 1 - size : 0;
}

/* The values of one test that are there: pairs, or two series. */
struct comparison {
    double *old_values, *new_values;
    uint32_t old_count, new_count; /* the same of pairs */
    enum measure_better better;
    bool unpaired, by_failures, infinite;
    double alpha, min_effect;
};

static void collect_series(const double *values, uint32_t count,
                           double *ret_values, uint32_t *ret_count,
                           bool *infinite)
{
    *ret_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (isnan(values[i]))
            continue;
        *infinite |= isinf(values[i]) != 0;
        ret_values[(*ret_count)++] = values[i];
    }
}

static void collect_pairs(const struct verdict_test *test,
                          struct comparison *comparison)
{
    uint32_t pairs = 0;

    for (uint32_t i = 0; i < test->old_count; i++) {
        double old_value = test->old_values[i], new_value = test->new_values[i];

        if (isnan(old_value) || isnan(new_value))
            continue;
        comparison->infinite |= isinf(old_value) || isinf(new_value);
        comparison->old_values[pairs] = old_value;
        comparison->new_values[pairs++] = new_value;
    }
    comparison->old_count = comparison->new_count = pairs;
}

static void collect(const struct verdict_test *test,
                    struct comparison *comparison)
{
    comparison->better = test->better;
    comparison->unpaired = test->unpaired;
    comparison->by_failures = test->by_failures;
    comparison->infinite = false;
    if (!test->unpaired) {
        collect_pairs(test, comparison);
        return;
    }
    collect_series(test->old_values, test->old_count, comparison->old_values,
                   &comparison->old_count, &comparison->infinite);
    collect_series(test->new_values, test->new_count, comparison->new_values,
                   &comparison->new_count, &comparison->infinite);
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
    for (uint32_t i = 0; !comparison->unpaired && i < comparison->old_count;
         i++) {
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

/* ---- the test, before the level is known ---- */

static struct verdict no_verdict(void)
{
    return (struct verdict){
        .kind = VERDICT_CANNOT_TELL,
        .difference = NAN,
        .lo = NAN,
        .hi = NAN,
        .effect_ratio = NAN,
        .p = NAN,
        .level = NAN,
        .reference_mean = NAN,
    };
}

static void fill_means(const struct comparison *comparison,
                       struct verdict *verdict)
{
    double reference =
        stats_mean(comparison->old_values, comparison->old_count);

    verdict->reference_mean = reference;
    verdict->difference =
        stats_mean(comparison->new_values, comparison->new_count) - reference;
    if (reference != 0)
        verdict->effect_ratio = verdict->difference / fabs(reference);
}

/* Interval and p of a t test. */
static struct stats_paired test_means(const struct comparison *comparison,
                                      double confidence)
{
    if (!comparison->unpaired)
        return stats_paired_t(comparison->old_values, comparison->new_values,
                              comparison->old_count, confidence);

    struct stats_welch welch = stats_welch_t(
        comparison->old_values, comparison->old_count, comparison->new_values,
        comparison->new_count, confidence);

    return (struct stats_paired){welch.difference, welch.p};
}

/* Why there is nothing to test; VERDICT_CLEAR: there is. */
static enum verdict_reason why_no_test(const struct comparison *comparison,
                                       const struct verdict *verdict)
{
    if (verdict->pairs == 0)
        return VERDICT_NO_VALUE;
    if (verdict->pairs < 2)
        return VERDICT_ONE_PAIR;
    if (comparison->infinite && comparison->unpaired)
        return VERDICT_INFINITE;
    return VERDICT_CLEAR;
}

/* Fills what needs no corrected level. */
static void test_values(const struct comparison *comparison,
                        struct verdict *verdict)
{
    bool infinite = comparison->infinite;

    *verdict = no_verdict();
    verdict->by_sign = infinite && !comparison->unpaired;
    verdict->unpaired = comparison->unpaired;
    verdict->by_failures = comparison->by_failures;
    verdict->pairs = comparison->old_count < comparison->new_count
                         ? comparison->old_count
                         : comparison->new_count;
    count_signs(comparison, infinite ? comparison->min_effect : 0, verdict);
    if (verdict->pairs > 0 && !infinite)
        fill_means(comparison, verdict);
    verdict->reason = why_no_test(comparison, verdict);
    if (verdict->reason != VERDICT_CLEAR)
        return;
    if (verdict->by_sign)
        verdict->p =
            stats_sign_test_p(verdict->better_pairs, verdict->worse_pairs);
    else
        verdict->p = test_means(comparison, 1 - comparison->alpha).p;
    if (!comparison->unpaired &&
        verdict->better_pairs + verdict->worse_pairs == 0) {
        verdict->reason = VERDICT_SAME;
        verdict->p = 1;
    }
}

/* ---- what the corrected level says ---- */

/* Of paired differences; of two series, what would make their interval that
   wide if they were pairs. */
static double sd_of_differences(const struct comparison *comparison)
{
    double sum = 0;

    if (comparison->unpaired)
        return sqrt(
            stats_variance(comparison->old_values, comparison->old_count) +
            stats_variance(comparison->new_values, comparison->new_count));
    double mean = stats_mean(comparison->new_values, comparison->new_count) -
                  stats_mean(comparison->old_values, comparison->old_count);
    for (uint32_t i = 0; i < comparison->old_count; i++) {
        double deviation =
            comparison->new_values[i] - comparison->old_values[i] - mean;

        sum += deviation * deviation;
    }
    return sqrt(sum / (comparison->old_count - 1));
}

static enum verdict_kind clear_kind(const struct comparison *comparison,
                                    double difference)
{
    bool lower = difference < 0;

    if (comparison->better == BETTER_NEITHER)
        return VERDICT_DIFFERS;
    return lower == (comparison->better == BETTER_LOWER) ? VERDICT_BETTER
                                                         : VERDICT_WORSE;
}

static void judge_by_t(const struct comparison *comparison, bool significant,
                       struct verdict *verdict)
{
    struct stats_interval interval =
        test_means(comparison, 1 - verdict->level).difference;
    double least = comparison->min_effect * verdict_yardstick(verdict);
    double size = fabs(verdict->difference);

    verdict->lo = interval.lo;
    verdict->hi = interval.hi;
    if (significant && size >= least) {
        verdict->reason = VERDICT_CLEAR;
        verdict->kind = clear_kind(comparison, verdict->difference);
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
        stats_pairs_needed(sd_of_differences(comparison), fmax(size, least),
                           verdict->level, POWER);
    if (verdict->replications_needed == UINT64_MAX)
        verdict->replications_needed = 0;
    else if (verdict->replications_needed <= verdict->pairs)
        verdict->replications_needed = verdict->pairs + 1;
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

static void judge_by_sign(const struct comparison *comparison, bool significant,
                          struct verdict *verdict)
{
    uint32_t decided = verdict->better_pairs + verdict->worse_pairs;
    bool better = verdict->better_pairs > verdict->worse_pairs;

    if (!significant) {
        verdict->reason = VERDICT_NOISE;
        /* A forecast from a minority of pairs recedes as replications are
           added, so where most pairs tie there is none. */
        if (decided >= verdict->pairs - decided)
            verdict->replications_needed =
                signs_needed(verdict, verdict->level);
        return;
    }
    verdict->reason = VERDICT_CLEAR;
    verdict->kind = comparison->better == BETTER_NEITHER ? VERDICT_DIFFERS
                    : better                             ? VERDICT_BETTER
                                                         : VERDICT_WORSE;
}

/*
 * The level at which the step-down procedure looks at test i: that of as many
 * tests as have a p that is not smaller, itself among them.
 */
static double level_of(const double *p, uint32_t count, uint32_t i,
                       double alpha, const double *levels)
{
    uint32_t left = 0;

    for (uint32_t j = 0; j < count; j++)
        if (!isnan(p[j]) && (p[j] > p[i] || (!(p[j] < p[i]) && j >= i)))
            left++;
    return levels ? levels[left - 1] : alpha / left;
}

/* p, adjusted: [count]. */
static void judge(const struct verdict_test *tests, uint32_t count,
                  const double *levels, struct comparison *comparison,
                  const double *p, const double *adjusted, struct verdict *ret)
{
    for (uint32_t i = 0; i < count; i++) {
        if (isnan(p[i]))
            continue;
        ret[i].level = level_of(p, count, i, comparison->alpha, levels);
        if (ret[i].reason == VERDICT_SAME)
            continue;

        bool significant = adjusted[i] <= comparison->alpha;

        collect(&tests[i], comparison);
        ret[i].p = adjusted[i];
        if (ret[i].by_sign)
            judge_by_sign(comparison, significant, &ret[i]);
        else
            judge_by_t(comparison, significant, &ret[i]);
    }
}

static size_t longest_series(const struct verdict_test *tests, uint32_t count)
{
    size_t longest = 0;

    for (uint32_t i = 0; i < count; i++) {
        longest = tests[i].old_count > longest ? tests[i].old_count : longest;
        longest = tests[i].new_count > longest ? tests[i].new_count : longest;
    }
    return longest;
}

bool verdict_family_reach(const struct verdict_test *tests, uint32_t count,
                          const struct verdict_rules *rules,
                          struct verdict *ret)
{
    size_t longest = longest_series(tests, count);
    double *owned = calloc(2 * (count + longest) + 1, sizeof *owned);

    if (!owned)
        return false;

    double *p = owned;
    double *adjusted = owned + count;
    struct comparison comparison = {
        .old_values = adjusted + count,
        .new_values = adjusted + count + longest,
        .alpha = 1 - rules->confidence,
        .min_effect = rules->min_effect,
    };

    for (uint32_t i = 0; i < count; i++) {
        collect(&tests[i], &comparison);
        test_values(&comparison, &ret[i]);
        p[i] = ret[i].p;
    }
    stats_step_down(p, rules->levels, comparison.alpha, adjusted, count);
    judge(tests, count, rules->levels, &comparison, p, adjusted, ret);
    free(owned);
    return true;
}

bool verdicts_reach(const double *const *values, uint32_t policies,
                    uint32_t replications, enum measure_id measure,
                    double confidence, double min_effect, struct verdict *ret)
{
    struct verdict_rules rules = {confidence, min_effect, NULL};
    struct verdict_test *tests = calloc(policies, sizeof *tests);

    if (!tests)
        return false;
    ret[0] = no_verdict();
    ret[0].kind = VERDICT_REFERENCE;
    ret[0].pairs = replications;
    for (uint32_t i = 1; i < policies; i++)
        tests[i - 1] = (struct verdict_test){
            .old_values = values[0],
            .new_values = values[i],
            .old_count = replications,
            .new_count = replications,
            .better = measures[measure].better,
            .by_failures = verdict_is_by_failures(measure),
        };

    bool fine = verdict_family_reach(tests, policies - 1, &rules, ret + 1);

    free(tests);
    return fine;
}
