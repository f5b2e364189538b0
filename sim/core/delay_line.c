#include "sim/core/delay_line.h"

#include <stdlib.h>

void delay_line_init(struct delay_line *line, int64_t delay_ns,
                     enum event_rank rank, uint32_t subject)
{
    *line = (struct delay_line){.delay_ns = delay_ns,
                                .rank = rank,
                                .leaf = EVENT_NO_LEAF,
                                .subject = subject};
}

void delay_line_done(struct delay_line *line)
{
    free(line->entries);
    *line = (struct delay_line){.leaf = EVENT_NO_LEAF};
}

__attribute__((noinline, cold)) static bool grow(struct delay_line *line,
                                                 struct event_tree *tree)
{
    uint32_t capacity = line->capacity ? 2 * line->capacity : 64;
    struct delay_entry *entries = calloc(capacity, sizeof *entries);

    if (!entries)
        return false;
    if (line->leaf == EVENT_NO_LEAF)
        line->leaf = event_tree_take(tree, line->subject);
    if (line->leaf == EVENT_NO_LEAF) {
        free(entries);
        return false;
    }
    for (uint32_t i = 0; i < line->count; i++)
        entries[i] = *delay_line_at(line, i);
    free(line->entries);
    line->entries = entries;
    line->capacity = capacity;
    line->head = 0;
    return true;
}

static void show_head(const struct delay_line *line, struct event_tree *tree)
{
    const struct delay_entry *head = &line->entries[line->head];

    event_tree_set_reserved(tree, line->leaf, head->at_ns, line->rank,
                            head->sequence);
}

bool delay_line_push(struct delay_line *line, struct event_tree *tree,
                     int64_t now_ns, uint32_t request, uint32_t epoch)
{
    if (line->count == line->capacity && !grow(line, tree))
        return false;
    *delay_line_at(line, line->count++) =
        (struct delay_entry){.at_ns = now_ns + line->delay_ns,
                             .sequence = event_tree_reserve(tree),
                             .request = request,
                             .epoch = epoch};
    if (line->count == 1)
        show_head(line, tree);
    return true;
}

struct delay_entry delay_line_pop(struct delay_line *line,
                                  struct event_tree *tree)
{
    struct delay_entry entry = line->entries[line->head];

    line->head = (line->head + 1) & (line->capacity - 1);
    if (--line->count > 0)
        show_head(line, tree);
    else
        event_tree_clear(tree, line->leaf);
    return entry;
}
