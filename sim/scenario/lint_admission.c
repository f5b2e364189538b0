/* Admission and queues: settings without effect, and what they lead to that was
   hardly meant. */
#include "sim/scenario/lint_rules.h"

#include "sim/scenario/units.h"

#include <math.h>

static bool has_deadlines(const struct workload_spec *workload)
{
    for (uint32_t i = 0; i < workload->class_count; i++)
        if (workload->classes[i].deadline_ns < INT64_MAX)
            return true;
    return false;
}

/* Whether the front door expects an answer to be as long as that. */
static bool answers_are_limited(const struct workload_spec *workload)
{
    for (uint32_t i = 0; i < workload->class_count; i++)
        if (workload->classes[i].max_output_tokens > 0)
            return true;
    return false;
}

static void lint_queue(const struct linter *linter)
{
    const struct scenario *scenario = linter->scenario;
    const struct balancer_spec *spec = &scenario->balancer;
    const struct tree *queue = tree_find(linter->balancer, "queue");
    bool deadlines = has_deadlines(&scenario->workload);
    bool ends = deadlines || spec->timeout.total_ns < INT64_MAX;

    if (spec->queue.order == DOOR_SLO ? !deadlines : !ends)
        if (lint_changed(queue, "balancer.queue.order"))
            lint_say(linter, tree_find(queue, "order"),
                     "give classes a 'deadline'",
                     "'order' has no effect: no request has a deadline");
    if (lint_changed(queue, "balancer.queue.fairness") &&
        !scenario->tenants.given && scenario->workload.class_count == 0)
        lint_say(linter, tree_find(queue, "fairness"),
                 "describe workload.tenants or workload.classes",
                 "'fairness' has no effect: all requests are of one kind");
    if (spec->queue.flow_size < UINT32_MAX &&
        spec->queue.fairness != DOOR_FAIR_ROUND_ROBIN)
        lint_say(linter, tree_key(queue, "flow_size"),
                 "set 'fairness: round_robin'",
                 "tenants share one row: 'flow_size' limits each class alone");
}

/* Nothing that makes requests wait, and nodes that nothing takes away. */
static void lint_idle_queue(const struct linter *linter)
{
    const struct scenario *scenario = linter->scenario;
    const struct balancer_spec *spec = &scenario->balancer;

    if (!tree_find(linter->balancer, "queue") || spec->caps.given ||
        spec->flow_control.given || spec->fail_fast.given ||
        spec->pool_limits.given || spec->admission.in_flight > 0 ||
        spec->admission.adaptive.given || spec->health.given ||
        scenario->fault_count > 0)
        return;
    lint_say(linter, tree_key(linter->balancer, "queue"),
             "such as 'balancer.caps: {max: 8}' or "
             "'balancer.admission.in_flight'",
             "nobody waits in the 'queue' unless the policy says so: no limit "
             "makes requests wait");
}

static void lint_kv_use(const struct linter *linter, const struct tree *block)
{
    if (tree_find(block, "kv_use"))
        lint_say(linter, tree_key(block, "kv_use"), "set 'queue_depth'",
                 "'kv_use' has no effect: no engine here reports the memory "
                 "of keys and values");
}

static void lint_saturation(const struct linter *linter,
                            const struct tree *block,
                            const struct saturation_spec *spec, bool given)
{
    const struct balancer_spec *balancer = &linter->scenario->balancer;
    int64_t oldest_ns =
        balancer->report_interval_ns + balancer->report_delay_ns;
    char stale[UNITS_TEXT_SIZE], age[UNITS_TEXT_SIZE];

    if (!given || spec->by != SATURATION_BY_REPORTS ||
        oldest_ns <= spec->stale_after_ns)
        return;
    units_write_duration(spec->stale_after_ns, stale);
    units_write_duration(oldest_ns, age);
    lint_say(linter, block, "report more often, or raise 'stale_after'",
             "reports get up to %s old and count as full after %s: idle nodes "
             "look saturated for a part of the time",
             age, stale);
}

static void lint_urgency(const struct linter *linter)
{
    const struct scenario *scenario = linter->scenario;
    const struct balancer_spec *spec = &scenario->balancer;
    const struct tree *list = tree_find(linter->workload, "classes");

    if (spec->queue.given || spec->admission.shedding.given)
        return;
    for (uint32_t i = 0; i < scenario->workload.class_count; i++)
        if (lint_changed(list->values[i], "workload.classes[].urgency")) {
            lint_say(linter, tree_key(list->values[i], "urgency"),
                     "such as 'balancer.admission.shedding: {}'",
                     "'urgency' has no effect: the front door neither sheds "
                     "nor queues");
            return;
        }
}

