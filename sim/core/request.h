/*
 * Requests in the system: slots of a slab, named by 32-bit index.
 *
 * The slab grows by whole chunks, so slots never move and memory follows the
 * largest number ever inside, not the length of the run. A freed slot is used
 * again first. Fields that only some scenarios need lie in columns of their
 * own, made when asked for.
 */
#ifndef SIM_CORE_REQUEST_H
#define SIM_CORE_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define REQUEST_NONE UINT32_MAX
#define REQUEST_MAX (1u << 30) /* indices stay below */
#define REQUEST_CHUNK_LOG2 10
#define REQUEST_CHUNK (1u << REQUEST_CHUNK_LOG2)

enum request_state {
    REQUEST_FREE,
    REQUEST_AT_TIER,   /* being looked up in the shared tier, or answered */
    REQUEST_AT_DOOR,   /* arriving, or the policy asked to wait */
    REQUEST_TO_NODE,   /* on the way to its node, or failing to connect */
    REQUEST_QUEUED,    /* in its node's queue */
    REQUEST_RUNNING,   /* in service */
    REQUEST_LOADING,   /* at its node, which loads its model */
    REQUEST_FOLLOWING, /* in its node, waits for another's answer */
    REQUEST_HIT,       /* being answered from the result cache */
    REQUEST_TO_CLIENT, /* the answer, or the word of its failure, travels */
    REQUEST_LOST,      /* inside a dead node: no word will come by itself */
    REQUEST_BACKS_OFF, /* waits at the door before another attempt */
    REQUEST_HELD       /* in a frozen node, as it came */
};

enum request_flags {
    REQUEST_MEASURED = 1,
    REQUEST_ZOMBIE = 2,         /* given up, but the node still works on it */
    REQUEST_TOKENS = 4,         /* need is a factor on the node's token costs */
    REQUEST_CACHED = 8,         /* answered from the result cache */
    REQUEST_FIRST_TOKEN = 16,   /* the running leaf stands for it */
    REQUEST_RETRIED = 32,       /* this is not the first attempt */
    REQUEST_FILLS_TIER = 64,    /* its answer is for the shared tier */
    REQUEST_AFTER_REPORT = 128, /* sent at the instant of its node's report, but
                                   behind it; only where nodes report */
    REQUEST_PROBE = 256, /* a health check that waits its turn; a zombie too */
    REQUEST_BUDGETED = 512, /* this retry was taken from a budget */
    REQUEST_HEDGED = 1024,  /* one of several slots for the same request */
    REQUEST_TWIN = 2048,    /* of these, not the one that stands for it */
    REQUEST_RESUMED = 4096, /* earlier attempts gave a part of the answer */
    REQUEST_CUT = 8192, /* inside a node that its balancer cannot reach now */
    REQUEST_LESSER = 16384 /* degraded: at the light model, or below */
};

struct request {
    int64_t arrived_at_ns; /* intended arrival */
    int64_t sent_at_ns;    /* of this attempt */
    int64_t started_at_ns; /* service of this attempt */
    double need; /* seconds at speed 1, noise included; with REQUEST_TOKENS the
                    noise factor alone */
    uint64_t number; /* from 0, by arrival */
    uint32_t input_tokens, output_tokens;
    uint32_t node; /* of this attempt */
    uint32_t next; /* in a queue; links free slots too */
    union {
        uint32_t prev;  /* in a queue */
        uint32_t leaf;  /* running: of its event */
        uint32_t place; /* in a heap */
    };
    uint32_t older, younger; /* in order of arrival, for time-outs */
    uint32_t epoch;          /* grows when the attempt ends */
    uint16_t balancer;
    uint16_t flags; /* enum request_flags */
    uint8_t state;  /* enum request_state */
    /* Undefined without classes: what it is, what the front door takes it for,
       and the model that this attempt is to run. */
    uint8_t request_class, taken_for, model;
    uint64_t note[2]; /* the policy's own words about an attempt */
};

/* Only with keys. text NULL: the synthetic key's number. */
struct request_key {
    uint64_t hash; /* 0: no key */
    const char *text;
    uint64_t number_or_length;
};

/* Only with retries or hedges. */
struct request_retry {
    double bare_need;  /* need before noise, to draw anew for an attempt */
    uint32_t attempts; /* before this one, as the policy is told */
    uint32_t tried;    /* nodes in the list of those tried; it may have become
                          longer since this attempt began */
    uint32_t begun;    /* attempts after the first so far, hedges too */
    uint32_t rungs;    /* of the ladder of back-offs, climbed */
    uint32_t twin; /* hedged: the next slot of the same request, in a ring */
    int64_t first_sent_at_ns;  /* hedged: the first attempt */
    int64_t hedge_at_ns;       /* hedged: when the next one is due */
    uint32_t delivered;        /* resumed: tokens of earlier attempts */
    int64_t first_token_at_ns; /* resumed: of the first of these */
};

/* Only for policies that are told of requests beforehand, or predict. */
struct request_foresight {
    int64_t work_ns;        /* as told: service at speed 1; 0: unknown */
    int64_t expected_ns;    /* the policy's prediction; negative: none */
    uint32_t output_tokens; /* as told; 0: unknown */
};

/* Only with nodes that are more than plain slots: see sim/cluster/engine.h. */
struct request_work {
    double bare_need;          /* need before noise: what can be predicted */
    int64_t first_token_at_ns; /* of this attempt, at the node */
    uint32_t card;             /* that serves it */
    uint32_t skipped;          /* batches that went without it */
    double stretch; /* with slots: how many times as long it takes, for want of
                       memory */
};

