/*
 * What a scenario says about a shared result tier: a cache of whole answers in
 * front of all balancers, such as a Redis. Plain data, in base units, checked
 * by who fills it.
 */
#ifndef SIM_FRONTDOOR_TIER_SPEC_H
#define SIM_FRONTDOOR_TIER_SPEC_H

#include <stdbool.h>
#include <stdint.h>

enum tier_fill { TIER_FILL_AT_ANSWER, TIER_FILL_AT_MISS };

/* A stretch of time in which look-ups fail and nothing is stored. */
struct tier_outage {
    int64_t at_ns, for_ns; /* for_ns above 0 */
    bool cold;             /* it comes back empty */
};

struct tier_spec {
    bool given;
    uint64_t entries;       /* 0: no limit by entries */
    uint64_t bytes;         /* 0: no limit by bytes */
    double bytes_per_token; /* size of an answer: this times output tokens, at
                               least 1 byte */
    int64_t ttl_ns;         /* INT64_MAX: answers do not age */
    int64_t hit_time_ns;    /* from the arrival to the answer of a hit */
    int64_t miss_time_ns;   /* what a miss costs before the pick */
    int64_t timeout_ns;     /* what a look-up costs during an outage */
    enum tier_fill fill;
    uint32_t outage_count;
    const struct tier_outage *outages; /* [outage_count] in order of time,
                                          apart from each other */
};

/* INT64_MAX: never. */
int64_t tier_outage_end_ns(const struct tier_outage *outage);

/* The share of [from_ns, to_ns) in which it is out. */
double tier_out_share(const struct tier_spec *spec, int64_t from_ns,
                      int64_t to_ns);

#endif
