/*
 * An experiment of simulations that are only arithmetic: policy p of
 * replication r has latency 10 + p + r.
 */
#ifndef TESTS_UNIT_EXPERIMENT_EXPERIMENT_WORLD_H
#define TESTS_UNIT_EXPERIMENT_EXPERIMENT_WORLD_H

#include "policies/lbp.h"
#include "sim/experiment/experiment.h"
#include "tests/check.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#define POLICIES 3
#define REPLICATIONS 4

static const struct lbp_ops blind = {.name = "blind"};
static const struct policy_spec policies[POLICIES] = {
    {.label = "a", .ops = &blind},
    {.label = "b", .ops = &blind},
    {.label = "c", .ops = &blind},
};
static const struct group_spec group = {.name = "gpu", .count = 1};
static const struct goal_spec goals[] = {
    {M_LATENCY_ALL_P99, 13},
    {M_SUCCESS, 0.9},
};

static struct scenario scenario;
static struct experiment_setup setup;
static struct experiment_result result;

static _Atomic uint32_t calls;
static _Atomic uint32_t kept, with_warm_up;
static atomic_bool interrupted;
/* What befalls the simulation of this policy and replication. */
static uint32_t odd_policy, odd_replication;
static enum sim_status odd_status;

static inline void fill(const struct simulation_setup *job,
                        struct run_result *ret)
{
    for (uint32_t id = 0; id < MEASURE_COUNT; id++)
        ret->values[id] = NAN;
    ret->values[M_LATENCY_ALL_P99] = 10 + job->policy + job->replication;
    ret->values[M_SUCCESS] = job->policy == 2 ? 0.5 : 0.95;
    ret->measured = ret->measured_answered = 1000;
    ret->events = 7;
}

static inline enum sim_status simulate(const struct simulation_setup *job,
                                       struct run_result *ret)
{
    atomic_fetch_add(&calls, 1);
    if (odd_status != SIM_OK && job->policy == odd_policy &&
        job->replication == odd_replication)
        return odd_status;
    fill(job, ret);
    return SIM_OK;
}

static inline void three_policies_four_replications(void)
{
    scenario = (struct scenario){
        .duration_ns = 1000000000,
        .replications = REPLICATIONS,
        .confidence = 0.95,
        .min_effect = 0.01,
        .objective = M_LATENCY_ALL_P99,
        .workload.arrivals = {.process = ARRIVALS_DETERMINISTIC,
                              .rate_per_s = 1000},
        .group_count = 1,
        .groups = &group,
        .node_count = 1,
        .balancer = {.count = 1, .report_interval_ns = -1},
        .policy_count = POLICIES,
        .policies = policies,
        .goal_count = 2,
        .goals = goals,
    };
    setup = (struct experiment_setup){
        .scenario = &scenario,
        .simulate = simulate,
        .threads = 2,
        .interrupted = &interrupted,
    };
    atomic_store(&calls, 0);
    atomic_store(&kept, 0);
    atomic_store(&with_warm_up, 0);
    atomic_store(&interrupted, false);
    odd_status = SIM_OK;
}

static inline void forget(void)
{
    outcome_done(&result);
}

static inline void run(void)
{
    CHECK_INT(experiment_run(&setup, &result), EXPERIMENT_OK);
}

static inline double p99_of(uint32_t policy)
{
    return result.policies[policy].fold.measures[M_LATENCY_ALL_P99].mean;
}

/* The first pass sees (10 + 5 policy) high values, then level ones. */
static inline enum sim_status
simulate_warming(const struct simulation_setup *job, struct run_result *ret)
{
    simulate(job, ret);
    ret->excluded = (uint64_t)job->warm_up_ns;
    if (!job->keep_latencies)
        return SIM_OK;
    atomic_fetch_add(&kept, 1);
    ret->latency_count = 200;
    ret->latencies = calloc(200, sizeof *ret->latencies);
    for (uint32_t i = 0; i < 200; i++)
        ret->latencies[i] = i < 10 + 5 * job->policy ? 90 : 1;
    return SIM_OK;
}

#endif
