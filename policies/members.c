#include "policies/members.h"

#include <string.h>

static size_t words_for(uint32_t slot_count)
{
    return slot_count / 64 + (slot_count % 64 > 0);
}

/* Makes room for slot_count slots, in one block; false: no memory. */
static bool make_room(struct lbp_members *members, uint32_t slot_count,
                      const struct lbp_host *host)
{
    size_t words = words_for(slot_count);
    uint64_t *bits =
        host->allocate(host->context, words * sizeof *bits +
                                          slot_count * sizeof *members->slots);

    if (!bits)
        return false;
    host->release(host->context, members->bits);
    members->bits = bits;
    members->slots = (void *)(bits + words);
    members->capacity = slot_count;
    return true;
}

bool lbp_members_update(struct lbp_members *members,
                        const struct lbp_view *view,
                        const struct lbp_host *host)
{
    if (view->slot_count > members->capacity &&
        !make_room(members, view->slot_count, host))
        return false;
    members->count = 0;
    if (members->capacity > 0)
        memset(members->bits, 0,
               words_for(members->capacity) * sizeof *members->bits);
    for (uint32_t slot = 0; slot < view->slot_count; slot++) {
        const struct lbp_node *node = lbp_node_at(view, slot);

        if (node->key_length == 0 || node->weight == 0)
            continue;
        members->slots[members->count++] = slot;
        members->bits[slot / 64] |= (uint64_t)1 << slot % 64;
    }
    return true;
}

void lbp_members_done(struct lbp_members *members, const struct lbp_host *host)
{
    host->release(host->context, members->bits);
    *members = (struct lbp_members){0};
}

uint32_t lbp_members_nth_of_some(const struct lbp_members *members,
                                 const struct lbp_request *request,
                                 uint32_t rank)
{
    uint32_t missing = members->count - request->eligible_count;
    const uint32_t *answer;

    /* Many; or, against the contract, an eligible node that is no member. */
    if (missing == 0 || missing > members->count / 64)
        return lbp_nth_eligible(request, rank);
    answer = &members->slots[rank];
    for (uint32_t word = 0; word <= *answer / 64; word++) {
        uint64_t gone = members->bits[word] & ~request->eligible[word];

        for (; gone; gone &= gone - 1) {
            uint32_t slot = word * 64 + (uint32_t)__builtin_ctzll(gone);

            if (slot > *answer || missing == 0)
                return *answer;
            missing--;
            answer++;
        }
    }
    return *answer;
}
