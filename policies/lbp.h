/*
 * lbp.h - the contract between a load-balancing policy and its host.
 *
 * A host is the simulator or a real proxy. It shows the policy what a real
 * balancer could know and nothing else: exact counts of its own traffic, and
 * reports of the nodes that may be stale. Time, chance and memory come from
 * the host, so the same object decides alike everywhere and two runs agree bit
 * for bit. A policy needs nothing but the C library.
 *
 * One instance serves one balancer on one thread. Several balancers have
 * several instances, each with its own view. A host that cannot hold requests
 * treats LBP_WAIT as LBP_NO_NODE.
 *
 * Structs may grow at their end in later versions; hosts and policies tell
 * each other their sizes, so an old object keeps working.
 */
#ifndef LBP_H
#define LBP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LBP_ABI 1u
#define LBP_NO_SLOT UINT32_MAX
#define LBP_NO_TIME INT64_MIN
#define LBP_MAX_TERMS 8

enum lbp_status {
    LBP_PICKED,  /* *ret_slot names an eligible node */
    LBP_NO_NODE, /* nothing eligible, or nothing that suits */
    LBP_WAIT,    /* hold it at the front door, first in first out; asked again
                    after every other callback but on_sent */
    LBP_REFUSE   /* turn it away now */
};

enum lbp_health { LBP_HEALTHY, LBP_DEGRADED, LBP_UNHEALTHY, LBP_DRAINING };

enum lbp_outcome {
    LBP_OK,
    LBP_ERROR,    /* an error answer */
    LBP_RESET,    /* connection refused or broken */
    LBP_TIMEOUT,  /* no answer in time */
    LBP_OVERLOAD, /* the node was full */
    LBP_CANCELLED /* the host gave up: client left, hedge lost */
};

/*
 * One node as this balancer believes it to be. Counts that the balancer keeps
 * itself, and that change at every pick, stand apart in struct lbp_view.
 */
struct lbp_node {
    /* Configured: changes only with on_members(). */
    const char *key;        /* such as "10.0.0.1:8000"; not 0-terminated */
    uint64_t key_hash;      /* XXH64 of key, seed 0 */
    uint64_t models;        /* bit m set: serves model m */
    uint32_t key_length;    /* bytes; 0: the slot is empty */
    uint32_t generation;    /* grows when another node takes over the slot,
                               which happens only when every attempt sent to
                               the old one is done */
    uint32_t weight;        /* relative capacity; 0: takes nothing */
    double weight_factor;   /* 1 = full; less while a newcomer warms up */
    uint32_t max_in_flight; /* 0: no cap */
    uint32_t slots;         /* requests served at once; 0: unknown */
    uint32_t max_context;   /* tokens; 0: unknown */
    double speed;           /* hint, 1 = reference node; 0: unknown */
    double prefill_per_s;   /* hint, input tokens a second; 0: unknown */
    double decode_per_s;    /* hint, output tokens a second for one request */
    int64_t up_since_ns;
    uint16_t zone, tier; /* locality; priority level, 0 first */
    uint16_t group;      /* nodes of one kind */
    uint8_t health;      /* enum lbp_health, as this balancer believes */

    /* Reported by the node, true at reported_at_ns. Negative: not reported. */
    int64_t reported_at_ns;                      /* LBP_NO_TIME: never */
    double gpu_use, cpu_use, memory_use, kv_use; /* shares, 0 to 1 */
    int64_t queue_depth;                         /* waiting inside the node */
    int64_t running;                             /* being served */
    double requests_per_s, errors_per_s;
};

/*
 * The pool now. Borrowed for one call. Slots are stable while a node lives.
 * In on_sent and on_done it shows the state after that event.
 */
struct lbp_view {
    uint32_t size; /* of this struct at the host */
    uint32_t slot_count;
    uint32_t node_stride; /* bytes from one node to the next */
    const void *nodes;    /* [slot_count]: lbp_node_at() */
    uint32_t balancer_index, balancer_count; /* this one among its equals */
    int64_t now_ns;                          /* never goes back; any origin */
    int64_t report_interval_ns;              /* 0: fresh at every pick */
    const uint32_t *in_flight;               /* [slot_count] sent, unanswered */
    /* [slot_count] of in_flight: those sent after reported_at_ns (net: answered
       ones are taken out again) */
    const uint32_t *in_flight_since_report;
    const uint64_t *in_flight_tokens; /* [slot_count] input + hint */
};

