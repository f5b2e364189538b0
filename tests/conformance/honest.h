/*
 * honest.h - a policy that keeps the contract, for those beside it to break.
 *
 * Fewest of its own requests under way, then the longest ago in turn. Each
 * source of this folder includes it, breaks one promise, and says in its first
 * line in which check of 'lbsim policies --check' that must show: there, and
 * nowhere else.
 */
#ifndef TESTS_CONFORMANCE_HONEST_H
#define TESTS_CONFORMANCE_HONEST_H

#include "policies/explain.h"
#include "policies/lbp.h"

#include <string.h>

struct honest {
    const struct lbp_host *host;
    uint32_t slot_count;
    uint32_t next;         /* where the turn goes on */
    uint32_t *sent;        /* [slot_count] under way */
    uint32_t *generations; /* [slot_count] of whom they are under way at */
    uint64_t extra;        /* for those that break something */
};

static inline void *honest_create(const void *config,
                                  const struct lbp_host *host)
{
    struct honest *honest = host->allocate(host->context, sizeof *honest);

    (void)config;
    if (honest)
        *honest = (struct honest){.host = host};
    return honest;
}

static inline void honest_destroy(void *state)
{
    struct honest *honest = state;

    if (!honest)
        return;
    honest->host->release(honest->host->context, honest->sent);
    honest->host->release(honest->host->context, honest->generations);
    honest->host->release(honest->host->context, honest);
}

static inline bool honest_on_members(void *state, const struct lbp_view *view)
{
    struct honest *honest = state;
    const struct lbp_host *host = honest->host;
    size_t size = view->slot_count * sizeof(uint32_t);
    uint32_t *sent = host->allocate(host->context, size);
    uint32_t *generations = host->allocate(host->context, size);

    if (!sent || !generations) {
        host->release(host->context, sent);
        host->release(host->context, generations);
        return false;
    }
    for (uint32_t slot = 0; slot < view->slot_count; slot++) {
        generations[slot] = lbp_node_at(view, slot)->generation;
        sent[slot] = slot < honest->slot_count &&
                             honest->generations[slot] == generations[slot]
                         ? honest->sent[slot]
                         : 0;
    }
    host->release(host->context, honest->sent);
    host->release(host->context, honest->generations);
    honest->sent = sent;
    honest->generations = generations;
    honest->slot_count = view->slot_count;
    return true;
}

/* Fewest under way, from the turn on; LBP_NO_SLOT without any. */
static inline uint32_t honest_choose(struct honest *honest,
                                     const struct lbp_request *request)
{
    uint32_t best = LBP_NO_SLOT;

    for (uint32_t i = 0; i < honest->slot_count; i++) {
        uint32_t slot = (honest->next + i) % honest->slot_count;

        if (lbp_eligible(request, slot) &&
            (best == LBP_NO_SLOT || honest->sent[slot] < honest->sent[best]))
            best = slot;
    }
    return best;
}

static inline enum lbp_status honest_answer(struct honest *honest,
                                            uint32_t slot, uint32_t *ret_slot)
{
    if (slot == LBP_NO_SLOT)
        return LBP_NO_NODE;
    honest->next = slot + 1;
    *ret_slot = slot;
    return LBP_PICKED;
}

static inline enum lbp_status honest_pick(void *state,
                                          const struct lbp_view *view,
                                          const struct lbp_request *request,
                                          uint32_t *ret_slot,
                                          struct lbp_explanation *explanation)
{
    uint32_t slot = honest_choose(state, request);

    (void)view;
    lbp_explain_start(explanation);
    return honest_answer(state, slot, ret_slot);
}

static inline void honest_on_sent(void *state, const struct lbp_view *view,
                                  const struct lbp_request *request,
                                  uint32_t slot)
{
    struct honest *honest = state;

    (void)view;
    (void)request;
    honest->sent[slot]++;
}

static inline void honest_on_done(void *state, const struct lbp_view *view,
                                  const struct lbp_request *request,
                                  uint32_t slot,
                                  const struct lbp_result *result)
{
    struct honest *honest = state;

    (void)view;
    (void)request;
    (void)result;
    honest->sent[slot]--;
}

static const struct lbp_ops honest_ops = {
    .abi = LBP_ABI,
    .size = sizeof(struct lbp_ops),
    .name = "honest",
    .summary = "fewest of its own requests under way",
    .tie_rule = "in turn",
    .create = honest_create,
    .destroy = honest_destroy,
    .on_members = honest_on_members,
    .pick = honest_pick,
    .on_sent = honest_on_sent,
    .on_done = honest_on_done,
};

/* The honest policy, with one callback replaced. */
#define HONEST_BUT(callback, function)                 \
    const struct lbp_ops *lbp_entry(uint32_t host_abi) \
    {                                                  \
        static struct lbp_ops ops;                     \
                                                       \
        ops = honest_ops;                              \
        ops.callback = function;                       \
        return host_abi == LBP_ABI ? &ops : NULL;      \
    }

#endif
