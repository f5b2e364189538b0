/*
 * How many nodes? For each policy the cheapest mix of nodes that meets the
 * scenario's goals at its load and some headroom, and still does when nodes of
 * any one group are lost: see scenario->plan.
 *
 * A candidate is a mix; its trials are experiments with the scenario's policy,
 * seed and replications, and other counts of nodes and heavier traffic. It is
 * good enough when every goal is met in every trial by its whole confidence
 * interval. Where an interval still holds the bound, replications are doubled
 * up to plan.replications; where that does not settle it either, the mix
 * counts as not good enough, and the result says how many would.
 *
 * Confidence is that no mix of a policy that is called good enough falls short,
 * for the cheapest of many is chosen. Of what may be wrong, alpha, the k-th mix
 * that is asked spends alpha_k = alpha / (k H), where H is the sum of 1/k up to
 * the most mixes that can be asked, so that all of them spend alpha at most,
 * whatever is asked. A mix that falls short does so in some goal of some trial,
 * and is called good enough only if that very interval is too good at one of
 * its looks; so intervals have alpha_k / looks on each side. That a mix is
 * called not good enough wrongly is up to goals times trials times as likely.
 * Intervals are Student's t of the values of replications.
 *
 * A fault does not strike nodes that a mix lacks, nor those that are lost;
 * where none of its target is there it does not happen. Mixes in which other
 * faults happen do not speak for each other, nor does one that cannot be
 * simulated: that is neither good enough nor not.
 *
 * Mixes that cannot do whatever the policy, because more work arrives than
 * their nodes can ever do, are not simulated.
 */
#ifndef SIM_EXPERIMENT_PLAN_H
#define SIM_EXPERIMENT_PLAN_H

#include "sim/experiment/outcome.h"
#include "sim/experiment/plan_search.h"
#include "sim/scenario/scenario.h"

#include <stdbool.h>
#include <stdint.h>

/* One experiment to be run: a single policy of the scenario, other counts. */
struct plan_variant {
    uint32_t policy;        /* of the scenario */
    const uint32_t *counts; /* [group_count] */
    double load;            /* times the scenario's traffic */
    uint32_t replications;
};

#define PLAN_REASON_SIZE 160

enum plan_ran {
    PLAN_RAN,
    PLAN_CANNOT_RUN, /* such a scenario cannot be, as ret_reason says */
    PLAN_GIVE_UP     /* not run, or not whole: the plan ends with what it has */
};

struct plan_setup {
    const struct scenario *scenario; /* borrowed; its trace is open */
    uint32_t limit_candidates;       /* of a policy, 1 or more */
    /* Runs it; policies[0] of *ret is the policy. *ret is released whatever
       comes. */
    enum plan_ran (*simulate)(void *context, const struct plan_variant *variant,
                              struct experiment_result *ret,
                              char ret_reason[PLAN_REASON_SIZE]);
    /* Whether the policy is to be planned: no search hangs on another, so a
       part may be. The others are left empty. NULL: all. */
    bool (*wants)(void *context, uint32_t policy);
    void *context;
};

struct plan_goal {
    enum plan_answer answer;
    double value;  /* NaN: absent; INFINITY: beyond all bounds */
    double lo, hi; /* NaN: no interval */
    double margin; /* by which it is better than the bound, as a share of it, or
                      of what a ratio may lack of 1; negative: worse; NaN: no
                      value, or a share of nothing */
    uint64_t replications_needed; /* that would tell; 0: told, or more than a
                                     million */
};

enum plan_trial_kind {
    PLAN_AT_LOAD,     /* all nodes, the scenario's own load */
    PLAN_AT_HEADROOM, /* all nodes */
    PLAN_NODES_LOST
};

