#include "sim/report/notes.h"

#include "sim/report/notes_lines.h"
#include "sim/report/number.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void line_add(struct line *line, const char *format, ...)
{
    va_list arguments;
    size_t left = sizeof line->text - line->length;

    va_start(arguments, format);
    int written = vsnprintf(line->text + line->length, left, format, arguments);
    va_end(arguments);
    if (written > 0)
        line->length += (size_t)written < left ? (size_t)written : left - 1;
}

void notes_add(struct notes *notes, const struct line *line)
{
    if (notes->count == notes->capacity) {
        size_t capacity = notes->capacity ? 2 * notes->capacity : 16;
        char **lines = realloc(notes->lines, capacity * sizeof *lines);

        if (!lines) {
            notes->out_of_memory = true;
            return;
        }
        notes->lines = lines;
        notes->capacity = capacity;
    }
    notes->lines[notes->count] = strdup(line->text);
    if (notes->lines[notes->count])
        notes->count++;
    else
        notes->out_of_memory = true;
}

static const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

/* ---- what was run ---- */

static void note_partial(const struct report_input *input, struct notes *notes)
{
    const struct experiment_result *result = input->result;
    struct line line = {0};

    if (result->end == EXPERIMENT_WHOLE)
        return;
    line_add(&line, "partial: %s; %u of %u replication%s finished",
             outcome_end_text(result->end), result->replications,
             result->replications_asked, plural(result->replications_asked));
    notes_add(notes, &line);
}

static void note_percentiles(struct notes *notes)
{
    struct line line = {0};

    line_add(&line, "latency: P50 and P99 are of all requests, from intended "
                    "arrival, by nearest rank; one without an answer counts "
                    "as infinite");
    notes_add(notes, &line);
}

static void note_runs_once(const struct report_input *input,
                           struct notes *notes)
{
    struct line line = {0};

    if (!input->result->runs_once)
        return;
    line_add(&line,
             "one run: nothing in this scenario is random, so one replication "
             "says all that %u would; to speak of other traffic too, set "
             "workload.trace.resample to {blocks: 5 min}",
             input->result->replications_asked);
    notes_add(notes, &line);
}

static void note_intervals(const struct report_input *input,
                           struct notes *notes)
{
    const struct experiment_result *result = input->result;
    const struct workload_spec *workload = &input->scenario->workload;
    double percent = 100 * input->scenario->confidence;
    struct line line = {0};

    if (result->replications == 1) {
        line_add(&line,
                 "intervals: %.9g %%, from the ranks of one replication; they "
                 "assume that requests are independent, which queues make "
                 "untrue, so they are too narrow",
                 percent);
    } else {
        line_add(&line,
                 "intervals: %.9g %%, Student t over %u replications; they "
                 "speak of the mean of such runs, not of single requests",
                 percent, result->replications);
        if (workload->trace && workload->resample == TRACE_RESAMPLE_BLOCKS)
            line_add(&line,
                     ", and of traffic made of blocks of this trace in any "
                     "order (replication 1 is the trace as recorded)");
        else if (workload->trace)
            line_add(&line, ", and of this one recorded trace, not of other "
                            "traffic");
    }
    notes_add(notes, &line);
}

static void note_warm_up(const struct report_input *input, struct notes *notes)
{
    const struct experiment_result *result = input->result;
    const struct warm_up_spec *warm_up = &input->scenario->warm_up;
    uint64_t excluded = result->policies[0].fold.excluded;
    struct line line = {0};
    char least[NUMBER_SIZE];

    if (result->warm_up_auto && isfinite(result->warm_up_least_s)) {
        number_short(least, result->warm_up_least_s);
        line_add(&line, "warm-up: chosen by MSER-5, the first %s", least);
        if (result->warm_up_most_s > result->warm_up_least_s)
            line_add(&line, " to %s",
                     number_short(least, result->warm_up_most_s));
        line_add(&line, " s");
    } else if (warm_up->kind == WARM_UP_REQUESTS) {
        line_add(&line, "warm-up: the first %" PRIu64 " requests",
                 warm_up->requests);
    } else if (warm_up->kind == WARM_UP_TIME && warm_up->time_ns > 0) {
        line_add(&line, "warm-up: the first %s s",
                 number_exact(least, 1e-9 * (double)warm_up->time_ns));
    } else {
        line_add(&line, "warm-up: none, the start with empty queues counts");
    }
    line_add(&line, "; %" PRIu64 " request%s excluded", excluded,
             plural(excluded));
    if (result->replications > 1)
        line_add(&line, " in %u replications", result->replications);
    notes_add(notes, &line);
}

static void note_doubtful_warm_up(const struct report_input *input,
                                  struct notes *notes)
{
    struct line line = {0};

    if (input->result->warm_up_doubtful == 0)
        return;
    line_add(&line,
             "warm-up: in %u replication%s no cut settles the run; it is too "
             "short, or never reaches a steady state",
             input->result->warm_up_doubtful,
             plural(input->result->warm_up_doubtful));
    notes_add(notes, &line);
}

/* What the verdicts' words say beside the verdict. */
static void note_success_gaps(const struct report_input *input,
                              struct notes *notes)
{
    const struct experiment_result *result = input->result;
    double rest = 100 * (1 - input->scenario->confidence);
    struct line line = {0};
    bool any = false;

