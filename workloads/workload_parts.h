/*
 * Inside workload: one source of requests by itself, and several of them as
 * one. Not for others.
 */
#ifndef WORKLOADS_WORKLOAD_PARTS_H
#define WORKLOADS_WORKLOAD_PARTS_H

#include "workloads/clients.h"
#include "workloads/seen.h"
#include "workloads/workload.h"

struct workload_mix;

struct workload {
    struct workload_spec spec;
    int64_t duration_ns;
    uint64_t seed, replication;
    uint32_t ordinal; /* 0: the main one; else of an overlay, from 1 */

    /* One of the four is the source of arrivals. */
    struct arrivals arrivals;
    struct trace_cursor *cursor;
    struct clients *clients;
    struct workload_mix *mix; /* others, of which this is the whole */

    /* Moved on at every request, but only where something draws from them. */
    struct rng_lane lanes[LAW_COUNT], keys, classes;
    bool moves[LAW_COUNT];
    uint64_t drawn; /* requests; of clients, the number at which lanes stand */

    struct seen seen, raw_seen;
    uint64_t raw_hash;   /* of the last request, 0: none */
    uint32_t row_class;  /* 1 + what its row of a trace names; 0: nothing */
    struct seen *hashes; /* where keys of traces are remembered: of the whole */
    struct workload_books books;
    bool last_was_ideal_hit;
    bool ended, failed, no_memory;
    bool plain; /* nothing but arrivals and work */
};

/* One source, without overlays. NULL: as workload_create. */
struct workload *workload_create_part(const struct workload_spec *spec,
                                      uint32_t ordinal, int64_t duration_ns,
                                      uint64_t seed, uint64_t replication);

/* Its next request; of clients, the first one's, as often as it is asked for.
   number is its own count. false: none, or workload_failed. */
bool workload_draw_part(struct workload *part, struct workload_request *ret);

/* The request has come: books and seen keys know it. false: no memory. */
bool workload_enter_part(struct workload *part,
                         const struct workload_request *request);

/* workload_mix.c. The parts of a whole, by its spec. NULL: no memory. */
struct workload_mix *workload_mix_create(struct workload *whole);
void workload_mix_destroy(struct workload_mix *mix);
bool workload_mix_next(struct workload *whole, struct workload_request *ret);

#endif
