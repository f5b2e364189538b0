/* What text, Markdown and JSON of advice have in common. */
#include "sim/report/advice_report.h"

#include "sim/report/number.h"
#include "sim/report/table.h"
#include "sim/report/words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void advice_reason_text(const struct rule *rule, const struct facts *facts,
                        char *text, size_t size)
{
    text[0] = '\0';
    for (int i = 0; i < RULE_CONDITIONS && rule->when[i].relation; i++) {
        const struct condition *condition = &rule->when[i];
        char value[NUMBER_SIZE];
        char bound[NUMBER_SIZE];

        size_t length = strlen(text);

        snprintf(text + length, size - length, "%s%s %s (%s %s)",
                 i > 0 ? ", " : "", facts_table[condition->fact].name,
                 number_short(value, facts->values[condition->fact]),
                 condition->relation == AT_LEAST ? "at least" : "at most",
                 number_short(bound, condition->bound));
    }
}

void advice_effect_text(const struct verdict *verdict, enum measure_id measure,
                        char *text, size_t size)
{
    enum measure_unit unit = measures[measure].unit;
    char change[WORDS_SIZE], percent[NUMBER_SIZE];

    if (verdict->by_sign || isnan(verdict->lo)) {
        table_verdict_text(verdict, unit, 0, text, size);
        return;
    }
    words_interval(change, verdict->difference, verdict->lo, verdict->hi, unit);
    if (isnan(verdict->effect_ratio))
        snprintf(text, size, "%s", change);
    else
        snprintf(text, size, "%s%s (%s)", verdict->difference > 0 ? "+" : "",
                 number_percent(percent, verdict->effect_ratio), change);
}

/* The label that the scenario gives it, once that is known. */
static const char *policy_text(const struct advice_report *report,
                               uint32_t policy)
{
    return report->result ? report->result->policies[policy].label
                          : report->advice->policies[policy];
}

void advice_claim_text(const struct advice_report *report,
                       const struct prediction *prediction, char *text,
                       size_t size)
{
    const char *policy = policy_text(report, prediction->policy);
    const char *than = policy_text(report, prediction->than);
    const char *measure = measures[prediction->measure].name;

    if (prediction->expects->kind == EXPECT_BETTER)
        snprintf(text, size, "%s better than %s by %s", policy, than, measure);
    else
        snprintf(text, size, "%s within %.3g %% of %s by %s", policy,
                 100 * prediction->expects->bound, than, measure);
}

uint32_t advice_count(const struct advice_report *report,
                      enum judgement judgement)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < report->advice->prediction_count; i++)
        count += report->judged[i].judgement == judgement;
    return count;
}

uint32_t advice_best(const struct advice_report *report)
{
    enum measure_id objective = report->scenario->objective;
    double sign = measures[objective].better == BETTER_HIGHER ? -1 : 1;
    uint32_t best = UINT32_MAX;
    double least = INFINITY;

    for (uint32_t i = 0; i < report->result->policy_count; i++) {
        double mean =
            sign * report->result->policies[i].fold.measures[objective].mean;

        if (mean < least) { /* a NaN is not */
            least = mean;
            best = i;
        }
    }
    return best;
}
