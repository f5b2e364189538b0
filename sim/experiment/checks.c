/* When active checks run, and what a balancer concludes. */
#include "sim/experiment/checks.h"

#include "sim/experiment/detections.h"
#include "sim/experiment/faults.h"
#include "sim/experiment/members.h"
#include "sim/experiment/passive.h"
#include "sim/frontdoor/health.h"

#include <assert.h>

/* What a health endpoint takes of a node whose requests it queues behind. */
#define ENDPOINT_S 1e-6

enum check_phase {
    CHECK_RESTS,   /* the next one has not started */
    CHECK_TRAVELS, /* to a node in which it will wait its turn */
    CHECK_WAITS,   /* there */
    CHECK_RETURNS  /* its result is settled and will be known */
};

/* Of one node by one balancer; at most one is on its way at a time. */
struct check {
    struct health health;
    enum check_phase phase;
    enum health_result result; /* of the one that returns */
    int64_t started_at_ns;
    uint32_t leaf;
    uint32_t request; /* that waits in the node, or REQUEST_NONE */
};

struct check_row {
    const struct health_spec *spec;
    enum balancer_bar bar;
    struct check *checks; /* [balancer_count][node_count] */
    struct rng *rngs;     /* the same; NULL: intervals have no chance in them */
};

struct checks {
    struct check_row rows[2];
    uint32_t row_count;
    uint32_t inside;         /* waiting in nodes */
    int64_t *answered_at_ns; /* [node_count] last; NULL: nobody is lenient */
};

/* What an event is about. */
struct subject {
    const struct check_row *row;
    struct check *check;
    struct balancer *balancer;
    uint32_t index; /* as checks_event takes it */
    uint32_t node;
};

static struct subject subject_of(const struct sim *sim, uint32_t index)
{
    uint32_t of_row = sim->balancer_count * sim->node_count;
    const struct check_row *row = &sim->checks->rows[index / of_row];
    uint32_t at = index % of_row;

    return (struct subject){
        .row = row,
        .check = &row->checks[at],
        .balancer = &sim->balancers[at / sim->node_count],
        .index = index,
        .node = at % sim->node_count,
    };
}

static void set_leaf(struct sim *sim, const struct check *check, int64_t at_ns)
{
    event_tree_set(&sim->tree, check->leaf, at_ns, RANK_HEALTH);
}

static void return_at(struct sim *sim, struct check *check,
                      enum health_result result, int64_t at_ns)
{
    check->phase = CHECK_RETURNS;
    check->result = result;
    set_leaf(sim, check, at_ns);
}

static int64_t timeout_at_ns(const struct subject *subject)
{
    return subject->check->started_at_ns + subject->row->spec->timeout_ns;
}

/* Nothing will come: known at the time-out. */
static void miss(struct sim *sim, const struct subject *subject)
{
    return_at(sim, subject->check, HEALTH_NO_CONNECTION,
              timeout_at_ns(subject));
}

/* The node's word leaves it now. */
static void send_back(struct sim *sim, const struct subject *subject,
                      enum health_result result)
{
    int64_t at_ns = sim->now_ns + sim->scenario->balancer.network_delay_ns;

    if (at_ns > timeout_at_ns(subject))
        miss(sim, subject);
    else
        return_at(sim, subject->check, result, at_ns);
}

/* --- what the node does for it -------------------------------------------- */

static enum fault_word ask_faults(const struct sim *sim,
                                  const struct subject *subject)
{
    static const enum fault_probe levels[] = {
        [PROBE_TCP] = FAULT_PROBE_TCP,
        [PROBE_HTTP] = FAULT_PROBE_HTTP,
        [PROBE_GENERATION] = FAULT_PROBE_TOKEN,
    };

    return faults_probe(sim, subject->balancer, subject->node,
                        levels[subject->row->spec->probe]);
}

static bool waits_its_turn(const struct health_spec *spec)
{
    return spec->probe == PROBE_GENERATION || spec->path == PROBE_QUEUED;
}

/* One token in and one out, or a moment at the endpoint. */
static void fill_need(const struct health_spec *spec, const struct node *node,
                      struct request *request)
{
    bool generates = spec->probe == PROBE_GENERATION;

    request->flags = REQUEST_ZOMBIE | REQUEST_PROBE;
    if (generates && node->has_costs) {
        request->flags |= REQUEST_TOKENS;
        request->need = 1;
    } else {
        request->need = generates ? spec->work_s : ENDPOINT_S;
    }
    request->input_tokens = 1;
    request->output_tokens = 1;
}

