#include "sim/experiment/timeouts.h"

#include "sim/cluster/node_trouble.h"
#include "sim/core/timeout_line.h"
#include "sim/experiment/admission.h"
#include "sim/experiment/degrade.h"
#include "sim/experiment/life.h"
#include "sim/experiment/twins.h"

enum {
    LIMIT_TTFT,
    LIMIT_INTER_TOKEN,
    LIMIT_ATTEMPT,
    LIMIT_QUEUE,
    LIMIT_DOOR,
    LIMIT_COUNT
};

struct timeouts {
    struct timeout_line lines[LIMIT_COUNT]; /* of limits that are set */
    bool is_set[LIMIT_COUNT];
    bool patience;
};

static void set_limit(struct timeouts *timeouts, uint32_t limit,
                      int64_t after_ns, int64_t delay_ns)
{
    if (after_ns == 0)
        return;
    timeouts->is_set[limit] = true;
    timeout_line_init(&timeouts->lines[limit],
                      after_ns < INT64_MAX - delay_ns ? after_ns + delay_ns
                                                      : INT64_MAX - 1,
                      LINE_TIMEOUTS + limit);
}

bool timeouts_make(struct sim *sim)
{
    const struct timeout_spec *spec = &sim->scenario->balancer.timeout;
    bool patience = workload_has_patience(&sim->scenario->workload);
    struct timeouts *timeouts;

    if (spec->ttft_ns == 0 && spec->inter_token_ns == 0 &&
        spec->attempt_ns == 0 && spec->queue_ns == 0 && !patience)
        return true;
    timeouts = arena_allocate(&sim->arena, 1, sizeof *timeouts);
    if (!timeouts)
        return false;
    timeouts->patience = patience;
    set_limit(timeouts, LIMIT_TTFT, spec->ttft_ns, 0);
    set_limit(timeouts, LIMIT_INTER_TOKEN, spec->inter_token_ns, 0);
    set_limit(timeouts, LIMIT_ATTEMPT, spec->attempt_ns, 0);
    set_limit(timeouts, LIMIT_QUEUE, spec->queue_ns, sim->to_node.delay_ns);
    set_limit(timeouts, LIMIT_DOOR, spec->queue_ns, 0);
    sim->timeouts = timeouts;
    sim->watches_attempts = true;
    return true;
}

void timeouts_unmake(struct sim *sim)
{
    for (uint32_t i = 0; sim->timeouts && i < LIMIT_COUNT; i++)
        timeout_line_done(&sim->timeouts->lines[i]);
}

/* --- how far an answer has come ------------------------------------------- */

/* When the node stopped to send, or now. */
static int64_t sending_until_ns(const struct sim *sim,
                                const struct request *request)
{
    const struct node *node = &sim->nodes[request->node];

    if (request->state == REQUEST_LOST && node->died_at_ns < sim->now_ns)
        return node->died_at_ns;
    if (request->state == REQUEST_RUNNING && node->trouble &&
        node->trouble->frozen)
        return node->trouble->frozen_at_ns;
    return sim->now_ns;
}

/* It has been in service, and its answer is sent token by token. */
static bool sends_tokens(const struct sim *sim, const struct request *request)
{
    return (request->state == REQUEST_RUNNING ||
            request->state == REQUEST_LOST ||
            request->state == REQUEST_TO_CLIENT) &&
           request->started_at_ns >= request->sent_at_ns &&
           (request->flags & (REQUEST_TOKENS | REQUEST_FIRST_TOKEN |
                              REQUEST_CACHED)) == REQUEST_TOKENS &&
           sim->nodes[request->node].has_costs;
}

uint32_t timeouts_tokens(const struct sim *sim, const struct request *request,
                         uint32_t index)
{
    const struct node *node = &sim->nodes[request->node];
    int64_t since_ns, gap_ns;

    if (!sends_tokens(sim, request))
        return 0;
    since_ns = sending_until_ns(sim, request) -
               node_first_token_at_ns(node, &sim->slab, request, index);
    if (since_ns < 0)
        return 0;
    gap_ns = node_token_gap_ns(node, &sim->slab, request, index);
    if (gap_ns <= 0 || since_ns / gap_ns >= request->output_tokens)
        return request->output_tokens > 0 ? request->output_tokens : 1;
    return (uint32_t)(since_ns / gap_ns) + 1;
}

