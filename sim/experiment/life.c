/*
 * A request's life when all goes well: arrival, pick, the way to the node, its
 * work, the answer. What can go wrong stands in losses.c.
 */
#include "sim/experiment/life.h"

#include "sim/experiment/admission.h"
#include "sim/experiment/attempts.h"
#include "sim/experiment/deadlines.h"
#include "sim/experiment/degrade.h"
#include "sim/experiment/faults.h"
#include "sim/experiment/hedges.h"
#include "sim/experiment/members.h"
#include "sim/experiment/misroutes.h"
#include "sim/experiment/retries.h"
#include "sim/experiment/tier.h"
#include "sim/experiment/timeouts.h"

#include <assert.h>

/* Stafford's mix 13 of a 64-bit number. */
static uint64_t mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

/* --- the end ------------------------------------------------------------ */

static WORLD_APART void leave_lists(struct sim *sim, uint32_t index)
{
    if (sim->timeout_leaf != EVENT_NO_LEAF)
        request_list_leave(&sim->slab, index);
    if (sim->origins)
        sources_leave(sim, index);
    if (sim->admission)
        admission_ended(sim, request_at(&sim->slab, index), index);
}

void life_leave(struct sim *sim, uint32_t index)
{
    if (sim->slab.has_extras) /* a time-out and sources are among them */
        leave_lists(sim, index);
}

/* The balancer has done with the attempt, whatever the node does. */
void life_attempt_over(struct sim *sim, struct node *node,
                       struct request *request, uint32_t index,
                       enum lbp_outcome outcome, enum attempt_error error,
                       int64_t first_token_at_ns)
{
    struct balancer *balancer = &sim->balancers[request->balancer];

    node_count_in_flight(node, -1, sim->now_ns);
    balancer_attempt_over(balancer, &sim->slab, request, index, sim->now_ns,
                          outcome, first_token_at_ns);
    if (sim->watches_attempts)
        attempts_over(sim, balancer, request, index, outcome, error,
                      first_token_at_ns);
    if (balancer->waiting_head != REQUEST_NONE)
        sim->attention = true;
}

static void reach_node(struct sim *sim, struct node *node,
                       struct request *request, uint32_t index)
{
    enum node_answer word =
        node_accept(node, &sim->node_world, request, index, sim->now_ns);

    switch (word) {
    case NODE_DEAD:
        losses_reach_dead_node(sim, request, index);
        break;
    case NODE_FULL:
    case NODE_NO_MODEL:
        losses_turned_away(sim, request, index);
        break;
    case NODE_LOADS:
        misroutes_wait(sim, node, request, index);
        break;
    case NODE_NO_MEMORY:
        sim_fail(sim, SIM_NO_MEMORY);
        break;
    case NODE_CUT:
    case NODE_SWALLOWED:
    case NODE_ERROR:
        faults_attempt_met(sim, request, index, word);
        break;
    case NODE_HIT:
    case NODE_STARTED:
    case NODE_QUEUED:
    case NODE_FOLLOWS:
        break;
    }
}

void life_reach_node(struct sim *sim, struct node *node,
                     struct request *request, uint32_t index)
{
    reach_node(sim, node, request, index);
}

static void go_to_node(struct sim *sim, struct node *node,
                       struct request *request, uint32_t index)
{
    if (sim->to_node.delay_ns == 0)
        reach_node(sim, node, request, index);
    else if (!delay_line_push(&sim->to_node, &sim->tree, sim->now_ns, index,
                              request->epoch))
        sim_fail(sim, SIM_NO_MEMORY);
}

void life_send(struct sim *sim, struct balancer *balancer,
               struct request *request, uint32_t index, uint32_t node_index)
{
    struct node *node = &sim->nodes[node_index];

