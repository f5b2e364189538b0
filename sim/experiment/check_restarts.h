/*
 * Nodes that health checks have restarted, as a supervisor does with what fails
 * its liveness probe: the process is killed, what was inside is lost, and it is
 * back after a while, with cold caches. What ailed the process is gone with it;
 * what ails the machine or the network stays. Private to the files of a
 * simulation.
 */
#ifndef SIM_EXPERIMENT_CHECK_RESTARTS_H
#define SIM_EXPERIMENT_CHECK_RESTARTS_H

#include "sim/experiment/world.h"

/* A balancer's checks have found the node unhealthy. One that is dead or has
   left is none of their business. */
WORLD_RARE void check_restarts_kill(struct sim *sim, uint32_t node,
                                    int64_t restart_ns);

/* It is back now. epoch: its number of deaths, as it was then. */
void check_restarts_back(struct sim *sim, uint32_t node, uint32_t epoch);

/* The node leaves, and is no longer down for that reason. */
void check_restarts_forget(struct sim *sim, uint32_t node);

void check_restarts_finish(const struct sim *sim, struct run_result *ret);

#endif
