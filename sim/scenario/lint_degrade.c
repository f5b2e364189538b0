/* Where a user could go wrong with tiered degradation. */
#include "sim/scenario/describe.h"
#include "sim/scenario/lint_rules.h"

#include <stdio.h>

static bool any_deadline(const struct scenario *scenario)
{
    for (uint32_t i = 0; i < scenario->workload.class_count; i++)
        if (scenario->workload.classes[i].deadline_ns < INT64_MAX)
            return true;
    return scenario->balancer.timeout.total_ns < INT64_MAX;
}

static void lint_time(const struct linter *linter, const struct tree *block,
                      const struct degradation_spec *spec)
{
    const struct scenario *scenario = linter->scenario;
    const struct tree *share =
        lint_changed(block, "balancer.degrade.primary_share");

    if (spec->after_ns >= 0 && share)
        lint_say(linter, share, NULL,
                 "'primary_share' has no effect beside 'after'");
    if (spec->after_ns < 0 && !any_deadline(scenario))
        lint_say(linter, tree_key(linter->balancer, "degrade"),
                 "set 'after', balancer.timeout.total or deadlines of classes",
                 "without a deadline the primary has all the time it likes: "
                 "only what fails is degraded");
    else if (spec->after_ns >= scenario->balancer.timeout.total_ns)
        lint_say(linter, tree_key(block, "after"), NULL,
                 "nothing is degraded for being late: balancer.timeout.total "
                 "comes first");
}

/* The primary is skipped for the light model alone. */
static void lint_skipping(const struct linter *linter, const struct tree *block)
{
    static const char *const keys[] = {"failures", "skip", "probe"};

    for (int i = 0; i < 3; i++) {
        char path[60];

        snprintf(path, sizeof path, "balancer.degrade.%s", keys[i]);
        if (lint_changed(block, path))
            lint_say(linter, tree_key(block, keys[i]), "set 'light'",
                     "'%s' has no effect: there is no light model to go to at "
                     "once",
                     keys[i]);
    }
}

static void lint_light(const struct linter *linter, const struct tree *block,
                       const struct degradation_spec *spec)
{
    const struct workload_spec *workload = &linter->scenario->workload;
    const struct tree *expected = tree_key(block, "light_expected");

    if (spec->light == 0 && expected)
        lint_say(linter, expected, "set 'light'",
                 "'light_expected' has no effect: there is no light model");
    if (spec->light == 0 && spec->cached)
        lint_skipping(linter, block);
    for (uint32_t i = 0; spec->light != 0 && i < workload->class_count; i++)
        if (workload->classes[i].model == spec->light)
            lint_say(linter, tree_key(block, "light"), NULL,
                     "class '%s' asks for the light model itself: it is "
                     "degraded to what has just failed",
                     workload->classes[i].name);
}

void lint_degrade(const struct linter *linter)
{
    const struct scenario *scenario = linter->scenario;
    const struct degradation_spec *spec = &scenario->balancer.degrade;
    const struct tree *block = tree_find(linter->balancer, "degrade");

    if (!spec->given)
        return;
    lint_time(linter, block, spec);
    lint_light(linter, block, spec);
    if (spec->light == 0 && !spec->cached)
        lint_say(linter, tree_key(linter->balancer, "degrade"),
                 "set 'light' or 'cached'",
                 "there is nothing to degrade to: all that changes is that "
                 "late requests fail sooner");
    if (spec->cached && !scenario_has_keys(scenario))
        lint_say(linter, tree_key(block, "cached"), "set workload.keys",
                 "'cached' has no effect: requests have no keys");
}
