#include "sim/core/timeout_line.h"

#include <stdlib.h>

void timeout_line_init(struct timeout_line *line, int64_t delay_ns,
                       uint32_t subject)
{
    *line = (struct timeout_line){
        .leaf = EVENT_NO_LEAF, .subject = subject, .delay_ns = delay_ns};
}

void timeout_line_done(struct timeout_line *line)
{
    free(line->entries);
    line->entries = NULL;
    line->capacity = 0;
}

__attribute__((noinline, cold)) static bool grow(struct timeout_line *line,
                                                 struct event_tree *tree)
{
    uint32_t capacity = line->capacity ? 2 * line->capacity : 64;
    struct timeout_entry *entries = calloc(capacity, sizeof *entries);

    if (!entries)
        return false;
    if (line->leaf == EVENT_NO_LEAF)
        line->leaf = event_tree_take(tree, line->subject);
    if (line->leaf == EVENT_NO_LEAF) {
        free(entries);
        return false;
    }
    for (uint32_t i = 0; i < line->count; i++)
        entries[i] = line->entries[(line->head + i) & (line->capacity - 1)];
    free(line->entries);
    line->entries = entries;
    line->capacity = capacity;
    line->head = 0;
    return true;
}

bool timeout_line_push(struct timeout_line *line, struct event_tree *tree,
                       int64_t now_ns, uint32_t request, uint32_t epoch)
{
    uint32_t at;

    if (line->count == line->capacity && !grow(line, tree))
        return false;
    at = (line->head + line->count++) & (line->capacity - 1);
    line->entries[at] = (struct timeout_entry){
        .at_ns = now_ns < INT64_MAX - line->delay_ns ? now_ns + line->delay_ns
                                                     : INT64_MAX - 1,
        .request = request,
        .epoch = epoch};
    if (!line->armed)
        timeout_line_arm(line, tree);
    return true;
}

void timeout_line_disarm(struct timeout_line *line, struct event_tree *tree)
{
    line->armed = false;
    event_tree_clear(tree, line->leaf);
}

void timeout_line_arm(struct timeout_line *line, struct event_tree *tree)
{
    line->armed = true;
    event_tree_set(tree, line->leaf, line->entries[line->head].at_ns,
                   RANK_TIMEOUT);
}
