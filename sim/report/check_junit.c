/*
 * A check as JUnit XML, in the form that Jenkins, GitLab, GitHub actions and
 * others read: a test suite of the scenario, a test case for each measure of
 * each policy; regressions are failures, what is inconclusive is skipped. Time
 * is 0 everywhere: results depend on scenario and seed alone.
 */
#include "sim/report/check_parts.h"

#include "sim/report/charts_data.h"
#include "sim/report/check_words.h"

static const char *entity(uint32_t letter)
{
    switch (letter) {
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '&':
        return "&amp;";
    case '"':
        return "&quot;";
    default:
        return NULL;
    }
}

/* XML 1.0, section 2.2, leaves out control characters, which cannot be written
   at all, not even as numbers, and two that are none. */
static bool is_char(uint32_t letter)
{
    return letter != CHART_NO_LETTER && letter >= ' ' && letter != 0xfffe &&
           letter != 0xffff;
}

/* What has no place in XML becomes a question mark. */
static void write_text(const char *text, FILE *out)
{
    while (*text) {
        const char *begin = text;
        uint32_t letter = chart_take_letter(&text);

        if (entity(letter))
            fputs(entity(letter), out);
        else if (is_char(letter))
            fwrite(begin, 1, (size_t)(text - begin), out);
        else
            fputc('?', out);
    }
}

static void write_case(const struct check_report *report,
                       const struct check_row *row, FILE *out)
{
    char verdict[CHECK_WORDS_SIZE], words[CHECK_WORDS_SIZE];

    fputs("    <testcase classname=\"", out);
    write_text(report->scenario->name, out);
    fputc('.', out);
    write_text(row->policy, out);
    fputs("\" name=\"", out);
    write_text(row->measure, out);
    fputs("\" time=\"0\"", out);
    if (row->verdict == CHECK_PASS) {
        fputs("/>\n", out);
        return;
    }
    check_verdict_words(row, verdict);
    check_row_words(row, words);
    fputs(">\n      ", out);
    if (check_row_fails(report, row)) {
        fputs("<failure type=\"", out);
        fputs(check_verdict_names[row->verdict], out);
        fputs("\" message=\"", out);
        write_text(words, out);
        fputs("\">", out);
        write_text(words, out);
        fputs("</failure>\n", out);
    } else {
        fputs("<skipped message=\"", out);
        write_text(words, out);
        fputs("\"/>\n", out);
    }
    fputs("    </testcase>\n", out);
}

static void write_notes(const struct check_report *report, FILE *out)
{
    char text[CHECK_WORDS_SIZE];

    if (!check_note_words(report, 0, text))
        return;
    fputs("    <system-out>", out);
    for (unsigned i = 0; check_note_words(report, i, text); i++) {
        fputs(i > 0 ? "\n- " : "- ", out);
        write_text(text, out);
    }
    fputs("</system-out>\n", out);
}

static void write_error(const struct check_report *report, FILE *out)
{
    fputs("    <testcase classname=\"", out);
    write_text(report->scenario->name, out);
    fputs("\" name=\"check\" time=\"0\">\n      <error type=\"not_finished\" "
          "message=\"",
          out);
    write_text(report->error, out);
    fputs("\"/>\n    </testcase>\n", out);
}

bool check_write_junit(const struct check_report *report, FILE *out)
{
    const struct check_result *check = report->check;
    size_t failures = 0, skipped = 0, errors = report->error != NULL;

    for (size_t i = 0; i < check->row_count; i++) {
        bool fails = check_row_fails(report, &check->rows[i]);

        failures += fails;
        skipped += !fails && check->rows[i].verdict != CHECK_PASS;
    }
    fprintf(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                 "<testsuites>\n"
                 "  <testsuite name=\"lbsim check ");
    write_text(report->scenario->name, out);
    fprintf(out,
            "\" tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\" "
            "time=\"0\">\n",
            check->row_count + errors, failures, errors, skipped);
    if (report->error)
        write_error(report, out);
    for (size_t i = 0; i < check->row_count; i++)
        write_case(report, &check->rows[i], out);
    write_notes(report, out);
    fputs("  </testsuite>\n</testsuites>\n", out);
    return true;
}
