/* How the settings of a group's engine must fit together. */
#include "sim/scenario/draft.h"

static void check_slowdown(struct load *load, const struct tree *engine,
                           const struct engine_spec *spec)
{
    if (spec->kind == ENGINE_SHARING &&
        !(spec->slowdown_base + spec->slowdown_per_request > 0))
        load_complain(load, tree_key(engine, "slowdown"),
                      "base 0 and per_request 1 share one processor evenly",
                      "with this 'slowdown' requests take no time at all");
}

/* Each card has a slot at least. */
static void check_cards(struct load *load, const struct tree *item,
                        const struct group_spec *group)
{
    uint32_t places = engine_served_at_once(&group->engine);

    if (group->cards <= 1)
        return;
    if (group->engine.kind == ENGINE_BATCH)
        load_complain(load, tree_key(item, "cards"),
                      "give the group as many nodes instead",
                      "a batch runs on one card");
    else if (places >= group->cards)
        return;
    else if (places == 0)
        load_complain(load, tree_key(item, "cards"), "set engine.limit",
                      "%u cards need a limit to what is served at once",
                      group->cards);
    else
        load_complain(load, tree_key(item, "cards"),
                      "a request runs on one card",
                      "there are %u cards, but %u request%s served at once",
                      group->cards, places, places == 1 ? " is" : "s are");
}

/* The other engines have no time that is a request's own. */
static void check_memory(struct load *load, const struct tree *item,
                         const struct group_spec *group)
{
    const struct tree *memory = tree_find(item, "memory");
    enum engine_kind kind = group->engine.kind;

    if (group->when_memory_full == MEMORY_FULL_SLOW && kind != ENGINE_SLOTS)
        load_complain(load, tree_key(memory, "when_full"),
                      kind == ENGINE_SHARING ? "set engine.slowdown"
                                             : "set engine.size",
                      "'when_full: slow' needs an engine of kind slots");
    if (group->when_memory_full == MEMORY_FULL_REFUSE && kind == ENGINE_BATCH)
        load_complain(load, tree_key(memory, "when_full"), "set engine.size",
                      "'when_full: refuse' needs an engine of kind slots or "
                      "sharing");
}

void load_engine(struct load *load, const struct tree *item,
                 struct group_spec *group)
{
    const struct tree *engine = tree_find(item, "engine");

    group->engine.limits_queue = group->engine.queue_limit != UINT32_MAX;
    check_slowdown(load, engine, &group->engine);
    check_cards(load, item, group);
    check_memory(load, item, group);
}
