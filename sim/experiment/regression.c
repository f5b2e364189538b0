#include "sim/experiment/regression.h"

#include "sim/measure/signed_rank.h"
#include "sim/measure/stats.h"

#include <math.h>
#include <stdlib.h>

#define POWER 0.9         /* of a check that would tell */
#define EFFICIENCY 0.9549 /* 3 / pi: of ranks, where t would be at its best */

const char *const regression_kind_names[REGRESSION_KIND_COUNT] = {
    [REGRESSION_SAME] = "same",       [REGRESSION_WITHIN] = "within",
    [REGRESSION_BETTER] = "better",   [REGRESSION_WORSE] = "worse",
    [REGRESSION_UNCLEAR] = "unclear",
};

const char *const regression_reason_names[REGRESSION_REASON_COUNT] = {
    [REGRESSION_CLEAR] = "clear",   [REGRESSION_OVER] = "over",
    [REGRESSION_NEAR] = "near",     [REGRESSION_FEW] = "few",
    [REGRESSION_UNEVEN] = "uneven", [REGRESSION_ABSENT] = "absent",
};

/*
 * What one test is reduced to. Changes are turned so that more is worse, and
 * compared with what is allowed both ways: beyond[i] = worse - allowed is above
 * 0 where replication i is worse than that, gained[i] = -worse - allowed where
 * it is better by as much.
 */
struct trial {
    double *changes, *beyond, *gained; /* [pairs] */
    double p_worse, p_better, p_within;
    double least_p; /* that as many differences could reach */
    bool finite;
};

struct judging {
    const struct regression_test *tests;
    const struct regression_rules *rules;
    struct regression *findings;
    struct trial *trials; /* [count] */
    double *p, *adjusted; /* [count] */
    size_t count;
};

/* ---- one test ---- */

/* For the worse; infinities in both are no change. */
static double worsening(double old_value, double new_value,
                        enum measure_better better)
{
    if (isinf(old_value) && isinf(new_value))
        return 0;
    if (isinf(old_value) || isinf(new_value))
        return isinf(new_value) ? INFINITY : -INFINITY;
    return better == BETTER_HIGHER ? old_value - new_value
                                   : new_value - old_value;
}

static void collect(const struct regression_test *test, struct trial *trial,
                    struct regression *finding)
{
    double old_sum = 0, new_sum = 0;
    uint32_t n = 0;

    for (uint32_t i = 0; i < test->pairs; i++) {
        double old_value = test->old_values[i], new_value = test->new_values[i];

        if (isnan(old_value) != isnan(new_value))
            finding->reason = REGRESSION_ABSENT;
        if (isnan(old_value) || isnan(new_value))
            continue;
        finding->old_unbounded += isinf(old_value) != 0;
        finding->new_unbounded += isinf(new_value) != 0;
        old_sum += old_value;
        new_sum += new_value;
        trial->changes[n] = worsening(old_value, new_value, test->better);
        finding->worse_pairs += trial->changes[n] > 0;
        finding->better_pairs += trial->changes[n] < 0;
        n++;
    }
    finding->pairs = n;
    trial->finite = finding->old_unbounded + finding->new_unbounded == 0;
    finding->old_value =
        n > 0 && finding->old_unbounded == 0 ? old_sum / n : NAN;
    finding->new_value =
        n > 0 && finding->new_unbounded == 0 ? new_sum / n : NAN;
}

/* Of values without end no share can be taken: those with one stand for them,
   and where there are none only the absolute bound is left. */
static double old_size(const struct regression_test *test)
{
    double sum = 0;
    uint32_t n = 0;

    for (uint32_t i = 0; i < test->pairs; i++) {
        if (isnan(test->new_values[i]) || !isfinite(test->old_values[i]))
            continue;
        sum += test->old_values[i];
        n++;
    }
    return n > 0 ? fabs(sum / n) : 0;
}

static bool find_interval(const struct judging *judging, size_t index)
{
    const struct trial *trial = &judging->trials[index];
    struct regression *finding = &judging->findings[index];
    struct signed_rank_interval interval;
    bool higher = judging->tests[index].better == BETTER_HIGHER;

    if (!trial->finite || finding->pairs == 0)
        return true;
    if (!signed_rank_interval(trial->changes, finding->pairs,
                              judging->rules->confidence, &interval))
        return false;
    finding->change = higher ? -interval.estimate : interval.estimate;
    finding->lo = higher ? -interval.hi : interval.lo;
    finding->hi = higher ? -interval.lo : interval.hi;
    if (finding->old_value != 0)
        finding->change_ratio = finding->change / fabs(finding->old_value);
    return true;
}

