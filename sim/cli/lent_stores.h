/*
 * One store for experiments that run side by side: an experiment has a
 * connection of its own to the file while it runs. There are never more than
 * run at once, and they are used again.
 */
#ifndef SIM_CLI_LENT_STORES_H
#define SIM_CLI_LENT_STORES_H

#include "sim/experiment/store.h"
#include "sim/experiment/sweep.h"

struct lent_stores;

/* store: the open one, borrowed, which is lent first; may be NULL. NULL: no
   memory. */
struct lent_stores *lent_stores_begin(struct store *store);

/* For sweep_setup.shelves, as long as the stores are. */
const struct sweep_shelves *lent_stores_shelves(struct lent_stores *stores);

/* What failed first, as a sentence. */
const char *lent_stores_error(const struct lent_stores *stores);

/* All are given back: writes what they still hold. false: lent_stores_error()
   says why. */
bool lent_stores_flush(struct lent_stores *stores);

/* Closes the connections that were made, and adds what they counted. */
void lent_stores_end(struct lent_stores *stores, struct store_counts *counts);

#endif
