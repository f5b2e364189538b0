/*
 * What the policies of a scenario would do, asked before any traffic: see
 * sim/frontdoor/rehearsal.h. The balancer is made as for replication 1. A
 * policy from a shared object is asked in a process of its own, for at most
 * five seconds: what it does there is not done to the program.
 */
#ifndef SIM_SCENARIO_REHEARSE_H
#define SIM_SCENARIO_REHEARSE_H

#include "sim/scenario/scenario.h"

#include <stdbool.h>
#include <stdint.h>

#define REHEARSE_KEYS                                      \
    100000u /* asked for by rehearse_key_share, fewer when \
               more than ten policies are listed */
#define REHEARSE_POLICIES                                \
    50u /* beyond, nothing is asked: it would take long, \
           and nobody reads so many notes */

#define REHEARSE_HOW 100

/*
 * Whether a policy from a shared object comes back from a play without stuck
 * nodes; what is built in does. false: ret_how says "died of SIGSEGV (a bad
 * address)" and the like, and none of what follows should be asked.
 */
bool rehearse_comes_back(const struct scenario *scenario, uint32_t policy,
                         char ret_how[REHEARSE_HOW]);

/* How a policy spreads keys: the largest share of a node over its share by
   weight, which is 1 for an even spread, and whose it is. */
struct key_share {
    double max_over_mean; /* NaN: the policy does not go by keys, requests have
                             none, or it was not asked */
    uint32_t node;
    uint32_t keys; /* that were asked for */
};

/* false: no memory. */
bool rehearse_key_share(const struct scenario *scenario, uint32_t policy,
                        struct key_share *ret);

/* Whether the pool and the policies are few enough for the plays below to take
   well under a second together. */
bool rehearse_is_quick(const struct scenario *scenario);

/* Whether picks change with the weights that groups were given. true where it
   cannot be told: all weights are equal, or the policy would not play. */
bool rehearse_goes_by_weights(const struct scenario *scenario, uint32_t policy);

/* Whether picks would change if one node weighed more than it does, and if one
   were in slow start. true where it cannot be told: the policy would not play,
   or there is one node. */
bool rehearse_minds_weight_changes(const struct scenario *scenario,
                                   uint32_t policy);
bool rehearse_minds_warm_up(const struct scenario *scenario, uint32_t policy);

/*
 * The share of all requests that a node of the group gets, on average over the
 * group, if its nodes never answer and all others do: what a policy sends
 * there whatever happens. NaN: not known, as of a policy that held or refused
 * more than half of what it was asked.
 */
double rehearse_share_when_stuck(const struct scenario *scenario,
                                 uint32_t policy, uint32_t group);

#endif
