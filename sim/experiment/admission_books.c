/* What is counted of admission, and its measures. */
#include "sim/experiment/admission_parts.h"

#include <math.h>
#include <stdlib.h>

/* --- levels over time ---------------------------------------------------- */

void admission_count_waiting(struct sim *sim, int32_t change)
{
    struct admission *admission = sim->admission;

    admission->waiting += (uint32_t)change;
    level_set(&admission->queue_level, &sim->recorder, admission->waiting,
              sim->now_ns);
}

/* The sum over balancers, which is what the nodes get to feel. */
double admission_limit_of_all(const struct sim *sim)
{
    double sum = 0;

    for (uint32_t b = 0; b < sim->balancer_count; b++)
        sum += admission_limit(sim, &sim->admission->doors[b]);
    return sum;
}

void admission_note_limit(struct sim *sim)
{
    level_set(&sim->admission->limit_level, &sim->recorder,
              admission_limit_of_all(sim), sim->now_ns);
}

void admission_count_held(struct sim *sim, const struct request *request,
                          uint32_t index)
{
    struct request_door *own = request_door_at(&sim->slab, index);

    if (request->flags & REQUEST_MEASURED) {
        sim->admission->held++;
        sample_add(&sim->admission->held_ns, sim->now_ns - own->held_at_ns);
    }
    own->held_at_ns = -1;
}

void admission_ended(struct sim *sim, const struct request *request,
                     uint32_t index)
{
    const struct request_door *own = request_door_at(&sim->slab, index);
    bool from_tier =
        (request->flags & REQUEST_CACHED) && request->node == sim->node_count;

    if (sim->admission->tenant_count > 0 && (request->flags & REQUEST_MEASURED))
        sim->admission->tenants_seen[own->tenant].answered +=
            own->answered || from_tier;
}

/* --- measures ------------------------------------------------------------ */

static void finish_buckets(const struct sim *sim, struct run_result *ret)
{
    const struct admission *admission = sim->admission;

    for (uint32_t i = 0; i < ret->bucket_count; i++) {
        ret->buckets[i].door_queue_mean_requests =
            level_in_bucket(&admission->queue_level, &sim->recorder, i);
        ret->buckets[i].limit_mean_requests =
            level_in_bucket(&admission->limit_level, &sim->recorder, i);
    }
}

/* Mean number of those that waited in a quarter of the window. */
static double quarter_mean(const struct run_result *ret, uint32_t quarter)
{
    uint32_t from = quarter * ret->bucket_count / 4;
    uint32_t to = (quarter + 1) * ret->bucket_count / 4;
    double sum = 0;

    for (uint32_t i = from; i < to; i++)
        sum += ret->buckets[i].door_queue_mean_requests;
    return sum / (to - from);
}

/* As for queues in nodes: a door queue that still grew at the end is no steady
   state either. */
static void finish_growth(const struct sim *sim, struct run_result *ret)
{
    double second, third, last;
    double half_s = (ret->window_end_s - ret->window_start_s) / 2;

    if (ret->bucket_count < 4 || !(half_s > 0))
        return;
    second = quarter_mean(ret, 1);
    third = quarter_mean(ret, 2);
    last = quarter_mean(ret, 3);
    ret->backlog_growth_per_s += (last - second) / half_s;
    if (last > third && third > second && last > 10.0 * sim->node_count &&
        last > recorder_suspect_growth(&sim->recorder) * second)
        ret->unstable = true;
}

/* Where a cause is counted, over the window and over time. */
static const struct refusal_place {
    enum measure_id measure;
    enum series_id series;
} refusal_places[REFUSAL_COUNT] = {
    [REFUSAL_FAIL_FAST] = {M_REFUSED_FAIL_FAST, SERIES_REFUSED_FAIL_FAST},
    [REFUSAL_RATE] = {M_REFUSED_RATE, SERIES_REFUSED_RATE},
    [REFUSAL_SHED] = {M_REFUSED_SHED, SERIES_REFUSED_SHED},
    [REFUSAL_DEADLINE] = {M_REFUSED_DEADLINE, SERIES_REFUSED_DEADLINE},
    [REFUSAL_LIMIT] = {M_REFUSED_LIMIT, SERIES_REFUSED_LIMIT},
    [REFUSAL_OVERFLOW] = {M_REFUSED_OVERFLOW, SERIES_REFUSED_OVERFLOW},
    [REFUSAL_QUEUE] = {M_REFUSED_QUEUE, SERIES_REFUSED_QUEUE},
};

