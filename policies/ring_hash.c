/*
 * Ring hash: equal prompts go to the same node, so its caches stay warm.
 *
 * ring.h says how the ring is built. An ineligible owner is walked over: the
 * key goes to the next point whose node may take it, and returns when the
 * owner does. A request without a key is drawn among the eligible.
 *
 * With bounded_load a node that holds its share of what is in flight (bound.h)
 * is walked over too, so that a hot key spills to the next nodes on the ring.
 * Should all that may take a request be full, the least full of them does.
 */
#include "policies/bound.h"
#include "policies/explain.h"
#include "policies/hash.h"
#include "policies/lbp.h"
#include "policies/ring.h"

#define REPLICAS_MAX 65536

#define LOAD_MAX 100

struct ring_hash_config {
    uint64_t replicas;
    double bounded_load; /* NaN: off */
    uint32_t bound_rule; /* enum lbp_bound_rule */
};

struct ring_hash {
    const struct lbp_host *host;
    struct lbp_ring *ring;   /* NULL before the first on_members */
    struct lbp_bound *bound; /* the same, or off */
    uint32_t replicas;
    uint32_t percent; /* of the fair share; 0: no bound */
    enum lbp_bound_rule bound_rule;
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
    {
        .name = "bounded_load",
        .help =
            "a node takes at most so many times its fair share of what is "
            "in flight, such as 1.25 (two decimals count); the rest goes on "
            "along the ring",
        .kind = LBP_REAL,
        .offset = offsetof(struct ring_hash_config, bounded_load),
        .min = 1,
        .max = LOAD_MAX,
    },
    {
        .name = "bound_rule",
        .help = "how shares are rounded: each up; so that they sum to the "
                "whole; or each up, and one more is let in",
        .kind = LBP_CHOICE,
        .offset = offsetof(struct ring_hash_config, bound_rule),
        .preset = "paper",
        .like = "Mirrokni et al. 2018",
        .choices = "paper|haproxy|envoy",
    },
    {.name = NULL},
};

static const char *ring_hash_check(const void *config)
{
    const struct ring_hash_config *chosen = config;

    if (chosen->bound_rule != LBP_BOUND_PAPER && !(chosen->bounded_load >= 1))
        return "bound_rule says how bounded_load is shared; set that as well";
    return NULL;
}

static void *ring_hash_create(const void *config, const struct lbp_host *host)
{
    const struct ring_hash_config *chosen = config;
    struct ring_hash *hash = host->allocate(host->context, sizeof *hash);

    if (!hash)
        return NULL;
    *hash = (struct ring_hash){.host = host, .replicas = 100};
    if (!chosen)
        return hash;
    hash->replicas = (uint32_t)chosen->replicas;
    hash->bound_rule = (enum lbp_bound_rule)chosen->bound_rule;
    if (chosen->bounded_load >= 1)
        hash->percent = (uint32_t)(chosen->bounded_load * 100 + 0.5);
    return hash;
}

static void ring_hash_destroy(void *state)
{
    struct ring_hash *hash = state;

    if (!hash)
        return;
    lbp_ring_destroy(hash->ring, hash->host);
    hash->host->release(hash->host->context, hash->bound);
    hash->host->release(hash->host->context, hash);
}

/* Builds the ring anew, unless only health changed. false: no memory. */
static bool update_ring(struct ring_hash *hash, const struct lbp_view *view)
{
    struct lbp_ring *ring;

    if (hash->ring && lbp_ring_is_current(hash->ring, view, hash->replicas))
        return true;
    ring = lbp_ring_build(view, hash->replicas, hash->ring, hash->host);
    if (!ring)
        return false;
    lbp_ring_destroy(hash->ring, hash->host);
    hash->ring = ring;
    return true;
}

