#include "sim/experiment/degrade.h"

#include "sim/experiment/life.h"
#include "sim/experiment/twins.h"
#include "sim/frontdoor/degradation.h"

#include <stdlib.h>

struct degrade {
    const struct degradation_spec *spec;
    struct routing light;               /* the nodes of the light model */
    uint32_t class_count;               /* 1 or more */
    struct degradation_belief *beliefs; /* [balancer_count * class_count] */
    struct result_cache old_answers;    /* when spec->cached */
    /* Of measured requests: lesser answers by level, those of them in goal, and
       canned failures; how many skipped the primary, or were taken from it. */
    uint64_t answered[LEVEL_COUNT], good[LEVEL_COUNT];
    uint64_t skipped, abandoned;
    uint64_t left; /* number of the last request whose client left, plus 1 */
};

/* --- building ------------------------------------------------------------- */

/* Every class to one row: the light model, on any node that has it. */
static bool make_light(struct sim *sim, struct degrade *degrade)
{
    const struct scenario *scenario = sim->scenario;
    uint32_t count = scenario->workload.class_count;
    struct routing_row row = {.model = degrade->spec->light};
    struct routing_rows *rows =
        arena_allocate(&sim->arena, count, sizeof *rows);
    struct routing_row *shared = arena_allocate(&sim->arena, 1, sizeof *shared);
    struct routing_spec spec = {
        .given = true, .classes = rows, .class_count = count};

    if (!rows || !shared)
        return false;
    *shared = row;
    for (uint32_t i = 0; i < count; i++)
        rows[i] = (struct routing_rows){.count = 1, .rows = shared};
    if (!routing_init(&degrade->light, &spec, sim->described, sim->node_count,
                      &sim->arena))
        return false;
    return true;
}

bool degrade_make(struct sim *sim)
{
    const struct degradation_spec *spec = &sim->scenario->balancer.degrade;
    uint32_t classes = sim->scenario->workload.class_count;
    struct degrade *degrade;

    if (!spec->given)
        return true;
    degrade = arena_allocate(&sim->arena, 1, sizeof *degrade);
    if (!degrade)
        return false;
    *degrade = (struct degrade){.spec = spec,
                                .class_count = classes > 0 ? classes : 1};
    sim->degrade = degrade;
    sim->watches_attempts = true;
    degrade->beliefs = arena_allocate(
        &sim->arena, (size_t)sim->balancer_count * degrade->class_count,
        sizeof *degrade->beliefs);
    if (!degrade->beliefs)
        return false;
    if (spec->light != 0)
        recorder_has_series(&sim->recorder, SERIES_DEGRADED_LIGHT);
    if (spec->cached)
        recorder_has_series(&sim->recorder, SERIES_DEGRADED_CACHED);
    if (spec->cached && !result_cache_init(&degrade->old_answers,
                                           spec->cache_entries, 0, INT64_MAX))
        return false;
    if (spec->light != 0 && !make_light(sim, degrade))
        return false;
    for (uint32_t b = 0; b < sim->balancer_count; b++)
        if (!balancer_has_lesser(&sim->balancers[b],
                                 spec->light != 0 ? &degrade->light : NULL,
                                 &sim->arena))
            return false;
    return true;
}

void degrade_unmake(struct sim *sim)
{
    if (sim->degrade && sim->degrade->spec->cached)
        result_cache_done(&sim->degrade->old_answers);
}

/* --- times ---------------------------------------------------------------- */

static uint32_t class_of(const struct sim *sim, const struct request *request)
{
    return sim->scenario->workload.class_count > 0 ? request->taken_for : 0;
}

static struct degradation_belief *belief_of(const struct sim *sim,
                                            const struct request *request)
{
    return &sim->degrade->beliefs[(size_t)request->balancer *
                                      sim->degrade->class_count +
                                  class_of(sim, request)];
}

/* That of its class or the total time-out, what comes first. */
static int64_t deadline_after_ns(const struct sim *sim,
                                 const struct request *request)
{
    int64_t after_ns = sim->scenario->balancer.timeout.total_ns;

    if (sim->scenario->workload.class_count > 0) {
        const struct workload_class *of =
            &sim->scenario->workload.classes[request->taken_for];

        after_ns = of->deadline_ns < after_ns ? of->deadline_ns : after_ns;
    }
    return after_ns;
}

