/*
 * What the end of an attempt says about the node that it was sent to: the one
 * language in which balancers learn from traffic (max_fails, observe, outliers,
 * breaker).
 *
 * The classes are those in which published rules differ. A connection that does
 * not come about is an error of the balancer's own side of the wire ("local
 * origin" for Envoy, layer 4 for HAProxy); a wrong answer, a stream that breaks
 * off and a time-out are the node's own. A full node that says so (HTTP 429 or
 * 503 with Retry-After) is overloaded and not at fault: taking it away makes
 * the others fuller. Unless a setting says otherwise its word is an answer, and
 * as good as any. And some ends say nothing at all, such as a client that goes
 * away.
 */
#ifndef SIM_FRONTDOOR_BLAME_H
#define SIM_FRONTDOOR_BLAME_H

#include <stdbool.h>

enum blame {
    BLAME_NOTHING,  /* the end says nothing about the node */
    BLAME_GOOD,     /* it answered, be it that the request was a bad one */
    BLAME_CONNECT,  /* no connection came about: refused, or a time-out */
    BLAME_BROKEN,   /* the stream broke off */
    BLAME_TIMEOUT,  /* connected, and silent for too long */
    BLAME_WRONG,    /* it answered with a failure of its own, an HTTP 5xx */
    BLAME_OVERLOAD, /* it is full and said so */
};

/* counts_overload: whoever asks takes a full node for a faulty one. */
static inline bool blame_is_fault(enum blame blame, bool counts_overload)
{
    if (blame == BLAME_OVERLOAD)
        return counts_overload;
    return blame >= BLAME_CONNECT;
}

#endif
