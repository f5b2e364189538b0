/*
 * traffic.h - asks and answers, as a busy front door has them.
 *
 * A stream is a seed: which keys, which nodes are left out, what is answered
 * when and how. Two policies that decide alike live the same life.
 */
#ifndef SIM_CONFORMANCE_TRAFFIC_H
#define SIM_CONFORMANCE_TRAFFIC_H

#include "sim/conformance/stage.h"

enum { TRAFFIC_OPEN_MAX = 64 };

struct traffic {
    struct stage *stage;
    uint64_t chance;
    uint32_t open_count;
    struct stage_attempt attempts[TRAFFIC_OPEN_MAX];
    struct stage_attempt *open[TRAFFIC_OPEN_MAX]; /* [open_count] oldest first,
                                                     then those to be used */
    bool some_left_out; /* one ask in four sees part of the nodes; never none */
    bool only_good;     /* every answer is LBP_OK after 100 ms */
    bool truth_is_told; /* nodes report now and then, where there are reports */
    uint64_t unsound;   /* picks of what was not eligible: not sent */
    uint32_t unsound_slot;
    uint64_t not_picked; /* asks that got another answer than a node */
};

void traffic_start(struct traffic *traffic, struct stage *stage, uint64_t seed);

/*
 * Time passes, something may be answered, one request is asked for and sent.
 * Yields the slot, or a number from UINT32_MAX - 8 on for any other answer.
 */
uint32_t traffic_step(struct traffic *traffic);

/* The same with an explanation, which may be NULL. */
uint32_t traffic_step_explained(struct traffic *traffic,
                                struct lbp_explanation *explanation);

/* All that is open is answered. */
void traffic_drain(struct traffic *traffic);

/* Steps with all nodes eligible and good answers; counts what slot gets. */
uint32_t traffic_share(struct traffic *traffic, uint32_t steps, uint32_t slot);

/* Sends requests to this slot alone, one after the other, each ended so. */
void traffic_press(struct traffic *traffic, uint32_t count, uint32_t slot,
                   enum lbp_outcome outcome, int64_t after_ns);

#endif
