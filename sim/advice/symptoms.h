/*
 * Which nodes fare badly, for how long: symptoms, before anybody asks why.
 *
 *   hot       busy for at least hot_ratio, and a quarter busier than the pool,
 *             which so has room elsewhere
 *   idle      at most half as busy as the pool and below idle_ratio, while
 *             another node is hot
 *   swallows  holds requests and serves none of them, and loses at least a
 *             fiftieth of what it is sent, or none if it is only late
 *   loses     of what is sent there twice as much is lost as of what is sent to
 *             the others, and at least a fiftieth
 *   left_out  well, and kept out by balancers for what traffic told, while
 *             another node is hot
 *   surges    a queue four times as long as the node's load explains, and one
 *             request more: by Erlang's formula, as if services were
 *             exponential; what arrives, arrives in bunches. Not where most of
 *             it waits while all nodes are full
 *
 * hot, idle and left_out are looked for in means over the runs and over
 * spells of long_s; so a node is found that is hot in all replications, and not
 * one that luck makes hot in one. Nodes of one group with the same symptom are
 * one finding.
 */
#ifndef SIM_ADVICE_SYMPTOMS_H
#define SIM_ADVICE_SYMPTOMS_H

#include "sim/advice/watch.h"
#include "sim/scenario/scenario.h"

struct symptom_bounds {
    double hot_ratio, idle_ratio; /* 0 to 1 */
    double long_s;                /* more than 0 */
};

enum symptom {
    SYMPTOM_HOT,
    SYMPTOM_IDLE,
    SYMPTOM_SWALLOWS,
    SYMPTOM_LOSES,
    SYMPTOM_LEFT_OUT,
    SYMPTOM_SURGES,
    SYMPTOM_COUNT
};

extern const char *const symptom_names[SYMPTOM_COUNT];

/* One node, one uninterrupted time. */
struct span {
    enum symptom symptom;
    uint32_t node, from, to; /* buckets from .. to - 1 */
};

struct finding {
    enum symptom symptom;
    uint32_t group;
    uint32_t first_node, nodes; /* of the group; how many have it */
    uint32_t first, count;      /* its spans: spans[first .. first + count) */
    double start_s, end_s, total_s; /* from the first to the last; of a node,
                                       on average */
    double level;                   /* mean use, share lost, or requests held
                                       or waiting, by symptom */
    double others; /* the same of the pool, where it compares; else NaN */
};

struct symptoms {
    struct span *spans; /* by group, symptom, node, time */
    uint32_t span_count, span_capacity;
    struct finding *findings; /* [finding_count] */
    uint32_t finding_count;
    bool pool_is_full; /* most of the time all nodes are busy: no room anywhere
                        */
    double pool_use;   /* mean over the window */
    double full_s;     /* for how long all nodes are busy */
};

/* false: no memory. symptoms_done is due either way. */
bool symptoms_find(const struct watch *watch, const struct scenario *scenario,
                   const struct symptom_bounds *bounds, struct symptoms *ret);
void symptoms_done(struct symptoms *symptoms);

/*
 * How much of the finding there is in one run, 0 or more: node seconds of use
 * above or below the pool's, request seconds held for nothing, lost attempts,
 * requests waiting. The watch may be another one of the same scenario.
 */
double symptoms_excess(const struct symptoms *symptoms,
                       const struct finding *finding, const struct watch *watch,
                       uint32_t run);

#endif
