/* Loads at which policies cannot be judged: so near to capacity that whether
   queues come to rest is beyond any run, and next to none. */
#include "sim/report/notes_lines.h"
#include "sim/report/number.h"
#include "sim/scenario/lint.h"

#include <math.h>

void note_capacity(const struct report_input *input, struct notes *notes)
{
    const struct policy_fold *fold = &input->result->policies[0].fold;
    char offered[NUMBER_SIZE], completed[NUMBER_SIZE];
    struct line line = {0};

    if (!scenario_is_at_capacity(input->scenario))
        return;
    line_add(&line,
             "cannot decide: load is %.3g of capacity, where queues come to "
             "rest far later than this run ends, if ever; latencies depend on "
             "its length (offered %s/s, completed %s/s by %s)",
             scenario_mean_load(input->scenario).total,
             number_short(offered, fold->measures[M_OFFERED].mean),
             number_short(completed, fold->measures[M_THROUGHPUT].mean),
             input->result->policies[0].label);
    notes_add(notes, &line);
}

/* Nobody waits where nodes hardly work, whoever is asked. */
#define IDLE_USE 0.05

static bool any_told_apart(const struct experiment_result *result)
{
    for (uint32_t i = 0; i < result->policy_count; i++) {
        enum verdict_kind kind = result->policies[i].verdict.kind;

        if (kind == VERDICT_BETTER || kind == VERDICT_WORSE ||
            kind == VERDICT_DIFFERS)
            return true;
    }
    return false;
}

void note_idle(const struct report_input *input, struct notes *notes)
{
    const struct experiment_result *result = input->result;
    double most = 0;
    char text[NUMBER_SIZE];
    struct line line = {0};

    for (uint32_t i = 0; i < result->policy_count; i++) {
        double use = result->policies[i].fold.measures[M_FULLEST_USE].mean;

        if (isnan(use))
            return;
        most = fmax(most, use);
    }
    if (result->policy_count < 2 || result->policies[0].fold.measured == 0 ||
        !(most < IDLE_USE))
        return;
    line_add(&line, "idle: no node is busy for more than %s of the time; %s",
             number_percent(text, most),
             any_told_apart(result)
                 ? "differences hardly come from queues"
                 : "policies cannot be distinguished at this load");
    notes_add(notes, &line);
}
