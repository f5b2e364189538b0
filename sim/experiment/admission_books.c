/* What is counted of admission, and its measures. */
#include "sim/experiment/admission_parts.h"

#include <math.h>
#include <stdlib.h>

/* --- levels over time ---------------------------------------------------- */

/* Adds what passed since the last change to the buckets that it lies in. */
static void pass_time(const struct sim *sim, struct level_record *record)
{
    const struct recorder *recorder = &sim->recorder;
    int64_t from_ns = record->since_ns, to_ns = sim->now_ns;

    record->since_ns = to_ns;
    if (!recorder->open)
        return;
    if (from_ns < recorder->start_ns)
        from_ns = recorder->start_ns;
    if (to_ns > recorder->end_ns)
        to_ns = recorder->end_ns;
    while (from_ns < to_ns) {
        uint32_t bucket = recorder_find_bucket(recorder, from_ns);
        int64_t edge_ns = recorder_edge_ns(recorder, bucket + 1);
        int64_t until_ns = edge_ns < to_ns ? edge_ns : to_ns;

        record->buckets[bucket] += record->level * (double)(until_ns - from_ns);
        record->most = fmax(record->most, record->level);
        from_ns = until_ns;
    }
}

void admission_count_waiting(struct sim *sim, int32_t change)
{
    struct admission *admission = sim->admission;

    pass_time(sim, &admission->queue_level);
    admission->waiting += (uint32_t)change;
    admission->queue_level.level = admission->waiting;
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
    pass_time(sim, &sim->admission->limit_level);
    sim->admission->limit_level.level = admission_limit_of_all(sim);
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

static double mean_level(const struct recorder *recorder,
                         const struct level_record *record)
{
    double sum = 0;

    for (uint32_t i = 0; i < recorder->bucket_count; i++)
        sum += record->buckets[i];
    return sum / (double)(recorder->end_ns - recorder->start_ns);
}

static void finish_buckets(const struct sim *sim, struct run_result *ret)
{
    const struct admission *admission = sim->admission;

    for (uint32_t i = 0; i < ret->bucket_count; i++) {
        double span_ns = (double)(recorder_edge_ns(&sim->recorder, i + 1) -
                                  recorder_edge_ns(&sim->recorder, i));

        ret->buckets[i].door_queue_mean_requests =
            admission->queue_level.buckets[i] / span_ns;
        ret->buckets[i].limit_mean_requests =
            admission->limit_level.buckets[i] / span_ns;
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

static void finish_refusals(const struct admission *admission, double *values)
{
    const struct balancer_spec *spec = admission->spec;
    const uint64_t *refused = admission->refused;
    bool limits =
        spec->admission.in_flight > 0 || spec->admission.adaptive.given;

    if (spec->admission.bucket.given)
        values[M_REFUSED_RATE] = (double)refused[REFUSAL_RATE];
    if (spec->admission.shedding.given || spec->flow_control.given)
        values[M_REFUSED_SHED] = (double)refused[REFUSAL_SHED];
    if (spec->admission.deadline)
        values[M_REFUSED_DEADLINE] = (double)refused[REFUSAL_DEADLINE];
    if (limits && !spec->queue.given)
        values[M_REFUSED_LIMIT] = (double)refused[REFUSAL_LIMIT];
    if (spec->pool_limits.given)
        values[M_REFUSED_OVERFLOW] = (double)refused[REFUSAL_OVERFLOW];
    if (spec->queue.size < UINT32_MAX || isfinite(spec->queue.tokens) ||
        spec->queue.flow_size < UINT32_MAX)
        values[M_REFUSED_QUEUE] = (double)refused[REFUSAL_QUEUE];
    if (spec->fail_fast.given)
        values[M_REFUSED_FAIL_FAST] = (double)refused[REFUSAL_FAIL_FAST];
}

static void finish_waiting(const struct sim *sim, double *values)
{
    struct admission *admission = sim->admission;
    struct sample *held = &admission->held_ns;

    values[M_HELD] = (double)admission->held;
    values[M_EXPIRED] = (double)admission->expired;
    values[M_DOOR_QUEUE] = mean_level(&sim->recorder, &admission->queue_level);
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
    pass_time(sim, &admission->queue_level);
    pass_time(sim, &admission->limit_level);
    finish_buckets(sim, ret);
    finish_growth(sim, ret);
    finish_refusals(admission, ret->values);
    if (spec->queue.given || spec->caps.given)
        finish_waiting(sim, ret->values);
    if (spec->admission.adaptive.given)
        ret->values[M_ADMISSION_LIMIT] =
            mean_level(&sim->recorder, &admission->limit_level);
    if (admission->tenant_count > 0)
        finish_tenants(admission, ret->values);
}

uint32_t admission_waiting(const struct sim *sim)
{
    return sim->admission->waiting;
}
