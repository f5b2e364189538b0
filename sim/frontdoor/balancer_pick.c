/* What a balancer does for each attempt: it asks the policy, and counts. */
#include "sim/frontdoor/balancer.h"

#include "sim/core/clock.h"

#include <string.h>

/* Less what reading the clock itself takes. */
static enum lbp_status timed_pick(void *state, const struct lbp_view *view,
                                  const struct lbp_request *request,
                                  uint32_t *ret_slot,
                                  struct lbp_explanation *explanation)
{
    struct balancer *balancer =
        (struct balancer *)(void *)((char *)(uintptr_t)view -
                                    offsetof(struct balancer, view));
    int64_t first_ns = clock_now_ns();
    int64_t start_ns = clock_now_ns();
    enum lbp_status status =
        balancer->policy_ops->pick(state, view, request, ret_slot, explanation);
    int64_t taken_ns = clock_now_ns() - start_ns - (start_ns - first_ns);

    balancer->ops = balancer->policy_ops;
    balancer->timed_picks++;
    balancer->timed_ns += taken_ns > 0 ? (uint64_t)taken_ns : 0;
    return status;
}

void balancer_time_next_pick(struct balancer *balancer)
{
    balancer->timing_ops = *balancer->policy_ops;
    balancer->timing_ops.pick = timed_pick;
    balancer->ops = &balancer->timing_ops;
}

/* The key's text is written out only for a policy that asks for it. */
static void fill_key(struct balancer *balancer, const struct request_slab *slab,
                     uint32_t index)
{
    const struct request_key *key = request_key_at(slab, index);
    struct lbp_request *ask = &balancer->ask;

    ask->key_hash = key->hash;
    ask->key = NULL;
    ask->key_length = 0;
    if (key->hash == 0 || !(balancer->ops->needs & LBP_NEEDS_KEY))
        return;
    if (key->text) {
        ask->key = key->text;
        ask->key_length = (uint32_t)key->number_or_length;
        return;
    }
    ask->key_length = keys_text(key->number_or_length, balancer->key_text);
    ask->key = balancer->key_text;
}

/* The class's own deadline or the total time-out, what comes first. */
static void fill_class(struct balancer *balancer, const struct request *request)
{
    const struct workload_class *of = &balancer->classes[request->taken_for];
    struct lbp_request *ask = &balancer->ask;
    int64_t after_ns = of->deadline_ns;

    if (balancer->deadline_after_ns > 0 &&
        balancer->deadline_after_ns < after_ns)
        after_ns = balancer->deadline_after_ns;
    ask->request_class = request->taken_for;
    ask->model = request->model;
    ask->priority = (int32_t)of->priority;
    ask->deadline_ns = after_ns < INT64_MAX - request->arrived_at_ns
                           ? request->arrived_at_ns + after_ns
                           : LBP_NO_TIME;
}

/* Apart, so that where there are none the fewest instructions are spent. */
__attribute__((noinline)) static void
fill_the_rest(struct balancer *balancer, const struct request_slab *slab,
              const struct request *request, uint32_t index)
{
    if (slab->tried_per_request > 0)
        balancer->ask.attempt = request_retry_at(slab, index)->attempts;
    if (slab->with_keys)
        fill_key(balancer, slab, index);
    if (slab->with_doors)
        balancer->ask.tenant_hash = request_door_at(slab, index)->tenant_hash;
    if (slab->with_foresight)
        foresight_look(balancer, slab, index);
    if (balancer->deadline_after_ns > 0)
        balancer->ask.deadline_ns =
            balancer->ask.arrived_at_ns + balancer->deadline_after_ns;
    if (balancer->classes)
        fill_class(balancer, request);
}

/* Fields have the same values at pick, on_sent and on_done of an attempt. */
static const struct lbp_request *fill_ask(struct balancer *balancer,
                                          const struct request_slab *slab,
                                          struct request *request,
                                          uint32_t index)
{
    struct lbp_request *ask = &balancer->ask;

    ask->id = request->number;
    ask->input_tokens = request->input_tokens;
    ask->arrived_at_ns = request->arrived_at_ns;
    ask->note = request->note;
    if (slab->has_extras)
        fill_the_rest(balancer, slab, request, index);
    return ask;
}

static enum lbp_status ask_policy(struct balancer *balancer, int64_t now_ns,
                                  uint32_t *ret_node, bool *ret_broken)
{
    const struct lbp_request *ask = &balancer->ask;
    enum lbp_status status;

    *ret_broken = false;
    if (ask->eligible_count == 0)
        return LBP_NO_NODE;
    balancer->view.now_ns = now_ns;
    status = balancer->ops->pick(balancer->state, &balancer->view, ask,
                                 ret_node, NULL);
    if (status == LBP_PICKED)
        *ret_broken =
            *ret_node >= balancer->node_count || !lbp_eligible(ask, *ret_node);
    else
        *ret_broken = (uint32_t)status > LBP_REFUSE;
    return status;
}

