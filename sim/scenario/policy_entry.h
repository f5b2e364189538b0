/*
 * An entry of `policies` as YAML of one line, from what was loaded: so that a
 * policy of a scenario can be asked for again, or with one parameter changed.
 */
#ifndef SIM_SCENARIO_POLICY_ENTRY_H
#define SIM_SCENARIO_POLICY_ENTRY_H

#include "sim/scenario/scenario.h"

#include <stdio.h>

/* A parameter, as a user writes it. */
struct policy_entry_change {
    const char *param, *value;
};

/*
 * "{ring_hash: {replicas: 200}, hints: exact}": the parameters that are not
 * preset, and what stands beside the name (scenario_policy_beside()).
 * changes: parameters that get another value, ended by one without a name; or
 * NULL.
 */
void policy_entry_write(const struct policy_spec *policy,
                        const struct policy_entry_change *changes,
                        const char *beside, FILE *out);

/* A text in quotes of YAML that leave all but a quote as it is. */
void policy_entry_quote(const char *text, FILE *out);

#endif
