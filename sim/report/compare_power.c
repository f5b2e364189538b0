/* The power curve of a comparison: what so many replications would find. */
#include "sim/report/compare_report.h"

#include "sim/report/csv_parts.h"
#include "sim/report/grid.h"
#include "sim/report/json_parts.h"
#include "sim/report/report.h"

#include <math.h>
#include <string.h>

static const uint32_t counts[] = {5, 10, 20, 40, 80, 160, 320, 640};
enum { COUNTS = sizeof counts / sizeof *counts, COLUMNS = 2 + COUNTS };

struct row {
    char cells[COLUMNS][COMPARE_CELL];
};

static double reference_mean(const struct compare_result *result, uint32_t pair)
{
    return fabs(result->means[result->setup->pairs[pair].reference].mean);
}

/* Share of the reference's mean; NaN: none. */
static double smallest_ratio(const struct compare_result *result, uint32_t pair,
                             uint32_t replications)
{
    double mean = reference_mean(result, pair);

    return mean > 0
               ? compare_smallest(result, pair, replications, POWER_WANTED) /
                     mean
               : NAN;
}

static const char *label_of(const struct compare_result *result, uint32_t side)
{
    return result->setup->sides[side].label;
}

/* ---- for people ---- */

static struct row head_row(void)
{
    struct row row = {{"policy", "against"}};

    for (size_t i = 0; i < COUNTS; i++)
        snprintf(row.cells[2 + i], COMPARE_CELL, "%u", counts[i]);
    return row;
}

static struct row pair_row(const struct compare_result *result, uint32_t pair)
{
    struct compare_pair sides = result->setup->pairs[pair];
    struct row row = {0};

    snprintf(row.cells[0], COMPARE_CELL, "%s", label_of(result, sides.side));
    snprintf(row.cells[1], COMPARE_CELL, "%s",
             label_of(result, sides.reference));
    for (size_t i = 0; i < COUNTS; i++) {
        char share[NUMBER_SIZE];

        number_percent(share, smallest_ratio(result, pair, counts[i]));
        snprintf(row.cells[2 + i], COMPARE_CELL, "%s", share);
    }
    return row;
}

static void write_markdown_row(const struct row *row, FILE *out)
{
    for (size_t i = 0; i < COLUMNS; i++) {
        fputs("| ", out);
        compare_write_escaped(row->cells[i], out);
        fputc(' ', out);
    }
    fputs("|\n", out);
}

static void write_markdown(const struct compare_result *result, FILE *out)
{
    struct row head = head_row();

    write_markdown_row(&head, out);
    for (size_t i = 0; i < COLUMNS; i++)
        fputs(i < 2 ? "| --- " : "| ---: ", out);
    fputs("|\n", out);
    for (uint32_t i = 0; i < result->setup->pair_count; i++) {
        struct row row = pair_row(result, i);

        write_markdown_row(&row, out);
    }
}

static bool write_grid(const struct compare_result *result, FILE *out)
{
    struct libscols_table *table = scols_new_table();
    struct row head = head_row();
    bool fine = table != NULL;

    for (size_t i = 0; fine && i < COLUMNS; i++)
        fine = scols_table_new_column(table, head.cells[i], 0,
                                      i < 2 ? 0 : SCOLS_FL_RIGHT) != NULL;
    for (uint32_t i = 0; fine && i < result->setup->pair_count; i++) {
        struct libscols_line *line = scols_table_new_line(table, NULL);
        struct row row = pair_row(result, i);

        fine = line != NULL;
        for (size_t j = 0; fine && j < COLUMNS; j++)
            fine = scols_line_set_data(line, j, row.cells[j]) == 0;
    }
    fine = fine && grid_write(table, out);
    scols_unref_table(table);
    return fine;
}

