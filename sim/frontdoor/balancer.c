#include "sim/frontdoor/balancer.h"

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

static void show_health(struct balancer *balancer, uint32_t node)
{
    uint16_t bars = balancer->bars[node] & (uint16_t)~balancer->overlooked;
    uint8_t *health = &balancer->nodes[node].health;

    if (bars & BARS_OF_DOUBT)
        *health = LBP_UNHEALTHY;
    else
        *health = (bars & BARS_OF_DRAIN) ? LBP_DRAINING : LBP_HEALTHY;
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
