/*
 * What a host can know of a request before it is answered: what similar ones
 * took. Similar means the same model, the same class, and input of the same
 * power of two. An answer tells its output tokens and, unless it came from a
 * cache, its work: the service time on a node of speed 1.
 *
 * Each kind has a running mean in which the newest answer weighs 2 %, or more
 * while there are few. Kinds lie in a table of fixed size; a kind with fewer
 * than HINT_ENOUGH answers, or without room, takes the mean of all requests,
 * and before any answer nothing is known.
 */
#ifndef SIM_FRONTDOOR_HINT_HISTORY_H
#define SIM_FRONTDOOR_HINT_HISTORY_H

#include "policies/lbp.h"

#include <stdint.h>

enum { HINT_KINDS = 1024, HINT_PROBES = 8, HINT_ENOUGH = 8 };

struct hint_mean {
    uint64_t count;
    double value;
};

struct hint_kind {
    uint64_t name; /* 0: free */
    struct hint_mean tokens, work_ns;
};

/* All zero bytes is an empty one. */
struct hint_history {
    struct hint_kind all;
    struct hint_kind kinds[HINT_KINDS];
};

/* What to expect of a request; 0: unknown. */
struct hint {
    uint32_t output_tokens;
    int64_t work_ns;
};

struct hint hint_history_expect(const struct hint_history *history,
                                const struct lbp_request *request);

/* An answer came. 0 tells nothing. */
void hint_history_learn(struct hint_history *history,
                        const struct lbp_request *request,
                        const struct hint *truth);

#endif
