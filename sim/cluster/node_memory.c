#include "sim/cluster/node_memory.h"

static bool has_room(const struct node *node, uint32_t running)
{
    /* Hundredths do not quite add up to one. */
    return node->memory_base + node->leaked +
               node->memory_per_request * running <=
           1 + 1e-9;
}

static void note_short(struct node *node, const struct request *request)
{
    node->memory_short += (request->flags & REQUEST_MEASURED) != 0;
}

bool node_memory_refuses(struct node *node, const struct request *request)
{
    bool waits = !node->one_is_full && node->running >= node->slots;

    if (node->when_memory_full != MEMORY_FULL_REFUSE || waits ||
        has_room(node, node->running + 1))
        return false;
    note_short(node, request);
    return true;
}

double node_memory_stretch(struct node *node, const struct request *request)
{
    if (node->when_memory_full != MEMORY_FULL_SLOW ||
        has_room(node, node->running))
        return 1;
    note_short(node, request);
    return node->memory_slow_factor;
}
