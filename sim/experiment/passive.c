#include "sim/experiment/passive.h"

#include "sim/experiment/detections.h"
#include "sim/experiment/members.h"
#include "sim/experiment/panics.h"
#include "sim/frontdoor/outlier_stats.h"

#include <math.h>

/* --- making --------------------------------------------------------------- */

static bool is_wanted(const struct balancer_spec *spec)
{
    return spec->max_fails.given || spec->observe.given ||
           spec->outlier.given || spec->breaker.given;
}

/* Models tell breakers apart where requests have one. */
static uint32_t count_breakers(const struct scenario *scenario)
{
    return scenario->workload.class_count > 0 && scenario->model_count > 1
               ? scenario->model_count
               : 1;
}

void passive_start(struct sim *sim)
{
    if (sim->passive)
        ejectors_start(sim);
}

void passive_bar(struct passive_balancer *at, uint32_t node,
                 enum balancer_bar bar, bool down, bool tells)
{
    struct sim *sim = at->sim;

    if (((at->balancer->bars[node] & bar) != 0) == down)
        return;
    bar_times_change(&sim->passive->times, &sim->recorder,
                     at->balancer->view.balancer_index, node, (uint16_t)bar,
                     down, sim->now_ns);
    if (tells && (bar & BARS_OF_DOUBT)) {
        detections_bar(sim, at->balancer, node, bar, down);
        return;
    }
    if (!balancer_bar(at->balancer, node, bar, down, sim->now_ns))
        sim_fail(sim, SIM_NO_MEMORY);
    panics_look(sim, at->balancer);
    if (!down && at->balancer->waiting_head != REQUEST_NONE)
        sim->attention = true;
}

void passive_member(struct sim *sim, uint32_t node, bool is_there)
{
    struct passive *passive = sim->passive;

    for (uint32_t b = 0; passive && b < sim->balancer_count; b++) {
        bar_times_forget(&passive->times, &sim->recorder, b, node, sim->now_ns);
        ejectors_member(&passive->balancers[b], node, is_there);
        if (passive->spec->breaker.given)
            breakers_forget(&passive->balancers[b], node);
    }
}

/* Those that are not there at first. */
static void leave_out_absent(struct sim *sim)
{
    for (uint32_t i = 0; i < sim->node_count; i++)
        if (!members_serves(sim, i))
            passive_member(sim, i, false);
}

bool passive_make(struct sim *sim)
{
    struct passive *passive;

    if (!is_wanted(&sim->scenario->balancer))
        return true;
    passive = arena_allocate(&sim->arena, 1, sizeof *passive);
    if (!passive)
        return false;
    passive->spec = &sim->scenario->balancer;
    passive->breakers_per_node = count_breakers(sim->scenario);
    passive->balancers = arena_allocate(&sim->arena, sim->balancer_count,
                                        sizeof *passive->balancers);
    sim->passive = passive;
    sim->watches_attempts = true;
    if (!passive->balancers ||
        !bar_times_init(&passive->times, sim->balancer_count, sim->node_count,
                        sim->recorder.bucket_count, &sim->arena))
        return false;
    for (uint32_t b = 0; b < sim->balancer_count; b++) {
        struct passive_balancer *at = &passive->balancers[b];

        at->sim = sim;
        at->balancer = &sim->balancers[b];
        if (!ejectors_make(sim, at) || !breakers_make(sim, at))
            return false;
    }
    leave_out_absent(sim);
    return true;
}

/* --- attempts ------------------------------------------------------------- */

static struct passive_balancer *find(struct sim *sim,
                                     const struct balancer *balancer)
{
    return &sim->passive->balancers[balancer->view.balancer_index];
}

/* By how the attempt ended, but for what tells more. A node that lacks a model
   says so in an answer, and is well; one with a long queue is full. */
static enum blame blame_of(enum attempt_error error, enum lbp_outcome outcome)
{
    if (error == ERROR_REFUSED || error == ERROR_CONNECT)
        return BLAME_CONNECT;
    if (error == ERROR_NO_MODEL)
        return BLAME_GOOD;
    if (error == ERROR_QUEUE || error == ERROR_EXPIRED)
        return BLAME_OVERLOAD;
    switch (outcome) {
    case LBP_OK:
        return BLAME_GOOD;
    case LBP_ERROR:
        return BLAME_WRONG;
    case LBP_RESET:
        return BLAME_BROKEN;
    case LBP_TIMEOUT:
        return BLAME_TIMEOUT;
    case LBP_OVERLOAD:
        return BLAME_OVERLOAD;
    case LBP_CANCELLED:
        break;
    }
    return BLAME_NOTHING;
}

