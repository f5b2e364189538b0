/*
 * conn_tree.h - the parts that conn_table.c is made of: levels and winner
 * trees. conn_table.h tells what they are for; nobody else includes this.
 *
 * The functions are inline because two of them run at every request sent and
 * every request answered.
 */
#ifndef POLICIES_CONN_TREE_H
#define POLICIES_CONN_TREE_H

#include "policies/conn_rule.h"

#define OUT UINT32_MAX /* in_flight of a node that is not in the tree */
#define NO_BAND UINT32_MAX

/*
 * What the matches of a tree compare, as one number: requests in flight (32
 * bits), credit counted down from the largest (64), slot (32). The lower wins,
 * no two are equal, and the winner's slot is in it.
 */
__extension__ typedef unsigned __int128 match_key;

struct node {
    int64_t credit;     /* in the tree: without the turns of its level */
    uint32_t in_flight; /* OUT: not in the tree */
    uint32_t level;     /* index into levels, while in the tree */
    uint32_t band;      /* NO_BAND: takes nothing */
    uint32_t leaf;      /* index into the tree of its band */
};

/*
 * Nodes of equal weight. Entry 1 of the tree is its root, entry i stands
 * above 2i and 2i + 1, and the second half are leaves.
 */
struct band {
    int64_t weight;     /* hundredths */
    match_key *winners; /* [2 * leaves] */
    uint32_t leaves;
    uint32_t in_flight; /* of the best, at the root */
};

/* Nodes of one band with equally many requests. */
struct level {
    int64_t turns;  /* how often every member has earned its weight */
    int64_t weight; /* of its band */
    uint32_t band;  /* NO_BAND: a free entry */
    uint32_t in_flight;
    uint32_t members;
};

struct conn_table {
    struct node *nodes;   /* [slot_count] */
    struct band *bands;   /* [band_count] */
    struct level *levels; /* [level_mask + 1] open addressing */
    match_key *winners;   /* [2 * slot_count] the trees, one after another */
    uint32_t *tied;       /* [band_count] scratch: bands that tie in a pick */
    uint64_t *usable;     /* [word_count] slots that have a band */
    uint64_t *inside;     /* [word_count] slots that are in the tree */
    uint32_t slot_count;
    uint32_t word_count;
    uint32_t band_count;
    uint32_t level_mask;
    uint32_t level_limit; /* levels in use that call for a rebuild */
    uint32_t levels_used;
    uint32_t unplayed; /* slot whose credit fell and whose path in the tree is
                          not yet played again, or LBP_NO_SLOT */
    bool stale;        /* counts must be read from the view */
    enum lbp_ties ties;
    int64_t turn; /* picks made, for `ties: rotate` */
};

/*
 * Levels. They stay when their last member leaves, because the next one may
 * come back soon; when the table fills up, everything is built anew.
 */

static inline uint32_t level_find(struct conn_table *table, uint32_t band,
                                  uint32_t in_flight)
{
    uint32_t hash = in_flight * 0x9E3779B1u + band * 0x85EBCA77u;
    uint32_t at = (hash ^ hash >> 15) & table->level_mask;

    for (;; at = (at + 1) & table->level_mask) {
        struct level *level = &table->levels[at];

        if (level->in_flight == in_flight && level->band == band)
            return at;
        if (level->band == NO_BAND) {
            *level = (struct level){.weight = table->bands[band].weight,
                                    .band = band,
                                    .in_flight = in_flight};
            table->levels_used++;
            return at;
        }
    }
}

static inline void levels_clear(struct conn_table *table)
{
    for (uint32_t i = 0; i <= table->level_mask; i++)
        table->levels[i].band = NO_BAND;
    table->levels_used = 0;
}

static inline void level_enter(struct conn_table *table, struct node *node,
                               uint32_t in_flight)
{
    struct level *level;

    node->level = level_find(table, node->band, in_flight);
    node->in_flight = in_flight;
    level = &table->levels[node->level];
    level->members++;
    node->credit -= level->turns * level->weight;
}

static inline void level_leave(struct conn_table *table, struct node *node)
{
    struct level *level = &table->levels[node->level];

    level->members--;
    node->credit += level->turns * level->weight;
    node->in_flight = OUT;
}

/* The credit of a node, with what the turns of its level earned it. */
static inline int64_t full_credit(const struct conn_table *table, uint32_t slot)
{
    const struct node *node = &table->nodes[slot];
    const struct level *level = &table->levels[node->level];

    if (node->in_flight == OUT)
        return node->credit;
    return node->credit + level->turns * level->weight;
}

/* Trees. */

static inline match_key key_of(const struct conn_table *table, uint32_t slot)
{
    const struct node *node = &table->nodes[slot];
    uint64_t missing = (uint64_t)INT64_MAX - (uint64_t)node->credit;

    return (match_key)node->in_flight << 96 | (match_key)missing << 32 | slot;
}

static inline uint32_t slot_of(match_key key)
{
    return (uint32_t)key;
}

/* Plays the matches on the path of a node that changed, up to the root. */
static inline void tree_play(struct conn_table *table, uint32_t slot)
{
    const struct node *node = &table->nodes[slot];
    struct band *band = &table->bands[node->band];
    match_key *winners = band->winners;
    match_key best = key_of(table, slot);

    winners[node->leaf] = best;
    for (size_t at = node->leaf; at > 1; at >>= 1) {
        match_key rival = winners[at ^ 1];

        best = rival < best ? rival : best;
        winners[at >> 1] = best;
    }
    band->in_flight = (uint32_t)(best >> 96);
}

static inline void tree_build(struct conn_table *table, struct band *band)
{
    match_key *winners = band->winners;

    for (size_t at = band->leaves; at < 2 * (size_t)band->leaves; at++)
        winners[at] = key_of(table, slot_of(winners[at]));
    for (size_t at = band->leaves - 1; at > 0; at--) {
        match_key left = winners[2 * at], right = winners[2 * at + 1];

        winners[at] = left < right ? left : right;
    }
    band->in_flight = (uint32_t)(winners[1] >> 96);
}

#endif
