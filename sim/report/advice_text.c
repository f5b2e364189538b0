/* Advice for people: plain text, and Markdown for a page or a request. */
#include "sim/report/advice_report.h"

#include "sim/report/number.h"

#include <math.h>
#include <string.h>

static const char *const judgement_words[] = {"held", "FAILED", "cannot tell"};

static const char *fact_text(const struct facts *facts, enum fact_id id,
                             char text[NUMBER_SIZE])
{
    return facts_table[id].shown == FACT_SHARE
               ? number_percent(text, facts->values[id])
               : number_short(text, facts->values[id]);
}

static void write_facts(const struct advice_report *report, FILE *out)
{
    char text[NUMBER_SIZE];

    fputs("Facts\n", out);
    for (int i = 0; i < FACT_COUNT; i++)
        if (!isnan(report->facts->values[i]))
            fprintf(out, "  %-20s %8s  %s\n", facts_table[i].name,
                    fact_text(report->facts, (enum fact_id)i, text),
                    facts_table[i].help);
}

/* What came of a prediction: "held: -43 % (-2.1 s +-0.3)". */
static void outcome_text(const struct advice_report *report, uint32_t i,
                         char *text, size_t size)
{
    char effect[ADVICE_TEXT_SIZE];

    advice_effect_text(&report->judged[i].verdict,
                       report->advice->predictions[i].measure, effect,
                       sizeof effect);
    snprintf(text, size, "%s: %s", judgement_words[report->judged[i].judgement],
             effect);
}

static void write_prediction(const struct advice_report *report, uint32_t i,
                             uint32_t number, FILE *out)
{
    const struct prediction *prediction = &report->advice->predictions[i];
    const struct rule *rule = prediction->rule;
    char claim[2 * ADVICE_TEXT_SIZE];
    char reason[4 * ADVICE_TEXT_SIZE];
    char outcome[2 * ADVICE_TEXT_SIZE];

    advice_claim_text(report, prediction, claim, sizeof claim);
    advice_reason_text(rule, report->facts, reason, sizeof reason);
    fprintf(out, "  %u. %s\n     why: %s\n     %s: %s\n     source: %s\n",
            number, claim, rule->why, rule->name, reason, rule->source);
    if (!report->judged)
        return;
    outcome_text(report, i, outcome, sizeof outcome);
    fprintf(out, "     %s\n", outcome);
}

/* Those of one kind, numbered on from `number`; returns the last number. */
static uint32_t write_predictions(const struct advice_report *report,
                                  enum expectation_kind kind, const char *title,
                                  uint32_t number, FILE *out)
{
    const struct advice *advice = report->advice;
    const char *head = title;

    for (uint32_t i = 0; i < advice->prediction_count; i++) {
        if (advice->predictions[i].expects->kind != kind)
            continue;
        fputs(head, out);
        head = "";
        write_prediction(report, i, ++number, out);
    }
    return number;
}

static void write_remarks(const struct advice_report *report, const char *title,
                          const char *bullet, FILE *out)
{
    char reason[4 * ADVICE_TEXT_SIZE];
    const char *head = title;

    for (uint32_t i = 0; i < report->advice->rule_count; i++) {
        const struct rule *rule = report->advice->rules[i];

        if (rule->expects[0].kind != EXPECT_NOTHING)
            continue;
        advice_reason_text(rule, report->facts, reason, sizeof reason);
        fprintf(out, "%s%s%s (%s: %s)\n", head, bullet, rule->why, rule->name,
                reason);
        head = "";
    }
}

static void write_score(const struct advice_report *report, FILE *out)
{
    const struct experiment_result *result = report->result;
    enum measure_id objective = report->scenario->objective;
    uint32_t best = advice_best(report);

    fprintf(out,
            "Of %u prediction%s %u held, %u failed, %u cannot be told "
            "(%u replication%s)\n",
            report->advice->prediction_count,
            report->advice->prediction_count == 1 ? "" : "s",
            advice_count(report, JUDGED_HELD),
            advice_count(report, JUDGED_FAILED),
            advice_count(report, JUDGED_CANNOT_TELL), result->replications,
            result->replications == 1 ? "" : "s");
    if (outcome_end_text(result->end))
        fprintf(out, "Partial: %s; %u of %u replications finished\n",
                outcome_end_text(result->end), result->replications,
                result->replications_asked);
    if (best != UINT32_MAX) {
        char value[NUMBER_SIZE];

        fprintf(
            out, "Best %s of these policies: %s, %s\n",
            measures[objective].name, result->policies[best].label,
            number_short(value,
                         result->policies[best].fold.measures[objective].mean));
    }
}

void advice_write_text(const struct advice_report *report, FILE *out)
{
    fprintf(out, "Advice for %s\n\n", report->scenario->name);
    write_facts(report, out);
    uint32_t number =
        write_predictions(report, EXPECT_BETTER, "\nCompare\n", 0, out);

    write_predictions(report, EXPECT_ALIKE, "\nWill not matter\n", number, out);
    write_remarks(report, "\nNote\n", "  ", out);
    if (report->advice->prediction_count == 0)
        fputs("\nNo rule says what to expect: nothing known about this "
              "traffic and these nodes tells policies apart beforehand\n",
              out);
    if (report->judged) {
        fputs("\n", out);
        write_score(report, out);
    }
}

/* ---- Markdown ---- */

static void write_row(const struct advice_report *report, uint32_t i, FILE *out)
{
    const struct prediction *prediction = &report->advice->predictions[i];
    char claim[2 * ADVICE_TEXT_SIZE];
    char reason[4 * ADVICE_TEXT_SIZE];
    char outcome[2 * ADVICE_TEXT_SIZE] = "not run";

    advice_claim_text(report, prediction, claim, sizeof claim);
    advice_reason_text(prediction->rule, report->facts, reason, sizeof reason);
    if (report->judged)
        outcome_text(report, i, outcome, sizeof outcome);
    fprintf(out, "| %u | %s | %s | %s; %s: %s |\n", i + 1, claim, outcome,
            prediction->rule->why, prediction->rule->name, reason);
}

void advice_write_markdown(const struct advice_report *report, FILE *out)
{
    char text[NUMBER_SIZE];

    fprintf(out, "# Advice for %s\n\n", report->scenario->name);
    if (report->judged)
        write_score(report, out);
    if (report->advice->prediction_count > 0)
        fputs("\n| | expected | found | why |\n|---|---|---|---|\n", out);
    for (uint32_t i = 0; i < report->advice->prediction_count; i++)
        write_row(report, i, out);
    write_remarks(report, "\n", "- ", out);
    fputs("\n| fact | value | is |\n|---|---|---|\n", out);
    for (int i = 0; i < FACT_COUNT; i++)
        if (!isnan(report->facts->values[i]))
            fprintf(out, "| `%s` | %s | %s |\n", facts_table[i].name,
                    fact_text(report->facts, (enum fact_id)i, text),
                    facts_table[i].help);
}
