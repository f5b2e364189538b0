/*
 * Inside the linter: what its files have in common. lint.c holds the rules of
 * the whole scenario, the others those of the subject that they are named for.
 */
#ifndef SIM_SCENARIO_LINT_RULES_H
#define SIM_SCENARIO_LINT_RULES_H

#include "sim/scenario/draft.h"

#include <stdarg.h>
#include <stdbool.h>

struct linter {
    const struct scenario *scenario;
    const struct tree *root, *workload, *balancer;
    struct diag *diag;
    bool may_rehearse; /* the policies can be asked, and take no time for it */
};

/* A warning at a value, or, at NULL, about the file. hint may be NULL. */
__attribute__((format(printf, 4, 5))) void lint_say(const struct linter *linter,
                                                    const struct tree *at,
                                                    const char *hint,
                                                    const char *format, ...);
__attribute__((format(printf, 4, 0))) void
lint_warn(const struct linter *linter, const struct tree *at, const char *hint,
          const char *format, va_list arguments);

/* The key of a setting that was given another value than its default; NULL: it
   was not. What a scenario spells out by default is no mistake. */
const struct tree *lint_changed(const struct tree *map, const char *path);

/* --- lint_agent.c --- */

void lint_agent(const struct linter *linter);

/* --- lint_degrade.c --- */

void lint_degrade(const struct linter *linter);

/* --- lint_batching.c --- */

/* Batching at the front door. */
void lint_batching(const struct linter *linter);

/* --- lint_load.c --- */

void lint_load(const struct linter *linter);

/* --- lint_waits.c --- */

/* Whether requests of the class (0 without classes) of a part of the traffic
   wait for however long it takes; else time-outs, deadlines or patience keep
   their queues from growing without end. */
bool lint_class_stays(const struct scenario *scenario,
                      const struct workload_spec *part, uint32_t of_class);

/* --- lint_nodes.c --- */

void lint_nodes(const struct linter *linter);

/* As many requests as the node, as busy as it can be, serves in the time that
   one takes alone: slots, or what a limit and its slowdown come to. May be
   infinite. */
double lint_served_at_once(const struct engine_spec *engine);

/* --- lint_batch.c --- */

/* An engine that batches, or that was given what only such a one has. */
void lint_batch(const struct linter *linter, const struct tree *engine,
                const struct engine_spec *spec);

/* --- lint_scaling.c --- */

/* Nodes that come and go. */
void lint_scaling(const struct linter *linter);

/* --- lint_policies.c --- */

void lint_policies(const struct linter *linter);

/* --- lint_routing.c --- */

void lint_routing(const struct linter *linter);

/* Whether any node refuses models that it does not list. */
bool lint_nodes_lack_models(const struct scenario *scenario);

/* --- lint_labels.c --- */

/* Columns of traces that name classes and models. */
void lint_labels(const struct linter *linter);

/* Whether rows of a trace ask for that model. */
bool lint_traces_ask(const struct scenario *scenario, uint32_t model);

/* --- lint_passive.c --- */

/* What balancers learn from traffic: max_fails, observe, outlier, breaker. */
void lint_passive(const struct linter *linter);
/* --- lint_retries.c --- */

/* Time-outs, retries, hedges and deadlines that do nothing. */
void lint_retries(const struct linter *linter);

/* --- lint_admission.c --- */

/* Admission and queues that do nothing, or not what is meant. */
void lint_admission(const struct linter *linter);

/* Whether the front door goes by reports of nodes, whatever the policy does;
   and whether it counts tokens. */
bool lint_door_reads_reports(const struct balancer_spec *spec);
bool lint_door_counts_tokens(const struct balancer_spec *spec);

/* Whether the front door turns away what is too much, so that no queue grows
   without end. */
bool lint_door_is_limited(const struct scenario *scenario);

/* Whether requests may wait there until something before the nodes lets them
   go on. */
bool lint_door_holds(const struct scenario *scenario);

/* Requests a second that buckets let in at most, all balancers, classes or
   tenants together; infinity where there is none that counts requests. */
double lint_door_lets_in_per_s(const struct scenario *scenario);

/* --- lint_faults.c --- */

void lint_faults(const struct linter *linter);

/* How attempts can fail by faults, restarts of unhealthy nodes, and nodes that
   leave: a bit for each enum retry_cause. */
uint32_t lint_causes_of_faults(const struct scenario *scenario);

/* Whether a fault keeps nodes from answering without any word about it. */
bool lint_faults_are_silent(const struct scenario *scenario);

/* --- lint_times.c --- */

/* Outages, spikes and overlays that would begin after the last arrival. */
void lint_times(const struct linter *linter);

/* --- lint_measures.c --- */

/* Goals and an objective of what the scenario does not have. */
void lint_measures(const struct linter *linter);

/* --- lint_checks.c --- */

/* Health checks, and what goes by them: panic, slow start, dynamic weights. */
void lint_checks(const struct linter *linter);

/* Whether anything can make a balancer doubt a node. */
bool lint_anything_doubts(const struct scenario *scenario);

/* --- lint_nodes.c, too --- */

/* Whether any node, and whether every node, refuses requests when full. */
bool lint_nodes_refuse(const struct scenario *scenario);
bool lint_queues_are_limited(const struct scenario *scenario);

#endif
