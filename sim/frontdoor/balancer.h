/*
 * One front-door process: its own counts, its own belief, its own instance of
 * the policy. It decides and keeps the books of what it sent; it knows nodes
 * only as the policy's view shows them.
 *
 * This is the host side of policies/lbp.h. Everything that the contract says
 * about calls (order, what is valid when, who counts) is kept here.
 */
#ifndef SIM_FRONTDOOR_BALANCER_H
#define SIM_FRONTDOOR_BALANCER_H

#include "policies/lbp.h"
#include "sim/core/arena.h"
#include "sim/core/request.h"
#include "sim/frontdoor/balancer_spec.h"
#include "sim/frontdoor/connections.h"
#include "sim/frontdoor/foresight.h"
#include "sim/frontdoor/late_counts.h"
#include "sim/frontdoor/routing.h"
#include "workloads/classes.h"
#include "workloads/keys.h"
#include "workloads/rng.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Why a balancer does not pick a node: each mechanism has a bar of its own, and
 * a node is eligible when none is down.
 */
enum balancer_bar {
    BAR_WEIGHT = 1,        /* its weight is 0 */
    BAR_HEALTH = 2,        /* active checks failed */
    BAR_PASSIVE = 4,       /* its attempts failed: nginx, HAProxy */
    BAR_OUTLIER = 8,       /* it was ejected: Envoy, gRPC */
    BAR_BREAKER = 16,      /* its circuit breaker is open */
    BAR_CAP = 32,          /* it has as many requests as it may have */
    BAR_DRAINING = 64,     /* it is about to leave */
    BAR_WARMING = 128,     /* it has joined and is not ready yet */
    BAR_ABSENT = 256,      /* there is no such node now */
    BAR_GENERATION = 512,  /* active checks that want a token failed */
    BAR_AGENT = 1024,      /* its agent said that it is down */
    BAR_AGENT_DRAIN = 2048 /* its agent said drain, or maint */
};
/* Those that say that something is wrong with the node: policies are shown an
   unhealthy one, and a balancer that panics overlooks them. */
#define BARS_OF_DOUBT \
    (BAR_HEALTH | BAR_GENERATION | BAR_PASSIVE | BAR_OUTLIER | BAR_AGENT)
/* Those whose change is a change of members to the policy. */
#define BARS_TOLD                                                           \
    (BARS_OF_DOUBT | BAR_WEIGHT | BAR_DRAINING | BAR_WARMING | BAR_ABSENT | \
     BAR_AGENT_DRAIN)
/* Those that let what is there go on, and nothing new come. */
#define BARS_OF_DRAIN (BAR_DRAINING | BAR_AGENT_DRAIN)

struct balancer {
    const struct lbp_ops *ops;
    void *state;
    struct lbp_host host;
    struct rng rng;
    uint64_t draws;
    int64_t deadline_after_ns;            /* from arrival; 0: there is none */
    const struct workload_class *classes; /* NULL: requests are of one kind */
    const struct routing *routing;        /* NULL: every node may take each */
    const struct retry_spec *retry; /* NULL: retries go to nodes not tried */
    bool wants_other; /* the next pick is for a hedge, which goes to another
                         node whatever retries do */
    const struct routing *lesser; /* of degraded requests; NULL: there
                                     are no nodes for them */
    bool narrows;                 /* not every node may take each request */
    bool lacks_model; /* the last pick found nodes, but no row of the table for
                         one of them */

    struct lbp_view view;
    struct lbp_node *nodes;     /* [node_count], slot = node index */
    uint32_t *in_flight;        /* [node_count] */
    uint32_t *since_report;     /* [node_count]; the same array as in_flight
                                   without reports */
    struct late_counts *late;   /* NULL: reports are not late */
    uint64_t *in_flight_tokens; /* [node_count] */
    uint16_t *bars;             /* [node_count] enum balancer_bar */
    uint16_t overlooked;        /* bars that do not count now */
    uint64_t *eligible;         /* [words] without a bar that counts */
    uint64_t *barred_models;    /* [model][words] nodes that do not get requests
                                   for a model; NULL: no mechanism says so */
    uint64_t *alone;            /* [words] of one node that is asked about */
    uint64_t *untried; /* [words] of one request with failed attempts */
    uint64_t *routed;  /* [words] of one request by its class; NULL without
                          routing */
    uint32_t words, node_count;

    struct lbp_request ask; /* refilled for each attempt; eligible and its count
                               stand for all of the balancer's */
    struct lbp_result result; /* refilled for each answer */
    char key_text[KEYS_TEXT_SIZE];

    uint32_t waiting_head, waiting_tail; /* requests that the policy holds */
    uint32_t timer_leaf;                 /* EVENT_NO_LEAF: no timer */

    /* One pick in some thousands is timed, by putting other ops in place for
       it: so the others cost nothing. */
    const struct lbp_ops *policy_ops; /* what ops is at all other times */
    struct lbp_ops timing_ops;
    uint64_t timed_picks, timed_ns;

    struct foresight foresight;     /* zero when nobody wants any */
    struct connections connections; /* zero when requests have none */
};

/* What a balancer is made from; all borrowed for its lifetime but keys, which
   are copied by pointer and must outlive it too. */
