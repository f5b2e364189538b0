/* The plan of capacity: groups by name, with the counts that they may have. */
#include "sim/scenario/draft.h"
#include "sim/scenario/units.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REASON_SIZE = 300, REPLICATIONS_LEAST = 20 };

/* Why its count cannot be changed; NULL: it can. */
static const char *why_fixed(const struct group_spec *group)
{
    if (group->scale.given)
        return "its scaling decides how many nodes it has";
    if (group->keys == NODE_KEYS_LISTED)
        return "its nodes have names of their own";
    return NULL;
}

/* "2..20", or "4": exactly so many. */
static bool parse_range(const char *text, size_t length, uint64_t *ret_least,
                        uint64_t *ret_most)
{
    char reason[REASON_SIZE];
    const char *dots = strstr(text, "..");
    size_t first = dots ? (size_t)(dots - text) : length;

    if (!units_parse_count(text, first, ret_least, reason, sizeof reason))
        return false;
    *ret_most = *ret_least;
    return !dots || units_parse_count(dots + 2, length - first - 2, ret_most,
                                      reason, sizeof reason);
}

static void load_counts(struct load *load, const struct tree *key,
                        const struct tree *value, struct plan_range *range)
{
    uint64_t least, most;

    if (value->kind != TREE_SCALAR || tree_is_nothing(value) ||
        !parse_range(value->text, value->length, &least, &most))
        load_complain(
            load, value, NULL,
            "'%.60s' needs counts such as '2..20', or one; got %s%.60s",
            key->text, value->kind == TREE_SCALAR ? "" : "a block or a list",
            value->kind == TREE_SCALAR ? value->text : "");
    else if (least > most)
        load_complain(load, value, NULL, "'%.60s': %.20s runs backwards",
                      key->text, value->text);
    else if (most > PLAN_COUNT_MAX)
        load_complain(load, value, NULL,
                      "'%.60s': at most %u nodes of a group can be planned",
                      key->text, PLAN_COUNT_MAX);
    else {
        range->least = (uint32_t)least;
        range->most = (uint32_t)most;
    }
}

static void load_range(struct load *load, const struct tree *key,
                       const struct tree *value, struct plan_range *range)
{
    const struct group_draft *groups = load->loaded->draft.groups;
    const char *why;

    range->group = load_find_group(load, key->text, key->length);
    if (range->group == load->loaded->draft.scenario.group_count) {
        load_complain_group(load, key, key->text, key->length);
        return;
    }
    why = why_fixed(&groups[range->group].spec);
    if (why)
        load_complain(load, key, "leave it out: it keeps its nodes",
                      "'%.60s' cannot be planned: %s", key->text, why);
    else
        load_counts(load, key, value, range);
}

static int by_group(const void *a, const void *b)
{
    const struct plan_range *x = a, *y = b;

    return (x->group > y->group) - (x->group < y->group);
}

static void check_count(struct load *load, const struct tree *at,
                        uint32_t count)
{
    if (count > PLAN_GROUPS_MAX)
        load_complain(
            load, at, NULL,
            "%u groups are too many for one plan, at most %d can vary", count,
            PLAN_GROUPS_MAX);
}

static uint32_t load_given_ranges(struct load *load, const struct tree *map,
                                  struct plan_range *ranges)
{
    for (uint32_t i = 0; i < map->count && !load_is_hopeless(load); i++)
        load_range(load, map->keys[i], map->values[i], &ranges[i]);
    check_count(load, map, map->count);
    qsort(ranges, map->count, sizeof *ranges, by_group);
    return map->count;
}

/* Every group that can vary; more than a plan takes are left as they are, and
   the command says what to do. */
static uint32_t all_ranges(const struct draft *draft, struct plan_range *ranges)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < draft->scenario.group_count; i++)
        if (!why_fixed(&draft->groups[i].spec) && count < PLAN_GROUPS_MAX)
            ranges[count++] =
                (struct plan_range){.group = i, .most = PLAN_BY_LOAD};
    return count;
}

static void load_ranges(struct load *load, const struct tree *plan)
{
    struct draft *draft = &load->loaded->draft;
    const struct tree *map = plan ? tree_find(plan, "groups") : NULL;
    uint32_t room =
        (map && map->kind == TREE_MAP ? map->count : 0) + PLAN_GROUPS_MAX;
    struct plan_range *ranges =
        pool_allocate(load->pool, room * sizeof *ranges);

    if (!ranges)
        return;
    if (map && (map->kind != TREE_MAP || map->count == 0)) {
        load_complain(load, map, NULL, "'groups' needs %s; got %s",
                      settings_kind_words(SETTING_RANGES),
                      map->kind == TREE_MAP ? "an empty block"
                                            : tree_kind_words(map));
        return;
    }
    draft->scenario.plan.ranges = ranges;
    draft->scenario.plan.range_count =
        map ? load_given_ranges(load, map, ranges) : all_ranges(draft, ranges);
}

static bool states_cost(const struct draft *draft)
{
    for (uint32_t i = 0; i < draft->scenario.group_count; i++)
        if (draft->groups[i].spec.cost_per_hour > 0)
            return true;
    return false;
}

void load_plan(struct load *load, const struct tree *root)
{
    struct draft *draft = &load->loaded->draft;
    struct plan_spec *spec = &draft->scenario.plan;
    const struct tree *plan = tree_find(root, "plan");

    if (load->errors > 0 || (plan && plan->kind != TREE_MAP))
        return;
    if (!plan)
        load_block(load, settings_find("plan"), NULL, draft);
    load_ranges(load, plan);
    if (spec->minimise == PLAN_COST && !states_cost(draft))
        load_complain(load, tree_find(plan, "minimise"),
                      "such as 'cost_per_hour: 2.5' in each group",
                      "nothing says what a node costs");
    if (spec->minimise == PLAN_UNSAID)
        spec->minimise = states_cost(draft) ? PLAN_COST : PLAN_NODES;
    if (spec->replications == 0) {
        spec->replications =
            PLAN_REPLICATIONS_TIMES * draft->scenario.replications;
        if (spec->replications < REPLICATIONS_LEAST)
            spec->replications = REPLICATIONS_LEAST;
    }
}