/* When the last token so far reached the balancer; there is one. */
static int64_t last_token_at_ns(const struct sim *sim,
                                const struct request *request, uint32_t index)
{
    const struct node *node = &sim->nodes[request->node];

    return node_first_token_at_ns(node, &sim->slab, request, index) +
           (timeouts_tokens(sim, request, index) - 1) *
               node_token_gap_ns(node, &sim->slab, request, index) +
           sim->to_client.delay_ns;
}

static bool token_has_reached(const struct sim *sim,
                              const struct request *request, uint32_t index)
{
    return timeouts_tokens(sim, request, index) > 0 &&
           node_first_token_at_ns(&sim->nodes[request->node], &sim->slab,
                                  request, index) +
                   sim->to_client.delay_ns <=
               sim->now_ns;
}

/* --- entering --------------------------------------------------------------
 */

static void enter(struct sim *sim, uint32_t limit,
                  const struct request *request, uint32_t index)
{
    if (!timeout_line_push(&sim->timeouts->lines[limit], &sim->tree,
                           sim->now_ns, index, request->epoch))
        sim_fail(sim, SIM_NO_MEMORY);
}

static void expect_patience(struct sim *sim, const struct request *request,
                            uint32_t index, int64_t from_ns)
{
    uint32_t known_as =
        request->flags & REQUEST_TWIN ? twins_first(sim, index) : index;
    int64_t patience_ns = sources_patience_ns(sim, request, known_as);

    if (patience_ns < INT64_MAX - from_ns)
        sim_alarm(sim, from_ns + patience_ns, ALARM_PATIENCE, index,
                  request->epoch);
}

void timeouts_sent(struct sim *sim, struct request *request, uint32_t index)
{
    const struct timeouts *timeouts = sim->timeouts;

    for (uint32_t limit = LIMIT_TTFT; limit <= LIMIT_QUEUE; limit++)
        if (timeouts->is_set[limit])
            enter(sim, limit, request, index);
    if (timeouts->patience)
        expect_patience(sim, request, index,
                        sim->now_ns + sim->to_node.delay_ns);
}

void timeouts_held(struct sim *sim, struct request *request, uint32_t index)
{
    if (sim->timeouts->is_set[LIMIT_DOOR])
        enter(sim, LIMIT_DOOR, request, index);
    if (sim->timeouts->patience)
        expect_patience(sim, request, index, sim->now_ns);
}

/* --- lost in a dead node ---------------------------------------------------
 */

/* Which limit such an attempt reaches first, and when; INT64_MAX: none. */
static int64_t find_limit(const struct sim *sim, const struct request *request,
                          uint32_t index, enum attempt_error *ret_error)
{
    const struct timeout_spec *spec = &sim->scenario->balancer.timeout;
    bool tokens = timeouts_tokens(sim, request, index) > 0;
    int64_t from_ns =
        tokens ? last_token_at_ns(sim, request, index) : request->sent_at_ns;
    int64_t after_ns = tokens ? spec->inter_token_ns : spec->ttft_ns;
    int64_t at_ns = INT64_MAX;

    *ret_error = tokens ? ERROR_INTER_TOKEN : ERROR_TTFT;
    if (after_ns > 0 && after_ns < INT64_MAX - from_ns)
        at_ns = from_ns + after_ns;
    if (spec->attempt_ns > 0 &&
        spec->attempt_ns < at_ns - request->sent_at_ns) {
        *ret_error = ERROR_ATTEMPT;
        at_ns = request->sent_at_ns + spec->attempt_ns;
    }
    return at_ns;
}

void timeouts_go_on(struct sim *sim, struct request *request, uint32_t index)
{
    enum attempt_error error;
    int64_t at_ns = find_limit(sim, request, index, &error);

    if (at_ns < INT64_MAX)
        sim_alarm(sim, at_ns, ALARM_TIMEOUT, index, request->epoch);
}

/* --- out of time -----------------------------------------------------------
 */