struct balancer_setup {
    const struct policy_spec *policy;
    uint32_t index, count;
    uint32_t node_count;
    const struct lbp_node *nodes; /* [node_count] as configured */
    int64_t report_interval_ns;   /* negative: no reports */
    uint32_t late_reports; /* of one node, on their way at once; 0: not late */
    const struct retry_spec *retry; /* NULL: retries go to nodes not tried */
    int64_t deadline_after_ns; /* from arrival, told to the policy; 0: none;
                                  else the slab must have extras */
    const struct workload_class *classes; /* by request_class; NULL: there are
                                             none; else likewise */
    const struct routing *routing;        /* only with classes; NULL: off */
    struct arena *arena;          /* for what lives as long as the balancer */
    struct foresight_costs costs; /* of tokens, for hints of work; the slab has
                                     been through foresight_make_room() */
    struct rng rng;
};

/*
 * Creates the policy's state and shows it its members. false: no memory, and
 * balancer_done must still be called. The balancer must not move afterwards.
 */
bool balancer_init(struct balancer *balancer,
                   const struct balancer_setup *setup);
void balancer_done(struct balancer *balancer);

/* Requests may be degraded: from then on those marked REQUEST_LESSER are picked
   for by this table; NULL: there is no node for them. false: no memory. */
bool balancer_has_lesser(struct balancer *balancer,
                         const struct routing *lesser, struct arena *arena);

/*
 * Asks the policy for a node for this attempt at now_ns. LBP_PICKED is only
 * returned with an eligible node in *ret_node; *ret_broken says that the
 * policy named another one, or answered what is no enum lbp_status. With
 * routing, request->model becomes that of the row whose nodes the policy was
 * shown.
 */
enum lbp_status balancer_pick(struct balancer *balancer,
                              const struct request_slab *slab,
                              struct request *request, uint32_t index,
                              int64_t now_ns, uint32_t *ret_node,
                              bool *ret_broken);

/*
 * The same when nothing but `node` is to be chosen. LBP_NO_NODE: the request
 * may not go there now, and the policy was not asked.
 */
enum lbp_status balancer_pick_at(struct balancer *balancer,
                                 const struct request_slab *slab,
                                 struct request *request, uint32_t index,
                                 int64_t now_ns, uint32_t node,
                                 bool *ret_broken);

/* The attempt just picked leaves for request->node: counts, and tells the
   policy. Nothing else may have been asked of the balancer in between. */
void balancer_sent(struct balancer *balancer, struct request *request,
                   int64_t now_ns);

/* The attempt is over, however it ended: counts, and tells the policy. */
void balancer_attempt_over(struct balancer *balancer,
                           const struct request_slab *slab,
                           struct request *request, uint32_t index,
                           int64_t now_ns, enum lbp_outcome outcome,
                           int64_t first_token_at_ns);

void balancer_first_token(struct balancer *balancer,
                          const struct request_slab *slab,
                          struct request *request, uint32_t index,
                          int64_t now_ns);

/*
 * A bar of a node goes down, or up again; nothing happens when it is so
 * already. Of bars that are told, the policy is told; a node that loses its
 * last doubt is up since now. false: the policy had no memory.
 */
bool balancer_bar(struct balancer *balancer, uint32_t node,
                  enum balancer_bar bar, bool down, int64_t now_ns);

/* What active checks have found. */
static inline bool balancer_believe(struct balancer *balancer, uint32_t node,
                                    bool healthy, int64_t now_ns)
{
    return balancer_bar(balancer, node, BAR_HEALTH, !healthy, now_ns);
}

/* Whether it has ever been asked for a node. */
static inline bool balancer_was_asked(const struct balancer *balancer)
{
    return balancer->ask.note != NULL;
}

/* Bars of single models on nodes, of breakers: to be made once, for models
   below count; only with classes. false: no memory. */
bool balancer_bar_models(struct balancer *balancer, uint32_t count,
                         struct arena *arena);
void balancer_bar_model(struct balancer *balancer, uint32_t node,
                        uint32_t model, bool down);

/*
 * A node joins, as configured in `as`, or leaves (NULL): then its slot is
 * empty. A newcomer is another node in the old slot: its generation is one
 * more, nothing is known of it, and no bar is down. Every attempt sent to the
 * old one must be over. At the start, slots without a key are empty. false: the
 * policy had no memory.
 */
bool balancer_member(struct balancer *balancer, uint32_t node,
                     const struct lbp_node *as, int64_t now_ns);

/*
 * From now on these bars (or-ed; 0: none) do not keep nodes from being picked.
 * Policies are shown nodes as if they were not there, as some would rather take
 * a healthy one, and are told. false: the policy had no memory.
 */
bool balancer_overlook(struct balancer *balancer, uint16_t bars,
                       int64_t now_ns);

/* The node's weight is another one from now on, 0: takes nothing. The policy
   learns of it when it is told next. */
void balancer_set_weight(struct balancer *balancer, uint32_t node,
                         uint32_t weight);

/* Tells the policy of its members: after weights or their factors changed.
   false: it had no memory. */
bool balancer_tell(struct balancer *balancer, int64_t now_ns);

/* A node made a report that will be late. Then it arrives or is lost, as those
   made before it have. */
void balancer_report_made(struct balancer *balancer, uint32_t node,
                          int64_t now_ns);
void balancer_report_lost(struct balancer *balancer, uint32_t node);

/*
 * A node's word about itself arrived, true at word->reported_at_ns: shows what
 * it says, counts what was sent since and tells the policy. Of word only what
 * nodes report is looked at.
 */
void balancer_reported(struct balancer *balancer, uint32_t node,
                       const struct lbp_node *word, int64_t now_ns);

/* The next pick is timed, on the machine's own clock: for speed.json alone. */
void balancer_time_next_pick(struct balancer *balancer);

/* The policy's timer; returns the next time or LBP_NO_TIME. */
int64_t balancer_timer(struct balancer *balancer, int64_t now_ns);

#endif
