#include "sim/frontdoor/saturation.h"

#include <math.h>

double saturation_of_node(const struct saturation_spec *spec,
                          const struct saturation_node *node, int64_t now_ns)
{
    double queue = 0, memory = 0;

    if (node->reported_at_ns == INT64_MIN ||
        now_ns - node->reported_at_ns > spec->stale_after_ns)
        return 1;
    if (node->queue_depth > 0)
        queue = (double)node->queue_depth / spec->queue_depth;
    if (node->kv_use > 0)
        memory = node->kv_use / spec->kv_use;
    return fmax(queue, memory);
}

double saturation_of_pool(double sum, double full)
{
    return full > 0 ? sum / full : 1;
}