static bool is_lesser(const struct request *request)
{
    return (request->flags & REQUEST_LESSER) != 0;
}

/* When the level that it is at must have come to something. */
static int64_t level_until_ns(const struct sim *sim,
                              const struct request *request)
{
    const struct degradation_spec *spec = sim->degrade->spec;
    int64_t after_ns = deadline_after_ns(sim, request);

    return is_lesser(request)
               ? degradation_light_until_ns(spec, request->arrived_at_ns,
                                            after_ns)
               : degradation_primary_until_ns(spec, request->arrived_at_ns,
                                              after_ns);
}

static void set_alarm(struct sim *sim, const struct request *request,
                      uint32_t index)
{
    int64_t until_ns = level_until_ns(sim, request);

    if (until_ns < INT64_MAX)
        sim_alarm(sim, until_ns, ALARM_DEGRADE, index,
                  (uint32_t)request->number);
}

/* Seconds on a node of the group, noise apart. */
static double service_s(const struct group_spec *group,
                        const struct request *request)
{
    const struct service_spec *cost = &group->engine.service;
    double s = request->need;

    if (cost->given && (request->flags & REQUEST_TOKENS))
        s = cost->base_s + cost->per_input_token_s * request->input_tokens +
            cost->per_output_token_s * request->output_tokens;
    return s / group->engine.speed;
}

static int64_t light_expected_ns(const struct sim *sim,
                                 const struct request *request)
{
    const struct scenario *scenario = sim->scenario;
    const struct degradation_spec *spec = sim->degrade->spec;
    double least_s = 1e9;

    if (spec->expected_ns >= 0)
        return spec->expected_ns;
    for (uint32_t g = 0; g < scenario->group_count; g++) {
        const struct group_spec *group = &scenario->groups[g];
        double s = service_s(group, request);

        if (group->count > 0 && (group->models >> spec->light & 1) &&
            s < least_s)
            least_s = s;
    }
    return (int64_t)(least_s * 1e9) + 2 * scenario->balancer.network_delay_ns;
}

/* --- levels --------------------------------------------------------------- */

static bool is_measured(const struct request *request)
{
    return (request->flags & REQUEST_MEASURED) != 0;
}

static void count_answer(struct sim *sim, const struct request *request,
                         enum degradation_level level)
{
    struct degrade *degrade = sim->degrade;

    if (!is_measured(request))
        return;
    degrade->answered[level]++;
    recorder_count(&sim->recorder,
                   level == LEVEL_LIGHT ? SERIES_DEGRADED_LIGHT
                                        : SERIES_DEGRADED_CACHED,
                   request->arrived_at_ns);
    degrade->good[level] +=
        sim->now_ns - request->arrived_at_ns <= sim->recorder.goodput_bound_ns;
}

/* On its way to the light model; the caller sends it. */
static void become_lesser(struct sim *sim, struct request *request,
                          uint32_t index)
{
    request->flags &=
        (uint16_t) ~(REQUEST_CACHED | REQUEST_FIRST_TOKEN | REQUEST_FILLS_TIER);
    request->flags |= REQUEST_LESSER;
    set_alarm(sim, request, index);
}

static void go_to_light(struct sim *sim, struct request *request,
                        uint32_t index)
{
    become_lesser(sim, request, index);
    request->flags |= REQUEST_RETRIED;
    request->state = REQUEST_AT_DOOR;
    door_dispatch(sim, request, index);
}

static void give_old_answer(struct sim *sim, struct request *request,
                            uint32_t index)
{
    int64_t latency_ns = sim->now_ns - request->arrived_at_ns;

    count_answer(sim, request, LEVEL_CACHED);
    recorder_answered_at_door(&sim->recorder, request, latency_ns,
                              latency_ns - sim->degrade->spec->hit_time_ns);
    life_leave(sim, index);
    request_slab_give(&sim->slab, request, index);
}

