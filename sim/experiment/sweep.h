/*
 * A sweep: the same experiment at every point of a grid of settings, or a
 * search for a crossover at every point.
 *
 * Points are independent. As many as there are threads run at once, each alone
 * on its thread, or with a share of them when points are few; what a point
 * yields does not depend on that. A point is loaded when its turn comes and
 * folded to what is shown of it when it ends, so memory follows the number of
 * points and measures, not that of runs. All points have the same seeds:
 * neighbours differ by their settings and not by chance.
 *
 * An interrupted sweep keeps the points that are whole.
 */
#ifndef SIM_EXPERIMENT_SWEEP_H
#define SIM_EXPERIMENT_SWEEP_H

#include "sim/experiment/crossover.h"
#include "sim/experiment/experiment.h"
#include "sim/scenario/vary.h"

#include <stdbool.h>
#include <stdint.h>

#define SWEEP_MEASURES_MAX 32

/*
 * Shelves for points (shelf.h), of which several run at once: each is lent one
 * of its own for an experiment and gives it back. Called on the threads of
 * points, at the same time. false: it failed, and who lends knows why.
 */
struct sweep_shelves {
    bool (*lend)(void *context, const struct scenario *scenario,
                 struct run_shelf *ret, void **ret_loan);
    bool (*give_back)(void *context, void *loan);
    /* On the calling thread, about ten times a second: time to write what those
       that were given back still hold. */
    void (*tick)(void *context);
    void *context;
};

struct sweep_setup {
    const struct scenario *base; /* with its spec; its trace is open */
    /* threads, limits, interrupted, progress and simulate of all points; its
       scenario is not looked at */
    struct experiment_setup experiment;  /* and shard and known, see below */
    const struct sweep_shelves *shelves; /* NULL: nothing is kept */
    const enum measure_id *measures; /* [measure_count] kept of each point */
    uint32_t measure_count;
};

struct sweep_policy {
    struct measure_fold *measures; /* [measure_count] */
    struct verdict verdict;        /* against the first policy */
    bool unstable;
};

struct sweep_point {
    bool whole; /* else nothing below is there */
    uint64_t hash;
    uint32_t replications;
    struct sweep_policy *policies; /* [policy_count]; NULL with a crossover */
    uint32_t best;     /* of the objective's means; policy_count: none */
    bool best_is_sure; /* better than each of the others, all tests together at
                          the scenario's confidence */
    struct crossover_result *crossover; /* NULL: none was looked for */
};

struct sweep_result {
    uint64_t point_count;
    uint32_t policy_count, measure_count;
    const enum measure_id *measures; /* borrowed from the setup */
    struct sweep_point *points;      /* [point_count] */

    uint64_t whole; /* points; of a shard those of which it has its part */
    struct shard_work work;
    enum experiment_end end;
    uint32_t pair[2];             /* a crossover's policies */
    enum measure_id pair_measure; /* and what they are ranked by */

    /* Of the first point that failed, if the status is not OK. diag has what
       is wrong when it could not be loaded. */
    uint64_t error_point;
    uint32_t error_policy, error_replication;
    struct diag diag;

    uint64_t events;
    double elapsed_s, cpu_s;
    double simulated_s; /* of cpu_s: within simulations; those that were found
                           say what they took when they were run */
    uint32_t threads;
};

/*
 * As a shard, simulations are shared out point by point, replication by
 * replication, and nothing is kept of a point; with a crossover the searches
 * are, as a search hangs on no other, and a shard has whole ones. The units
 * that are known are those of all shards.
 *
 * Runs all points of base's spec: the experiment of each, or with a
 * crossover the search at each. EXPERIMENT_OK: see end. A point that cannot be
 * loaded is EXPERIMENT_OK too, with an error in diag. *ret is to be released by
 * sweep_done whatever the status.
 */
enum experiment_status sweep_run(const struct sweep_setup *setup,
                                 struct sweep_result *ret);
void sweep_done(struct sweep_result *result);

/* Loads a point with every value, so that mistakes in them show before the
   first point runs. false: diag says what is wrong with the first of them. */
bool sweep_check(const struct scenario *base, uint32_t threads,
                 struct diag *diag);

/* Which of two policies, 0 or 1, is better where `second - first` of a measure
   has this sign, not 0. */
uint32_t sweep_better_of_pair(enum measure_id measure, int sign);

#endif
