/*
 * outstanding.h - what a balancer has sent and still waits for, as work.
 *
 * A node reports its queue late or never, but a balancer knows what it sent
 * and can guess the rest: nodes serve first come, first served, `slots` at
 * once. So of the attempts in flight at a node the oldest `slots` are in
 * service, each since the moment it was sent or since one before it ended;
 * the others wait. An answer takes its attempt out of the books whatever was
 * predicted, so that errors do not add up.
 *
 * An attempt is named by the two words that the host keeps for it. Attempts
 * lie in a table made beforehand; when it is full, further ones are counted
 * as waiting work without a place in the queue.
 *
 * Sums are of whole nanoseconds and wrap around, so they stay exact.
 */
#ifndef POLICIES_OUTSTANDING_H
#define POLICIES_OUTSTANDING_H

#include "policies/lbp.h"

/* The longest service that the books know: 11 days. */
#define OUTSTANDING_LONGEST_NS 1000000000000000

/* An attempt in flight. */
struct outstanding_attempt {
    int64_t started_at_ns; /* in service since */
    int64_t service_ns;    /* as predicted */
    uint32_t older, newer; /* in the order of sending; newer links free ones */
    bool runs;
};

/* One node. */
struct outstanding_node {
    uint32_t slots;            /* 1 or more */
    uint32_t running, waiting; /* attempts */
    uint32_t oldest, newest, first_waiting;
    int64_t running_ns;   /* predicted service of those that run */
    int64_t waiting_ns;   /* and of those that wait */
    uint64_t started_sum; /* of the times at which the running started */
    int64_t unlisted_ns;  /* of the waiting without a place in the queue */
    uint32_t generation;  /* whose books these are */
};

/* A zeroed struct is an empty one. */
struct outstanding {
    struct outstanding_node *nodes;       /* [slot_count] */
    struct outstanding_attempt *attempts; /* [attempt_count] */
    int64_t *free_at; /* [widest] for outstanding_wait_by_turns() */
    uint32_t slot_count, attempt_count, widest;
    uint32_t free_head;
};

/* What the books said of an attempt that is over. */
struct outstanding_end {
    bool ran;           /* was in service as far as one can tell */
    int64_t service_ns; /* as predicted */
    int64_t taken_ns;   /* from its start until now */
};

/* For on_members. sharers, 1 or more: balancers among which a node's slots are
   taken to be divided. false: no memory, and the old books stand. */
bool outstanding_update(struct outstanding *books, const struct lbp_view *view,
                        uint32_t sharers, const struct lbp_host *host);
void outstanding_done(struct outstanding *books, const struct lbp_host *host);

/* An attempt of that predicted service, 0 to OUTSTANDING_LONGEST_NS, leaves
   for a node. note: its two words, zero. */
void outstanding_enter(struct outstanding *books, uint32_t slot, int64_t now_ns,
                       int64_t service_ns, uint64_t *note);

/* It is over. false: it never entered. */
bool outstanding_leave(struct outstanding *books, uint32_t slot, int64_t now_ns,
                       uint64_t *note, struct outstanding_end *ret);

/*
 * The wait of one that came now, in ns: 0 while a slot is free.
 *
 * luck is how little the time in service says about the time that is left: 0
 * means that services take exactly what was predicted, so that all of it has
 * been worked off; 1 that they are as random as the exponential law, under
 * which what is left does not depend on what has passed.
 */
double outstanding_wait(const struct outstanding_node *node, int64_t now_ns,
                        double luck);

/*
 * The same by letting the node's queue run forward with what is left of each
 * attempt, as if predictions were true: exact when they are.
 */
double outstanding_wait_by_turns(struct outstanding *books, uint32_t slot,
                                 int64_t now_ns);

#endif