    request->node = node_index;
    request->sent_at_ns = sim->now_ns;
    request->state = REQUEST_TO_NODE;
    node_count_in_flight(node, 1, sim->now_ns);
    if (request->flags & REQUEST_MEASURED)
        sim->recorder.counts[node_index].attempts++;
    balancer_sent(balancer, request, sim->now_ns);
    if (sim->watches_attempts && !attempts_sent(sim, balancer, request, index))
        return; /* it waits for the node, at the front door */
    go_to_node(sim, node, request, index);
}

void life_send_on(struct sim *sim, struct request *request, uint32_t index)
{
    go_to_node(sim, &sim->nodes[request->node], request, index);
}

/* --- the pick ------------------------------------------------------------ */

/* Where groups scale to zero, what finds no node waits for one. */
WORLD_RARE static enum lbp_status instead_of_none(struct sim *sim,
                                                  struct balancer *balancer)
{
    return members_hold(sim, balancer) ? LBP_WAIT : LBP_NO_NODE;
}

enum lbp_status life_ask(struct sim *sim, struct balancer *balancer,
                         struct request *request, uint32_t index,
                         uint32_t *ret_node)
{
    enum lbp_status status;
    bool broken;

    if (balancer->view.report_interval_ns == 0)
        rhythms_refresh_reports(sim, balancer);
    status = balancer_pick(balancer, &sim->slab, request, index, sim->now_ns,
                           ret_node, &broken);
    if (broken) {
        sim_fail(sim, SIM_POLICY_ERROR);
        return LBP_NO_NODE;
    }
    return status == LBP_NO_NODE ? instead_of_none(sim, balancer) : status;
}

enum lbp_status life_ask_at(struct sim *sim, struct balancer *balancer,
                            struct request *request, uint32_t index,
                            uint32_t node)
{
    enum lbp_status status;
    bool broken;

    if (balancer->view.report_interval_ns == 0)
        rhythms_refresh_reports(sim, balancer);
    status = balancer_pick_at(balancer, &sim->slab, request, index, sim->now_ns,
                              node, &broken);
    if (broken)
        sim_fail(sim, SIM_POLICY_ERROR);
    return broken ? LBP_NO_NODE : status;
}

void life_not_sent(struct sim *sim, struct request *request, uint32_t index,
                   enum lbp_status status)
{
    if (status == LBP_REFUSE) {
        losses_end(sim, request, index, END_REFUSED);
        return;
    }
    if (sim->admission && admission_keeps(sim, request, index))
        return;
    if (request->flags & REQUEST_MEASURED) {
        if (sim->balancers[request->balancer].lacks_model)
            sim->recorder.no_model++;
        else
            sim->recorder.no_node++;
    }
    losses_end(sim, request, index, END_FAILED);
}

void life_dispatch(struct sim *sim, struct balancer *balancer,
                   struct request *request, uint32_t index)
{
    uint32_t node = LBP_NO_SLOT;
    enum lbp_status status = life_ask(sim, balancer, request, index, &node);

    if (status == LBP_PICKED)
        life_send(sim, balancer, request, index, node);
    else if (status == LBP_WAIT)
        door_hold(sim, balancer, request, index);
    else
        life_not_sent(sim, request, index, status);
}

/* --- arrival ------------------------------------------------------------ */

void life_schedule_next(struct sim *sim)
{
    if (workload_next(sim->workload, &sim->next)) {
        sim->arrival =
            event_tree_key(&sim->tree, 0, sim->next.at_ns, RANK_ARRIVAL);
        return;
    }
    sim->arrival = (struct event_key){EVENT_NEVER, UINT64_MAX};
    if (workload_failed(sim->workload))
        sim_fail(sim, workload_lacks_memory(sim->workload) ? SIM_NO_MEMORY
                                                           : SIM_TRACE_ERROR);
    else if (!workload_is_over(sim->workload))
        return; /* all clients wait for answers */
    sim->arrivals_over = true;
    sim->attention = true;
}

