/* How far degradation went down, and for whom. */
#include "sim/report/notes_lines.h"
#include "sim/report/number.h"

static void add_share(struct line *line, const char *what, double share)
{
    if (share > 0) {
        char text[NUMBER_SIZE];

        line_add(line, ", %s %s", number_percent(text, share), what);
    }
}

static double lesser_share(const struct policy_result *policy)
{
    return policy->fold.measures[M_LIGHT_RATIO].mean +
           policy->fold.measures[M_OLD_RATIO].mean;
}

/* A lesser answer is an answer, and often a fast one: verdicts on latency do
   not see that one policy gave more of them. */
static void note_unequal(const struct report_input *input, struct notes *notes)
{
    const struct experiment_result *result = input->result;
    struct line line = {0};
    char own[NUMBER_SIZE], first[NUMBER_SIZE];

    for (uint32_t i = 1; i < result->policy_count; i++) {
        double share = lesser_share(&result->policies[i]);
        double of_first = lesser_share(&result->policies[0]);

        if (!(share - of_first > 0.01 || of_first - share > 0.01))
            continue;
        line_add(&line,
                 "%s %s (%s of requests had a lesser answer, with %s %s)",
                 line.length == 0 ? "not alike:" : ",",
                 result->policies[i].label, number_percent(own, share),
                 result->policies[0].label, number_percent(first, of_first));
    }
    if (line.length == 0)
        return;
    line_add(&line, ": latency does not tell; --set "
                    "objective=quality_goodput_per_s weighs answers");
    notes_add(notes, &line);
}

void note_degraded(const struct report_input *input, struct notes *notes)
{
    for (uint32_t i = 0; input->scenario->balancer.degrade.given &&
                         i < input->result->policy_count;
         i++) {
        const struct policy_result *policy = &input->result->policies[i];
        const struct measure_fold *folds = policy->fold.measures;
        char abandoned[NUMBER_SIZE], skipped[NUMBER_SIZE];
        struct line line = {0};

        line_add(&line,
                 "degraded: %s: %s requests taken from the primary model for "
                 "being late, %s never sent there",
                 policy->label,
                 number_short(abandoned, folds[M_DEGRADE_ABANDONED].mean),
                 number_short(skipped, folds[M_DEGRADE_SKIPPED].mean));
        add_share(&line, "answered by the light model",
                  folds[M_LIGHT_RATIO].mean);
        add_share(&line, "from the cache", folds[M_OLD_RATIO].mean);
        add_share(&line, "with a canned failure", folds[M_CANNED_RATIO].mean);
        notes_add(notes, &line);
    }
    if (input->scenario->balancer.degrade.given)
        note_unequal(input, notes);
}
