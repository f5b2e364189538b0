/* When active checks run, and what a balancer concludes. */
#include "sim/experiment/checks_state.h"

#include "sim/cluster/node_trouble.h"
#include "sim/experiment/check_restarts.h"
#include "sim/experiment/detections.h"
#include "sim/experiment/members.h"
#include "sim/experiment/passive.h"

struct check_subject checks_subject(const struct sim *sim, uint32_t index)
{
    uint32_t of_row = sim->balancer_count * sim->node_count;
    const struct check_row *row = &sim->checks->rows[index / of_row];
    uint32_t at = index % of_row;

    return (struct check_subject){
        .row = row,
        .check = &row->checks[at],
        .balancer = &sim->balancers[at / sim->node_count],
        .index = index,
        .node = at % sim->node_count,
    };
}

void checks_set_leaf(struct sim *sim, const struct check *check, int64_t at_ns)
{
    event_tree_set(&sim->tree, check->leaf, at_ns, RANK_HEALTH);
}

void checks_return_at(struct sim *sim, struct check *check,
                      enum health_result result, int64_t at_ns)
{
    check->phase = CHECK_RETURNS;
    check->result = result;
    checks_set_leaf(sim, check, at_ns);
}

int64_t checks_timeout_at_ns(const struct check_subject *subject)
{
    return subject->check->started_at_ns + subject->row->spec->timeout_ns;
}

enum fault_word checks_ask_faults(const struct sim *sim,
                                  const struct check_subject *subject)
{
    static const enum fault_probe levels[] = {
        [PROBE_TCP] = FAULT_PROBE_TCP,
        [PROBE_HTTP] = FAULT_PROBE_HTTP,
        [PROBE_GENERATION] = FAULT_PROBE_TOKEN,
    };

    return faults_probe(sim, subject->balancer, subject->node,
                        levels[subject->row->spec->probe]);
}

enum health_result checks_result_of(enum fault_word word)
{
    switch (word) {
    case FAULT_ANSWERS:
        return HEALTH_OK;
    case FAULT_SAYS_ILL:
        return HEALTH_WRONG_ANSWER;
    default:
        return HEALTH_NO_CONNECTION;
    }
}

/* --- what is visible of a node that misses checks --- */

void checks_answered(struct sim *sim, uint32_t node)
{
    if (sim->checks && sim->checks->answered_at_ns)
        sim->checks->answered_at_ns[node] = sim->now_ns;
}

/* Some request there is past its first token, and more keep coming. */
static bool streams(const struct sim *sim, uint32_t index)
{
    const struct node *node = &sim->nodes[index];

    if (!node->alive || (node->trouble && node->trouble->frozen))
        return false;
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
static bool is_at_work(const struct sim *sim,
                       const struct check_subject *subject)
{
    return sim->checks->answered_at_ns[subject->node] >=
               subject->check->started_at_ns ||
           streams(sim, subject->node);
}

/* --- from check to check --- */

static int64_t next_start_ns(const struct sim *sim,
                             const struct check_subject *subject)
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

/* The belief has changed. */
static void believe(struct sim *sim, const struct check_subject *subject)
{
    bool healthy = subject->check->health.healthy;

    detections_bar(sim, subject->balancer, subject->node, subject->row->bar,
                   !healthy);
    if (!healthy && subject->row->spec->restart_ns > 0)
        check_restarts_kill(sim, subject->node, subject->row->spec->restart_ns);
}

static void conclude(struct sim *sim, const struct check_subject *subject)
{
    struct check *check = subject->check;
    const struct health_spec *spec = subject->row->spec;

    if (spec->lenient && check->result == HEALTH_NO_CONNECTION &&
        sim->now_ns == checks_timeout_at_ns(subject) &&
        is_at_work(sim, subject))
        check->result = HEALTH_INCONCLUSIVE;
    if (health_note(&check->health, spec, check->result))
        believe(sim, subject);
    if (check->result == HEALTH_OK && check->health.healthy)
        passive_checked(sim, subject->balancer, subject->node);
    check->phase = CHECK_RESTS;
    checks_set_leaf(sim, check, next_start_ns(sim, subject));
}

/* As if a check had failed; it may come sooner than the next one would have. */
static void fail_one(struct sim *sim, const struct check_subject *subject)
{
    struct check *check = subject->check;

    if (health_note(&check->health, subject->row->spec, HEALTH_NO_CONNECTION))
        believe(sim, subject);
}

static void hasten(struct sim *sim, const struct check_subject *subject)
{
    const struct check *check = subject->check;
    const struct health_spec *spec = subject->row->spec;
    int64_t at_ns = sim->now_ns + spec->healthy_edge_interval_ns;

    if (check->phase == CHECK_RESTS && spec->healthy_edge_interval_ns > 0 &&
        (uint64_t)at_ns < event_tree_time_ns(&sim->tree, check->leaf))
        checks_set_leaf(sim, check, at_ns);
}

void checks_observed(struct sim *sim, const struct balancer *balancer,
                     uint32_t node, enum observe_action action)
{
    struct check_subject subject = checks_subject(
        sim, balancer->view.balancer_index * sim->node_count + node);
    const struct health_spec *spec = subject.row->spec;

    if (action == OBSERVE_SUDDEN_DEATH)
        health_weaken(&subject.check->health, spec, spec->healthy_after + 1);
    else if (action == OBSERVE_MARK_DOWN)
        health_weaken(&subject.check->health, spec, spec->healthy_after);
    if (action != OBSERVE_FASTINTER)
        fail_one(sim, &subject);
    hasten(sim, &subject);
}

/* At most one is under way to a node. */
static void begin(struct sim *sim, const struct check_subject *subject)
{
    const struct health_spec *spec = subject->row->spec;
    enum fault_word word;
    struct health_outlook outlook;

    subject->check->started_at_ns = sim->now_ns;
    if (!members_serves(sim, subject->node)) { /* nobody to ask */
        checks_set_leaf(sim, subject->check, next_start_ns(sim, subject));
        return;
    }
    if (check_visits_wanted(spec)) {
        check_visits_send(sim, subject);
        return;
    }
    word = checks_ask_faults(sim, subject);
    outlook = health_outlook(
        spec, sim->now_ns, 2 * sim->scenario->balancer.network_delay_ns,
        word != FAULT_SAYS_NOTHING, checks_result_of(word));
    checks_return_at(sim, subject->check, outlook.result, outlook.ends_at_ns);
    if (outlook.ends_at_ns == sim->now_ns)
        conclude(sim, subject);
}

void checks_event(struct sim *sim, uint32_t index)
{
    struct check_subject subject = checks_subject(sim, index);

    switch (subject.check->phase) {
    case CHECK_RESTS:
        begin(sim, &subject);
        break;
    case CHECK_TRAVELS:
        check_visits_arrive(sim, &subject);
        break;
    case CHECK_WAITS:
        check_visits_cancel(sim, &subject);
        subject.check->result = HEALTH_NO_CONNECTION;
        conclude(sim, &subject);
        break;
    case CHECK_RETURNS:
        conclude(sim, &subject);
        break;
    }
}

/* --- the run --- */

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
        checks_set_leaf(
            sim, check,
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
