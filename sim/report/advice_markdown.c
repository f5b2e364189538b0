/* Advice for a page or a pull request. */
#include "sim/report/advice_report.h"

#include <math.h>

static void write_row(const struct advice_report *report, uint32_t prediction,
                      uint32_t number, FILE *out)
{
    const struct prediction *said = &report->advice->predictions[prediction];
    char claim[2 * ADVICE_TEXT_SIZE];
    char here[4 * ADVICE_TEXT_SIZE];
    char outcome[3 * ADVICE_TEXT_SIZE] = "not run";

    advice_claim_text(report, said, claim, sizeof claim);
    advice_here_text(said->rule, report->facts, here, sizeof here);
    if (report->judged)
        advice_outcome_text(report, prediction, outcome, sizeof outcome);
    fprintf(out, "| %u | %s | %s%s%s | %s |\n", number, claim, said->rule->why,
            *here ? ". Here: " : "", here, outcome);
}

static void write_remarks(const struct advice_report *report, FILE *out)
{
    const char *before = "\n";
    char here[4 * ADVICE_TEXT_SIZE];

    for (uint32_t i = 0; i < report->advice->rule_count; i++) {
        const struct rule *rule = report->advice->rules[i];

        if (rule->expects[0].kind != EXPECT_NOTHING)
            continue;
        advice_here_text(rule, report->facts, here, sizeof here);
        fprintf(out, "%s- %s%s%s\n", before, rule->why, *here ? ". Here: " : "",
                here);
        before = "";
    }
}

static void write_facts(const struct advice_report *report, FILE *out)
{
    char text[NUMBER_SIZE];

    fputs("\n| fact | value | is |\n|---|---|---|\n", out);
    for (int i = 0; i < FACT_COUNT; i++)
        if (!isnan(report->facts->values[i]))
            fprintf(out, "| `%s` | %s | %s |\n", facts_table[i].name,
                    advice_fact_text(report->facts, (enum fact_id)i, text),
                    facts_table[i].help);
}

void advice_write_markdown(const struct advice_report *report, FILE *out)
{
    uint32_t order[ADVICE_MOST];

    advice_order(report->advice, order);
    fprintf(out, "# Advice for %s\n\nBy %s, unless another measure is named.\n",
            report->scenario->name, measures[advice_main_measure(report)].name);
    if (report->advice->prediction_count > 0)
        fputs("\n| | expect | why | whether it was so |\n|---|---|---|---|\n",
              out);
    for (uint32_t i = 0; i < report->advice->prediction_count; i++)
        write_row(report, order[i], i + 1, out);
    write_remarks(report, out);
    if (report->judged) {
        fputs("\n", out);
        advice_write_score(report, "- ", out);
    }
    if (report->all_facts)
        write_facts(report, out);
}
