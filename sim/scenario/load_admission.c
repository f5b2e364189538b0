/* Admission and queues: what one setting must be to another, and what one of
   them implies. */
#include "sim/scenario/draft.h"

#include <math.h>

static const struct tree *block_of(const struct tree *root, const char *name)
{
    return tree_find(tree_find(root, "balancer"), name);
}

/* --- buckets, limits ----------------------------------------------------- */

static void load_bucket(struct load *load, const struct tree *root)
{
    struct scenario *scenario = &load->loaded->draft.scenario;
    struct bucket_spec *spec = &scenario->balancer.admission.bucket;
    const struct tree *block = tree_find(block_of(root, "admission"), "bucket");

    if (!spec->given)
        return;
    if (!tree_find(block, "burst"))
        spec->burst = fmax(spec->rate_per_s, 1);
    if (spec->per == BUCKET_PER_CLASS && scenario->workload.class_count == 0)
        load_complain(load, tree_find(block, "per"),
                      "describe them in workload.classes",
                      "a bucket per class needs classes");
    if (spec->per == BUCKET_PER_TENANT && !scenario->tenants.given)
        load_complain(load, tree_find(block, "per"),
                      "such as 'workload: {tenants: {count: 20}}'",
                      "a bucket per tenant needs tenants");
}

static void load_adaptive(struct load *load, const struct tree *root)
{
    struct aimd_spec *spec =
        &load->loaded->draft.scenario.balancer.admission.adaptive;
    const struct tree *block =
        tree_find(block_of(root, "admission"), "adaptive");
    const struct tree *at;

    if (!spec->given)
        return;
    if (!tree_find(block, "start") && spec->least <= spec->most) {
        spec->start = spec->start < spec->least ? spec->least : spec->start;
        spec->start = spec->start > spec->most ? spec->most : spec->start;
    }
    if (spec->least <= spec->start && spec->start <= spec->most)
        return;
    at = tree_find(block, "start");
    load_complain(load, at ? at : tree_find(block, "least"), NULL,
                  "the limit starts at %u, which must lie between 'least', %u, "
                  "and 'most', %u",
                  spec->start, spec->least, spec->most);
}

/* Without reports a balancer knows nothing of queues in nodes. */
static void check_saturation(struct load *load, const struct tree *block,
                             const struct saturation_spec *spec, bool given)
{
    const struct tree *at = tree_find(block, "saturation");

    if (!given || spec->by != SATURATION_BY_REPORTS ||
        load->loaded->draft.scenario.balancer.report_interval_ns >= 0)
        return;
    load_complain(load, at ? at : block,
                  "such as 'report_interval: 100 ms', or 'saturation: "
                  "in_flight'",
                  "saturation by reports needs 'report_interval'");
}

/* --- caps ---------------------------------------------------------------- */

static uint32_t least_cap(const struct scenario *scenario)
{
    uint32_t least = UINT32_MAX;

    for (uint32_t g = 0; g < scenario->group_count; g++) {
        uint32_t cap = scenario->groups[g].max_in_flight;

        if (cap == 0)
            cap = scenario->balancer.caps.max;
        if (cap > 0 && cap < least)
            least = cap;
    }
    return least;
}

static void load_caps(struct load *load, const struct tree *root)
{
    struct scenario *scenario = &load->loaded->draft.scenario;
    struct caps_spec *spec = &scenario->balancer.caps;
    const struct tree *block = block_of(root, "caps");
    uint32_t least = least_cap(scenario);

    if (!spec->given && least == UINT32_MAX)
        return;
    spec->given = true;
    if (least == UINT32_MAX)
        load_complain(load, block, "such as 'caps: {max: 16}'",
                      "'caps' needs 'max', or groups of nodes with "
                      "'max_in_flight'");
    else if (spec->queue == CAPS_QUEUE_AT_NODE &&
             scenario->balancer.hedge.given)
        load_complain(load, tree_find(block, "queue"),
                      "let requests wait for any node: 'queue: balancer'",
                      "a request that waits for one node cannot be hedged");
    else if (spec->min > least)
        load_complain(load, tree_find(block, "min"), NULL,
                      "'min' of %u must not be above the smallest cap, %u",
                      spec->min, least);
}

/* --- the queue ----------------------------------------------------------- */

/* What makes requests wait has a queue for them. */
static void load_queue(struct balancer_spec *spec)
{
    spec->queue.given = spec->queue.given || spec->caps.given ||
                        spec->flow_control.given || spec->fail_fast.given ||
                        spec->pool_limits.given;
    if (spec->fail_fast.given && spec->queue.size == UINT32_MAX)
        spec->queue.size = spec->fail_fast.queue;
}

static void check_overlays(struct load *load, const struct tree *root)
{
    const struct scenario *scenario = &load->loaded->draft.scenario;
    const struct tree *list = tree_find(tree_find(root, "workload"), "overlay");

    for (uint32_t i = 0; i < scenario->workload.overlay_count; i++) {
        uint32_t tenant = scenario->workload.overlays[i].spec.one_tenant;
        const struct tree *at = tree_find(list->values[i], "tenant");

        if (tenant == 0)
            continue;
        if (!scenario->tenants.given)
            load_complain(load, at, "such as 'tenants: {count: 20}'",
                          "'tenant' needs workload.tenants");
        else if (tenant > scenario->tenants.count)
            load_complain(load, at, NULL,
                          "there is no tenant %u: workload.tenants has %u",
                          tenant, scenario->tenants.count);
    }
}

/* Each waits in a row of its own, at each balancer. */
enum { FLOWS_MAX = 2000000 };

static void check_flows(struct load *load, const struct tree *root)
{
    const struct scenario *scenario = &load->loaded->draft.scenario;
    uint64_t classes = scenario->workload.class_count;
    uint64_t flows = (classes > 0 ? classes : 1) * scenario->balancer.count;

    if (scenario->tenants.given)
        flows *= scenario->tenants.count;
    if (flows > FLOWS_MAX)
        load_complain(
            load,
            tree_find(tree_find(tree_find(root, "workload"), "tenants"),
                      "count"),
            NULL,
            "%u tenants are too many: times classes and balancers "
            "there may be %d",
            scenario->tenants.count, FLOWS_MAX);
}

void load_admission(struct load *load, const struct tree *root)
{
    struct balancer_spec *spec = &load->loaded->draft.scenario.balancer;

    if (load->errors > 0)
        return;
    load_bucket(load, root);
    load_adaptive(load, root);
    check_saturation(load, tree_find(block_of(root, "admission"), "shedding"),
                     &spec->admission.shedding.saturation,
                     spec->admission.shedding.given);
    check_saturation(load, block_of(root, "flow_control"),
                     &spec->flow_control.saturation, spec->flow_control.given);
    load_caps(load, root);
    load_queue(spec);
    check_overlays(load, root);
    check_flows(load, root);
}
