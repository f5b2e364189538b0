/* The front door. */
#include "sim/scenario/draft.h"
#include "sim/scenario/units.h"

#include <inttypes.h>
#include <string.h>

enum { VIEWS_MAX = 4000000, LATE_MAX = 1000 };

/* Each balancer keeps a view and the state of its policy for every node: a
   thousand balancers before a million nodes would need a terabyte. */
static void check_views(struct load *load, const struct tree *root)
{
    const struct scenario *scenario = &load->loaded->draft.scenario;
    uint64_t views = (uint64_t)scenario->balancer.count * scenario->node_count;

    if (views > VIEWS_MAX)
        load_complain(
            load, tree_find(tree_find(root, "balancer"), "count"), NULL,
            "%u balancers before %u nodes are too many: their "
            "product may be at most %d",
            scenario->balancer.count, scenario->node_count, VIEWS_MAX);
}

/* Reports at every pick have no way to go; and those on their way need room. */
static void check_reports(struct load *load, const struct tree *block)
{
    const struct balancer_spec *spec = &load->loaded->draft.scenario.balancer;
    bool late = spec->report_delay_ns > 0;
    char delay[UNITS_TEXT_SIZE];

    if (load->errors > 0 || spec->report_interval_ns < 0)
        return;
    if (spec->report_interval_ns == 0 && (late || spec->report_loss > 0))
        load_complain(load,
                      tree_find(block, late ? "report_delay" : "report_loss"),
                      "such as 'report_interval: 100 ms'",
                      "with 'report_interval' of 0 s balancers see every node "
                      "as it is: no report is late or lost");
    else if (late &&
             spec->report_delay_ns / spec->report_interval_ns >= LATE_MAX) {
        units_write_duration(spec->report_delay_ns, delay);
        load_complain(load, tree_find(block, "report_delay"), NULL,
                      "a 'report_delay' of %s has more than %d reports of a "
                      "node under way at once",
                      delay, LATE_MAX);
    }
}

void load_balancer(struct load *load, const struct tree *root)
{
    const struct tree *balancer = tree_find(root, "balancer");

    check_views(load, root);
    check_reports(load, balancer);
    load_checks(load, balancer);
}

uint32_t load_find_group(const struct load *load, const char *name,
                         size_t length)
{
    const struct draft *draft = &load->loaded->draft;
    uint32_t i = 0;

    for (; i < draft->scenario.group_count; i++) {
        const char *other = draft->groups[i].spec.name;

        if (other && strlen(other) == length &&
            memcmp(other, name, length) == 0)
            break;
    }
    return i;
}