static uint16_t choose_balancer(const struct sim *sim, uint64_t number)
{
    uint32_t count = sim->balancer_count;

    if (count == 1)
        return 0;
    if (sim->scenario->balancer.assign == BALANCER_ASSIGN_ROUND_ROBIN)
        return (uint16_t)(number % count);
    return (uint16_t)(mix(number + 1) % count);
}

/* What it is, what it is taken for, and the model that it asks for. */
static void fill_class(struct sim *sim, struct request *request,
                       const struct workload_origin *origin)
{
    uint32_t is = sim->next.request_class, taken_for = is;

    if (sim->classifier.class_count > 0)
        taken_for = classifier_guess(&sim->classifier, origin->source,
                                     origin->number, is);
    request->request_class = (uint8_t)is;
    request->taken_for = (uint8_t)taken_for;
    request->model = (uint8_t)(sim->next.model > 0
                                   ? sim->next.model
                                   : sim->scenario->workload.classes[is].model);
}

static WORLD_APART void fill_columns(struct sim *sim, struct request *request,
                                     uint32_t index)
{
    const struct workload_request *from = &sim->next;
    struct workload_origin origin = {.number = from->number};

    if (sim->origins)
        sources_take(sim, index, &origin);
    if (sim->scenario->workload.class_count > 0)
        fill_class(sim, request, &origin);
    else
        request->model = (uint8_t)from->model;
    if (sim->slab.with_keys)
        *request_key_at(&sim->slab, index) = (struct request_key){
            .hash = from->key_hash,
            .text = from->key_text,
            .number_or_length = from->key_text ? from->key_length : from->key,
        };
    if (sim->slab.tried_per_request > 0)
        *request_retry_at(&sim->slab, index) = (struct request_retry){
            .bare_need = from->work_s < 0 ? 1 : from->work_s};
    if (sim->slab.with_work)
        *request_work_at(&sim->slab, index) = (struct request_work){
            .bare_need = from->work_s < 0 ? 1 : from->work_s};
    if (sim->admission)
        admission_fill(sim, request, index, &origin);
}

/* Everything about it was drawn at its arrival, the same for every policy. */
static void fill_request(struct sim *sim, struct request *request,
                         uint32_t index)
{
    const struct workload_request *from = &sim->next;

    request->arrived_at_ns = from->at_ns;
    request->need = from->noise;
    request->flags = REQUEST_TOKENS;
    if (from->work_s >= 0) {
        request->need *= from->work_s;
        request->flags = 0;
    }
    request->number = from->number;
    request->input_tokens = from->input_tokens;
    request->output_tokens = from->output_tokens;
    request->balancer = choose_balancer(sim, from->number);
    request->state = REQUEST_AT_DOOR;
    if (sim->slab.has_extras)
        fill_columns(sim, request, index);
}

WORLD_RARE static void open_window_by_count(struct sim *sim)
{
    if (sim->next.number < sim->scenario->warm_up.requests)
        return;
    sim->opens_by_count = false;
    if (sim->now_ns >= sim->recorder.end_ns)
        return;
    recorder_open(&sim->recorder, sim->nodes, sim->now_ns);
    event_tree_set(&sim->tree, sim->sample_leaf,
                   recorder_next_edge_ns(&sim->recorder), RANK_SAMPLE);
}

static WORLD_APART bool note_keyed_arrival(struct sim *sim)
{
    const struct workload_books *books = workload_books(sim->workload);
    bool repeated = books->repeats != sim->repeats_seen;
    uint64_t raw_hits = books->raw_ideal_hits - sim->raw_ideal_hits_seen;
    bool measured =
        recorder_arrived(&sim->recorder, sim->now_ns, repeated,
                         workload_last_was_ideal_hit(sim->workload));

    sim->repeats_seen = books->repeats;
    sim->raw_ideal_hits_seen = books->raw_ideal_hits;
    if (measured)
        sim->recorder.raw_ideal_hits += raw_hits;
    return measured;
}

