/*
 * What a scenario says about a plan of capacity: which groups may have how many
 * nodes, and what the mix must bear. Plain data; sim/experiment/plan.h searches
 * by it. It changes no result of a run.
 */
#ifndef SIM_SCENARIO_PLAN_SPEC_H
#define SIM_SCENARIO_PLAN_SPEC_H

#include <stdint.h>

#define PLAN_GROUPS_MAX 8          /* that may vary in one plan */
#define PLAN_BY_LOAD UINT32_MAX    /* of plan_range.most */
#define PLAN_COUNT_MAX 10000u      /* nodes of a group */
#define PLAN_REPLICATIONS_TIMES 4u /* as many at most, unless said */

enum plan_minimise {
    PLAN_NODES,
    PLAN_COST,  /* by cost_per_hour; a tie goes to fewer nodes */
    PLAN_UNSAID /* until loaded */
};

struct plan_range {
    uint32_t group;       /* of the scenario */
    uint32_t least, most; /* inclusive; most may be PLAN_BY_LOAD */
};

struct plan_spec {
    double headroom; /* times the scenario's load, such as 1.2 */
    uint32_t lose;   /* nodes that may be lost at once, of any one group */
    double lose_at;  /* times the scenario's load, while they are gone */
    enum plan_minimise minimise;
    uint32_t replications; /* of a mix that is hard to judge, at most */
    uint32_t range_count;  /* 1 or more once loaded, unless no group may vary */
    const struct plan_range *ranges; /* [range_count] in order of the groups */
};

#endif
