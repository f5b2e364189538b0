/*
 * Agents in the run: every interval each balancer asks the agent of each node
 * and does what it says (sim/frontdoor/agent.h). All are asked at the same
 * times, first after one interval.
 *
 * An agent is a program of its own on the node's machine: it answers when the
 * engine has crashed or hangs, and is silent when the machine is down or cut
 * off from the balancer. Private to the files of a simulation.
 */
#ifndef SIM_EXPERIMENT_AGENTS_H
#define SIM_EXPERIMENT_AGENTS_H

#include "sim/experiment/world.h"

/* Makes sim->agents, if the scenario has them. false: no memory. */
bool agents_make(struct sim *sim);

/* Sets the first times to ask. */
void agents_start(struct sim *sim);

/* A balancer asks. */
WORLD_RARE void agents_ask(struct sim *sim, uint32_t balancer);

void agents_finish(const struct sim *sim, struct run_result *ret);

#endif
