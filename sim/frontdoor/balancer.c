#include "sim/frontdoor/balancer.h"

#include "sim/core/clock.h"
#include "sim/core/event_tree.h"

#include <stdlib.h>
#include <string.h>

static uint64_t host_random_below(void *context, uint64_t bound)
{
    struct balancer *balancer = context;

    balancer->draws++;
    return rng_below(&balancer->rng, bound);
}

static void *host_allocate(void *context, size_t size)
{
    (void)context;
    return malloc(size);
}

static void host_release(void *context, void *memory)
{
    (void)context;
    free(memory);
}

static void update_eligible(struct balancer *balancer, uint32_t node)
{
    bool may = (balancer->bars[node] & ~balancer->overlooked) == 0;
    uint64_t bit = (uint64_t)1 << (node % 64);
    bool was = (balancer->eligible[node / 64] & bit) != 0;

    if (may == was)
        return;
    balancer->eligible[node / 64] ^= bit;
    balancer->ask.eligible_count += may ? 1 : UINT32_MAX;
}

static bool tell_members(struct balancer *balancer, int64_t now_ns)
{
    balancer->view.now_ns = now_ns;
    if (!balancer->ops->on_members)
        return true;
    return balancer->ops->on_members(balancer->state, &balancer->view);
}

static bool make_arrays(struct balancer *balancer,
                        const struct balancer_setup *setup)
{
    size_t n = setup->node_count;

    balancer->words = (setup->node_count + 63) / 64;
    balancer->nodes = arena_allocate(setup->arena, n, sizeof *balancer->nodes);
    balancer->in_flight =
        arena_allocate(setup->arena, n, sizeof *balancer->in_flight);
    balancer->in_flight_tokens =
        arena_allocate(setup->arena, n, sizeof *balancer->in_flight_tokens);
    balancer->bars = arena_allocate(setup->arena, n, sizeof *balancer->bars);
    balancer->eligible = arena_allocate(setup->arena, balancer->words,
                                        sizeof *balancer->eligible);
    balancer->untried = arena_allocate(setup->arena, balancer->words,
                                       sizeof *balancer->untried);
    balancer->alone =
        arena_allocate(setup->arena, balancer->words, sizeof *balancer->alone);
    if (setup->routing) {
        balancer->routed = arena_allocate(setup->arena, balancer->words,
                                          sizeof *balancer->routed);
        if (!balancer->routed)
            return false;
    }
    balancer->since_report = balancer->in_flight;
    if (setup->report_interval_ns >= 0)
        balancer->since_report =
            arena_allocate(setup->arena, n, sizeof *balancer->since_report);
    if (setup->late_reports > 0) {
        balancer->late = late_counts_create(setup->arena, setup->node_count,
                                            setup->late_reports);
        if (!balancer->late)
            return false;
    }
    return balancer->nodes && balancer->in_flight &&
           balancer->in_flight_tokens && balancer->bars && balancer->eligible &&
           balancer->alone && balancer->untried && balancer->since_report;
}

static void make_view(struct balancer *balancer,
                      const struct balancer_setup *setup)
{
    balancer->view = (struct lbp_view){
        .size = sizeof balancer->view,
        .slot_count = setup->node_count,
        .node_stride = sizeof *balancer->nodes,
        .nodes = balancer->nodes,
        .balancer_index = setup->index,
        .balancer_count = setup->count,
        .report_interval_ns = setup->report_interval_ns,
        .in_flight = balancer->in_flight,
        .in_flight_since_report = balancer->since_report,
        .in_flight_tokens = balancer->in_flight_tokens,
    };
    balancer->ask = (struct lbp_request){
        .size = sizeof balancer->ask,
        .deadline_ns = LBP_NO_TIME,
        .eligible = balancer->eligible,
    };
    balancer->result = (struct lbp_result){.size = sizeof balancer->result};
}

static uint16_t bars_at_start(const struct lbp_node *node)
{
    return (uint16_t)((node->weight > 0 ? 0 : BAR_WEIGHT) |
                      (node->key_length > 0 ? 0 : BAR_ABSENT));
}

bool balancer_init(struct balancer *balancer,
                   const struct balancer_setup *setup)
{
    *balancer = (struct balancer){
        .ops = setup->policy->ops,
        .policy_ops = setup->policy->ops,
        .deadline_after_ns = setup->deadline_after_ns,
        .classes = setup->classes,
        .routing = setup->routing,
        .retry = setup->retry,
        .narrows = setup->routing != NULL,
        .rng = setup->rng,
        .node_count = setup->node_count,
        .waiting_head = REQUEST_NONE,
        .waiting_tail = REQUEST_NONE,
        .timer_leaf = EVENT_NO_LEAF,
    };
    balancer->host = (struct lbp_host){
        .size = sizeof balancer->host,
        .context = balancer,
        .random_below = host_random_below,
        .allocate = host_allocate,
        .release = host_release,
    };
    if (!make_arrays(balancer, setup))
        return false;
    make_view(balancer, setup);
    for (uint32_t node = 0; node < setup->node_count; node++) {
        balancer->nodes[node] = setup->nodes[node];
        balancer->bars[node] = bars_at_start(&setup->nodes[node]);
        update_eligible(balancer, node);
    }
    if (!foresight_init(balancer, setup->policy, &setup->costs, setup->arena))
        return false;
    balancer->state =
        balancer->ops->create(setup->policy->config, &balancer->host);
    return balancer->state && tell_members(balancer, 0);
}

