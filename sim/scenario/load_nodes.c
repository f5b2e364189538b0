/* Groups of nodes, and the pattern that lies under them. */
#include "sim/scenario/draft.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Limits that keep reading a hostile file short. */
enum {
    NODES_MAX = 1000000,
    GROUPS_MAX = 10000,
    NAME_MAX_LENGTH = 64,
    ZONES_MAX = 64
};

static const struct group_draft silent_group = {
    .spec = {.engine = {.slowdown_per_request = 1, .queue_limit = UINT32_MAX},
             .result_cache = {.ttl_ns = INT64_MAX},
             .cpu_per_request = NAN,
             .keys = NODE_KEYS_BY_REPLICATION,
             .models = UINT64_MAX,
             .drain_timeout_ns = LOAD_DRAIN_TIMEOUT_NS,
             .scale = LOAD_BLANK_SCALE},
};

static struct group_draft blank_group(void)
{
    struct group_draft draft = silent_group;

    draft.provision_noise = draft.load_noise = DIST_PARAMS_NONE;
    draft.scrape_noise = draft.lag_noise = DIST_PARAMS_NONE;
    return draft;
}

void load_nothing_of_group(struct load *load, struct group_draft *ret)
{
    *ret = blank_group();
    load_block(load, settings_find("nodes[]"), NULL, ret);
}

static bool is_name(const char *text)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyz"
                                  "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
    size_t length = strspn(text, allowed);

    return length > 0 && length <= NAME_MAX_LENGTH && text[length] == '\0';
}

static void check_name(struct load *load, const struct tree *item,
                       const struct group_draft *groups, uint32_t index)
{
    const char *name = groups[index].spec.name;
    const struct tree *at = tree_find(item, "group");

    if (!name)
        return;
    if (!is_name(name))
        load_complain(load, at, NULL,
                      "'group' needs 1 to %d letters, digits, '_', '-' or "
                      "'.'; got '%.60s'",
                      NAME_MAX_LENGTH, name);
    for (uint32_t i = 0; i < index; i++)
        if (groups[i].spec.name && strcmp(groups[i].spec.name, name) == 0) {
            load_complain(load, at, NULL, "there are two groups '%s'", name);
            return;
        }
}

static void load_listed_keys(struct load *load, const struct tree *list,
                             struct group_spec *group)
{
    const char **keys =
        pool_allocate(load->pool, (list->count + 1) * sizeof *keys);

    if (!keys)
        return;
    if (list->count != group->count) {
        load_complain(
            load, list, NULL, "'keys' has %u names for %u nodes in group '%s'",
            list->count, group->count, group->name ? group->name : "");
        return;
    }
    for (uint32_t i = 0; i < list->count; i++) {
        const struct tree *key = list->values[i];

        if (key->kind != TREE_SCALAR || key->length == 0 || key->length > 200 ||
            memchr(key->text, '\0', key->length)) {
            load_complain(load, key, NULL,
                          "a node's name needs 1 to 200 letters");
            return;
        }
        keys[i] = key->text;
    }
    group->keys = NODE_KEYS_LISTED;
    group->listed_keys = keys;
}

static void load_keys(struct load *load, const struct tree *item,
                      struct group_spec *group)
{
    const struct tree *keys = tree_find(item, "keys");

    if (!keys)
        return;
    if (tree_is_text(keys, "fixed"))
        group->keys = NODE_KEYS_FIXED;
    else if (keys->kind == TREE_LIST)
        load_listed_keys(load, keys, group);
    else
        load_complain(load, keys, NULL, "'keys' needs %s; got %s",
                      settings_kind_words(SETTING_KEYS), tree_kind_words(keys));
}

/* Whether a request costs this node any time at all. */
static bool costs_anything(const struct load *load,
                           const struct service_spec *service)
{
    const struct scenario *scenario = &load->loaded->draft.scenario;
    bool has_input = scenario->has_trace ||
                     workload_has_law(&scenario->workload, LAW_INPUT_TOKENS);
    bool has_output = scenario->has_trace ||
                      workload_has_law(&scenario->workload, LAW_OUTPUT_TOKENS);

    return service->base_s > 0 ||
           (has_input && service->per_input_token_s > 0) ||
           (has_output && service->per_output_token_s > 0);
}

