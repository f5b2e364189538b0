#include "sim/report/plan_report.h"

#include "sim/experiment/cost.h"
#include "sim/report/grid.h"
#include "sim/report/number.h"
#include "sim/report/plan_lines.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>

enum { CELL_SIZE = 2 * PLAN_TEXT_SIZE, COLUMNS_MAX = 12 };

/* A row under way: cells from the left to the right. */
struct row {
    struct libscols_line *line;
    uint32_t column;
    bool failed;
};

__attribute__((format(printf, 2, 3))) static void cell(struct row *row,
                                                       const char *format, ...)
{
    char text[CELL_SIZE];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    row->failed |=
        !row->line || scols_line_set_data(row->line, row->column++, text) != 0;
}

static void add_column(struct libscols_table *table, const char *title,
                       bool number, bool *ret_failed)
{
    *ret_failed |=
        !scols_table_new_column(table, title, 0, number ? SCOLS_FL_RIGHT : 0);
}

/* ---- trials of the chosen mix ---- */

static const struct plan_trial *trial_of(const struct plan_candidate *candidate,
                                         enum plan_trial_kind kind,
                                         uint32_t goals)
{
    const struct plan_trial *worst = NULL;

    for (uint32_t i = 0; i < candidate->trial_count; i++) {
        const struct plan_trial *trial = &candidate->trials[i];

        if (trial->kind == kind &&
            (!worst ||
             plan_trial_margin(trial, goals) < plan_trial_margin(worst, goals)))
            worst = trial;
    }
    return worst;
}

static void margin_cell(struct row *row, const struct plan_report *report,
                        const struct plan_candidate *candidate,
                        enum plan_trial_kind kind)
{
    uint32_t goals = report->scenario->goal_count;
    const struct plan_trial *trial = trial_of(candidate, kind, goals);
    double margin = trial ? plan_trial_margin(trial, goals) : NAN;
    char text[NUMBER_SIZE];

    if (isnan(margin))
        cell(row, "-");
    else if (kind == PLAN_NODES_LOST && report->scenario->group_count > 1)
        cell(row, "%s of %.40s", number_percent(text, margin),
             report->scenario->groups[trial->group].name);
    else
        cell(row, "%s", number_percent(text, margin));
}

/* ---- one row a policy ---- */

static void bears_cell(struct row *row, const struct plan_policy *policy)
{
    if (isnan(policy->bears))
        cell(row, "-");
    else
        cell(row, "%.0f %%%s", floor(100 * policy->bears + 1e-6),
             policy->bears_more ? " and more" : "");
}

static void mix_cells(struct row *row, const struct plan_report *report,
                      const struct plan_policy *policy)
{
    const struct plan_candidate *best = &policy->candidates[policy->best];
    const struct plan_trial *heavy = trial_of(best, PLAN_AT_HEADROOM, 0);
    char text[PLAN_TEXT_SIZE];
    char number[NUMBER_SIZE];

    plan_mix_text(report, best->counts, text);
    if (policy->maybe < policy->candidate_count) {
        char maybe[PLAN_TEXT_SIZE];

        cell(row, "%s (or %s?)", text,
             plan_mix_text(report, policy->candidates[policy->maybe].counts,
                           maybe));
    } else {
        cell(row, "%s", text);
    }
    cell(row, "%u", best->nodes);
    if (cost_is_stated(report->scenario))
        cell(row, "%s", number_short(number, best->cost_per_hour));
    cell(row, "%s", number_short(number, heavy ? heavy->use : NAN));
    margin_cell(row, report, best, PLAN_AT_LOAD);
    margin_cell(row, report, best, PLAN_AT_HEADROOM);
    if (report->scenario->plan.lose > 0)
        margin_cell(row, report, best, PLAN_NODES_LOST);
    bears_cell(row, policy);
}

static void empty_cells(struct row *row, const struct plan_report *report)
{
    uint32_t empty = 5u + cost_is_stated(report->scenario) +
                     (report->scenario->plan.lose > 0);

    cell(row, "none");
    for (uint32_t i = 0; i < empty; i++)
        cell(row, "-");
}

static bool add_policy(struct libscols_table *table,
                       const struct plan_report *report,
                       const struct plan_policy *policy)
{
    struct row row = {.line = scols_table_new_line(table, NULL)};

    cell(&row, "%s", policy->label);
    if (policy->best < policy->candidate_count)
        mix_cells(&row, report, policy);
    else
        empty_cells(&row, report);
    cell(&row, "%u", policy->found.asked);
    return !row.failed;
}

static bool add_policy_columns(struct libscols_table *table,
                               const struct plan_report *report)
{
    const struct plan_spec *spec = &report->scenario->plan;
    char heavy[40], lost[60];
    bool failed = false;

    snprintf(heavy, sizeof heavy, "at %.9g %%", 100 * spec->headroom);
    snprintf(lost, sizeof lost, "%u lost", spec->lose);
    add_column(table, "policy", false, &failed);
    add_column(table, "mix", false, &failed);
    add_column(table, "nodes", true, &failed);
    if (cost_is_stated(report->scenario))
        add_column(table, "cost/h", true, &failed);
    add_column(table, "load", true, &failed);
    add_column(table, "at 100 %", true, &failed);
    add_column(table, heavy, true, &failed);
    if (spec->lose > 0)
        add_column(table, lost, true, &failed);
    add_column(table, "bears", true, &failed);
    add_column(table, "tried", true, &failed);
    return !failed;
}

