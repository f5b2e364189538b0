/*
 * Several slots for one request. There are two reasons: a hedge sends it a
 * second time while the first is still out, and an attempt that was given up
 * may stay at work in its node, in its old slot, while the request goes on.
 *
 * Among the slots of a hedged request, a ring through request_retry.twin, one
 * stands for it: it is in the lists (by arrival, of sources) and counts as the
 * request. The others carry REQUEST_TWIN. Private to the files of a simulation.
 */
#ifndef SIM_EXPERIMENT_TWINS_H
#define SIM_EXPERIMENT_TWINS_H

#include "sim/experiment/world.h"

/* A slot that says the same as `index`, in no list and no ring. NULL: no
   memory, and the simulation fails. */
struct request *twins_take(struct sim *sim, uint32_t index, uint32_t *ret_twin);

/* What stands for the request, or was a twin of it, is `to` from now on, in all
   lists and the ring; `from` is in none. */
void twins_hand_over(struct sim *sim, uint32_t from, uint32_t to);

/* `twin`, just taken, joins the ring of `index`. */
void twins_join(struct sim *sim, uint32_t index, uint32_t twin);

/* The slot of the ring that stands for the request. */
uint32_t twins_first(const struct sim *sim, uint32_t index);

/* How many slots the request has; 1: it is not hedged. */
uint32_t twins_count(const struct sim *sim, uint32_t index);

/*
 * The slot leaves the ring; when it stood for the request, the next one does
 * so. What it has tried, another will not try again. Returns the slot that
 * stands for the request.
 */
uint32_t twins_part(struct sim *sim, uint32_t index);

/* All others of the ring are given up: their attempts end with this outcome
   and error, `index` stands alone for the request. Returns their number. */
uint32_t twins_drop_others(struct sim *sim, uint32_t index,
                           enum lbp_outcome outcome, enum attempt_error error);

#endif
