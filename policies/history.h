/*
 * history.h - how long answers have been, by kind of request.
 *
 * Similar requests get answers of similar length. Similar means: the same
 * model, the same class, and input of the same power of two. Each such kind
 * has a cell with a running estimate: a mean that forgets, or a quantile.
 *
 * Cells lie in a table of fixed size, so that learning allocates nothing and
 * memory stays bounded however many models and classes there are. A kind with
 * few answers yet, or without room in the table, is answered for by the pool
 * as a whole, and before any answer by a preset.
 */
#ifndef POLICIES_HISTORY_H
#define POLICIES_HISTORY_H

#include "policies/lbp.h"

enum {
    HISTORY_CELLS = 1024, /* a power of two */
    HISTORY_PROBES = 8,   /* places where a kind may stand */
    HISTORY_ENOUGH = 8    /* answers that make a cell's word count */
};

enum history_kind { HISTORY_MEAN, HISTORY_QUANTILE };

struct history_config {
    uint32_t kind;    /* enum history_kind */
    double quantile;  /* in (0, 1); for HISTORY_QUANTILE */
    double smoothing; /* in (0, 1]: weight of the newest answer */
    double preset;    /* tokens of an answer before there was one */
};

struct history_cell {
    uint64_t name; /* 0: free */
    uint64_t count;
    double tokens; /* the estimate */
};

/* Fill with history_init(). */
struct history {
    struct history_config config;
    struct history_cell all; /* of the pool as a whole */
    struct history_cell cells[HISTORY_CELLS];
};

void history_init(struct history *history, const struct history_config *config);

/* Output tokens to expect; at least 0. */
double history_expect(const struct history *history,
                      const struct lbp_request *request);

/* An answer of so many tokens came; 0 means unknown, and teaches nothing. */
void history_learn(struct history *history, const struct lbp_request *request,
                   uint32_t tokens);

#endif