/* The three questions, each one-sided: beyond it, within it, better by it. */
static bool ask(struct trial *trial, uint32_t pairs, double allowed)
{
    struct signed_rank_p worse, better;
    uint32_t decided = 0;

    for (uint32_t i = 0; i < pairs; i++) {
        trial->beyond[i] = trial->changes[i] - allowed;
        trial->gained[i] = -trial->changes[i] - allowed;
        decided += trial->beyond[i] != 0;
    }
    if (!signed_rank_test(trial->beyond, pairs, &worse) ||
        !signed_rank_test(trial->gained, pairs, &better))
        return false;
    trial->p_worse = worse.above;
    trial->p_within = worse.below;
    trial->p_better = better.above;
    trial->least_p = ldexp(1, -(int)(decided < 1000 ? decided : 1000));
    return true;
}

static bool examine(const struct judging *judging, size_t index)
{
    const struct regression_test *test = &judging->tests[index];
    struct trial *trial = &judging->trials[index];
    struct regression *finding = &judging->findings[index];

    *finding = (struct regression){
        .change = NAN, .lo = NAN, .hi = NAN, .change_ratio = NAN, .p = 1};
    collect(test, trial, finding);
    finding->allowed =
        fmax(test->allowed, test->allowed_ratio * old_size(test));
    return find_interval(judging, index) &&
           ask(trial, finding->pairs, finding->allowed);
}

/* ---- all of them ---- */

/* Whether who was better could matter to it at all. */
static bool differs(const struct regression *finding)
{
    return finding->worse_pairs + finding->better_pairs > 0;
}

/* Tarone's number: the smallest K such that at most K tests can reach
   false_alarms / K. */
static size_t tests_that_count(const struct judging *judging)
{
    for (size_t k = 1;; k++) {
        size_t able = 0;

        for (size_t i = 0; i < judging->count; i++)
            able += differs(&judging->findings[i]) &&
                    judging->trials[i].least_p <=
                        judging->rules->false_alarms / (double)k;
        if (able <= k)
            return k;
    }
}

/* Holm's correction over those that can reach the level; NaN: cannot. */
static void correct(struct judging *judging)
{
    double level =
        judging->rules->false_alarms / (double)tests_that_count(judging);

    for (size_t i = 0; i < judging->count; i++)
        judging->p[i] = differs(&judging->findings[i]) &&
                                judging->trials[i].least_p <= level
                            ? judging->trials[i].p_worse
                            : NAN;
    stats_holm(judging->p, judging->adjusted, judging->count);
}

/* The same for the better, which needs no promise but should not brag. */
static double better_level(const struct judging *judging)
{
    return judging->rules->false_alarms / (double)judging->count;
}

static uint64_t at_least(double chance)
{
    return (uint64_t)ceil(-log2(chance) - 1e-9);
}

/* Pairs that would most likely tell a typical distance from the bound as it
   now looks, at a one-sided level. */
static uint64_t pairs_that_tell(const struct trial *trial, uint32_t pairs,
                                double level)
{
    double distance = fabs(stats_mean(trial->beyond, pairs));
    double sd = stats_sd(trial->beyond, pairs);
    uint64_t needed = at_least(level);

    if (pairs >= 2 && distance > 0) {
        uint64_t more = stats_pairs_needed(sd, distance, 2 * level, POWER);

        if (more >= UINT32_MAX)
            return 0; /* so far off that it says nothing */
        more = (uint64_t)ceil((double)more / EFFICIENCY);
        needed = more > needed ? more : needed;
    }
    return needed > pairs ? needed : pairs + 1;
}

/* The mean of values of which some are without end is decided by how many. */
static bool exceeds_on_average(const struct trial *trial,
                               const struct regression *finding)
{
    if (finding->new_unbounded != finding->old_unbounded)
        return finding->new_unbounded > finding->old_unbounded;
    if (!trial->finite)
        return trial->p_worse < trial->p_within;
    return stats_mean(trial->beyond, finding->pairs) > 0;
}

