/* How classes of requests and sources of traffic fared: a mean over all of them
   hides who paid. */
#include "sim/report/names.h"
#include "sim/report/notes_lines.h"
#include "sim/report/number.h"

#include <math.h>

static double mean_of(const struct class_measure_fold *fold)
{
    return fold->infinite > 0 ? (double)INFINITY : fold->mean;
}

/* What a policy says of each class, or of each source. */
typedef const struct class_fold *folds_of(const struct policy_fold *fold);

static const struct class_fold *classes_of(const struct policy_fold *fold)
{
    return fold->classes;
}

static const struct class_fold *sources_of(const struct policy_fold *fold)
{
    return fold->sources;
}

/* Its share as measured, which with repeating prompts is not the scenario's. */
static void add_head(struct line *line, const struct policy_fold *fold,
                     const struct class_fold *of, const char *what,
                     const char *name)
{
    double all = fold->measures[M_ARRIVED].mean;
    double own = of->measures[CLASS_ARRIVED].mean;
    char text[NUMBER_SIZE];

    line_add(line, "%s %s, %s of requests: P99 s", what, name,
             number_percent(text, all > 0 ? own / all : NAN));
}

static void add_policy(struct line *line, const char *label,
                       const struct class_measure_fold *of)
{
    char text[NUMBER_SIZE];

    line_add(line, " %s %s%s", label,
             number_short(text, mean_of(&of[CLASS_LATENCY_ALL_P99])),
             of[CLASS_LATENCY_ALL_P99].weak ? " (weak)" : "");
    if (of[CLASS_SUCCESS].mean < 1)
        line_add(line, " (success %s)",
                 number_percent(text, of[CLASS_SUCCESS].mean));
    if (!isnan(of[CLASS_IN_DEADLINE].mean))
        line_add(line, " (in deadline %s)",
                 number_percent(text, of[CLASS_IN_DEADLINE].mean));
}

static void note_one(const struct report_input *input, folds_of *of,
                     uint32_t index, const char *what, const char *name,
                     struct notes *notes)
{
    const struct experiment_result *result = input->result;
    struct line line = {0};

    add_head(&line, &result->policies[0].fold,
             &of(&result->policies[0].fold)[index], what, name);
    for (uint32_t i = 0; i < result->policy_count; i++) {
        if (i > 0)
            line_add(&line, ",");
        add_policy(&line, result->policies[i].label,
                   of(&result->policies[i].fold)[index].measures);
    }
    notes_add(notes, &line);
}

/* What the classifier got wrong, and what nodes had to load. */
static void note_models(const struct policy_result *policy, struct notes *notes)
{
    const struct measure_fold *of = policy->fold.measures;
    struct line line = {0};
    char text[NUMBER_SIZE];

    if (of[M_MISCLASSIFIED].mean > 0)
        line_add(&line, "models: %s: %s of requests taken for another class",
                 policy->label,
                 number_percent(text,
                                of[M_MISCLASSIFIED].mean / of[M_ARRIVED].mean));
    if (of[M_MODEL_LOADS].mean > 0) {
        if (line.length > 0)
            line_add(&line, ", ");
        else
            line_add(&line, "models: %s: ", policy->label);
        line_add(&line, "%s loads that requests waited for, per replication",
                 number_short(text, of[M_MODEL_LOADS].mean));
    }
    if (line.length > 0)
        notes_add(notes, &line);
}

void note_classes(const struct report_input *input, struct notes *notes)
{
    const struct policy_fold *fold = &input->result->policies[0].fold;

    for (uint32_t i = 0; i < fold->class_count; i++)
        note_one(input, classes_of, i, "class",
                 input->scenario->workload.classes[i].name, notes);
    for (uint32_t i = 0; i < fold->source_count; i++)
        note_one(input, sources_of, i, "source",
                 names_source(input->scenario, i), notes);
    for (uint32_t i = 0; i < input->result->policy_count; i++)
        note_models(&input->result->policies[i], notes);
}
