/*
 * What facts need of nodes: how fast, how strong, how weighted. Private to
 * the files of sim/advice.
 */
#ifndef SIM_ADVICE_FLEET_H
#define SIM_ADVICE_FLEET_H

#include "sim/advice/draws.h"

/* The group whose nodes serve a request soonest when idle, by speed and costs
   of a typical request: 1,000 tokens in, 100 out where tokens cost. */
uint32_t fleet_fastest(const struct scenario *scenario);

struct fleet {
    double speeds;     /* mean need on the slowest group over the fastest */
    double capacities; /* of one node, largest over smallest */
    double weights;    /* largest over smallest */
    double misfit;     /* weight per capacity, largest over smallest */
    double weighted_s; /* seconds of the fullest node per request of the pool
                          when shares follow the weights */
    uint32_t slots;    /* fewest served at once; 0: no limit */
    bool plain;        /* slots that are independent of each other */
};

void fleet_look(const struct scenario *scenario, const struct draws *draws,
                struct fleet *ret);

/* Requests per second that a node of the group serves, all slots busy. */
double fleet_capacity_per_s(const struct scenario *scenario, uint32_t group,
                            double need_s);

#endif
