/*
 * The least scenario, in code: requests arrive every 0.1 s from 0.1 s to 9.9 s,
 * 99 in all, and keep the one slot of the one node busy for 0.05 s each. Its
 * policy, the probe, answers as the test says and notes what it is told.
 */
#ifndef TESTS_UNIT_EXPERIMENT_SIMULATION_WORLD_H
#define TESTS_UNIT_EXPERIMENT_SIMULATION_WORLD_H
#include "sim/experiment/simulation.h"

#include "policies/hash.h"
#include "policies/registry.h"
#include "tests/check.h"

#include <ctype.h>
#include <stdlib.h>

#define S INT64_C(1000000000)
#define KEY_SIZE 96
#define GROUPS_MAX 2
#define REQUESTS_MAX 2000
#define TOLD_MAX 4

static struct scenario scenario;
static struct group_spec groups[GROUPS_MAX];
static struct goal_spec goal;
static struct policy_spec policy;
static struct simulation_setup setup;
static struct run_result result;

/* What the policy of these tests does, and what it noted. */
struct probe {
    enum lbp_status third; /* the answer to requests 2, 5, 8, ... */
    bool waits;            /* while the node has one in flight */
    uint32_t broken_from;  /* the pick that names node `broken_slot` */
    uint32_t broken_slot;

    uint32_t picks;
    uint16_t balancer_of[REQUESTS_MAX]; /* by request number */
    char keys[TOLD_MAX][KEY_SIZE];      /* of nodes */
    uint64_t key_hashes[TOLD_MAX];
    uint32_t timer_calls, first_tokens;
    int64_t last_timer_ns;
    uint32_t reports;
    int64_t report_age_ns; /* of the last, when it came */
    uint32_t stale_picks;  /* whose view of node 0 was not that of now */
    struct lbp_node shown; /* node 0 at the last pick */
};
static struct probe probe;

static inline void *probe_create(const void *config,
                                 const struct lbp_host *host)
{
    struct probe **state = host->allocate(host->context, sizeof *state);

    (void)config;
    *state = &probe;
    return state;
}

static inline void probe_destroy(void *state)
{
    free(state); /* the balancer's host allocates so */
}

static inline bool probe_members(void *state, const struct lbp_view *view)
{
    struct probe *self = *(struct probe **)state;

    for (uint32_t i = 0; i < view->slot_count && i < TOLD_MAX; i++) {
        const struct lbp_node *node = lbp_node_at(view, i);

        CHECK(node->key_length < KEY_SIZE);
        memcpy(self->keys[i], node->key, node->key_length);
        self->keys[i][node->key_length] = 0;
        self->key_hashes[i] = node->key_hash;
    }
    return true;
}

static inline enum lbp_status probe_pick(void *state,
                                         const struct lbp_view *view,
                                         const struct lbp_request *request,
                                         uint32_t *ret_slot,
                                         struct lbp_explanation *explanation)
{
    struct probe *self = *(struct probe **)state;

    (void)explanation;
    self->picks++;
    self->shown = *lbp_node_at(view, 0);
    self->stale_picks += self->shown.reported_at_ns != view->now_ns ||
                         self->shown.queue_depth + self->shown.running !=
                             (int64_t)view->in_flight[0] ||
                         view->in_flight_since_report[0] != 0;
    if (request->id < REQUESTS_MAX)
        self->balancer_of[request->id] = (uint16_t)view->balancer_index;
    if (request->id % 3 == 2 && self->third != LBP_PICKED)
        return self->third;
    *ret_slot = lbp_nth_eligible(request, 0);
    if (self->waits && view->in_flight[*ret_slot] > 0)
        return LBP_WAIT;
    if (self->broken_from > 0 && self->picks >= self->broken_from)
        *ret_slot = self->broken_slot;
    return LBP_PICKED;
}

/* Every second. */
static inline int64_t probe_timer(void *state, const struct lbp_view *view)
{
    struct probe *self = *(struct probe **)state;

    self->timer_calls++;
    self->last_timer_ns = view->now_ns;
    return view->now_ns + S;
}

static inline void probe_first_token(void *state, const struct lbp_view *view,
                                     const struct lbp_request *request,
                                     uint32_t slot)
{
    struct probe *self = *(struct probe **)state;

    (void)view, (void)request, (void)slot;
    self->first_tokens++;
}

static inline void probe_report(void *state, const struct lbp_view *view,
                                uint32_t slot)
{
    struct probe *self = *(struct probe **)state;

    self->reports++;
    self->report_age_ns =
        view->now_ns - lbp_node_at(view, slot)->reported_at_ns;
}

static struct lbp_ops probe_ops;

static inline struct dist constant(double value)
{
    struct dist_params params = DIST_PARAMS_NONE;
    struct dist dist;

    params.kind = DIST_CONSTANT;
    params.value = value;
    CHECK(dist_init(&dist, &params, NULL, 0));
    return dist;
}

static inline void prepare(void)
{
    probe = (struct probe){.third = LBP_PICKED};
    probe_ops = (struct lbp_ops){
        .abi = LBP_ABI,
        .size = sizeof probe_ops,
        .name = "probe",
        .create = probe_create,
        .destroy = probe_destroy,
        .on_members = probe_members,
        .pick = probe_pick,
        .on_report = probe_report,
    };
    policy = (struct policy_spec){.label = "probe", .ops = &probe_ops};
    groups[0] = (struct group_spec){
        .name = "gpu",
        .count = 1,
        .weight = 1,
        .cpu_per_request = NAN,
        .engine = {.slots = 1, .speed = 1},
    };
    groups[1] = groups[0];
    scenario = (struct scenario){
        .duration_ns = 10 * S,
        .drain_ns = 600 * S,
        .replications = 1,
        .seed = 1,
        .workload = {.arrivals = {.process = ARRIVALS_DETERMINISTIC,
                                  .rate_per_s = 10},
                     .work = constant(0.05)},
        .group_count = 1,
        .groups = groups,
        .node_count = 1,
        .balancer = {.count = 1,
                     .report_interval_ns = -1,
                     .timeout = {.total_ns = INT64_MAX,
                                 .connect_ns = S,
                                 .cancel = true}},
        .policy_count = 1,
        .policies = &policy,
        .goals = &goal,
    };
    setup = (struct simulation_setup){
        .scenario = &scenario, .replication = 1, .warm_up_ns = -1};
    result = (struct run_result){0};
}

static inline void forget(void)
{
    run_result_done(&result);
}

static inline void run(enum sim_status expected)
{
    run_result_done(&result);
    CHECK_INT(simulation_run(&setup, &result), expected);
}

static inline void use_policy(const char *name)
{
    policy.ops = lbp_registry_find(name, strlen(name));
    CHECK(policy.ops != NULL);
    policy.config = NULL;
}

static inline void set_nodes(uint32_t count)
{
    groups[0].count = scenario.node_count = count;
}

#endif
