/* What caches could have answered, beside what they did. */
#include "sim/report/notes_lines.h"
#include "sim/report/number.h"

#include <math.h>

/* Hits are shares of answers, and the ideal one of all requests: a policy that
   loses requests, but answers from caches, may pass it. */
static bool any_beats_ideal(const struct report_input *input, double ideal)
{
    for (uint32_t i = 0; i < input->result->policy_count; i++) {
        const struct policy_fold *fold = &input->result->policies[i].fold;
        double hits = fold->measures[M_RESULT_HIT].mean;
        double tier = fold->measures[M_TIER_HIT].mean;

        if ((isnan(hits) ? 0 : hits) + (isnan(tier) ? 0 : tier) > ideal + 1e-9)
            return true;
    }
    return false;
}

void note_ideal_hits(const struct report_input *input, struct notes *notes)
{
    double ideal = input->result->policies[0].fold.measures[M_IDEAL_HIT].mean;
    double raw = input->result->policies[0].fold.measures[M_RAW_IDEAL_HIT].mean;
    double repeat = input->result->policies[0].fold.measures[M_REPEAT].mean;
    struct line line = {0};
    char text[NUMBER_SIZE];

    if (!(ideal > 0))
        return;
    line_add(&line, "hits: one endless shared cache would reach %s",
             number_percent(text, ideal));
    if (!isnan(raw))
        line_add(&line, ", %s of prompts that are not normalised",
                 number_percent(text, raw));
    if (!isnan(repeat))
        line_add(&line, "; %s of requests have a repeating key",
                 number_percent(text, repeat));
    if (any_beats_ideal(input, ideal))
        line_add(&line, "; these are shares of all requests, hits are shares "
                        "of those that were answered");
    notes_add(notes, &line);
}
