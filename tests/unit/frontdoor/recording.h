/*
 * A balancer whose policy writes down what it is shown, at each of its
 * callbacks, and answers as the test says.
 */
#ifndef TESTS_UNIT_FRONTDOOR_RECORDING_H
#define TESTS_UNIT_FRONTDOOR_RECORDING_H
#include "sim/frontdoor/balancer.h"
#include "tests/check.h"

#include <stdlib.h>

#define S INT64_C(1000000000)
#define NODES 3
#define RETRIES 2

/* What the policy saw at its last call. */
struct seen {
    char log[64]; /* a letter for each call, in order */
    struct lbp_view view;
    struct lbp_node nodes[NODES];
    uint32_t in_flight[NODES], since_report[NODES];
    uint64_t tokens[NODES];
    struct lbp_request request;
    char key[64]; /* of the request */
    uint64_t note[2], eligible;
    struct lbp_result result;
    uint32_t slot;
    void *destroyed;
    const void *config;
};
static struct seen seen;

/* What it answers. */
static enum lbp_status answer;
static uint32_t answer_slot;
static uint64_t answer_note;
static bool has_memory_to_start, has_memory_for_members;
static int64_t answer_time_ns;

static const struct lbp_host *host;
static struct lbp_ops ops;
static struct policy_spec policy;
static struct lbp_node described[NODES];
static struct balancer_setup setup;
static struct balancer balancer;
static struct request_slab slab;
static struct arena arena;

static inline void note_call(char letter)
{
    size_t length = strlen(seen.log);

    if (length + 1 < sizeof seen.log)
        seen.log[length] = letter;
}

static inline void note_view(char letter, const struct lbp_view *view)
{
    note_call(letter);
    seen.view = *view;
    for (uint32_t i = 0; i < NODES && i < view->slot_count; i++) {
        seen.nodes[i] = *lbp_node_at(view, i);
        seen.in_flight[i] = view->in_flight[i];
        seen.since_report[i] = view->in_flight_since_report[i];
        seen.tokens[i] = view->in_flight_tokens[i];
    }
}

static inline void note_request(const struct lbp_request *request)
{
    seen.request = *request;
    seen.note[0] = request->note[0];
    seen.note[1] = request->note[1];
    seen.key[0] = 0;
    if (request->key) {
        memcpy(seen.key, request->key, request->key_length);
        seen.key[request->key_length] = 0;
    }
}

static inline void *create(const void *config, const struct lbp_host *given)
{
    note_call('c');
    host = given;
    seen.config = config;
    return has_memory_to_start ? given->allocate(given->context, 1) : NULL;
}

static inline void destroy(void *state)
{
    note_call('x');
    seen.destroyed = state;
    host->release(host->context, state);
}

static inline bool on_members(void *state, const struct lbp_view *view)
{
    (void)state;
    note_view('m', view);
    return has_memory_for_members;
}

static inline enum lbp_status pick(void *state, const struct lbp_view *view,
                                   const struct lbp_request *request,
                                   uint32_t *ret_slot,
                                   struct lbp_explanation *explanation)
{
    (void)state, (void)explanation;
    note_view('p', view);
    note_request(request);
    seen.eligible = request->eligible[0];
    if (answer_note) {
        request->note[0] = answer_note;
        request->note[1] = ~answer_note;
    }
    *ret_slot = answer_slot;
    return answer;
}

static inline void on_sent(void *state, const struct lbp_view *view,
                           const struct lbp_request *request, uint32_t slot)
{
    (void)state;
    note_view('s', view);
    note_request(request);
    seen.slot = slot;
}

static inline void on_first_token(void *state, const struct lbp_view *view,
                                  const struct lbp_request *request,
                                  uint32_t slot)
{
    (void)state;
    note_view('f', view);
    note_request(request);
    seen.slot = slot;
}

static inline void on_done(void *state, const struct lbp_view *view,
                           const struct lbp_request *request, uint32_t slot,
                           const struct lbp_result *result)
{
    (void)state;
    note_view('d', view);
    note_request(request);
    seen.slot = slot;
    seen.result = *result;
}

static inline void on_report(void *state, const struct lbp_view *view,
                             uint32_t slot)
{
    (void)state;
    note_view('r', view);
    seen.slot = slot;
}

