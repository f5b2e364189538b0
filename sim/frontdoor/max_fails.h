/*
 * nginx's passive checks: a peer with max_fails failures is left out for
 * fail_timeout, then one request tries it.
 *
 * After ngx_http_upstream_round_robin.c (nginx 1.24). Every peer has a count of
 * failures and two times, on a clock that only moves once a second:
 *
 *   failure   fails + 1; accessed and checked are now
 *   excluded  while fails >= max_fails and now - checked <= fail_timeout
 *   picked    when now - checked > fail_timeout: checked is now, so a peer that
 *             had failed is excluded again at once, but for this one trial
 *   success   when accessed < checked (it was picked after its last failure and
 *             fail_timeout had passed): fails is 0
 *
 * So failures are not counted within fail_timeout of each other, as the manual
 * has it, but until fail_timeout passes without one and a request succeeds. A
 * success soon after a failure clears nothing. A peer that is alone is never
 * excluded. When all are excluded there is no peer: "no live upstreams".
 *
 * What a failure is: no connection, a broken stream, a time-out. An answer of
 * 5xx is one only where proxy_next_upstream lists it, which it does not by
 * itself; else it is a success like any.
 *
 * The state machine has its time from outside, in ns. Times are cut to the
 * clock's step (1 s for nginx) as nginx cuts them; a step of 1 ms or less gives
 * the rule as people tell it.
 */
#ifndef SIM_FRONTDOOR_MAX_FAILS_H
#define SIM_FRONTDOOR_MAX_FAILS_H

#include "sim/frontdoor/blame.h"

#include <stdbool.h>
#include <stdint.h>

/* What a scenario says. Defaults when given: 1, 10 s, 1 s, no, no. */
struct max_fails_spec {
    bool given;
    uint32_t fails;          /* 1 or more */
    int64_t fail_timeout_ns; /* 0 or more */
    int64_t clock_ns;        /* 1 or more */
    bool counts_5xx;         /* an answer of 5xx is a failure */
    bool counts_overload;    /* so is the word of a full node */
};

struct max_fails_peer {
    uint32_t fails;
    int64_t accessed_ns, checked_ns; /* cut to the clock's step */
};

struct max_fails {
    const struct max_fails_spec *spec;
    uint32_t peer_count;          /* of those that are there */
    struct max_fails_peer *peers; /* [peer_count] borrowed */
};

/* spec and peers, [peer_count], are borrowed; peers are filled. */
void max_fails_init(struct max_fails *pool, const struct max_fails_spec *spec,
                    struct max_fails_peer *peers, uint32_t peer_count);

/* The peer has left, or joined as a new one: what is known of it is void. */
void max_fails_member(struct max_fails *pool, uint32_t peer, bool is_there);

/* A request is sent to the peer. true: as a trial of one that had failed. */
bool max_fails_sent(struct max_fails *pool, uint32_t peer, int64_t now_ns);

/* An attempt at the peer is over. */
void max_fails_over(struct max_fails *pool, uint32_t peer, enum blame blame,
                    int64_t now_ns);

/* It has failed as often as it may, and no trial has succeeded since. */
bool max_fails_has_failed(const struct max_fails *pool, uint32_t peer);

/* It is left out now. */
bool max_fails_excludes(const struct max_fails *pool, uint32_t peer,
                        int64_t now_ns);

/* The first instant at which an excluded peer may be tried again. */
int64_t max_fails_until_ns(const struct max_fails *pool, uint32_t peer);

#endif
