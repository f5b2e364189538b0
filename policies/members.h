/*
 * members.h - the rank-th eligible node without counting bits.
 *
 * lbp_nth_eligible() counts bits word by word, which is fine for a few words
 * and slow for thousands of nodes. Most of the time every member is eligible,
 * and then the rank-th of them stands in a table that only a change of the
 * membership touches. When a few are missing, each that stands before the
 * answer moves it on by one; finding them takes a look at each word, but no
 * count.
 */
#ifndef POLICIES_MEMBERS_H
#define POLICIES_MEMBERS_H

#include "policies/lbp.h"

struct lbp_members {
    uint32_t *slots; /* [count] ascending: nodes that may become eligible */
    uint64_t *bits;  /* [ceil(capacity / 64)] the same as a set */
    uint32_t count;
    uint32_t capacity; /* slots there is room for */
};

/*
 * Reads the members from the view. For on_members; false: no memory, and the
 * old table stands. A zeroed struct is an empty one.
 */
bool lbp_members_update(struct lbp_members *members,
                        const struct lbp_view *view,
                        const struct lbp_host *host);

void lbp_members_done(struct lbp_members *members, const struct lbp_host *host);

/* The same as lbp_members_nth() when not all members are eligible. */
uint32_t lbp_members_nth_of_some(const struct lbp_members *members,
                                 const struct lbp_request *request,
                                 uint32_t rank);

/* The slot of the rank-th eligible node; rank is below eligible_count. */
static inline uint32_t lbp_members_nth(const struct lbp_members *members,
                                       const struct lbp_request *request,
                                       uint32_t rank)
{
    if (request->eligible_count == members->count) {
        uint32_t slot = members->slots[rank];

        if (lbp_eligible(request, slot))
            return slot;
    }
    return lbp_members_nth_of_some(members, request, rank);
}

/* Two different slots in the order of the draws; 2 or more are eligible. */
static inline void lbp_members_draw_two(const struct lbp_members *members,
                                        const struct lbp_request *request,
                                        const struct lbp_host *host,
                                        uint32_t *ret_pair)
{
    uint32_t count = request->eligible_count;
    uint32_t first = (uint32_t)host->random_below(host->context, count);
    uint32_t second = (uint32_t)host->random_below(host->context, count - 1);

    ret_pair[0] = lbp_members_nth(members, request, first);
    ret_pair[1] = lbp_members_nth(members, request, second + (second >= first));
}

#endif
