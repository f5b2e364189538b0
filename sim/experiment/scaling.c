#include "sim/experiment/scaling.h"

#include "sim/experiment/members.h"

/* A change back within so long is a reversal: the scaler thrashes. */
#define REVERSAL_NS INT64_C(600000000000)

/* --- making ----------------------------------------------------------------
 */

static bool make_scaler(struct sim *sim, struct group_scaler *scaler,
                        uint32_t g, uint32_t first)
{
    const struct group_spec *group = &sim->scenario->groups[g];

    *scaler = (struct group_scaler){
        .spec = &group->scale,
        .group = g,
        .first = first,
        .count = group->count,
        .wanted = group->scale.start,
        .changed_at_ns = INT64_MIN / 2,
    };
    return autoscaler_init(&scaler->rule, &group->scale,
                           start_up_ns(&group->start_up)) &&
           scrapes_make(sim, scaler);
}

bool scaling_make(struct sim *sim)
{
    const struct scenario *scenario = sim->scenario;
    uint32_t first = 0, groups = scenario->group_count, count = 0;
    struct scaling *scaling;

    for (uint32_t g = 0; g < groups; g++)
        count += scenario->groups[g].scale.given;
    if (count == 0)
        return true;
    scaling = arena_allocate(&sim->arena, 1, sizeof *scaling);
    if (!scaling)
        return false;
    sim->scaling = scaling;
    scaling->scalers =
        arena_allocate(&sim->arena, count, sizeof *scaling->scalers);
    scaling->by_group =
        arena_allocate(&sim->arena, groups, sizeof *scaling->by_group);
    if (!scaling->scalers || !scaling->by_group)
        return false;
    for (uint32_t g = 0; g < groups; first += scenario->groups[g++].count) {
        scaling->by_group[g] = UINT32_MAX;
        if (!scenario->groups[g].scale.given)
            continue;
        scaling->by_group[g] = scaling->count++;
        if (!make_scaler(sim, &scaling->scalers[scaling->by_group[g]], g,
                         first))
            return false;
    }
    return true;
}

void scaling_unmake(struct sim *sim)
{
    for (uint32_t s = 0; sim->scaling && s < sim->scaling->count; s++)
        autoscaler_done(&sim->scaling->scalers[s].rule);
}

/* --- who comes and who goes -------------------------------------------------
 */

static const struct member *
member_of(const struct sim *sim, const struct group_scaler *scaler, uint32_t i)
{
    return &sim->members->nodes[scaler->first + i];
}

static bool counts(const struct member *member)
{
    return member->phase != MEMBER_ABSENT &&
           (member->phase != MEMBER_DRAINING || member->restarts);
}

static uint32_t count_there(const struct sim *sim,
                            const struct group_scaler *scaler)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < scaler->count; i++)
        count += counts(member_of(sim, scaler, i));
    return count;
}

/* How much is lost with a ready node: less goes first. */
static double worth(const struct sim *sim, const struct group_scaler *scaler,
                    uint32_t i)
{
    const struct node *node = &sim->nodes[scaler->first + i];
    const struct member *member = member_of(sim, scaler, i);

    switch (scaler->spec->victim) {
    case VICTIM_LEAST_REUSE:
        return (double)(node->hit_count - member->hits_at_ready);
    case VICTIM_NEWEST:
        return -(double)member->ready_at_ns;
    case VICTIM_OLDEST:
        return (double)member->ready_at_ns;
    case VICTIM_LEAST_LOADED:
        return node->in_flight;
    }
    return 0;
}

/* What is not ready yet goes before what is, the least far first; of equals
   the one that came last, then the last in the row. */
static bool goes_before(const struct sim *sim,
                        const struct group_scaler *scaler, uint32_t a,
                        uint32_t b)
{
    const struct member *one = member_of(sim, scaler, a);
    const struct member *other = member_of(sim, scaler, b);

    if (one->phase != other->phase)
        return one->phase < other->phase;
    if (one->phase == MEMBER_READY) {
        double worth_one = worth(sim, scaler, a);
        double worth_other = worth(sim, scaler, b);

        if (worth_one < worth_other || worth_one > worth_other)
            return worth_one < worth_other;
    }
    return one->ordered_at_ns >= other->ordered_at_ns; /* a is after b */
}

