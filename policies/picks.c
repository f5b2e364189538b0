#include "policies/picks.h"

bool lbp_picks_update(struct lbp_picks *picks, uint32_t slot_count,
                      const struct lbp_host *host)
{
    uint64_t *turns;

    if (slot_count <= picks->capacity)
        return true;
    turns = host->allocate(host->context, slot_count * sizeof *turns);
    if (!turns)
        return false;
    for (uint32_t slot = 0; slot < slot_count; slot++)
        turns[slot] = slot < picks->capacity ? picks->turns[slot] : 0;
    host->release(host->context, picks->turns);
    picks->turns = turns;
    picks->capacity = slot_count;
    return true;
}

void lbp_picks_done(struct lbp_picks *picks, const struct lbp_host *host)
{
    host->release(host->context, picks->turns);
    *picks = (struct lbp_picks){0};
}
