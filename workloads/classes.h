/*
 * Classes: kinds of requests, such as chat and code, with sizes, urgency and
 * wishes of their own.
 *
 * A class is drawn for each request from a lane of its own, so that it is the
 * same for every policy and neither arrivals nor keys shift when shares do. A
 * prompt that may come again has a fixed class too: the same prompt is the
 * same kind of question, so it comes from a stream of the key. Shares then
 * hold for prompts, and for requests as far as no prompt is asked much more
 * often than others.
 *
 * What a class does not say of its sizes is the workload's own. Sizes of all
 * classes come from the same lanes: a request that changes its class keeps its
 * luck.
 */
#ifndef WORKLOADS_CLASSES_H
#define WORKLOADS_CLASSES_H

#include "workloads/dist.h"
#include "workloads/rng.h"

#include <stdbool.h>
#include <stdint.h>

#define CLASSES_MAX 200

/* How much a class minds being turned away when there is too much to do. */
enum class_urgency { CLASS_BACKGROUND, CLASS_NORMAL, CLASS_INTERACTIVE };
enum { CLASS_URGENCIES = 3 };

struct workload_class {
    const char *name;
    double share; /* of requests, 0 to 1; those of all classes sum to 1 */
    struct dist input_tokens, output_tokens; /* DIST_NONE: the workload's */
    struct dist work;                        /* s at speed 1; likewise */
    struct dist noise;                       /* scaled to mean 1; likewise */
    struct dist patience;                    /* s in a queue; likewise */
    uint32_t max_output_tokens; /* what a client allows and a router knows;
                                   0: unsaid */
    uint32_t priority;          /* higher is more urgent; at most INT32_MAX */
    uint32_t urgency;           /* enum class_urgency */
    bool batched;               /* a front door may collect its requests */
    int64_t deadline_ns;        /* from arrival; INT64_MAX: none */
    uint32_t model; /* that it asks for, a number of the scenario's list;
                       0: any will do */
};

/* The class of one draw by the shares; count is 1 or more. A class of share 0
   is never drawn. */
uint32_t classes_draw(const struct workload_class *classes, uint32_t count,
                      struct rng *rng);

#endif
