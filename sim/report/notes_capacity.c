/* At capacity: whether queues come to rest is beyond any run. */
#include "sim/report/notes_lines.h"
#include "sim/report/number.h"
#include "sim/scenario/lint.h"

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
