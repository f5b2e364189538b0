/*
 * subsets.h - one turn for each set of eligible nodes.
 *
 * A rotation that skips ineligible nodes gives their share to whoever stands
 * behind the gap. Where requests differ in which nodes may take them, each such
 * set gets a turn of its own instead, as in vLLM's production-stack router.
 *
 * Sets are told apart by XXH64 of their bits; were two ever to collide, they
 * would share a turn. At most LBP_SUBSETS_MAX are remembered: then all are
 * forgotten and the table fills anew. It takes 32 KiB.
 */
#ifndef POLICIES_SUBSETS_H
#define POLICIES_SUBSETS_H

#include "policies/lbp.h"

#define LBP_SUBSETS_MAX 1024u
#define LBP_SUBSETS_CELLS 2048u /* twice as many: half of them stay empty */

struct lbp_subset {
    uint64_t hash; /* of the set; 0: the cell is empty */
    uint32_t next; /* the turn, for whoever keeps it */
};

struct lbp_subsets {
    uint32_t count;
    struct lbp_subset cells[LBP_SUBSETS_CELLS]; /* a place after its hash */
};

/* Empty. NULL: no memory. Give it back with host->release. */
struct lbp_subsets *lbp_subsets_create(const struct lbp_host *host);

/*
 * The cell of the request's set of eligible nodes, out of slot_count slots. A
 * set that was not there yet begins with next. The pointer is good until the
 * next call.
 */
struct lbp_subset *lbp_subsets_of(struct lbp_subsets *subsets,
                                  const struct lbp_request *request,
                                  uint32_t slot_count, uint32_t next);

#endif
