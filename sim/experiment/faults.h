/*
 * Faults in the run. What a scenario says of them stands in
 * sim/cluster/group_spec.h. Private to the files of a simulation.
 */
#ifndef SIM_EXPERIMENT_FAULTS_H
#define SIM_EXPERIMENT_FAULTS_H

#include "sim/experiment/world.h"

/* Takes leaves and schedules the first strikes. false: no memory. */
bool faults_start(struct sim *sim);

/* The fault strikes or ends. */
void faults_event(struct sim *sim, uint32_t fault);

/* How deep a probe looks: whether the port is open, what the server says of
   itself, whether it can make a token. */
enum fault_probe { FAULT_PROBE_TCP, FAULT_PROBE_HTTP, FAULT_PROBE_TOKEN };

/* What a probe that this balancer sends now meets at the node. */
enum fault_word {
    FAULT_ANSWERS,     /* all is well, as far as the probe can see */
    FAULT_REFUSES,     /* nobody there, and the machine says so at once */
    FAULT_SAYS_NOTHING /* no word will come */
};
enum fault_word faults_probe(const struct sim *sim,
                             const struct balancer *balancer, uint32_t index,
                             enum fault_probe level);

#endif
