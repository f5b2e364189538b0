#include "sim/scenario/describe.h"

#include "workloads/rng.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <xxhash.h>

/* Returns the length. */
static uint32_t name_node(const struct scenario *scenario, uint32_t replication,
                          const struct group_spec *group, uint32_t index,
                          uint32_t node, char *text)
{
    struct rng rng;
    int length;

    length = snprintf(text, DESCRIBE_NAME_SIZE, "%.64s-%u", group->name, index);
    if (group->keys == NODE_KEYS_FIXED || replication == 1)
        return (uint32_t)length;
    rng_stream(&rng, scenario->seed, replication, RNG_NODE_KEYS, node);
    return (uint32_t)length +
           (uint32_t)snprintf(text + length,
                              DESCRIBE_NAME_SIZE - (size_t)length, "~%08x",
                              (uint32_t)(rng_next(&rng) >> 32));
}

static double per_second(double seconds_each, double speed)
{
    return seconds_each > 0 ? speed / seconds_each : 0;
}

static void describe_node(const struct scenario *scenario, uint32_t g,
                          struct lbp_node *ret)
{
    const struct group_spec *group = &scenario->groups[g];
    const struct engine_spec *engine = &group->engine;

    ret->key_hash = XXH64(ret->key, ret->key_length, 0);
    ret->models = scenario->model_count > 0 ? group->models : 1;
    ret->max_context = group->max_context;
    ret->weight = group->weight;
    ret->weight_factor = 1;
    ret->slots = engine_served_at_once(engine);
    if (scenario->balancer.caps.given)
        ret->max_in_flight = group->max_in_flight > 0
                                 ? group->max_in_flight
                                 : scenario->balancer.caps.max;
    ret->speed = engine->speed;
    if (engine->service.given) {
        ret->prefill_per_s =
            per_second(engine->service.per_input_token_s, engine->speed);
        ret->decode_per_s =
            per_second(engine->service.per_output_token_s, engine->speed);
    }
    ret->group = (uint16_t)g;
    ret->health = LBP_HEALTHY;
    ret->reported_at_ns = LBP_NO_TIME;
    ret->gpu_use = ret->cpu_use = ret->memory_use = ret->kv_use = -1;
    ret->queue_depth = ret->running = -1;
    ret->requests_per_s = ret->errors_per_s = -1;
}

void describe_nodes(const struct scenario *scenario, uint32_t replication,
                    struct lbp_node *ret, char *texts)
{
    uint32_t i = 0;

    for (uint32_t g = 0; g < scenario->group_count; g++) {
        const struct group_spec *group = &scenario->groups[g];

        for (uint32_t k = 0; k < group->count; k++, i++) {
            char *text = &texts[(size_t)i * DESCRIBE_NAME_SIZE];

            ret[i] = (struct lbp_node){.key = text};
            if (group->keys == NODE_KEYS_LISTED) {
                ret[i].key = group->listed_keys[k];
                ret[i].key_length = (uint32_t)strlen(ret[i].key);
            } else {
                ret[i].key_length =
                    name_node(scenario, replication, group, k, i, text);
            }
            describe_node(scenario, g, &ret[i]);
        }
    }
}

static bool part_has_keys(const struct workload_spec *part, bool has_trace)
{
    if (part->keys.spec.kind != KEYS_NONE)
        return true;
    if (!has_trace)
        return false;
    return !part->trace || trace_books(part->trace)->has_keys;
}

bool scenario_has_keys(const struct scenario *scenario)
{
    const struct workload_spec *workload = &scenario->workload;

    for (uint32_t i = 0; i < workload->overlay_count; i++) {
        const struct workload_spec *part = &workload->overlays[i].spec;

        if (part_has_keys(part, part->trace != NULL))
            return true;
    }
    return part_has_keys(workload, scenario->has_trace);
}

bool scenario_nodes_change(const struct scenario *scenario)
{
    for (uint32_t g = 0; g < scenario->group_count; g++)
        if (scenario->groups[g].scale.given ||
            scenario->groups[g].rollout.given)
            return true;
    return false;
}

double scenario_goodput_bound_s(const struct scenario *scenario)
{
    double bound = INFINITY;

    for (uint32_t i = 0; i < scenario->goal_count; i++) {
        const struct goal_spec *goal = &scenario->goals[i];

        if (strncmp(measures[goal->measure].name, "latency_", 8) == 0 &&
            goal->bound < bound)
            bound = goal->bound;
    }
    return bound;
}