static bool write_policies(const struct plan_report *report, FILE *out)
{
    struct libscols_table *table = scols_new_table();
    bool fine = table && add_policy_columns(table, report);

    for (uint32_t i = 0; fine && i < report->result->policy_count; i++)
        fine = add_policy(table, report, &report->result->policies[i]);
    fine = fine && grid_write(table, out);
    scols_unref_table(table);
    return fine;
}

/* ---- the goals of the chosen mixes ---- */

static void value_cell(struct row *row, const struct plan_report *report,
                       const struct plan_candidate *candidate,
                       enum plan_trial_kind kind, uint32_t goal)
{
    const struct plan_trial *trial =
        trial_of(candidate, kind, report->scenario->goal_count);
    char text[PLAN_TEXT_SIZE];

    cell(row, "%s",
         trial ? plan_value_text(report->scenario->goals[goal].measure,
                                 &trial->goals[goal], text)
               : "-");
}

static bool add_goal(struct libscols_table *table,
                     const struct plan_report *report,
                     const struct plan_policy *policy, uint32_t goal)
{
    struct row row = {.line = scols_table_new_line(table, NULL)};
    const struct plan_candidate *best = &policy->candidates[policy->best];
    const struct goal_spec *spec = &report->scenario->goals[goal];
    char text[PLAN_TEXT_SIZE];

    cell(&row, "%s", policy->label);
    cell(&row, "%s", plan_bound_text(spec, text));
    value_cell(&row, report, best, PLAN_AT_LOAD, goal);
    value_cell(&row, report, best, PLAN_AT_HEADROOM, goal);
    if (report->scenario->plan.lose > 0)
        value_cell(&row, report, best, PLAN_NODES_LOST, goal);
    return !row.failed;
}

static bool add_goal_columns(struct libscols_table *table,
                             const struct plan_spec *spec)
{
    char heavy[40], lost[60];
    bool failed = false;

    snprintf(heavy, sizeof heavy, "at %.9g %%", 100 * spec->headroom);
    snprintf(lost, sizeof lost, "%u lost", spec->lose);
    add_column(table, "goals", false, &failed);
    add_column(table, "", false, &failed);
    add_column(table, "at 100 %", false, &failed);
    add_column(table, heavy, false, &failed);
    if (spec->lose > 0)
        add_column(table, lost, false, &failed);
    return !failed;
}

static bool write_goals(const struct plan_report *report, FILE *out)
{
    struct libscols_table *table = scols_new_table();
    bool fine = table && add_goal_columns(table, &report->scenario->plan);
    bool any = false;

    for (uint32_t p = 0; p < report->result->policy_count; p++) {
        const struct plan_policy *policy = &report->result->policies[p];

        if (policy->best == policy->candidate_count)
            continue;
        any = true;
        for (uint32_t i = 0; fine && i < report->scenario->goal_count; i++)
            fine = add_goal(table, report, policy, i);
    }
    if (fine && any) {
        fputc('\n', out);
        fine = grid_write(table, out);
    }
    scols_unref_table(table);
    return fine;
}

/* ---- around them ---- */

static bool varies(const struct plan_result *result, uint32_t group)
{
    for (uint32_t i = 0; i < result->range_count; i++)
        if (result->ranges[i].group == group)
            return true;
    return false;
}

/* Groups that keep what they have. */
static void write_others(const struct plan_report *report, FILE *out)
{
    const char *before = ", beside ";

    for (uint32_t g = 0; g < report->scenario->group_count; g++) {
        const struct group_spec *group = &report->scenario->groups[g];

        if (varies(report->result, g) || group->count == 0)
            continue;
        fprintf(out, "%s%s %u", before, group->name, group->count);
        before = ", ";
    }
}

static void write_title(const struct plan_report *report, FILE *out)
{
    const struct plan_spec *spec = &report->scenario->plan;

    fprintf(out, "%s: seed %" PRIu64 ", %s by policy, out of ",
            report->scenario->name, report->scenario->seed,
            spec->minimise == PLAN_COST ? "the cheapest mix"
                                        : "the fewest nodes");
    for (uint32_t i = 0; i < report->result->range_count; i++) {
        const struct plan_range *range = &report->result->ranges[i];

        fprintf(out, "%s%s %u to %u", i > 0 ? ", " : "",
                report->scenario->groups[range->group].name, range->least,
                range->most);
    }
    write_others(report, out);
    fputs("\n\n", out);
}

bool plan_write_table(const struct plan_report *report, FILE *out)
{
    write_title(report, out);
    if (!write_policies(report, out) || !write_goals(report, out))
        return false;
    plan_write_lines(report, out);
    return true;
}