void passive_sent(struct sim *sim, const struct balancer *balancer,
                  const struct request *request)
{
    struct passive_balancer *at = find(sim, balancer);

    ejectors_sent(at, request->node);
    breakers_sent(at, request);
}

/* How long the client waited since this attempt was sent; negative: nobody
   knows, or a cache answered, which says nothing of the node's speed. */
static int64_t latency_ns(const struct sim *sim, const struct request *request,
                          int64_t first_token_at_ns)
{
    if (request->flags & REQUEST_CACHED)
        return -1;
    if (sim->passive->spec->outlier.latency.of == OUTLIER_OF_ANSWER)
        return sim->now_ns - request->sent_at_ns;
    return first_token_at_ns == LBP_NO_TIME
               ? -1
               : first_token_at_ns - request->sent_at_ns;
}

void passive_over(struct sim *sim, const struct balancer *balancer,
                  const struct request *request, enum attempt_error error,
                  enum lbp_outcome outcome, int64_t first_token_at_ns)
{
    struct passive_balancer *at = find(sim, balancer);
    enum blame blame = blame_of(error, outcome);

    if (sim->passive->spec->outlier.latency.given && error == ERROR_NONE &&
        blame == BLAME_GOOD) {
        int64_t took_ns = latency_ns(sim, request, first_token_at_ns);

        if (took_ns >= 0)
            outliers_latency(&at->outliers, request->node, took_ns);
    }
    ejectors_over(at, request->node, blame);
    breakers_over(at, request, blame);
}

void passive_checked(struct sim *sim, const struct balancer *balancer,
                     uint32_t node)
{
    if (sim->passive && sim->passive->spec->outlier.given)
        outliers_checked(&find(sim, balancer)->outliers, node, sim->now_ns);
}

/* --- measures ------------------------------------------------------------- */

static void finish_outliers(const struct sim *sim, double *values)
{
    const struct passive *passive = sim->passive;
    double all = 0, over_cap = 0, not_enforced = 0;

    for (int cause = 0; cause < OUTLIER_CAUSES; cause++) {
        double count = (double)passive->counts.outliers[cause];

        all += count;
        if (outlier_spec_ejects(&passive->spec->outlier,
                                (enum outlier_cause)cause))
            values[M_OUTLIER_5XX + cause] = count;
    }
    for (uint32_t b = 0; b < sim->balancer_count; b++) {
        over_cap += (double)passive->balancers[b].outliers.over_cap;
        not_enforced += (double)passive->balancers[b].outliers.not_enforced;
    }
    values[M_OUTLIER_EJECTIONS] = all;
    values[M_OUTLIER_OVER_CAP] = over_cap;
    values[M_OUTLIER_NOT_ENFORCED] = not_enforced;
}

void passive_finish(const struct sim *sim, struct run_result *ret)
{
    const struct passive *passive = sim->passive;
    double *values = ret->values;

    if (!passive)
        return;
    if (passive->spec->max_fails.given) {
        values[M_MAX_FAILS_EJECTIONS] = (double)passive->counts.max_fails;
        values[M_MAX_FAILS_TRIALS] = (double)passive->counts.max_fails_trials;
    }
    if (passive->spec->observe.given)
        values[M_OBSERVE_ACTIONS] = (double)passive->counts.observed;
    if (passive->spec->outlier.given)
        finish_outliers(sim, values);
    if (passive->spec->max_fails.given || passive->spec->outlier.given) {
        values[M_EJECTION_RETURNS] = (double)passive->counts.returns;
        values[M_EJECTION_FLAPS] = (double)passive->counts.flaps;
    }
    if (passive->spec->breaker.given) {
        values[M_BREAKER_OPENS] = (double)passive->counts.breaker_opens;
        values[M_BREAKER_FALSE_OPENS] =
            (double)passive->counts.breaker_false_opens;
        values[M_BREAKER_TRIALS] = (double)passive->counts.breaker_trials;
    }
    values[M_EJECTED] = bar_times_finish(&sim->passive->times, &sim->recorder,
                                         sim->now_ns, ret);
}
