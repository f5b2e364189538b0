/*
 * What an experiment yields: for each policy its folded measures, the verdict
 * against the first policy, and how it did by the goals.
 */
#ifndef SIM_EXPERIMENT_OUTCOME_H
#define SIM_EXPERIMENT_OUTCOME_H

#include "sim/experiment/fold.h"
#include "sim/experiment/groups.h"
#include "sim/experiment/shard.h"
#include "sim/experiment/success_gap.h"
#include "sim/experiment/verdict.h"
#include "sim/scenario/rehearse.h"
#include "sim/scenario/scenario.h"

#include <stdbool.h>
#include <stdint.h>

/* Why not everything was run. */
enum experiment_end {
    EXPERIMENT_WHOLE,
    EXPERIMENT_INTERRUPTED,
    EXPERIMENT_LIMIT_TIME,
    EXPERIMENT_LIMIT_EVENTS,
    EXPERIMENT_LIMIT_MEMORY
};

struct goal_result {
    double value; /* mean over the replications; NaN: absent or infinite */
    bool met;
    bool certain; /* the whole interval is on the same side of the bound */
};

struct policy_result {
    const char *label; /* borrowed from the scenario */
    struct policy_fold fold;
    struct verdict verdict;
    struct success_gap success_gap; /* to the first policy */
    struct goal_result *goals;      /* [scenario->goal_count] */
    struct group_fold *groups;      /* [scenario->group_count] */
    struct key_share key_share;     /* asked for before any traffic */
};

struct experiment_result {
    enum experiment_end end;
    uint32_t replications; /* folded; 0: no replication is whole */
    uint32_t replications_asked;
    uint32_t *numbers; /* [replications] which these are, ascending from 1;
                          NULL: the first */
    bool runs_once;    /* nothing is random, so one replication says it all */

    bool warm_up_auto;
    double warm_up_least_s, warm_up_most_s; /* cuts over the replications;
                                               least is INFINITY without any */
    uint32_t warm_up_doubtful; /* replications too short for a sure cut */

    uint32_t policy_count;
    struct policy_result *policies; /* [policy_count]; empty folds when
                                       replications is 0 */

    struct shard_work work; /* that was to be done, and was */

    /* Of the machine, never for standard output. */
    double elapsed_s, cpu_s;
    uint64_t events; /* of what was run now */
    uint64_t found;  /* simulations that were on the shelf */
    uint32_t threads;
    uint32_t error_policy, error_replication; /* of a status but OK */
};

/*
 * Fills policies, policy_count and replications of *ret from the first whole
 * replications of each policy; the rest of *ret stays as it is. runs: those of
 * policy p begin at runs[p * stride]. whole may be 0. false: no memory. *ret
 * is to be released by outcome_done either way.
 */
bool outcome_fold(const struct scenario *scenario,
                  const struct run_result *runs, uint32_t stride,
                  uint32_t whole, struct experiment_result *ret);
void outcome_done(struct experiment_result *result);

/* The number of the i-th folded replication, from 1. */
uint32_t outcome_replication(const struct experiment_result *result,
                             uint32_t i);

/* Whether results show the measure: all do, but those of mechanisms that the
   scenario does not use, of which no policy has a value. */
bool outcome_shows(const struct experiment_result *result, enum measure_id id);

/* "interrupted", "the limit of time was reached", ...; NULL for a whole one. */
const char *outcome_end_text(enum experiment_end end);

#endif