struct plan_trial {
    enum plan_trial_kind kind;
    uint32_t group, lost;          /* PLAN_NODES_LOST: of which, how many */
    double load;                   /* times the scenario's traffic */
    double use;                    /* load of capacity; NaN: not known */
    uint32_t replications;         /* 0: there was nothing to simulate */
    char reason[PLAN_REASON_SIZE]; /* then: why; "" else */
    bool growing;                  /* queues still grew at the end */
    bool without_chance;           /* one run says it all */
    enum plan_answer answer;
    struct plan_goal *goals; /* [goal_count] */
};

struct plan_candidate {
    uint32_t counts[PLAN_GROUPS_MAX]; /* of the groups that vary */
    uint32_t nodes;                   /* of all groups */
    double level;                     /* confidence of each interval */
    double cost_per_hour;             /* of all; NaN: nobody states a cost */
    enum plan_answer answer;
    uint32_t trial_count; /* up to the first that is not met */
    struct plan_trial *trials;
};

struct plan_policy {
    const char *label; /* borrowed from the scenario */
    struct plan_found found;
    uint32_t candidate_count;
    struct plan_candidate *candidates; /* as asked */
    uint32_t best;    /* of candidates; candidate_count: none. Its trials are
                         all there, the one at the scenario's load first */
    uint32_t nearest; /* that missed by least; candidate_count: none */
    uint32_t maybe;   /* the cheapest that more replications might find enough,
                         cheaper than best if there is one; candidate_count:
                         none, so that nothing is undecided */
    double bears;     /* times the scenario's load, by the means, to 1 %; NaN:
                         no mix, or not looked for */
    bool bears_more;  /* the search for it ended before a goal was missed */
};

/* What queueing theory says of a group alone, for the same load and goals: one
   shared queue, Poisson arrivals, exponential service, no policy. */
struct plan_reference {
    uint32_t group;
    bool known;      /* its engine has slots, and the load is known */
    bool by_goals;   /* goals of latency or wait; else one arrival in five may
                        wait */
    double erlangs;  /* mean requests in service at the headroom */
    uint32_t slots;  /* of a node */
    uint32_t erlang; /* nodes by Erlang C; 0: service alone takes too long */
    uint32_t root;   /* nodes by the square-root rule; 0: likewise */
};

enum plan_status {
    PLAN_OK, /* see the policies: some may have no mix */
    PLAN_NO_MEMORY,
    PLAN_NO_GOALS,
    PLAN_NO_GROUPS, /* none may vary */
    PLAN_UNBOUNDED, /* group: nothing says how many nodes could be needed */
    PLAN_TOO_MANY   /* mixes */
};

struct plan_result {
    uint32_t range_count;
    struct plan_range ranges[PLAN_GROUPS_MAX]; /* with their most */
    uint64_t mixes;
    uint32_t group;   /* of PLAN_UNBOUNDED */
    uint32_t answers; /* mixes that can be asked of a policy */
    uint32_t looks;   /* at a trial, at most */
    bool by_value; /* one replication of a trace: no intervals, values decide */
    uint32_t policy_count;
    struct plan_policy *policies;                      /* [policy_count] */
    struct plan_reference references[PLAN_GROUPS_MAX]; /* [range_count] */
    bool stopped; /* simulate said so: policies may be missing or unfinished */
};

/* Whether the fault finds less of its target in some trials of the plan, or
   nothing: those of the smallest mixes. */
bool plan_may_lack_target(const struct scenario *scenario,
                          const struct plan_result *result, uint32_t fault);

/* *ret is to be released by plan_done whatever the status. */
enum plan_status plan_run(const struct plan_setup *setup,
                          struct plan_result *ret);
void plan_done(struct plan_result *result);

/* The trial of a candidate that decides: the first that is not met, else the
   one with the least margin. NULL: it has none. */
const struct plan_trial *
plan_worst_trial(const struct plan_candidate *candidate, uint32_t goals);

/* Replications that would tell whether the candidate is enough; 0: not known.
 */
uint64_t plan_replications_needed(const struct plan_candidate *candidate,
                                  uint32_t goals);

/* The least margin over the goals; NaN: none has one. */
double plan_trial_margin(const struct plan_trial *trial, uint32_t goals);

#endif
