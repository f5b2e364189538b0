#include "sim/frontdoor/dynamic_weights.h"

enum { AGENT_MOST = 256 };

/* One step towards the configured weight. */
static uint32_t step_back(uint32_t configured, uint32_t weight)
{
    if (weight == configured)
        return weight;
    return weight < configured ? weight + 1 : weight - 1;
}

static uint32_t cap_of(const struct dynamic_weights_spec *spec,
                       uint32_t configured)
{
    double most = spec->cap * configured;

    return most < UINT32_MAX ? (uint32_t)most : UINT32_MAX;
}

uint32_t dynamic_weights_step(const struct dynamic_weights_spec *spec,
                              uint32_t configured, uint32_t weight, double use)
{
    uint32_t most = cap_of(spec, configured);

    if (use > spec->above)
        return weight > spec->down ? weight - spec->down : 1;
    if (use < spec->below)
        return most - weight > spec->up ? weight + spec->up : most;
    return spec->returns ? step_back(configured, weight) : weight;
}

uint32_t dynamic_weights_agent(uint32_t configured, uint32_t percent)
{
    uint64_t weight = (uint64_t)configured * percent / 100;

    return weight < AGENT_MOST ? (uint32_t)weight : AGENT_MOST;
}

/* The small number is for shares such as 0.9 that are no binary fraction. */
uint32_t dynamic_weights_idle_percent(double use)
{
    double percent = 100 * (1 - use) + 1e-9;

    return percent > 0 ? (uint32_t)percent : 0;
}
