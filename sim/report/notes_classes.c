/* How the classes of requests fared: a mean over all of them hides who paid. */
#include "sim/report/notes_lines.h"
#include "sim/report/number.h"

#include <math.h>

static double mean_of(const struct class_measure_fold *fold)
{
    return fold->infinite > 0 ? (double)INFINITY : fold->mean;
}

/* Its share as measured, which with repeating prompts is not the scenario's. */
static void add_head(struct line *line, const struct report_input *input,
                     uint32_t index)
{
    const struct policy_fold *fold = &input->result->policies[0].fold;
    double all = fold->measures[M_ARRIVED].mean;
    double own = fold->classes[index].measures[CLASS_ARRIVED].mean;
    char text[NUMBER_SIZE];

    line_add(line, "class %s, %s of requests: P99 s",
             input->scenario->workload.classes[index].name,
             number_percent(text, all > 0 ? own / all : NAN));
}

static void add_policy(struct line *line, const struct policy_result *policy,
                       uint32_t index)
{
    const struct class_measure_fold *of = policy->fold.classes[index].measures;
    char text[NUMBER_SIZE];

    line_add(line, " %s %s%s", policy->label,
             number_short(text, mean_of(&of[CLASS_LATENCY_ALL_P99])),
             of[CLASS_LATENCY_ALL_P99].weak ? " (weak)" : "");
    if (of[CLASS_SUCCESS].mean < 1)
        line_add(line, " (success %s)",
                 number_percent(text, of[CLASS_SUCCESS].mean));
    if (!isnan(of[CLASS_IN_DEADLINE].mean))
        line_add(line, " (in deadline %s)",
                 number_percent(text, of[CLASS_IN_DEADLINE].mean));
}

void note_classes(const struct report_input *input, struct notes *notes)
{
    const struct experiment_result *result = input->result;

    for (uint32_t c = 0; c < result->policies[0].fold.class_count; c++) {
        struct line line = {0};

        add_head(&line, input, c);
        for (uint32_t i = 0; i < result->policy_count; i++) {
            if (i > 0)
                line_add(&line, ",");
            add_policy(&line, &result->policies[i], c);
        }
        notes_add(notes, &line);
    }
}
