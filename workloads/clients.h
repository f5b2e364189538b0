/*
 * The clients of a closed loop: each thinks, asks, waits for its answer and
 * thinks again. All begin by thinking.
 *
 * A client's k-th request (k from 0) has the number k * count + client: its
 * think time, and whatever else is drawn for it, is keyed by that number, so
 * that a client asks the same and thinks as long under every policy, though it
 * asks at other times. At one instant the lower client asks first.
 *
 * A client that neither waits nor thinks would ask for ever at one instant: who
 * has his answer, or his refusal, at once pauses for a millisecond at least.
 */
#ifndef WORKLOADS_CLIENTS_H
#define WORKLOADS_CLIENTS_H

#include "workloads/dist.h"

#include <stdbool.h>
#include <stdint.h>

#define CLIENTS_PAUSE_NS INT64_C(1000000)

struct clients_spec {
    uint32_t count;           /* 1 or more */
    const struct dist *think; /* s; borrowed; DIST_NONE: no time */
    uint64_t seed, replication, entity;
};

struct clients_turn {
    int64_t at_ns; /* when it asks */
    uint32_t client;
    uint64_t number; /* of its request */
};

struct clients;

/* NULL: no memory. */
struct clients *clients_create(const struct clients_spec *spec);
void clients_destroy(struct clients *clients);

/* Who asks first of those that think. false: all wait for answers. */
bool clients_first(const struct clients *clients, struct clients_turn *ret);

/* That one has asked, and waits. */
void clients_take_first(struct clients *clients);

/* A waiting client's request, asked at asked_ns, is over: it thinks. */
void clients_release(struct clients *clients, uint32_t client, int64_t asked_ns,
                     int64_t now_ns);

/* How many wait. */
uint32_t clients_waiting(const struct clients *clients);

#endif