/* Takes this request's failed attempts out of those that are eligible. */
__attribute__((noinline, cold)) static void
leave_out_tried(struct balancer *balancer, const uint32_t *tried)
{
    struct lbp_request *ask = &balancer->ask;

    memcpy(balancer->untried, balancer->eligible,
           balancer->words * sizeof *balancer->untried);
    for (uint32_t i = 0; i < ask->attempt; i++) {
        uint64_t bit = (uint64_t)1 << (tried[i] % 64);

        ask->eligible_count -= (balancer->untried[tried[i] / 64] & bit) != 0;
        balancer->untried[tried[i] / 64] &= ~bit;
    }
    ask->eligible = balancer->untried;
}

/* Only the node of the attempt before, if it may still be picked. */
static bool keep_last(struct balancer *balancer, uint32_t node)
{
    uint64_t bit = (uint64_t)1 << (node % 64);

    if (!(balancer->eligible[node / 64] & bit))
        return false;
    memset(balancer->untried, 0, balancer->words * sizeof *balancer->untried);
    balancer->untried[node / 64] = bit;
    balancer->ask.eligible = balancer->untried;
    balancer->ask.eligible_count = 1;
    return true;
}

/* What a retry may go to: see enum retry_to. */
__attribute__((noinline, cold)) static void
narrow_for_retry(struct balancer *balancer, const uint32_t *tried)
{
    const struct retry_spec *retry = balancer->retry;
    uint32_t attempt = balancer->ask.attempt;

    if (retry && !balancer->wants_other) {
        if (retry->to == RETRY_TO_ANY)
            return;
        if (retry_spec_stays(retry, attempt) &&
            keep_last(balancer, tried[attempt - 1]))
            return;
    }
    leave_out_tried(balancer, tried);
}

bool balancer_has_lesser(struct balancer *balancer,
                         const struct routing *lesser, struct arena *arena)
{
    balancer->lesser = lesser;
    balancer->narrows = true;
    if (!balancer->routed)
        balancer->routed =
            arena_allocate(arena, balancer->words, sizeof *balancer->routed);
    return balancer->routed != NULL;
}

/* Only nodes of the row of the table that the request comes to. */
static void keep_routed(struct balancer *balancer,
                        const struct routing *routing, struct request *request)
{
    struct lbp_request *ask = &balancer->ask;
    uint64_t tokens = (uint64_t)request->input_tokens +
                      balancer->classes[request->taken_for].max_output_tokens;
    uint32_t before = ask->eligible_count;
    uint32_t model = request->model;

    ask->eligible_count = routing_choose(
        routing, request->taken_for,
        tokens < UINT32_MAX ? (uint32_t)tokens : UINT32_MAX, ask->eligible,
        balancer->barred_models, balancer->routed, &model);
    ask->eligible = balancer->routed;
    balancer->lacks_model = ask->eligible_count == 0 && before > 0;
    request->model = (uint8_t)model;
    ask->model = request->model;
}

/* What the model that the request comes with may not have. */
static void leave_out_barred(struct balancer *balancer,
                             const struct request *request)
{
    const uint64_t *barred =
        &balancer->barred_models[(size_t)request->model * balancer->words];
    struct lbp_request *ask = &balancer->ask;

    ask->eligible_count = 0;
    for (uint32_t i = 0; i < balancer->words; i++) {
        balancer->untried[i] = ask->eligible[i] & ~barred[i];
        ask->eligible_count +=
            (uint32_t)__builtin_popcountll(balancer->untried[i]);
    }
    ask->eligible = balancer->untried;
}

/* Where not every node may take the request: apart from what most runs do. */
__attribute__((noinline)) static enum lbp_status
ask_among_fewer(struct balancer *balancer, const struct request_slab *slab,
                struct request *request, uint32_t index, int64_t now_ns,
                uint32_t *ret_node, bool *ret_broken)
{
    struct lbp_request *ask = &balancer->ask;
    const struct routing *routing =
        request->flags & REQUEST_LESSER ? balancer->lesser : balancer->routing;
    uint32_t eligible_count = ask->eligible_count;
    enum lbp_status status;

    if (ask->attempt > 0)
        narrow_for_retry(balancer, request_tried_at(slab, index));
    if (routing)
        keep_routed(balancer, routing, request);
    else if (request->flags & REQUEST_LESSER)
        ask->eligible_count = 0;
    else if (balancer->barred_models)
        leave_out_barred(balancer, request);
    status = ask_policy(balancer, now_ns, ret_node, ret_broken);
    ask->eligible = balancer->eligible;
    ask->eligible_count = eligible_count;
    return status;
}

