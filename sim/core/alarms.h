/*
 * Alarms: events at any time that are not worth a leaf each, such as the end of
 * a back-off, the next tick of a mechanism or the moment to send a hedge.
 *
 * A binary heap of them stands behind one leaf of the event tree, which is set
 * to the first. What an alarm means is its owner's: a kind, what it is about,
 * and the epoch that says whether it is still wanted when it comes; alarms are
 * never taken back. Alarms of one instant come in the order in which they were
 * set, after whatever else happens then but samples.
 */
#ifndef SIM_CORE_ALARMS_H
#define SIM_CORE_ALARMS_H

#include "sim/core/event_tree.h"

#include <stdbool.h>
#include <stdint.h>

struct alarm {
    int64_t at_ns;
    uint64_t order; /* of setting */
    uint32_t kind, subject, epoch;
};

struct alarms {
    struct alarm *heap; /* [capacity] the first on top */
    uint32_t count, capacity;
    uint32_t leaf, subject; /* EVENT_NO_LEAF until it is first used */
    uint64_t next_order;
};

/* Its event will be about `subject`. Takes nothing until it is used. */
void alarms_init(struct alarms *alarms, uint32_t subject);
void alarms_done(struct alarms *alarms);

/* at_ns must not lie in the past. false: no memory. */
bool alarms_set(struct alarms *alarms, struct event_tree *tree, int64_t at_ns,
                uint32_t kind, uint32_t subject, uint32_t epoch);

/* Takes the first out, once its event has come. */
struct alarm alarms_pop(struct alarms *alarms, struct event_tree *tree);

#endif
