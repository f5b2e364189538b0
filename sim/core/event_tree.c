#include "sim/core/event_tree.h"

#include <stdlib.h>
#include <string.h>

/* Puts every leaf from `from` on onto the stack, the lowest on top, so that
   leaves in use stay close together. */
static void free_from(struct event_tree *tree, uint32_t from)
{
    for (uint32_t leaf = tree->leaf_count; leaf-- > from;)
        tree->free_leaves[tree->free_count++] = leaf;
}

static void arrays_done(struct event_tree *tree)
{
    free(tree->times_ns);
    free(tree->orders);
    free(tree->subjects);
    free(tree->free_leaves);
}

static bool arrays_init(struct event_tree *tree, uint32_t leaf_count)
{
    *tree = (struct event_tree){
        .times_ns = calloc(2 * (size_t)leaf_count, sizeof *tree->times_ns),
        .orders = calloc(2 * (size_t)leaf_count, sizeof *tree->orders),
        .subjects = calloc(leaf_count, sizeof *tree->subjects),
        .free_leaves = calloc(leaf_count, sizeof *tree->free_leaves),
        .leaf_count = leaf_count,
    };
    if (tree->times_ns && tree->orders && tree->subjects && tree->free_leaves)
        return true;
    arrays_done(tree);
    return false;
}

/* All leaves of the old one keep their places among the new one's. */
static void copy_leaves(const struct event_tree *from, struct event_tree *to)
{
    struct event_key never = {EVENT_NEVER, UINT64_MAX};
    size_t old_count = from->leaf_count, count = to->leaf_count;

    for (size_t leaf = 0; leaf < count; leaf++)
        event_tree_write(
            to, count + leaf,
            leaf < old_count ? event_tree_read(from, old_count + leaf) : never);
    for (size_t i = count - 1; i > 0; i--)
        event_tree_write(to, i,
                         event_key_min(event_tree_read(to, 2 * i),
                                       event_tree_read(to, 2 * i + 1)));
    if (old_count > 0)
        memcpy(to->subjects, from->subjects, old_count * sizeof *to->subjects);
    to->sequence = from->sequence;
}

__attribute__((noinline, cold)) static bool grow(struct event_tree *tree,
                                                 uint32_t leaf_count)
{
    struct event_tree old = *tree;

    if (leaf_count > EVENT_MAX_LEAVES)
        leaf_count = EVENT_MAX_LEAVES;
    if (leaf_count == old.leaf_count)
        return false;
    if (!arrays_init(tree, leaf_count)) {
        *tree = old;
        return false;
    }
    copy_leaves(&old, tree);
    free_from(tree, old.leaf_count);
    arrays_done(&old);
    return true;
}

bool event_tree_init(struct event_tree *tree, uint32_t expected_leaves)
{
    *tree = (struct event_tree){0};
    return grow(tree, expected_leaves < 2 ? 2 : expected_leaves);
}

void event_tree_done(struct event_tree *tree)
{
    arrays_done(tree);
    *tree = (struct event_tree){0};
}

uint32_t event_tree_take(struct event_tree *tree, uint32_t subject)
{
    uint32_t leaf;

    if (tree->free_count == 0 && !grow(tree, 2 * tree->leaf_count))
        return EVENT_NO_LEAF;
    leaf = tree->free_leaves[--tree->free_count];
    tree->subjects[leaf] = subject;
    return leaf;
}
