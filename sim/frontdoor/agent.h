/*
 * HAProxy's agent: a program beside the node that says, in words, what the
 * balancer should make of it. The balancer asks every agent-inter; words are
 * parted by blanks or commas, and '#' begins a comment:
 *
 *   75%, weight:75%  the weight is that share of the configured one, cut to a
 *                    whole number, 256 at most; 0 is a drain: what is there
 *                    stays, nothing new comes
 *   weight:40        the weight, 0 to 256
 *   maxconn:30       requests it may have in flight; 0: no limit
 *   ready            cancels drain and maint
 *   drain, maint     nothing new
 *   up               takes down back
 *   down, fail,      out, as if checks had failed; with rise 1 and fall 1 at
 *   stopped          the first word
 *
 * What is not said stays as it is; an agent that cannot be reached says
 * nothing, which is no failure. Of words for one thing the last one counts, and
 * others are ignored (HAProxy: src/server.c, the manual on agent-check).
 */
#ifndef SIM_FRONTDOOR_AGENT_H
#define SIM_FRONTDOOR_AGENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What an agent works a percentage out of by itself. */
enum agent_load { AGENT_LOAD_NONE, AGENT_LOAD_GPU, AGENT_LOAD_CPU };

enum agent_weight {
    AGENT_WEIGHT_KEPT,
    AGENT_WEIGHT_PERCENT,
    AGENT_WEIGHT_PLAIN
};
enum agent_admin { AGENT_ADMIN_KEPT, AGENT_READY, AGENT_DRAIN, AGENT_MAINT };
enum agent_state { AGENT_STATE_KEPT, AGENT_UP, AGENT_DOWN };

struct agent_reply {
    enum agent_weight weighs;
    uint32_t weight; /* percent, or plain */
    enum agent_admin admin;
    enum agent_state state;
    bool has_maxconn;
    uint32_t maxconn; /* 0: no limit */
};

/* From then on the agents of these nodes say so, until they say another thing.
 */
struct agent_say {
    int64_t at_ns;
    const char *target, *words; /* as written */
    const uint64_t *nodes;      /* a bit for each node of the run */
    struct agent_reply reply;
};

struct agent_spec {
    bool given;
    int64_t interval_ns;
    enum agent_load load;
    const struct agent_say *says; /* [say_count] in order of time */
    uint32_t say_count;
};

/* A word that means nothing; not terminated. */
struct agent_word {
    const char *text;
    size_t length;
};

/* Reads a reply. false: there are words that HAProxy ignores, of which
 *ret_ignored is the first; the others count. */
bool agent_read(const char *words, struct agent_reply *ret,
                struct agent_word *ret_ignored);

/* What a node weighs after the reply; now: before it. */
uint32_t agent_weigh(const struct agent_reply *reply, uint32_t configured,
                     uint32_t now);

#endif