static void explain(const struct judging *judging, size_t index, double level,
                    bool mean_is_over)
{
    const struct trial *trial = &judging->trials[index];
    struct regression *finding = &judging->findings[index];
    double within = (1 - judging->rules->confidence) / 2;
    bool looks_over = trial->p_worse < trial->p_within;
    double asked = looks_over ? level : within;

    finding->kind = REGRESSION_UNCLEAR;
    finding->reason = looks_over ? REGRESSION_OVER : REGRESSION_NEAR;
    if (trial->least_p > asked) {
        finding->reason = REGRESSION_FEW;
        finding->pairs_needed = at_least(asked);
        if (finding->pairs_needed <= finding->pairs) /* the rest are ties */
            finding->pairs_needed = 0;
    } else if (mean_is_over != looks_over) {
        finding->reason = REGRESSION_UNEVEN;
    } else if (trial->finite) {
        finding->pairs_needed = pairs_that_tell(trial, finding->pairs, asked);
    }
}

/* Where nothing is random a value is what it is. */
static void judge_exactly(const struct trial *trial, struct regression *finding)
{
    double most = -INFINITY, least = INFINITY;

    for (uint32_t i = 0; i < finding->pairs; i++) {
        most = fmax(most, trial->changes[i]);
        least = fmin(least, trial->changes[i]);
    }
    finding->kind = REGRESSION_WITHIN;
    if (most > finding->allowed) {
        finding->kind = REGRESSION_WORSE;
        finding->p = 0;
    } else if (least < -finding->allowed) {
        finding->kind = REGRESSION_BETTER;
    }
}

static void conclude(const struct judging *judging, size_t index, double level)
{
    const struct trial *trial = &judging->trials[index];
    struct regression *finding = &judging->findings[index];
    double within = (1 - judging->rules->confidence) / 2;

    if (finding->reason == REGRESSION_ABSENT) {
        finding->kind = REGRESSION_UNCLEAR;
        return;
    }
    if (!differs(finding))
        return;
    if (judging->rules->exact) {
        judge_exactly(trial, finding);
        return;
    }

    bool mean_is_over = exceeds_on_average(trial, finding);
    bool may_alarm = !isnan(judging->adjusted[index]);

    if (may_alarm)
        finding->p = judging->adjusted[index];
    if (may_alarm && finding->p <= judging->rules->false_alarms && mean_is_over)
        finding->kind = REGRESSION_WORSE;
    else if (trial->p_better <= better_level(judging))
        finding->kind = REGRESSION_BETTER;
    else if (trial->p_within <= within && !mean_is_over)
        finding->kind = REGRESSION_WITHIN;
    else
        explain(judging, index, level, mean_is_over);
}

static bool allocate(struct judging *judging)
{
    size_t count = judging->count;

    judging->trials = calloc(count + 1, sizeof *judging->trials);
    judging->p = calloc(count + 1, sizeof *judging->p);
    judging->adjusted = calloc(count + 1, sizeof *judging->adjusted);
    if (!judging->trials || !judging->p || !judging->adjusted)
        return false;
    for (size_t i = 0; i < count; i++) {
        size_t pairs = judging->tests[i].pairs;
        struct trial *trial = &judging->trials[i];

        trial->changes = calloc(3 * pairs + 1, sizeof *trial->changes);
        if (!trial->changes)
            return false;
        trial->beyond = trial->changes + pairs;
        trial->gained = trial->beyond + pairs;
    }
    return true;
}

static void release(struct judging *judging)
{
    for (size_t i = 0; judging->trials && i < judging->count; i++)
        free(judging->trials[i].changes);
    free(judging->trials);
    free(judging->p);
    free(judging->adjusted);
}

bool regressions_judge(const struct regression_test *tests, size_t count,
                       const struct regression_rules *rules,
                       struct regression *ret)
{
    struct judging judging = {
        .tests = tests, .count = count, .rules = rules, .findings = ret};
    bool fine = allocate(&judging);

    for (size_t i = 0; fine && i < count; i++)
        fine = examine(&judging, i);
    if (fine) {
        size_t changed = 0;

        correct(&judging);
        for (size_t i = 0; i < count; i++)
            changed += differs(&ret[i]);
        /* With more pairs each of these would need its share. */
        for (size_t i = 0; i < count; i++)
            conclude(&judging, i, rules->false_alarms / (double)changed);
    }
    release(&judging);
    return fine;
}

uint32_t regressions_fewest_pairs(size_t tests, double false_alarms)
{
    return tests == 0 ? 0 : (uint32_t)at_least(false_alarms / (double)tests);
}
