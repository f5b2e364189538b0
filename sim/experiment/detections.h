/*
 * What balancers conclude about nodes, and how right they are: one place for
 * every detector (active checks, passive observation, outlier ejection). Each
 * comes here instead of to balancer_bar(), so that delays, false ejections and
 * flaps are counted alike, whoever ejects.
 *
 *   detection       a balancer begins to doubt a node that is ill; its delay
 *                   counts from the beginning of the illness. Each balancer
 *                   detects an illness once
 *   false ejection  it begins to doubt a node that is well
 *   flap            it begins to doubt a node that it has trusted again for no
 *                   more than a minute
 *
 * A node is ill while it is dead or a fault is at work on it. Everything is
 * counted over the whole run. Private to the files of a simulation.
 */
#ifndef SIM_EXPERIMENT_DETECTIONS_H
#define SIM_EXPERIMENT_DETECTIONS_H

#include "sim/experiment/world.h"

/* Makes sim->detections, if the scenario has any detector. false: no memory. */
bool detections_make(struct sim *sim);

/*
 * A detector lowers (down) or lifts its bar of a node, which is one of
 * BARS_OF_DOUBT; nothing happens when it is so already. The policy is told, and
 * what waits at the door is asked about anew.
 */
WORLD_RARE void detections_bar(struct sim *sim, struct balancer *balancer,
                               uint32_t node, enum balancer_bar bar, bool down);

/* Fills the measures; they stay NaN without detectors. */
void detections_finish(const struct sim *sim, struct run_result *ret);

#endif
