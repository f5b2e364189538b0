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
}
