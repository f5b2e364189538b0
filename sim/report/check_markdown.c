/* A check as a comment on a pull request: GitHub's and GitLab's Markdown. */
#include "sim/report/check_parts.h"

#include "sim/report/check_words.h"

#include <inttypes.h>
#include <string.h>

/* Nothing of a label is markup, ends a cell, or mentions anybody. */
static void write_plain(const char *text, FILE *out)
{
    for (; *text; text++) {
        unsigned char byte = (unsigned char)*text;

        if (byte < ' ' || byte == 127)
            fputc('?', out);
        else if (strchr("\\`*[]<>|~@&#", *text))
            fprintf(out, "&#%u;", byte);
        else
            fputc(byte, out);
    }
}

static void write_row(const struct check_report *report,
                      const struct check_row *row, FILE *out)
{
    char text[CHECK_WORDS_SIZE];
    const char *bold = check_row_fails(report, row) ? "**" : "";

    fputs("| ", out);
    write_plain(row->policy, out);
    fputs(" | ", out);
    write_plain(row->measure, out);
    check_value_words(row, false, text);
    fprintf(out, " | %s", text);
    check_value_words(row, true, text);
    fprintf(out, " | %s", text);
    check_change_words(row, text);
    fprintf(out, " | %s", text);
    check_allowed_words(row, text);
    fprintf(out, " | %s", text);
    check_verdict_words(row, text);
    fprintf(out, " | %s%s%s |\n", bold, text, bold);
}

static void write_rows(const struct check_report *report, unsigned most,
                       unsigned least, FILE *out)
{
    fputs("| policy | measure | baseline | now | change | allowed | verdict |\n"
          "|---|---|--:|--:|--:|--:|---|\n",
          out);
    for (unsigned gravity = most + 1; gravity-- > least;)
        for (size_t i = 0; i < report->check->row_count; i++)
            if (check_row_gravity(&report->check->rows[i]) == gravity)
                write_row(report, &report->check->rows[i], out);
}

static size_t count_rows(const struct check_result *check, unsigned most,
                         unsigned least)
{
    size_t count = 0;

    for (size_t i = 0; i < check->row_count; i++) {
        unsigned gravity = check_row_gravity(&check->rows[i]);

        count += gravity >= least && gravity <= most;
    }
    return count;
}

/* What needs no looking at is folded away. */
static void write_folded(const struct check_report *report, FILE *out)
{
    size_t count = count_rows(report->check, 1, 0);

    if (count == 0)
        return;
    fprintf(out,
            "\n<details><summary>%zu measure%s without complaint</summary>"
            "\n\n",
            count, count == 1 ? "" : "s");
    write_rows(report, 1, 0, out);
    fputs("\n</details>\n", out);
}

bool check_write_markdown(const struct check_report *report, FILE *out)
{
    char text[CHECK_WORDS_SIZE];

    fputs("### lbsim check: ", out);
    write_plain(report->scenario->name, out);
    check_summary_words(report, text);
    fputs("\n\n**", out);
    write_plain(text, out);
    fputs("**\n", out);
    if (count_rows(report->check, CHECK_GRAVITIES - 1, 2) > 0) {
        fputs("\n", out);
        write_rows(report, CHECK_GRAVITIES - 1, 2, out);
    }
    write_folded(report, out);
    fputs("\n", out);
    for (unsigned i = 0; check_note_words(report, i, text); i++)
        fprintf(out, "- %s\n", text);
    fprintf(out,
            "- seed %" PRIu64 ", %" PRIu32 " replications in pairs; "
            "intervals at %g %%; one false alarm in %.0f checks\n",
            report->scenario->seed, report->then->replications,
            100 * report->scenario->confidence,
            1 / report->scenario->check.false_alarms);
    return true;
}
