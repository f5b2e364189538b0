/* What text, Markdown and JSON of advice have in common. */
#include "sim/report/advice_report.h"

#include "sim/report/compare_report.h"
#include "sim/report/number.h"
#include "sim/report/table.h"
#include "sim/report/words.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- facts ---- */

/* Counts without decimals. */
static const char *value_text(double value, char text[NUMBER_SIZE])
{
    if (fabs(value) < 1000 && floor(value) == value)
        snprintf(text, NUMBER_SIZE, "%.0f", value == 0 ? 0.0 : value);
    else
        number_short(text, value);
    return text;
}

const char *advice_fact_text(const struct facts *facts, enum fact_id id,
                             char text[NUMBER_SIZE])
{
    return facts_table[id].shown == FACT_SHARE
               ? number_percent(text, facts->values[id])
               : value_text(facts->values[id], text);
}

void advice_conditions_text(const struct rule *rule, const struct facts *facts,
                            char *text, size_t size)
{
    snprintf(text, size, "%s: ", rule->name);
    for (int i = 0; i < RULE_CONDITIONS && rule->when[i].relation; i++) {
        const struct condition *condition = &rule->when[i];
        char value[NUMBER_SIZE];
        char bound[NUMBER_SIZE];

        size_t length = strlen(text);

        snprintf(text + length, size - length, "%s%s %s (%s %s)",
                 i > 0 ? ", " : "", facts_table[condition->fact].name,
                 value_text(facts->values[condition->fact], value),
                 condition->relation == AT_LEAST ? "at least" : "at most",
                 value_text(condition->bound, bound));
    }
}

void advice_here_text(const struct rule *rule, const struct facts *facts,
                      char *text, size_t size)
{
    size_t used = 0;

    text[0] = '\0';
    for (const char *at = rule->here; *at && used < size;) {
        size_t plain = strcspn(at, "{");

        used +=
            (size_t)snprintf(text + used, size - used, "%.*s", (int)plain, at);
        at += plain;
        if (*at == '{' && used < size) {
            char value[NUMBER_SIZE];
            size_t length = strcspn(++at, "}");

            advice_fact_text(facts, facts_find(at, length), value);
            used += (size_t)snprintf(text + used, size - used, "%s", value);
            at += length + 1;
        }
    }
}

/* ---- predictions ---- */

void advice_order(const struct advice *advice, uint32_t *ret)
{
    static const enum expectation_kind kinds[] = {EXPECT_BETTER, EXPECT_ALIKE};
    uint32_t count = 0;

    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (uint32_t i = 0; i < advice->prediction_count; i++)
            if (advice->predictions[i].expects->kind == kinds[k])
                ret[count++] = i;
}

enum measure_id advice_main_measure(const struct advice_report *report)
{
    return advice_measure(BY_OBJECTIVE, report->scenario->objective);
}

static const char *policy_text(const struct advice_report *report,
                               uint32_t policy)
{
    return report->scenario->policies[policy].label;
}

void advice_claim_text(const struct advice_report *report,
                       const struct prediction *prediction, char *text,
                       size_t size)
{
    const char *policy = policy_text(report, prediction->policy);
    const char *than = policy_text(report, prediction->than);
    bool plain = prediction->measure == advice_main_measure(report);
    const char *measure = plain ? "" : measures[prediction->measure].name;
    const char *by = plain ? "" : " by ";

    if (prediction->expects->kind == EXPECT_BETTER)
        snprintf(text, size, "%s better than %s%s%s", policy, than, by,
                 measure);
    else
        snprintf(text, size, "%s within %.3g %% of %s%s%s", policy,
                 100 * prediction->expects->bound, than, by, measure);
}

/* ---- outcomes ---- */

