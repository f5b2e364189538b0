/*
 * A circuit breaker: one node, or one model on one node, as one balancer sees
 * it.
 *
 *   closed     requests pass. When the last `window` holds at least `volume` of
 *              them and at least `failure_share` failed, it opens.
 *   open       nothing passes for `cool`.
 *   half-open  at most `trials` requests pass. When so many have succeeded it
 *              closes, with an empty window and the first `cool`; at the first
 *              failure it opens for twice the time, at most `max_cool`.
 *
 * The window slides in ten steps, as Hystrix's does: what is older than the
 * window is forgotten a tenth of it at a time. A request is counted when it
 * ends. What was sent before the breaker opened and ends afterwards is counted
 * nowhere: it says nothing about now.
 *
 * A breaker's state is its own and its time comes from outside, so it never
 * moves by itself: when it says until when it is open, the owner calls
 * breaker_cooled() then.
 */
#ifndef SIM_FRONTDOOR_BREAKER_H
#define SIM_FRONTDOOR_BREAKER_H

#include <stdbool.h>
#include <stdint.h>

enum { BREAKER_STEPS = 10 };

/* What a scenario says. Defaults when given: 10, 50 %, 10 s, 30 s, 300 s, 3,
   no. */
struct breaker_spec {
    bool given;
    uint32_t volume;      /* requests in the window, 1 or more */
    double failure_share; /* above 0, at most 1 */
    int64_t window_ns;    /* BREAKER_STEPS or more */
    int64_t cool_ns;      /* above 0 */
    int64_t max_cool_ns;  /* cool_ns or more */
    uint32_t trials;      /* 1 or more */
    bool counts_overload; /* a full node fails too */
};

enum breaker_state { BREAKER_CLOSED, BREAKER_OPEN, BREAKER_HALF_OPEN };

struct breaker {
    uint8_t state;         /* enum breaker_state */
    uint8_t step;          /* of the window, the current one */
    uint32_t sent, good;   /* trials, when half-open */
    int64_t since_ns;      /* of the state */
    int64_t cool_ns;       /* of the last opening; 0: closed since */
    int64_t step_start_ns; /* of the current step */
    uint32_t ended[BREAKER_STEPS], failed[BREAKER_STEPS];
};

void breaker_init(struct breaker *breaker);

/* Nothing passes now. */
bool breaker_bars(const struct breaker *breaker,
                  const struct breaker_spec *spec);

/* A request is sent through it. true: it is a trial. */
bool breaker_sent(struct breaker *breaker, const struct breaker_spec *spec);

/*
 * A request that was sent at sent_at_ns is over. true: the breaker has opened,
 * and breaker_cooled() is to be called cool_ns from now.
 */
bool breaker_over(struct breaker *breaker, const struct breaker_spec *spec,
                  int64_t sent_at_ns, bool failed, int64_t now_ns);

/* A request that was sent at sent_at_ns is over and has said nothing: was it a
   trial, another may have its place. */
void breaker_void(struct breaker *breaker, int64_t sent_at_ns);

/* Half-opens it, if it has been open for cool_ns. */
void breaker_cooled(struct breaker *breaker, int64_t now_ns);

#endif