static inline const struct lbp_node *lbp_node_at(const struct lbp_view *view,
                                                 uint32_t slot)
{
    const char *nodes = (const char *)view->nodes;

    return (const struct lbp_node *)(const void *)(nodes +
                                                   (size_t)slot *
                                                       view->node_stride);
}

/*
 * One attempt of one request. The fields have the same values at pick, on_sent
 * and on_done of that attempt; but eligible is valid in pick only, and key,
 * text and blocks after pick only if lbp_ops.needs asks for them.
 */
struct lbp_request {
    uint32_t size;    /* of this struct at the host */
    uint32_t attempt; /* 0, then 1 for the first retry; hedges count on */
    uint64_t id;
    const char *key;   /* normalised prompt or its name, may be NULL */
    uint64_t key_hash; /* XXH64 of key, seed 0; 0: no key */
    uint64_t session_hash, tenant_hash; /* 0: none */
    const uint64_t *blocks; /* [block_count] prefix block hashes, root first */
    const char *text;       /* raw prompt, may be NULL */
    uint32_t key_length, text_length, block_count, block_tokens;
    uint32_t input_tokens;
    uint32_t output_tokens_hint; /* 0: unknown; the true length is not shown */
    uint16_t model;              /* as routed */
    uint16_t request_class;
    int32_t priority; /* higher is more urgent */
    int64_t arrived_at_ns;
    int64_t deadline_ns;  /* LBP_NO_TIME: none */
    int64_t work_hint_ns; /* service time on a node of speed 1; 0: unknown */
    uint64_t *note;       /* two words for the policy, zero before pick,
                             kept until on_done of this attempt */

    /*
     * Nodes that may take it: members, healthy enough, not draining, serving
     * the model, below their cap, not tried by this request before. Policies
     * skip the others and do not rebuild without them.
     */
    const uint64_t *eligible; /* [ceil(slot_count / 64)] */
    uint32_t eligible_count;
};

static inline bool lbp_eligible(const struct lbp_request *request,
                                uint32_t slot)
{
    return request->eligible[slot / 64] >> (slot % 64) & 1;
}

/* The slot of the rank-th eligible node; rank must be below eligible_count. */
static inline uint32_t lbp_nth_eligible(const struct lbp_request *request,
                                        uint32_t rank)
{
    uint32_t word = 0;
    uint64_t bits = request->eligible[0];

    for (;;) {
        uint32_t here = (uint32_t)__builtin_popcountll(bits);

        if (rank < here)
            break;
        rank -= here;
        bits = request->eligible[++word];
    }
    while (rank-- > 0)
        bits &= bits - 1;
    return word * 64 + (uint32_t)__builtin_ctzll(bits);
}

struct lbp_result {
    uint32_t size;
    enum lbp_outcome outcome;
    int64_t sent_at_ns;
    int64_t first_token_at_ns; /* LBP_NO_TIME: none */
    int64_t done_at_ns;
    uint32_t input_tokens, cached_tokens, output_tokens; /* 0: unknown */
};

/* The answer to a probe that the policy asked for. */
struct lbp_probe {
    uint32_t size;
    uint32_t in_flight; /* at the node, all balancers together */
    int64_t latency_ns; /* the node's estimate; negative: none */
    int64_t at_ns;
};

/* Filled by pick when the host wants to know why. The host owns the arrays. */
struct lbp_score {
    uint32_t slot;
    double score;                /* the sum of the terms */
    double terms[LBP_MAX_TERMS]; /* named by lbp_ops.term_names */
};
struct lbp_explanation {
    uint32_t size;
    uint32_t capacity, count; /* of scores */
    struct lbp_score *scores;
    const char *reason;  /* such as "tie", "spill", "fallback" */
    int64_t expected_ns; /* predicted latency; negative: none */
    uint32_t draws;      /* random numbers used */
};

/* What the host does for the policy. Valid from create to destroy. */
struct lbp_host {
    uint32_t size;
    void *context;
    /* [0, bound); bound 0: all 64 bits. */
    uint64_t (*random_below)(void *context, uint64_t bound);
    /* In create, on_members and on_timer only. Aligned for any type, not
       zeroed; NULL: no memory. release accepts NULL. */
    void *(*allocate)(void *context, size_t size);
    void (*release)(void *context, void *memory);
    /* May be NULL: leading blocks of the request known to be on the node. */
    uint32_t (*resident_blocks)(void *context,
                                const struct lbp_request *request,
                                uint32_t slot);
    /* May be NULL: asks the node for a probe, from any callback; false: not
       now. */
    bool (*probe)(void *context, uint32_t slot);
};

