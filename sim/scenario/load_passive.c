/* What balancers learn from traffic: what its settings must be to each other
   and to the rest. */
#include "sim/scenario/draft.h"
#include "sim/scenario/units.h"

static const char *const failure_settings[] = {
    "failure_percentage_minimum_hosts",
    "failure_percentage_request_volume",
    "failure_percentage_threshold",
};

/* HAProxy's observe works on the counter of its own checks. */
static void check_observe(struct load *load, const struct tree *block,
                          const struct balancer_spec *spec)
{
    if (!spec->observe.given)
        return;
    if (!spec->health.given)
        load_complain(
            load, tree_key(block, "observe"), "add 'health: {rule: haproxy}'",
            "'observe' works on the state of health checks, and there "
            "are none");
    else if (spec->health.rule != HEALTH_HAPROXY)
        load_complain(load, tree_key(block, "observe"),
                      "say 'rule: haproxy' in balancer.health",
                      "'observe' works on the counter of HAProxy's checks, and "
                      "'health' goes by another rule");
}

/* In gRPC the algorithm is off until it is configured, and then always
   enforced; in Envoy it is on and not enforced. */
static void fill_failure_percentage(const struct tree *block,
                                    struct outlier_spec *spec)
{
    if (tree_find(block, "enforcing_failure_percentage"))
        return;
    for (size_t i = 0; i < sizeof failure_settings / sizeof *failure_settings;
         i++)
        if (spec->rule == OUTLIER_GRPC && tree_find(block, failure_settings[i]))
            spec->failure_percentage.enforcing = 1;
}

/* First tokens have times where tokens have costs. */
static void check_latency(struct load *load, const struct tree *block,
                          const struct outlier_spec *spec)
{
    const struct workload_spec *workload =
        &load->loaded->draft.scenario.workload;

    if (spec->latency.given && spec->latency.of == OUTLIER_OF_TTFT &&
        workload->work.kind != DIST_NONE && workload->class_count == 0)
        load_complain(load, tree_key(block, "latency"),
                      "say 'of: answer', or give nodes costs of tokens",
                      "no node tells first tokens where 'workload.work' is the "
                      "whole of the need");
}

static void check_breaker(struct load *load, const struct tree *block,
                          const struct breaker_spec *spec)
{
    char cool[UNITS_TEXT_SIZE], most[UNITS_TEXT_SIZE];
    const struct tree *at = tree_find(block, "cool");

    if (!spec->given || spec->max_cool_ns >= spec->cool_ns)
        return;
    units_write_duration(spec->cool_ns, cool);
    units_write_duration(spec->max_cool_ns, most);
    load_complain(load, at ? at : tree_find(block, "max_cool"), NULL,
                  "'cool' of %s is longer than 'max_cool' of %s", cool, most);
}

void load_passive(struct load *load, const struct tree *root)
{
    struct balancer_spec *spec = &load->loaded->draft.scenario.balancer;
    const struct tree *balancer = tree_find(root, "balancer");
    const struct tree *outlier = tree_find(balancer, "outlier");

    check_observe(load, balancer, spec);
    if (spec->outlier.given) {
        load_refuse_other_rules(load, "balancer.outlier", outlier,
                                spec->outlier.rule == OUTLIER_GRPC ? "grpc"
                                                                   : "envoy");
        fill_failure_percentage(outlier, &spec->outlier);
        check_latency(load, outlier, &spec->outlier);
    }
    check_breaker(load, tree_find(balancer, "breaker"), &spec->breaker);
}
