/*
 * A check as lines that a CI system turns into annotations: one for each row
 * that fails or is inconclusive, at its line of the baseline.
 *
 * GitHub: docs.github.com, "Workflow commands for GitHub Actions".
 * Azure: learn.microsoft.com, "Logging commands", task.logissue.
 */
#include "sim/report/check_parts.h"

#include "sim/report/check_words.h"

#include <inttypes.h>
#include <string.h>

enum style { STYLE_GITHUB, STYLE_AZURE, STYLE_LINES };

/* Bytes that would end a property or the line, as %XX, which both systems turn
   back; a percent sign itself likewise. */
static void write_escaped(const char *text, const char *reserved, FILE *out)
{
    for (; *text; text++) {
        unsigned char byte = (unsigned char)*text;

        if (byte < ' ' || byte == 127 || strchr(reserved, *text))
            fprintf(out, "%%%02X", byte);
        else
            fputc(byte, out);
    }
}

struct complaint {
    const char *file, *message;
    uint64_t line;
    bool fails;
};

static void write_github(const struct complaint *complaint, FILE *out)
{
    fprintf(out, "::%s file=", complaint->fails ? "error" : "warning");
    write_escaped(complaint->file, "%,:", out);
    fprintf(out, ",line=%" PRIu64 ",title=lbsim check::", complaint->line);
    write_escaped(complaint->message, "%", out);
    fputc('\n', out);
}

static void write_azure(const struct complaint *complaint, FILE *out)
{
    fprintf(out, "##vso[task.logissue type=%s;sourcepath=",
            complaint->fails ? "error" : "warning");
    write_escaped(complaint->file, "%;]", out);
    fprintf(out, ";linenumber=%" PRIu64 "]", complaint->line);
    write_escaped(complaint->message, "%", out);
    fputc('\n', out);
}

static void write_plain(const struct complaint *complaint, FILE *out)
{
    fprintf(out, "%s:%" PRIu64 ": %s: ", complaint->file, complaint->line,
            complaint->fails ? "error" : "warning");
    write_escaped(complaint->message, "", out);
    fputc('\n', out);
}

static void write_complaint(enum style style, const struct complaint *complaint,
                            FILE *out)
{
    switch (style) {
    case STYLE_GITHUB:
        write_github(complaint, out);
        break;
    case STYLE_AZURE:
        write_azure(complaint, out);
        break;
    case STYLE_LINES:
        write_plain(complaint, out);
        break;
    }
}

static void write_notice(const char *text, FILE *out)
{
    fputs("::notice title=lbsim check::", out);
    write_escaped(text, "%", out);
    fputc('\n', out);
}

static bool write_all(enum style style, const struct check_report *report,
                      FILE *out)
{
    char words[CHECK_WORDS_SIZE];
    struct complaint complaint = {
        .file = report->then->path, .message = words, .line = 1};

    for (unsigned gravity = CHECK_GRAVITIES - 1; gravity > 1; gravity--)
        for (size_t i = 0; i < report->check->row_count; i++) {
            const struct check_row *row = &report->check->rows[i];

            if (check_row_gravity(row) != gravity)
                continue;
            check_row_words(row, words);
            complaint.line = row->line > 0 ? row->line : 1;
            complaint.fails = check_row_fails(report, row);
            write_complaint(style, &complaint, out);
        }
    if (report->error) {
        check_summary_words(report, words);
        complaint.line = 1;
        complaint.fails = true;
        write_complaint(style, &complaint, out);
    } else if (style == STYLE_GITHUB) {
        check_summary_words(report, words);
        write_notice(words, out);
        for (unsigned i = 0; check_note_words(report, i, words); i++)
            write_notice(words, out);
    }
    return true;
}

bool check_write_github(const struct check_report *report, FILE *out)
{
    return write_all(STYLE_GITHUB, report, out);
}

bool check_write_azure(const struct check_report *report, FILE *out)
{
    return write_all(STYLE_AZURE, report, out);
}

bool check_write_lines(const struct check_report *report, FILE *out)
{
    return write_all(STYLE_LINES, report, out);
}