/* In a row of the door or of a node, too long for balancer or client. */
static void waited_too_long(struct sim *sim, struct request *request,
                            uint32_t index, enum attempt_error error)
{
    bool for_node = sim->admission && admission_waits_for_node(sim, index);

    if (error == ERROR_PATIENCE && sim->degrade)
        degrade_client_left(sim, request);
    if (sim->admission && (for_node || request->state == REQUEST_AT_DOOR))
        admission_count_expired(sim, request);
    if (request->state == REQUEST_QUEUED || for_node) {
        losses_attempt_timed_out(sim, request, index, error);
    } else if (request->state == REQUEST_AT_DOOR) {
        if (request->flags & REQUEST_MEASURED)
            sim->recorder.errors[error]++;
        losses_give_up(sim, index, error);
    }
}

static void look_for_tokens(struct sim *sim, struct request *request,
                            uint32_t index)
{
    if (request->state == REQUEST_TO_CLIENT)
        return;
    if (timeouts_tokens(sim, request, index) > 0 &&
        node_token_gap_ns(&sim->nodes[request->node], &sim->slab, request,
                          index) >
            sim->timeouts->lines[LIMIT_INTER_TOKEN].delay_ns)
        losses_attempt_timed_out(sim, request, index, ERROR_INTER_TOKEN);
    else
        enter(sim, LIMIT_INTER_TOKEN, request, index);
}

static void reach(struct sim *sim, uint32_t limit, struct request *request,
                  uint32_t index)
{
    switch (limit) {
    case LIMIT_TTFT:
        if (!token_has_reached(sim, request, index))
            losses_attempt_timed_out(sim, request, index, ERROR_TTFT);
        break;
    case LIMIT_INTER_TOKEN:
        look_for_tokens(sim, request, index);
        break;
    case LIMIT_ATTEMPT:
        losses_attempt_timed_out(sim, request, index, ERROR_ATTEMPT);
        break;
    case LIMIT_QUEUE:
        if (request->state == REQUEST_QUEUED ||
            (sim->admission && admission_waits_for_node(sim, index)))
            waited_too_long(sim, request, index, ERROR_QUEUE);
        break;
    default:
        if (request->state == REQUEST_AT_DOOR)
            waited_too_long(sim, request, index, ERROR_QUEUE);
    }
}

void timeouts_line(struct sim *sim, uint32_t limit)
{
    struct timeout_line *line = &sim->timeouts->lines[limit];
    const struct timeout_entry *oldest;

    timeout_line_disarm(line, &sim->tree);
    while ((oldest = timeout_line_oldest(line)) != NULL &&
           sim->status == SIM_OK) {
        struct timeout_entry entry = *oldest;
        struct request *request = request_at(&sim->slab, entry.request);
        bool over = request->epoch != entry.epoch ||
                    (request->flags & REQUEST_ZOMBIE) != 0;

        if (!over && entry.at_ns > sim->now_ns) {
            timeout_line_arm(line, &sim->tree);
            return;
        }
        timeout_line_drop(line);
        if (!over)
            reach(sim, limit, request, entry.request);
    }
}

void timeouts_alarm(struct sim *sim, const struct alarm *alarm)
{
    struct request *request = request_at(&sim->slab, alarm->subject);
    enum attempt_error error;

    if (request->epoch != alarm->epoch || (request->flags & REQUEST_ZOMBIE))
        return;
    if (alarm->kind == ALARM_PATIENCE) {
        waited_too_long(sim, request, alarm->subject, ERROR_PATIENCE);
        return;
    }
    find_limit(sim, request, alarm->subject, &error);
    losses_attempt_timed_out(sim, request, alarm->subject, error);
}

void timeouts_finish(const struct sim *sim, struct run_result *ret)
{
    const struct timeouts *timeouts = sim->timeouts;
    const uint64_t *errors = sim->recorder.errors;

    if (!timeouts)
        return;
    if (timeouts->is_set[LIMIT_TTFT])
        ret->values[M_ERRORS_TTFT] = (double)errors[ERROR_TTFT];
    if (timeouts->is_set[LIMIT_INTER_TOKEN])
        ret->values[M_ERRORS_INTER_TOKEN] = (double)errors[ERROR_INTER_TOKEN];
    if (timeouts->is_set[LIMIT_ATTEMPT])
        ret->values[M_ERRORS_ATTEMPT] = (double)errors[ERROR_ATTEMPT];
    if (timeouts->is_set[LIMIT_QUEUE])
        ret->values[M_ERRORS_QUEUE] = (double)errors[ERROR_QUEUE];
    if (timeouts->patience)
        ret->values[M_ERRORS_PATIENCE] = (double)errors[ERROR_PATIENCE];
}