void advice_effect_text(const struct verdict *verdict, enum measure_id measure,
                        char *text, size_t size)
{
    enum measure_unit unit = measures[measure].unit;
    char change[WORDS_SIZE];

    if (verdict->reason == VERDICT_SAME && !verdict->by_sign) {
        snprintf(text, size, "equal in every replication");
        return;
    }
    if (verdict->by_sign && verdict->pairs > 0) { /* infinite on some side */
        snprintf(text, size, "better in %u, worse in %u of %u pairs",
                 verdict->better_pairs, verdict->worse_pairs, verdict->pairs);
        return;
    }
    if (verdict->reason == VERDICT_ONE_PAIR) {
        snprintf(text, size, "one replication");
        return;
    }
    if (isnan(verdict->lo)) {
        table_verdict_text(verdict, unit, 0, text, size);
        return;
    }
    if (compare_goes_by_failures(verdict)) {
        char effect[NUMBER_SIZE + 20], points[NUMBER_SIZE * 2];

        compare_effect_text(verdict, effect, sizeof effect);
        compare_difference_text(verdict, measure, points, sizeof points);
        snprintf(text, size, "%s (%s)", effect, points);
        return;
    }
    words_interval(change, verdict->difference, verdict->lo, verdict->hi, unit);
    if (isnan(verdict->effect_ratio)) {
        snprintf(text, size, "%s", change);
    } else {
        char percent[NUMBER_SIZE];

        snprintf(text, size, "%s%s (%s)", verdict->difference > 0 ? "+" : "",
                 number_percent(percent, verdict->effect_ratio), change);
    }
}

void advice_outcome_text(const struct advice_report *report,
                         uint32_t prediction, char *text, size_t size)
{
    static const char *const words[] = {"held", "FAILED", "cannot tell"};
    const struct prediction *said = &report->advice->predictions[prediction];
    const struct judged *judged = &report->judged[prediction];
    char effect[ADVICE_TEXT_SIZE];

    advice_effect_text(&judged->verdict, said->measure, effect, sizeof effect);
    snprintf(text, size, "%s: %s against %s: %s", words[judged->judgement],
             policy_text(report, said->policy), policy_text(report, said->than),
             effect);

    size_t used = strlen(text);

    if (judged->judgement == JUDGED_CANNOT_TELL &&
        judged->verdict.replications_needed > 0)
        snprintf(text + used, size - used,
                 "; about %" PRIu64 " replications would tell",
                 judged->verdict.replications_needed);
}

uint32_t advice_count(const struct advice_report *report,
                      enum judgement judgement)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < report->advice->prediction_count; i++)
        count += report->judged[i].judgement == judgement;
    return count;
}

/* ---- all in all ---- */

static void write_best(const struct advice_report *report, const char *bullet,
                       FILE *out)
{
    const struct experiment_result *result = report->result;
    const struct advice_best *best = report->best;
    enum measure_id id = report->scenario->objective;
    const char *before = "; not told from it: ";
    char value[NUMBER_SIZE];

    if (best->policy == UINT32_MAX)
        return;
    number_short(value, result->policies[best->policy].fold.measures[id].mean);
    fprintf(out, "%sbest of these by %s: %s, %s%s", bullet, measures[id].name,
            result->policies[best->policy].label, value,
            words_unit(measures[id].unit));
    for (uint32_t i = 0; i < result->policy_count; i++)
        if (best->close[i]) {
            fprintf(out, "%s%s", before, result->policies[i].label);
            before = ", ";
        }
    fputs("\n", out);
}

/* What would tell all that can be told; 0: not known. */
static uint64_t replications_needed(const struct advice_report *report)
{
    uint64_t most = 0;

    for (uint32_t i = 0; i < report->advice->prediction_count; i++)
        if (report->judged[i].judgement == JUDGED_CANNOT_TELL &&
            report->judged[i].verdict.replications_needed > most)
            most = report->judged[i].verdict.replications_needed;
    return most;
}

void advice_write_score(const struct advice_report *report, const char *bullet,
                        FILE *out)
{
    const struct experiment_result *result = report->result;
    uint64_t needed = replications_needed(report);

    if (report->advice->prediction_count > 0)
        fprintf(out,
                "%s%u of %u held, %u failed, %u cannot be told "
                "(%u replication%s)\n",
                bullet, advice_count(report, JUDGED_HELD),
                report->advice->prediction_count,
                advice_count(report, JUDGED_FAILED),
                advice_count(report, JUDGED_CANNOT_TELL), result->replications,
                result->replications == 1 ? "" : "s");
    if (needed > result->replications)
        fprintf(out, "%sto tell more: --replications %" PRIu64 "\n", bullet,
                needed);
    if (outcome_end_text(result->end))
        fprintf(out, "%spartial: %s; %u of %u replications finished\n", bullet,
                outcome_end_text(result->end), result->replications,
                result->replications_asked);
    write_best(report, bullet, out);
}
