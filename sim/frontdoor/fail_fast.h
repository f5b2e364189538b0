/*
 * Linkerd's fail fast: when no node has been ready for some time (3 s) the
 * balancer turns everybody away at once, those who wait too, until a node is
 * ready again.
 */
#ifndef SIM_FRONTDOOR_FAIL_FAST_H
#define SIM_FRONTDOOR_FAIL_FAST_H

#include <stdbool.h>
#include <stdint.h>

struct fail_fast {
    bool ready;
    int64_t unready_since_ns; /* when not ready */
};

void fail_fast_init(struct fail_fast *fail_fast);

/* Whether any node is ready, now. true: it has just ceased to be so, and the
   caller looks again after the time has passed. */
bool fail_fast_note(struct fail_fast *fail_fast, bool ready, int64_t now_ns);

/* Whether everybody is turned away. */
bool fail_fast_is_on(const struct fail_fast *fail_fast, int64_t after_ns,
                     int64_t now_ns);

#endif
