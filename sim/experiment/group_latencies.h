/*
 * Latencies of each group of nodes: of the answers that its nodes gave, where
 * nodes keep them (report.node_percentiles).
 */
#ifndef SIM_EXPERIMENT_GROUP_LATENCIES_H
#define SIM_EXPERIMENT_GROUP_LATENCIES_H

#include "sim/experiment/recorder.h"
#include "sim/scenario/scenario.h"

/* Fills group_latencies, if nodes keep theirs. false: no memory. */
bool group_latencies_finish(const struct recorder *recorder,
                            const struct scenario *scenario,
                            struct run_result *ret);

#endif
