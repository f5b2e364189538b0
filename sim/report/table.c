#include "sim/report/table.h"

#include "sim/experiment/cost.h"
#include "sim/report/compare_report.h"
#include "sim/report/grid.h"
#include "sim/report/notes.h"
#include "sim/report/number.h"
#include "sim/report/table_groups.h"
#include "sim/report/words.h"
#include "sim/scenario/lint.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define CELL_SIZE 240
#define MOST_COLUMNS 14

/* ---- cells ---- */

/* "4.65 +-0.60", "4.65 [4.2, 5.1]" when one-sided widths differ. */
void table_measure_text(const struct measure_fold *fold, char *text,
                        size_t size)
{
    double value = fold->infinite ? INFINITY : fold->mean;
    char words[WORDS_SIZE];

    if (fold->assumes_independence && !isnan(fold->lo)) {
        char lo[NUMBER_SIZE], hi[NUMBER_SIZE];

        snprintf(text, size, "%s [%s, %s]", number_short(words, value),
                 number_short(lo, fold->lo), number_short(hi, fold->hi));
    } else {
        snprintf(text, size, "%s",
                 words_interval(words, value, fold->lo, fold->hi, UNIT_PLAIN));
    }
}

/* Of success near 1 what is missing counts, in the words of a comparison. */
static void failures_text(const struct verdict *verdict, char *text,
                          size_t size)
{
    const char *word = verdict_names[verdict->kind];
    char effect[CELL_SIZE / 4], difference[CELL_SIZE / 4];

    compare_effect_text(verdict, effect, sizeof effect);
    compare_difference_text(verdict, M_SUCCESS, difference, sizeof difference);
    if (verdict->reason == VERDICT_SMALL)
        snprintf(text, size, "differs by %s, too little to matter", effect);
    else if (strcmp(effect, "-") == 0) /* there were none before */
        snprintf(text, size, "%s (%s)", word, difference);
    else
        snprintf(text, size, "%s: %s (%s)", word, effect, difference);
}

static void clear_verdict_text(const struct verdict *verdict,
                               enum measure_unit unit, char *text, size_t size)
{
    const char *word = verdict_names[verdict->kind];
    char words[WORDS_SIZE];

    if (verdict->by_sign) {
        snprintf(text, size, "%s", words_by_sign(words, verdict));
        return;
    }
    words_interval(words, verdict->difference, verdict->lo, verdict->hi, unit);
    if (isnan(verdict->effect_ratio)) {
        snprintf(text, size, "%s (%s)", word, words);
    } else {
        char effect[NUMBER_SIZE];

        snprintf(text, size, "%s by %s (%s)", word,
                 number_percent(effect, fabs(verdict->effect_ratio)), words);
    }
}

/* A sign test that most pairs say nothing to: why they do not. */
static void tied_verdict_text(const struct verdict *verdict,
                              uint32_t both_infinite, char *text, size_t size)
{
    uint32_t pairs = verdict->pairs;
    uint32_t ties = pairs - verdict->better_pairs - verdict->worse_pairs;

    if (both_infinite == pairs)
        snprintf(text, size, "cannot tell (both infinite; see success)");
    else if (both_infinite > pairs - both_infinite)
        snprintf(text, size, "cannot tell (infinite on both sides in %u of %u)",
                 both_infinite, pairs);
    else
        snprintf(text, size, "cannot tell (%u of %u pairs tie)", ties, pairs);
}

static void noise_text(const struct verdict *verdict, uint32_t both_infinite,
                       char *text, size_t size)
{
    uint32_t decided = verdict->better_pairs + verdict->worse_pairs;
    char lack[WORDS_SIZE];

    if (*words_lack(lack, verdict))
        snprintf(text, size, "cannot tell (%s)", lack);
    else if (verdict->by_sign && verdict->pairs - decided > decided)
        tied_verdict_text(verdict, both_infinite, text, size);
    else
        snprintf(text, size, "cannot tell");
}

void table_verdict_text(const struct verdict *verdict, enum measure_unit unit,
                        uint32_t both_infinite, char *text, size_t size)
{
    char effect[NUMBER_SIZE], lack[WORDS_SIZE];

    switch (verdict->reason) {
    case VERDICT_CLEAR:
        if (verdict->kind == VERDICT_REFERENCE)
            snprintf(text, size, "reference");
        else if (compare_goes_by_failures(verdict))
            failures_text(verdict, text, size);
        else
            clear_verdict_text(verdict, unit, text, size);
        break;
    case VERDICT_NOISE:
        noise_text(verdict, both_infinite, text, size);
        break;
    case VERDICT_SMALL:
        if (compare_goes_by_failures(verdict)) {
            failures_text(verdict, text, size);
            break;
        }
        number_percent(effect, fabs(verdict->effect_ratio));
        snprintf(text, size, "differs by %s, too little to matter", effect);
        break;
    case VERDICT_ALIKE:
        snprintf(text, size, "no difference that matters");
        break;
    case VERDICT_SAME:
        if (verdict->by_sign)
            tied_verdict_text(verdict, both_infinite, text, size);
        else
            snprintf(text, size, "cannot tell (equal)");
        break;
    case VERDICT_ONE_PAIR:
    case VERDICT_NO_VALUE:
    case VERDICT_INFINITE:
        snprintf(text, size, "cannot tell (%s)", words_lack(lack, verdict));
        break;
    }
}

