/* A comparison as a table for people, and as Markdown: one part a measure. */
#include "sim/report/compare_report.h"

#include "sim/report/grid.h"

#include <string.h>

enum { COLUMNS = 6 };

static const char *const titles[COLUMNS] = {"policy",     "value",  "against",
                                            "difference", "effect", "verdict"};

struct row {
    char cells[COLUMNS][COMPARE_CELL];
};

static void fill_value(const struct compare_result *result, uint32_t measure,
                       uint32_t side, struct row *row)
{
    const struct compare_setup *setup = result->setup;

    snprintf(row->cells[0], COMPARE_CELL, "%s", setup->sides[side].label);
    compare_value_text(
        &result->means[(size_t)measure * setup->side_count + side],
        setup->measures[measure], row->cells[1], COMPARE_CELL);
}

/* Of a side that others are compared with, and which is compared with none. */
static struct row reference_row(const struct compare_result *result,
                                uint32_t measure, uint32_t side)
{
    struct row row = {0};

    fill_value(result, measure, side, &row);
    snprintf(row.cells[5], COMPARE_CELL, "reference");
    return row;
}

static struct row pair_row(const struct compare_result *result,
                           uint32_t measure, uint32_t pair)
{
    const struct compare_setup *setup = result->setup;
    const struct verdict *verdict = compare_verdict(result, measure, pair);
    enum measure_id id = setup->measures[measure];
    struct row row = {0};

    fill_value(result, measure, setup->pairs[pair].side, &row);
    snprintf(row.cells[2], COMPARE_CELL, "%s",
             setup->sides[setup->pairs[pair].reference].label);
    compare_difference_text(verdict, id, row.cells[3], COMPARE_CELL);
    compare_effect_text(verdict, row.cells[4], COMPARE_CELL);
    compare_verdict_text(verdict, row.cells[5], COMPARE_CELL);
    return row;
}

/* Whether it stands as a reference before it is compared itself. */
static bool is_only_reference(const struct compare_setup *setup, uint32_t side)
{
    bool reference = false;

    for (uint32_t i = 0; i < setup->pair_count; i++) {
        if (setup->pairs[i].side == side)
            return false;
        reference = reference || setup->pairs[i].reference == side;
    }
    return reference;
}

/* Calls write for the rows of a measure, the references first. */
static bool each_row(const struct compare_result *result, uint32_t measure,
                     bool (*write)(void *context, const struct row *row),
                     void *context)
{
    const struct compare_setup *setup = result->setup;
    bool fine = true;

    for (uint32_t i = 0; fine && i < setup->side_count; i++)
        if (is_only_reference(setup, i)) {
            struct row row = reference_row(result, measure, i);

            fine = write(context, &row);
        }
    for (uint32_t i = 0; fine && i < setup->pair_count; i++) {
        struct row row = pair_row(result, measure, i);

        fine = write(context, &row);
    }
    return fine;
}

static const char *direction_text(enum measure_id id)
{
    switch (measures[id].better) {
    case BETTER_LOWER:
        return "lower is better";
    case BETTER_HIGHER:
        return "higher is better";
    case BETTER_NEITHER:
        break;
    }
    return "neither more nor less is better";
}

/* ---- a table ---- */

static bool add_line(void *context, const struct row *row)
{
    struct libscols_line *line = scols_table_new_line(context, NULL);
    bool fine = line != NULL;

    for (size_t i = 0; fine && i < COLUMNS; i++)
        fine = scols_line_set_data(line, i, row->cells[i]) == 0;
    return fine;
}

static bool write_part(const struct compare_result *result, uint32_t measure,
                       FILE *out)
{
    enum measure_id id = result->setup->measures[measure];
    struct libscols_table *table = scols_new_table();
    bool fine = table != NULL;

    fprintf(out, "%s%s: %s\n", measures[id].name,
            measure == 0 ? ", the objective" : "", direction_text(id));
    for (size_t i = 0; fine && i < COLUMNS; i++)
        fine = scols_table_new_column(table, titles[i], 0, 0) != NULL;
    fine = fine && each_row(result, measure, add_line, table) &&
           grid_write(table, out);
    scols_unref_table(table);
    fputs("\n", out);
    return fine;
}

bool compare_write_table(const struct compare_report *report, FILE *out)
{
    const struct compare_result *result = report->result;
    struct notes notes;
    bool fine = compare_notes(report, &notes);

    fprintf(out, "%s\n\n", report->title);
    if (report->replications == 0)
        fputs("no replication was finished\n\n", out);
    for (uint32_t m = 0;
         fine && report->replications > 0 && m < result->setup->measure_count;
         m++)
        fine = write_part(result, m, out);
    for (size_t i = 0; fine && i < notes.count; i++)
        fprintf(out, "- %s\n", notes.lines[i]);
    notes_done(&notes);
    return fine;
}

/* ---- Markdown ---- */

void compare_write_escaped(const char *text, FILE *out)
{
    for (; *text; text++) {
        if (strchr("|\\`*_<>[]#~", *text))
            fputc('\\', out);
        fputc(*text, out);
    }
}

static bool add_markdown_row(void *context, const struct row *row)
{
    FILE *out = context;

    for (size_t i = 0; i < COLUMNS; i++) {
        fputs("| ", out);
        compare_write_escaped(row->cells[i], out);
        fputs(row->cells[i][0] ? " " : "", out);
    }
    fputs("|\n", out);
    return true;
}

static void write_markdown_head(FILE *out)
{
    for (size_t i = 0; i < COLUMNS; i++)
        fprintf(out, "| %s ", titles[i]);
    fputs("|\n", out);
    for (size_t i = 0; i < COLUMNS; i++)
        fputs("| --- ", out);
    fputs("|\n", out);
}

bool compare_write_markdown(const struct compare_report *report, FILE *out)
{
    const struct compare_result *result = report->result;
    struct notes notes;
    bool fine = compare_notes(report, &notes);

    fputs("### ", out);
    compare_write_escaped(report->title, out);
    fputs("\n\n", out);
    for (uint32_t m = 0;
         fine && report->replications > 0 && m < result->setup->measure_count;
         m++) {
        enum measure_id id = result->setup->measures[m];

        fprintf(out, "`%s`%s: %s\n\n", measures[id].name,
                m == 0 ? ", the objective" : "", direction_text(id));
        write_markdown_head(out);
        fine = each_row(result, m, add_markdown_row, out);
        fputs("\n", out);
    }
    for (size_t i = 0; fine && i < notes.count; i++) {
        fputs("- ", out);
        compare_write_escaped(notes.lines[i], out);
        fputs("\n", out);
    }
    notes_done(&notes);
    return fine;
}
