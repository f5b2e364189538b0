/*
 * Panic: when too few nodes are held healthy, a balancer disbelieves itself.
 *
 * All traffic on the few that are left may only kill them too, and where most
 * nodes look dead it is likelier that the looking is wrong. So below a
 * threshold every member is eligible again, whatever checks and observation
 * say (Envoy's "panic threshold", policies 6.1 of the design; here with one
 * level of priority).
 */
#ifndef SIM_FRONTDOOR_PANIC_H
#define SIM_FRONTDOOR_PANIC_H

#include <stdbool.h>
#include <stdint.h>

struct panic_spec {
    bool given;
    double threshold; /* share of members held healthy; 0: never */
};

/*
 * Whether so many healthy of all members are too few. As the namesake has it:
 * less than the threshold, and also less than 1 / 1.4 of all, as its levels
 * count 40 % more than they have.
 */
bool panic_holds(const struct panic_spec *spec, uint32_t healthy,
                 uint32_t members);

#endif