/* ---- columns ---- */

enum cell_kind {
    CELL_POLICY,
    CELL_NUMBER,
    CELL_NUMBER_INTERVAL,
    CELL_PERCENT,
    CELL_RATIO,
    CELL_VERDICT
};

struct column {
    const char *title;
    enum cell_kind kind;
    enum measure_id measure;
};

/* What the verdict on the objective cannot tell, success may. */
static void verdict_cell_text(const struct report_input *input,
                              const struct policy_result *policy, char *text,
                              size_t size)
{
    const struct success_gap *gap = &policy->success_gap;
    uint32_t pairs = policy->verdict.pairs;
    char where[60], points[NUMBER_SIZE], width[NUMBER_SIZE];

    if (policy->verdict.kind != VERDICT_CANNOT_TELL || !gap->separated) {
        table_verdict_text(&policy->verdict,
                           measures[input->scenario->objective].unit,
                           gap->both_infinite, text, size);
        return;
    }
    snprintf(where, sizeof where, "both infinite");
    if (gap->both_infinite < pairs)
        snprintf(where, sizeof where, "infinite on both sides in %u of %u",
                 gap->both_infinite, pairs);
    number_short(points, 100 * fabs(gap->difference));
    number_half_width(width, 100 * gap->difference, 50 * (gap->hi - gap->lo));
    snprintf(text, size, "cannot tell (%s; success is %s by %s points +-%s)",
             where, gap->difference < 0 ? "lower" : "higher", points, width);
}

/* It was told what no balancer knows. */
static bool is_oracle(const struct report_input *input,
                      const struct policy_result *policy)
{
    size_t index = (size_t)(policy - input->result->policies);

    return input->scenario->policies[index].hints == POLICY_HINTS_EXACT;
}

static void cell_text(const struct report_input *input,
                      const struct column *column,
                      const struct policy_result *policy, char *text,
                      size_t size)
{
    const struct measure_fold *fold = &policy->fold.measures[column->measure];
    char number[NUMBER_SIZE];

    switch (column->kind) {
    case CELL_POLICY:
        snprintf(text, size, "%s%s%s", policy->label,
                 is_oracle(input, policy) ? " (not of this world)" : "",
                 policy->fold.unstable > policy->fold.replications / 10
                     ? " (unstable)" /* of a tenth or less the notes tell */
                     : "");
        break;
    case CELL_NUMBER:
        snprintf(text, size, "%s",
                 number_short(number, fold->infinite ? INFINITY : fold->mean));
        break;
    case CELL_NUMBER_INTERVAL:
        table_measure_text(fold, text, size);
        break;
    case CELL_PERCENT:
        snprintf(text, size, "%s", number_percent(number, fold->mean));
        break;
    case CELL_RATIO:
        snprintf(text, size, "%.*f", isnan(fold->mean) ? 0 : 2, fold->mean);
        if (isnan(fold->mean))
            snprintf(text, size, "-");
        break;
    case CELL_VERDICT:
        verdict_cell_text(input, policy, text, size);
        break;
    }
}

static bool has_value(const struct experiment_result *result,
                      enum measure_id id)
{
    for (uint32_t i = 0; i < result->policy_count; i++)
        if (!isnan(result->policies[i].fold.measures[id].mean))
            return true;
    return false;
}

static bool has_cpu_nodes(const struct scenario *scenario)
{
    for (uint32_t i = 0; i < scenario->group_count; i++)
        if (scenario->groups[i].kind == NODE_CPU)
            return true;
    return false;
}

static bool is_latency_column(enum measure_id id)
{
    return id == M_LATENCY_ALL_P50 || id == M_LATENCY_ALL_P99;
}

/* Returns how many. */
static uint32_t choose_columns(const struct report_input *input,
                               struct column columns[MOST_COLUMNS])
{
    const struct experiment_result *result = input->result;
    enum measure_id objective = input->scenario->objective;
    uint32_t count = 0;

