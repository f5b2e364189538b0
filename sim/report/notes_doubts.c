/* What makes numbers less than they look: few samples, no value, queues that
   grew. */
#include "sim/report/notes_lines.h"
#include "sim/report/number.h"
#include "sim/scenario/lint.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

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

void note_doubts(const struct report_input *input, struct notes *notes)
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

void note_unstable(const struct report_input *input, struct notes *notes)
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
                 fold->replications == 1 ? "" : "s");
        number_short(offered, fold->measures[M_OFFERED].mean);
        number_short(completed, fold->measures[M_THROUGHPUT].mean);
        if (strcmp(offered, completed) != 0) /* not all by the end of a drain */
            line_add(&line, "; offered %s/s, completed %s/s", offered,
                     completed);
        add_growths(&line, policy, 1);
        notes_add(notes, &line);
    }
}