static inline int64_t on_timer(void *state, const struct lbp_view *view)
{
    (void)state;
    note_view('t', view);
    return answer_time_ns;
}

/* --- the world of a test -------------------------------------------------- */

static inline void describe(struct lbp_node *node, const char *key,
                            uint32_t weight)
{
    *node = (struct lbp_node){.key = key,
                              .key_length = (uint32_t)strlen(key),
                              .weight = weight,
                              .weight_factor = 1,
                              .health = LBP_HEALTHY,
                              .reported_at_ns = LBP_NO_TIME};
}

/* Three equal nodes, no checks and no reports. */
static inline void prepare(void)
{
    seen = (struct seen){.slot = LBP_NO_SLOT};
    answer = LBP_PICKED;
    answer_slot = 0;
    answer_note = 0;
    has_memory_to_start = has_memory_for_members = true;
    ops = (struct lbp_ops){
        .abi = LBP_ABI,
        .size = sizeof ops,
        .name = "recording",
        .create = create,
        .destroy = destroy,
        .on_members = on_members,
        .pick = pick,
        .on_sent = on_sent,
        .on_first_token = on_first_token,
        .on_done = on_done,
        .on_report = on_report,
        .on_timer = on_timer,
    };
    policy = (struct policy_spec){.label = "recording", .ops = &ops};
    describe(&described[0], "gpu-0", 1);
    describe(&described[1], "gpu-1", 1);
    describe(&described[2], "gpu-2", 1);
    setup = (struct balancer_setup){.policy = &policy,
                                    .index = 1,
                                    .count = 4,
                                    .node_count = NODES,
                                    .nodes = described,
                                    .report_interval_ns = -1,
                                    .arena = &arena};
    rng_stream(&setup.rng, 7, 1, RNG_POLICY, 1);
    request_slab_init(&slab, true, RETRIES);
}

static inline void start(void)
{
    CHECK(balancer_init(&balancer, &setup));
}

static inline void forget(void)
{
    balancer_done(&balancer);
    request_slab_done(&slab);
    arena_done(&arena);
}

/* A request without key whose first attempt has not been made. */
static inline uint32_t make_request(uint64_t number, uint32_t input_tokens)
{
    uint32_t index;
    struct request *request = request_slab_take(&slab, &index);

    request->number = number;
    request->input_tokens = input_tokens;
    request->output_tokens = 50;
    request->arrived_at_ns = (int64_t)number;
    *request_key_at(&slab, index) = (struct request_key){0};
    *request_retry_at(&slab, index) = (struct request_retry){0};
    return index;
}

/* Asks, and says what came of it. */
static inline enum lbp_status ask(uint32_t index, int64_t now_ns,
                                  bool expect_broken)
{
    uint32_t node = LBP_NO_SLOT;
    bool broken = !expect_broken;
    enum lbp_status status =
        balancer_pick(&balancer, &slab, request_at(&slab, index), index, now_ns,
                      &node, &broken);

    CHECK_INT(broken, expect_broken);
    if (status == LBP_PICKED && !broken)
        CHECK_UINT(node, answer_slot);
    return status;
}

/* One attempt to that node. */
static inline void send(uint32_t index, uint32_t node, int64_t now_ns)
{
    struct request *request = request_at(&slab, index);

    answer_slot = node;
    CHECK_INT(ask(index, now_ns, false), LBP_PICKED);
    request->node = node;
    request->sent_at_ns = now_ns;
    balancer_sent(&balancer, request, now_ns);
}

static inline void end(uint32_t index, int64_t now_ns, enum lbp_outcome outcome)
{
    balancer_attempt_over(&balancer, &slab, request_at(&slab, index), index,
                          now_ns, outcome, LBP_NO_TIME);
}

/* The attempt failed, and the request will not come to its node again. */
static inline void fail(uint32_t index, int64_t now_ns)
{
    struct request_retry *retry = request_retry_at(&slab, index);

    end(index, now_ns, LBP_RESET);
    request_tried_at(&slab, index)[retry->attempts++] =
        request_at(&slab, index)->node;
}

static inline void set_key(uint32_t index, uint64_t hash, const char *text,
                           uint64_t number_or_length)
{
    *request_key_at(&slab, index) =
        (struct request_key){hash, text, number_or_length};
}

#endif
