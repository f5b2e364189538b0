/* Further traffic on top of the main workload: read as the workload is, by the
   same rows, into drafts of its own. */
#include "sim/scenario/draft.h"

#include <math.h>
#include <string.h>

static struct overlay_draft *allocate(struct load *load, uint32_t count)
{
    struct loaded *loaded = load->loaded;

    loaded->overlays =
        pool_allocate(load->pool, count * sizeof *loaded->overlays);
    loaded->overlay_specs =
        pool_allocate(load->pool, count * sizeof *loaded->overlay_specs);
    return loaded->overlay_specs ? loaded->overlays : NULL;
}

/* The class that all requests of an overlay have: 1 + its number; 0: by the
   shares of all. */
static uint32_t find_class(struct load *load, const struct tree *item)
{
    const struct workload_spec *main = &load->loaded->draft.scenario.workload;
    const struct tree *said = tree_find(item, "class");
    const char **names =
        pool_allocate(load->pool, (main->class_count + 1) * sizeof *names);

    if (!said || !names)
        return 0;
    for (uint32_t i = 0; i < main->class_count; i++) {
        names[i] = main->classes[i].name;
        if (tree_is_text(said, names[i]))
            return i + 1;
    }
    load_complain(load, said,
                  main->class_count > 0
                      ? load_nearest(load, said->text, said->length, names)
                      : "describe it in workload.classes",
                  "there is no class '%.60s'", said->text);
    return 0;
}

static void check_names(struct load *load, const struct tree *list,
                        uint32_t index)
{
    const struct overlay_draft *all = load->loaded->overlays;

    for (uint32_t i = 0; i < index; i++)
        if (all[i].name && all[index].name &&
            strcmp(all[i].name, all[index].name) == 0)
            load_complain(load, tree_find(list->values[index], "name"), NULL,
                          "two overlays have the name '%s'", all[i].name);
}

static void load_overlay(struct load *load, const struct tree *list,
                         uint32_t index)
{
    const struct tree *item = list->values[index];
    struct overlay_draft *overlay = &load->loaded->overlays[index];
    struct workload_overlay *spec = &load->loaded->overlay_specs[index];
    const struct scenario *main = &load->loaded->draft.scenario;
    uint32_t before = load->errors;

    load_blank_draft(&overlay->draft);
    overlay->draft.scenario.replications = main->replications;
    overlay->duration_ns = INT64_MAX;
    load->draft = &overlay->draft;
    load_block(load, settings_find("workload.overlay[]"), item, overlay);
    if (load->errors == before)
        load_traffic(load, item, item);
    load->draft = &load->loaded->draft;
    if (load->errors > before)
        return;
    check_names(load, list, index);
    if (!overlay->name)
        overlay->name = pool_print(load->pool, "overlay %u", index + 1);
    *spec = (struct workload_overlay){.name = overlay->name,
                                      .at_ns = overlay->at_ns,
                                      .duration_ns = overlay->duration_ns,
                                      .spec = overlay->draft.scenario.workload};
    spec->spec.one_class = find_class(load, item);
    spec->spec.one_tenant = overlay->tenant;
    if (overlay->draft.keys.kind != KEYS_NONE)
        keys_init(&spec->spec.keys, &overlay->draft.keys); /* in range */
}

void load_overlays(struct load *load, const struct tree *workload)
{
    const struct tree *list = tree_find(workload, "overlay");
    struct workload_spec *main = &load->loaded->draft.scenario.workload;

    if (!list || load_is_hopeless(load))
        return;
    if (list->kind != TREE_LIST || list->count == 0 ||
        list->count > WORKLOAD_OVERLAYS_MAX) {
        load_complain(
            load, tree_is_nothing(list) ? tree_key(workload, "overlay") : list,
            "begin each overlay with '- '",
            "'overlay' needs a list of 1 to %d blocks; got %s",
            WORKLOAD_OVERLAYS_MAX,
            list->kind == TREE_LIST ? list->count ? "more" : "an empty list"
                                    : tree_kind_words(list));
        return;
    }
    if (!allocate(load, list->count))
        return;
    for (uint32_t i = 0; i < list->count && !load_is_hopeless(load); i++) {
        if (list->values[i]->kind == TREE_MAP)
            load_overlay(load, list, i);
        else
            load_complain(load, list->values[i], NULL,
                          "an overlay needs a block of settings; got %s",
                          tree_kind_words(list->values[i]));
    }
    main->overlays = load->loaded->overlay_specs;
    main->overlay_count = list->count;
    load_share_classes(load->loaded);
}

void load_share_classes(struct loaded *loaded)
{
    const struct workload_spec *main = &loaded->draft.scenario.workload;

    for (uint32_t i = 0; i < main->overlay_count; i++) {
        loaded->overlay_specs[i].spec.classes = main->classes;
        loaded->overlay_specs[i].spec.class_count = main->class_count;
    }
}

/* The trace of an overlay, which may be shorter than the run. */
static bool open_trace(struct loaded *loaded, uint32_t index, struct diag *diag)
{
    const struct tree *workload = tree_find(loaded->root, "workload");
    const struct tree *list = tree_find(workload, "overlay");
    const struct tree *trace = tree_find(list->values[index], "trace");
    struct overlay_draft *overlay = &loaded->overlays[index];
    struct trace_spec *spec = &overlay->draft.scenario.trace;
    struct workload_overlay *made = &loaded->overlay_specs[index];
    int64_t span_ns;

    spec->path =
        load_data_file(loaded, tree_find(trace, "file"), "the trace", diag);
    load_trace_words(loaded, made->spec.one_class == 0, spec);
    overlay->trace = spec->path ? trace_open(spec, diag) : NULL;
    if (!overlay->trace)
        return false;
    made->spec.trace = overlay->trace;
    load_trace_models(loaded, overlay->trace);
    span_ns = trace_books(overlay->trace)->span_ns;
    if (span_ns < made->duration_ns)
        made->duration_ns = span_ns;
    return made->spec.resample != TRACE_RESAMPLE_BLOCKS ||
           loaded->draft.scenario.replications == 1 ||
           trace_check_resample(overlay->trace, diag);
}

bool load_overlay_traces(struct loaded *loaded, struct diag *diag)
{
    bool fine = true;

    for (uint32_t i = 0; i < loaded->draft.scenario.workload.overlay_count; i++)
        if (loaded->overlays[i].draft.scenario.has_trace &&
            !loaded->overlays[i].trace)
            fine = open_trace(loaded, i, diag) && fine;
    return fine;
}

void load_close_overlays(struct loaded *loaded)
{
    for (uint32_t i = 0; i < loaded->draft.scenario.workload.overlay_count; i++)
        trace_close(loaded->overlays[i].trace);
}
