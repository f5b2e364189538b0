/*
 * What an experiment has to do with predictions: what may be foretold of
 * requests, and how far off the policies were in the end.
 */
#ifndef SIM_EXPERIMENT_PREDICTIONS_H
#define SIM_EXPERIMENT_PREDICTIONS_H

#include "sim/frontdoor/balancer.h"
#include "sim/scenario/scenario.h"

/* What tokens cost at speed 1, if that is the same on all nodes. */
struct foresight_costs predictions_costs(const struct scenario *scenario);

/* The measures of predictions over all balancers; values that do not apply
   stay as they are. */
void predictions_finish(const struct balancer *balancers, uint32_t count,
                        double *values);

#endif
