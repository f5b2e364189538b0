/* max_fails, observe and outliers: what makes a balancer doubt a node. */
#include "sim/experiment/checks.h"
#include "sim/experiment/passive.h"
#include "sim/frontdoor/observe.h"

/* Ejected so soon after it was trusted again, a node flaps. */
#define FLAP_NS INT64_C(60000000000)

static void count_ejection(struct passive_balancer *at, uint32_t node)
{
    int64_t returned_ns = at->returned_ns[node];

    at->sim->passive->counts.flaps +=
        returned_ns >= 0 && at->sim->now_ns - returned_ns <= FLAP_NS;
}

static void count_return(struct passive_balancer *at, uint32_t node)
{
    at->sim->passive->counts.returns++;
    at->returned_ns[node] = at->sim->now_ns;
}

/* --- max_fails ------------------------------------------------------------ */

static bool make_max_fails(struct sim *sim, struct passive_balancer *at)
{
    const struct max_fails_spec *spec = &sim->passive->spec->max_fails;
    struct max_fails_peer *peers =
        arena_allocate(&sim->arena, sim->node_count, sizeof *peers);

    if (!peers)
        return false;
    max_fails_init(&at->max_fails, spec, peers, sim->node_count);
    return true;
}

/* When it may be tried again: an alarm rings after all else of its instant, and
   a request of that instant may be the trial, so it is set one nanosecond
   before. */
static void wake_at_end(struct passive_balancer *at, uint32_t node)
{
    struct sim *sim = at->sim;
    uint32_t subject =
        at->balancer->view.balancer_index * sim->node_count + node;

    sim_alarm(sim, max_fails_until_ns(&at->max_fails, node) - 1,
              ALARM_MAX_FAILS, subject, 0);
}

/* A later failure has put it off, or it is time. */
void ejectors_may_try(struct sim *sim, uint32_t subject)
{
    struct passive_balancer *at =
        &sim->passive->balancers[subject / sim->node_count];
    uint32_t node = subject % sim->node_count;

    if (!max_fails_excludes(&at->max_fails, node, sim->now_ns + 1))
        passive_bar(at, node, BAR_PASSIVE, false, false);
}

static void max_fails_end(struct passive_balancer *at, uint32_t node,
                          enum blame blame)
{
    struct max_fails *pool = &at->max_fails;
    bool had_failed = max_fails_has_failed(pool, node);
    int64_t until_ns = max_fails_until_ns(pool, node);

    max_fails_over(pool, node, blame, at->sim->now_ns);
    if (!max_fails_has_failed(pool, node)) {
        if (!had_failed)
            return;
        count_return(at, node);
        passive_bar(at, node, BAR_PASSIVE, false, true);
    } else if (!had_failed || max_fails_until_ns(pool, node) != until_ns) {
        at->sim->passive->counts.max_fails += !had_failed;
        if (!had_failed)
            count_ejection(at, node);
        passive_bar(at, node, BAR_PASSIVE, true, !had_failed);
        wake_at_end(at, node);
    }
}

/* --- outliers ------------------------------------------------------------- */

static void on_change(void *context, uint32_t node, bool ejected,
                      enum outlier_cause cause)
{
    struct passive_balancer *at = context;
    struct passive_counts *counts = &at->sim->passive->counts;

    if (ejected) {
        counts->outliers[cause]++;
        count_ejection(at, node);
    } else {
        count_return(at, node);
    }
    passive_bar(at, node, BAR_OUTLIER, ejected, true);
}

static bool make_outliers(struct sim *sim, struct passive_balancer *at)
{
    uint32_t b = at->balancer->view.balancer_index;
    struct rng rng;

    rng_stream(&rng, sim->scenario->seed, sim->setup->replication, RNG_OUTLIERS,
               b);
    if (!outliers_init(&at->outliers, &sim->passive->spec->outlier,
                       sim->node_count, rng, &sim->arena))
        return false;
    at->outliers.on_change = on_change;
    at->outliers.context = at;
    return true;
}

void ejectors_tick(struct sim *sim, uint32_t b)
{
    const struct outlier_spec *spec = &sim->passive->spec->outlier;

    outliers_tick(&sim->passive->balancers[b].outliers, sim->now_ns);
    sim_alarm(sim, sim->now_ns + spec->interval_ns, ALARM_OUTLIERS, b, 0);
}

/* --- all ------------------------------------------------------------------ */

bool ejectors_make(struct sim *sim, struct passive_balancer *at)
{
    const struct balancer_spec *spec = sim->passive->spec;

    at->returned_ns =
        arena_allocate(&sim->arena, sim->node_count, sizeof *at->returned_ns);
    if (!at->returned_ns)
        return false;
    for (uint32_t i = 0; i < sim->node_count; i++)
        at->returned_ns[i] = -1;
    if (spec->max_fails.given && !make_max_fails(sim, at))
        return false;
    if (spec->observe.given) {
        at->errors =
            arena_allocate(&sim->arena, sim->node_count, sizeof *at->errors);
        if (!at->errors)
            return false;
    }
    return !spec->outlier.given || make_outliers(sim, at);
}

void ejectors_member(struct passive_balancer *at, uint32_t node, bool is_there)
{
    const struct balancer_spec *spec = at->sim->passive->spec;

    at->returned_ns[node] = -1;
    if (spec->max_fails.given)
        max_fails_member(&at->max_fails, node, is_there);
    if (spec->observe.given)
        at->errors[node] = 0;
    if (spec->outlier.given)
        outliers_member(&at->outliers, node, is_there);
}

void ejectors_start(struct sim *sim)
{
    const struct outlier_spec *spec = &sim->passive->spec->outlier;

    for (uint32_t b = 0; spec->given && b < sim->balancer_count; b++)
        sim_alarm(sim, spec->interval_ns, ALARM_OUTLIERS, b, 0);
}

void ejectors_sent(struct passive_balancer *at, uint32_t node)
{
    if (!at->sim->passive->spec->max_fails.given ||
        !max_fails_sent(&at->max_fails, node, at->sim->now_ns))
        return;
    at->sim->passive->counts.max_fails_trials++;
    passive_bar(at, node, BAR_PASSIVE, true, false); /* but for this one */
    wake_at_end(at, node);
}

void ejectors_over(struct passive_balancer *at, uint32_t node, enum blame blame)
{
    const struct balancer_spec *spec = at->sim->passive->spec;

    if (spec->max_fails.given)
        max_fails_end(at, node, blame);
    if (spec->observe.given &&
        observe_over(&spec->observe, &at->errors[node], blame)) {
        at->sim->passive->counts.observed++;
        checks_observed(at->sim, at->balancer, node,
                        (enum observe_action)spec->observe.on_error);
    }
    if (spec->outlier.given)
        outliers_over(&at->outliers, node, blame, at->sim->now_ns);
}
