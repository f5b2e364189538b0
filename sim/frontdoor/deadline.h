/*
 * The rule for requests whose time is running out: what cannot be answered in
 * time is better not begun.
 *
 * A deadline passed on downstream is what remains of it; the limit on the first
 * token is the smaller of that and of the limit that always holds. A request
 * whose remaining time is less than the least that it will need is hopeless.
 */
#ifndef SIM_FRONTDOOR_DEADLINE_H
#define SIM_FRONTDOOR_DEADLINE_H

#include <stdbool.h>
#include <stdint.h>

struct deadline_spec {
    bool given;
    bool at_dispatch;    /* hopeless requests are not sent */
    bool in_queue;       /* nodes drop them when their turn comes */
    int64_t at_least_ns; /* what even the fastest answer takes */
};

/* INT64_MAX: there is no deadline, no limit. */
struct deadline_verdict {
    bool hopeless;
    int64_t first_token_ns; /* limit from now on */
};

struct deadline_verdict deadline_judge(int64_t deadline_after_ns,
                                       int64_t waited_ns, int64_t predicted_ns,
                                       int64_t first_token_limit_ns);

#endif
