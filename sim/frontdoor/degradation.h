/*
 * Tiered degradation: a worse answer in time instead of none.
 *
 * A request has four levels, and goes down them one by one:
 *
 *   primary   the model that it asks for
 *   light     another model, smaller and faster
 *   cached    an answer that was given before, however old
 *   canned    "sorry, try again later": a failure, but a quick one
 *
 * The primary has a share of the request's deadline (60 %) to its first token.
 * Without it by then, or when there is no node for it, when it was refused or
 * has failed, it is abandoned and the light model has the rest. Is the light
 * model expected to take longer than that, the cache is asked at once; and it
 * is asked when the light model fails or has not answered in time.
 *
 * A class whose primary has failed so often in a row (5) is not sent there for
 * a while (10 s): waiting 60 % of the deadline each time would be of no use.
 * Then a share of its requests (10 %, every tenth) tries, and the first answer
 * opens the way for all; a failure closes it for another while. Without a light
 * model there is nowhere to go instead, so all are sent to the primary.
 *
 * This module decides; it is told the time and keeps no clock. Each balancer
 * has its own belief of each class.
 */
#ifndef SIM_FRONTDOOR_DEGRADATION_H
#define SIM_FRONTDOOR_DEGRADATION_H

#include <stdbool.h>
#include <stdint.h>

enum degradation_level {
    LEVEL_PRIMARY,
    LEVEL_LIGHT,
    LEVEL_CACHED,
    LEVEL_CANNED,
    LEVEL_COUNT
};

struct degradation_spec {
    bool given;
    uint32_t light;         /* model; 0: there is no such level */
    int64_t expected_ns;    /* what the light model takes; negative: worked out
                               from the costs of its nodes */
    double primary_share;   /* of the deadline, up to the first token */
    int64_t after_ns;       /* instead of that share; negative: unsaid */
    bool cached;            /* there is a cache of old answers */
    uint64_t cache_entries; /* 1 or more */
    int64_t hit_time_ns;
    uint32_t failures; /* of a class in a row; 0: never skips the primary */
    int64_t skip_ns;
    double probe_share;          /* of requests after that, above 0 */
    double quality[LEVEL_COUNT]; /* what an answer is worth, for goodput */
};

/* Plain data: what a balancer believes of a class. All zero: nothing yet. */
struct degradation_belief {
    uint32_t failures; /* in a row */
    bool skips;
    int64_t skip_until_ns;
    double credit; /* of probes: 1 is one request */
};

/* When the primary must have its first token, of a request that arrived then
   and has that long (INT64_MAX: no deadline). INT64_MAX: whenever it likes. */
int64_t degradation_primary_until_ns(const struct degradation_spec *spec,
                                     int64_t arrived_at_ns,
                                     int64_t deadline_after_ns);

/* When the light model must have answered, so that the cache can in time. */
int64_t degradation_light_until_ns(const struct degradation_spec *spec,
                                   int64_t arrived_at_ns,
                                   int64_t deadline_after_ns);

/* Where a request begins: LEVEL_PRIMARY, or, to skip it, LEVEL_LIGHT. */
enum degradation_level degradation_begin(const struct degradation_spec *spec,
                                         struct degradation_belief *belief,
                                         int64_t now_ns);

/* The level after one that came to nothing, at now_ns. expected_ns: what the
   light model is expected to take. until_ns: when it must have answered. The
   cache is a level even if it is off or has no such answer: it then misses. */
enum degradation_level degradation_next(const struct degradation_spec *spec,
                                        enum degradation_level failed,
                                        int64_t expected_ns, int64_t until_ns,
                                        int64_t now_ns);

/* A request of the class had its answer from the primary, or has been given up
   there. */
void degradation_primary_answered(const struct degradation_spec *spec,
                                  struct degradation_belief *belief,
                                  int64_t now_ns);
void degradation_primary_failed(const struct degradation_spec *spec,
                                struct degradation_belief *belief,
                                int64_t now_ns);

#endif
