/*
 * stage.h - the host that the checks play.
 *
 * It holds nodes, counts, an eligible set and the allocator, calls the policy
 * as the contract says, and notes what the policy does on the way. All that a
 * policy is shown ends at a fence (fence.h). The checks bend it: more nodes,
 * larger structs, reports that lie, memory that is refused.
 */
#ifndef SIM_CONFORMANCE_STAGE_H
#define SIM_CONFORMANCE_STAGE_H

#include "policies/lbp.h"
#include "sim/conformance/fence.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    STAGE_KEY = 24,    /* bytes of a node's or a request's key */
    STAGE_BLOCKS = 8,  /* prefix blocks of a request */
    STAGE_TAIL = 64,   /* bytes that a later host's structs have more */
    STAGE_PROBES = 16, /* asked for and not answered yet */
    STAGE_NOISE = 0xee /* what stands in those bytes */
};

struct stage_options {
    uint32_t slot_count;
    bool unequal;         /* weights 1 to 3 instead of 1 */
    bool later_host;      /* all structs are longer, the rest is noise */
    bool with_reports;    /* also to policies that do not need them */
    bool bare_after_pick; /* after pick, only what needs asks for */
    bool watch_view;      /* notes what pick writes into what it is shown */
    unsigned char fill;   /* of fresh memory */
    size_t memory_limit;  /* bytes; 0: 512 MiB */
    uint64_t fail_at;     /* the allocation that is refused, from 1; 0: none */
    uint64_t seed;        /* of the chance that the policy is given */
};

/* One attempt, from ask to answer. */
struct stage_attempt {
    struct {
        struct lbp_request request;
        unsigned char tail[STAGE_TAIL];
    } ask;
    uint64_t note[2];
    uint64_t blocks[STAGE_BLOCKS];
    char key[STAGE_KEY];
    char text[STAGE_KEY];
    uint32_t slot;
    int64_t sent_at_ns;
};

struct stage {
    const struct lbp_ops *ops;
    uint32_t needs; /* with this config */
    struct stage_options options;
    void *state;
    struct {
        struct lbp_host host;
        unsigned char tail[STAGE_TAIL];
    } host;
    struct {
        struct lbp_view view;
        unsigned char tail[STAGE_TAIL];
    } shown;
    struct lbp_view *view; /* shown.view */
    char *nodes;
    char (*keys)[STAGE_KEY]; /* [slot_count] of nodes */
    uint32_t *in_flight, *since_report;
    uint64_t *tokens;
    uint64_t *eligible; /* [words] by membership, health and weight */
    uint64_t *mask;     /* [words] what the next ask is shown */
    uint32_t words;

    struct fence_heap heap;
    uint64_t chance; /* state of the generator */
    uint64_t draws;
    bool in_hot_call; /* where nothing may be allocated */
    bool refuse_hot;  /* then it is not */
    uint64_t hot_allocations;
    bool members_failed; /* on_members had no memory when the stage opened */

    int64_t timer_ns;      /* LBP_NO_TIME: none */
    uint32_t stuck_timers; /* asked for a time that had come */
    uint32_t probes[STAGE_PROBES], probe_count;
    uint64_t next_id;
    const char *written; /* what of the view a pick changed; NULL: nothing */
};

/* SplitMix64 (Steele, Lea, Flood, OOPSLA 2014): the next number. */
uint64_t stage_chance(uint64_t *state);
uint32_t stage_below(uint64_t *state, uint32_t bound);

/*
 * Sets up nodes and creates the policy: all nodes healthy, idle, eligible.
 * False: create gave NULL, or on_members had no memory (members_failed).
 * stage_close() is due in any case.
 */
bool stage_open(struct stage *stage, const struct lbp_ops *ops,
                const void *config, const struct stage_options *options);

/* Destroys the policy and drops the stage; what the policy has not given back
   stays in heap.live. */
void stage_close(struct stage *stage);

struct lbp_node *stage_node(struct stage *stage, uint32_t slot);

/* Another node takes the slot. It is told by stage_members(). */
void stage_join(struct stage *stage, uint32_t slot);
void stage_leave(struct stage *stage, uint32_t slot);
/* false: no memory. */
bool stage_members(struct stage *stage);

/* Whether the host lets requests go there. */
void stage_let(struct stage *stage, uint32_t slot, bool may);

/* The nodes that an ask may name, to begin with: as they are. */
void stage_mask_all(struct stage *stage);
void stage_mask_none(struct stage *stage);
void stage_mask_set(struct stage *stage, uint32_t slot, bool may);
bool stage_mask_has(const struct stage *stage, uint32_t slot);
uint32_t stage_mask_count(const struct stage *stage);

/* A request with the key of that number, and all that goes with it. */
void stage_request(struct stage *stage, struct stage_attempt *attempt,
                   uint32_t key);

/* Asks for a node among the mask's. */
enum lbp_status stage_ask(struct stage *stage, struct stage_attempt *attempt,
                          uint32_t *ret_slot,
                          struct lbp_explanation *explanation);

/* It leaves for the slot; it is answered (outcome, after the given time). */
void stage_send(struct stage *stage, struct stage_attempt *attempt,
                uint32_t slot);
void stage_first_token(struct stage *stage, struct stage_attempt *attempt);
void stage_done(struct stage *stage, struct stage_attempt *attempt,
                enum lbp_outcome outcome);

/* The node tells of itself: fields of stage_node() have been filled. */
void stage_reported(struct stage *stage, uint32_t slot);
/* Fills a report that agrees with what is in flight. */
void stage_report(struct stage *stage, uint32_t slot);

/* Calls on_timer, which must be there, and notes what it asks for. */
void stage_timer(struct stage *stage);

/* Time passes; due timers and probes are served. */
void stage_advance(struct stage *stage, int64_t ns);

/* Whether a pick named a node that it may. */
bool stage_is_sound(const struct stage *stage, enum lbp_status status,
                    uint32_t slot);

#endif
