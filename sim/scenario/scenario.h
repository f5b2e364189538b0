/*
 * A scenario: one experiment as the program understands it, after defaults,
 * --set and checks. Plain data in base units; everything is owned by the
 * scenario's arena and read-only once loaded, so all simulations share it.
 */
#ifndef SIM_SCENARIO_SCENARIO_H
#define SIM_SCENARIO_SCENARIO_H

#include "sim/cluster/fault_spec.h"
#include "sim/cluster/group_spec.h"
#include "sim/frontdoor/balancer_spec.h"
#include "sim/frontdoor/routing.h"
#include "sim/frontdoor/tier_spec.h"
#include "sim/measure/measures.h"
#include "sim/scenario/check_spec.h"
#include "sim/scenario/plan_spec.h"
#include "sim/scenario/sweep_spec.h"
#include "workloads/diag.h"
#include "workloads/tenants.h"
#include "workloads/workload.h"

#include <stdbool.h>
#include <stdint.h>

enum warm_up_kind {
    WARM_UP_TIME,     /* time_ns; "10 %" of duration has been turned into it */
    WARM_UP_REQUESTS, /* the first n arrivals */
    WARM_UP_AUTO      /* MSER-5 */
};

struct warm_up_spec {
    enum warm_up_kind kind;
    int64_t time_ns;
    uint64_t requests;
};

struct goal_spec {
    enum measure_id measure;
    double bound; /* in the measure's unit; met when the value is not on the
                     worse side of it */
};

struct scenario {
    const char *path; /* as given */
    const char *name; /* file name without folder and ending, or 'name:' */
    uint64_t hash;    /* XXH64 of the canonical text (settings that change
                         results; not replications, goals or report) */

    int64_t duration_ns; /* INT64_MAX: as long as the trace */
    struct warm_up_spec warm_up;
    int64_t drain_ns;
    uint32_t replications;
    uint64_t seed;
    double confidence; /* 0.95 */
    double min_effect; /* share, 0.01 */
    enum measure_id objective;
    bool node_percentiles;

    struct workload_spec workload; /* workload.trace is set by
                                      scenario_open_trace */
    bool has_trace;
    struct trace_spec trace;
    bool has_normalise;
    struct normalise_spec normalise; /* of the trace's prompts */

    uint32_t group_count;
    const struct group_spec *groups; /* [group_count] */
    uint32_t node_count;             /* sum of the groups' counts */

    struct tenants_spec tenants; /* who sends requests */
    struct balancer_spec balancer;
    struct tier_spec tier;

    uint32_t model_count;      /* those that groups list, and number 0 */
    const char *const *models; /* [model_count] names; 0 is any model, NULL */
    struct routing_spec routing;
    struct classifier_spec classifier;

    uint32_t fault_count;
    const struct fault_spec *faults; /* [fault_count] */

    uint32_t policy_count;
    const struct policy_spec *policies; /* [policy_count] */

    uint32_t goal_count;
    const struct goal_spec *goals; /* [goal_count] */
    struct check_spec check;

    struct plan_spec plan;
    struct sweep_spec sweep; /* what `lbsim sweep` varies; else of no effect */

    void *owned; /* private to the loader */
};

#endif
