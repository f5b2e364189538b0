#include "sim/experiment/held_reports.h"

#include <assert.h>

struct held_row {
    uint32_t head, count, leaf;
};

struct held_reports {
    uint32_t depth;
    struct held_row *rows;  /* [node_count] */
    struct lbp_node *words; /* [node_count * depth] */
    int64_t *at_ns;         /* likewise */
};

struct held_reports *held_reports_create(struct sim *sim, uint32_t depth)
{
    size_t room = (size_t)sim->node_count * depth;
    struct held_reports *held = arena_allocate(&sim->arena, 1, sizeof *held);

    if (!held)
        return NULL;
    held->depth = depth;
    held->rows =
        arena_allocate(&sim->arena, sim->node_count, sizeof *held->rows);
    held->words = arena_allocate(&sim->arena, room, sizeof *held->words);
    held->at_ns = arena_allocate(&sim->arena, room, sizeof *held->at_ns);
    if (!held->rows || !held->words || !held->at_ns)
        return NULL;
    for (uint32_t i = 0; i < sim->node_count; i++) {
        held->rows[i].leaf = event_tree_take(&sim->tree, LINE_NODE_REPORTS + i);
        if (held->rows[i].leaf == EVENT_NO_LEAF)
            return NULL;
    }
    return held;
}

/* Behind the reports that are made at that instant, as all that are late. */
static void aim(struct sim *sim, const struct held_row *row, int64_t at_ns)
{
    event_tree_set(&sim->tree, row->leaf, at_ns, RANK_NODE_ARRIVAL);
}

static size_t slot_of(const struct held_reports *held, uint32_t node,
                      uint32_t i)
{
    return (size_t)node * held->depth +
           (held->rows[node].head + i) % held->depth;
}

void held_reports_send(struct sim *sim, struct held_reports *held,
                       uint32_t node, const struct lbp_node *word,
                       int64_t at_ns)
{
    struct held_row *row = &held->rows[node];
    size_t slot;

    assert(row->count < held->depth);
    if (row->count > 0) {
        int64_t last_ns = held->at_ns[slot_of(held, node, row->count - 1)];

        at_ns = last_ns > at_ns ? last_ns : at_ns;
    }
    slot = slot_of(held, node, row->count++);
    held->words[slot] = *word;
    held->at_ns[slot] = at_ns;
    if (row->count == 1)
        aim(sim, row, at_ns);
}

const struct lbp_node *
held_reports_take(struct sim *sim, struct held_reports *held, uint32_t node)
{
    struct held_row *row = &held->rows[node];
    size_t slot = slot_of(held, node, 0);

    row->head = (row->head + 1) % held->depth;
    row->count--;
    event_tree_clear(&sim->tree, row->leaf);
    if (row->count > 0)
        aim(sim, row, held->at_ns[slot_of(held, node, 0)]);
    return &held->words[slot];
}
