/*
 * Long-lived connections: balancing by connection instead of by request.
 *
 * Requests come over connections, of which each client has one to each
 * balancer; client number i has every request whose number is i modulo the
 * clients. The policy picks a node when a connection is opened, and what comes
 * over it goes there, until
 *   - its greatest age is over (gRPC's max_connection_age, by up to a tenth
 *     more or less), which what is under way does not feel,
 *   - the node is not to be picked any more: it left, drains, is held ill, or
 *     is at its cap,
 *   - or it broke: the node refused or reset an attempt.
 * The next request then opens a new one. Retries and hedges go by other
 * connections, wherever the policy sends them, and so do requests that this
 * node may not take.
 *
 * It stands before the policy as sim/frontdoor/foresight.h does, so a balancer
 * without it does not know of it. The policy is asked and told of each request
 * as its contract promises, with one eligible node where the connection
 * decides; so a rotation goes on with every request, not with every connection.
 */
#ifndef SIM_FRONTDOOR_CONNECTIONS_H
#define SIM_FRONTDOOR_CONNECTIONS_H

#include "policies/lbp.h"
#include "sim/core/arena.h"
#include "workloads/rng.h"

#include <stdbool.h>
#include <stdint.h>

struct balancer;

struct connections_spec {
    bool given;
    uint32_t clients;   /* 1 or more */
    int64_t max_age_ns; /* INT64_MAX: for ever */
    double age_jitter;  /* share, 0 to 1 */
};

struct connection {
    int64_t ends_ns;
    uint32_t slot, generation; /* LBP_NO_SLOT: none is open */
};

struct connections {
    const struct connections_spec *spec; /* NULL: off */
    const struct lbp_ops *policy;        /* what stands behind */
    struct lbp_ops ops;                  /* what stands before it */
    struct connection *clients;          /* [spec->clients] */
    uint64_t *alone;                     /* [words] one eligible node */
    uint64_t opened;
    struct rng rng;
};

/* Stands before the balancer's policy from now on. spec is borrowed. false: no
   memory. */
bool connections_init(struct balancer *balancer,
                      const struct connections_spec *spec, struct rng rng,
                      struct arena *arena);

#endif
