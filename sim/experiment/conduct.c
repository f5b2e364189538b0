#include "sim/experiment/conduct.h"

#include "policies/lbp.h"
#include "sim/measure/stats.h"
#include "workloads/workload.h"

#include <math.h>
#include <stdlib.h>

/* Whether every row of the trace names its class. */
static bool classes_are_named(const struct workload_spec *workload)
{
    return trace_has_classes(workload->trace) &&
           trace_books(workload->trace)->by_class[0].rows == 0;
}

/* Drawn classes are chance, and what is drawn for one of them is too. */
static bool sizes_are_fixed(const struct workload_spec *workload)
{
    uint32_t kinds = workload->class_count > 0 ? workload->class_count : 1;

    for (uint32_t i = 0; i < kinds * LAW_COUNT; i++) {
        enum dist_kind kind = workload_law(workload, i / LAW_COUNT,
                                           (enum workload_law)(i % LAW_COUNT))
                                  ->kind;

        if (kind != DIST_NONE && kind != DIST_CONSTANT)
            return false;
    }
    return workload->class_count <= 1 || classes_are_named(workload);
}

static bool workload_is_fixed(const struct workload_spec *workload)
{
    return workload->trace && workload->resample == TRACE_RESAMPLE_NONE &&
           workload->overlay_count == 0 &&
           workload->keys.spec.kind == KEYS_NONE && sizes_are_fixed(workload);
}

/* A group that no request can reach has no keys to speak of. */
static bool node_keys_change(const struct scenario *scenario)
{
    for (uint32_t i = 0; i < scenario->group_count; i++)
        if (scenario->groups[i].count > 0 &&
            scenario->groups[i].keys == NODE_KEYS_BY_REPLICATION)
            return true;
    return false;
}

bool conduct_inputs_are_fixed(const struct scenario *scenario)
{
    const struct balancer_spec *balancer = &scenario->balancer;

    for (uint32_t i = 0; i < scenario->fault_count; i++)
        if (!fault_is_fixed(&scenario->faults[i]))
            return false;
    if (!workload_is_fixed(&scenario->workload) || balancer->count != 1 ||
        balancer->health.given || balancer->report_interval_ns > 0)
        return false;
    if (!node_keys_change(scenario))
        return true;
    for (uint32_t i = 0; i < scenario->policy_count; i++)
        if (scenario->policies[i].ops->needs & LBP_NEEDS_KEY)
            return false;
    return true;
}

bool conduct_drew_nothing(const struct run_result *runs, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (runs[i].draws > 0)
            return false;
    return true;
}

/* ---- warm-up ---- */

/* The arrival after which cut answered requests have arrived. */
static uint64_t arrival_after(const struct run_result *run, uint64_t cut)
{
    uint64_t arrival = 0;

    while (cut > 0 && arrival < run->latency_count)
        if (!isnan(run->latencies[arrival++]))
            cut--;
    return arrival;
}

bool conduct_warm_up_cut(const struct run_result *run, uint64_t *ret_requests,
                         bool *ret_sure)
{
    size_t count = 0;
    double *answered = calloc(run->latency_count + 1, sizeof *answered);

    if (!answered)
        return false;
    for (uint64_t i = 0; i < run->latency_count; i++)
        if (!isnan(run->latencies[i]))
            answered[count++] = run->latencies[i];

    *ret_requests = arrival_after(run, stats_mser5(answered, count, ret_sure));
    free(answered);
    return true;
}

int64_t conduct_arrival_of(const struct scenario *scenario,
                           uint32_t replication, uint64_t number)
{
    struct workload_request request = {0};
    struct workload *workload =
        workload_create(&scenario->workload, scenario->duration_ns,
                        scenario->seed, replication);
    int64_t at_ns = -1;

    if (!workload)
        return -1;
    for (uint64_t i = 0; i <= number; i++) {
        if (!workload_next(workload, &request)) {
            request.at_ns =
                workload_failed(workload) ? -1 : scenario->duration_ns;
            break;
        }
    }
    at_ns = request.at_ns;
    workload_destroy(workload);
    return at_ns;
}
