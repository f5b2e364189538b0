/*
 * A limit on requests in flight that finds itself: additive increase,
 * multiplicative decrease.
 *
 * Time is cut into windows. At the end of one with answers in it the limit
 * goes up by `increase` when a quantile (90 %) of the times to the first token
 * kept to the target, and else down to floor(decrease * limit). Attempts that
 * failed or timed out count as too slow. A window without any answer changes
 * nothing.
 *
 * The quantile by nearest rank is within the target exactly when at least
 * ceil(q * n) of n times are, so two counts are all that a window needs.
 */
#ifndef SIM_FRONTDOOR_AIMD_H
#define SIM_FRONTDOOR_AIMD_H

#include "sim/frontdoor/admission_spec.h"

#include <stdbool.h>
#include <stdint.h>

struct aimd {
    uint32_t limit;
    uint64_t count, in_time; /* of this window */
    bool reached;            /* the limit held someone back in this window */
};

void aimd_init(struct aimd *aimd, const struct aimd_spec *spec);

/* An attempt is over. first_token_ns: from its sending, negative: it failed. */
void aimd_note(struct aimd *aimd, const struct aimd_spec *spec,
               int64_t first_token_ns);

/* The window is over. true: the limit changed. */
bool aimd_close_window(struct aimd *aimd, const struct aimd_spec *spec);

#endif
