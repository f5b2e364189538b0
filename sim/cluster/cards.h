/*
 * The accelerator cards of a node, told apart: what is in service is spread
 * over them, each request on the least busy card, the lowest of equals.
 *
 * The node's slots are dealt out as evenly as they go, the first cards take
 * what is over. Cards change no time of any request: they show how evenly a
 * node's work lies on them.
 */
#ifndef SIM_CLUSTER_CARDS_H
#define SIM_CLUSTER_CARDS_H

#include <stdbool.h>
#include <stdint.h>

struct card {
    uint32_t busy, slots;
    uint64_t meter; /* of busy, as struct node_meter explains */
};

struct cards {
    struct card *cards; /* [count] */
    uint32_t count;     /* 0: a node whose cards are not told apart */
};

/* slots at least count. false: no memory. */
bool cards_init(struct cards *cards, uint32_t count, uint32_t slots);
void cards_done(struct cards *cards);

/* A request starts; returns its card. One of the slots must be free. */
uint32_t cards_take(struct cards *cards, int64_t now_ns);
/* It leaves service. */
void cards_give(struct cards *cards, uint32_t card, int64_t now_ns);

/* Busy slots of a card integrated up to now, in slot-ns. */
uint64_t cards_busy(const struct cards *cards, uint32_t card, int64_t now_ns);

#endif
