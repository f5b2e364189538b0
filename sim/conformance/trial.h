/*
 * trial.h - one check under way, and the list of all.
 *
 * A check is a function that runs in a process of its own and says what it
 * saw. The first failure counts; a check that says nothing has passed.
 */
#ifndef SIM_CONFORMANCE_TRIAL_H
#define SIM_CONFORMANCE_TRIAL_H

#include "sim/conformance/conformance.h"
#include "sim/conformance/stage.h"
#include "sim/conformance/traffic.h"

/* What the parent reads when the check's process is gone. */
struct trial_report {
    enum conformance_verdict verdict;
    char seen[CONFORMANCE_TEXT];
    char note[CONFORMANCE_TEXT];
    char doing[CONFORMANCE_TEXT]; /* in case it does not come back */
};

struct trial {
    const struct lbp_ops *ops;
    const void *config;
    int64_t limit_ns;
    struct trial_report *report; /* shared with the parent */
};

struct check {
    const char *name;
    const char *contract;
    void (*run)(struct trial *trial);
};

/* Ends with a row without a name. */
extern const struct check checks[];

__attribute__((format(printf, 2, 3))) void trial_fail(struct trial *trial,
                                                      const char *format, ...);
__attribute__((format(printf, 2, 3))) void trial_skip(struct trial *trial,
                                                      const char *format, ...);
__attribute__((format(printf, 2, 3))) void trial_note(struct trial *trial,
                                                      const char *format, ...);
/* What is tried next: told with a death or a time-out. */
__attribute__((format(printf, 2, 3))) void trial_doing(struct trial *trial,
                                                       const char *format, ...);

/* Opens the stage with the trial's policy; fails the check when it cannot. */
bool trial_open(struct trial *trial, struct stage *stage,
                const struct stage_options *options);

/* "the slot 5", "NO_NODE": what an ask was answered with, as a text that the
   next call overwrites in turn with another. size bytes are needed. */
const char *trial_answer(uint32_t decision, char *text, size_t size);

/* "picked slot 7, which was not eligible" and the like. */
void trial_fail_unsound(struct trial *trial, const struct traffic *traffic,
                        const char *when);

/*
 * The decisions of a fresh policy, in a process of its own so that nothing is
 * left over from others: [steps] in ret, as traffic_step() yields them. False:
 * it did not come back, and the check has failed.
 */
struct trial_life {
    struct stage_options options;
    uint64_t seed;
    uint32_t steps;
    bool explained;
};
bool trial_live_apart(struct trial *trial, const struct trial_life *life,
                      uint32_t *ret);

/* Says the first difference between two lives. */
void trial_compare(struct trial *trial, const uint32_t *one,
                   const uint32_t *other, uint32_t steps, const char *what);

/* The checks, by file. */
void check_table(struct trial *trial);
void check_eligible(struct trial *trial);
void check_nobody(struct trial *trial);
void check_single(struct trial *trial);
void check_large(struct trial *trial);
void check_churn(struct trial *trial);

void check_counts(struct trial *trial);
void check_cancelled(struct trial *trial);
void check_generation(struct trial *trial);

void check_repeatable(struct trial *trial);
void check_instances(struct trial *trial);
void check_view(struct trial *trial);
void check_sizes(struct trial *trial);
void check_after_pick(struct trial *trial);
void check_explains(struct trial *trial);

void check_reports(struct trial *trial);
void check_requests(struct trial *trial);
void check_parameters(struct trial *trial);

void check_memory(struct trial *trial);
void check_chance(struct trial *trial);
void check_outside(struct trial *trial);
void check_refused(struct trial *trial);
void check_destroy(struct trial *trial);
void check_timer(struct trial *trial);
void check_budget(struct trial *trial);

#endif
