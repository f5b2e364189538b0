/*
 * What the rule of a proxy said of retries where the scenario did not, for the
 * effective scenario: a rule other than plain has numbers of its own.
 */
#ifndef SIM_SCENARIO_EFFECTIVE_RETRY_H
#define SIM_SCENARIO_EFFECTIVE_RETRY_H

#include "sim/frontdoor/retry_spec.h"
#include "sim/scenario/settings.h"
#include "sim/scenario/sheet.h"

#include <stdbool.h>

/* Writes the value of the row. false: the rule has nothing to do with it. */
bool effective_retry(struct sheet *sheet, const struct setting *row,
                     const struct retry_spec *spec);

/* Whether the block of the row is on though nobody wrote it. */
bool effective_retry_has(const struct setting *row,
                         const struct retry_spec *spec);

#endif
