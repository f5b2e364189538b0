/* Where a user could go wrong with faults: what has no effect, and what is not
   seen. */
#include "sim/scenario/lint_rules.h"

#include "sim/scenario/describe.h"
#include "sim/scenario/units.h"

static bool is_deaf(const struct fault_spec *fault)
{
    switch (fault->kind) {
    case FAULT_BLACK_HOLE:
        return true;
    case FAULT_HANG: /* what has an end goes on then */
        return !fault->random && fault->for_ns == INT64_MAX;
    default:
        return fault->seen_as == FAULT_SILENT;
    }
}

bool lint_faults_are_silent(const struct scenario *scenario)
{
    for (uint32_t i = 0; i < scenario->fault_count; i++)
        if (is_deaf(&scenario->faults[i]))
            return true;
    return false;
}

/* What a balancer meets at a node that is dead or out of reach. */
static uint32_t causes_seen_as(enum fault_seen_as seen_as)
{
    switch (seen_as) {
    case FAULT_REFUSED:
        return 1u << CAUSE_REFUSED | 1u << CAUSE_RESET;
    case FAULT_CONNECT_TIMEOUT:
        return 1u << CAUSE_CONNECT | 1u << CAUSE_RESET;
    case FAULT_SILENT:
        break;
    }
    return 0;
}

static uint32_t causes_of(const struct fault_spec *fault)
{
    switch (fault->kind) {
    case FAULT_CRASH:
    case FAULT_HOST_DOWN:
    case FAULT_FLAPPING:
    case FAULT_PARTITION:
    case FAULT_MEMORY_LEAK:
        return causes_seen_as(fault->seen_as);
    case FAULT_HANG:
        return fault->lose ? causes_seen_as(fault->seen_as) : 0;
    case FAULT_FAIL_FAST:
        return 1u << CAUSE_ERROR;
    default:
        return 0;
    }
}

uint32_t lint_causes_of_faults(const struct scenario *scenario)
{
    uint32_t causes = 0;

    for (uint32_t i = 0; i < scenario->fault_count; i++)
        causes |= causes_of(&scenario->faults[i]);
    if (scenario_nodes_change(scenario) ||
        scenario->balancer.health.restart_ns > 0)
        causes |= causes_seen_as(FAULT_REFUSED);
    return causes;
}

/* Of the fault alone. */
static void lint_one(const struct linter *linter, const struct tree *item,
                     const struct fault_spec *fault)
{
    if (lint_changed(item, "faults[].inside_lost_after") &&
        fault->seen_as != FAULT_CONNECT_TIMEOUT)
        lint_say(linter, tree_key(item, "inside_lost_after"), NULL,
                 "'inside_lost_after' has no effect unless seen_as is "
                 "connect_timeout");
    if (fault->kind == FAULT_SLOW && fault->factor == 1)
        lint_say(linter, tree_find(item, "factor"), NULL,
                 "the fault has no effect: its factor is 1");
    if (fault->kind == FAULT_SLOW && !fault->random &&
        fault->ramp_ns > fault->for_ns)
        lint_say(linter, tree_find(item, "ramp"), NULL,
                 "the factor is never reached: the ramp is longer than the "
                 "fault");
    if (load_fault_takes(fault->kind, "share") && fault->share == 0)
        lint_say(linter, tree_find(item, "share"), NULL,
                 "the fault has no effect: its share is 0");
    if (tree_find(item, "balancers") && linter->scenario->balancer.count == 1)
        lint_say(linter, tree_key(item, "balancers"), NULL,
                 "'balancers' has no effect with one balancer");
}

/* What health checks make of it. */
static void lint_seen(const struct linter *linter, const struct tree *item,
                      const struct fault_spec *fault)
{
    const struct balancer_spec *balancer = &linter->scenario->balancer;

    if (fault->kind == FAULT_PROBE_LOSS && !balancer->health.given)
        lint_say(linter, tree_find(item, "kind"), NULL,
                 "probe_loss has no effect: there are no health checks");
    if (fault->kind == FAULT_HANG && !tree_find(item, "passes") &&
        balancer->health.given && !balancer->generation.given &&
        balancer->health.probe != PROBE_GENERATION &&
        balancer->health.path != PROBE_QUEUED)
        lint_say(linter, tree_find(item, "kind"),
                 "health: {generation: {}} does; or let it pass less, with "
                 "'passes: L1'",
                 "no health check sees the hang: it passes L2");
    if (lint_changed(item, "faults[].passes") && !balancer->health.given &&
        balancer->report_interval_ns < 0)
        lint_say(linter, tree_key(item, "passes"), NULL,
                 "'passes' has no effect: nobody checks health, and nodes do "
                 "not report");
}

/* What a restart of unhealthy nodes does not bring back. */
static void lint_stays_down(const struct linter *linter,
                            const struct tree *item,
                            const struct fault_spec *fault)
{
    const struct health_spec *health = &linter->scenario->balancer.health;

    if (health->restart_ns > 0 && !fault->random &&
        (fault->kind == FAULT_CRASH || fault->kind == FAULT_MEMORY_LEAK) &&
        fault->restart_after_ns == INT64_MAX)
        lint_say(linter, tree_find(item, "kind"), "set 'restart_after'",
                 "the process stays down: health.restart_takes is for one that "
                 "runs and is found unhealthy");
}

/* A request that meets silence, or its attempt. */
static bool anything_ends(const struct scenario *scenario)
{
    const struct timeout_spec *timeout = &scenario->balancer.timeout;

    return timeout->total_ns < INT64_MAX || timeout->ttft_ns > 0 ||
           timeout->attempt_ns > 0 || scenario->balancer.degrade.given;
}

void lint_faults(const struct linter *linter)
{
    const struct scenario *scenario = linter->scenario;
    const struct tree *list = tree_find(linter->root, "faults");
    const struct tree *timeout = tree_find(linter->balancer, "timeout");
    bool connects = false;

    for (uint32_t i = 0; i < scenario->fault_count; i++) {
        const struct fault_spec *fault = &scenario->faults[i];

        connects = connects || fault->seen_as == FAULT_CONNECT_TIMEOUT;
        lint_one(linter, list->values[i], fault);
        lint_seen(linter, list->values[i], fault);
        lint_stays_down(linter, list->values[i], fault);
    }
    if (lint_changed(timeout, "balancer.timeout.connect") && !connects)
        lint_say(
            linter, tree_key(timeout, "connect"), NULL,
            "'connect' has no effect: no fault is seen as connect_timeout");
    if (lint_faults_are_silent(scenario) && !anything_ends(scenario))
        lint_say(linter, tree_key(linter->root, "faults"),
                 "set balancer.timeout.total, or attempt",
                 "requests to a silent node stay unfinished: no time-out ends "
                 "them");
}
