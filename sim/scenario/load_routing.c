/* Models that groups list and classes ask for, and the table that brings the
   two together. */
#include "sim/scenario/draft.h"

#include <string.h>

enum { MODEL_NAME_MAX = 64, ROWS_MAX = 1000 };

/* --- names of models ------------------------------------------------------ */

/* Its number, or model_count. */
static uint32_t find_model(const struct draft *draft, const char *name,
                           size_t length)
{
    uint32_t i = 1;

    while (i < draft->scenario.model_count &&
           (strlen(draft->models[i]) != length ||
            memcmp(draft->models[i], name, length) != 0))
        i++;
    return i;
}

/* All names; ends with NULL. */
static const char *const *model_names(struct load *load)
{
    const struct draft *draft = &load->loaded->draft;
    uint32_t count = draft->scenario.model_count;
    const char **names = pool_allocate(load->pool, (count + 1) * sizeof *names);

    for (uint32_t i = 1; names && i < count; i++)
        names[i - 1] = draft->models[i];
    return names;
}

uint32_t load_known_model(struct load *load, const struct tree *at,
                          const char *name, size_t length)
{
    const struct draft *draft = &load->loaded->draft;
    uint32_t model = find_model(draft, name, length);
    const char *const *names;
    const char *hint = NULL;

    if (model < draft->scenario.model_count)
        return model;
    names = model_names(load);
    if (names)
        hint = load_nearest(load, name, length, names);
    load_complain(load, at, hint ? hint : "'models' of a group lists its own",
                  "no group lists a model '%.*s'",
                  length > 60 ? 60 : (int)length, name);
    return ROUTING_MODELS_MAX;
}

/* A model's number, made when it is new. ROUTING_MODELS_MAX: complained. */
static uint32_t intern_model(struct load *load, const struct tree *at)
{
    struct draft *draft = &load->loaded->draft;
    uint32_t model;

    if (at->kind != TREE_SCALAR || tree_is_nothing(at) || at->length == 0 ||
        at->length > MODEL_NAME_MAX) {
        load_complain(load, at, NULL, "a model's name needs 1 to %d letters",
                      MODEL_NAME_MAX);
        return ROUTING_MODELS_MAX;
    }
    if (draft->scenario.model_count == 0)
        draft->scenario.model_count = 1; /* number 0 is any */
    model = find_model(draft, at->text, at->length);
    if (model < draft->scenario.model_count)
        return model;
    if (model == ROUTING_MODELS_MAX) {
        load_complain(load, at, NULL,
                      "there are more than %d models, which is all that can "
                      "be told apart",
                      ROUTING_MODELS_MAX - 1);
        return ROUTING_MODELS_MAX;
    }
    draft->models[draft->scenario.model_count++] = at->text;
    return model;
}

void load_models(struct load *load, const struct tree *item,
                 struct group_spec *group)
{
    const struct tree *list = tree_find(item, "models");

    if (!list)
        return;
    if (list->kind != TREE_LIST || list->count == 0) {
        load_complain(
            load, tree_is_nothing(list) ? tree_key(item, "models") : list,
            "leave it out where a group serves every model",
            "'models' needs %s; got %s", settings_kind_words(SETTING_NAMES),
            list->kind == TREE_LIST ? "an empty list" : tree_kind_words(list));
        return;
    }
    group->models = 1u << ROUTING_ANY_MODEL;
    for (uint32_t i = 0; i < list->count && !load_is_hopeless(load); i++) {
        uint32_t model = intern_model(load, list->values[i]);

        if (model >= ROUTING_MODELS_MAX)
            continue;
        group->models |= (uint64_t)1 << model;
        if (group->load_resident == 0 ||
            (uint32_t)__builtin_popcountll(group->first_models) <
                group->load_resident)
            group->first_models |= (uint64_t)1 << model;
    }
}

static void load_wanted_model(struct load *load, const struct tree *item,
                              struct class_draft *draft)
{
    const struct tree *at = tree_find(item, "model");
    uint32_t model;

    if (!draft->model)
        return;
    model = load_known_model(load, at, at->text, at->length);
    if (model < ROUTING_MODELS_MAX)
        draft->spec.model = model;
}

