/*
 * What the files of admission share. Private to them: see admission.h.
 */
#ifndef SIM_EXPERIMENT_ADMISSION_PARTS_H
#define SIM_EXPERIMENT_ADMISSION_PARTS_H

#include "sim/experiment/admission.h"
#include "sim/experiment/levels.h"

#include "sim/frontdoor/aimd.h"
#include "sim/frontdoor/door_queue.h"
#include "sim/frontdoor/fail_fast.h"
#include "sim/frontdoor/token_bucket.h"
#include "workloads/tenants.h"

/* Envoy's two priorities. */
enum { POOL_LEVELS = 2 };

/* Why a request is turned away at the door. */
enum refusal {
    REFUSAL_NONE,
    REFUSAL_FAIL_FAST,
    REFUSAL_RATE,     /* its bucket is empty */
    REFUSAL_SHED,     /* the pool is too full for its kind */
    REFUSAL_DEADLINE, /* it cannot be answered in time any more */
    REFUSAL_LIMIT,    /* a limit is reached and there is no queue */
    REFUSAL_OVERFLOW, /* Envoy's limits */
    REFUSAL_QUEUE,    /* the queue is full */
    REFUSAL_COUNT
};

struct tenant_record {
    uint64_t arrived, answered; /* measured */
};

/* One balancer's own. */
struct door {
    struct door_queue queue;
    double tokens;                   /* expected, of those that wait */
    uint32_t pending[POOL_LEVELS];   /* of those that wait */
    uint32_t in_flight[POOL_LEVELS]; /* sent and unanswered */

    /* Only with caps. */
    uint32_t *at_node;           /* [node_count] sent on and unanswered */
    struct door_queue *for_node; /* [node_count] who waits for one node; NULL:
                                    they wait in the queue for all */
    uint32_t wait_for_node;      /* all of these */

    struct token_bucket *buckets; /* [bucket_count] */
    struct aimd aimd;
    struct fail_fast fail_fast;
};

struct admission {
    const struct balancer_spec *spec;
    struct door *doors; /* [balancer_count] */

    /* Classes, or one of all requests. */
    uint32_t class_count;
    uint32_t *band_of_class;   /* [class_count] */
    uint32_t *tokens_of_class; /* [class_count] expected output */
    double *least_s;           /* [class_count] of work, at the fastest node;
                                  0: unknown */
    uint32_t band_count;
    uint32_t tenants_apart; /* flows of a class: by tenant, or 1 */

    uint32_t tenant_count; /* 0: requests have no tenants */
    struct tenants tenants;
    uint64_t *tenant_hashes; /* [tenant_count] */

    uint32_t *caps; /* [node_count] most in flight; NULL: no caps */
    uint32_t full;  /* see struct caps_spec */

    /* Of measured requests. */
    uint64_t refused[REFUSAL_COUNT];
    uint64_t held, expired;
    struct sample held_ns;
    struct tenant_record *tenants_seen; /* [tenant_count] */
    double *tenant_shares;              /* [tenant_count] room to sort in */

    uint32_t waiting; /* at all doors */
    struct level queue_level, limit_level;
};

static inline struct door *door_of(const struct sim *sim,
                                   const struct request *request)
{
    return &sim->admission->doors[request->balancer];
}

static inline uint32_t class_of(const struct sim *sim,
                                const struct request *request)
{
    return sim->scenario->workload.class_count > 0 ? request->taken_for : 0;
}

static inline const struct workload_class *
class_spec_of(const struct sim *sim, const struct request *request)
{
    return sim->scenario->workload.class_count > 0
               ? &sim->scenario->workload.classes[request->taken_for]
               : NULL;
}

/* When the request is given up, or its class's deadline; INT64_MAX: never. */
int64_t admission_end_ns(const struct sim *sim, const struct request *request,
                         bool class_alone);

/* Envoy's priority of the request: 1 is the high one. */
uint32_t admission_level(const struct sim *sim, const struct request *request);

/* --- admission.c ---------------------------------------------------------- */

/* Counts it and turns it away; the last to touch it. */
void admission_refuse(struct sim *sim, struct request *request, uint32_t index,
                      enum refusal cause);

/* It cannot be answered in time any more. */
bool admission_is_hopeless(const struct sim *sim,
                           const struct request *request);

/* How full the pool is, as this balancer sees it. */
double admission_saturation(const struct sim *sim, uint32_t balancer,
                            const struct saturation_spec *spec);

/* What a limit says to one more request. */
enum gate {
    GATE_OPEN,
    GATE_SHUT,
    GATE_SHUT_LEVEL,
    GATE_SATURATED,
    GATE_OVERFLOW
};
enum gate admission_gate(struct sim *sim, const struct request *request);

/* What requests in flight are limited to now; UINT32_MAX: no limit. */
uint32_t admission_limit(const struct sim *sim, const struct door *door);

/* --- admission_nodes.c --------------------------------------------------- */

bool admission_make_caps(struct sim *sim);
void admission_unmake_caps(struct sim *sim);

/* The attempt is over: its node may have another one. */
void admission_leave_node(struct sim *sim, const struct request *request,
                          uint32_t index);

/* Who waits for a node and may have it goes; who waits for a node that is not
   to be had any more is picked for anew. */
void admission_serve_nodes(struct sim *sim, struct balancer *balancer);

/* --- admission_books.c --------------------------------------------------- */

/* A request is turned away; causes that may be are told before the start. */
void admission_count_refused(struct sim *sim, const struct request *request,
                             enum refusal cause);
void admission_count_all_causes(struct sim *sim);
/* One more or one less waits at the doors. */
void admission_count_waiting(struct sim *sim, int32_t change);
/* A request has waited, and waits no more. */
void admission_count_held(struct sim *sim, const struct request *request,
                          uint32_t index);
/* What all balancers together may have in flight. */
double admission_limit_of_all(const struct sim *sim);
/* A limit has changed. */
void admission_note_limit(struct sim *sim);

#endif
