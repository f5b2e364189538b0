/*
 * conn_table.h - the rule of conn_rule.h for pools of any size.
 *
 * A scan follows the rule in as many steps as there are nodes. Here a pick
 * costs the logarithm:
 *
 * - Nodes of equal weight form a *band*. A band has a winner tree over its
 *   nodes, ordered by requests in flight, then credit, then slot. The best of
 *   a band is at its root, and a pick compares roots only.
 * - Nodes of one band with equally many requests form a *level*. A turn pays
 *   a whole level by counting one more turn there; a node's credit is what it
 *   brought along plus the turns of its level times its weight. So no node of
 *   a level is touched but the winner, and the order inside it stands.
 * - The tree holds eligible nodes only. Those that left eligibility since the
 *   last pick are taken out with their credit, those that came back put in.
 *
 * Counts follow on_sent and on_done. After a change of the membership the
 * first pick reads all of them from the view.
 */
#ifndef POLICIES_CONN_TABLE_H
#define POLICIES_CONN_TABLE_H

#include "policies/conn_rule.h"

struct conn_table;

/* NULL: no memory. */
struct conn_table *conn_table_create(const struct conn_setup *setup);
void conn_table_destroy(struct conn_table *table, const struct lbp_host *host);

/* Picks among request->eligible by the rule, and settles the credits. */
void conn_table_pick(struct conn_table *table, const struct lbp_view *view,
                     const struct lbp_request *request,
                     const struct lbp_host *host,
                     struct conn_choice *ret_choice);

/* Takes note that slot has in_flight requests now. */
void conn_table_count(struct conn_table *table, uint32_t slot,
                      uint32_t in_flight);

/* The weight that divides the count of a slot, in hundredths; 0: none. */
uint32_t conn_table_weight(const struct conn_table *table, uint32_t slot);

/* What a slot has earned, and how many picks were made: to carry over. */
int64_t conn_table_credit(const struct conn_table *table, uint32_t slot);
int64_t conn_table_turn(const struct conn_table *table);

#endif
