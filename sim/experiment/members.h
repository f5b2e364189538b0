/*
 * Nodes that come and go: the way of each from its order to its leave.
 *
 *   absent -> provisioning -> loading -> warming -> ready -> draining -> absent
 *
 * The run has as many nodes as there may ever be. One that is absent does not
 * exist: its slot at the balancers is empty, nobody checks it, it reports
 * nothing, costs nothing and takes no part in use. From its order on it exists
 * and costs; once it is ready it is a member, with cold caches. One that drains
 * takes nothing new and leaves when the last attempt sent to it is over, or at
 * its time-out, when the rest is reset. A slot is taken anew only then.
 *
 * Who wants nodes to come and go is told in scaling.h and rollouts.h. Private
 * to the files of a simulation.
 */
#ifndef SIM_EXPERIMENT_MEMBERS_H
#define SIM_EXPERIMENT_MEMBERS_H

#include "sim/experiment/world.h"

enum member_phase {
    MEMBER_ABSENT,
    MEMBER_PROVISIONING,
    MEMBER_LOADING,
    MEMBER_WARMING,
    MEMBER_READY,
    MEMBER_DRAINING
};

struct member {
    enum member_phase phase;
    uint32_t epoch; /* of its alarms: grows with each phase */
    bool restarts;  /* draining: to be started anew, not to go */
    bool renewed;   /* it was */
    bool closed;    /* its time to drain is over */
    int64_t ordered_at_ns, ready_at_ns;
    int64_t started_at_ns; /* since when its machine is there */
    uint64_t hits_at_ready, misses_at_ready;
    struct rng provision, start_up;
};

struct members {
    struct member *nodes;       /* [node_count] */
    struct lbp_node *described; /* [node_count] all of them as configured */
    bool holds; /* a group lets requests wait that find no node */

    uint64_t cold_starts; /* nodes that were ordered and became ready */
    double cold_start_sum_s;
    uint64_t cold_misses; /* look-ups in caches that were young */
    uint64_t drained_cut; /* attempts reset when their time was over */
    double lost_work_s;   /* spent on these */
    uint64_t departures;
};

/* After nodes are described and before balancers are made: empties the slots
   of those that are not there at first. false: no memory. */
bool members_make(struct sim *sim);

/* An absent node is ordered. */
void members_order(struct sim *sim, uint32_t node);

/* A node is to leave, or to be started anew. One that is not ready yet goes at
   once. */
void members_drain(struct sim *sim, uint32_t node, bool restarts);

/* Alarms about a node: its next phase, the end of its time to drain, the last
   attempt sent to it, the end of its youth. */
void members_next_phase(struct sim *sim, uint32_t node, uint32_t epoch);
void members_close(struct sim *sim, uint32_t node, uint32_t epoch);
void members_leave(struct sim *sim, uint32_t node, uint32_t epoch);
void members_grown(struct sim *sim, uint32_t node, uint32_t epoch);

/* An attempt sent to the node is over. */
void members_attempt_over(struct sim *sim, uint32_t node);

/* Whether the node is there for balancers: ready or draining. */
static inline bool members_serves(const struct sim *sim, uint32_t node)
{
    return !sim->members || sim->members->nodes[node].phase >= MEMBER_READY;
}

/* Whether a fault can strike it. */
static inline bool members_exists(const struct sim *sim, uint32_t node)
{
    return !sim->members || sim->members->nodes[node].phase != MEMBER_ABSENT;
}

/* Whether a request that no node may take waits at the front door for one. */
bool members_hold(const struct sim *sim, const struct balancer *balancer);

/* The measures of coming and going. */
void members_finish(const struct sim *sim, struct run_result *ret);

#endif