/* Before the next arrival is read: what the workload says is of this one. */
static bool note_arrival(struct sim *sim)
{
    if (sim->slab.with_keys)
        return note_keyed_arrival(sim);
    return recorder_arrived(&sim->recorder, sim->now_ns, false, false);
}

/* What only some scenarios have: true when admission or the shared tier sees to
   it. */
static WORLD_APART bool
arrive_with_more(struct sim *sim, struct request *request, uint32_t index)
{
    if (sim->timeout_leaf != EVENT_NO_LEAF) {
        request_list_enter(&sim->slab, index);
        if (!sim->timeout_armed)
            losses_arm_timeout(sim, request->arrived_at_ns);
    }
    if (sim->deadlines)
        deadlines_arrived(sim, request, index);
    if (sim->degrade)
        degrade_arrived(sim, request, index);
    if (!sim->tier && !sim->admission && !sim->deadlines && !sim->batching)
        return false;
    life_schedule_next(sim);
    if (sim->deadlines && !sim->tier && deadlines_drop(sim, request, index))
        return true;
    if (sim->admission)
        admission_arrival(sim, request, index);
    else if (sim->tier)
        tier_arrival(sim, request, index);
    else
        door_dispatch(sim, request, index);
    return true;
}

void life_arrival(struct sim *sim)
{
    uint32_t index;
    struct request *request = request_slab_take(&sim->slab, &index);

    if (!request) {
        sim_fail(sim, SIM_NO_MEMORY);
        return;
    }
    if (sim->opens_by_count)
        open_window_by_count(sim);
    fill_request(sim, request, index);
    if (note_arrival(sim))
        request->flags |= REQUEST_MEASURED;
    if (sim->arrivals_have_more && arrive_with_more(sim, request, index))
        return;
    life_schedule_next(sim);
    life_dispatch(sim, &sim->balancers[request->balancer], request, index);
}

/* --- the answer --------------------------------------------------------- */

/* When the first token reaches the client. */
static WORLD_APART int64_t first_token_at_ns(const struct sim *sim,
                                             const struct node *node,
                                             const struct request *request,
                                             uint32_t index)
{
    if (request->flags & REQUEST_CACHED)
        return sim->now_ns;
    return node_first_token_at_ns(node, &sim->slab, request, index) +
           sim->to_client.delay_ns;
}

static void deliver(struct sim *sim, struct node *node, struct request *request,
                    uint32_t index)
{
    int64_t arrived_at = request->arrived_at_ns;
    int64_t waits_since = arrived_at;
    int64_t first_at = LBP_NO_TIME, first_ns = -1; /* without token costs */

    if (request->flags &
        (REQUEST_RETRIED | REQUEST_TOKENS | REQUEST_FILLS_TIER)) {
        if (request->flags & REQUEST_FILLS_TIER)
            tier_fill(sim, request, index);
        if (request->flags & REQUEST_RETRIED)
            waits_since = request->sent_at_ns;
        if (request->flags & REQUEST_TOKENS) {
            first_at = first_token_at_ns(sim, node, request, index);
            first_ns = first_at - arrived_at;
        }
        if (request->flags & REQUEST_RESUMED)
            first_ns = retries_end_of_resumed(sim, request, index) - arrived_at;
    }
    life_attempt_over(sim, node, request, index, LBP_OK, ERROR_NONE, first_at);
    recorder_answered(
        &sim->recorder, request, sim->now_ns - arrived_at,
        request->started_at_ns - waits_since - sim->to_node.delay_ns, first_ns);
    life_leave(sim, index);
    request_slab_give(&sim->slab, request, index);
}

static void answer(struct sim *sim, struct node *node, struct request *request,
                   uint32_t index)
{
    if (request->flags & (REQUEST_ZOMBIE | REQUEST_CUT)) {
        losses_nobody_hears(sim, request, index);
        return;
    }
    if (sim->to_client.delay_ns == 0) {
        deliver(sim, node, request, index);
        return;
    }
    request->state = REQUEST_TO_CLIENT;
    if (!delay_line_push(&sim->to_client, &sim->tree, sim->now_ns, index,
                         request->epoch))
        sim_fail(sim, SIM_NO_MEMORY);
}

