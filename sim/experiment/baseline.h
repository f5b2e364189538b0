/*
 * A baseline: what a scenario yielded once, as a text to keep under version
 * control, small enough to be read in a diff.
 *
 *     lbsim.baseline/1
 *     # how it was made
 *     scenario quickstart
 *     program 0.1.0
 *     seed 42
 *     replications 20
 *     setting duration=600000000000
 *     false_alarms 0.001
 *     tolerance latency_all_p99_s 0.05 0
 *     policy least_conn
 *     params least_conn
 *     measure latency_all_p99_s 12.3456789 : 11.8 12.9 ...
 *     end 0123456789abcdef
 *
 * Settings are those that change results and the files they name, with their
 * hash (sim/scenario/identity.h); tolerances what was allowed, as a share of
 * the value and in its unit, which files of older programs do not say; a
 * policy's params its own; a measure's line its mean and the value of every
 * replication: pairs need them all. `once` instead of many says that nothing is
 * random. Values have nine digits; `none` is a value that is absent,
 * `unbounded` one beyond all bounds. Blank lines and those with # say nothing.
 * The last line is the XXH64 of all before it, so that damage, also by a merge,
 * is never taken for a result. The program's version is for people: a check is
 * there to compare different builds.
 *
 * What is compared with a baseline takes the same way through the text, so what
 * is identical is so to the last digit.
 */
#ifndef SIM_EXPERIMENT_BASELINE_H
#define SIM_EXPERIMENT_BASELINE_H

#include "sim/experiment/outcome.h"
#include "sim/scenario/scenario.h"
#include "workloads/diag.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BASELINE_SCHEMA "lbsim.baseline/1"
#define BASELINE_SIZE_MAX (16u << 20) /* bytes of a file */

struct baseline_measure {
    const char *name;
    uint64_t line;        /* where it stands, from 1 */
    double mean;          /* NaN: absent, or unbounded somewhere */
    const double *values; /* [baseline.runs] NaN: absent; INFINITY */
};

struct baseline_policy {
    const char *label, *params;
    uint64_t line;
    uint32_t measure_count;
    struct baseline_measure *measures; /* [measure_count] */
};

struct baseline_tolerance {
    const char *name; /* of the measure */
    double ratio;     /* 0 or more, as the amount in the measure's unit */
    double amount;
};

struct baseline {
    const char *path; /* as given */
    const char *scenario, *program;
    uint64_t seed;
    uint32_t replications;
    bool once;     /* nothing is random: one run says it all */
    uint32_t runs; /* 1 if once, else replications */
    uint32_t setting_count;
    const char **settings; /* [setting_count] "path=value" */
    double false_alarms;   /* 0: not said */
    uint32_t tolerance_count;
    struct baseline_tolerance *tolerances; /* [tolerance_count] */
    uint32_t policy_count;
    struct baseline_policy *policies; /* [policy_count] */
    uint64_t results_hash; /* of the lines of policies and measures */

    void *owned; /* private */
};

/*
 * The text for what the scenario has yielded: of each policy the measures that
 * scenario->check watches. result NULL: only what is known before any run.
 * program: a version. Owned by the caller, released with free(). NULL: no
 * memory, or a file of data cannot be read; errno says which.
 */
char *baseline_text(const struct scenario *scenario,
                    const struct experiment_result *result,
                    const char *program);

/* Whether nothing is random in it, so that another run would be the same. */
bool baseline_is_exact(const struct scenario *scenario,
                       const struct experiment_result *result);

/* Reads a text, strictly; name stands for the file in complaints. NULL: diag
   says why. */
struct baseline *baseline_parse(const char *name, const char *text,
                                size_t length, struct diag *diag);

/* Accepts NULL. */
void baseline_destroy(struct baseline *baseline);

/* NULL: there is none of that name. */
const struct baseline_policy *
baseline_find_policy(const struct baseline *baseline, const char *label);
const struct baseline_measure *
baseline_find_measure(const struct baseline_policy *policy, const char *name);

/*
 * The policy of `to` that is compared with one of `from`: of the same label;
 * or, when exactly one of its kind on either side has a label that the other
 * side lacks, that one, as a label that names parameters changes with them.
 * NULL: none.
 */
const struct baseline_policy *
baseline_pair(const struct baseline *from, const struct baseline_policy *policy,
              const struct baseline *to);

/* The hash that files of baselines end with. */
uint64_t baseline_hash(const char *text, size_t length);

/*
 * Whether two baselines cannot be compared, because they are not of the same
 * seeds and settings: diag names each difference with both values. Policies
 * that only one of them has are no such difference, unless the warm-up is
 * worked out from all of them. true without a complaint: no memory.
 */
bool baseline_differs(const struct baseline *old_one,
                      const struct baseline *new_one, struct diag *diag);

/*
 * Whether policies are new, or gone unless only some were asked for, so that a
 * comparison would pass over them: diag names each.
 */
bool baseline_lacks_policies(const struct baseline *old_one,
                             const struct baseline *new_one, bool some_policies,
                             struct diag *diag);

#endif
