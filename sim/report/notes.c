#include "sim/report/notes.h"

#include "sim/report/names.h"
#include "sim/report/notes_lines.h"
#include "sim/report/number.h"
#include "sim/scenario/describe.h"
#include "sim/scenario/lint.h"
#include "workloads/trace.h"

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

/* ---- doubts about numbers ---- */

/* What the table shows or the user asked about. */
static bool is_shown(const struct scenario *scenario, enum measure_id id)
{
    if (id == M_LATENCY_ALL_P50 || id == M_LATENCY_ALL_P99 ||
        id == scenario->objective)
        return true;
    for (uint32_t i = 0; i < scenario->goal_count; i++)
        if (scenario->goals[i].measure == id)
            return true;
    return false;
}

static void note_weak(const struct report_input *input, enum measure_id id,
                      struct notes *notes)
{
    const struct experiment_result *result = input->result;
    struct line line = {0};

    for (uint32_t i = 0; i < result->policy_count; i++) {
        const struct policy_fold *fold = &result->policies[i].fold;
        uint64_t behind = measure_counts_unanswered(id) ? fold->least_measured
                                                        : fold->least_answered;

        if (!fold->measures[id].weak || behind == 0)
            continue; /* of nothing there is no value, which is told too */
        line_add(&line, "%s%s (%" PRIu64 ")", line.length ? ", " : "",
                 result->policies[i].label, behind);
    }
    if (line.length) {
        struct line whole = {0};

        line_add(&whole,
                 "weak: %s needs %" PRIu64
                 " requests in each replication, or it is little but the "
                 "maximum; fewest of %s",
                 measures[id].name, measure_values_needed(id), line.text);
        notes_add(notes, &whole);
    }
}

/* Why the measure of a policy has no finite value; NULL: it has one. */
static const char *why_missing(const struct report_input *input,
                               uint32_t policy, enum measure_id id, char *text,
                               size_t size)
{
    const struct policy_fold *fold = &input->result->policies[policy].fold;

    return isnan(fold->measures[id].mean)
               ? policy_fold_reason(fold, id, text, size)
               : NULL;
}

/* Policies with the same reason share a line. */
static void note_missing(const struct report_input *input, enum measure_id id,
                         struct notes *notes)
{
    const struct policy_result *policies = input->result->policies;
    uint32_t count = input->result->policy_count;

    for (uint32_t i = 0; i < count; i++) {
        struct line line = {0};
        char text[200];
        char other[200];
        const char *reason = why_missing(input, i, id, text, sizeof text);
        const char *same;
        bool told = false;

        for (uint32_t j = 0; reason && j < i && !told; j++) {
            same = why_missing(input, j, id, other, sizeof other);
            told = same && strcmp(reason, same) == 0;
        }
        if (!reason || told)
            continue;
        line_add(&line, "%s: %s of ",
                 policies[i].fold.measures[id].infinite ? "no answer"
                                                        : "no value",
                 measures[id].name);
        for (uint32_t j = i; j < count; j++) {
            same = why_missing(input, j, id, other, sizeof other);
            if (same && strcmp(reason, same) == 0)
                line_add(&line, "%s%s", j > i ? ", " : "", policies[j].label);
        }
        line_add(&line, ": %s", reason);
        notes_add(notes, &line);
    }
}

static void note_doubts(const struct report_input *input, struct notes *notes)
{
    for (uint32_t id = 0; id < MEASURE_COUNT; id++) {
        if (!is_shown(input->scenario, (enum measure_id)id))
            continue;
        note_weak(input, (enum measure_id)id, notes);
        note_missing(input, (enum measure_id)id, notes);
    }
}

/* By so many requests a second, of the policies in whose runs they did. */
static void add_growths(struct line *line, const struct policy_result *policies,
                        uint32_t count)
{
    bool first = true;

    for (uint32_t i = 0; i < count; i++) {
        double growth_per_s = policies[i].fold.backlog_growth_per_s;
        char growth[NUMBER_SIZE];

        if (!(growth_per_s > 0))
            continue;
        number_short(growth, growth_per_s);
        line_add(line, first ? "; queues grew by %s requests/s" : ", %s",
                 growth);
        if (count > 1)
            line_add(line, " (%s)", policies[i].label);
        first = false;
    }
}

