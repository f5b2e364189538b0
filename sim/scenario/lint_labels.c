/* Rules about what rows of a trace say by words; see lint_rules.h. */
#include "sim/scenario/lint_rules.h"

static bool source_asks(const struct workload_spec *source, uint32_t model)
{
    return source->trace && trace_has_models(source->trace) &&
           trace_books(source->trace)->by_model[model].rows > 0;
}

bool lint_traces_ask(const struct scenario *scenario, uint32_t model)
{
    const struct workload_spec *workload = &scenario->workload;

    for (uint32_t i = 0; i < workload->overlay_count; i++)
        if (source_asks(&workload->overlays[i].spec, model))
            return true;
    return source_asks(workload, model);
}

/* A column that nothing in the scenario looks at. */
static void lint_unread(const struct linter *linter,
                        const struct workload_spec *source,
                        const struct tree *at)
{
    const struct scenario *scenario = linter->scenario;
    const struct trace_books *books = trace_books(source->trace);

    if (books->has_class_column && scenario->workload.class_count == 0)
        lint_say(linter, at, "list them in workload.classes",
                 "the trace names the class of its requests, and all are "
                 "treated alike");
    if (books->has_model_column && scenario->model_count == 0)
        lint_say(linter, at, "list them in 'models' of groups",
                 "the trace names the model that its requests ask for, and "
                 "every node serves all of them");
}

/* map: what says the trace, and keys beside it. */
static void lint_own_keys(const struct linter *linter,
                          const struct workload_spec *source,
                          const struct tree *map, const char *path)
{
    char hint[160];

    if (source->keys.spec.kind == KEYS_NONE ||
        !trace_books(source->trace)->has_keys)
        return;
    snprintf(hint, sizeof hint,
             "leave 'keys' out (--set %s.keys=off) to go by the trace's", path);
    lint_say(linter, tree_key(map, "keys"), hint,
             "keys are drawn, and those of the trace are not used");
}

/* Classes that no row names, and shares that none is drawn by. */
static void lint_named_classes(const struct linter *linter)
{
    const struct workload_spec *workload = &linter->scenario->workload;
    const struct trace_books *books = trace_books(workload->trace);
    const struct tree *list = tree_find(linter->workload, "classes");

    if (workload->class_count == 0 || !trace_has_classes(workload->trace))
        return;
    for (uint32_t i = 0; i < workload->class_count; i++) {
        const struct tree *item = list->values[i];

        if (books->by_class[0].rows == 0 && workload->overlay_count == 0 &&
            tree_find(item, "share")) {
            lint_say(linter, tree_key(item, "share"), NULL,
                     "'share' has no effect: the trace names the class of each "
                     "request");
            return;
        }
        if (workload_class_share(workload, i) == 0)
            lint_say(linter, tree_find(item, "name"), NULL,
                     "no request of the trace is of class '%.60s'",
                     workload->classes[i].name);
    }
}

void lint_labels(const struct linter *linter)
{
    const struct workload_spec *workload = &linter->scenario->workload;
    const struct tree *list = tree_find(linter->workload, "overlay");

    if (workload->trace) {
        lint_unread(linter, workload, tree_key(linter->workload, "trace"));
        lint_named_classes(linter);
        lint_own_keys(linter, workload, linter->workload, "workload");
    }
    for (uint32_t i = 0; i < workload->overlay_count; i++) {
        const struct workload_spec *source = &workload->overlays[i].spec;
        char path[60];

        if (!source->trace)
            continue;
        snprintf(path, sizeof path, "workload.overlay[%u]", i);
        lint_own_keys(linter, source, list->values[i], path);
        if (source->one_class == 0)
            lint_unread(linter, source, tree_key(list->values[i], "trace"));
    }
}
