/*
 * A shard: one of several parts of the work of a command, each to be run by
 * itself, on whatever machine, and joined by 'lbsim merge'.
 *
 * The experiments of a command are one row of units, numbered from 0. A unit is
 * a simulation; with warm_up: auto it is a replication with all its policies,
 * because the cut of one needs the others. Each count of units in a row goes to
 * count shards, one each, so that shards differ by one unit at most; and every
 * such round begins one shard further on, or with seven policies and seven
 * shards the slowest policy would be all of one shard's work.
 */
#ifndef SIM_EXPERIMENT_SHARD_H
#define SIM_EXPERIMENT_SHARD_H

#include <stdbool.h>
#include <stdint.h>

#define SHARD_COUNT_MAX 100000

struct shard {
    uint32_t number; /* from 1 to count */
    uint32_t count;  /* 0: no shards, everything is run */
};

/* Of one experiment, or of all of a command. */
struct shard_work {
    uint64_t units;       /* of all shards together */
    uint64_t simulations; /* of this shard; those of both passes of a
                             warm_up: auto count once */
    uint64_t done;        /* of them */
};

/* Whether the unit is this shard's. */
bool shard_has(const struct shard *shard, uint64_t unit);

/* How many of units 0 .. units - 1 are this shard's. */
uint64_t shard_size(const struct shard *shard, uint64_t units);

#endif
