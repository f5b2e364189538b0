/*
 * What the rows of a trace say by words: their class, by workload.classes, and
 * the model that they ask for, by what groups list.
 */
#include "sim/scenario/draft.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static_assert(CLASSES_MAX <= TRACE_LABELS_MAX, "labels of classes fit");
static_assert(ROUTING_MODELS_MAX <= TRACE_LABELS_MAX, "labels of models fit");

static struct trace_words class_words(struct loaded *loaded)
{
    const struct workload_spec *workload = &loaded->draft.scenario.workload;
    uint32_t count = workload->class_count;
    const char **names =
        pool_allocate(&loaded->pool, (count + 1) * sizeof *names);

    for (uint32_t i = 0; names && i < count; i++)
        names[i] = workload->classes[i].name;
    return (struct trace_words){names, names ? count : 0, "workload.classes"};
}

/* Their numbers are places from 1 on, as labels are: number 0 is any. */
static struct trace_words model_words(struct loaded *loaded)
{
    const struct draft *draft = &loaded->draft;
    uint32_t count =
        draft->scenario.model_count > 0 ? draft->scenario.model_count - 1 : 0;
    const char **names =
        pool_allocate(&loaded->pool, (count + 1) * sizeof *names);

    for (uint32_t i = 0; names && i < count; i++)
        names[i] = draft->models[i + 1];
    return (struct trace_words){names, names ? count : 0,
                                "the 'models' of groups"};
}

void load_trace_words(struct loaded *loaded, bool with_classes,
                      struct trace_spec *spec)
{
    if (with_classes)
        spec->classes = class_words(loaded);
    spec->models = model_words(loaded);
}

static bool shares_are_said(const struct loaded *loaded)
{
    return loaded->draft.scenario.workload.class_count == 0 ||
           !isnan(loaded->draft.classes[0].spec.share);
}

/* All say their share, or none does. */
static bool need_shares(const struct loaded *loaded, struct diag *diag)
{
    const struct tree *workload = tree_find(loaded->root, "workload");
    const struct trace_books *books = trace_books(loaded->trace);
    struct diag_place place = tree_place(tree_key(workload, "classes"));
    static const char hint[] = "give each class a 'share', by which such "
                               "requests are drawn";
    char where[60] = "";

    if (!trace_has_classes(loaded->trace)) {
        diag_add(diag, DIAG_ERROR, &place, "give each class a 'share'",
                 "classes without a share are those that a trace names, and "
                 "this trace has no column 'class'");
        return false;
    }
    if (books->by_class[0].rows == 0)
        return true;
    if (books->first_line_without_class > 0)
        snprintf(where, sizeof where, ", the first in line %" PRIu64,
                 books->first_line_without_class);
    diag_add(diag, DIAG_ERROR, &place, hint,
             "%" PRIu64 " of %" PRIu64 " requests of the trace name no class%s",
             books->by_class[0].rows, books->rows_kept, where);
    return false;
}

/* Classes that say no share have that of their rows. */
static void measure_shares(struct load *load)
{
    struct loaded *loaded = load->loaded;
    const struct workload_spec *workload = &loaded->draft.scenario.workload;
    uint32_t count = workload->class_count;
    struct workload_class *specs =
        pool_allocate(load->pool, (count + 1) * sizeof *specs);

    if (!specs)
        return;
    for (uint32_t i = 0; i < count; i++) {
        specs[i] = workload->classes[i];
        specs[i].share = workload_class_share(workload, i);
    }
    loaded->draft.scenario.workload.classes = specs;
    load_share_classes(loaded);
}

bool load_trace_shares(struct loaded *loaded, struct diag *diag)
{
    struct load load = {.loaded = loaded, .pool = &loaded->pool};

    if (shares_are_said(loaded))
        return true;
    if (!need_shares(loaded, diag))
        return false;
    measure_shares(&load);
    return !loaded->pool.out_of_memory;
}

/* Groups mind models when anybody asks for one. */
void load_trace_models(struct loaded *loaded, const struct trace *trace)
{
    struct load load = {.loaded = loaded, .pool = &loaded->pool};
    struct draft *draft = &loaded->draft;

    if (!trace_has_models(trace))
        return;
    for (uint32_t i = 0; i < draft->scenario.group_count; i++)
        draft->groups[i].spec.minds_models =
            draft->groups[i].spec.models != UINT64_MAX;
    load_publish_groups(&load);
}
