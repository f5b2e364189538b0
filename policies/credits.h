/*
 * credits.h - the rotation of smooth weighted round robin.
 *
 * In a turn every eligible node earns its effective weight as credit; the
 * richest, of equals the one in the lowest slot, serves and pays what all have
 * earned. The effective weight is the configured one unless failures took from
 * it; each turn gives one unit back. This is nginx's rule
 * (src/http/ngx_http_upstream_round_robin.c), which looks at every node.
 *
 * In a pool of some size, as long as the same nodes are eligible and none
 * recovers, credits are a race (race.h), whose leader takes fewer steps to
 * find. It begins at the second turn of the same nodes; a few may come and go
 * in between, as retries leave out those that were tried. In all other turns
 * the nodes are scanned. Both give the same node.
 *
 * Weights are counted in hundredths (weight.h), and so are credits, losses and
 * what is given back.
 */
#ifndef POLICIES_CREDITS_H
#define POLICIES_CREDITS_H

#include "policies/lbp.h"
#include "policies/race.h"

struct share {
    int64_t credit;    /* in the race: without meaning */
    int64_t weight;    /* configured, hundredths; 0: takes nothing */
    int64_t effective; /* in [0, weight]: less after failures */
    uint32_t generation;
};

struct credits {
    const struct lbp_host *host; /* borrowed */
    struct share *shares;        /* [slot_count] */
    uint64_t *eligible;          /* [words of slot_count] at the last turn */
    struct race race;            /* of slot_count runners */
    int64_t earned;              /* in a turn of the race */
    uint32_t slot_count;
    uint32_t capacity; /* of shares, eligible and the race */
    bool racing;       /* credits of the eligible are positions in the race */
    bool may_race;     /* the last turn was a scan worth to be spared, and found
                          all of the eligible at their full weight */
};

/* Empty, without nodes. */
void credits_init(struct credits *credits, const struct lbp_host *host);
void credits_done(struct credits *credits);

/* Takes over nodes and weights: a newcomer starts with no credit, a node that
   stays keeps what it has. false: no memory, and nothing has changed. */
bool credits_update(struct credits *credits, const struct lbp_view *view);

/* One turn over the eligible nodes, all of them if eligible is NULL. Yields
   the winner, or LBP_NO_SLOT. */
uint32_t credits_turn(struct credits *credits, const uint64_t *eligible);

/* Takes so much from a node's effective weight, at most what it has. */
void credits_lose(struct credits *credits, uint32_t slot, int64_t loss);

int64_t credits_of(const struct credits *credits, uint32_t slot);

/* Turns until the sequence repeats: sum of weights / their common divisor. */
uint64_t credits_period(const struct credits *credits);

#endif
