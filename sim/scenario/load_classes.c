/* Classes of requests: each a block of its own, their shares together all. */
#include "sim/scenario/draft.h"

#include <math.h>
#include <string.h>

static const struct class_draft blank_class = {
    .spec = {.share = NAN, .deadline_ns = INT64_MAX},
};

static void blank(struct class_draft *ret)
{
    *ret = blank_class;
    ret->input_tokens = ret->output_tokens = DIST_PARAMS_NONE;
    ret->work = ret->noise = ret->patience = DIST_PARAMS_NONE;
}

void load_nothing_of_class(struct load *load, struct class_draft *ret)
{
    blank(ret);
    load_block(load, settings_find("workload.classes[]"), NULL, ret);
}

static void check_name(struct load *load, const struct tree *item,
                       const struct class_draft *classes, uint32_t index)
{
    const char *name = classes[index].spec.name;

    for (uint32_t i = 0; name && i < index; i++)
        if (classes[i].spec.name && strcmp(classes[i].spec.name, name) == 0) {
            load_complain(load, tree_find(item, "name"), NULL,
                          "there are two classes '%.60s'", name);
            return;
        }
}

static void load_class(struct load *load, const struct tree *item,
                       uint32_t index)
{
    struct class_draft *classes = load->loaded->draft.classes;
    struct class_draft *draft = &classes[index];

    blank(draft);
    if (item->kind != TREE_MAP) {
        load_complain(load, item, "such as '{name: chat, share: 60 %}'",
                      "a class needs a block of settings; got %s",
                      tree_kind_words(item));
        return;
    }
    load_block(load, settings_find("workload.classes[]"), item, draft);
    check_name(load, item, classes, index);
    load_dist(load, item, "input_tokens", &draft->input_tokens,
              &draft->spec.input_tokens);
    load_dist(load, item, "output_tokens", &draft->output_tokens,
              &draft->spec.output_tokens);
    load_dist(load, item, "work", &draft->work, &draft->spec.work);
    load_noise(load, item, "noise", &draft->noise, &draft->spec.noise);
    load_dist(load, item, "patience", &draft->patience, &draft->spec.patience);
}

/* Without any share rows of a trace must say the class, which is known when the
   trace is read. true: shares can be summed. */
static bool has_shares(struct load *load, const struct tree *workload)
{
    const struct draft *draft = &load->loaded->draft;
    const struct tree *list = tree_find(workload, "classes");
    const struct setting *block = settings_find("workload.classes[]");
    uint32_t before = load->errors, unsaid = 0;

    for (uint32_t i = 0; i < list->count; i++)
        unsaid += isnan(draft->classes[i].spec.share) != 0;
    if (unsaid == list->count && draft->scenario.has_trace)
        return false;
    for (uint32_t i = 0; unsaid > 0 && i < list->count; i++) {
        const struct tree *item = list->values[i];

        if (isnan(draft->classes[i].spec.share) &&
            !load_is_misspelt(block, item, "share"))
            load_complain(load, item->keys[0],
                          "such as 'share: 30 %'; only a trace that names the "
                          "class of each request can do without, for all of "
                          "them",
                          "'share' is missing in workload.classes[]");
    }
    return load->errors == before;
}

/* Shares such as 33.3 % are as near to a third as anybody writes it. */
static void check_shares(struct load *load, const struct tree *workload,
                         uint32_t count)
{
    const struct class_draft *classes = load->loaded->draft.classes;
    double sum = 0;

    for (uint32_t i = 0; i < count; i++)
        sum += classes[i].spec.share;
    if (fabs(sum - 1) > 1e-6)
        load_complain(load, tree_key(workload, "classes"),
                      "each request is of one class",
                      "the shares of all classes must sum to 100 %%; they sum "
                      "to %.9g %%",
                      100 * sum);
}

void load_publish_classes(struct load *load, uint32_t count)
{
    struct draft *draft = &load->loaded->draft;
    struct workload_class *specs =
        pool_allocate(load->pool, (count + 1) * sizeof *specs);

    for (uint32_t i = 0; specs && i < count; i++)
        specs[i] = draft->classes[i].spec;
    draft->scenario.workload.classes = specs;
    draft->scenario.workload.class_count = specs ? count : 0;
    load_share_classes(load->loaded);
}

void load_classes(struct load *load, const struct tree *workload)
{
    struct draft *draft = &load->loaded->draft;
    const struct tree *list = tree_find(workload, "classes");
    uint32_t before = load->errors;

    if (!list || load_is_hopeless(load))
        return;
    if (list->kind != TREE_LIST || list->count == 0 ||
        list->count > CLASSES_MAX) {
        load_complain(
            load, tree_is_nothing(list) ? tree_key(workload, "classes") : list,
            "begin each class with '- '",
            "'classes' needs a list of 1 to %d classes; got %s", CLASSES_MAX,
            list->kind == TREE_LIST && list->count == 0
                ? "an empty list"
                : tree_kind_words(list));
        return;
    }
    draft->classes =
        pool_allocate(load->pool, list->count * sizeof *draft->classes);
    if (!draft->classes)
        return;
    for (uint32_t i = 0; i < list->count && !load_is_hopeless(load); i++)
        load_class(load, list->values[i], i);
    if (load->errors > before)
        return;
    if (has_shares(load, workload))
        check_shares(load, workload, list->count);
    load_publish_classes(load, list->count);
}
