/*
 * ring.h - a consistent-hash ring, and what one can ask of it.
 *
 * Karger et al., "Consistent Hashing and Random Trees", STOC 1997. The ring
 * is [0, 2^32). A node stands on it with `replicas` points per unit of
 * weight; point j is the first four bytes, big-endian, of MD5(key "#" j), j
 * from 0 in decimal. A hash belongs to the first point at or after it, past
 * the end to the first of all. Points that coincide stand in the order of
 * their nodes' keys, byte by byte, so every balancer builds the same ring.
 *
 * A node that joins takes over arcs and moves nothing between others; so does
 * one that leaves. Points of nodes that stay are merged from the old ring and
 * not computed again.
 *
 * With V points each, the share of one of N nodes has a relative standard
 * deviation of sqrt((N - 1) / (N V + 1)): 9 % at 8 nodes and 100 points.
 */
#ifndef POLICIES_RING_H
#define POLICIES_RING_H

#include "policies/lbp.h"
#include "policies/order.h"

/* More points than this are never made: then every node has fewer, in
   proportion. The largest ring that Envoy allows by default. */
#define LBP_RING_MAX_POINTS 8388608u

struct lbp_ring_node {
    uint32_t generation;
    uint32_t points; /* 0: not on the ring */
};

struct lbp_ring {
    struct lbp_pair *points; /* [point_count] hash and slot, in ring order */
    uint32_t *index;         /* [2^(32 - shift)] first point whose hash has this
                                prefix or a later one */
    struct lbp_ring_node *nodes; /* [slot_count] */
    uint32_t point_count;
    uint32_t slot_count;
    unsigned shift;
};

/*
 * The ring of the view's members, by weight (weight_factor is left out: a
 * warm-up would move keys with every step). old may be NULL; it is only read.
 * replicas is 1 or more. NULL: no memory.
 */
struct lbp_ring *lbp_ring_build(const struct lbp_view *view, uint32_t replicas,
                                const struct lbp_ring *old,
                                const struct lbp_host *host);
void lbp_ring_destroy(struct lbp_ring *ring, const struct lbp_host *host);

/* How many points building from this view would give to a slot. */
uint32_t lbp_ring_points(const struct lbp_view *view, uint32_t replicas,
                         uint32_t slot);

/* Whether building from this view would yield the same ring again. */
bool lbp_ring_is_current(const struct lbp_ring *ring,
                         const struct lbp_view *view, uint32_t replicas);

/* Index of the point that owns hash; the ring has a point. */
static inline uint32_t lbp_ring_find(const struct lbp_ring *ring, uint32_t hash)
{
    uint32_t at = ring->index[hash >> ring->shift];

    while (at < ring->point_count && ring->points[at].key < hash)
        at++;
    return at < ring->point_count ? at : 0;
}

/*
 * The share of the hash space that each slot owns, exactly up to rounding:
 * ret_shares[slot_count], summing to 1 unless the ring is empty.
 */
void lbp_ring_shares(const struct lbp_ring *ring, double *ret_shares);

/* The largest of those shares over their mean, counting the nodes that are on
   the ring; 0: nobody is. */
double lbp_ring_max_over_mean(const struct lbp_ring *ring,
                              const double *shares);

/* How ownership changed, as shares of the hash space. */
struct lbp_ring_change {
    double moved;    /* other owner than before */
    double needless; /* of these: from and to nodes that are in both rings */
};

/* Compares two rings by slot and generation. Both have points. */
struct lbp_ring_change lbp_ring_compare(const struct lbp_ring *before,
                                        const struct lbp_ring *after);

#endif
