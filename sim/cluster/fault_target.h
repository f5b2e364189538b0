/*
 * Whom a fault strikes, as users write it:
 *
 *     gpu[2]          one node, counted from 0 in its group
 *     gpu[0-2]        several, also gpu[0,4,6-8]
 *     gpu[*]          a whole group
 *     zone a          all nodes of a zone, whatever their group; also zone:a
 *     *               every node
 *     30 % of gpu     a share of them, drawn by the seed; at least one
 *     2 of zone a     so many of them, drawn likewise
 *
 * and several of these with commas between them. Balancers are named by their
 * numbers alone: 0, 0-2, 50 %, *.
 *
 * Nodes are numbered through all groups, in order. A target is kept as
 * stretches of these numbers, so that a group of a million costs as much as
 * one node until it is resolved.
 */
#ifndef SIM_CLUSTER_FAULT_TARGET_H
#define SIM_CLUSTER_FAULT_TARGET_H

#include "workloads/rng.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct group_spec;

/* first, first + stride, ...: `count` of them. */
struct fault_stretch {
    uint32_t first, count, stride;
};

/* All of some stretches, or some of them: by share, or by count. */
enum fault_pick_kind { FAULT_PICK_ALL, FAULT_PICK_SHARE, FAULT_PICK_COUNT };
struct fault_pick {
    enum fault_pick_kind kind;
    double share;   /* 0 to 1 */
    uint32_t count; /* at most as many as there are */
    uint32_t first_stretch, stretch_count;
};

struct fault_target {
    const struct fault_pick *picks;        /* [pick_count] */
    const struct fault_stretch *stretches; /* of all picks */
    uint32_t pick_count;
};

enum { FAULT_PICKS_MAX = 32, FAULT_STRETCHES_MAX = 512 };

/* A target with room for what is read; the caller may copy it away. */
struct fault_target_text {
    struct fault_target target; /* points into the arrays below */
    struct fault_pick picks[FAULT_PICKS_MAX];
    struct fault_stretch stretches[FAULT_STRETCHES_MAX];
    uint32_t stretch_count;
};

/* What is wrong with a text: which part of it, and the group that it is about
   where there is one. */
enum fault_flaw {
    FAULT_FLAW_NONE,
    FAULT_FLAW_FORM,     /* cannot be read */
    FAULT_FLAW_NO_GROUP, /* of that name */
    FAULT_FLAW_NO_ZONE,  /* of that name */
    FAULT_FLAW_BARE,     /* a group of several nodes without a number */
    FAULT_FLAW_NO_NODE,  /* of that number */
    FAULT_FLAW_TOO_FEW,  /* more are to be drawn than there are, or none */
    FAULT_FLAW_TOO_LONG
};
struct fault_flaw_at {
    enum fault_flaw flaw;
    const char *text; /* the part, not terminated */
    size_t length;
    uint32_t group;
};

/* Reads a target among the nodes of the groups. false: *ret_flaw says why. */
bool fault_target_read(const char *text, const struct group_spec *groups,
                       uint32_t group_count, struct fault_target_text *ret,
                       struct fault_flaw_at *ret_flaw);

/* The same for balancers, of which there are `count`. */
bool fault_target_read_balancers(const char *text, uint32_t count,
                                 struct fault_target_text *ret,
                                 struct fault_flaw_at *ret_flaw);

/* Whether it leaves nothing to chance. */
bool fault_target_is_fixed(const struct fault_target *target);

/* The only node, or UINT32_MAX: it is of several, or drawn. */
uint32_t fault_target_only(const struct fault_target *target);

/* How many nodes it strikes at most: overlaps counted twice. */
uint64_t fault_target_size(const struct fault_target *target);

/* Whether some node may be struck by both. */
bool fault_targets_meet(const struct fault_target *a,
                        const struct fault_target *b);

/*
 * Marks whom it strikes in bits, of which there are as many as nodes, a word
 * for 64 of them; bits that are set stay. scratch: as many words, of any
 * content. Draws from rng only where something is to be drawn.
 */
void fault_target_resolve(const struct fault_target *target, struct rng *rng,
                          uint32_t node_count, uint64_t *bits,
                          uint64_t *scratch);

/* Draws so many out of [0, count), each set equally likely; chosen must be
   count or fewer. Calls take(context, i) for each, in rising order. */
void fault_draw_some(struct rng *rng, uint32_t count, uint32_t chosen,
                     void (*take)(void *context, uint32_t i), void *context);

#endif
