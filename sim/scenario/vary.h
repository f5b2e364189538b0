/*
 * What a command line adds to `sweep` and `crossover`, and the scenario of one
 * point.
 */
#ifndef SIM_SCENARIO_VARY_H
#define SIM_SCENARIO_VARY_H

#include "sim/scenario/scenario.h"
#include "workloads/diag.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * texts: [count] in the order of the command line, each with its option:
 *
 *     "--vary PATH=VALUES"             an axis; the first one replaces those of
 *                                      the file
 *     "--together PATH=VALUES"         moves in step with the --vary or
 *                                      --crossover before it
 *     "--crossover PATH=FROM..TO"      replaces that of the file
 *     "--between A,B"  "--within X"  "--measure M"  "--scan N"
 *     "--most-replications N"          of the crossover
 *
 * They are copied. false: diag says why.
 */
bool scenario_vary(struct scenario *scenario, const char *const *texts,
                   size_t count, struct diag *diag);

/*
 * The scenario of a point of base's sweep, with the trace open; base, whose
 * trace is open, outlives it. x: the value of the crossover's first path; NaN:
 * none. replications: 0: as the scenario says. May be called by several threads
 * at once. NULL: diag says why.
 */
struct scenario *sweep_load_point(const struct scenario *base, uint64_t point,
                                  double x, uint32_t replications,
                                  struct diag *diag);

/* "workload.arrivals.rate=8/s, nodes[0].count=4"; cut to size. */
void sweep_point_text(const struct sweep_spec *spec, uint64_t point, char *text,
                      size_t size);

/* Leaves only two policies, by their numbers. */
void scenario_keep_policies(struct scenario *scenario, uint32_t first,
                            uint32_t second);

#endif
