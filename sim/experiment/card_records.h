/*
 * What a recorder writes down card by card, when nodes tell their cards apart:
 * the meters of all cards at the edges of the window, node after node.
 */
#ifndef SIM_EXPERIMENT_CARD_RECORDS_H
#define SIM_EXPERIMENT_CARD_RECORDS_H

#include "sim/cluster/node.h"
#include "sim/measure/run_result.h"

#include <stdbool.h>
#include <stdint.h>

struct card_records {
    uint32_t count; /* of all nodes together; 0: none are told apart */
    uint64_t *at_open, *at_close; /* [count] busy slot-ns */
};

/* false: no memory. card_records_done is due either way. */
bool card_records_init(struct card_records *cards, uint32_t count);
void card_records_done(struct card_records *cards);

/* The window opens, and closes. */
void card_records_open(struct card_records *cards, const struct node *nodes,
                       uint32_t node_count, int64_t now_ns);
void card_records_close(struct card_records *cards, const struct node *nodes,
                        uint32_t node_count, int64_t now_ns);

/* Fills card_count, card_use_ratios and the fullest card's measure. false: no
   memory. */
bool card_records_finish(const struct card_records *cards,
                         const struct node *nodes, uint32_t node_count,
                         double window_ns, struct run_result *ret);

#endif