enum lbp_status balancer_pick(struct balancer *balancer,
                              const struct request_slab *slab,
                              struct request *request, uint32_t index,
                              int64_t now_ns, uint32_t *ret_node,
                              bool *ret_broken)
{
    fill_ask(balancer, slab, request, index);
    request->note[0] = 0;
    request->note[1] = 0;
    if (slab->has_extras && (balancer->ask.attempt > 0 || balancer->narrows ||
                             balancer->barred_models))
        return ask_among_fewer(balancer, slab, request, index, now_ns, ret_node,
                               ret_broken);
    return ask_policy(balancer, now_ns, ret_node, ret_broken);
}

enum lbp_status balancer_pick_at(struct balancer *balancer,
                                 const struct request_slab *slab,
                                 struct request *request, uint32_t index,
                                 int64_t now_ns, uint32_t node,
                                 bool *ret_broken)
{
    struct lbp_request *ask = &balancer->ask;
    uint64_t bit = (uint64_t)1 << (node % 64);
    uint32_t eligible_count = ask->eligible_count, picked = node;
    enum lbp_status status;

    *ret_broken = false;
    if (!(balancer->eligible[node / 64] & bit))
        return LBP_NO_NODE;
    balancer->alone[node / 64] = bit;
    ask->eligible = balancer->alone;
    ask->eligible_count = 1;
    status = balancer_pick(balancer, slab, request, index, now_ns, &picked,
                           ret_broken);
    balancer->alone[node / 64] = 0;
    ask->eligible = balancer->eligible;
    ask->eligible_count = eligible_count;
    return status;
}

/* Apart, so that where nobody reports no registers are saved for it. Notes
   whether a report made at this instant came first. */
__attribute__((noinline)) static void
count_since(struct balancer *balancer, struct request *request, int64_t now_ns)
{
    uint32_t node = request->node;
    bool after_report = balancer->late
                            ? late_counts_made_at(balancer->late, node, now_ns)
                            : balancer->nodes[node].reported_at_ns == now_ns;

    request->flags &= (uint16_t)~REQUEST_AFTER_REPORT;
    if (after_report)
        request->flags |= REQUEST_AFTER_REPORT;
    balancer->since_report[node]++;
    if (balancer->late)
        late_counts_sent(balancer->late, node);
}

void balancer_sent(struct balancer *balancer, struct request *request,
                   int64_t now_ns)
{
    uint32_t node = request->node;

    balancer->in_flight[node]++;
    if (balancer->since_report != balancer->in_flight)
        count_since(balancer, request, now_ns);
    balancer->in_flight_tokens[node] += request->input_tokens;
    if (!balancer->ops->on_sent)
        return;
    balancer->view.now_ns = now_ns;
    balancer->ops->on_sent(balancer->state, &balancer->view, &balancer->ask,
                           node);
}

/* Reports at every pick come several in one instant, hence the last condition:
   what was sent between two of them is in the second already. */
__attribute__((noinline)) static void
count_out_since(struct balancer *balancer, const struct request *request)
{
    uint32_t node = request->node;
    bool after_report = (request->flags & REQUEST_AFTER_REPORT) != 0;
    int64_t reported_at_ns = balancer->nodes[node].reported_at_ns;

    if (balancer->late)
        balancer->since_report[node] -= late_counts_over(
            balancer->late, node, request->sent_at_ns, after_report);
    else if ((request->sent_at_ns > reported_at_ns ||
              (request->sent_at_ns == reported_at_ns && after_report)) &&
             balancer->since_report[node] > 0)
        balancer->since_report[node]--;
}

static void count_out(struct balancer *balancer, const struct request *request)
{
    uint32_t node = request->node;

    balancer->in_flight[node]--;
    balancer->in_flight_tokens[node] -= request->input_tokens;
    if (balancer->since_report != balancer->in_flight)
        count_out_since(balancer, request);
}

void balancer_attempt_over(struct balancer *balancer,
                           const struct request_slab *slab,
                           struct request *request, uint32_t index,
                           int64_t now_ns, enum lbp_outcome outcome,
                           int64_t first_token_at_ns)
{
    struct lbp_result *result = &balancer->result;

    count_out(balancer, request);
    if (!balancer->ops->on_done)
        return;
    result->outcome = outcome;
    result->sent_at_ns = request->sent_at_ns;
    result->first_token_at_ns = first_token_at_ns;
    result->done_at_ns = now_ns;
    result->input_tokens = request->input_tokens;
    result->output_tokens = outcome == LBP_OK ? request->output_tokens : 0;
    balancer->view.now_ns = now_ns;
    balancer->ops->on_done(balancer->state, &balancer->view,
                           fill_ask(balancer, slab, request, index),
                           request->node, result);
}

void balancer_first_token(struct balancer *balancer,
                          const struct request_slab *slab,
                          struct request *request, uint32_t index,
                          int64_t now_ns)
{
    balancer->view.now_ns = now_ns;
    balancer->ops->on_first_token(balancer->state, &balancer->view,
                                  fill_ask(balancer, slab, request, index),
                                  request->node);
}
