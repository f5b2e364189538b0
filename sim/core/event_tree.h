/*
 * The event list: leaves in a binary winner tree.
 *
 * Whatever can have at most one pending event owns a leaf: a request in
 * service, a health check, a timer, the head of a delay line. Setting a leaf
 * inserts, moves and cancels alike, climbs log2(leaves) levels without a branch
 * that could be mispredicted, and leaves nothing stale behind. Up to a few
 * thousand pending events this beats every heap and calendar queue that we
 * measured. What changes at every other event and is alone of its kind, the
 * next arrival, is better kept beside the tree: event_tree_key makes its key.
 *
 * Events have a total order: time, then rank, then order of scheduling, packed
 * into one 128-bit key:
 *
 *     time 64 | rank 4 | sequence 40 | leaf 20
 *
 * so at most 2^20 events are pending and 2^40 are scheduled in a run.
 */
#ifndef SIM_CORE_EVENT_TREE_H
#define SIM_CORE_EVENT_TREE_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Ranks: at one instant work finishes before work arrives, and observers look
 * last.
 */
enum event_rank {
    RANK_DONE,
    RANK_FAULT,
    RANK_HEALTH,
    RANK_REPORT,
    RANK_NODE_ARRIVAL,
    RANK_ARRIVAL,
    RANK_TIMEOUT,
    RANK_TIMER,
    RANK_SAMPLE
};

#define EVENT_NEVER INT64_MAX
#define EVENT_MAX_LEAVES (1u << 20)
#define EVENT_NO_LEAF UINT32_MAX

struct event_key {
    uint64_t time_ns;
    uint64_t order; /* rank, sequence, leaf */
};

struct event_tree {
    /* Keys, [2 * leaf_count]: [1] is the winner, the leaves start at
       leaf_count, above each pair its smaller one: i wins over 2 i and 2 i + 1.
       Two arrays, because an index times 8 is part of an address and an index
       times 16 takes instructions of its own at each level. */
    uint64_t *times_ns, *orders;
    uint32_t *subjects;    /* [leaf_count] what the leaf's event is about */
    uint32_t *free_leaves; /* [free_count] a stack */
    uint32_t leaf_count;   /* 2 or more */
    uint32_t free_count;
    uint64_t sequence;
};

/* Room for that many leaves at first. false: no memory. */
bool event_tree_init(struct event_tree *tree, uint32_t expected_leaves);
void event_tree_done(struct event_tree *tree);

/* A leaf of one's own, not pending; the tree grows when none is free.
   EVENT_NO_LEAF: no memory, or 2^20 are taken. */
uint32_t event_tree_take(struct event_tree *tree, uint32_t subject);

/* 2^20 leaves are taken: another take finds none, whatever memory there is. */
static inline bool event_tree_is_full(const struct event_tree *tree)
{
    return tree->leaf_count == EVENT_MAX_LEAVES && tree->free_count == 0;
}

static inline uint32_t event_rank_of(struct event_key key)
{
    return (uint32_t)(key.order >> 60);
}

static inline uint32_t event_leaf_of(struct event_key key)
{
    return (uint32_t)(key.order & (EVENT_MAX_LEAVES - 1));
}

/* The next sequence number: for events that wait elsewhere, such as in a
   delay line, and keep the place in the order that they were given. */
static inline uint64_t event_tree_reserve(struct event_tree *tree)
{
    return tree->sequence++;
}

__extension__ typedef unsigned __int128 event_order;

static inline event_order event_key_order(struct event_key key)
{
    return (event_order)key.time_ns << 64 | key.order;
}

#define EVENT_EVEN_CHANCE(condition) \
    __builtin_expect_with_probability((condition), 1, 0.5)

/* A whole program's inliner would rather share one copy of what follows: called
   at each level of a climb, it costs a tenth of a run. */
#define EVENT_INLINE static inline __attribute__((always_inline))

/*
 * The smaller of two keys. Which it is cannot be predicted, and said so, it
 * becomes two conditional moves and no branch.
 */
EVENT_INLINE struct event_key event_key_min(struct event_key a,
                                            struct event_key b)
{
    bool second = event_key_order(b) < event_key_order(a);

    a.time_ns = EVENT_EVEN_CHANCE(second) ? b.time_ns : a.time_ns;
    a.order = EVENT_EVEN_CHANCE(second) ? b.order : a.order;
    return a;
}

/* The key at a place of the tree. */
static inline struct event_key event_tree_read(const struct event_tree *tree,
                                               size_t i)
{
    struct event_key key = {tree->times_ns[i], tree->orders[i]};

    return key;
}

/* When a leaf's event is due; UINT64_MAX: it is not pending. */
static inline uint64_t event_tree_time_ns(const struct event_tree *tree,
                                          uint32_t leaf)
{
    return tree->times_ns[(size_t)tree->leaf_count + leaf];
}

static inline void event_tree_write(struct event_tree *tree, size_t i,
                                    struct event_key key)
{
    tree->times_ns[i] = key.time_ns;
    tree->orders[i] = key.order;
}

/* Writes a leaf's key, and all the way up the smaller one of each pair. */
EVENT_INLINE void event_tree_put(struct event_tree *tree, uint32_t leaf,
                                 struct event_key key)
{
    size_t i = (size_t)tree->leaf_count + leaf;

    assert(leaf < tree->leaf_count);
    event_tree_write(tree, i, key);
    while (i > 1) {
        key = event_key_min(key, event_tree_read(tree, i ^ 1));
        i >>= 1;
        event_tree_write(tree, i, key);
    }
}

/* The key of an event that is scheduled now; leaf 0 for one beside the tree. */
static inline struct event_key event_tree_key(struct event_tree *tree,
                                              uint32_t leaf, int64_t time_ns,
                                              enum event_rank rank)
{
    struct event_key key = {(uint64_t)time_ns, (uint64_t)rank << 60 |
                                                   tree->sequence++ << 20 |
                                                   leaf};

    return key;
}

/* Schedules the leaf's event; moves it when it was pending. */
static inline void event_tree_set(struct event_tree *tree, uint32_t leaf,
                                  int64_t time_ns, enum event_rank rank)
{
    event_tree_put(tree, leaf, event_tree_key(tree, leaf, time_ns, rank));
}

/* As set, with a sequence number reserved earlier. */
static inline void event_tree_set_reserved(struct event_tree *tree,
                                           uint32_t leaf, int64_t time_ns,
                                           enum event_rank rank,
                                           uint64_t sequence)
{
    struct event_key key = {(uint64_t)time_ns,
                            (uint64_t)rank << 60 | sequence << 20 | leaf};

    event_tree_put(tree, leaf, key);
}

static inline void event_tree_clear(struct event_tree *tree, uint32_t leaf)
{
    struct event_key never = {EVENT_NEVER, UINT64_MAX};

    event_tree_put(tree, leaf, never);
}

/* Gives a leaf back; it must not be pending. */
static inline void event_tree_give(struct event_tree *tree, uint32_t leaf)
{
    tree->free_leaves[tree->free_count++] = leaf;
}

/* The first event; its time is EVENT_NEVER when nothing is pending. It stays
   pending until its leaf is set, cleared or given another time. */
static inline struct event_key event_tree_first(const struct event_tree *tree)
{
    return event_tree_read(tree, 1);
}

#endif
