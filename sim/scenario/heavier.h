/*
 * The same traffic, more of it: what a plan of capacity asks of its nodes.
 *
 * All that a scenario says about when requests arrive is scaled as a whole: a
 * rate, a curve of the rate with its peak, the states of an mmpp, spikes, every
 * overlay; a trace is played faster; of a closed loop there are more clients.
 * What is asked, and by whom, stays as it is.
 */
#ifndef SIM_SCENARIO_HEAVIER_H
#define SIM_SCENARIO_HEAVIER_H

#include "sim/scenario/scenario.h"

#include <stdbool.h>

/*
 * Hands out overrides as scenario_load() takes them, which make the traffic
 * `factor` times as heavy, more than 0. Clients are whole, so theirs is rounded
 * up. false: add returned false, and no more were handed out.
 */
bool scenario_heavier(const struct scenario *scenario, double factor,
                      bool (*add)(void *context, const char *override),
                      void *context);

/* What is scaled, in words: "the rate", "the curve of the rate". */
const char *scenario_load_words(const struct scenario *scenario);

#endif
