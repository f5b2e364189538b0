/*
 * A level that changes now and then (who waits, a limit, a node's weight), as
 * means over the buckets of the window. Private to the files of a simulation.
 */
#ifndef SIM_EXPERIMENT_LEVELS_H
#define SIM_EXPERIMENT_LEVELS_H

#include "sim/core/arena.h"
#include "sim/experiment/recorder.h"

#include <stdbool.h>
#include <stdint.h>

struct level {
    double value, most; /* now; the highest within the window */
    int64_t since_ns;   /* up to then it is counted */
    double *buckets;    /* [bucket_count] value times ns */
};

/* A level of 0 since time 0. false: no memory. */
bool level_init(struct level *level, uint32_t bucket_count,
                struct arena *arena);

/* It has been what it is until now_ns. */
void level_pass(struct level *level, const struct recorder *recorder,
                int64_t now_ns);

/* It is another one from now_ns on. */
void level_set(struct level *level, const struct recorder *recorder,
               double value, int64_t now_ns);

/* Means, of time that has passed. */
double level_in_bucket(const struct level *level,
                       const struct recorder *recorder, uint32_t bucket);
double level_mean(const struct level *level, const struct recorder *recorder);

/* Adds rate times the part of from_ns .. to_ns that lies in the window to the
   buckets that it lies in: buckets[bucket * stride]. */
void level_spread(const struct recorder *recorder, int64_t from_ns,
                  int64_t to_ns, double rate, double *buckets, size_t stride);

#endif
