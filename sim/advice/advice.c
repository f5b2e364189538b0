#define _POSIX_C_SOURCE 200809L /* open_memstream */

#include "sim/advice/advice.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const judgement_names[] = {"held", "failed", "cannot_tell"};

/* ---- from facts to predictions ---- */

static uint32_t find_policy(struct advice *advice, const char *policy)
{
    for (uint32_t i = 0; i < advice->policy_count; i++)
        if (strcmp(advice->policies[i], policy) == 0)
            return i;
    advice->policies[advice->policy_count] = policy;
    return advice->policy_count++;
}

static bool is_a_time(enum measure_id id)
{
    return measures[id].unit == UNIT_SECONDS &&
           measures[id].better == BETTER_LOWER;
}

enum measure_id advice_measure(enum measure_id measure,
                               enum measure_id objective)
{
    if (measure != BY_OBJECTIVE)
        return measure;
    return is_a_time(objective) ? objective : M_LATENCY_ALL_P99;
}

/* Two rules may expect the same of the same policies; once is enough. */
static bool is_expected(const struct advice *advice,
                        const struct prediction *prediction)
{
    for (uint32_t i = 0; i < advice->prediction_count; i++) {
        const struct prediction *other = &advice->predictions[i];

        if (other->expects->kind == prediction->expects->kind &&
            other->policy == prediction->policy &&
            other->than == prediction->than &&
            other->measure == prediction->measure)
            return true;
    }
    return false;
}

static void expect(const struct rule *rule,
                   const struct expectation *expectation,
                   enum measure_id objective, struct advice *advice)
{
    struct prediction prediction = {
        .rule = rule,
        .expects = expectation,
        .than = find_policy(advice, expectation->than),
        .policy = find_policy(advice, expectation->policy),
        .measure = advice_measure(expectation->measure, objective),
    };

    if (!is_expected(advice, &prediction))
        advice->predictions[advice->prediction_count++] = prediction;
}

void advice_make(const struct facts *facts, enum measure_id objective,
                 struct advice *ret)
{
    *ret = (struct advice){0};
    find_policy(ret, "round_robin");
    find_policy(ret, "least_conn");
    for (size_t i = 0; i < rules_count; i++) {
        const struct rule *rule = &rules_table[i];

        if (!rule_fires(rule, facts))
            continue;
        ret->rules[ret->rule_count++] = rule;
        for (int j = 0; j < RULE_EXPECTATIONS && rule->expects[j].kind; j++)
            expect(rule, &rule->expects[j], objective, ret);
    }
}

char *advice_override(const struct advice *advice)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    if (!out)
        return NULL;
    fputs("policies=[", out);
    for (uint32_t i = 0; i < advice->policy_count; i++)
        fprintf(out, "%s%s", i > 0 ? ", " : "", advice->policies[i]);
    fputs("]", out);
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

/* ---- from results to judgements ---- */

static enum judgement judge_better(const struct verdict *verdict)
{
    if (verdict->kind == VERDICT_BETTER)
        return JUDGED_HELD;
    if (verdict->reason == VERDICT_SAME && verdict->by_sign)
        return JUDGED_CANNOT_TELL; /* infinite on both sides */
    if (verdict->kind == VERDICT_WORSE || verdict->reason == VERDICT_ALIKE ||
        verdict->reason == VERDICT_SMALL || verdict->reason == VERDICT_SAME)
        return JUDGED_FAILED;
    return JUDGED_CANNOT_TELL;
}

/* mean: of the policy that is compared with. */
static enum judgement judge_alike(const struct verdict *verdict, double bound,
                                  double mean)
{
    double most = bound * fabs(mean);

    if (verdict->reason == VERDICT_SAME && !verdict->by_sign)
        return JUDGED_HELD;
    if (verdict->by_sign)
        return verdict->kind == VERDICT_CANNOT_TELL ? JUDGED_CANNOT_TELL
                                                    : JUDGED_FAILED;
    if (isnan(verdict->lo) || isnan(mean))
        return JUDGED_CANNOT_TELL;
    if (verdict->lo >= -most && verdict->hi <= most)
        return JUDGED_HELD;
    return verdict->lo > most || verdict->hi < -most ? JUDGED_FAILED
                                                     : JUDGED_CANNOT_TELL;
}

static bool judge(const struct prediction *prediction,
                  const struct scenario *scenario,
                  const struct experiment_result *result, double confidence,
                  struct judged *ret)
{
    const struct policy_fold *policy =
        &result->policies[prediction->policy].fold;
    const struct policy_fold *than = &result->policies[prediction->than].fold;
    enum measure_id id = prediction->measure;
    const double *values[] = {than->values[id], policy->values[id]};
    struct verdict verdicts[2];

    if (!verdicts_reach(values, 2, result->replications, id, confidence,
                        scenario->min_effect, verdicts))
        return false;
    ret->verdict = verdicts[1];
    ret->judgement = prediction->expects->kind == EXPECT_BETTER
                         ? judge_better(&verdicts[1])
                         : judge_alike(&verdicts[1], prediction->expects->bound,
                                       than->measures[id].mean);
    return true;
}

bool advice_judge(const struct advice *advice, const struct scenario *scenario,
                  const struct experiment_result *result, struct judged *ret)
{
    uint32_t count = advice->prediction_count;
    double confidence =
        count > 0 ? 1 - (1 - scenario->confidence) / count : 0.5;

    for (uint32_t i = 0; i < count; i++)
        if (!judge(&advice->predictions[i], scenario, result, confidence,
                   &ret[i]))
            return false;
    return true;
}

/* ---- the best ---- */

/* UINT32_MAX: no policy has a mean. */
static uint32_t best_mean(enum measure_id id,
                          const struct experiment_result *result)
{
    double sign = measures[id].better == BETTER_HIGHER ? -1 : 1;
    uint32_t best = UINT32_MAX;
    double least = INFINITY;

    for (uint32_t i = 0; i < result->policy_count; i++) {
        double mean = sign * result->policies[i].fold.measures[id].mean;

        if (mean < least) { /* a NaN is not */
            least = mean;
            best = i;
        }
    }
    return best;
}

bool advice_find_best(const struct scenario *scenario,
                      const struct experiment_result *result,
                      struct advice_best *ret)
{
    enum measure_id id = scenario->objective;
    const double *values[ADVICE_MOST];
    struct verdict verdicts[ADVICE_MOST];
    uint32_t others[ADVICE_MOST], count = 0;

    *ret = (struct advice_best){.policy = best_mean(id, result)};
    if (ret->policy == UINT32_MAX)
        return true;
    values[0] = result->policies[ret->policy].fold.values[id];
    for (uint32_t i = 0; i < result->policy_count; i++)
        if (i != ret->policy) {
            others[count++] = i;
            values[count] = result->policies[i].fold.values[id];
        }
    if (!verdicts_reach(values, count + 1, result->replications, id,
                        scenario->confidence, scenario->min_effect, verdicts))
        return false;
    for (uint32_t i = 0; i < count; i++)
        ret->close[others[i]] = verdicts[i + 1].kind == VERDICT_CANNOT_TELL;
    return true;
}