static void fill_columns(struct sim *sim, const struct node *node,
                         struct request *request, uint32_t index)
{
    request->request_class = 0;
    request->taken_for = 0;
    request->model = node->models ? (uint8_t)__builtin_ctzll(node->models) : 0;
    if (sim->slab.with_keys)
        *request_key_at(&sim->slab, index) = (struct request_key){0};
    if (sim->slab.with_work)
        *request_work_at(&sim->slab, index) =
            (struct request_work){.bare_need = request->need};
}

static struct request *make_request(struct sim *sim,
                                    const struct subject *subject,
                                    uint32_t *ret_index)
{
    const struct node *node = &sim->nodes[subject->node];
    struct request *request = request_slab_take(&sim->slab, ret_index);

    if (!request)
        return NULL;
    fill_need(subject->row->spec, node, request);
    request->arrived_at_ns = sim->now_ns;
    request->sent_at_ns = sim->now_ns;
    request->number = subject->index;
    request->node = subject->node;
    request->balancer = (uint16_t)subject->balancer->view.balancer_index;
    request->state = REQUEST_TO_NODE;
    fill_columns(sim, node, request, *ret_index);
    return request;
}

static void enter_node(struct sim *sim, const struct subject *subject)
{
    struct check *check = subject->check;
    uint32_t index;
    struct request *request = make_request(sim, subject, &index);

    if (!request) {
        sim_fail(sim, SIM_NO_MEMORY);
        return;
    }
    switch (node_accept(&sim->nodes[subject->node], &sim->node_world, request,
                        index, sim->now_ns)) {
    case NODE_STARTED:
    case NODE_QUEUED:
        check->phase = CHECK_WAITS;
        check->request = index;
        sim->checks->inside++;
        set_leaf(sim, check, timeout_at_ns(subject));
        return;
    case NODE_NO_MEMORY:
        sim_fail(sim, SIM_NO_MEMORY);
        break;
    default: /* it is full */
        send_back(sim, subject, HEALTH_WRONG_ANSWER);
        break;
    }
    request_slab_give(&sim->slab, request, index);
}

static void arrive(struct sim *sim, const struct subject *subject)
{
    switch (ask_faults(sim, subject)) {
    case FAULT_ANSWERS:
        enter_node(sim, subject);
        break;
    case FAULT_REFUSES:
        send_back(sim, subject, HEALTH_NO_CONNECTION);
        break;
    case FAULT_SAYS_NOTHING:
        miss(sim, subject);
        break;
    }
}

static void forget_request(struct sim *sim, struct check *check)
{
    sim->checks->inside--;
    check->request = REQUEST_NONE;
}

void checks_left_node(struct sim *sim, struct request *request, uint32_t index)
{
    struct subject subject = subject_of(sim, (uint32_t)request->number);
    bool died = request->state == REQUEST_LOST;

    forget_request(sim, subject.check);
    request_slab_give(&sim->slab, request, index);
    if (!died)
        send_back(sim, &subject, HEALTH_OK);
    else if (ask_faults(sim, &subject) == FAULT_REFUSES)
        send_back(sim, &subject, HEALTH_NO_CONNECTION);
    else
        miss(sim, &subject);
}

/* Its turn did not come in time. */
static void cancel(struct sim *sim, const struct subject *subject)
{
    struct check *check = subject->check;
    uint32_t index = check->request;
    struct request *request = request_at(&sim->slab, index);

    forget_request(sim, check);
    node_cancel(&sim->nodes[subject->node], &sim->node_world, request, index,
                sim->now_ns);
    request_slab_give(&sim->slab, request, index);
}

/* --- what is visible of a node that misses checks --------------------------
 */

void checks_answered(struct sim *sim, uint32_t node)
{
    if (sim->checks && sim->checks->answered_at_ns)
        sim->checks->answered_at_ns[node] = sim->now_ns;
}

/* Some request there is past its first token, and more keep coming. */
static bool streams(const struct sim *sim, uint32_t index)
{
    const struct node *node = &sim->nodes[index];

    for (uint32_t i = 0; i < sim->slab.chunk_count << REQUEST_CHUNK_LOG2; i++) {
        const struct request *request = request_at(&sim->slab, i);

        if (request->state == REQUEST_RUNNING && request->node == index &&
            (request->flags & (REQUEST_TOKENS | REQUEST_PROBE)) ==
                REQUEST_TOKENS &&
            request->started_at_ns + node_first_token_ns(node, request) <=
                sim->now_ns)
            return true;
    }
    return false;
}