static bool drop_one(struct sim *sim, const struct group_scaler *scaler)
{
    uint32_t victim = UINT32_MAX;

    for (uint32_t i = 0; i < scaler->count; i++)
        if (counts(member_of(sim, scaler, i)) &&
            member_of(sim, scaler, i)->phase != MEMBER_DRAINING &&
            (victim == UINT32_MAX || goes_before(sim, scaler, i, victim)))
            victim = i;
    if (victim == UINT32_MAX)
        return false;
    members_drain(sim, scaler->first + victim, false);
    return true;
}

/* The first free slot; one that still drains is not free. */
static bool order_one(struct sim *sim, const struct group_scaler *scaler)
{
    for (uint32_t i = 0; i < scaler->count; i++)
        if (member_of(sim, scaler, i)->phase == MEMBER_ABSENT) {
            members_order(sim, scaler->first + i);
            return true;
        }
    return false;
}

/* A node that goes at once calls this again from within, for its slot. */
static void reconcile(struct sim *sim, const struct group_scaler *scaler)
{
    while (count_there(sim, scaler) < scaler->wanted && order_one(sim, scaler))
        ;
    while (count_there(sim, scaler) > scaler->wanted && drop_one(sim, scaler))
        ;
}

static void want(struct sim *sim, struct group_scaler *scaler, uint32_t nodes)
{
    bool up = nodes > scaler->wanted;

    if (nodes == scaler->wanted)
        return;
    scaler->reversals += scaler->changes > 0 && up != scaler->went_up &&
                         sim->now_ns - scaler->changed_at_ns <= REVERSAL_NS;
    scaler->changes++;
    scaler->changed_at_ns = sim->now_ns;
    scaler->went_up = up;
    scaler->wanted = nodes;
    reconcile(sim, scaler);
}

void scaling_node_left(struct sim *sim, uint32_t group)
{
    if (sim->scaling && sim->scaling->by_group[group] != UINT32_MAX)
        reconcile(sim, &sim->scaling->scalers[sim->scaling->by_group[group]]);
}

/* --- when -------------------------------------------------------------------
 */

static int64_t earliest(const struct group_scaler *scaler)
{
    int64_t at_ns = scaler->next_scrape_ns;

    if (scaler->next_poll_ns < at_ns)
        at_ns = scaler->next_poll_ns;
    return scaler->next_sync_ns < at_ns ? scaler->next_sync_ns : at_ns;
}

static int64_t next_sync_ns(const struct group_scaler *scaler, int64_t now_ns)
{
    if (scaler->spec->rule == SCALE_SCHEDULE)
        return schedule_next_ns(&scaler->spec->schedule, now_ns);
    if (scaler->spec->sync_ns == 0)
        return INT64_MAX;
    return now_ns + scaler->spec->sync_ns;
}

static void set_alarm(struct sim *sim, uint32_t s)
{
    int64_t at_ns = earliest(&sim->scaling->scalers[s]);

    if (at_ns < INT64_MAX)
        sim_alarm(sim, at_ns, ALARM_SCALER, s, 0);
}

/* A schedule decides at the very start too. */
void scaling_start(struct sim *sim)
{
    for (uint32_t s = 0; sim->scaling && s < sim->scaling->count; s++) {
        struct group_scaler *scaler = &sim->scaling->scalers[s];
        const struct scale_spec *spec = scaler->spec;

        scaler->next_scrape_ns =
            spec->scrape_ns > 0 && spec->rule != SCALE_SCHEDULE
                ? scrapes_interval_ns(scaler)
                : INT64_MAX;
        scaler->next_poll_ns =
            spec->rule == SCALE_KEDA ? spec->keda.polling_ns : INT64_MAX;
        scaler->next_sync_ns =
            spec->rule == SCALE_SCHEDULE ? 0 : next_sync_ns(scaler, 0);
        set_alarm(sim, s);
        if (spec->rule == SCALE_DEMAND)
            sim_alarm(sim, 0, ALARM_SCALER_LOOKS, s, 0);
    }
}

static void decide(struct sim *sim, struct group_scaler *scaler)
{
    struct scale_view view = scrapes_view(sim, scaler);

    want(sim, scaler, autoscaler_sync(&scaler->rule, &view, sim->now_ns));
}

