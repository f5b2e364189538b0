/*
 * service_time.h - how long a node will serve a request, queue left out.
 *
 * A node whose rates are known takes input / prefill rate + output / decode
 * rate; when the host says what the request takes on a node of speed 1, that
 * over the node's speed. Of a node that says nothing, its answers tell: it is
 * as slow as they were, per unit of size (1 + input + 20 x output tokens, the
 * usual ratio of what decoding and reading a token cost). Before it has given
 * some, it passes for a node like the others of its speed, and before anybody
 * has, for one that takes a preset time.
 */
#ifndef POLICIES_SERVICE_TIME_H
#define POLICIES_SERVICE_TIME_H

#include "policies/lbp.h"

/* What a request asks of a node. */
struct service_ask {
    double input, output; /* tokens; output as expected */
    double work_ns;       /* at speed 1; 0: unknown */
    double size;          /* 1 + input + 20 output */
};

enum service_source { SERVICE_LIKE_OTHERS, SERVICE_LEARNED, SERVICE_TOLD };

struct service_node {
    uint8_t source;                     /* enum service_source */
    double per_input_ns, per_output_ns; /* SERVICE_TOLD */
    double slowness;                    /* 1 / speed, 1 when unknown */
    bool speed_known;
    uint32_t generation;
    uint64_t answers;
    double per_size_ns; /* SERVICE_LEARNED */
    double usual_ns;    /* of what was sent here lately; 0: nothing */
};

/* A zeroed struct with a preset is an empty one. */
struct service_times {
    struct service_node *nodes; /* [slot_count] */
    uint32_t slot_count;
    double preset_ns;   /* of a request, before any answer */
    uint64_t answers;   /* of nodes that say nothing */
    double per_size_ns; /* of these, at speed 1 */
};

/* For on_members. false: no memory, and the old table stands. */
bool service_update(struct service_times *times, const struct lbp_view *view,
                    const struct lbp_host *host);
void service_done(struct service_times *times, const struct lbp_host *host);

/* The expected output and what else is known of a request. */
struct service_ask service_ask_for(const struct lbp_request *request,
                                   double output);

/* A request was sent: its node's usual service follows slowly. */
void service_sent(struct service_times *times, uint32_t slot, double ns);

/* A node took so long for what was asked. */
void service_learn(struct service_times *times, uint32_t slot,
                   const struct service_ask *ask, int64_t taken_ns);

/* In ns, above 0 or 0. */
static inline double service_expect(const struct service_times *times,
                                    uint32_t slot,
                                    const struct service_ask *ask)
{
    const struct service_node *node = &times->nodes[slot];

    if (ask->work_ns > 0 && node->speed_known)
        return ask->work_ns * node->slowness;
    switch ((enum service_source)node->source) {
    case SERVICE_TOLD:
        return ask->input * node->per_input_ns +
               ask->output * node->per_output_ns;
    case SERVICE_LEARNED:
        return ask->size * node->per_size_ns;
    case SERVICE_LIKE_OTHERS:
        break;
    }
    if (times->answers == 0)
        return times->preset_ns * node->slowness;
    return ask->size * times->per_size_ns * node->slowness;
}

#endif
