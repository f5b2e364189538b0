/* What the front door made of the requests that it collected. */
#include "sim/report/notes_lines.h"
#include "sim/report/number.h"

static void add_padding(struct line *line, double share)
{
    if (share > 0) {
        char text[NUMBER_SIZE];

        line_add(line, ", %s of their padded tokens were padding",
                 number_percent(text, share));
    }
}

static void note_one(const struct policy_result *policy, struct notes *notes)
{
    const struct measure_fold *folds = policy->fold.measures;
    char batches[NUMBER_SIZE], size[NUMBER_SIZE], wait[NUMBER_SIZE];
    struct line line = {0};

    line_add(&line,
             "batches at the front door: %s: %s of %s requests in the mean, "
             "held for %s s",
             policy->label, number_short(batches, folds[M_DOOR_BATCHES].mean),
             number_short(size, folds[M_DOOR_BATCH_SIZE].mean),
             number_short(wait, folds[M_DOOR_BATCH_WAIT].mean));
    add_padding(&line, folds[M_DOOR_BATCH_PADDING].mean);
    notes_add(notes, &line);
}

void note_batching(const struct report_input *input, struct notes *notes)
{
    for (uint32_t i = 0; input->scenario->balancer.batching.given &&
                         i < input->result->policy_count;
         i++)
        if (input->result->policies[i].fold.measures[M_DOOR_BATCHES].mean > 0)
            note_one(&input->result->policies[i], notes);
}