    for (uint32_t i = 1; i < result->policy_count; i++)
        any = any || (result->policies[i].success_gap.separated &&
                      result->policies[i].verdict.kind == VERDICT_CANNOT_TELL);
    if (!any)
        return;
    line_add(&line,
             "success: where %s is infinite on both sides in most pairs, the "
             "paired difference of success_ratio is told, at %.9g %%; to judge "
             "by it, set objective: success_ratio",
             measures[input->scenario->objective].name,
             100 - rest / (result->policy_count - 1));
    notes_add(notes, &line);
}

static void note_verdicts(const struct report_input *input, struct notes *notes)
{
    const struct experiment_result *result = input->result;
    struct line line = {0};

    if (result->policy_count < 2)
        return;
    line_add(&line, "verdicts: %s, against %s, paired by seed",
             measures[input->scenario->objective].name,
             result->policies[0].label);
    if (result->policy_count > 2)
        line_add(&line, ", corrected for %u comparisons (Holm)",
                 result->policy_count - 1);
    line_add(&line, "; differences below %.9g %% do not count",
             100 * input->scenario->min_effect);
    notes_add(notes, &line);
}

/* ---- goals ---- */

static void add_goal_value(struct line *line, const struct report_input *input,
                           uint32_t policy, uint32_t goal)
{
    const struct policy_result *of = &input->result->policies[policy];
    const struct goal_result *result = &of->goals[goal];
    enum measure_id id = input->scenario->goals[goal].measure;
    double value = of->fold.measures[id].infinite ? INFINITY : result->value;
    char number[NUMBER_SIZE];

    line_add(line, " %s (%s%s)", of->label,
             measures[id].unit == UNIT_RATIO ? number_percent(number, value)
                                             : number_short(number, value),
             result->certain ? "" : ", not certain");
}

/* Names and values, unless all are on this side and none is in doubt. */
static void add_goal_side(struct line *line, const struct report_input *input,
                          uint32_t goal, bool met)
{
    const struct experiment_result *result = input->result;
    bool first = true;
    uint32_t sure = 0;

    for (uint32_t i = 0; i < result->policy_count; i++)
        sure += result->policies[i].goals[goal].met == met &&
                result->policies[i].goals[goal].certain;
    if (sure == result->policy_count && sure > 1) {
        line_add(line, met ? "; met by all" : "; missed by all");
        return;
    }
    for (uint32_t i = 0; i < input->result->policy_count; i++) {
        if (input->result->policies[i].goals[goal].met != met)
            continue;
        if (first)
            line_add(line, met ? "; met by" : "; missed by");
        else
            line_add(line, ",");
        add_goal_value(line, input, i, goal);
        first = false;
    }
}

static void note_goals(const struct report_input *input, struct notes *notes)
{
    const struct scenario *scenario = input->scenario;

    for (uint32_t i = 0; i < scenario->goal_count; i++) {
        const struct goal_spec *goal = &scenario->goals[i];
        const struct measure *measure = &measures[goal->measure];
        struct line line = {0};

        line_add(&line, "goal: %s %s %.9g", measure->name,
                 measure->better == BETTER_HIGHER ? "at least" : "at most",
                 goal->bound);
        add_goal_side(&line, input, i, true);
        add_goal_side(&line, input, i, false);
        notes_add(notes, &line);
    }
}

bool notes_collect(const struct report_input *input, struct notes *ret)
{
    *ret = (struct notes){0};
    note_partial(input, ret);
    if (input->result->replications > 0) {
        note_goals(input, ret);
        note_percentiles(ret);
        note_closed_loop(input, ret);
        note_verdicts(input, ret);
        note_success_gaps(input, ret);
        note_runs_once(input, ret);
        note_intervals(input, ret);
        note_warm_up(input, ret);
        note_doubtful_warm_up(input, ret);
        note_unstable(input, ret);
        note_capacity(input, ret);
        note_idle(input, ret);
        note_doubts(input, ret);
        note_errors(input, ret);
        note_retries(input, ret);
        note_passive(input, ret);
        note_beliefs(input, ret);
        note_ideal_hits(input, ret);
        note_classes(input, ret);
        note_key_shares(input, ret);
        note_oracles(input, ret);
        note_admission(input, ret);
        note_tier(input, ret);
        note_scaling(input, ret);
        note_degraded(input, ret);
        note_batching(input, ret);
        note_faults(input, ret);
    }
    note_traces(input, ret);
    note_sources(input, ret);
    note_shared_objects(input, ret);
    note_prompts(input, ret);
    if (input->result->replications > 0)
        note_books(input, ret);
    return !ret->out_of_memory;
}

bool notes_collect_doubts(const struct report_input *input, struct notes *ret)
{
    *ret = (struct notes){0};
    note_partial(input, ret);
    if (input->result->replications > 0) {
        note_runs_once(input, ret);
        note_doubtful_warm_up(input, ret);
        note_unstable(input, ret);
        note_capacity(input, ret);
        note_idle(input, ret);
        note_doubts(input, ret);
        note_oracles(input, ret);
    }
    note_traces(input, ret);
    note_shared_objects(input, ret);
    return !ret->out_of_memory;
}

void notes_done(struct notes *notes)
{
    for (size_t i = 0; i < notes->count; i++)
        free(notes->lines[i]);
    free(notes->lines);
    *notes = (struct notes){0};
}