enum lbp_param_kind {
    LBP_REAL,     /* double */
    LBP_SHARE,    /* double; users write 0.3 or 30 % */
    LBP_COUNT,    /* uint64_t */
    LBP_DURATION, /* int64_t, ns; users write 250 ms */
    LBP_SWITCH,   /* bool */
    LBP_CHOICE,   /* uint32_t, index into choices */
    LBP_TEXT      /* const char *, owned by the host */
};

/*
 * One parameter. The host parses, checks the range and complains with place
 * and hint, so a policy never meets a bad value.
 */
struct lbp_param {
    const char *name; /* NULL ends the table */
    const char *help; /* one line, with the unit */
    enum lbp_param_kind kind;
    size_t offset;       /* in the config struct */
    double min, max;     /* inclusive; durations in seconds */
    const char *preset;  /* as a user would write it; NULL: off (NaN, 0) */
    const char *like;    /* whose default the preset is, may be NULL */
    const char *choices; /* "own|first|random|rotate" */
};

enum lbp_needs {
    LBP_NEEDS_KEY = 1,
    LBP_NEEDS_BLOCKS = 2,
    LBP_NEEDS_TEXT = 4,
    LBP_NEEDS_REPORTS = 8,
    LBP_NEEDS_PROBES = 16,
    LBP_NEEDS_SESSION = 32,
    LBP_PREDICTS = 64 /* an offer: an explanation gets expected_ns at each pick,
                         and the host may say how far off they were */
};

/*
 * One policy. Callbacks marked optional may be NULL. Every on_sent is matched
 * by exactly one on_done, whatever happens to node or client. pick may move
 * rotation state and draw, but counts nothing: the host may ask and not send.
 * pick allocates nothing, takes no lock, makes no system call.
 */
struct lbp_ops {
    uint32_t abi;                   /* LBP_ABI */
    uint32_t size;                  /* of this struct */
    const char *name;               /* as users write it: "round_robin" */
    const char *summary;            /* one line */
    const char *tie_rule;           /* one line */
    const struct lbp_param *params; /* optional */
    const char *const *term_names;  /* optional, ends with NULL */
    size_t config_size;
    uint32_t needs; /* enum lbp_needs, or-ed */

    /* optional: what is wrong between parameters, or NULL. Before create. */
    const char *(*check)(const void *config);

    /* NULL: no memory. destroy accepts NULL. */
    void *(*create)(const void *config, const struct lbp_host *host);
    void (*destroy)(void *state);

    /*
     * optional: nodes joined or left, or weights or health changed. Also the
     * first call after create. false: no memory; the host goes on showing the
     * old view, or stops.
     */
    bool (*on_members)(void *state, const struct lbp_view *view);

    enum lbp_status (*pick)(void *state, const struct lbp_view *view,
                            const struct lbp_request *request,
                            uint32_t *ret_slot,
                            struct lbp_explanation *explanation);

    /* All optional. */
    void (*on_sent)(void *state, const struct lbp_view *view,
                    const struct lbp_request *request, uint32_t slot);
    void (*on_first_token)(void *state, const struct lbp_view *view,
                           const struct lbp_request *request, uint32_t slot);
    void (*on_done)(void *state, const struct lbp_view *view,
                    const struct lbp_request *request, uint32_t slot,
                    const struct lbp_result *result);
    void (*on_report)(void *state, const struct lbp_view *view, uint32_t slot);
    void (*on_probe)(void *state, const struct lbp_view *view, uint32_t slot,
                     const struct lbp_probe *probe);
    /* First right after the first on_members, then at the time it asked for;
       returns the next, or LBP_NO_TIME. May allocate. */
    int64_t (*on_timer)(void *state, const struct lbp_view *view);

    /* optional: what a config needs beyond `needs`. Before create. */
    uint32_t (*also_needs)(const void *config);
};

/*
 * The one symbol that a shared object exports. NULL: cannot serve a host of
 * that version. A policy source ends with LBP_ENTRY(its ops): it defines
 * lbp_entry when built with -DLBP_SHARED, and nothing when built in.
 */
#define LBP_EXPORT __attribute__((visibility("default")))
LBP_EXPORT const struct lbp_ops *lbp_entry(uint32_t host_abi);

#ifdef LBP_SHARED
#define LBP_ENTRY(ops)                                 \
    const struct lbp_ops *lbp_entry(uint32_t host_abi) \
    {                                                  \
        return host_abi == LBP_ABI ? &(ops) : NULL;    \
    }
#else
#define LBP_ENTRY(ops) /* built in: the registry knows it */
#endif

#ifdef __cplusplus
}
#endif

#endif
