#include "sim/experiment/compare.h"

#include "sim/measure/power.h"
#include "sim/measure/stats.h"

#include <math.h>
#include <stdlib.h>

const struct verdict *compare_verdict(const struct compare_result *result,
                                      uint32_t measure, uint32_t pair)
{
    return &result
                ->verdicts[(size_t)measure * result->setup->pair_count + pair];
}

/* ---- means of the sides ---- */

/* Moves what is there to ret; INFINITY is there, NaN is not. */
static uint32_t values_that_are(const double *values, uint32_t count,
                                double *ret)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; values && i < count; i++)
        if (!isnan(values[i]))
            ret[kept++] = values[i];
    return kept;
}

static struct compare_mean mean_of(const double *values, uint32_t count,
                                   double confidence, double *room)
{
    struct compare_mean mean = {NAN, NAN, NAN, false};
    uint32_t kept = values_that_are(values, count, room);

    for (uint32_t i = 0; i < kept; i++)
        mean.infinite |= isinf(room[i]) != 0;
    if (kept == 0 || mean.infinite)
        return mean;

    struct stats_interval interval = stats_t_interval(room, kept, confidence);

    mean.mean = interval.mean;
    mean.lo = interval.lo;
    mean.hi = interval.hi;
    return mean;
}

static bool find_means(const struct compare_setup *setup,
                       struct compare_result *ret)
{
    uint32_t longest = 0;

    for (uint32_t i = 0; i < setup->side_count; i++)
        if (setup->sides[i].count > longest)
            longest = setup->sides[i].count;

    double *room = calloc((size_t)longest + 1, sizeof *room);

    for (uint32_t m = 0; room && m < setup->measure_count; m++)
        for (uint32_t i = 0; i < setup->side_count; i++) {
            const struct compare_side *side = &setup->sides[i];

            ret->means[(size_t)m * setup->side_count + i] =
                mean_of(side->values[setup->measures[m]], side->count,
                        setup->confidence, room);
        }
    free(room);
    return room != NULL;
}

/* ---- families ---- */

static struct verdict_test test_of(const struct compare_setup *setup,
                                   enum measure_id measure, uint32_t reference,
                                   uint32_t side)
{
    const struct compare_side *old_side = &setup->sides[reference];
    const struct compare_side *new_side = &setup->sides[side];
    const double *old_values = old_side->values[measure];
    const double *new_values = new_side->values[measure];
    bool both = old_values && new_values;

    return (struct verdict_test){
        .old_values = old_values,
        .new_values = new_values,
        .old_count = both ? old_side->count : 0,
        .new_count = both ? new_side->count : 0,
        .better = measures[measure].better,
        .unpaired = setup->unpaired,
        .by_failures = verdict_is_by_failures(measure),
    };
}

static bool reach(const struct compare_setup *setup,
                  const struct verdict_test *tests, uint32_t count,
                  struct verdict *ret)
{
    struct verdict_rules rules = {setup->confidence, setup->min_effect, NULL};
    double *levels = NULL;

    if (setup->looks && count > 0) {
        levels = calloc(count, sizeof *levels);
        if (!levels)
            return false;
        looks_levels(setup->looks, setup->look, 1 - setup->confidence, count,
                     levels);
        rules.levels = levels;
    }

    bool fine = verdict_family_reach(tests, count, &rules, ret);

    free(levels);
    return fine;
}

/* The family of all pairs on measures first .. end - 1. */
static bool reach_family(const struct compare_setup *setup, uint32_t first,
                         uint32_t end, struct compare_result *ret)
{
    uint32_t count = (end - first) * setup->pair_count;
    struct verdict_test *tests = calloc((size_t)count + 1, sizeof *tests);
    uint32_t used = 0;

    if (!tests)
        return false;
    for (uint32_t m = first; m < end; m++)
        for (uint32_t i = 0; i < setup->pair_count; i++)
            tests[used++] =
                test_of(setup, setup->measures[m], setup->pairs[i].reference,
                        setup->pairs[i].side);

    bool fine = reach(setup, tests, count,
                      ret->verdicts + (size_t)first * setup->pair_count);

    free(tests);
    return fine;
}

double compare_smallest(const struct compare_result *result, uint32_t pair,
                        uint32_t replications, double power)
{
    const struct compare_setup *setup = result->setup;
    double level = (1 - setup->confidence) / setup->pair_count;

    return result->deviations[pair] *
           power_smallest(replications, level, power);
}

/* ---- what pairs share ---- */

/* Finite values in pairs, from which gains and deviations can be told. */
static bool are_finite_pairs(const struct verdict_test *test)
{
    for (uint32_t i = 0; i < test->old_count; i++)
        if (!isfinite(test->old_values[i]) || !isfinite(test->new_values[i]))
            return false;
    return !test->unpaired && test->old_count > 1;
}

/* From the interval at any confidence, of which it makes the width. */
static double deviation_of(const struct verdict_test *test)
{
    double n = test->old_count;
    struct stats_interval interval =
        stats_paired_t(test->old_values, test->new_values, test->old_count, 0.5)
            .difference;

    return (interval.hi - interval.mean) / stats_t_quantile(0.75, n - 1) *
           sqrt(n);
}

static bool is_same_value(double a, double b)
{
    return (isnan(a) && isnan(b)) ||
           (!(a < b) && !(a > b) && !isnan(a) && !isnan(b));
}

/* Every measure in every replication, whether it is compared or not. */
static bool is_same(const struct compare_side *a, const struct compare_side *b)
{
    if (a->count != b->count)
        return false;
    for (uint32_t id = 0; id < MEASURE_COUNT; id++) {
        const double *left = a->values[id], *right = b->values[id];

        if (!left != !right)
            return false;
        for (uint32_t i = 0; left && right && i < a->count; i++)
            if (!is_same_value(left[i], right[i]))
                return false;
    }
    return true;
}