/* Only with admission or tenants: see sim/experiment/admission.h. */
struct request_door {
    uint64_t tenant_hash; /* 0: none */
    int64_t held_at_ns;   /* since when it waits; negative: it does not */
    double paid;          /* to its bucket, and not settled yet */
    uint32_t tenant;      /* from 0 */
    uint32_t tokens;      /* of prompt and expected answer */
    bool waits_for_node;  /* sent, but held back at the door */
    bool answered;
};

struct request_chunk {
    struct request *requests;      /* [REQUEST_CHUNK] */
    struct request_key *keys;      /* [REQUEST_CHUNK] or NULL */
    uint32_t *tried;               /* [REQUEST_CHUNK][tried_per_request], NULL
                                      without retries */
    struct request_retry *retries; /* [REQUEST_CHUNK], NULL without retries */
    struct request_foresight *foresights; /* [REQUEST_CHUNK] or NULL */
    struct request_work *works;           /* [REQUEST_CHUNK] or NULL */
    struct request_door *doors;           /* [REQUEST_CHUNK] or NULL */
};

struct request_slab {
    struct request **requests;    /* [chunk_count][REQUEST_CHUNK] */
    struct request_chunk *chunks; /* [chunk_count] the columns beside them */
    uint32_t chunk_count, chunk_capacity;
    uint32_t free_head;
    uint32_t in_use;
    uint32_t oldest, youngest; /* ends of the list by arrival */
    uint32_t tried_per_request;
    bool with_keys, with_work, with_doors;
    bool with_foresight; /* set by the owner before the first is taken */
    bool has_extras; /* any of the above, or, set by the owner, a deadline or
                        classes: one test for what most runs lack */
};

/* Allocates nothing yet. tried_per_request: attempts that a retry may have to
   avoid. */
void request_slab_init(struct request_slab *slab, bool with_keys,
                       uint32_t tried_per_request);
void request_slab_done(struct request_slab *slab);

/* Gives it the column request_work; before the first request is taken. */
void request_slab_add_work(struct request_slab *slab);
/* The same of request_door. */
void request_slab_add_doors(struct request_slab *slab);

/* Adds a chunk: for request_slab_take alone. false: no memory. */
__attribute__((noinline, cold)) bool
request_slab_grow(struct request_slab *slab);

static inline struct request *request_at(const struct request_slab *slab,
                                         uint32_t index)
{
    return &slab->requests[index >> REQUEST_CHUNK_LOG2]
                          [index & (REQUEST_CHUNK - 1)];
}

static inline struct request_key *
request_key_at(const struct request_slab *slab, uint32_t index)
{
    return &slab->chunks[index >> REQUEST_CHUNK_LOG2]
                .keys[index & (REQUEST_CHUNK - 1)];
}

static inline struct request_retry *
request_retry_at(const struct request_slab *slab, uint32_t index)
{
    return &slab->chunks[index >> REQUEST_CHUNK_LOG2]
                .retries[index & (REQUEST_CHUNK - 1)];
}

static inline struct request_foresight *
request_foresight_at(const struct request_slab *slab, uint32_t index)
{
    return &slab->chunks[index >> REQUEST_CHUNK_LOG2]
                .foresights[index & (REQUEST_CHUNK - 1)];
}

static inline struct request_work *
request_work_at(const struct request_slab *slab, uint32_t index)
{
    return &slab->chunks[index >> REQUEST_CHUNK_LOG2]
                .works[index & (REQUEST_CHUNK - 1)];
}

static inline struct request_door *
request_door_at(const struct request_slab *slab, uint32_t index)
{
    return &slab->chunks[index >> REQUEST_CHUNK_LOG2]
                .doors[index & (REQUEST_CHUNK - 1)];
}

/* [tried_per_request] nodes; as many as there were attempts are filled. */
static inline uint32_t *request_tried_at(const struct request_slab *slab,
                                         uint32_t index)
{
    return &slab->chunks[index >> REQUEST_CHUNK_LOG2]
                .tried[(size_t)(index & (REQUEST_CHUNK - 1)) *
                       slab->tried_per_request];
}

/* The index of a request of the slab: a look at each chunk. */
uint32_t request_index(const struct request_slab *slab,
                       const struct request *request);

/* A free slot, its fields but epoch undefined; NULL: no memory. */
static inline struct request *request_slab_take(struct request_slab *slab,
                                                uint32_t *ret_index)
{
    struct request *request;

    if (slab->free_head == REQUEST_NONE && !request_slab_grow(slab)) {
        *ret_index = REQUEST_NONE;
        return NULL;
    }
    *ret_index = slab->free_head;
    request = request_at(slab, slab->free_head);
    slab->free_head = request->next;
    slab->in_use++;
    return request;
}

/* The end of the slot's life: its epoch moves on. */
static inline void request_slab_give(struct request_slab *slab,
                                     struct request *request, uint32_t index)
{
    request->epoch++;
    request->state = REQUEST_FREE;
    request->next = slab->free_head;
    slab->free_head = index;
    slab->in_use--;
}

/* The list by arrival: enter at the young end, leave anywhere. Only for runs
   with time-outs, and not to be inlined into the others. */
__attribute__((noinline)) void request_list_enter(struct request_slab *slab,
                                                  uint32_t index);
__attribute__((noinline)) void request_list_leave(struct request_slab *slab,
                                                  uint32_t index);
/* `to` takes the place of `from`, which has left then. */
__attribute__((noinline)) void request_list_replace(struct request_slab *slab,
                                                    uint32_t from, uint32_t to);

/* What the columns say of one slot, said of another; of the door what it is,
   not that it waits there or has paid. */
__attribute__((noinline)) void
request_columns_copy(const struct request_slab *slab, uint32_t from,
                     uint32_t to);

#endif
