#include "sim/report/names.h"

#include <assert.h>
#include <stdio.h>

/* The group of a node, and its index there. */
static const struct group_spec *locate(const struct scenario *scenario,
                                       uint32_t node, uint32_t *ret_index)
{
    const struct group_spec *group = scenario->groups;

    assert(node < scenario->node_count);
    while (node >= group->count) {
        node -= group->count;
        group++;
    }
    *ret_index = node;
    return group;
}

const struct group_spec *names_group_of(const struct scenario *scenario,
                                        uint32_t node)
{
    uint32_t index;

    return locate(scenario, node, &index);
}

const char *names_node(const struct scenario *scenario, uint32_t node,
                       char *text, size_t size)
{
    uint32_t index;
    const struct group_spec *group = locate(scenario, node, &index);

    snprintf(text, size, "%s-%u", group->name, index);
    return text;
}

const char *names_kind(const struct group_spec *group)
{
    return group->kind == NODE_GPU ? "gpu" : "cpu";
}

const char *names_source(const struct scenario *scenario, uint32_t source)
{
    return source == 0 ? "main" : scenario->workload.overlays[source - 1].name;
}