static void look_at_pairs(const struct compare_setup *setup,
                          struct compare_result *ret)
{
    for (uint32_t i = 0; i < setup->pair_count; i++) {
        struct compare_pair pair = setup->pairs[i];
        struct verdict_test test =
            test_of(setup, setup->measures[0], pair.reference, pair.side);

        bool finite = are_finite_pairs(&test);

        ret->deviations[i] = finite ? deviation_of(&test) : NAN;
        ret->pairing_gains[i] =
            finite ? stats_pairing_gain(test.old_values, test.new_values,
                                        test.old_count)
                   : NAN;
        ret->same[i] =
            is_same(&setup->sides[pair.reference], &setup->sides[pair.side]);
    }
}

/* ---- the ranking ---- */

/* Whether a stands before b: by the mean, infinite and absent ones last. */
static bool stands_before(const struct compare_mean *a,
                          const struct compare_mean *b,
                          enum measure_better better)
{
    if (isnan(a->mean) || isnan(b->mean))
        return !isnan(a->mean) ||
               (isnan(b->mean) && a->infinite && !b->infinite);
    return better == BETTER_HIGHER ? a->mean > b->mean : a->mean < b->mean;
}

/* By insertion, so that equal ones stay in their order. */
static void rank(const struct compare_setup *setup, struct compare_result *ret)
{
    enum measure_better better = measures[setup->measures[0]].better;

    for (uint32_t i = 0; i < setup->side_count; i++) {
        uint32_t place = i;

        for (; place > 0 &&
               stands_before(&ret->means[i],
                             &ret->means[ret->ranking[place - 1]], better);
             place--)
            ret->ranking[place] = ret->ranking[place - 1];
        ret->ranking[place] = i;
    }
}

static enum compare_step step_of(const struct verdict *verdict)
{
    switch (verdict->reason) {
    case VERDICT_CLEAR:
        return STEP_BETTER;
    case VERDICT_SMALL:
    case VERDICT_ALIKE:
        return STEP_ALIKE;
    case VERDICT_SAME:
        return verdict->by_sign ? STEP_CANNOT_TELL : STEP_ALIKE;
    case VERDICT_NOISE:
    case VERDICT_ONE_PAIR:
    case VERDICT_NO_VALUE:
    case VERDICT_INFINITE:
        break;
    }
    return STEP_CANNOT_TELL;
}

/* Place of the pair of ranks a < b in the list of all of n. */
static size_t pair_index(uint32_t a, uint32_t b, uint32_t n)
{
    return (size_t)a * (2 * n - a - 1) / 2 + (b - a - 1);
}

/* All sides with each other, the better one of each pair as the reference. */
static bool judge_ranks(const struct compare_setup *setup,
                        struct compare_result *ret)
{
    uint32_t n = setup->side_count;
    uint32_t count = n * (n - 1) / 2;
    struct verdict_test *tests = calloc((size_t)count + 1, sizeof *tests);
    struct verdict *verdicts = calloc((size_t)count + 1, sizeof *verdicts);
    bool fine = tests && verdicts;

    for (uint32_t a = 0; fine && a < n; a++)
        for (uint32_t b = a + 1; b < n; b++)
            tests[pair_index(a, b, n)] = test_of(
                setup, setup->measures[0], ret->ranking[a], ret->ranking[b]);
    fine = fine && reach(setup, tests, count, verdicts);
    for (uint32_t i = 1; fine && i < n; i++) {
        ret->from_best[i] = step_of(&verdicts[pair_index(0, i, n)]);
        ret->to_next[i - 1] = step_of(&verdicts[pair_index(i - 1, i, n)]);
    }
    free(tests);
    free(verdicts);
    return fine;
}

/* ---- all of it ---- */

static bool allocate(const struct compare_setup *setup,
                     struct compare_result *ret)
{
    size_t sides = (size_t)setup->side_count + 1;
    size_t pairs = (size_t)setup->pair_count + 1;
    size_t count = setup->measure_count;

    ret->means = calloc(count * sides, sizeof *ret->means);
    ret->verdicts = calloc(count * pairs, sizeof *ret->verdicts);
    ret->pairing_gains = calloc(pairs, sizeof *ret->pairing_gains);
    ret->deviations = calloc(pairs, sizeof *ret->deviations);
    ret->same = calloc(pairs, sizeof *ret->same);
    ret->ranking = calloc(sides, sizeof *ret->ranking);
    ret->from_best = calloc(sides, sizeof *ret->from_best);
    ret->to_next = calloc(sides, sizeof *ret->to_next);
    return ret->means && ret->verdicts && ret->pairing_gains &&
           ret->deviations && ret->same && ret->ranking && ret->from_best &&
           ret->to_next;
}

bool compare_sides(const struct compare_setup *setup,
                   struct compare_result *ret)
{
    *ret = (struct compare_result){.setup = setup};
    if (!allocate(setup, ret) || !find_means(setup, ret) ||
        !reach_family(setup, 0, 1, ret) ||
        !reach_family(setup, 1, setup->measure_count, ret))
        return false;
    look_at_pairs(setup, ret);
    if (!setup->ranks || setup->side_count == 0)
        return true;
    rank(setup, ret);
    return judge_ranks(setup, ret);
}

void compare_done(struct compare_result *result)
{
    free(result->means);
    free(result->verdicts);
    free(result->pairing_gains);
    free(result->deviations);
    free(result->same);
    free(result->ranking);
    free(result->from_best);
    free(result->to_next);
    *result = (struct compare_result){0};
}