bool power_write_table(const struct compare_report *report, bool markdown,
                       FILE *out)
{
    const struct compare_result *result = report->result;
    const struct compare_setup *setup = result->setup;
    bool fine = true;

    fprintf(out,
            "%s%s\n\nsmallest difference of %s, as a share of the reference, "
            "that so many replications\nwould find with %.9g %% "
            "probability:\n\n",
            markdown ? "### " : "", report->title,
            measures[setup->measures[0]].name, 100 * POWER_WANTED);
    if (report->replications < 2)
        fputs("two replications are needed to tell how far they spread\n", out);
    else if (markdown)
        write_markdown(result, out);
    else
        fine = write_grid(result, out);
    fprintf(out,
            "\n- from the spread of the paired differences in %u replications\n"
            "- at the level of the family's largest difference: %.4g %% of "
            "error among %u\n",
            report->replications, 100 * (1 - setup->confidence),
            setup->pair_count);
    return fine;
}

/* ---- for programs ---- */

void power_write_csv(const struct compare_report *report, FILE *out)
{
    const struct compare_result *result = report->result;
    const struct compare_setup *setup = result->setup;

    fprintf(out, "# lbsim %s\n# ", LBSIM_VERSION);
    csv_write_plain(out, report->title);
    fprintf(out, "\n# power: %.9g\n# measure: %s\n", POWER_WANTED,
            measures[setup->measures[0]].name);
    fputs("policy,against,measure,replications,smallest_difference,"
          "smallest_ratio,deviation\n",
          out);
    for (uint32_t i = 0; report->replications > 1 && i < setup->pair_count; i++)
        for (size_t j = 0; j < COUNTS; j++) {
            csv_write_text(out, label_of(result, setup->pairs[i].side));
            csv_text_field(out, label_of(result, setup->pairs[i].reference));
            csv_text_field(out, measures[setup->measures[0]].name);
            fprintf(out, ",%u", counts[j]);
            csv_field(out,
                      compare_smallest(result, i, counts[j], POWER_WANTED));
            csv_field(out, smallest_ratio(result, i, counts[j]));
            csv_field(out, result->deviations[i]);
            fputc('\n', out);
        }
}

static json_t *point_json(const struct compare_result *result, uint32_t pair,
                          uint32_t replications)
{
    struct object object = object_new();

    set(&object, "replications", count_json(replications));
    set(&object, "smallest_difference",
        number_json(
            compare_smallest(result, pair, replications, POWER_WANTED)));
    set(&object, "smallest_ratio",
        number_json(smallest_ratio(result, pair, replications)));
    return object_take(&object);
}

static json_t *curve_json(const struct compare_result *result, uint32_t pair)
{
    struct compare_pair sides = result->setup->pairs[pair];
    struct object object = object_new();
    struct array points = array_new();

    for (size_t i = 0; i < COUNTS; i++)
        add(&points, point_json(result, pair, counts[i]));
    set(&object, "policy", text_json(label_of(result, sides.side)));
    set(&object, "against", text_json(label_of(result, sides.reference)));
    set(&object, "deviation", number_json(result->deviations[pair]));
    set(&object, "points", array_take(&points));
    return object_take(&object);
}

bool power_write_json(const struct compare_report *report, FILE *out)
{
    const struct compare_setup *setup = report->result->setup;
    struct object object = object_new();
    struct array curves = array_new();

    for (uint32_t i = 0; report->replications > 1 && i < setup->pair_count; i++)
        add(&curves, curve_json(report->result, i));
    set(&object, "schema", text_json(POWER_SCHEMA));
    set(&object, "version", text_json(LBSIM_VERSION));
    set(&object, "title", text_json(report->title));
    set(&object, "replications", count_json(report->replications));
    set(&object, "objective", text_json(measures[setup->measures[0]].name));
    set(&object, "confidence", number_json(setup->confidence));
    set(&object, "power", number_json(POWER_WANTED));
    set(&object, "curves", array_take(&curves));
    return json_dump_whole(object_take(&object), out);
}
