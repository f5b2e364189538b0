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

/* Latencies in s by request, NAN for those without an answer. */
static inline void check_latencies(const double *expected, uint64_t count,
                                   unsigned line)
{
    const struct run_result *result = &trial.results[0];

    CHECK_UINT(result->latency_count, count);
    for (uint64_t i = 0; i < count && i < result->latency_count; i++) {
        char what[80];

        snprintf(what, sizeof what, "line %u: latency of r%" PRIu64, line, i);
        if (isnan(expected[i]))
            CHECK(isnan(result->latencies[i]));
        else
            check_near(what, result->latencies[i], expected[i], 1e-9, line,
                       __FILE__, __func__);
    }
}

#define CHECK_LATENCIES(...)                                                \
    check_latencies((const double[]){__VA_ARGS__},                          \
                    sizeof((const double[]){__VA_ARGS__}) / sizeof(double), \
                    __LINE__)

#define CHECK_VALUE(measure, expected) \
    CHECK_NEAR(value_of(measure), (expected), 1e-9)

#endif
