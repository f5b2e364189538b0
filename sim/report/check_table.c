/* A check as a table, and the same for spreadsheets. */
#include "sim/report/check_parts.h"

#include "sim/report/check_words.h"
#include "sim/report/grid.h"
#include "sim/report/number.h"

#include <inttypes.h>
#include <string.h>

static bool set_cell(struct libscols_line *line, unsigned column,
                     const char *text)
{
    return scols_line_set_data(line, column, text) == 0;
}

static bool add_row(struct libscols_table *table, const struct check_row *row)
{
    struct libscols_line *line = scols_table_new_line(table, NULL);
    char text[5][CHECK_WORDS_SIZE];
    bool fine = line && set_cell(line, 0, row->policy) &&
                set_cell(line, 1, row->measure);

    check_value_words(row, false, text[0]);
    check_value_words(row, true, text[1]);
    check_change_words(row, text[2]);
    check_allowed_words(row, text[3]);
    check_verdict_words(row, text[4]);
    for (unsigned i = 0; fine && i < 5; i++)
        fine = set_cell(line, 2 + i, text[i]);
    return fine;
}

static struct libscols_table *new_table(void)
{
    static const struct {
        const char *title;
        int flags;
    } columns[] = {
        {"policy", 0},
        {"measure", 0},
        {"baseline", SCOLS_FL_RIGHT},
        {"now", SCOLS_FL_RIGHT},
        {"change", SCOLS_FL_RIGHT},
        {"allowed", SCOLS_FL_RIGHT},
        {"verdict", 0},
    };
    struct libscols_table *table = scols_new_table();

    for (size_t i = 0; table && i < sizeof columns / sizeof *columns; i++)
        if (!scols_table_new_column(table, columns[i].title, 0,
                                    columns[i].flags)) {
            scols_unref_table(table);
            return NULL;
        }
    return table;
}

/* Identical rows are counted in the summary and say nothing more. */
static bool write_changed_rows(const struct check_result *check, FILE *out)
{
    struct libscols_table *table = new_table();
    bool fine = table != NULL;

    for (unsigned gravity = CHECK_GRAVITIES - 1; gravity > 0; gravity--)
        for (size_t i = 0; fine && i < check->row_count; i++)
            if (check_row_gravity(&check->rows[i]) == gravity)
                fine = add_row(table, &check->rows[i]);
    fine = fine && grid_write(table, out);
    scols_unref_table(table);
    return fine;
}

bool check_write_table(const struct check_report *report, FILE *out)
{
    const struct scenario *scenario = report->scenario;
    char text[CHECK_WORDS_SIZE];
    bool fine = true;

    fprintf(out, "%s: seed %" PRIu64 ", %" PRIu32 " replication%s",
            scenario->name, scenario->seed, report->then->replications,
            report->then->replications == 1 ? "" : "s");
    if (report->now)
        fprintf(out, ", results %016" PRIx64, report->now->results_hash);
    fputs("\n\n", out);
    if (!report->error && !report->check->identical &&
        report->check->row_count > 0) {
        fine = write_changed_rows(report->check, out);
        fputs("\n", out);
    }
    check_summary_words(report, text);
    fprintf(out, "%s\n", text);
    for (unsigned i = 0; check_note_words(report, i, text); i++)
        fprintf(out, "- %s\n", text);
    return fine;
}

/* ---- csv ---- */

static void write_field(const char *text, FILE *out)
{
    bool quoted = text[strcspn(text, ",\"\n\r")] != 0;

    if (quoted)
        fputc('"', out);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', out);
        fputc(*text, out);
    }
    if (quoted)
        fputc('"', out);
}

static void write_csv_row(const struct check_row *row, FILE *out)
{
    const struct regression *finding = &row->finding;
    const double numbers[] = {
        finding->old_value, finding->new_value, finding->change, finding->lo,
        finding->hi,        finding->allowed,   finding->p};
    char text[NUMBER_SIZE], words[CHECK_WORDS_SIZE];
    bool judged = check_row_has_values(row);

    write_field(row->policy, out);
    fprintf(out, ",%s,%s,%s", row->measure, check_verdict_names[row->verdict],
            check_kind_word(row));
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        fprintf(out, ",%s", judged ? number_exact(text, numbers[i]) : "");
    if (finding->pairs_needed > 0)
        fprintf(out, ",%" PRIu64 ",", finding->pairs_needed);
    else
        fputs(",,", out);
    check_verdict_words(row, words);
    write_field(words, out);
    fputc('\n', out);
}

bool check_write_csv(const struct check_report *report, FILE *out)
{
    char text[CHECK_WORDS_SIZE];

    check_summary_words(report, text);
    fprintf(out, "# %s\n", text);
    for (unsigned i = 0; check_note_words(report, i, text); i++)
        fprintf(out, "# - %s\n", text);
    fputs("policy,measure,verdict,kind,baseline,now,change,change_lo,change_hi,"
          "allowed,p,replications_needed,words\n",
          out);
    for (size_t i = 0; i < report->check->row_count; i++)
        write_csv_row(&report->check->rows[i], out);
    return true;
}
