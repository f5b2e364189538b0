/*
 * The cheapest mix of nodes that is good enough, found by few questions.
 *
 * Mixes are the points of a grid: so many nodes of each group that may vary.
 * A question is dear (it is simulated), so the search takes for granted that
 * more nodes do no harm: a mix that fails speaks for all that have no more
 * nodes of any group, and one that is good enough ends the interest in all
 * that are not cheaper. Among the mixes that are still open it asks for the one
 * whose answer, whichever comes, closes most. With one group that is halving;
 * with more it closes in on the staircase between good and bad.
 *
 * Whether more nodes do no harm is looked at, for there are policies and nodes
 * with which they do: each neighbour of the answer with one node more is asked,
 * and of each group alone the most that is cheaper; where nothing was good
 * enough, the corners of the grid. Once one answer contradicts, what had been
 * inferred is forgotten, and every cheaper mix is asked, in order.
 *
 * Pure and deterministic: it knows neither scenarios nor policies.
 */
#ifndef SIM_EXPERIMENT_PLAN_SEARCH_H
#define SIM_EXPERIMENT_PLAN_SEARCH_H

#include "sim/scenario/plan_spec.h"

#include <stdbool.h>
#include <stdint.h>

#define PLAN_MIXES_MAX 4000000u /* points of a grid */

enum plan_answer {
    PLAN_MET,
    PLAN_MISSED,
    PLAN_CANNOT_TELL, /* counts as missed */
    PLAN_NOT_RUN,     /* cannot be simulated: says nothing, of others neither */
    PLAN_STOPPED      /* there is no answer, and will be none */
};

struct plan_grid {
    uint32_t groups;                 /* 1 to PLAN_GROUPS_MAX */
    uint32_t least[PLAN_GROUPS_MAX]; /* inclusive */
    uint32_t most[PLAN_GROUPS_MAX];
    double price[PLAN_GROUPS_MAX]; /* of a node, 0 or more */
    uint32_t other_nodes;          /* that do not vary */
};

/* Mixes of the grid; more than PLAN_MIXES_MAX: PLAN_MIXES_MAX + 1. */
uint64_t plan_grid_mixes(const struct plan_grid *grid);

struct plan_search {
    struct plan_grid grid;
    /* Whether a mix cannot do, so that it need not be asked. */
    bool (*is_hopeless)(void *context, const uint32_t *counts);
    enum plan_answer (*ask)(void *context, const uint32_t *counts);
    /* Only mixes of the same kind speak for each other; NULL: all are. */
    uint32_t (*kind_of)(void *context, const uint32_t *counts);
    void *context;
    const uint32_t *guess; /* asked first, and larger ones until one is good
                              enough or outside the grid; or NULL */
    uint32_t limit;        /* of questions, 1 or more */
};

/* Two mixes whose answers contradict: fewer is good enough, more is not. */
struct plan_contradiction {
    bool told; /* more is missed; false: it cannot be told */
    uint32_t fewer[PLAN_GROUPS_MAX], more[PLAN_GROUPS_MAX];
};

enum plan_end {
    PLAN_FOUND,      /* nothing cheaper is good enough, as far as is known */
    PLAN_INFEASIBLE, /* no mix of the grid is */
    PLAN_UNDECIDED,  /* likewise, but of one more replications might tell
                        otherwise: said by plan_run alone */
    PLAN_UNTRIED,    /* no mix is that could be simulated; some could not */
    PLAN_LIMITED,    /* out of questions */
    PLAN_ABANDONED   /* ask said PLAN_STOPPED */
};

struct plan_found {
    enum plan_end end;
    bool any;                       /* a mix is good enough */
    uint32_t best[PLAN_GROUPS_MAX]; /* the cheapest of those asked */
    uint32_t asked;
    uint32_t untried;         /* of these, PLAN_NOT_RUN */
    uint64_t mixes, hopeless; /* points of the grid, and those ruled out */
    uint64_t inferred;        /* by an answer about another, never asked */
    bool contradicted;
    struct plan_contradiction contradiction; /* the first */
};

/* false: no memory. The grid has at most PLAN_MIXES_MAX mixes, and none of its
   ranges runs backwards. */
bool plan_search_run(const struct plan_search *search, struct plan_found *ret);

#endif
