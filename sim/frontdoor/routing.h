/*
 * Model-aware routing: which nodes may take a request, by what it asks for.
 *
 * A table gives each class of requests an ordered list of rows, a row names a
 * model and the groups of nodes to look at. The first row counts whose model
 * is on at least one node that may be picked now and is large enough for the
 * request; the policy then chooses among the nodes of that row alone. When no
 * row of its class will do, the rows of a default class are tried, and when
 * these will not do either the request fails: "no model".
 *
 * So a list of rows is a list of preferences, and a failed or exhausted first
 * choice leads to the next by itself, also at a retry.
 *
 * Rows are turned into bit masks over nodes once; a choice ANDs words: rows
 * times nodes / 64 steps at worst.
 *
 * A classifier in front tells the class of a request, and errs: with the
 * probability 1 - accuracy it takes a request for another class, each other
 * one alike. Errors are drawn by the source of a request and its number there,
 * so the same request is taken for the same class under every policy, also in
 * a closed loop, and with other traffic on top.
 */
#ifndef SIM_FRONTDOOR_ROUTING_H
#define SIM_FRONTDOOR_ROUTING_H

#include "policies/lbp.h"
#include "sim/core/arena.h"
#include "workloads/rng.h"
#include "workloads/workload.h"

#include <stdbool.h>
#include <stdint.h>

/* Models are numbered from 1; number 0 is "any model", which every node
   serves. Numbers are bits of lbp_node.models. */
#define ROUTING_MODELS_MAX 64
#define ROUTING_ANY_MODEL 0

struct routing_row {
    uint32_t model;       /* 0: any node will do, the model is not asked for */
    uint32_t group_count; /* 0: all groups */
    const uint32_t *groups; /* [group_count] */
};

struct routing_rows {
    uint32_t count; /* 0: the class is not in the table */
    const struct routing_row *rows;
};

/* What a scenario says, as plain data, checked by who fills it. */
struct routing_spec {
    bool given;
    const struct routing_rows *classes; /* [class_count] */
    uint32_t class_count;
    bool has_default;
    uint32_t default_class;
};

struct classifier_spec {
    bool given;
    double accuracy; /* 0 to 1 */
};

/* --- the table at work ---------------------------------------------------- */

/* Nodes of a row that are large enough for so many tokens. */
struct routing_level {
    uint32_t max_context;  /* UINT32_MAX: no limit is known */
    const uint64_t *nodes; /* [words] */
};

struct routing_path {
    uint32_t model;
    uint32_t level_count; /* by max_context, rising */
    const struct routing_level *levels;
};

struct routing_paths {
    uint32_t count;
    const struct routing_path *paths;
};

/* Read-only once made: all balancers of a run share it. */
struct routing {
    uint32_t words, class_count;
    struct routing_paths *classes; /* [class_count] */
    struct routing_paths fallback; /* of the default class, count 0: none */
};

/* nodes: [node_count], of which models, group and max_context count. Everything
   is made in the arena. false: no memory. */
bool routing_init(struct routing *routing, const struct routing_spec *spec,
                  const struct lbp_node *nodes, uint32_t node_count,
                  struct arena *arena);

/*
 * The nodes for a request of that class that takes so many tokens, out of
 * `from`, [words], written to ret_nodes, [words]. barred, [model][words], takes
 * nodes out for single models, NULL for none. Returns how many there are,
 * and *ret_model which model they are to run; 0: no row will do, and the rest
 * means nothing.
 */
uint32_t routing_choose(const struct routing *routing, uint32_t request_class,
                        uint32_t tokens, const uint64_t *from,
                        const uint64_t *barred, uint64_t *ret_nodes,
                        uint32_t *ret_model);

/* --- the classifier ------------------------------------------------------- */

/* The main workload and its overlays. */
#define CLASSIFIER_SOURCES_MAX (1 + WORKLOAD_OVERLAYS_MAX)

/* Where the draws of a source stand. */
struct classifier_lane {
    struct rng_lane lane;
    uint64_t next; /* number of the request whose draws are at its start */
};

struct classifier {
    double accuracy;
    uint32_t class_count;
    struct classifier_lane lanes[CLASSIFIER_SOURCES_MAX];
};

void classifier_init(struct classifier *classifier,
                     const struct classifier_spec *spec, uint32_t class_count,
                     uint64_t seed, uint64_t replication);

/* What a request of that class is taken for. source: 0 for the main workload,
   else the overlay, from 1; number: the source's own. Asked in order of these
   numbers it takes fewest steps; the answer is the same in any order. */
uint32_t classifier_guess(struct classifier *classifier, uint32_t source,
                          uint64_t number, uint32_t request_class);

#endif