/* false: there is no old answer. */
static bool go_to_cache(struct sim *sim, struct request *request,
                        uint32_t index)
{
    struct degrade *degrade = sim->degrade;
    uint64_t hash = 0;

    if (degrade->spec->cached && sim->slab.with_keys)
        hash = request_key_at(&sim->slab, index)->hash;
    if (hash == 0 ||
        !result_cache_find(&degrade->old_answers, hash, sim->now_ns))
        return false;
    request->flags |= REQUEST_LESSER;
    request->state = REQUEST_AT_TIER;
    if (degrade->spec->hit_time_ns == 0)
        give_old_answer(sim, request, index);
    else
        sim_alarm(sim, sim->now_ns + degrade->spec->hit_time_ns,
                  ALARM_OLD_ANSWER, index, request->epoch);
    return true;
}

/* Nobody waits for an answer of any kind: the client has left, or his time is
   over. */
static bool is_over(const struct sim *sim, const struct request *request,
                    enum ending ending)
{
    return sim->degrade->left == request->number + 1 ||
           (ending == END_TIMED_OUT && sim->now_ns - request->arrived_at_ns >=
                                           deadline_after_ns(sim, request));
}

void degrade_client_left(struct sim *sim, const struct request *request)
{
    sim->degrade->left = request->number + 1;
}

bool degrade_take(struct sim *sim, struct request *request, uint32_t index,
                  enum ending ending)
{
    struct degrade *degrade = sim->degrade;
    enum degradation_level failed =
        is_lesser(request) ? LEVEL_LIGHT : LEVEL_PRIMARY;

    if (failed == LEVEL_PRIMARY)
        degradation_primary_failed(degrade->spec, belief_of(sim, request),
                                   sim->now_ns);
    if (is_over(sim, request, ending))
        return false;
    if (degradation_next(
            degrade->spec, failed, light_expected_ns(sim, request),
            degradation_light_until_ns(degrade->spec, request->arrived_at_ns,
                                       deadline_after_ns(sim, request)),
            sim->now_ns) == LEVEL_LIGHT) {
        go_to_light(sim, request, index);
        return true;
    }
    if (go_to_cache(sim, request, index))
        return true;
    degrade->answered[LEVEL_CANNED] += is_measured(request);
    return false;
}

/* --- what happens to it --------------------------------------------------- */

void degrade_arrived(struct sim *sim, struct request *request, uint32_t index)
{
    struct degrade *degrade = sim->degrade;

    if (degradation_begin(degrade->spec, belief_of(sim, request),
                          sim->now_ns) == LEVEL_PRIMARY) {
        set_alarm(sim, request, index);
        return;
    }
    degrade->skipped += is_measured(request);
    become_lesser(sim, request, index);
}

/* A retry or a hedge may have another slot than the one that arrived. */
void degrade_sent(struct sim *sim, const struct request *request,
                  uint32_t index)
{
    if (request->flags & REQUEST_RETRIED)
        set_alarm(sim, request, index);
}

void degrade_over(struct sim *sim, const struct request *request,
                  uint32_t index, enum lbp_outcome outcome)
{
    struct degrade *degrade = sim->degrade;
    uint64_t hash = 0;

    if (outcome != LBP_OK)
        return;
    if (is_lesser(request)) {
        count_answer(sim, request, LEVEL_LIGHT);
        recorder_degrades(&sim->recorder, request);
        return;
    }
    degradation_primary_answered(degrade->spec, belief_of(sim, request),
                                 sim->now_ns);
    if (degrade->spec->cached && sim->slab.with_keys)
        hash = request_key_at(&sim->slab, index)->hash;
    if (hash != 0 &&
        !result_cache_store(&degrade->old_answers, hash, 1, sim->now_ns))
        sim_fail(sim, SIM_NO_MEMORY);
}

/* --- out of time ---------------------------------------------------------- */

/* The client has seen it. */
static bool has_first_token(const struct sim *sim,
                            const struct request *request, uint32_t index)
{
    const struct node *node = &sim->nodes[request->node];

    return request->state == REQUEST_RUNNING &&
           (request->flags & REQUEST_TOKENS) &&
           !(request->flags & REQUEST_FIRST_TOKEN) && node->has_costs &&
           node_first_token_at_ns(node, &sim->slab, request, index) +
                   sim->to_client.delay_ns <=
               sim->now_ns;
}