static void note_overload(const struct report_input *input, struct notes *notes)
{
    struct line line = {0};

    line_add(&line,
             "unstable: load is %.3g of capacity, so latencies depend on the "
             "length of the run and on time-outs",
             scenario_mean_load(input->scenario).total);
    add_growths(&line, input->result->policies, input->result->policy_count);
    notes_add(notes, &line);
}

static void note_unstable(const struct report_input *input, struct notes *notes)
{
    if (scenario_is_overloaded(input->scenario)) {
        note_overload(input, notes);
        return;
    }
    for (uint32_t i = 0; i < input->result->policy_count; i++) {
        const struct policy_result *policy = &input->result->policies[i];
        const struct policy_fold *fold = &policy->fold;
        struct line line = {0};
        char offered[NUMBER_SIZE];
        char completed[NUMBER_SIZE];

        if (fold->unstable == 0)
            continue;
        line_add(&line,
                 "unstable: %s in %u of %u replication%s: queues still grew "
                 "when arrivals stopped, so its latencies depend on the "
                 "length of the run",
                 policy->label, fold->unstable, fold->replications,
                 plural(fold->replications));
        number_short(offered, fold->measures[M_OFFERED].mean);
        number_short(completed, fold->measures[M_THROUGHPUT].mean);
        if (strcmp(offered, completed) != 0) /* not all by the end of a drain */
            line_add(&line, "; offered %s/s, completed %s/s", offered,
                     completed);
        add_growths(&line, policy, 1);
        notes_add(notes, &line);
    }
}

static void add_error(struct line *line, const struct policy_result *policy,
                      double mean, const char *what)
{
    char text[NUMBER_SIZE];

    if (!(mean > 0))
        return;
    if (line->length == 0)
        line_add(line, "errors: %s, per replication: ", policy->label);
    else
        line_add(line, ", ");
    line_add(line, "%s %s", number_short(text, mean), what);
}

/* Attempts of whose loss no error told: a silent node answers nothing, and
   what else went into dead nodes is counted by its error. */
static double lost_in_silence(const struct policy_fold *fold)
{
    double lost = fold->measures[M_LOST_IN_WINDOW].mean;
    double told = fold->measures[M_ERRORS_REFUSED].mean +
                  fold->measures[M_ERRORS_RESET].mean +
                  fold->measures[M_ERRORS_CONNECT].mean;

    /* Below, the two means differ by no more than their rounding. */
    return lost - told > 1e-9 * lost ? lost - told : 0;
}

static void add_detection(struct line *line, const struct measure_fold *of)
{
    char text[NUMBER_SIZE];

    if (!(of[M_LOST_IN_WINDOW].mean > 0 && of[M_DETECTION].mean >= 0))
        return;
    number_short(text, of[M_DETECTION].mean);
    line_add(line, "; found dead after %s s", text);
}

/* What requests met: a failed one without its cause leaves the reader to
   guess. Attempts, as one request may fail at several nodes. */
static void note_errors(const struct report_input *input, struct notes *notes)
{
    static const struct {
        enum measure_id id;
        const char *what;
    } causes[] = {
        {M_ERRORS_REFUSED, "attempts refused by a dead node"},
        {M_ERRORS_RESET, "attempts lost inside a dying node"},
        {M_ERRORS_CONNECT, "attempts that could not connect"},
        {M_ERRORS_FULL, "attempts refused by a full node"},
        {M_MEMORY_SHORT, "attempts that found memory full"},
        {M_ERRORS_5XX, "attempts answered with an error by a failing node"},
        {M_SWALLOWED, "attempts swallowed by a black hole"},
        {M_ERRORS_NO_NODE, "requests without an eligible node"},
        {M_ERRORS_MODEL, "attempts refused by a node without their model"},
        {M_ERRORS_NO_MODEL, "requests for whose model there was no node"},
    };

    for (uint32_t i = 0; i < input->result->policy_count; i++) {
        const struct policy_result *policy = &input->result->policies[i];
        const struct measure_fold *of = policy->fold.measures;
        struct line line = {0};

        for (size_t j = 0; j < sizeof causes / sizeof *causes; j++)
            add_error(&line, policy, of[causes[j].id].mean,
                      causes[j].id == M_ERRORS_RESET &&
                              scenario_nodes_change(input->scenario)
                          ? "attempts lost inside a node that died or left"
                          : causes[j].what);
        add_error(&line, policy, lost_in_silence(&policy->fold),
                  "attempts lost without a word in a dead node");
        add_detection(&line, of);
        if (line.length > 0)
            notes_add(notes, &line);
    }
}