/* The classes were published before the groups' models were known. */
static void load_wanted_models(struct load *load, const struct tree *root)
{
    struct draft *draft = &load->loaded->draft;
    const struct tree *list = tree_find(tree_find(root, "workload"), "classes");
    uint32_t count = draft->scenario.workload.class_count;

    for (uint32_t i = 0; i < count && !load_is_hopeless(load); i++)
        load_wanted_model(load, list->values[i], &draft->classes[i]);
    load_publish_classes(load, count);
}

/* --- nodes without the model --------------------------------------------- */

static void load_misroute(struct load *load, const struct tree *item,
                          struct group_spec *group)
{
    const struct draft *draft = &load->loaded->draft;

    if (group->misroute == MISROUTE_LOAD && !tree_find(item, "model_load"))
        load_complain(load, tree_find(item, "misroute"),
                      "such as 'model_load: {time: 20 s, resident: 1}'",
                      "'misroute: load' needs 'model_load'");
    group->minds_models =
        group->models != UINT64_MAX && draft->scenario.workload.class_count > 0;
}

static void load_misroutes(struct load *load, const struct tree *root)
{
    struct draft *draft = &load->loaded->draft;
    const struct tree *list = tree_find(root, "nodes");

    for (uint32_t i = 0; i < draft->scenario.group_count; i++)
        load_misroute(load, list->values[i], &draft->groups[i].spec);
    load_publish_groups(load);
}

/* --- the table ------------------------------------------------------------ */

static uint32_t find_class(const struct load *load, const char *name,
                           size_t length)
{
    const struct workload_spec *workload =
        &load->loaded->draft.scenario.workload;
    uint32_t i = 0;

    while (i < workload->class_count &&
           (strlen(workload->classes[i].name) != length ||
            memcmp(workload->classes[i].name, name, length) != 0))
        i++;
    return i;
}

/* class_count: complained. */
static uint32_t known_class(struct load *load, const struct tree *at)
{
    const struct workload_spec *workload =
        &load->loaded->draft.scenario.workload;
    uint32_t count = workload->class_count;
    uint32_t found = find_class(load, at->text, at->length);
    const char **names;

    if (found < count)
        return found;
    names = pool_allocate(load->pool, (count + 1) * sizeof *names);
    for (uint32_t i = 0; names && i < count; i++)
        names[i] = workload->classes[i].name;
    load_complain(load, at,
                  names ? load_nearest(load, at->text, at->length, names)
                        : NULL,
                  "there is no class '%.60s' in workload.classes", at->text);
    return count;
}

static void load_row_group(struct load *load, const struct tree *at,
                           uint32_t model, uint32_t *ret)
{
    const struct draft *draft = &load->loaded->draft;
    uint32_t group;

    if (at->kind != TREE_SCALAR) {
        load_complain(load, at, NULL, "a group is meant by its name; got %s",
                      tree_kind_words(at));
        return;
    }
    group = load_find_group(load, at->text, at->length);
    if (group == draft->scenario.group_count)
        load_complain_group(load, at, at->text, at->length);
    else if (!(draft->groups[group].spec.models >> model & 1))
        load_complain(load, at, "add it to the group's 'models'",
                      "group '%s' does not list the model '%s'",
                      draft->groups[group].spec.name, draft->models[model]);
    else
        *ret = group;
}

static void load_row_groups(struct load *load, const struct tree *list,
                            struct routing_row *row)
{
    uint32_t *groups;

    if (list->kind != TREE_LIST || list->count == 0) {
        load_complain(load, list, "leave it out to look at all groups",
                      "'groups' needs a list of names such as [gpu, cpu]; got "
                      "%s",
                      list->kind == TREE_LIST ? "an empty list"
                                              : tree_kind_words(list));
        return;
    }
    groups = pool_allocate(load->pool, list->count * sizeof *groups);
    if (!groups)
        return;
    for (uint32_t i = 0; i < list->count && !load_is_hopeless(load); i++)
        load_row_group(load, list->values[i], row->model, &groups[i]);
    row->group_count = list->count;
    row->groups = groups;
}

static void check_row_keys(struct load *load, const struct tree *item)
{
    static const char *const names[] = {"model", "groups", NULL};

    for (uint32_t i = 0; i < item->count; i++) {
        const struct tree *key = item->keys[i];
        const char *hint;

        if (tree_is_text(key, "model") || tree_is_text(key, "groups"))
            continue;
        hint = load_nearest(load, key->text, key->length, names);
        load_complain(load, key, hint ? hint : "it takes model, groups",
                      "unknown key '%.60s' in a row of routing.table",
                      key->text);
    }
}

