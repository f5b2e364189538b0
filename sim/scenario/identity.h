/*
 * What a simulation's result hangs on, as text: two scenarios with the same
 * text yield the same, whatever else stands in their files.
 *
 * Left out is what only decides which simulations there are, or how they are
 * judged: replications, the list of policies, goals (but for the latency that
 * makes an answer good), objective, the scenario's name, the places of files.
 * A policy has a text of its own, as its results do not hang on the others.
 */
#ifndef SIM_SCENARIO_IDENTITY_H
#define SIM_SCENARIO_IDENTITY_H

#include "sim/scenario/scenario.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hash128 {
    uint64_t high, low;
};

/* XXH3 of bytes, and of a file. false: errno says why it cannot be read. */
struct hash128 hash128_of(const void *bytes, size_t size);
bool hash128_of_file(const char *path, struct hash128 *ret);

/*
 * One setting a line, without those that are as if nothing were said; then a
 * line for each file of data, with a hash of its content as it was read. The
 * trace must be open. Owned by the caller, released with free(). NULL: errno is
 * ENOMEM, or ESTALE: a file has changed since, or is a pipe.
 */
char *scenario_run_text(const struct scenario *scenario);

/* A policy of the scenario with its parameters and the content of its shared
   object: "ring_hash replicas=200". Owned by the scenario. NULL: no memory. */
const char *scenario_policy_text(const struct scenario *scenario,
                                 uint32_t policy);

/* The same without the shared object, so that two builds of a policy can be
   told to be the same one. */
const char *scenario_policy_params(const struct scenario *scenario,
                                   uint32_t policy);

#endif
