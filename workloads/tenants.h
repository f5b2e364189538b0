/*
 * Tenants: who asks. Fair queues and rate limits go by them.
 *
 * Tenant k of 0 .. count - 1 sends a share of requests that falls by Zipf's
 * law, (k + 1)^-exponent; with exponent 0 all send alike. The tenant of a
 * request comes from a lane of its own, so it is the same for every policy and
 * nothing else shifts when tenants come or go. Further traffic on top may come
 * from one tenant alone: one that floods the others.
 */
#ifndef WORKLOADS_TENANTS_H
#define WORKLOADS_TENANTS_H

#include "workloads/keys.h"
#include "workloads/rng.h"

#include <stdbool.h>
#include <stdint.h>

#define TENANTS_MAX 100000
#define TENANTS_SOURCES_MAX 17 /* the main workload and its overlays */
#define TENANTS_NAME_SIZE 24   /* "tenant-" and a number */

struct tenants_spec {
    bool given;
    uint32_t count; /* 1 or more */
    double exponent;
};

struct tenants_lane {
    struct rng_lane lane;
    uint64_t next; /* the request whose piece is next */
};

struct tenants {
    struct keys law;
    struct tenants_lane lanes[TENANTS_SOURCES_MAX];
};

void tenants_init(struct tenants *tenants, const struct tenants_spec *spec,
                  uint64_t seed, uint64_t replication);

/* Of the request of that number of its source, 0 being the main workload. */
uint32_t tenants_draw(struct tenants *tenants, uint32_t source,
                      uint64_t number);

/* Writes "tenant-3", 0-terminated; returns its length. */
uint32_t tenants_name(uint32_t tenant, char name[TENANTS_NAME_SIZE]);

/* XXH64 of that name, seed 0; never 0. */
uint64_t tenants_hash(uint32_t tenant);

#endif
