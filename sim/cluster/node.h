/*
 * One serving instance: its life, its result cache, its meters, and the engine
 * that does the work.
 *
 * A node knows no balancer. It takes a request, says whether it answers from
 * its cache, serves, queues or refuses it, and its events say when a request is
 * done; who runs the event loop tells whom it concerns.
 *
 * The engine is behind engine.h. That of most nodes, c slots served first come
 * first served, is built in: a node of them that lives and has no cache is
 * `plain`, and goes the short way that the hot path inlines. Every other node
 * is `special`: one test sends it out of line.
 */
#ifndef SIM_CLUSTER_NODE_H
#define SIM_CLUSTER_NODE_H

#include "sim/cluster/cards.h"
#include "sim/cluster/coalesce.h"
#include "sim/cluster/group_spec.h"
#include "sim/cluster/result_cache.h"
#include "sim/core/delay_line.h"
#include "sim/core/event_tree.h"
#include "sim/core/request.h"
#include "workloads/classes.h"

#include <stdbool.h>
#include <stdint.h>

struct engine;
struct sharing;
struct batch;

/* Subjects of an engine's own events are this + the node's index, their rank is
   RANK_TIMER: who runs the event loop hands them to node_timer. */
#define NODE_TIMER 0x70000000u

struct model_shelf;
struct node_trouble;
struct ordered_queue;

/*
 * A count integrated over time, in count-nanoseconds: a change by d at time t
 * subtracts d * t, and the integral up to now is the sum plus count * now. So
 * a change costs one addition and nothing is polled. Exact: the sums wrap
 * around, their differences do not.
 */
struct node_meter {
    uint64_t busy;      /* in service */
    uint64_t queued;    /* waiting inside */
    uint64_t in_flight; /* sent and unanswered, all balancers together */
    uint64_t down;      /* 1 while dead */
};

/* Shares that do not follow from a count, because they are capped. Only for
   nodes that state them; kept up to date at each change of what runs. */
struct node_shares {
    int64_t at_ns;
    double memory_ns, cpu_ns; /* share times ns */
};

/* The integrals since the start of the run, read at one moment. */
struct node_reading {
    int64_t at_ns;
    uint64_t busy, queued, in_flight, down_ns; /* request-ns; ns */
    uint64_t absent_ns, starting_ns;
    double memory_ns, cpu_ns; /* share times ns */
};

/* Whether the node is there at all, where nodes come and go. */
enum node_presence {
    NODE_PRESENT,
    NODE_STARTING, /* it costs already, and serves nobody yet */
    NODE_ABSENT
};

struct node {
    /* Hot: what one request touches. */
    uint32_t queue_head, queue_tail, queued; /* prev of the head is void */
    uint32_t running, slots; /* slots: what counts as fully busy */
    uint32_t in_flight;      /* kept by who sends */
    bool special;            /* not the short way */
    bool states_shares;      /* memory or, of a gpu node, cpu */
    bool states_memory, states_cpu;
    bool has_costs; /* of tokens; else the request's own need counts */
    bool alive;
    double need_ns; /* ns on this node per second of need */
    double base_ns, per_input_ns, per_output_ns; /* on this node */
    struct node_meter meter;

    const struct engine *engine;   /* NULL: plain slots */
    struct sharing *sharing;       /* of that engine, or NULL */
    struct batch *batch;           /* likewise */
    struct ordered_queue *ordered; /* NULL: first come, first served */
    bool one_is_full; /* busy is 1 with any number in service, else 0 */
    bool limits_queue;
    uint32_t queue_limit;
    struct cards cards; /* count 0: not told apart */

    bool minds_models; /* else it serves whatever comes */
    enum misroute misroute;
    uint64_t models;           /* bit m set: serves model m */
    struct model_shelf *shelf; /* with MISROUTE_LOAD, else NULL */
    uint64_t misrouted;        /* measured attempts without their model */

    struct result_cache *cache; /* NULL: none */
    struct delay_line *hits;    /* of its group: answers from the cache */
    bool coalesces;             /* one miss works, the others wait for it */
    struct coalesce coalesce;
    enum cache_fill cache_fill;
    double bytes_per_token;

