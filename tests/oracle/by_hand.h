/*
 * Tiny scenarios whose every moment can be worked out on paper: one request
 * after the other, a second apart, each as long as the others.
 */
#ifndef TESTS_ORACLE_BY_HAND_H
#define TESTS_ORACLE_BY_HAND_H

#include "tests/oracle/harness.h"

#include <math.h>

static struct trial trial;

static inline void run_scenario(const char *duration, const char *work,
                                const char *rest)
{
    trial_load(&trial,
               "lbsim: 1\n"
               "duration: %s\n"
               "policies: [round_robin]\n"
               "%s"
               "workload:\n"
               "  arrivals: {process: deterministic, rate: 1/s}\n"
               "  work: {dist: constant, value: %s}\n",
               duration, rest, work);
    trial.keep_latencies = true;
    trial_run(&trial, 1);
}

static inline void forget_trial(void)
{
    trial_done(&trial);
}

static inline double value_of(enum measure_id measure)
{
    return trial.results[0].values[measure];
}

#define CHECK_LATENCIES(...) TRIAL_LATENCIES(&trial, __VA_ARGS__)

#define CHECK_VALUE(measure, expected) \
    CHECK_NEAR(value_of(measure), (expected), 1e-9)

#endif
