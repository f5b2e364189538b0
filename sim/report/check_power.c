#include "sim/report/check_power.h"

#include "sim/measure/power.h"
#include "sim/report/cells.h"
#include "sim/report/csv_parts.h"
#include "sim/report/json_parts.h"
#include "sim/report/report.h"

#include <inttypes.h>

enum { COLUMN_POLICY, COLUMN_MEASURE, COLUMN_LIKE, COLUMN_SPREAD };
enum { COLUMN_ALLOWED = COLUMN_SPREAD + 1, COLUMN_COUNTS };

/* ---- for people ---- */

/* "5.0 %" of the baseline, "0.5 points", or in the unit of what was 0. */
static void change_text(const struct power_row *row, double change, char *text)
{
    char number[NUMBER_SIZE];
    const char *unit = row->unit == UNIT_SECONDS      ? " s"
                       : row->unit == UNIT_PER_SECOND ? "/s"
                                                      : "";

    if (!isfinite(change))
        snprintf(text, CELL_SIZE, "-");
    else if (row->unit == UNIT_RATIO)
        snprintf(text, CELL_SIZE, "%s points",
                 number_short(number, 100 * change));
    else if (row->mean == 0)
        snprintf(text, CELL_SIZE, "%s%s", number_short(number, change), unit);
    else
        snprintf(text, CELL_SIZE, "%s",
                 number_percent(number, change / fabs(row->mean)));
}

static void like_text(const struct power_row *row, char *text)
{
    static const char *const words[POWER_SOURCE_COUNT] = {
        [POWER_BY_SEED] = "another seed",
        [POWER_EXACT] = "not random",
        [POWER_UNKNOWN] = "no spread known",
    };

    if (row->source == POWER_BY_SEED && row->deviation == 0)
        snprintf(text, CELL_SIZE, "any: all are equal");
    else
        snprintf(text, CELL_SIZE, "%s",
                 row->source == POWER_BY_POLICY ? row->other
                                                : words[row->source]);
}

static void fill_head(const struct baseline_power *power, struct cells *cells)
{
    static const char *const heads[COLUMN_COUNTS] = {
        "policy", "measure", "pairs as with", "spread", "allowed"};

    for (size_t i = 0; i < COLUMN_COUNTS; i++)
        snprintf(cells_at(cells, 0, i), CELL_SIZE, "%s", heads[i]);
    for (size_t i = 0; i < power->count_count; i++)
        snprintf(cells_at(cells, 0, COLUMN_COUNTS + i), CELL_SIZE, "%" PRIu32,
                 power->counts[i]);
}

static void fill_row(const struct baseline_power *power, size_t index,
                     struct cells *cells)
{
    const struct power_row *row = &power->rows[index];
    size_t at = index + 1;

    snprintf(cells_at(cells, at, COLUMN_POLICY), CELL_SIZE, "%s", row->policy);
    snprintf(cells_at(cells, at, COLUMN_MEASURE), CELL_SIZE, "%s",
             row->measure);
    like_text(row, cells_at(cells, at, COLUMN_LIKE));
    change_text(row, row->deviation, cells_at(cells, at, COLUMN_SPREAD));
    change_text(row, row->allowed, cells_at(cells, at, COLUMN_ALLOWED));
    for (size_t i = 0; i < power->count_count; i++)
        change_text(row, row->smallest[i],
                    cells_at(cells, at, COLUMN_COUNTS + i));
}

static bool write_rows(const struct baseline_power *power, bool markdown,
                       FILE *out)
{
    struct cells cells;
    bool fine = cells_make(&cells, COLUMN_COUNTS + power->count_count,
                           COLUMN_SPREAD, 1 + power->row_count);

    if (fine)
        fill_head(power, &cells);
    for (size_t i = 0; fine && i < power->row_count; i++)
        fill_row(power, i, &cells);
    fine = fine && cells_write(&cells, markdown, out);
    cells_done(&cells);
    return fine;
}

static bool any_source(const struct baseline_power *power,
                       enum power_source source)
{
    for (size_t i = 0; i < power->row_count; i++)
        if (power->rows[i].source == source && power->rows[i].deviation != 0)
            return true;
    return false;
}

static void write_notes(const struct check_power_report *report, FILE *out)
{
    const struct baseline_power *power = report->power;

    fprintf(out,
            "\n- of a change that touches one policy, and all %zu of its "
            "measures: %.3g %% of false alarms for each\n",
            power->tests, 100 * power->level);
    if (any_source(power, POWER_BY_POLICY))
        fputs("- spread: standard deviation of the paired differences from the "
              "policy that is closest to it\n  on the same traffic; one that "
              "changes less is found more easily\n",
              out);
    if (any_source(power, POWER_BY_SEED))
        fputs("- another seed: no policy of the baseline shares more with it; "
              "that is the most that pairs can spread\n",
              out);
    if (any_source(power, POWER_UNKNOWN))
        fputs("- no spread known: values are absent or unbounded, or there is "
              "one replication\n",
              out);
    fputs("- \"-\": so few replications cannot raise an alarm\n", out);
}

