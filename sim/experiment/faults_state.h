/*
 * What the run knows of its faults: for the files faults*.c alone.
 *
 * A unit strikes at times of its own: a scheduled fault is one unit, a random
 * one has one for each node, or one for all that it strikes together. A hold is
 * a fault that holds on a node, from its strike to its end.
 */
#ifndef SIM_EXPERIMENT_FAULTS_STATE_H
#define SIM_EXPERIMENT_FAULTS_STATE_H

#include "sim/cluster/node_trouble.h"
#include "sim/experiment/faults.h"

#define HOLD_NONE UINT32_MAX
#define UNIT_OF_ALL UINT32_MAX /* strikes nodes of its fault's list */

struct fault_hold {
    uint32_t fault, node;
    uint32_t next;           /* on the node; of the free ones */
    uint32_t next_of_strike; /* that struck with it */
    uint32_t leaf;    /* of its next step; EVENT_NO_LEAF: it takes none */
    uint32_t step;    /* of a ramp */
    uint32_t lost;    /* inside when it killed the node, not told yet */
    uint32_t strike;  /* in the list of strikes; HOLD_NONE: that is full */
    bool kills;       /* the node is dead because of it */
    bool over;        /* but for a restart that is still to come */
    bool dropped;     /* its node went away */
    int64_t since_ns; /* its strike */
    int64_t next_ns;  /* of its steps by time; INT64_MAX: none */
};

struct fault_unit {
    uint32_t fault, node; /* or UNIT_OF_ALL */
    uint32_t leaf;
    uint32_t holds;    /* of its last strike, while that lasts */
    bool strikes_next; /* its event is a strike, not an end */
    struct rng times;
};

/* Of each fault. */
struct fault_run {
    const struct fault_spec *spec;
    uint32_t *nodes; /* [node_count] that it can strike */
    uint32_t node_count;
    bool *senders; /* [balancer_count], NULL: of a kind that has none */
    struct rng victims;
    struct delay_line inside_lost;
};

struct faults {
    struct fault_run *runs;   /* [scenario->fault_count] */
    struct fault_unit *units; /* [unit_count] */
    uint32_t unit_count;
    struct fault_hold *holds; /* [hold_capacity] on the heap */
    uint32_t hold_count, hold_capacity, free_hold;

    /* By node. */
    uint32_t *first_hold;
    uint32_t *kills;       /* holds that keep it dead */
    double *slowness;      /* how many times as long all takes */
    int64_t *out_since_ns; /* INT64_MIN: it is in service */
    double *out_ns;        /* of the window */
    const char **zone;     /* NULL: none */
    struct node_trouble *troubles;

    struct delay_line errors; /* word of an error on its way */
    struct rng *probe_draws;  /* [balancer_count * node_count] or NULL */
    struct rng *report_draws; /* likewise */
    uint64_t *bits, *scratch; /* [words of nodes and balancers] */
    uint32_t *victims;        /* [node_count] of the strike of now */
    uint32_t victim_count;

    struct fault_strike *strikes; /* [strike_capacity] on the heap */
    uint32_t strike_count, strike_capacity;
    uint64_t strikes_left_out;
    uint64_t strikes_by_kind[FAULT_STRIKE_KINDS]; /* in the whole run */
};

/* --- faults_effects.c --- */

/* The hold is on its node's list, and takes effect; what was inside of a node
   that it kills is told afterwards, by faults_mourn, when all that are struck
   at this moment have been. */
void faults_begin(struct sim *sim, uint32_t hold);
void faults_mourn(struct sim *sim, uint32_t hold);

/* It ends. true: it may be forgotten, and is off the list; false: a restart is
   still to come. */
bool faults_end(struct sim *sim, uint32_t hold);

/* It ends before its time, for its node goes away; it is off the list. */
void faults_drop(struct sim *sim, uint32_t hold);

/* Its own event came. true: it may be forgotten, as above. */
bool faults_step(struct sim *sim, uint32_t hold);

/* --- faults_finish.c --- */

/* Writes a strike down; its number, or HOLD_NONE. node UINT32_MAX: none. */
uint32_t faults_note_strike(struct sim *sim, uint32_t kind, uint32_t node,
                            int64_t at_ns);

/* The node's service has come to a halt, or goes on. */
void faults_note_service(struct sim *sim, uint32_t node);

#endif