    columns[count++] = (struct column){"policy", CELL_POLICY, 0};
    columns[count++] = (struct column){"P50 s", CELL_NUMBER, M_LATENCY_ALL_P50};
    columns[count++] =
        (struct column){"P99 s", CELL_NUMBER_INTERVAL, M_LATENCY_ALL_P99};
    if (!is_latency_column(objective))
        columns[count++] = (struct column){measures[objective].name,
                                           CELL_NUMBER_INTERVAL, objective};
    columns[count++] = (struct column){"success", CELL_PERCENT, M_SUCCESS};
    if (has_value(result, M_RESULT_HIT))
        columns[count++] = (struct column){"hits", CELL_PERCENT, M_RESULT_HIT};
    if (input->scenario->tier.given)
        columns[count++] = (struct column){"tier", CELL_PERCENT, M_TIER_HIT};
    if (input->scenario->balancer.degrade.given)
        columns[count++] =
            (struct column){"degraded", CELL_PERCENT, M_DEGRADED_RATIO};
    if (has_value(result, M_GPU_USE))
        columns[count++] = (struct column){"GPU use", CELL_PERCENT, M_GPU_USE};
    if (has_cpu_nodes(input->scenario) && has_value(result, M_CPU_USE))
        columns[count++] = (struct column){"CPU use", CELL_PERCENT, M_CPU_USE};
    if (cost_is_stated(input->scenario))
        columns[count++] =
            (struct column){"cost/1000", CELL_NUMBER, M_COST_PER_1000};
    columns[count++] = (struct column){"use CV", CELL_RATIO, M_BALANCE_CV};
    if (has_value(result, M_PREDICTION_RATIO))
        columns[count++] =
            (struct column){"pred. off", CELL_PERCENT, M_PREDICTION_RATIO};
    columns[count++] = (struct column){"verdict", CELL_VERDICT, 0};
    return count;
}

/* ---- the table ---- */

static bool add_columns(struct libscols_table *table,
                        const struct column *columns, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        bool text = columns[i].kind == CELL_POLICY ||
                    columns[i].kind == CELL_VERDICT ||
                    columns[i].kind == CELL_NUMBER_INTERVAL;

        if (!scols_table_new_column(table, columns[i].title, 0,
                                    text ? 0 : SCOLS_FL_RIGHT))
            return false;
    }
    return true;
}

static bool add_row(struct libscols_table *table,
                    const struct report_input *input,
                    const struct column *columns, uint32_t count,
                    const struct policy_result *policy)
{
    struct libscols_line *line = scols_table_new_line(table, NULL);
    char text[CELL_SIZE];

    if (!line)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        cell_text(input, &columns[i], policy, text, sizeof text);
        if (scols_line_set_data(line, i, text) != 0)
            return false;
    }
    return true;
}

static bool write_rows(const struct report_input *input, FILE *out)
{
    struct column columns[MOST_COLUMNS];
    uint32_t count = choose_columns(input, columns);
    struct libscols_table *table = scols_new_table();
    bool fine = table && add_columns(table, columns, count);

    for (uint32_t i = 0; fine && i < input->result->policy_count; i++)
        fine =
            add_row(table, input, columns, count, &input->result->policies[i]);
    fine = fine && grid_write(table, out);
    scols_unref_table(table);
    return fine;
}

/* ---- around it ---- */

static uint32_t fewest_nodes(const struct scenario *scenario)
{
    uint32_t fewest = 0;

    for (uint32_t g = 0; g < scenario->group_count; g++) {
        const struct group_spec *group = &scenario->groups[g];

        fewest += group->scale.given ? group->scale.min : group->count;
    }
    return fewest;
}

static void write_node_count(const struct scenario *scenario, FILE *out)
{
    uint32_t fewest = fewest_nodes(scenario);

    if (fewest < scenario->node_count)
        fprintf(out, ", %u to %u nodes", fewest, scenario->node_count);
    else
        fprintf(out, ", %u node%s", scenario->node_count,
                scenario->node_count == 1 ? "" : "s");
}

static void write_head(const struct report_input *input, FILE *out)
{
    const struct scenario *scenario = input->scenario;
    double load = scenario_mean_load(scenario).total;

    fprintf(out, "%s: seed %" PRIu64 ", %u replication%s", scenario->name,
            scenario->seed, input->result->replications,
            input->result->replications == 1 ? "" : "s");
    if (scenario->duration_ns != INT64_MAX)
        fprintf(out, " of %.6g s", 1e-9 * (double)scenario->duration_ns);
    write_node_count(scenario, out);
    if (!isnan(load))
        fprintf(out, load < 1e6 ? ", load %.2f" : ", load %.3g", load);
    if (!isnan(load) && fewest_nodes(scenario) < scenario->node_count)
        fputs(" of the most", out);
    fputs("\n\n", out);
}

bool table_write(const struct report_input *input, FILE *out)
{
    struct notes notes;
    bool fine = notes_collect(input, &notes);

    write_head(input, out);
    if (input->result->replications == 0)
        fputs("no replication was finished\n", out);
    else
        fine = fine && write_rows(input, out) && table_write_groups(input, out);
    fputs("\n", out);
    for (size_t i = 0; fine && i < notes.count; i++)
        fprintf(out, "- %s\n", notes.lines[i]);
    notes_done(&notes);
    return fine;
}