static bool write_table(const struct check_power_report *report, bool markdown,
                        FILE *out)
{
    const struct baseline *baseline = report->baseline;
    bool fine;

    fprintf(out,
            "%s%s: seed %" PRIu64 ", %" PRIu32 " replication%s\n\n"
            "smallest change for the worse that a check finds with %.9g %% "
            "probability,\nby its replications:\n\n",
            markdown ? "### " : "", report->scenario->name, baseline->seed,
            baseline->replications, baseline->replications == 1 ? "" : "s",
            100 * POWER_WANTED);
    fine = write_rows(report->power, markdown, out);
    write_notes(report, out);
    return fine;
}

/* ---- for programs ---- */

static double ratio_of(const struct power_row *row, double change)
{
    return row->mean == 0 ? NAN : change / fabs(row->mean);
}

struct point {
    uint32_t replications;
    double chance, change;
};

static void write_csv_point(const struct power_row *row, const char *curve,
                            struct point point, FILE *out)
{
    csv_write_text(out, row->policy);
    csv_text_field(out, row->measure);
    csv_text_field(out, curve);
    fprintf(out, ",%" PRIu32, point.replications);
    csv_field(out, point.chance);
    csv_field(out, point.change);
    csv_field(out, ratio_of(row, point.change));
    csv_field(out, row->mean);
    csv_field(out, row->allowed);
    csv_field(out, row->deviation);
    csv_text_field(out, power_source_names[row->source]);
    csv_text_field(out, row->other ? row->other : "");
    fputc('\n', out);
}

static bool write_csv(const struct check_power_report *report, FILE *out)
{
    const struct baseline_power *power = report->power;

    fprintf(out, "# lbsim %s\n# ", LBSIM_VERSION);
    csv_write_plain(out, report->scenario->name);
    fprintf(out,
            ": seed %" PRIu64 ", %" PRIu32 " replications\n"
            "# tests: %zu\n# level: %.9g\n"
            "policy,measure,curve,replications,probability,change,change_ratio,"
            "baseline,allowed,deviation,spread_from,closest_policy\n",
            report->baseline->seed, report->baseline->replications,
            power->tests, power->level);
    for (size_t r = 0; r < power->row_count; r++) {
        const struct power_row *row = &power->rows[r];

        for (size_t i = 0; i < power->count_count; i++)
            write_csv_point(row, "smallest",
                            (struct point){power->counts[i], POWER_WANTED,
                                           row->smallest[i]},
                            out);
        for (size_t i = 0; i < POWER_CHANCES; i++)
            write_csv_point(row, "chance",
                            (struct point){report->baseline->runs,
                                           baseline_power_chances[i],
                                           row->sizes[i]},
                            out);
    }
    return true;
}

static json_t *point_json(const struct power_row *row, struct point point)
{
    struct object object = object_new();

    set(&object, "replications", count_json(point.replications));
    set(&object, "probability", number_json(point.chance));
    set(&object, "change", number_json(point.change));
    set(&object, "change_ratio", number_json(ratio_of(row, point.change)));
    return object_take(&object);
}

static json_t *row_json(const struct check_power_report *report,
                        const struct power_row *row)
{
    const struct baseline_power *power = report->power;
    struct object object = object_new();
    struct array smallest = array_new(), chance = array_new();

    for (size_t i = 0; i < power->count_count; i++)
        add(&smallest,
            point_json(row, (struct point){power->counts[i], POWER_WANTED,
                                           row->smallest[i]}));
    for (size_t i = 0; i < POWER_CHANCES; i++)
        add(&chance, point_json(row, (struct point){report->baseline->runs,
                                                    baseline_power_chances[i],
                                                    row->sizes[i]}));
    set(&object, "policy", text_json(row->policy));
    set(&object, "measure", text_json(row->measure));
    set(&object, "baseline", number_json(row->mean));
    set(&object, "allowed", number_json(row->allowed));
    set(&object, "deviation", number_json(row->deviation));
    set(&object, "spread_from", text_json(power_source_names[row->source]));
    set(&object, "closest_policy",
        row->other ? text_json(row->other) : json_null());
    set(&object, "smallest", array_take(&smallest));
    set(&object, "chance", array_take(&chance));
    return object_take(&object);
}

static bool write_json(const struct check_power_report *report, FILE *out)
{
    const struct baseline_power *power = report->power;
    struct object object = object_new();
    struct array rows = array_new();

    for (size_t i = 0; i < power->row_count; i++)
        add(&rows, row_json(report, &power->rows[i]));
    set(&object, "schema", text_json(CHECK_POWER_SCHEMA));
    set(&object, "version", text_json(LBSIM_VERSION));
    set(&object, "scenario", text_json(report->scenario->name));
    set(&object, "seed", count_json(report->baseline->seed));
    set(&object, "replications", count_json(report->baseline->replications));
    set(&object, "tests", count_json(power->tests));
    set(&object, "level", number_json(power->level));
    set(&object, "rows", array_take(&rows));
    return json_dump_whole(object_take(&object), out);
}

/* ---- the whole ---- */

bool check_power_has(enum check_format format)
{
    return format == CHECK_FORMAT_TABLE || format == CHECK_FORMAT_MARKDOWN ||
           format == CHECK_FORMAT_JSON || format == CHECK_FORMAT_CSV;
}

bool check_power_write(enum check_format format,
                       const struct check_power_report *report, FILE *out)
{
    if (format == CHECK_FORMAT_JSON)
        return write_json(report, out);
    if (format == CHECK_FORMAT_CSV)
        return write_csv(report, out);
    return write_table(report, format == CHECK_FORMAT_MARKDOWN, out);
}
