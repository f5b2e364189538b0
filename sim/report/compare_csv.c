/* A comparison as CSV: one row a pair and a measure. */
#include "sim/report/compare_report.h"

#include "sim/report/csv_parts.h"
#include "sim/report/report.h"

static void write_row(const struct compare_result *result, uint32_t measure,
                      uint32_t pair, FILE *out)
{
    const struct compare_setup *setup = result->setup;
    const struct verdict *verdict = compare_verdict(result, measure, pair);
    struct compare_pair sides = setup->pairs[pair];
    const struct compare_mean *means =
        &result->means[(size_t)measure * setup->side_count];
    char words[COMPARE_CELL];

    csv_write_text(out, setup->sides[sides.side].label);
    csv_text_field(out, setup->sides[sides.reference].label);
    csv_text_field(out, measures[setup->measures[measure]].name);
    csv_field(out, means[sides.side].mean);
    csv_field(out, means[sides.reference].mean);
    csv_field(out, verdict->difference);
    csv_field(out, verdict->lo);
    csv_field(out, verdict->hi);
    csv_field(out, verdict->effect_ratio);
    csv_field(out, verdict->p);
    fprintf(out, ",%s,%u,", compare_verdict_name(verdict), verdict->pairs);
    if (verdict->replications_needed > 0)
        fprintf(out, "%llu", (unsigned long long)verdict->replications_needed);
    compare_verdict_text(verdict, words, sizeof words);
    csv_text_field(out, words);
    fputc('\n', out);
}

static void write_comment(const char *text, FILE *out)
{
    fputs("# ", out);
    for (; *text; text++)
        fputc((unsigned char)*text < ' ' ? ' ' : *text, out);
    fputc('\n', out);
}

void compare_write_csv(const struct compare_report *report, FILE *out)
{
    const struct compare_setup *setup = report->result->setup;

    fprintf(out, "# lbsim %s\n", LBSIM_VERSION);
    write_comment(report->title, out);
    fprintf(out, "# replications: %u\n", report->replications);
    if (report->partial)
        fprintf(out, "# partial: %s\n", report->partial);
    for (size_t i = 0; report->before && i < report->before->count; i++)
        write_comment(report->before->lines[i], out);
    fputs("policy,against,measure,mean,against_mean,difference,lo,hi,"
          "effect_ratio,p,verdict,pairs,replications_needed,words\n",
          out);
    if (report->replications == 0)
        return;
    for (uint32_t m = 0; m < setup->measure_count; m++)
        for (uint32_t i = 0; i < setup->pair_count; i++)
            write_row(report->result, m, i, out);
}