void balancer_done(struct balancer *balancer)
{
    if (balancer->state)
        balancer->policy_ops->destroy(balancer->state);
    *balancer = (struct balancer){0};
}

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

static void show_health(struct balancer *balancer, uint32_t node)
{
    uint16_t bars = balancer->bars[node] & (uint16_t)~balancer->overlooked;
    uint8_t *health = &balancer->nodes[node].health;

    if (bars & BARS_OF_DOUBT)
        *health = LBP_UNHEALTHY;
    else
        *health = bars & BAR_DRAINING ? LBP_DRAINING : LBP_HEALTHY;
}

bool balancer_bar(struct balancer *balancer, uint32_t node,
                  enum balancer_bar bar, bool down, int64_t now_ns)
{
    struct lbp_node *shown = &balancer->nodes[node];
    uint16_t *bars = &balancer->bars[node];

    if (((*bars & bar) != 0) == down)
        return true;
    *bars ^= (uint16_t)bar;
    update_eligible(balancer, node);
    if (!(bar & BARS_TOLD))
        return true;
    if ((bar & BARS_OF_DOUBT) && !(*bars & BARS_OF_DOUBT))
        shown->up_since_ns = now_ns;
    show_health(balancer, node);
    return tell_members(balancer, now_ns);
}

bool balancer_bar_models(struct balancer *balancer, uint32_t count,
                         struct arena *arena)
{
    balancer->barred_models =
        arena_allocate(arena, (size_t)count * balancer->words,
                       sizeof *balancer->barred_models);
    return balancer->barred_models != NULL;
}

void balancer_bar_model(struct balancer *balancer, uint32_t node,
                        uint32_t model, bool down)
{
    uint64_t *word =
        &balancer->barred_models[(size_t)model * balancer->words + node / 64];
    uint64_t bit = (uint64_t)1 << (node % 64);

    *word = down ? *word | bit : *word & ~bit;
}

bool balancer_member(struct balancer *balancer, uint32_t node,
                     const struct lbp_node *as, int64_t now_ns)
{
    struct lbp_node *shown = &balancer->nodes[node];
    uint32_t generation = shown->generation;

    if (!as) {
        shown->key_length = 0;
        return balancer_bar(balancer, node, BAR_ABSENT, true, now_ns);
    }
    *shown = *as;
    shown->generation = generation + 1;
    shown->up_since_ns = now_ns;
    balancer->bars[node] = (uint16_t)(bars_at_start(as) | BAR_ABSENT);
    return balancer_bar(balancer, node, BAR_ABSENT, false, now_ns);
}

bool balancer_overlook(struct balancer *balancer, uint16_t bars, int64_t now_ns)
{
    if (bars == balancer->overlooked)
        return true;
    balancer->overlooked = bars;
    for (uint32_t node = 0; node < balancer->node_count; node++) {
        update_eligible(balancer, node);
        show_health(balancer, node);
    }
    return tell_members(balancer, now_ns);
}

void balancer_set_weight(struct balancer *balancer, uint32_t node,
                         uint32_t weight)
{
    balancer->nodes[node].weight = weight;
    balancer->bars[node] &= (uint16_t)~BAR_WEIGHT;
    if (weight == 0)
        balancer->bars[node] |= BAR_WEIGHT;
    update_eligible(balancer, node);
}

bool balancer_tell(struct balancer *balancer, int64_t now_ns)
{
    return tell_members(balancer, now_ns);
}

void balancer_report_made(struct balancer *balancer, uint32_t node,
                          int64_t now_ns)
{
    late_counts_made(balancer->late, node, now_ns);
}

void balancer_report_lost(struct balancer *balancer, uint32_t node)
{
    if (balancer->late)
        late_counts_lost(balancer->late, node);
}

static void show_report(struct lbp_node *shown, const struct lbp_node *word)
{
    shown->reported_at_ns = word->reported_at_ns;
    shown->gpu_use = word->gpu_use;
    shown->cpu_use = word->cpu_use;
    shown->memory_use = word->memory_use;
    shown->kv_use = word->kv_use;
    shown->queue_depth = word->queue_depth;
    shown->running = word->running;
    shown->requests_per_s = word->requests_per_s;
    shown->errors_per_s = word->errors_per_s;
}

void balancer_reported(struct balancer *balancer, uint32_t node,
                       const struct lbp_node *word, int64_t now_ns)
{
    show_report(&balancer->nodes[node], word);
    if (balancer->since_report != balancer->in_flight)
        balancer->since_report[node] =
            balancer->late ? late_counts_arrived(balancer->late, node) : 0;
    balancer->view.now_ns = now_ns;
    if (balancer->ops->on_report)
        balancer->ops->on_report(balancer->state, &balancer->view, node);
}

int64_t balancer_timer(struct balancer *balancer, int64_t now_ns)
{
    balancer->view.now_ns = now_ns;
    return balancer->ops->on_timer(balancer->state, &balancer->view);
}
