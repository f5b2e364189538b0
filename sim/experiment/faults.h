/*
 * Faults in the run: when they strike and end, and what is met at the nodes
 * meanwhile. What a scenario says of them stands in sim/cluster/fault_spec.h;
 * what is wrong with a node, in sim/cluster/node_trouble.h. Private to the
 * files of a simulation.
 *
 *   faults.c          strikes and ends, by the clock or by chance
 *   faults_effects.c  what each kind does to a node, and undoes
 *   faults_meet.c     what attempts, answers, probes and reports come to
 *   faults_tier.c     outages of the shared tier
 *   faults_finish.c   what is told of them in the end
 *
 * sim->faults is NULL without faults; unless said otherwise functions here may
 * be called all the same, and find nothing wrong.
 */
#ifndef SIM_EXPERIMENT_FAULTS_H
#define SIM_EXPERIMENT_FAULTS_H

#include "sim/cluster/fault_spec.h"
#include "sim/experiment/world.h"

/* Takes leaves and schedules the first strikes. false: no memory, and unmake is
   to be called all the same. */
bool faults_start(struct sim *sim);
void faults_unmake(struct sim *sim);

/* Something strikes or ends. */
WORLD_RARE void faults_event(struct sim *sim, uint32_t subject);

/* The node goes away: nothing that ailed it holds on. */
void faults_forget_node(struct sim *sim, uint32_t node);

/* The process on the node ended, was killed or is replaced: it hangs, swallows
   and fails no more. */
void faults_end_of_process(struct sim *sim, uint32_t node);

/* Whoever took the node down lets it restart: it does, unless a fault keeps it
   dead. */
void faults_reopen(struct sim *sim, uint32_t node);

/* A delay line of faults, by its subject; and what has come out of it. */
struct delay_line *faults_line(struct sim *sim, uint32_t line);
WORLD_RARE void faults_from_line(struct sim *sim, uint32_t line,
                                 struct request *request, uint32_t index);

/* Strikes, availability and what attempts came to. */
void faults_finish(struct sim *sim, struct run_result *ret);

/* What the scenario says of the tier, and the outages that its faults make in
   this run. false: no memory. */
bool faults_make_tier_spec(struct sim *sim);

/* --- what is met ---------------------------------------------------------- */

/* Since when a balancer has had reason to hold a node unhealthy, because it is
   dead, slow, hangs, swallows, fails or is out of reach; LBP_NO_TIME: it is
   well. */
int64_t faults_since_ns(const struct sim *sim, const struct balancer *balancer,
                        uint32_t index);

/* How deep a probe looks: whether the port is open, what the server says of
   itself, whether it can make a token. */
enum fault_probe { FAULT_PROBE_TCP, FAULT_PROBE_HTTP, FAULT_PROBE_TOKEN };

/* What a probe that this balancer sends now meets at the node. */
enum fault_word {
    FAULT_ANSWERS,     /* all is well, as far as the probe can see */
    FAULT_REFUSES,     /* nobody there, and the machine says so at once */
    FAULT_SAYS_ILL,    /* an error at once */
    FAULT_SAYS_NOTHING /* no word will come */
};
enum fault_word faults_probe(const struct sim *sim,
                             const struct balancer *balancer, uint32_t index,
                             enum fault_probe level);

/* Whether the node makes reports now; whether one does not get to a balancer,
   which may take a draw; whether balancer and node can reach each other; and by
   how much reports that are made now are late beyond the usual. */
bool faults_node_reports(const struct sim *sim, uint32_t index);
bool faults_report_lost(const struct sim *sim, uint32_t b, uint32_t index);
bool faults_cut(const struct sim *sim, uint32_t b, uint32_t index);
int64_t faults_report_delay_ns(const struct sim *sim, uint32_t index);
/* The most that this can be in the run. */
int64_t faults_report_delay_max_ns(const struct scenario *scenario);

/* An attempt came to its node, which answered NODE_CUT, NODE_SWALLOWED or
   NODE_ERROR. */
WORLD_RARE void faults_attempt_met(struct sim *sim, struct request *request,
                                   uint32_t index, enum node_answer answer);

/* The node has an answer for one with REQUEST_CUT, or has died: its balancer
   does not get it. */
WORLD_RARE void faults_word_lost(struct sim *sim, struct request *request,
                                 uint32_t index);

#endif
