#include "sim/report/sweep_report.h"

#include "sim/report/grid.h"
#include "sim/report/number.h"
#include "sim/report/report.h"
#include "sim/report/table.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define CELL_SIZE 400

/* ---- names of columns ---- */

/* "arrivals.rate" of workload.arrivals.rate: one word may mean anything. */
static const char *last_words(const char *path)
{
    uint32_t dots = 0;

    for (const char *at = path + strlen(path); at > path; at--)
        if (at[-1] == '.' && ++dots == 2)
            return at;
    return path;
}

/* The last two words, unless another ends so. */
static const char *short_name(const struct sweep_spec *spec, const char *path)
{
    uint32_t same = 0;

    for (uint32_t i = 0; i < spec->axis_count; i++)
        for (uint32_t j = 0; j < spec->axes[i].path_count; j++)
            same += strcmp(last_words(spec->axes[i].paths[j].path),
                           last_words(path)) == 0;
    return same > 1 ? path : last_words(path);
}

static bool add_column(struct libscols_table *table, const char *name)
{
    return scols_table_new_column(table, name, 0, 0) != NULL;
}

static bool add_axes(struct libscols_table *table,
                     const struct sweep_spec *spec)
{
    for (uint32_t i = 0; i < spec->axis_count; i++)
        for (uint32_t j = 0; j < spec->axes[i].path_count; j++)
            if (!add_column(table,
                            short_name(spec, spec->axes[i].paths[j].path)))
                return false;
    return true;
}

/* Fills the columns of axes; *ret_next: the first behind them. */
static bool fill_axes(struct libscols_line *line, const struct sweep_spec *spec,
                      uint64_t point, size_t *ret_next)
{
    size_t column = 0;

    for (uint32_t i = 0; i < spec->axis_count; i++)
        for (uint32_t j = 0; j < spec->axes[i].path_count; j++) {
            uint32_t place = sweep_place(spec, point, i);

            if (scols_line_set_data(
                    line, column++,
                    spec->axes[i].paths[j].values[place].text) != 0)
                return false;
        }
    *ret_next = column;
    return true;
}

/* ---- points ---- */

static const char *verdict_word(const struct verdict *verdict)
{
    switch (verdict->kind) {
    case VERDICT_REFERENCE:
        return "";
    case VERDICT_BETTER:
        return " better";
    case VERDICT_WORSE:
        return " worse";
    case VERDICT_DIFFERS:
        return " differs";
    case VERDICT_CANNOT_TELL:
        break;
    }
    return " ?";
}

/* Verdicts are by the first measure, the objective. */
static void policy_cell(const struct sweep_policy *policy, uint32_t measure,
                        char *text, size_t size)
{
    char number[CELL_SIZE / 2];

    table_measure_text(&policy->measures[measure], number, sizeof number);
    snprintf(text, size, "%s%s%s", number,
             measure == 0 ? verdict_word(&policy->verdict) : "",
             policy->unstable ? " (unstable)" : "");
}

static bool add_point(struct libscols_table *table,
                      const struct sweep_report *report, uint32_t measure,
                      uint64_t number)
{
    const struct sweep_result *result = report->result;
    const struct sweep_point *point = &result->points[number];
    struct libscols_line *line = scols_table_new_line(table, NULL);
    size_t column;
    char text[CELL_SIZE];

    if (!line || !fill_axes(line, &report->base->sweep, number, &column))
        return false;
    for (uint32_t i = 0; i < result->policy_count; i++) {
        policy_cell(&point->policies[i], measure, text, sizeof text);
        if (scols_line_set_data(line, column++, text) != 0)
            return false;
    }
    if (measure > 0)
        return true;
    snprintf(text, sizeof text, "-");
    if (point->best < result->policy_count)
        snprintf(text, sizeof text, "%s%s",
                 report->base->policies[point->best].label,
                 point->best_is_sure ? "" : " ?");
    return scols_line_set_data(line, column, text) == 0;
}

static bool write_measure(const struct sweep_report *report, uint32_t measure,
                          FILE *out)
{
    struct libscols_table *table = scols_new_table();
    const struct sweep_result *result = report->result;
    bool fine = table && add_axes(table, &report->base->sweep);

    for (uint32_t i = 0; fine && i < result->policy_count; i++)
        fine = add_column(table, report->base->policies[i].label);
    fine = fine && (measure > 0 || add_column(table, "best"));
    for (uint64_t i = 0; fine && i < result->point_count; i++)
        if (result->points[i].whole)
            fine = add_point(table, report, measure, i);
    fine = fine && grid_write(table, out);
    scols_unref_table(table);
    return fine;
}

static const char *unit_words(enum measure_id id)
{
    switch (measures[id].unit) {
    case UNIT_SECONDS:
        return ", in seconds";
    case UNIT_PER_SECOND:
        return ", per second";
    case UNIT_RATIO:
        return ", a ratio";
    case UNIT_COUNT:
    case UNIT_REQUESTS:
    case UNIT_PLAIN:
        break;
    }
    return "";
}

/* A block for each that was asked for. */
static bool write_points(const struct sweep_report *report, FILE *out)
{
    const struct sweep_result *result = report->result;
    bool fine = write_measure(report, 0, out);

    for (uint32_t i = 1;
         fine && i <= report->measures_asked && i < result->measure_count;
         i++) {
        enum measure_id id = result->measures[i];

        fprintf(out, "\n%s%s\n\n", measures[id].name, unit_words(id));
        fine = write_measure(report, i, out);
    }
    return fine;
}

/* ---- crossovers ---- */

