/*
 * Small rules of scaling that need no memory, or hardly any:
 *
 *   schedule   so many nodes from a time of the day on
 *   threshold  one more above a value, one less below another
 *   goal       more while a latency goal is missed, fewer while it is met with
 *              room to spare
 */
#ifndef SIM_CLUSTER_SCALE_RULES_H
#define SIM_CLUSTER_SCALE_RULES_H

#include <stdbool.h>
#include <stdint.h>

/* --- schedule --------------------------------------------------------------
 */

struct schedule_entry {
    int64_t at_ns; /* since the start of the day */
    uint32_t nodes;
};

struct schedule_spec {
    const struct schedule_entry *entries; /* [count] by rising at_ns */
    uint32_t count;
    int64_t day_ns; /* after which it begins anew; 0: never */
};

/* What the schedule says at a time since the start: the last entry not after
   it. Before the first: that of the day before or, without a day, `before`. */
uint32_t schedule_nodes(const struct schedule_spec *spec, uint32_t before,
                        int64_t now_ns);

/* When it says something else, or at least again; INT64_MAX: never more. */
int64_t schedule_next_ns(const struct schedule_spec *spec, int64_t now_ns);

/* --- threshold -------------------------------------------------------------
 */

struct threshold_spec {
    double above, below; /* of the mean over the nodes there are */
    /* Before one goes: the others inherit its load, and must stay below too. A
       rule that forgets it goes up and down for ever. */
    bool inherits;
};

/* value: the metric's mean over `current` nodes. May return 0. */
uint32_t threshold_next(const struct threshold_spec *spec, uint32_t current,
                        double value);

/* --- goal ------------------------------------------------------------------
 */

struct goal_scale_spec {
    double target;     /* the goal: the measure is to be at most that */
    double relax;      /* share of the target below which one node may go */
    double max_factor; /* at most so many times the nodes at once, above 1 */
    uint32_t patience; /* looks in a row that must say fewer */
};

/* relax 0.5, factor 2, patience 4. */
struct goal_scale_spec goal_scale_defaults(void);

struct goal_scale {
    const struct goal_scale_spec *spec;
    uint32_t fewer; /* looks in a row that said fewer */
};

/* value: the measure over the last window; negative: nobody was served. Missed
   by a factor, the nodes grow by it; a latency rises much faster than load, so
   that is plenty. */
uint32_t goal_scale_next(struct goal_scale *goal, uint32_t current,
                         double value);

#endif
