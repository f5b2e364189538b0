/*
 * bound.h - how much of what is in flight one node may hold.
 *
 * Mirrokni, Thorup, Zadimoghaddam, "Consistent Hashing with Bounded Loads",
 * SODA 2018: no node takes more than a factor times its fair share, counting
 * the request that is being placed. That product is rarely whole, and here
 * proxies differ; the factor is in hundredths:
 *
 *     paper    each share rounded up; a node with fewer in flight has room
 *     haproxy  the whole is rounded up and cut by cumulative weights, so that
 *              shares sum to it; the same room (src/lb_chash.c)
 *     envoy    the whole is rounded up, then each share; a node with no more in
 *              flight than its share has room, so it ends at one above it
 *              (thread_aware_lb_impl.cc)
 *
 * A share is at least 1. Shares are cut between the members that are not
 * unhealthy or draining, or between all if none is left; what the others still
 * hold counts in the whole.
 */
#ifndef POLICIES_BOUND_H
#define POLICIES_BOUND_H

#include "policies/lbp.h"

enum lbp_bound_rule { LBP_BOUND_PAPER, LBP_BOUND_HAPROXY, LBP_BOUND_ENVOY };

struct lbp_bound {
    enum lbp_bound_rule rule;
    uint32_t percent; /* of the fair share, 100 or more */
    uint32_t slot_count;
    uint64_t weight;   /* of all that share; 0: nobody */
    uint64_t before[]; /* [slot_count] weight of those before each slot */
};

/* For on_members. NULL: no memory. Give it back with host->release. */
struct lbp_bound *lbp_bound_build(const struct lbp_view *view,
                                  enum lbp_bound_rule rule, uint32_t percent,
                                  const struct lbp_host *host);

/* What all nodes together may hold with one more request, in hundredths. */
uint64_t lbp_bound_whole(const struct lbp_bound *bound,
                         const struct lbp_view *view);

/* The share of a slot in the whole, in requests, 1 or more. */
uint64_t lbp_bound_share(const struct lbp_bound *bound,
                         const struct lbp_view *view, uint32_t slot,
                         uint64_t whole);

/* Whether a slot may take one more. */
bool lbp_bound_has_room(const struct lbp_bound *bound,
                        const struct lbp_view *view, uint32_t slot,
                        uint64_t whole);

#endif