static void interval_text(const struct sweep_report *report, double lo,
                          double hi, char *text, size_t size)
{
    char low[60], high[60];

    sweep_value_text(report, lo, low, sizeof low);
    sweep_value_text(report, hi, high, sizeof high);
    snprintf(text, size, "%s", "-");
    if (!isnan(lo))
        snprintf(text, size, "%s to %s", low, high);
}

static bool add_crossover(struct libscols_table *table,
                          const struct sweep_report *report, uint64_t number)
{
    const struct crossover_result *found =
        report->result->points[number].crossover;
    struct libscols_line *line = scols_table_new_line(table, NULL);
    char texts[5][CELL_SIZE];
    size_t column;

    if (!line || !fill_axes(line, &report->base->sweep, number, &column))
        return false;
    sweep_value_text(report, found->at, texts[0], CELL_SIZE);
    interval_text(report, found->lo, found->hi, texts[1], CELL_SIZE);
    interval_text(report, found->bracket_lo, found->bracket_hi, texts[2],
                  CELL_SIZE);
    snprintf(texts[3], CELL_SIZE, "%" PRIu64, found->pairs);
    sweep_finding_text(report, found, texts[4], CELL_SIZE);
    for (size_t i = 0; i < 5; i++)
        if (scols_line_set_data(line, column + i, texts[i]) != 0)
            return false;
    return true;
}

static bool write_crossovers(const struct sweep_report *report, FILE *out)
{
    struct libscols_table *table = scols_new_table();
    const struct sweep_result *result = report->result;
    char interval[60];
    bool fine = table && add_axes(table, &report->base->sweep);

    snprintf(interval, sizeof interval, "interval (nominal %.9g %%)",
             100 * report->base->confidence);
    const char *const names[] = {"flips at", interval, "bracket", "pairs",
                                 "better, and where"};
    for (size_t i = 0; fine && i < sizeof names / sizeof *names; i++)
        fine = add_column(table, names[i]);
    for (uint64_t i = 0; fine && i < result->point_count; i++)
        if (result->points[i].whole)
            fine = add_crossover(table, report, i);
    fine = fine && grid_write(table, out);
    scols_unref_table(table);
    return fine;
}

/* ---- around it ---- */

static void write_head(const struct sweep_report *report, FILE *out)
{
    const struct scenario *base = report->base;
    const struct crossover_spec *spec = &base->sweep.crossover;
    uint64_t points = report->result->point_count;

    fprintf(out, "%s: seed %" PRIu64 ", %u replication%s, ", base->name,
            base->seed, base->replications, base->replications == 1 ? "" : "s");
    if (!spec->given) {
        fprintf(out, "%" PRIu64 " point%s, %s%s\n\n", points,
                points == 1 ? "" : "s", measures[base->objective].name,
                unit_words(base->objective));
        return;
    }
    fprintf(out, "where %s and %s trade places along %s, by %s\n\n",
            base->policies[report->result->pair[0]].label,
            base->policies[report->result->pair[1]].label, spec->spans[0].path,
            measures[report->result->pair_measure].name);
}

static void write_point_notes(const struct sweep_report *report, FILE *out)
{
    const struct scenario *base = report->base;

    if (base->policy_count > 1)
        fprintf(out,
                "- better, worse: than %s, at each point by itself at %.9g %%; "
                "?: cannot tell\n"
                "- best: better than each of the others for sure; with ?: its "
                "mean is, and that is all\n",
                base->policies[0].label, 100 * base->confidence);
    if (base->replications == 1)
        fputs("- one replication: nothing can be told apart; more "
              "'replications' would\n",
              out);
}

static void write_crossover_notes(const struct sweep_report *report, FILE *out)
{
    const struct sweep_result *result = report->result;
    uint32_t undecided = 0, from_bracket = 0, flips = 0;

    for (uint64_t i = 0; i < result->point_count; i++) {
        const struct crossover_result *found = result->points[i].crossover;

        if (!found || found->kind != CROSSOVER_FOUND)
            continue;
        flips++;
        undecided += found->undecided > 1;
        from_bracket += !found->from_curve;
    }
    if (flips == 0)
        return;
    fprintf(out,
            "- bracket: below and above it, it is certain which policy is "
            "better, at all values looked at together; interval: of a curve "
            "fitted inside the bracket, to other replications\n"
            "- %.9g %% hold for one search by itself and differences near to "
            "normal; for skewed ones they are approximate\n",
            100 * report->base->confidence);
    if (from_bracket > 0)
        fprintf(out,
                "- %u interval%s the bracket alone: there is no curve to fit\n",
                from_bracket, from_bracket == 1 ? " is" : "s are");
    if (undecided > 0)
        fprintf(out,
                "- in %u search%s more than one value of the scan was too "
                "close to call: further flips may hide there\n",
                undecided, undecided == 1 ? "" : "es");
}

bool sweep_table_write(const struct sweep_report *report, FILE *out)
{
    const struct sweep_result *result = report->result;
    bool crossover = report->base->sweep.crossover.given;
    bool fine = true;

    write_head(report, out);
    if (result->whole == 0)
        fputs("no point was finished\n", out);
    else
        fine = crossover ? write_crossovers(report, out)
                         : write_points(report, out);
    fputs("\n", out);
    if (crossover)
        write_crossover_notes(report, out);
    else
        write_point_notes(report, out);
    if (result->whole < result->point_count)
        fprintf(out, "- partial: %" PRIu64 " of %" PRIu64 " points\n",
                result->whole, result->point_count);
    return fine;
}
