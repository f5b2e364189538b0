/*
 * What a scenario says at a path: for whoever compares several of them.
 */
#ifndef SIM_SCENARIO_LOOKUP_H
#define SIM_SCENARIO_LOOKUP_H

#include "sim/scenario/scenario.h"

#include <stdbool.h>

#define LOOKUP_TEXT_SIZE 80

struct lookup_value {
    char text[LOOKUP_TEXT_SIZE]; /* as written: "250 ms"; longer ones are cut */
    double number;    /* in the unit; NaN: the setting takes no number */
    const char *unit; /* "s", "/s", "B", or "" */
};

enum lookup_status {
    LOOKUP_FOUND,
    LOOKUP_NO_SETTING, /* there is no such path */
    LOOKUP_NO_VALUE    /* the scenario does not write it out, or a block */
};

/*
 * path: "balancer.report_interval", "nodes[gpu].count", "faults[0].at".
 * Defaults are found only where they are written out, as in an effective
 * scenario.
 */
enum lookup_status scenario_lookup(const struct scenario *scenario,
                                   const char *path, struct lookup_value *ret);

#endif
