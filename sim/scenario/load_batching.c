/* Batching at the front door: what it implies, and what it cannot stand beside.
 */
#include "sim/scenario/draft.h"

/* Whoever holds requests already. */
static const char *find_holder(const struct scenario *scenario)
{
    const struct balancer_spec *spec = &scenario->balancer;
    const struct {
        bool given;
        const char *name;
    } holders[] = {
        {spec->admission.given, "balancer.admission"},
        {spec->queue.given, "balancer.queue"},
        {spec->caps.given, "balancer.caps"},
        {spec->pool_limits.given, "balancer.pool_limits"},
        {spec->flow_control.given, "balancer.flow_control"},
        {spec->fail_fast.given, "balancer.fail_fast"},
        {scenario->tenants.given, "workload.tenants"},
    };

    for (size_t i = 0; i < sizeof holders / sizeof *holders; i++)
        if (holders[i].given)
            return holders[i].name;
    return NULL;
}

void load_batching(struct load *load, const struct tree *root)
{
    struct scenario *scenario = &load->loaded->draft.scenario;
    struct batching_spec *spec = &scenario->balancer.batching;
    const char *holder = find_holder(scenario);

    if (!spec->given)
        return;
    if (spec->collect == 0)
        spec->collect = spec->rule.size;
    if (holder)
        load_complain(load, tree_key(tree_find(root, "balancer"), "batching"),
                      "leave one of them out; an engine of kind batch collects "
                      "by itself",
                      "'batching' and %s cannot stand side by side: both say "
                      "when a request may go",
                      holder);
}
