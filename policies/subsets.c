#include "policies/subsets.h"

#include "policies/hash.h"

#include <string.h>

struct lbp_subsets *lbp_subsets_create(const struct lbp_host *host)
{
    struct lbp_subsets *subsets =
        host->allocate(host->context, sizeof *subsets);

    if (subsets)
        memset(subsets, 0, sizeof *subsets);
    return subsets;
}

static uint64_t hash_set(const struct lbp_request *request, uint32_t slot_count)
{
    size_t words = ((size_t)slot_count + 63) / 64;
    uint64_t hash =
        lbp_hash_xxh64(request->eligible, words * sizeof *request->eligible, 0);

    return hash ? hash : 1;
}

/* The cell with this hash, or the empty one where it belongs. */
static struct lbp_subset *find_cell(struct lbp_subsets *subsets, uint64_t hash)
{
    uint32_t at = (uint32_t)(hash % LBP_SUBSETS_CELLS);

    while (subsets->cells[at].hash != 0 && subsets->cells[at].hash != hash)
        at = (at + 1) % LBP_SUBSETS_CELLS;
    return &subsets->cells[at];
}

struct lbp_subset *lbp_subsets_of(struct lbp_subsets *subsets,
                                  const struct lbp_request *request,
                                  uint32_t slot_count, uint32_t next)
{
    uint64_t hash = hash_set(request, slot_count);
    struct lbp_subset *cell = find_cell(subsets, hash);

    if (cell->hash != 0)
        return cell;
    if (subsets->count == LBP_SUBSETS_MAX) {
        memset(subsets, 0, sizeof *subsets);
        cell = find_cell(subsets, hash);
    }
    subsets->count++;
    *cell = (struct lbp_subset){hash, next};
    return cell;
}