static void check_costs(struct load *load, const struct tree *item,
                        const struct group_spec *group)
{
    const struct scenario *scenario = &load->loaded->draft.scenario;
    const struct tree *engine = tree_find(item, "engine");

    if (!group->engine.service.given) {
        if (!workload_all_have_law(&scenario->workload, LAW_WORK))
            load_complain(load, tree_find(item, "group"),
                          "give the group engine.service, or workload.work "
                          "to all",
                          "nothing says how long group '%s' works on a "
                          "request",
                          group->name);
    } else if (!costs_anything(load, &group->engine.service)) {
        load_complain(load, tree_key(engine, "service"),
                      "a cost per token needs workload.input_tokens or "
                      "output_tokens",
                      "requests cost group '%s' no time", group->name);
    }
}

static int compare_texts(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Whether the key is what a node of the group is called by itself. */
static bool is_own_name(const struct group_spec *group, const char *key)
{
    size_t length = strlen(group->name);
    char name[300];
    unsigned index;

    if (group->keys == NODE_KEYS_LISTED ||
        strncmp(key, group->name, length) != 0 ||
        sscanf(key + length, "-%9u", &index) != 1 || index >= group->count)
        return false;
    snprintf(name, sizeof name, "%s-%u", group->name, index);
    return strcmp(key, name) == 0;
}

static void check_own_names(struct load *load, const struct tree *list,
                            const char *key)
{
    const struct draft *draft = &load->loaded->draft;

    for (uint32_t i = 0; i < list->count && load->errors == 0; i++)
        if (is_own_name(&draft->groups[i].spec, key))
            load_complain(load, list, NULL,
                          "the key '%s' is the name of a node of group '%s'",
                          key, draft->groups[i].spec.name);
}

/* Two nodes of one name would share a place on every ring. */
static void check_listed_keys(struct load *load, const struct tree *list)
{
    const struct draft *draft = &load->loaded->draft;
    uint32_t total = 0, count = 0;
    const char **all;

    for (uint32_t i = 0; i < list->count; i++)
        if (draft->groups[i].spec.keys == NODE_KEYS_LISTED)
            total += draft->groups[i].spec.count;
    all = pool_allocate(load->pool, (total + 1) * sizeof *all);
    if (!all)
        return;
    for (uint32_t i = 0; i < list->count; i++) {
        const struct group_spec *group = &draft->groups[i].spec;

        for (uint32_t j = 0;
             group->keys == NODE_KEYS_LISTED && j < group->count; j++)
            all[count++] = group->listed_keys[j];
    }
    qsort(all, count, sizeof *all, compare_texts);
    for (uint32_t i = 1; i < count; i++)
        if (strcmp(all[i - 1], all[i]) == 0) {
            load_complain(load, list, NULL, "two nodes are named '%s'", all[i]);
            return;
        }
    for (uint32_t i = 0; i < count; i++)
        check_own_names(load, list, all[i]);
}

static void check_total(struct load *load, const struct tree *root)
{
    struct draft *draft = &load->loaded->draft;
    uint64_t total = 0;

    for (uint32_t i = 0; i < draft->scenario.group_count; i++)
        total += draft->groups[i].spec.count;
    if (total == 0)
        load_complain(load, tree_key(root, "nodes"), NULL,
                      "there are no nodes: every count is 0");
    else if (total > NODES_MAX)
        load_complain(load, tree_key(root, "nodes"), NULL,
                      "there are %llu nodes, at most %d can be simulated",
                      (unsigned long long)total, NODES_MAX);
    else
        draft->scenario.node_count = (uint32_t)total;
}

void load_publish_groups(struct load *load)
{
    struct draft *draft = &load->loaded->draft;
    uint32_t count = draft->scenario.group_count;
    struct group_spec *specs =
        pool_allocate(load->pool, (count + 1) * sizeof *specs);

    for (uint32_t i = 0; specs && i < count; i++)
        specs[i] = draft->groups[i].spec;
    draft->scenario.groups = specs;
}

/* "a", or "a, b": names as those of groups. */
static void load_zones(struct load *load, const struct tree *item,
                       struct group_draft *group)
{
    const char **zones =
        pool_allocate(load->pool, (ZONES_MAX + 1) * sizeof *zones);
    const char *rest = group->zone;
    uint32_t count = 0;

    while (zones && rest) {
        const char *comma = strchr(rest, ',');
        size_t length = comma ? (size_t)(comma - rest) : strlen(rest);

        for (; length > 0 && *rest == ' '; length--)
            rest++;
        while (length > 0 && rest[length - 1] == ' ')
            length--;
        if (count < ZONES_MAX)
            zones[count] = pool_copy(load->pool, rest, length);
        if (count == ZONES_MAX || (zones[count] && !is_name(zones[count]))) {
            load_complain(load, tree_find(item, "zone"),
                          "such as 'zone: a', or 'zone: \"a, b\"'",
                          "'zone' needs up to %d names with commas between "
                          "them; got '%.60s'",
                          ZONES_MAX, group->zone);
            return;
        }
        count++;
        rest = comma ? comma + 1 : NULL;
    }
    group->spec.zones = zones;
    group->spec.zone_count = count;
}

static void load_group(struct load *load, const struct tree *item,
                       uint32_t index)
{
    struct group_draft *groups = load->loaded->draft.groups;
    const struct setting *block = settings_find("nodes[]");

    groups[index] = blank_group();
    if (item->kind != TREE_MAP) {
        load_complain(
            load, item, "such as '{group: gpu, count: 4, engine: {...}}'",
            "a group needs a block of settings; got %s", tree_kind_words(item));
        return;
    }
    load_block(load, block, item, &groups[index]);
    check_name(load, item, groups, index);
    load_scaling(load, item, &groups[index]);
    load_keys(load, item, &groups[index].spec);
    load_models(load, item, &groups[index].spec);
    load_engine(load, item, &groups[index].spec);
    load_zones(load, item, &groups[index]);
}

void load_nodes(struct load *load, const struct tree *root)
{
    struct draft *draft = &load->loaded->draft;
    const struct tree *list = tree_find(root, "nodes");

    if (!list || load_is_hopeless(load))
        return;
    if (list->kind != TREE_LIST) {
        load_complain(
            load, tree_is_nothing(list) ? tree_key(root, "nodes") : list,
            "begin each group with '- '",
            "'nodes' needs a list of groups; got %s", tree_kind_words(list));
        return;
    }
    if (list->count > GROUPS_MAX) {
        load_complain(load, list, NULL,
                      "there are %u groups, at most %d can be simulated",
                      list->count, GROUPS_MAX);
        return;
    }
    draft->groups =
        pool_allocate(load->pool, (list->count + 1) * sizeof *draft->groups);
    if (!draft->groups)
        return;
    draft->scenario.group_count = list->count;
    for (uint32_t i = 0; i < list->count; i++) {
        if (load_is_hopeless(load))
            return;
        load_group(load, list->values[i], i);
    }
    for (uint32_t i = 0; i < list->count && load->errors == 0; i++)
        check_costs(load, list->values[i], &draft->groups[i].spec);
    if (load->errors > 0)
        return;
    check_listed_keys(load, list);
    check_total(load, root);
    load_publish_groups(load);
}

/* Reads the pattern by itself, so that a mistake in it is told once. */
static bool is_pattern_fine(struct load *load, const struct tree *pattern)
{
    struct group_draft scratch = blank_group();
    uint32_t before = load->errors;

    if (pattern->kind != TREE_MAP) {
        load_complain(load, pattern, NULL,
                      "'defaults' needs a block of settings; got %s",
                      tree_kind_words(pattern));
        return false;
    }
    load->in_defaults = true;
    load_block(load, settings_find("nodes[]"), pattern, &scratch);
    load->in_defaults = false;
    return load->errors == before;
}

const struct tree *load_merge_defaults(struct load *load,
                                       const struct tree *root)
{
    const struct tree *pattern = tree_find(root, "defaults");
    const struct tree *nodes = tree_find(root, "nodes");
    struct tree *merged_nodes;

    if (!pattern)
        return root;
    pattern = load_without_off(load, settings_find("defaults"), pattern);
    if (!pattern)
        return NULL;
    if (!is_pattern_fine(load, pattern) || !nodes || nodes->kind != TREE_LIST)
        return root;
    merged_nodes = tree_copy(load->pool, nodes);
    for (uint32_t i = 0; merged_nodes && i < nodes->count; i++) {
        const struct tree *item = nodes->values[i];

        if (item->kind == TREE_MAP)
            merged_nodes->values[i] = tree_merge(load->pool, pattern, item);
        if (!merged_nodes->values[i])
            return NULL;
    }
    if (!merged_nodes)
        return NULL;
    return tree_with_key(load->pool, root, tree_key(root, "nodes"),
                         merged_nodes);
}
