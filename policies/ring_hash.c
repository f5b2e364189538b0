/*
 * Ring hash: equal prompts go to the same node, so its caches stay warm.
 *
 * ring.h says how the ring is built. An ineligible owner is walked over: the
 * key goes to the next point whose node may take it, and returns when the
 * owner does. A request without a key is drawn among the eligible.
 */
#include "policies/explain.h"
#include "policies/hash.h"
#include "policies/lbp.h"
#include "policies/ring.h"

#define REPLICAS_MAX 65536

struct ring_hash_config {
    uint64_t replicas;
};

struct ring_hash {
    const struct lbp_host *host;
    struct lbp_ring *ring; /* NULL before the first on_members */
    uint32_t replicas;
};

static const struct lbp_param ring_hash_params[] = {
    {
        .name = "replicas",
        .help = "points on the ring per unit of weight; more points share "
                "more evenly",
        .kind = LBP_COUNT,
        .offset = offsetof(struct ring_hash_config, replicas),
        .min = 1,
        .max = REPLICAS_MAX,
        .preset = "100",
    },
    {.name = NULL},
};

static void *ring_hash_create(const void *config, const struct lbp_host *host)
{
    const struct ring_hash_config *chosen = config;
    struct ring_hash *hash = host->allocate(host->context, sizeof *hash);

    if (hash)
        *hash = (struct ring_hash){
            .host = host,
            .replicas = chosen ? (uint32_t)chosen->replicas : 100,
        };
    return hash;
}

static void ring_hash_destroy(void *state)
{
    struct ring_hash *hash = state;

    if (!hash)
        return;
    lbp_ring_destroy(hash->ring, hash->host);
    hash->host->release(hash->host->context, hash);
}

static bool ring_hash_on_members(void *state, const struct lbp_view *view)
{
    struct ring_hash *hash = state;
    struct lbp_ring *ring;

    if (hash->ring && lbp_ring_is_current(hash->ring, view, hash->replicas))
        return true; /* only health changed */
    ring = lbp_ring_build(view, hash->replicas, hash->ring, hash->host);
    if (!ring)
        return false;
    lbp_ring_destroy(hash->ring, hash->host);
    hash->ring = ring;
    return true;
}

static uint32_t draw(const struct ring_hash *hash,
                     const struct lbp_request *request,
                     struct lbp_explanation *explanation)
{
    const struct lbp_host *host = hash->host;
    uint32_t rank =
        (uint32_t)host->random_below(host->context, request->eligible_count);

    lbp_explain_reason(explanation, "no key", 1);
    return lbp_nth_eligible(request, rank);
}

/* The first eligible owner at or after a place on the ring. */
static uint32_t walk(const struct ring_hash *hash,
                     const struct lbp_request *request, uint32_t place,
                     struct lbp_explanation *explanation)
{
    const struct lbp_ring *ring = hash->ring;
    uint32_t at;

    if (!ring || ring->point_count == 0)
        return LBP_NO_SLOT;
    at = lbp_ring_find(ring, place);
    for (uint32_t step = 0; step < ring->point_count; step++) {
        uint32_t slot = ring->points[at].value;

        if (lbp_eligible(request, slot)) {
            lbp_explain_reason(explanation, step ? "walked" : "owner", 0);
            return slot;
        }
        at = at + 1 < ring->point_count ? at + 1 : 0;
    }
    return LBP_NO_SLOT;
}

static enum lbp_status ring_hash_pick(void *state, const struct lbp_view *view,
                                      const struct lbp_request *request,
                                      uint32_t *ret_slot,
                                      struct lbp_explanation *explanation)
{
    const struct ring_hash *hash = state;
    uint32_t slot;

    (void)view;
    lbp_explain_start(explanation);
    if (request->eligible_count == 0)
        return LBP_NO_NODE;
    if (request->eligible_count == 1)
        slot = lbp_nth_eligible(request, 0); /* the walk could be long */
    else if (request->key)
        slot = walk(hash, request,
                    lbp_hash_md5_32(request->key, request->key_length),
                    explanation);
    else if (request->key_hash != 0) /* the host tells no more than this */
        slot = walk(hash, request, (uint32_t)(request->key_hash >> 32),
                    explanation);
    else
        slot = draw(hash, request, explanation);
    if (slot == LBP_NO_SLOT)
        return LBP_NO_NODE;
    *ret_slot = slot;
    return LBP_PICKED;
}

const struct lbp_ops policy_ring_hash = {
    .abi = LBP_ABI,
    .size = sizeof(struct lbp_ops),
    .name = "ring_hash",
    .summary = "equal keys to the same node, by a consistent-hash ring",
    .tie_rule = "points that coincide stand in the order of their nodes' keys",
    .params = ring_hash_params,
    .config_size = sizeof(struct ring_hash_config),
    .needs = LBP_NEEDS_KEY,
    .create = ring_hash_create,
    .destroy = ring_hash_destroy,
    .on_members = ring_hash_on_members,
    .pick = ring_hash_pick,
};
LBP_ENTRY(policy_ring_hash)
