/*
 * Outlier detection: one balancer looks at what its nodes answer, ejects those
 * that stand out, and takes them back after a while.
 *
 * Two rules are known. Envoy's, after outlier_detection_impl.cc:
 *
 *   in a row   so many failures in a row eject at once. A failed connection is
 *              a 503, a time-out a 504, both "gateway failures". With
 *              split_local these are kept apart, as errors of the local side.
 *   each tick  of the interval: nodes whose time is over return; then those
 *              whose success rate is below mean - factor * deviation of all
 * that had enough requests go, then those with too many failures. cap none may
 * go that would take the share above max_ejected; so of few nodes none ever
 * goes, unless always_eject_one. duration   base * k, at most max, + jitter. k
 * grows with every ejection and falls by one at each tick of a whole interval
 * spent inside. checks     a successful active check returns a node before its
 * time.
 *
 * gRPC's (gRFC A50) knows ticks alone, does returns last, compares failures
 * strictly, and may eject while the share is below the cap: one always goes.
 *
 * Both can look at latency, too, which neither proxy does: a node goes when the
 * median of its latest answers is above `ratio` times the median over all
 * nodes' latest answers, `volume` of each. A node that is slow but answers is
 * found by nothing else.
 *
 * An ejection is enforced with a probability, from a stream of chance of its
 * own; one that is not is only counted. With split_local the enforcements of
 * success rate and failure percentage hold for both sides.
 *
 * All state is here, time comes from outside; who uses it is told of every
 * change through on_change.
 */
#ifndef SIM_FRONTDOOR_OUTLIERS_H
#define SIM_FRONTDOOR_OUTLIERS_H

#include "sim/core/arena.h"
#include "sim/frontdoor/blame.h"
#include "sim/frontdoor/latest.h"
#include "sim/frontdoor/outlier_spec.h"
#include "workloads/rng.h"

/* Answers, and with split_local connections. */
enum outlier_side { OUTLIER_EXTERNAL, OUTLIER_OWN_SIDE, OUTLIER_SIDES };

struct outlier_tally {
    uint32_t total, good; /* since the last tick */
};

struct outlier_node {
    bool ejected, absent;
    uint32_t in_a_row[OUTLIER_LOCAL + 1];
    uint32_t multiplier;
    int64_t ejected_at_ns, returned_at_ns, jitter_ns;
    struct outlier_tally tallies[OUTLIER_SIDES];
    struct latest latest;
};

struct outliers {
    const struct outlier_spec *spec;
    uint32_t node_count, member_count, ejected_count;
    struct outlier_node *nodes; /* [node_count] */
    struct rng rng;

    double *rates;        /* [node_count] for a tick, as are the next two */
    uint32_t *candidates; /* [node_count] */
    int64_t *pool;        /* [node_count * latency.volume] or NULL */

    /* What came of outliers that were found but not ejected. */
    uint64_t not_enforced, over_cap;

    /* A node was ejected for that cause, or has returned: then the cause means
       nothing. */
    void (*on_change)(void *context, uint32_t node, bool ejected,
                      enum outlier_cause cause);
    void *context;
};

/* Everything lives in the arena; spec is borrowed. on_change is to be set by
   the caller. false: no memory. */
bool outliers_init(struct outliers *outliers, const struct outlier_spec *spec,
                   uint32_t node_count, struct rng rng, struct arena *arena);

/* An attempt at the node is over. */
void outliers_over(struct outliers *outliers, uint32_t node, enum blame blame,
                   int64_t now_ns);

/* The node has answered after latency_ns, of whatever latency.of says. Only
   when spec->latency is given. */
void outliers_latency(struct outliers *outliers, uint32_t node,
                      int64_t latency_ns);

/* An interval has passed. */
void outliers_tick(struct outliers *outliers, int64_t now_ns);

/* An active check of the node succeeded, and it is held healthy. */
void outliers_checked(struct outliers *outliers, uint32_t node, int64_t now_ns);

/* The node has left, or joined as a new one: what is known of it is void, and
   on_change is not called. All are there from the start. */
void outliers_member(struct outliers *outliers, uint32_t node, bool is_there);

#endif