WORLD_RARE static void first_token(struct sim *sim, struct request *request,
                                   uint32_t index)
{
    struct balancer *balancer = &sim->balancers[request->balancer];

    node_first_token(&sim->nodes[request->node], &sim->node_world, request,
                     index, sim->now_ns);
    if (balancer->ops->on_first_token &&
        !(request->flags & (REQUEST_ZOMBIE | REQUEST_CUT)))
        balancer_first_token(balancer, &sim->slab, request, index, sim->now_ns);
    if (sim->hedges)
        hedges_first_token(sim, request, index);
}

void life_work_done(struct sim *sim, uint32_t index)
{
    struct request *request = request_at(&sim->slab, index);
    struct node *node = &sim->nodes[request->node];

    if (request->flags & REQUEST_FIRST_TOKEN) {
        first_token(sim, request, index);
        return;
    }
    if (!node_finish(node, &sim->node_world, request, index, sim->now_ns))
        sim_fail(sim, SIM_NO_MEMORY);
    answer(sim, node, request, index);
}

/* --- what comes out of delay lines --------------------------------------- */

static struct delay_line *find_line(struct sim *sim, uint32_t line)
{
    if (line >= LINE_TIER_HIT && line <= LINE_TIER_FAILURE)
        return tier_line_of(sim, line);
    if (line >= LINE_INSIDE_LOST || line == LINE_FAULT_ERROR)
        return faults_line(sim, line);
    if (line >= LINE_HITS)
        return &sim->hits[line - LINE_HITS];
    switch (line) {
    case LINE_TO_NODE:
        return &sim->to_node;
    case LINE_TO_CLIENT:
        return &sim->to_client;
    case LINE_RESET:
        return &sim->resets;
    case LINE_REFUSAL:
        return &sim->refusals;
    case LINE_EXPIRED:
        return deadlines_word_of_nodes(sim);
    default:
        return &sim->connects;
    }
}

static void arrive_from_line(struct sim *sim, uint32_t line,
                             struct request *request, uint32_t index)
{
    struct node *node = &sim->nodes[request->node];

    if (line >= LINE_TIER_HIT && line <= LINE_TIER_FAILURE)
        tier_line(sim, line, request, index);
    else if (line >= LINE_INSIDE_LOST || line == LINE_FAULT_ERROR)
        faults_from_line(sim, line, request, index);
    else if (line == LINE_RESET)
        losses_attempt_failed(sim, request, index, LBP_RESET, ERROR_RESET);
    else if (line >= LINE_HITS)
        answer(sim, node, request, index);
    else if (line == LINE_TO_NODE)
        reach_node(sim, node, request, index);
    else if (line == LINE_TO_CLIENT)
        deliver(sim, node, request, index);
    else if (line == LINE_REFUSAL)
        losses_refused(sim, request, index);
    else if (line == LINE_EXPIRED)
        deadlines_expired(sim, request, index);
    else
        losses_attempt_failed(sim, request, index, LBP_TIMEOUT, ERROR_CONNECT);
}

void life_line(struct sim *sim, uint32_t line)
{
    struct delay_entry entry;
    struct request *request;

    if (line >= LINE_DEADLINES && line < LINE_INSIDE_LOST) {
        if (line >= LINE_LOADS)
            misroutes_loaded(sim, line);
        else if (line >= LINE_TIMEOUTS)
            timeouts_line(sim, line - LINE_TIMEOUTS);
        else
            deadlines_line(sim, line - LINE_DEADLINES);
        return;
    }
    entry = delay_line_pop(find_line(sim, line), &sim->tree);
    request = request_at(&sim->slab, entry.request);
    if (request->epoch != entry.epoch)
        return; /* it ended meanwhile */
    arrive_from_line(sim, line, request, entry.request);
}
