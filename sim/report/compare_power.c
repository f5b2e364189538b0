/* The power curve of a comparison: what so many replications would find. */
#include "sim/report/compare_report.h"

#include "sim/report/cells.h"
#include "sim/report/csv_parts.h"
#include "sim/report/json_parts.h"
#include "sim/report/report.h"

#include <math.h>
#include <string.h>

static const uint32_t counts[] = {5, 10, 20, 40, 80, 160, 320, 640};
enum { COUNTS = sizeof counts / sizeof *counts, COLUMNS = 2 + COUNTS };

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

static void fill_head(struct cells *cells)
{
    snprintf(cells_at(cells, 0, 0), CELL_SIZE, "policy");
    snprintf(cells_at(cells, 0, 1), CELL_SIZE, "against");
    for (size_t i = 0; i < COUNTS; i++)
        snprintf(cells_at(cells, 0, 2 + i), CELL_SIZE, "%u", counts[i]);
}

static void fill_pair(const struct compare_result *result, uint32_t pair,
                      struct cells *cells)
{
    struct compare_pair sides = result->setup->pairs[pair];
    size_t row = 1 + pair;

    snprintf(cells_at(cells, row, 0), CELL_SIZE, "%s",
             label_of(result, sides.side));
    snprintf(cells_at(cells, row, 1), CELL_SIZE, "%s",
             label_of(result, sides.reference));
    for (size_t i = 0; i < COUNTS; i++) {
        char share[NUMBER_SIZE];

        number_percent(share, smallest_ratio(result, pair, counts[i]));
        snprintf(cells_at(cells, row, 2 + i), CELL_SIZE, "%s", share);
    }
}

static bool write_pairs(const struct compare_result *result, bool markdown,
                        FILE *out)
{
    uint32_t count = result->setup->pair_count;
    struct cells cells;
    bool fine = cells_make(&cells, COLUMNS, 2, 1 + (size_t)count);

    if (fine)
        fill_head(&cells);
    for (uint32_t i = 0; fine && i < count; i++)
        fill_pair(result, i, &cells);
    fine = fine && cells_write(&cells, markdown, out);
    cells_done(&cells);
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
    else
        fine = write_pairs(result, markdown, out);
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