    struct node_trouble *trouble; /* NULL: no fault can strike it; borrowed */
    double leaked;                /* share of its memory */

    uint32_t group, index; /* index within the group */
    double memory_base, memory_per_request, cpu_per_request;
    enum memory_full when_memory_full; /* see node_memory.h */
    double memory_slow_factor;
    uint64_t memory_short; /* measured attempts that it had no room for */
    struct node_shares shares;
    enum node_kind kind;
    /* Look-ups with a key, since the start: answered from the cache, by work,
       and by the work of another. */
    uint64_t hit_count, miss_count, coalesced_count;
    uint64_t deaths;
    uint32_t lives; /* deaths and departures before this one */
    int64_t died_at_ns;
    enum node_presence presence;
    uint64_t absent, starting; /* meters, as those above: ns */
};

enum node_answer {
    NODE_DEAD,    /* nobody there */
    NODE_HIT,     /* will answer from the cache */
    NODE_STARTED, /* in service */
    NODE_QUEUED,
    NODE_FOLLOWS,   /* will answer when another request has its answer */
    NODE_FULL,      /* refused: it limits its queue */
    NODE_NO_MODEL,  /* refused: it does not list the model */
    NODE_LOADS,     /* it has to load the model first */
    NODE_CUT,       /* its sender cannot reach the node */
    NODE_SWALLOWED, /* taken, and never to be answered */
    NODE_ERROR,     /* answered with an error at once */
    NODE_NO_MEMORY
};

/* What a node works with; borrowed. */
struct node_world {
    struct event_tree *tree;
    struct request_slab *slab;
    bool first_token_events; /* a leaf first stands for the first token */
    /* What ordered queues go by: the priority of the class that a request is
       taken for, and its deadline or the time that all have from their arrival,
       whatever comes first. */
    const struct workload_class *classes; /* NULL: there are none */
    int64_t deadline_after_ns;            /* INT64_MAX: there is none */
    /* Where requests go that are too late when their turn comes; NULL: none is.
       That is when less time is left than what the first token takes without
       luck, or at_least_ns. */
    struct delay_line *expired;
    int64_t at_least_ns;
    bool *lacks_memory, *attention; /* set when there is none for that line */
};

/* By when a request is to be answered; INT64_MAX: it does not matter. */
int64_t node_world_deadline_ns(const struct node_world *world,
                               const struct request *request);

/* Whether nodes of the group need the column request_work of the slab. */
bool node_needs_work(const struct group_spec *spec);

/* From now on its queue drops what is too late: see struct node_world. Before
   anything is inside. */
void node_minds_deadlines(struct node *node);

/* The node as configured, alive, cold and empty. false: no memory; node_done
   may be called all the same. */
bool node_init(struct node *node, const struct group_spec *spec, uint32_t group,
               uint32_t index, struct result_cache *cache,
               struct delay_line *hits);
void node_done(struct node *node);

void node_read(const struct node *node, int64_t now_ns,
               struct node_reading *ret);

/* A request was sent to the node, or its sender has done with it. */
static inline void node_count_in_flight(struct node *node, int32_t change,
                                        int64_t now_ns)
{
    node->in_flight += (uint32_t)change;
    node->meter.in_flight -= (uint64_t)(change * now_ns);
}

/* What waits inside, as the node tells of itself. */
uint32_t node_queue_depth(const struct node *node);

/* Memory and cpu use now, as shares capped at 1. */
double node_memory_use(const struct node *node);
double node_cpu_use(const struct node *node); /* NaN: not stated */
double node_gpu_use(const struct node *node); /* NaN: a cpu node */

/* What a need takes on this node when it is served alone, in ns. A request's
   own need gives its service time, its bare need what can be predicted. */
static inline int64_t node_time_ns(const struct node *node,
                                   const struct request *request, double need)
{
    double ns = need * node->need_ns;

    if (node->has_costs && (request->flags & REQUEST_TOKENS))
        ns =
            need * (node->base_ns + node->per_input_ns * request->input_tokens +
                    node->per_output_ns * request->output_tokens);
    return ns < 9.2e18 ? (int64_t)(ns + 0.5) : INT64_MAX / 2;
}

