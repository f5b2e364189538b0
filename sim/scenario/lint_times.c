/* What would begin when the run is over: it never does. A fault that does so
   is an error, since runs are made for their faults; these are only told. */
#include "sim/scenario/lint_rules.h"

#include "sim/scenario/units.h"

/* item has the setting 'at'; end_ns is when what it belongs to is over. */
static void lint_start(const struct linter *linter, const struct tree *item,
                       int64_t at_ns, int64_t end_ns, const char *what)
{
    char duration[UNITS_TEXT_SIZE];

    if (at_ns < end_ns)
        return;
    units_write_duration(end_ns, duration);
    lint_say(linter, tree_find(item, "at"), NULL,
             "%s has no effect: it begins when arrivals are over, after %s",
             what, duration);
}

static void lint_outages(const struct linter *linter)
{
    const struct tier_spec *tier = &linter->scenario->tier;
    const struct tree *list =
        tree_find(tree_find(linter->root, "result_tier"), "outages");

    for (uint32_t i = 0; i < tier->outage_count; i++)
        lint_start(linter, list->values[i], tier->outages[i].at_ns,
                   linter->scenario->duration_ns, "the outage");
}

/* of: the workload or an overlay, whose arrivals come for so long. */
static void lint_spikes(const struct linter *linter, const struct tree *of,
                        const struct arrivals_spec *arrivals, int64_t length_ns)
{
    const struct tree *list = tree_find(tree_find(of, "arrivals"), "spikes");

    for (uint32_t i = 0; i < arrivals->spike_count; i++)
        lint_start(linter, list->values[i], arrivals->spikes[i].at_ns,
                   length_ns, "the spike");
}

static void lint_overlays(const struct linter *linter)
{
    const struct scenario *scenario = linter->scenario;
    const struct workload_spec *workload = &scenario->workload;
    const struct tree *list = tree_find(linter->workload, "overlay");

    for (uint32_t i = 0; i < workload->overlay_count; i++) {
        const struct workload_overlay *overlay = &workload->overlays[i];

        lint_start(linter, list->values[i], overlay->at_ns,
                   scenario->duration_ns, "the overlay");
        if (overlay->at_ns < scenario->duration_ns)
            lint_spikes(
                linter, list->values[i], &overlay->spec.arrivals,
                workload_overlay_length_ns(overlay, scenario->duration_ns));
    }
}

void lint_times(const struct linter *linter)
{
    const struct scenario *scenario = linter->scenario;

    lint_outages(linter);
    lint_spikes(linter, linter->workload, &scenario->workload.arrivals,
                scenario->duration_ns);
    lint_overlays(linter);
}
