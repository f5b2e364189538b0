/*
 * conn_rule.h - the rule of least connections, and what is common to the two
 * ways of following it: conn_rows for a small pool, conn_table for a large one.
 *
 * The rule is nginx's: among the nodes that tie at the lowest quotient of
 * requests in flight and weight, one turn of smooth weighted round robin is
 * taken. Each tied node earns its weight as credit, the richest wins (the
 * lowest slot among the equally rich) and pays what all have earned. A node
 * that is alone at the lowest quotient wins without a turn.
 *
 * Both ways give the same answers, and a pool that grows or shrinks changes
 * from one to the other with its credits.
 */
#ifndef POLICIES_CONN_RULE_H
#define POLICIES_CONN_RULE_H

#include "policies/lbp.h"
#include "policies/ties.h"
#include "policies/weight.h"

/* What a pool starts from. */
struct conn_setup {
    const struct lbp_host *host;
    const struct lbp_view *view;
    const int64_t *credits; /* [view->slot_count] carried over, 0: a new node */
    int64_t turn;           /* carried over: picks made, for `ties: rotate` */
    enum lbp_ties ties;
    bool ignore_weights;
};

/* What a pick found. */
struct conn_choice {
    uint32_t slot;  /* LBP_NO_SLOT: nothing eligible */
    uint32_t draws; /* random numbers used */
    bool tied;      /* several nodes shared the lowest quotient */
};

/* The weight that divides the count of a node, in hundredths; 0: none. */
static inline uint32_t conn_rule_weight(const struct conn_setup *setup,
                                        uint32_t slot)
{
    uint32_t weight = lbp_weight_scaled(lbp_node_at(setup->view, slot));

    return weight > 0 && setup->ignore_weights ? LBP_WEIGHT_ONE : weight;
}

#endif