static bool ring_hash_on_members(void *state, const struct lbp_view *view)
{
    struct ring_hash *hash = state;
    const struct lbp_host *host = hash->host;
    struct lbp_bound *bound;

    if (hash->percent == 0)
        return update_ring(hash, view);
    bound = lbp_bound_build(view, hash->bound_rule, hash->percent, host);
    if (!bound || !update_ring(hash, view)) {
        host->release(host->context, bound);
        return false;
    }
    host->release(host->context, hash->bound);
    hash->bound = bound;
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

/* Where the key stands on the ring; without a key 0. Some hosts tell no more
   than a hash. */
static uint32_t place_of(const struct lbp_request *request)
{
    if (request->key)
        return lbp_hash_md5_32(request->key, request->key_length);
    return (uint32_t)(request->key_hash >> 32);
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

/* --- with a bound ----------------------------------------------------------
 */

/* Eligible, and not full. */
static bool may_take(const struct ring_hash *hash, const struct lbp_view *view,
                     const struct lbp_request *request, uint32_t slot,
                     uint64_t whole)
{
    return lbp_eligible(request, slot) &&
           lbp_bound_has_room(hash->bound, view, slot, whole);
}

/* The first slot from `from` on that is not full, past the end from 0. */
static uint32_t next_with_room(const struct ring_hash *hash,
                               const struct lbp_view *view,
                               const struct lbp_request *request, uint32_t from,
                               uint64_t whole)
{
    for (uint32_t i = 0; i < view->slot_count; i++) {
        uint32_t slot = (from + i) % view->slot_count;

        if (may_take(hash, view, request, slot, whole))
            return slot;
    }
    return LBP_NO_SLOT;
}

/* The eligible slot with the least in flight for its share, the lowest among
   equals. */
static uint32_t least_full(const struct ring_hash *hash,
                           const struct lbp_view *view,
                           const struct lbp_request *request, uint64_t whole)
{
    uint32_t best = LBP_NO_SLOT;
    uint64_t best_share = 1;

    for (uint32_t slot = 0; slot < view->slot_count; slot++) {
        uint64_t share;

        if (!lbp_eligible(request, slot))
            continue;
        share = lbp_bound_share(hash->bound, view, slot, whole);
        if (best != LBP_NO_SLOT &&
            view->in_flight[slot] * best_share >= view->in_flight[best] * share)
            continue;
        best = slot;
        best_share = share;
    }
    return best;
}

/*
 * The first owner at or after a place on the ring that is not full. Rings have
 * far more points than nodes: after as many steps as there are nodes it makes
 * sure that there is somebody to be found.
 */
static uint32_t walk_to_room(const struct ring_hash *hash,
                             const struct lbp_view *view,
                             const struct lbp_request *request, uint32_t place,
                             uint64_t whole)
{
    const struct lbp_ring *ring = hash->ring;
    uint32_t at = lbp_ring_find(ring, place);

    for (uint32_t step = 0; step < ring->point_count; step++) {
        uint32_t slot = ring->points[at].value;

        if (may_take(hash, view, request, slot, whole))
            return slot;
        if (step == view->slot_count &&
            next_with_room(hash, view, request, 0, whole) == LBP_NO_SLOT)
            return LBP_NO_SLOT;
        at = at + 1 < ring->point_count ? at + 1 : 0;
    }
    return LBP_NO_SLOT;
}

/* Where it goes without a bound is first; then where there is room. */
static uint32_t spill(const struct ring_hash *hash, const struct lbp_view *view,
                      const struct lbp_request *request, uint32_t first,
                      uint32_t place, bool placed,
                      struct lbp_explanation *explanation)
{
    uint64_t whole = lbp_bound_whole(hash->bound, view);
    uint32_t slot;

    if (lbp_bound_has_room(hash->bound, view, first, whole))
        return first;
    slot = placed ? walk_to_room(hash, view, request, place, whole)
                  : next_with_room(hash, view, request, first, whole);
    if (explanation)
        explanation->reason = slot == LBP_NO_SLOT ? "all full" : "spilled";
    return slot == LBP_NO_SLOT ? least_full(hash, view, request, whole) : slot;
}

static enum lbp_status ring_hash_pick(void *state, const struct lbp_view *view,
                                      const struct lbp_request *request,
                                      uint32_t *ret_slot,
                                      struct lbp_explanation *explanation)
{
    const struct ring_hash *hash = state;
    bool placed = request->key || request->key_hash != 0;
    uint32_t place, slot;

    lbp_explain_start(explanation);
    if (request->eligible_count == 0)
        return LBP_NO_NODE;
    if (request->eligible_count == 1) { /* the walk could be long */
        *ret_slot = lbp_nth_eligible(request, 0);
        return LBP_PICKED;
    }
    place = place_of(request);
    slot = placed ? walk(hash, request, place, explanation)
                  : draw(hash, request, explanation);
    if (slot == LBP_NO_SLOT)
        return LBP_NO_NODE;
    if (hash->bound)
        slot = spill(hash, view, request, slot, place, placed, explanation);
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
    .check = ring_hash_check,
    .create = ring_hash_create,
    .destroy = ring_hash_destroy,
    .on_members = ring_hash_on_members,
    .pick = ring_hash_pick,
};
LBP_ENTRY(policy_ring_hash)