static void load_row(struct load *load, const struct tree *item,
                     struct routing_row *row)
{
    const struct tree *model, *groups;
    uint32_t before = load->errors;

    if (item->kind != TREE_MAP) {
        load_complain(load, item, "such as '{model: chat, groups: [gpu]}'",
                      "a row needs a block; got %s", tree_kind_words(item));
        return;
    }
    check_row_keys(load, item);
    model = tree_find(item, "model");
    groups = tree_find(item, "groups");
    if (load->errors > before)
        return;
    if (!model || model->kind != TREE_SCALAR) {
        load_complain(load, model ? model : item, NULL,
                      "a row needs 'model', the name of one");
        return;
    }
    row->model = load_known_model(load, model, model->text, model->length);
    if (row->model < ROUTING_MODELS_MAX && groups)
        load_row_groups(load, groups, row);
}

static void load_rows(struct load *load, const struct tree *list,
                      struct routing_rows *ret)
{
    struct routing_row *rows;

    if (list->kind != TREE_LIST || list->count == 0 || list->count > ROWS_MAX) {
        load_complain(load, list,
                      "such as '[{model: chat, groups: [gpu]}]', the first "
                      "that will do counts",
                      "a class needs a list of 1 to %d rows; got %s", ROWS_MAX,
                      list->kind == TREE_LIST && list->count == 0
                          ? "an empty list"
                          : tree_kind_words(list));
        return;
    }
    rows = pool_allocate(load->pool, list->count * sizeof *rows);
    if (!rows)
        return;
    for (uint32_t i = 0; i < list->count && !load_is_hopeless(load); i++)
        load_row(load, list->values[i], &rows[i]);
    *ret = (struct routing_rows){list->count, rows};
}

static void load_table(struct load *load, const struct tree *table)
{
    struct scenario *scenario = &load->loaded->draft.scenario;
    uint32_t count = scenario->workload.class_count;
    struct routing_rows *classes;

    if (table->kind != TREE_MAP || table->count == 0) {
        load_complain(load, table, NULL, "'table' needs %s; got %s",
                      settings_kind_words(SETTING_ROUTES),
                      table->kind == TREE_MAP ? "an empty block"
                                              : tree_kind_words(table));
        return;
    }
    classes = pool_allocate(load->pool, (count + 1) * sizeof *classes);
    if (!classes)
        return;
    for (uint32_t i = 0; i < table->count && !load_is_hopeless(load); i++) {
        uint32_t which = known_class(load, table->keys[i]);

        if (which < count)
            load_rows(load, table->values[i], &classes[which]);
    }
    scenario->routing.classes = classes;
    scenario->routing.class_count = count;
}

/* --- the whole ------------------------------------------------------------ */

static void load_default_class(struct load *load, const struct tree *routing)
{
    struct draft *draft = &load->loaded->draft;
    const struct tree *at = tree_find(routing, "default_class");
    uint32_t found;

    if (!draft->default_class)
        return;
    found = known_class(load, at);
    if (found == draft->scenario.workload.class_count)
        return;
    if (draft->scenario.routing.classes[found].count == 0) {
        load_complain(load, at, NULL,
                      "the default class '%.60s' is not in routing.table",
                      at->text);
        return;
    }
    draft->scenario.routing.has_default = true;
    draft->scenario.routing.default_class = found;
}

static void need_classes(struct load *load, const struct tree *at,
                         const char *what)
{
    if (load->loaded->draft.scenario.workload.class_count == 0)
        load_complain(load, at, "list them in workload.classes",
                      "'%s' goes by classes of requests, and there are none",
                      what);
}

void load_routing(struct load *load, const struct tree *root)
{
    struct draft *draft = &load->loaded->draft;
    struct scenario *scenario = &draft->scenario;
    const struct tree *routing = tree_find(root, "routing");
    const struct tree *table = tree_find(routing, "table");

    if (load->errors > 0) /* names may be missing only because of them */
        return;
    scenario->models = draft->models;
    load_wanted_models(load, root);
    load_misroutes(load, root);
    if (scenario->classifier.given)
        need_classes(load, tree_key(root, "classifier"), "classifier");
    if (scenario->routing.given)
        need_classes(load, tree_key(root, "routing"), "routing");
    if (load->errors > 0 || !table)
        return;
    load_table(load, table);
    if (load->errors == 0)
        load_default_class(load, routing);
}