/* Answered, or about to be, or with the word of its failure on its way. */
static bool is_settled(const struct sim *sim, const struct request *request,
                       uint32_t index)
{
    switch ((enum request_state)request->state) {
    case REQUEST_HIT:
    case REQUEST_TO_CLIENT:
        return true;
    case REQUEST_AT_TIER:
        return is_lesser(request);
    default:
        return !is_lesser(request) && has_first_token(sim, request, index);
    }
}

/* Not to be tried again there, so it comes back through losses_end. */
static void abandon(struct sim *sim, struct request *request, uint32_t index)
{
    sim->degrade->abandoned += is_measured(request) && !is_lesser(request);
    switch ((enum request_state)request->state) {
    case REQUEST_AT_DOOR:
        door_leave(sim, &sim->balancers[request->balancer], request, index);
        request->epoch++;
        losses_end(sim, request, index, END_FAILED);
        break;
    case REQUEST_AT_TIER:
    case REQUEST_BACKS_OFF:
        request->epoch++;
        losses_end(sim, request, index, END_FAILED);
        break;
    default:
        losses_attempt_timed_out(sim, request, index, ERROR_ABANDONED);
    }
}

/* Of several slots the one that stands for it; the others are given up. */
static uint32_t stand_alone(struct sim *sim, uint32_t index)
{
    uint32_t first;

    if (!(request_at(&sim->slab, index)->flags & REQUEST_HEDGED))
        return index;
    first = twins_first(sim, index);
    twins_drop_others(sim, first, LBP_CANCELLED, ERROR_ABANDONED);
    return first;
}

void degrade_alarm(struct sim *sim, const struct alarm *alarm)
{
    struct request *request = request_at(&sim->slab, alarm->subject);
    uint32_t index;

    if (request->state == REQUEST_FREE || (request->flags & REQUEST_ZOMBIE))
        return;
    if (alarm->kind == ALARM_OLD_ANSWER) {
        if (request->epoch == alarm->epoch)
            give_old_answer(sim, request, alarm->subject);
        return;
    }
    if ((uint32_t)request->number != alarm->epoch ||
        sim->now_ns < level_until_ns(sim, request) ||
        is_settled(sim, request, alarm->subject))
        return;
    index = stand_alone(sim, alarm->subject);
    abandon(sim, request_at(&sim->slab, index), index);
}

/* --- measures ------------------------------------------------------------- */

void degrade_finish(const struct sim *sim, struct run_result *ret)
{
    const struct degrade *degrade = sim->degrade;
    double measured = (double)sim->recorder.measured;
    double window_s =
        (double)(sim->recorder.end_ns - sim->recorder.start_ns) * 1e-9;
    const double *quality;
    double sum;

    if (!degrade)
        return;
    quality = degrade->spec->quality;
    sum = quality[LEVEL_PRIMARY] * (double)sim->recorder.good;
    for (int i = LEVEL_LIGHT; i <= LEVEL_CACHED; i++)
        sum -= (quality[LEVEL_PRIMARY] - quality[i]) * (double)degrade->good[i];
    ret->values[M_DEGRADE_SKIPPED] = (double)degrade->skipped;
    ret->values[M_DEGRADE_ABANDONED] = (double)degrade->abandoned;
    if (measured > 0) {
        ret->values[M_DEGRADED_RATIO] =
            (double)(degrade->answered[LEVEL_LIGHT] +
                     degrade->answered[LEVEL_CACHED]) /
            measured;
        ret->values[M_LIGHT_RATIO] =
            (double)degrade->answered[LEVEL_LIGHT] / measured;
        ret->values[M_OLD_RATIO] =
            (double)degrade->answered[LEVEL_CACHED] / measured;
        ret->values[M_CANNED_RATIO] =
            (double)degrade->answered[LEVEL_CANNED] / measured;
    }
    if (sim->recorder.open && window_s > 0)
        ret->values[M_QUALITY_GOODPUT] = sum / window_s;
}
