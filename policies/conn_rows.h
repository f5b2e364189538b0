/*
 * conn_rows.h - the rule of conn_rule.h for up to 64 nodes of equal weight.
 *
 * A set of nodes is one word of bits. Nodes with equally many requests in
 * flight form a *row*; who ties at the lowest count is then the first row that
 * has an eligible node, and a request sent or answered moves one bit. Rows
 * cover a window of counts around the lowest; those outside share the first
 * and the last row, and when such a row is wanted the window moves.
 *
 * The turn among the tied looks at each of them, so a pick costs more the more
 * there are. From 64 nodes on conn_table is as fast.
 *
 * Counts follow on_sent and on_done; creation reads them from the view.
 */
#ifndef POLICIES_CONN_ROWS_H
#define POLICIES_CONN_ROWS_H

#include "policies/conn_rule.h"

struct conn_rows;

/* Whether rows are a way to follow the rule on these nodes. */
bool conn_rows_suit(const struct conn_setup *setup);

/* For nodes that rows suit. NULL: no memory. */
struct conn_rows *conn_rows_create(const struct conn_setup *setup);
void conn_rows_destroy(struct conn_rows *rows, const struct lbp_host *host);

/* Picks among request->eligible by the rule, and settles the credits. */
void conn_rows_pick(struct conn_rows *rows, const struct lbp_view *view,
                    const struct lbp_request *request,
                    const struct lbp_host *host,
                    struct conn_choice *ret_choice);

/* Takes note that slot has in_flight requests now. */
void conn_rows_count(struct conn_rows *rows, uint32_t slot, uint32_t in_flight);

/* The weight that divides the count of a slot, in hundredths; 0: none. */
uint32_t conn_rows_weight(const struct conn_rows *rows, uint32_t slot);

/* What a slot has earned, and how many picks were made: to carry over. */
int64_t conn_rows_credit(const struct conn_rows *rows, uint32_t slot);
int64_t conn_rows_turn(const struct conn_rows *rows);

#endif