/* Time in service of a request on this node, in ns. */
static inline int64_t node_service_ns(const struct node *node,
                                      const struct request *request)
{
    return node_time_ns(node, request, request->need);
}

/* The part of the service up to the first token; 0 without token costs. */
int64_t node_first_token_ns(const struct node *node,
                            const struct request *request);

/* The time to the first token, or of plain work 0, without queue and luck. */
int64_t node_least_ns(const struct node *node, const struct request *request);

/* From one token of its answer to the next, at the node's speed of now; 0: it
   comes in one piece, or is a single token. */
int64_t node_token_gap_ns(const struct node *node,
                          const struct request_slab *slab,
                          const struct request *request, uint32_t index);

/* When a request that was served here had its first token. */
int64_t node_first_token_at_ns(const struct node *node,
                               const struct request_slab *slab,
                               const struct request *request, uint32_t index);

/*
 * A request comes in at now_ns: from the cache when it has a key and the
 * answer is there, else into service or the queue. Sets its state.
 */
enum node_answer node_accept(struct node *node, const struct node_world *world,
                             struct request *request, uint32_t index,
                             int64_t now_ns);

/*
 * The event of a request in service came, and REQUEST_FIRST_TOKEN says that it
 * is the first token: from now on its event is its end.
 */
void node_first_token(struct node *node, const struct node_world *world,
                      struct request *request, uint32_t index, int64_t now_ns);

/*
 * The event of a request in service came: it leaves, the cache learns its
 * answer, the next one starts on its leaf. false: no memory for the cache,
 * which then goes on without that answer.
 */
bool node_finish(struct node *node, const struct node_world *world,
                 const struct request *request, uint32_t index, int64_t now_ns);

/*
 * An attempt is cancelled: a request that is inside leaves. Where identical
 * questions wait for one answer, others may need the work: then the request
 * `stays`, at work for nobody, until its event comes or the last of them is
 * cancelled too. That one's cancellation names the request as its `orphan`: it
 * has left as well, and its slot is to be freed. queued_only: what is in
 * service, or is being answered from the cache, stays until its event comes.
 */
struct node_cancelled {
    bool stays;
    uint32_t orphan; /* REQUEST_NONE: none */
};
struct node_cancelled node_cancel(struct node *node,
                                  const struct node_world *world,
                                  const struct request *request, uint32_t index,
                                  bool queued_only, int64_t now_ns);

/*
 * From now on the node is `factor` times as fast as it was: what is in service
 * ends later or sooner by the part that is left of it. Only for nodes whose
 * spec says speed_varies. node_index: the value of request->node.
 */
void node_change_speed(struct node *node, const struct node_world *world,
                       uint32_t node_index, double factor, int64_t now_ns);

/* The engine's own event came. */
void node_timer(struct node *node, const struct node_world *world,
                int64_t now_ns);

/*
 * The node dies. Every request inside becomes REQUEST_LOST and is returned as
 * a list through `next`: the running ones, in an order of the engine's own,
 * the queued ones, those that a frozen node held, those that waited for the
 * answer of one of these, those that were being answered from the cache.
 * REQUEST_NONE: it was empty.
 */
uint32_t node_die(struct node *node, const struct node_world *world,
                  uint32_t node_index, int64_t now_ns);

/*
 * The node is taken away, or taken down to be started anew: like a death, but
 * nothing is wrong with it and it goes on being alive. Returns what was inside,
 * as node_die does.
 */
uint32_t node_empty(struct node *node, const struct node_world *world,
                    uint32_t node_index, int64_t now_ns);

/* Nobody is there any more, and nothing is inside: it is neither a death nor
   does it make it cold. node_restart() undoes it. */
void node_shut(struct node *node, int64_t now_ns);

void node_set_presence(struct node *node, enum node_presence presence,
                       int64_t now_ns);

/* It comes back, empty and cold. */
void node_restart(struct node *node, int64_t now_ns);

#endif