/* It has delivered a token since the check started, as far as anybody on this
   side of it could see. */
static bool is_at_work(const struct sim *sim, const struct subject *subject)
{
    return sim->checks->answered_at_ns[subject->node] >=
               subject->check->started_at_ns ||
           (faults_probe(sim, subject->balancer, subject->node,
                         FAULT_PROBE_TOKEN) == FAULT_ANSWERS &&
            streams(sim, subject->node));
}

/* --- from check to check ---------------------------------------------------
 */

static int64_t next_start_ns(const struct sim *sim,
                             const struct subject *subject)
{
    const struct check_row *row = subject->row;
    const struct check *check = subject->check;
    int64_t interval_ns = health_interval_ns(
        &check->health, row->spec, balancer_was_asked(subject->balancer));

    if (row->rngs)
        interval_ns = health_jitter_ns(row->spec, interval_ns,
                                       &row->rngs[check - row->checks]);
    return health_next_start_ns(row->spec, interval_ns, check->started_at_ns,
                                sim->now_ns);
}

static void conclude(struct sim *sim, const struct subject *subject)
{
    struct check *check = subject->check;
    const struct health_spec *spec = subject->row->spec;

    if (spec->lenient && check->result == HEALTH_NO_CONNECTION &&
        sim->now_ns == timeout_at_ns(subject) && is_at_work(sim, subject))
        check->result = HEALTH_INCONCLUSIVE;
    if (health_note(&check->health, spec, check->result))
        detections_bar(sim, subject->balancer, subject->node, subject->row->bar,
                       !check->health.healthy);
    if (check->result == HEALTH_OK && check->health.healthy)
        passive_checked(sim, subject->balancer, subject->node);
    check->phase = CHECK_RESTS;
    set_leaf(sim, check, next_start_ns(sim, subject));
}

/* As if a check had failed; it may come sooner than the next one would have. */
static void fail_one(struct sim *sim, const struct subject *subject)
{
    struct check *check = subject->check;

    if (health_note(&check->health, subject->row->spec, HEALTH_NO_CONNECTION))
        detections_bar(sim, subject->balancer, subject->node, subject->row->bar,
                       !check->health.healthy);
}

static void hasten(struct sim *sim, const struct subject *subject)
{
    const struct check *check = subject->check;
    const struct health_spec *spec = subject->row->spec;
    int64_t at_ns = sim->now_ns + spec->healthy_edge_interval_ns;

    if (check->phase == CHECK_RESTS && spec->healthy_edge_interval_ns > 0 &&
        (uint64_t)at_ns < event_tree_time_ns(&sim->tree, check->leaf))
        set_leaf(sim, check, at_ns);
}

void checks_observed(struct sim *sim, const struct balancer *balancer,
                     uint32_t node, enum observe_action action)
{
    struct subject subject =
        subject_of(sim, balancer->view.balancer_index * sim->node_count + node);
    const struct health_spec *spec = subject.row->spec;

    if (action == OBSERVE_SUDDEN_DEATH)
        health_weaken(&subject.check->health, spec, spec->healthy_after + 1);
    else if (action == OBSERVE_MARK_DOWN)
        health_weaken(&subject.check->health, spec, spec->healthy_after);
    if (action != OBSERVE_FASTINTER)
        fail_one(sim, &subject);
    hasten(sim, &subject);
}

static void travel(struct sim *sim, const struct subject *subject)
{
    struct check *check = subject->check;
    int64_t delay_ns = sim->scenario->balancer.network_delay_ns;

    if (delay_ns == 0) {
        arrive(sim, subject);
    } else if (delay_ns > subject->row->spec->timeout_ns) {
        miss(sim, subject);
    } else {
        check->phase = CHECK_TRAVELS;
        set_leaf(sim, check, sim->now_ns + delay_ns);
    }
}

/* At most one is under way to a node. */
static void begin(struct sim *sim, const struct subject *subject)
{
    const struct health_spec *spec = subject->row->spec;
    enum fault_word word = ask_faults(sim, subject);
    struct health_outlook outlook;

    subject->check->started_at_ns = sim->now_ns;
    if (!members_serves(sim, subject->node)) { /* nobody to ask */
        set_leaf(sim, subject->check, next_start_ns(sim, subject));
        return;
    }
    if (word == FAULT_ANSWERS && waits_its_turn(spec)) {
        travel(sim, subject);
        return;
    }
    outlook = health_outlook(spec, sim->now_ns,
                             2 * sim->scenario->balancer.network_delay_ns,
                             word == FAULT_ANSWERS, word == FAULT_REFUSES);
    return_at(sim, subject->check, outlook.result, outlook.ends_at_ns);
    if (outlook.ends_at_ns == sim->now_ns)
        conclude(sim, subject);
}

