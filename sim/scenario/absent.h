/*
 * Faults of nodes that are not there.
 *
 * Where counts of nodes are varied, as by a plan, a fault cannot strike nodes
 * that a mix lacks: it strikes the others of its target, and where there are
 * none it does not happen.
 */
#ifndef SIM_SCENARIO_ABSENT_H
#define SIM_SCENARIO_ABSENT_H

#include "sim/scenario/scenario.h"

#include <stdbool.h>
#include <stdint.h>

enum absence {
    ABSENT_NOBODY, /* all whom it strikes are there */
    ABSENT_SOME,
    ABSENT_ALL, /* so it does not happen */
    ABSENT_NO_MEMORY
};

/* Of whom a fault strikes in a mix; counts: [scenario->group_count] nodes. */
enum absence absent_of_fault(const struct scenario *scenario, uint32_t fault,
                             const uint32_t *counts);

/* Whom the fault strikes, as the scenario says; "": the shared tier. */
const char *absent_target_text(const struct scenario *scenario, uint32_t fault);

/*
 * Hands out overrides as scenario_load() takes them, which with these counts
 * leave of the faults what can strike. false: no memory, or add returned false,
 * and no more were handed out.
 */
bool absent_leave_out(const struct scenario *scenario, const uint32_t *counts,
                      bool (*add)(void *context, const char *override),
                      void *context);

#endif
