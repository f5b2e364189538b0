/*
 * From text to a scenario.
 *
 * YAML, strictly: whatever is misspelt, doubled, without its unit, out of
 * range or contradictory is an error with place, line, caret and a way out;
 * up to ten at once, and nothing is guessed. What wins: --set, then the file,
 * then what it includes, then the default.
 */
#ifndef SIM_SCENARIO_LOADER_H
#define SIM_SCENARIO_LOADER_H

#include "sim/scenario/scenario.h"
#include "workloads/diag.h"

#include <stdbool.h>
#include <stddef.h>

#define SCENARIO_SIZE_MAX (1u << 20) /* bytes of a file */

/*
 * Reads a scenario file. overrides: [override_count] texts "path=value" such
 * as "nodes[0].count=4" or "nodes[gpu].engine.speed=2", the later ones win;
 * they are copied. A text may begin with the option that it was made from, as
 * "--seed seed=7", which is then named as its place. NULL: diag says why. The
 * trace, if there is one, is not opened yet.
 */
struct scenario *scenario_load(const char *path, const char *const *overrides,
                               size_t override_count, struct diag *diag);

/* The same from memory. name stands for the path: in messages, and as the
   place from which relative files are looked for. */
struct scenario *scenario_parse(const char *name, const char *text,
                                size_t length, const char *const *overrides,
                                size_t override_count, struct diag *diag);

/*
 * A scenario that is loaded, with further overrides on top of those that it was
 * loaded with. No file is read again but those of data; what a command added to
 * the scenario afterwards does not count. Several threads may call it with the
 * same base, which outlives the scenario. NULL: diag says why.
 */
struct scenario *scenario_load_over(const struct scenario *base,
                                    const char *const *overrides,
                                    size_t override_count, struct diag *diag);

/* Accepts NULL. Closes the trace too. */
void scenario_destroy(struct scenario *scenario);

/*
 * Opens the trace that the scenario names: looked for beside the scenario,
 * then in $LBSIM_DATA. Sets workload.trace, and the duration if the scenario
 * leaves it to the trace; checks what could not be checked before. true, too,
 * when there is no trace. false: diag says why, and where it looked.
 */
bool scenario_open_trace(struct scenario *scenario, struct diag *diag);

/* The same; a trace that another scenario has open is not read again when it is
   the same rows. lender may be NULL; else it outlives the scenario. */
bool scenario_open_trace_like(struct scenario *scenario,
                              const struct scenario *lender, struct diag *diag);

/*
 * The effective scenario as YAML that loads again to the same scenario: every
 * value, with its origin as a comment ("# quickstart.yaml:6", "# --set",
 * "# default"). Owned by the caller, released with free(). NULL: no memory.
 */
char *scenario_effective(const struct scenario *scenario);

/* What stands beside the policy's name in its entry, such as ", hints: exact",
   as YAML of one line; "" when nothing does. Owned by the caller, released with
   free(). NULL: no memory. */
char *scenario_policy_beside(const struct scenario *scenario, uint32_t policy);

#endif
