/*
 * Dynamic weights: a node's own word about its use moves its weight.
 *
 *   steps          every period: down by 2 above 80 % use but not below 1, up
 *                  by 1 below 30 % but not above twice the configured weight
 *                  (mechanisms 4.1 of the design). Exactly 80 % or 30 % is
 *                  neither. A word that is no newer than the last one, or none
 *                  at all, changes nothing
 *   haproxy_agent  the node's agent answers with the idle share of its
 *                  processor as a percentage of the configured weight, whose
 *                  product is cut to a whole number, 256 at most
 * (src/server.c). 0 is a drain: what is there stays, nothing new comes
 *
 * Both are loops with a delay: what a weight does shows in the use only after
 * the reports have told. The steps are uneven, so they swing (see
 * scenarios/articles/dynamic_weights.yaml).
 */
#ifndef SIM_FRONTDOOR_DYNAMIC_WEIGHTS_H
#define SIM_FRONTDOOR_DYNAMIC_WEIGHTS_H

#include <stdbool.h>
#include <stdint.h>

enum dynamic_weights_rule {
    DYNAMIC_WEIGHTS_STEPS,
    DYNAMIC_WEIGHTS_HAPROXY_AGENT
};

struct dynamic_weights_spec {
    bool given;
    enum dynamic_weights_rule rule;
    int64_t period_ns;
    double above, below; /* shares; below is less than above */
    uint32_t down, up;   /* steps, 1 or more */
    double cap;          /* times the configured weight, 1 or more */
    bool returns;        /* between the two, one step a period back to it */
};

/* The weight after a period with that use (0 to 1), by steps. */
uint32_t dynamic_weights_step(const struct dynamic_weights_spec *spec,
                              uint32_t configured, uint32_t weight, double use);

/* What an agent's "percent%" makes of the configured weight. */
uint32_t dynamic_weights_agent(uint32_t configured, uint32_t percent);

/* What an agent says that goes by use: the idle share in whole percent. */
uint32_t dynamic_weights_idle_percent(double use);

#endif