/* What is measured at this instant is known to what is decided at it. */
void scaling_tick(struct sim *sim, uint32_t s)
{
    struct group_scaler *scaler = &sim->scaling->scalers[s];
    int64_t now_ns = sim->now_ns;

    if (scaler->next_scrape_ns == now_ns) {
        scaler->next_scrape_ns += scrapes_interval_ns(scaler);
        scrapes_take(sim, scaler);
        if (scaler->spec->rule == SCALE_KPA) {
            struct scale_view view = scrapes_view(sim, scaler);

            autoscaler_note(
                &scaler->rule,
                autoscaler_total(&view, autoscaler_metric(scaler->spec)));
        }
    }
    if (scaler->next_poll_ns == now_ns) {
        struct scale_view view = scrapes_view(sim, scaler);

        scaler->next_poll_ns += scaler->spec->keda.polling_ns;
        want(sim, scaler, autoscaler_poll(&scaler->rule, &view, now_ns));
    }
    if (scaler->next_sync_ns == now_ns) {
        scaler->next_sync_ns = next_sync_ns(scaler, now_ns);
        decide(sim, scaler);
    }
    set_alarm(sim, s);
}

void scaling_look(struct sim *sim, uint32_t s)
{
    struct group_scaler *scaler = &sim->scaling->scalers[s];

    scaler->touched = false;
    if (scaler->spec->rule == SCALE_DEMAND)
        decide(sim, scaler);
    else if (scaler->wanted == 0)
        want(sim, scaler, 1);
}

static void touch(struct sim *sim, struct group_scaler *scaler)
{
    if (scaler->touched)
        return;
    scaler->touched = true;
    sim_alarm(sim, sim->now_ns, ALARM_SCALER_LOOKS,
              (uint32_t)(scaler - sim->scaling->scalers), 0);
}

/* --- what it hears -----------------------------------------------------------
 */

static struct group_scaler *scaler_of(const struct sim *sim, uint32_t node)
{
    uint32_t s = sim->scaling->by_group[sim->nodes[node].group];

    return s == UINT32_MAX ? NULL : &sim->scaling->scalers[s];
}

void scaling_attempt_sent(struct sim *sim, const struct request *request)
{
    struct group_scaler *scaler = scaler_of(sim, request->node);

    if (!scaler)
        return;
    scaler->sent[request->node - scaler->first]++;
    if (scaler->spec->rule == SCALE_DEMAND)
        touch(sim, scaler);
}

/* A time-out counts with what it took until it was given up. */
void scaling_attempt_over(struct sim *sim, const struct request *request,
                          enum lbp_outcome outcome, int64_t first_token_at_ns)
{
    struct group_scaler *scaler = scaler_of(sim, request->node);

    if (!scaler)
        return;
    if (scaler->spec->rule == SCALE_DEMAND)
        touch(sim, scaler);
    if (outcome == LBP_OK || outcome == LBP_TIMEOUT)
        coarse_add(&scaler->latency, sim->now_ns - request->arrived_at_ns);
    if (outcome != LBP_OK)
        return;
    scaler->served++;
    scaler->service_sum_s +=
        (double)(sim->now_ns - request->started_at_ns) * 1e-9;
    if (first_token_at_ns != LBP_NO_TIME)
        coarse_add(&scaler->ttft, first_token_at_ns - request->arrived_at_ns);
}

/* Knative's activator wakes its scaler at once when there is nobody. */
void scaling_held(struct sim *sim)
{
    for (uint32_t s = 0; sim->scaling && s < sim->scaling->count; s++) {
        struct group_scaler *scaler = &sim->scaling->scalers[s];

        if (!scaler->spec->holds)
            continue;
        if (scaler->spec->rule == SCALE_DEMAND ||
            (scaler->spec->rule == SCALE_KPA && scaler->wanted == 0))
            touch(sim, scaler);
    }
}

void scaling_finish(const struct sim *sim, struct run_result *ret)
{
    double changes = 0, reversals = 0;

    if (!sim->scaling)
        return;
    for (uint32_t s = 0; s < sim->scaling->count; s++) {
        changes += (double)sim->scaling->scalers[s].changes;
        reversals += (double)sim->scaling->scalers[s].reversals;
    }
    ret->values[M_SCALINGS] = changes;
    ret->values[M_REVERSALS] = reversals;
}