/* A request that costs more than a full bucket never gets in. */
static void lint_bucket(const struct linter *linter)
{
    const struct scenario *scenario = linter->scenario;
    const struct bucket_spec *spec = &scenario->balancer.admission.bucket;
    const struct tree *bucket =
        tree_find(tree_find(linter->balancer, "admission"), "bucket");
    struct workload_means means;
    double cost = 1;

    if (!spec->given)
        return;
    workload_spec_means(&scenario->workload, scenario->duration_ns, &means);
    if (spec->unit == BUCKET_OF_TOKENS)
        cost = means.input_tokens + means.output_tokens;
    if (!(cost > 0) && !answers_are_limited(&scenario->workload))
        lint_say(linter, tree_key(bucket, "of"),
                 "give the workload input_tokens or output_tokens",
                 "the bucket lets everybody in: requests have no tokens");
    if (spec->burst < cost)
        lint_say(linter,
                 tree_find(bucket, "burst") ? tree_find(bucket, "burst")
                                            : bucket,
                 "raise 'burst'",
                 "a full bucket of %.9g does not pay for a usual request, "
                 "which costs %.9g",
                 spec->burst, cost);
}

static void lint_deadline(const struct linter *linter)
{
    const struct scenario *scenario = linter->scenario;
    const struct tree *admission = tree_find(linter->balancer, "admission");

    if (scenario->balancer.admission.deadline &&
        scenario->balancer.timeout.total_ns == INT64_MAX &&
        !has_deadlines(&scenario->workload))
        lint_say(linter, tree_key(admission, "deadline"),
                 "give classes a 'deadline', or set balancer.timeout.total",
                 "'deadline' has no effect: no request has one");
}

static void lint_caps(const struct linter *linter)
{
    const struct caps_spec *spec = &linter->scenario->balancer.caps;
    const struct tree *caps = tree_find(linter->balancer, "caps");

    if (lint_changed(caps, "balancer.caps.node_queue") &&
        spec->queue != CAPS_QUEUE_AT_NODE)
        lint_say(linter, tree_key(caps, "node_queue"), "set 'queue: node'",
                 "'node_queue' has no effect: requests wait for any node");
    if (spec->full > 0 && spec->min == 0)
        lint_say(linter, tree_key(caps, "full"), "set 'min'",
                 "'full' has no effect: the cap is always max");
}

bool lint_door_reads_reports(const struct balancer_spec *spec)
{
    return (spec->admission.shedding.given &&
            spec->admission.shedding.saturation.by == SATURATION_BY_REPORTS) ||
           (spec->flow_control.given &&
            spec->flow_control.saturation.by == SATURATION_BY_REPORTS);
}

bool lint_door_counts_tokens(const struct balancer_spec *spec)
{
    return (spec->admission.bucket.given &&
            spec->admission.bucket.unit == BUCKET_OF_TOKENS) ||
           (spec->queue.given && isfinite(spec->queue.tokens));
}

static bool nodes_are_capped(const struct scenario *scenario)
{
    const struct caps_spec *spec = &scenario->balancer.caps;

    if (!spec->given ||
        (spec->queue == CAPS_QUEUE_AT_NODE && spec->node_queue == 0))
        return false;
    for (uint32_t g = 0; spec->max == 0 && g < scenario->group_count; g++)
        if (scenario->groups[g].max_in_flight == 0)
            return false;
    return true;
}

bool lint_door_holds(const struct scenario *scenario)
{
    const struct balancer_spec *spec = &scenario->balancer;

    return spec->admission.in_flight > 0 || spec->admission.adaptive.given ||
           spec->flow_control.given || nodes_are_capped(scenario);
}

bool lint_door_is_limited(const struct scenario *scenario)
{
    const struct balancer_spec *spec = &scenario->balancer;
    bool room = !spec->queue.given || spec->queue.size < UINT32_MAX ||
                isfinite(spec->queue.tokens) ||
                spec->flow_control.ttl_ns < INT64_MAX || spec->fail_fast.given;

    return spec->pool_limits.given || spec->admission.shedding.given ||
           (lint_door_holds(scenario) && room);
}

double lint_door_lets_in_per_s(const struct scenario *scenario)
{
    const struct bucket_spec *bucket = &scenario->balancer.admission.bucket;
    double buckets = scenario->balancer.count;

    if (!bucket->given || bucket->unit != BUCKET_OF_REQUESTS)
        return INFINITY;
    if (bucket->per == BUCKET_PER_CLASS && scenario->workload.class_count > 0)
        buckets *= scenario->workload.class_count;
    if (bucket->per == BUCKET_PER_TENANT)
        buckets *= scenario->tenants.count;
    return buckets * bucket->rate_per_s;
}

void lint_admission(const struct linter *linter)
{
    const struct balancer_spec *spec = &linter->scenario->balancer;
    const struct tree *flow = tree_find(linter->balancer, "flow_control");
    const struct tree *shedding =
        tree_find(tree_find(linter->balancer, "admission"), "shedding");

    lint_queue(linter);
    lint_idle_queue(linter);
    lint_saturation(linter, shedding, &spec->admission.shedding.saturation,
                    spec->admission.shedding.given);
    lint_saturation(linter, flow, &spec->flow_control.saturation,
                    spec->flow_control.given);
    lint_kv_use(linter, shedding);
    lint_kv_use(linter, flow);
    lint_urgency(linter);
    lint_bucket(linter);
    lint_deadline(linter);
    lint_caps(linter);
}
