/*
 * picks.h - which node was picked longest ago, for `ties: rotate`.
 *
 * A rotation that remembers a place in the list favours whoever stands behind
 * a gap. Remembering for every slot the turn of its last pick stays fair when
 * a node drops out of every second request.
 */
#ifndef POLICIES_PICKS_H
#define POLICIES_PICKS_H

#include "policies/lbp.h"

struct lbp_picks {
    uint64_t *turns; /* [capacity] of each slot's last pick, 0: never */
    uint32_t capacity;
    uint64_t turn; /* of the last pick */
};

/* Makes room for slot_count slots. For on_members; false: no memory, and what
   was remembered stands. A zeroed struct remembers nothing. */
bool lbp_picks_update(struct lbp_picks *picks, uint32_t slot_count,
                      const struct lbp_host *host);

void lbp_picks_done(struct lbp_picks *picks, const struct lbp_host *host);

/* Notes a pick, if there is room: without it nothing is remembered. */
static inline void lbp_picks_note(struct lbp_picks *picks, uint32_t slot)
{
    if (slot < picks->capacity)
        picks->turns[slot] = ++picks->turn;
}

/* Was slot a picked longer ago than b? The lower one, if neither ever was.
   Both are below the capacity. */
static inline bool lbp_picks_older(const struct lbp_picks *picks, uint32_t a,
                                   uint32_t b)
{
    if (picks->turns[a] == picks->turns[b])
        return a < b;
    return picks->turns[a] < picks->turns[b];
}

#endif
