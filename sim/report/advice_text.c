/* Advice for people: plain text, to be read from the top. */
#include "sim/report/advice_report.h"

#include "sim/report/number.h"

#include <math.h>
#include <string.h>

enum { TEXT_WIDTH = 80, LEAD = 11, LONG_TEXT = 5 * ADVICE_TEXT_SIZE };

/* Words in lines of TEXT_WIDTH, all but the first indented by LEAD; what stands
   on the first line already is as long. */
static void write_words(const char *text, FILE *out)
{
    size_t column = LEAD;

    while (*text) {
        size_t length = strcspn(text, " ");

        if (column > LEAD && column + 1 + length > TEXT_WIDTH) {
            fprintf(out, "\n%*s", LEAD, "");
            column = LEAD;
        }
        column += (size_t)fprintf(out, "%s%.*s", column > LEAD ? " " : "",
                                  (int)length, text);
        text += length + strspn(text + length, " ");
    }
    fputc('\n', out);
}

static void write_labelled(const char *label, const char *text, FILE *out)
{
    if (!*text)
        return;
    fprintf(out, "     %-6s", label);
    write_words(text, out);
}

/* ---- what to expect ---- */

static void write_title(const struct advice_report *report, FILE *out)
{
    const double *values = report->facts->values;
    char text[NUMBER_SIZE];

    fprintf(out, "Advice for %s: %s node%s", report->scenario->name,
            advice_fact_text(report->facts, FACT_NODES, text),
            values[FACT_NODES] > 1 ? "s" : "");
    if (!isnan(values[FACT_RATE]))
        fprintf(out, ", %s requests/s",
                advice_fact_text(report->facts, FACT_RATE, text));
    if (!isnan(values[FACT_LOAD]))
        fprintf(out, ", load %s",
                advice_fact_text(report->facts, FACT_LOAD, text));
    fputs("\n", out);
}

static void write_policies(const struct advice_report *report, FILE *out)
{
    const struct advice *advice = report->advice;

    fputs("\nCompare\n  policies: [", out);
    for (uint32_t i = 0; i < advice->policy_count; i++)
        fprintf(out, "%s%s", i > 0 ? ", " : "", advice->policies[i]);
    fprintf(out, "]\n  by %s, unless another measure is named\n",
            measures[advice_main_measure(report)].name);
}

/* The few facts that a rule rests on, or all of them. */
static void write_grounds(const struct advice_report *report,
                          const struct rule *rule, FILE *out)
{
    char text[LONG_TEXT];

    advice_here_text(rule, report->facts, text, sizeof text);
    write_labelled("here:", text, out);
    if (!report->all_facts)
        return;
    advice_conditions_text(rule, report->facts, text, sizeof text);
    write_labelled("rule:", text, out);
    write_labelled("from:", rule->source, out);
}

/* Claims of one rule stand together, and their reasons once. */
static void write_predictions(const struct advice_report *report,
                              const uint32_t *order, enum expectation_kind kind,
                              const char *title, FILE *out)
{
    const struct advice *advice = report->advice;
    char claim[2 * ADVICE_TEXT_SIZE];

    for (uint32_t i = 0; i < advice->prediction_count; i++) {
        const struct prediction *prediction = &advice->predictions[order[i]];

        if (prediction->expects->kind != kind)
            continue;
        advice_claim_text(report, prediction, claim, sizeof claim);
        fprintf(out, "%s  %u. %s\n", title, i + 1, claim);
        title = "";

        const struct prediction *next = i + 1 < advice->prediction_count
                                            ? &advice->predictions[order[i + 1]]
                                            : NULL;

        if (next && next->rule == prediction->rule &&
            next->expects->kind == kind)
            continue;
        write_labelled("why:", prediction->rule->why, out);
        write_grounds(report, prediction->rule, out);
    }
}

static void write_remarks(const struct advice_report *report, FILE *out)
{
    const char *title = "\nBear in mind\n";

    for (uint32_t i = 0; i < report->advice->rule_count; i++) {
        const struct rule *rule = report->advice->rules[i];

        if (rule->expects[0].kind != EXPECT_NOTHING)
            continue;
        fprintf(out, "%s  %s\n", title, rule->why);
        write_grounds(report, rule, out);
        title = "";
    }
}

static void write_facts(const struct advice_report *report, FILE *out)
{
    char text[NUMBER_SIZE];

    fputs("\nFacts\n", out);
    for (int i = 0; i < FACT_COUNT; i++)
        if (!isnan(report->facts->values[i]))
            fprintf(out, "  %-20s %8s  %s\n", facts_table[i].name,
                    advice_fact_text(report->facts, (enum fact_id)i, text),
                    facts_table[i].help);
}

void advice_write_expected(const struct advice_report *report, FILE *out)
{
    uint32_t order[ADVICE_MOST];

    advice_order(report->advice, order);
    write_title(report, out);
    if (report->advice->prediction_count == 0)
        fputs("\nNo rule says what to expect: nothing known about this "
              "traffic and these nodes\ntells policies apart beforehand\n",
              out);
    write_policies(report, out);
    write_predictions(report, order, EXPECT_BETTER, "\nExpect\n", out);
    write_predictions(report, order, EXPECT_ALIKE, "\nWill not matter\n", out);
    write_remarks(report, out);
    if (report->all_facts)
        write_facts(report, out);
}

/* ---- what was found ---- */

void advice_write_found(const struct advice_report *report, FILE *out)
{
    uint32_t order[ADVICE_MOST];
    char outcome[3 * ADVICE_TEXT_SIZE];

    if (!report->judged)
        return;
    advice_order(report->advice, order);
    fputs("\nWhether it was so\n", out);
    for (uint32_t i = 0; i < report->advice->prediction_count; i++) {
        advice_outcome_text(report, order[i], outcome, sizeof outcome);
        fprintf(out, "  %u. %s\n", i + 1, outcome);
    }
    advice_write_score(report, "  ", out);
}