/* ---- counts ---- */

/* How evenly a hash spreads keys, before traffic adds its own unevenness. */
static void note_key_shares(const struct report_input *input,
                            struct notes *notes)
{
    for (uint32_t i = 0; i < input->result->policy_count; i++) {
        const struct policy_result *policy = &input->result->policies[i];
        const struct key_share *share = &policy->key_share;
        struct line line = {0};
        char name[NAMES_NODE_SIZE];

        if (isnan(share->max_over_mean))
            continue;
        line_add(&line,
                 "keys: %s places %.3g times its share by weight on %s, the "
                 "most of any node: asked for %u keys before any traffic%s",
                 policy->label, share->max_over_mean,
                 names_node(input->scenario, share->node, name, sizeof name),
                 share->keys,
                 input->result->replications > 1 ? ", in replication 1" : "");
        notes_add(notes, &line);
    }
}

static void add_prompts(struct line *line, uint64_t count, const char *what)
{
    if (count > 0)
        line_add(line, "; %" PRIu64 " %s", count, what);
}

static void note_prompts(const struct report_input *input, struct notes *notes)
{
    const struct trace *trace = input->scenario->workload.trace;
    struct line line = {0};

    if (!trace || !trace_books(trace)->is_normalised)
        return;

    const struct trace_prompts *prompts = &trace_books(trace)->prompts;
    line_add(&line,
             "prompts: %" PRIu64 " of %" PRIu64 " changed by normalising; "
             "%" PRIu64 " raw keys became %" PRIu64,
             prompts->changed, prompts->prompts, prompts->raw_keys,
             prompts->keys);
    add_prompts(&line, prompts->translated, "were translated");
    add_prompts(&line, prompts->untranslated,
                "not in Latin script had no translation and go by their own "
                "words");
    add_prompts(&line, prompts->invalid, "held bytes that are no UTF-8");
    add_prompts(&line, prompts->unsettled,
                "did not settle: the tables do not "
                "come to an end on them");
    notes_add(notes, &line);
}

/* All terms: a reader should see that nothing was lost. */
static void books_text(const struct books *books, struct line *line)
{
    line_add(line, "%" PRIu64 " arrived %s %" PRIu64 " completed",
             books->arrived, books_balance(books) ? "=" : "IS NOT",
             books->completed);
    line_add(line,
             " + %" PRIu64 " degraded + %" PRIu64 " refused + %" PRIu64
             " failed",
             books->degraded, books->refused, books->failed);
    line_add(line, " + %" PRIu64 " timed out + %" PRIu64 " unfinished",
             books->timed_out, books->unfinished);
}

/* Policies with the same books share a line. */
static void note_books(const struct report_input *input, struct notes *notes)
{
    const struct experiment_result *result = input->result;

    for (uint32_t i = 0; i < result->policy_count; i++) {
        const struct books *books = &result->policies[i].fold.books;
        struct line line = {0};
        bool told = false;

        for (uint32_t j = 0; j < i && !told; j++)
            told = memcmp(books, &result->policies[j].fold.books,
                          sizeof *books) == 0;
        if (told)
            continue;
        line_add(&line, "books: ");
        books_text(books, &line);
        line_add(&line, ":");
        for (uint32_t j = i; j < result->policy_count; j++)
            if (memcmp(books, &result->policies[j].fold.books, sizeof *books) ==
                0)
                line_add(&line, "%s %s", j > i ? "," : "",
                         result->policies[j].label);
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
