/* The shared result tier, and its outages in order of time. */
#include "sim/scenario/draft.h"

enum { OUTAGES_MAX = 1000 };

/* Each is checked against the one before, in the order of the list. */
static void check_order(struct load *load, const struct tree *list,
                        const struct tier_outage *outages)
{
    for (uint32_t i = 1; i < list->count; i++)
        if (outages[i].at_ns < tier_outage_end_ns(&outages[i - 1])) {
            load_complain(load, list->values[i], "list outages by time",
                          "outage %u begins before outage %u is over", i + 1,
                          i);
            return;
        }
}

static void load_outage(struct load *load, const struct tree *item,
                        struct tier_outage *ret)
{
    *ret = (struct tier_outage){0};
    if (item->kind != TREE_MAP) {
        load_complain(load, item, "such as '{at: 2 min, for: 30 s}'",
                      "an outage needs a block of settings; got %s",
                      tree_kind_words(item));
        return;
    }
    load_block(load, settings_find("result_tier.outages[]"), item, ret);
}

static void load_outages(struct load *load, const struct tree *list)
{
    struct tier_spec *tier = &load->loaded->draft.scenario.tier;
    uint32_t before = load->errors;
    struct tier_outage *outages;

    if (list->kind != TREE_LIST || list->count > OUTAGES_MAX) {
        load_complain(load, list, "such as '[{at: 2 min, for: 30 s}]'",
                      "'outages' needs a list of at most %d outages; got %s",
                      OUTAGES_MAX, tree_kind_words(list));
        return;
    }
    outages = pool_allocate(load->pool, (list->count + 1) * sizeof *outages);
    if (!outages)
        return;
    for (uint32_t i = 0; i < list->count && !load_is_hopeless(load); i++)
        load_outage(load, list->values[i], &outages[i]);
    tier->outages = outages;
    tier->outage_count = list->count;
    if (load->errors == before)
        check_order(load, list, outages);
}

void load_tier(struct load *load, const struct tree *root)
{
    const struct tree *list =
        tree_find(tree_find(root, "result_tier"), "outages");

    if (list && !load_is_hopeless(load))
        load_outages(load, list);
}
