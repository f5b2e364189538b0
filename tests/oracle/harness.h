/*
 * Whole simulations against what theory says.
 *
 * A trial is a scenario, written as users write it, run so many times with
 * independent seeds. Its judgement has two sides: the known value must lie in
 * the interval of the replications, and the interval must be narrow, for a
 * wide one accepts anything. Seeds are in the scenario, so a verdict that holds
 * once holds always.
 *
 *     struct trial trial;
 *
 *     trial_load(&trial, "lbsim: 1\n... rate: %g/s ...", 0.8);
 *     trial_run(&trial, 20);
 *     TRIAL_MEAN(&trial, M_LATENCY_MEAN, 5, 0.02);
 *     trial_done(&trial);
 *
 * Every function may be called after a failed one: the failure has been noted
 * as that of a check, and the rest then does nothing or fails as well.
 */
#ifndef TESTS_ORACLE_HARNESS_H
#define TESTS_ORACLE_HARNESS_H

#include "sim/experiment/simulation.h"

#include "tests/check.h"

#include <stdbool.h>
#include <stdint.h>

/* Two-sided level at which a true statement is refused, by test and by t. */
#define TRIAL_CONFIDENCE 0.999

struct trial {
    struct scenario *loaded;  /* NULL: it did not load */
    struct scenario scenario; /* a copy, whose fields a test may change */
    struct policy_spec policy;
    uint32_t policy_index; /* of the scenario's list: which one runs */
    uint32_t replications; /* those in results */
    struct run_result *results;
    bool keep_latencies;
};

/* Loads a scenario from a printf format. Complaints fail the test. */
__attribute__((format(printf, 2, 3))) bool trial_load(struct trial *trial,
                                                      const char *format, ...);

/* Loads a file with overrides, which end with NULL; the path is from the root
   of the project. Complaints fail the test. */
bool trial_open(struct trial *trial, const char *path,
                const char *const *overrides);
void trial_done(struct trial *trial);

/* Runs this policy instead of those of the scenario; ops are borrowed. */
void trial_use_policy(struct trial *trial, const struct lbp_ops *ops,
                      const void *config);

/* Replications 1 to that number, on two threads, anew. Each must end well. */
bool trial_run(struct trial *trial, uint32_t replications);

/* Loads and runs one node under Poisson arrivals, of which the first tenth is
   left out: work as in "exponential, mean: 1 s", engine as in "slots: 1". */
bool trial_run_node(struct trial *trial, unsigned seed, double seconds,
                    double rate_per_s, const char *work, const char *engine,
                    uint32_t replications);

/* The same of so many servers and one queue. */
bool trial_run_slots(struct trial *trial, unsigned seed, double seconds,
                     double rate_per_s, const char *work, unsigned slots,
                     uint32_t replications);

/* A trace for trial_load(): rows in a file of its own, whose name goes to path.
   To be unlinked. */
#define TRIAL_PATH_SIZE 64
void trial_write_trace(char path[TRIAL_PATH_SIZE], const char *rows);

/* One replication, whose status the test judges; *ret as simulation_run. */
enum sim_status trial_run_one(const struct trial *trial, uint32_t replication,
                              struct run_result *ret);

/* Mean and half-width of any number per replication. */
struct trial_estimate {
    double mean, half_width;
};
struct trial_estimate trial_estimate(const struct trial *trial,
                                     enum measure_id measure);
struct trial_estimate trial_estimate_of(const double *values, uint32_t count);

/* Mean over the replications alone. */
double trial_mean(const struct trial *trial, enum measure_id measure);

/* The value lies in the interval, whose half-width is at most that share. */
#define TRIAL_MEAN(trial, measure, value, share)                      \
    trial_judge(#measure, trial_estimate(trial, measure), (value), 0, \
                (share) * (value), __LINE__, __FILE__, __func__)

/* The same for a value that another simulation found, with its own half-width
   at 95 % of 10 replications (t = 2.26, where 99.9 % has 4.78). */
#define TRIAL_TWO_SAMPLES(trial, measure, value, half_width_95, share)    \
    trial_judge(#measure, trial_estimate(trial, measure), (value),        \
                (half_width_95)*4.78 / 2.26, (share) * (value), __LINE__, \
                __FILE__, __func__)

/* The same for a value with a bias of its own, both absolute. */
#define TRIAL_BIASED(trial, measure, value, bias, width)                  \
    trial_judge_biased(#measure, trial_estimate(trial, measure), (value), \
                       (bias), (width), __LINE__, __FILE__, __func__)

/* The latencies that the first replication kept, in s by request; NAN: it has
   no answer. */
#define TRIAL_LATENCIES(trial, ...)                               \
    trial_check_latencies(trial, (const double[]){__VA_ARGS__},   \
                          sizeof((const double[]){__VA_ARGS__}) / \
                              sizeof(double),                     \
                          __LINE__, __FILE__)

void trial_check_latencies(const struct trial *trial, const double *expected,
                           uint64_t count, unsigned line, const char *file);
void trial_judge(const char *what, struct trial_estimate estimate, double value,
                 double value_half_width, double widest, unsigned line,
                 const char *file, const char *function);
void trial_judge_biased(const char *what, struct trial_estimate estimate,
                        double value, double bias, double widest, unsigned line,
                        const char *file, const char *function);

#endif
