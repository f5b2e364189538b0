/* What autoscalers did, and what that cost. */
#include "sim/report/notes_lines.h"
#include "sim/report/number.h"
#include "sim/scenario/describe.h"

#include <math.h>

/* The mean of a measure in a replication of the policy. */
static double mean_of(const struct report_input *input, uint32_t policy,
                      enum measure_id id)
{
    return input->result->policies[policy].fold.measures[id].mean;
}

/* "8", or "8.4" of several replications. */
static void add_count(struct line *line, double count)
{
    bool whole = !(fabs(count - round(count)) > 0);

    line_add(line, whole ? "%.0f" : "%.1f", count);
}

/* What newcomers and leavers do to who goes by keys, and to caches. */
static void add_keys(const struct report_input *input, uint32_t policy,
                     struct line *line)
{
    double moved = mean_of(input, policy, M_REMAPPED);
    double misses = mean_of(input, policy, M_COLD_MISSES);

    if (moved > 0) {
        char text[NUMBER_SIZE];

        line_add(line, ", %s of keys moved each time",
                 number_percent(text, moved));
    }
    if (misses > 0) {
        line_add(line, ", ");
        add_count(line, misses);
        line_add(line, " misses in caches of newcomers");
    }
}

static void add_policy(const struct report_input *input, uint32_t policy,
                       struct line *line)
{
    double changes = mean_of(input, policy, M_SCALINGS);
    double back = mean_of(input, policy, M_REVERSALS);
    double cut = mean_of(input, policy, M_DRAIN_CUT);
    char text[NUMBER_SIZE];

    line_add(line, "%s %s %s nodes on average", policy > 0 ? ";" : "",
             input->result->policies[policy].label,
             number_short(text, mean_of(input, policy, M_NODES_MEAN)));
    if (changes > 0) {
        line_add(line, ", ");
        add_count(line, changes);
        line_add(line, fabs(changes - 1) > 0 ? " changes" : " change");
    }
    if (back > 0) {
        line_add(line, " (");
        add_count(line, back);
        line_add(line, " back and forth)");
    }
    if (cut > 0) {
        line_add(line, ", ");
        add_count(line, cut);
        line_add(line, " attempts cut off while draining");
    }
    add_keys(input, policy, line);
}

void note_scaling(const struct report_input *input, struct notes *notes)
{
    double start_s = mean_of(input, 0, M_COLD_START);
    struct line line = {0};

    if (!scenario_nodes_change(input->scenario))
        return;
    line_add(&line, "nodes come and go:");
    for (uint32_t i = 0; i < input->result->policy_count; i++)
        add_policy(input, i, &line);
    if (!isnan(start_s)) {
        char text[NUMBER_SIZE];

        line_add(&line, "; one that starts is ready after %s s",
                 number_short(text, start_s));
    }
    notes_add(notes, &line);
}