void checks_event(struct sim *sim, uint32_t index)
{
    struct subject subject = subject_of(sim, index);

    switch (subject.check->phase) {
    case CHECK_RESTS:
        begin(sim, &subject);
        break;
    case CHECK_TRAVELS:
        arrive(sim, &subject);
        break;
    case CHECK_WAITS:
        cancel(sim, &subject);
        subject.check->result = HEALTH_NO_CONNECTION;
        conclude(sim, &subject);
        break;
    case CHECK_RETURNS:
        conclude(sim, &subject);
        break;
    }
}

/* --- the run ---------------------------------------------------------------
 */

uint32_t checks_inside(const struct sim *sim)
{
    return sim->checks ? sim->checks->inside : 0;
}

void checks_forget(struct sim *sim, uint32_t node)
{
    for (uint32_t i = 0; sim->checks && i < sim->checks->row_count; i++) {
        const struct check_row *row = &sim->checks->rows[i];

        for (uint32_t b = 0; b < sim->balancer_count; b++) {
            struct check *check = &row->checks[b * sim->node_count + node];

            health_init(&check->health, row->spec);
            detections_bar(sim, &sim->balancers[b], node, row->bar, false);
        }
    }
}

static bool start_row(struct sim *sim, uint32_t r)
{
    const struct check_row *row = &sim->checks->rows[r];
    uint32_t count = sim->balancer_count * sim->node_count;

    for (uint32_t i = 0; i < count; i++) {
        uint64_t entity = rng_entity(i / sim->node_count, i % sim->node_count);
        struct check *check = &row->checks[i];
        struct rng rng;

        check->leaf = event_tree_take(&sim->tree, r * count + i);
        if (check->leaf == EVENT_NO_LEAF)
            return false;
        health_init(&check->health, row->spec);
        check->request = REQUEST_NONE;
        if (row->rngs)
            rng_stream(&row->rngs[i], sim->scenario->seed,
                       sim->setup->replication,
                       r ? RNG_GENERATION_JITTER : RNG_HEALTH_JITTER, entity);
        rng_stream(&rng, sim->scenario->seed, sim->setup->replication,
                   r ? RNG_GENERATION_PHASE : RNG_HEALTH_PHASE, entity);
        set_leaf(sim, check,
                 (int64_t)rng_below(&rng, (uint64_t)row->spec->interval_ns));
    }
    return true;
}

static bool has_chance(const struct health_spec *spec)
{
    return spec->interval_jitter > 0 || spec->jitter_ns > 0 || spec->spread > 0;
}

static bool make_row(struct sim *sim, const struct health_spec *spec,
                     enum balancer_bar bar)
{
    struct checks *checks = sim->checks;
    struct check_row *row = &checks->rows[checks->row_count++];
    size_t count = (size_t)sim->balancer_count * sim->node_count;

    row->spec = spec;
    row->bar = bar;
    row->checks = arena_allocate(&sim->arena, count, sizeof *row->checks);
    if (has_chance(spec)) {
        row->rngs = arena_allocate(&sim->arena, count, sizeof *row->rngs);
        if (!row->rngs)
            return false;
    }
    return row->checks;
}

static bool make_checks(struct sim *sim)
{
    const struct balancer_spec *spec = &sim->scenario->balancer;
    struct checks *checks = arena_allocate(&sim->arena, 1, sizeof *checks);

    sim->checks = checks;
    if (!checks || !make_row(sim, &spec->health, BAR_HEALTH) ||
        (spec->generation.given &&
         !make_row(sim, &spec->generation, BAR_GENERATION)))
        return false;
    if (!spec->health.lenient)
        return true;
    sim->watches_attempts = true;
    checks->answered_at_ns = arena_allocate(&sim->arena, sim->node_count,
                                            sizeof *checks->answered_at_ns);
    if (!checks->answered_at_ns)
        return false;
    for (uint32_t i = 0; i < sim->node_count; i++)
        checks->answered_at_ns[i] = INT64_MIN;
    return true;
}

bool checks_start(struct sim *sim)
{
    if (!sim->scenario->balancer.health.given)
        return true;
    if (!make_checks(sim))
        return false;
    for (uint32_t r = 0; r < sim->checks->row_count; r++)
        if (!start_row(sim, r))
            return false;
    return true;
}