/* Whether the scenario has what refuses for that cause. */
static bool may_refuse(const struct balancer_spec *spec, enum refusal cause)
{
    switch (cause) {
    case REFUSAL_FAIL_FAST:
        return spec->fail_fast.given;
    case REFUSAL_RATE:
        return spec->admission.bucket.given;
    case REFUSAL_SHED:
        return spec->admission.shedding.given || spec->flow_control.given;
    case REFUSAL_DEADLINE:
        return spec->admission.deadline;
    case REFUSAL_LIMIT:
        return (spec->admission.in_flight > 0 ||
                spec->admission.adaptive.given) &&
               !spec->queue.given;
    case REFUSAL_OVERFLOW:
        return spec->pool_limits.given;
    case REFUSAL_QUEUE:
        return spec->queue.size < UINT32_MAX || isfinite(spec->queue.tokens) ||
               spec->queue.flow_size < UINT32_MAX;
    default:
        return false;
    }
}

void admission_count_refused(struct sim *sim, const struct request *request,
                             enum refusal cause)
{
    if (!(request->flags & REQUEST_MEASURED))
        return;
    sim->admission->refused[cause]++;
    recorder_count(&sim->recorder, refusal_places[cause].series,
                   request->arrived_at_ns);
}

void admission_count_all_causes(struct sim *sim)
{
    for (int cause = REFUSAL_NONE + 1; cause < REFUSAL_COUNT; cause++)
        if (may_refuse(sim->admission->spec, (enum refusal)cause))
            recorder_has_series(&sim->recorder, refusal_places[cause].series);
}

static void finish_refusals(const struct admission *admission, double *values)
{
    for (int cause = REFUSAL_NONE + 1; cause < REFUSAL_COUNT; cause++)
        if (may_refuse(admission->spec, (enum refusal)cause))
            values[refusal_places[cause].measure] =
                (double)admission->refused[cause];
}

static void finish_waiting(const struct sim *sim, double *values)
{
    struct admission *admission = sim->admission;
    struct sample *held = &admission->held_ns;

    values[M_HELD] = (double)admission->held;
    values[M_EXPIRED] = (double)admission->expired;
    values[M_DOOR_QUEUE] = level_mean(&admission->queue_level, &sim->recorder);
    values[M_DOOR_QUEUE_MOST] = admission->queue_level.most;
    if (held->count == 0)
        return;
    values[M_HELD_MEAN] = sample_mean(held) * 1e-9;
    values[M_HELD_P99] = sample_quantile(held, 0.99, held->count) * 1e-9;
}

static int compare_shares(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* The answered shares of tenants that asked at all, the least first. */
static uint32_t sort_shares(const struct admission *admission)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < admission->tenant_count; i++) {
        const struct tenant_record *seen = &admission->tenants_seen[i];

        if (seen->arrived > 0)
            admission->tenant_shares[count++] =
                (double)seen->answered / (double)seen->arrived;
    }
    qsort(admission->tenant_shares, count, sizeof *admission->tenant_shares,
          compare_shares);
    return count;
}

static void finish_tenants(const struct admission *admission, double *values)
{
    const double *shares = admission->tenant_shares;
    double sum = 0, squares = 0;
    uint32_t count = sort_shares(admission);

    if (count == 0)
        return;
    for (uint32_t i = 0; i < count; i++) {
        sum += shares[i];
        squares += shares[i] * shares[i];
    }
    values[M_TENANT_LEAST] = shares[0];
    values[M_TENANT_MEDIAN] = shares[(count - 1) / 2];
    if (squares > 0)
        values[M_TENANT_JAIN] = sum * sum / (count * squares);
}

void admission_finish(const struct sim *sim, struct run_result *ret)
{
    struct admission *admission = sim->admission;
    const struct balancer_spec *spec;

    if (!admission)
        return;
    spec = admission->spec;
    level_pass(&admission->queue_level, &sim->recorder, sim->now_ns);
    level_pass(&admission->limit_level, &sim->recorder, sim->now_ns);
    finish_buckets(sim, ret);
    finish_growth(sim, ret);
    finish_refusals(admission, ret->values);
    if (spec->queue.given || spec->caps.given)
        finish_waiting(sim, ret->values);
    if (spec->admission.adaptive.given)
        ret->values[M_ADMISSION_LIMIT] =
            level_mean(&admission->limit_level, &sim->recorder);
    if (admission->tenant_count > 0)
        finish_tenants(admission, ret->values);
}

uint32_t admission_waiting(const struct sim *sim)
{
    return sim->admission->waiting;
}
