/* Where a user could go wrong with nodes that come and go. */
#include "sim/scenario/lint_rules.h"

#include "sim/scenario/units.h"

#define OF(rule) (1u << (rule))

/* Settings that only some rules look at. */
static const struct {
    const char *key;
    unsigned rules;
    const char *who;
} owned[] = {
    {"up", OF(SCALE_HPA) | OF(SCALE_KEDA), "hpa and keda"},
    {"down", OF(SCALE_HPA) | OF(SCALE_KEDA), "hpa and keda"},
    {"tolerance", OF(SCALE_HPA) | OF(SCALE_KEDA), "hpa and keda"},
    {"cpu_initialization", OF(SCALE_HPA), "hpa"},
    {"readiness_delay", OF(SCALE_HPA), "hpa"},
    {"keda", OF(SCALE_KEDA), "keda"},
    {"kpa", OF(SCALE_KPA), "kpa"},
    {"schedule", OF(SCALE_SCHEDULE), "schedule"},
    {"day", OF(SCALE_SCHEDULE), "schedule"},
    {"trend", OF(SCALE_TREND), "trend"},
    {"low", OF(SCALE_THRESHOLD) | OF(SCALE_GOAL), "threshold and goal"},
    {"inherits", OF(SCALE_THRESHOLD), "threshold"},
    {"patience", OF(SCALE_GOAL), "goal"},
    {"max_factor", OF(SCALE_GOAL), "goal"},
    {"method", OF(SCALE_STAFFING), "staffing"},
    {"sync", ~(OF(SCALE_SCHEDULE) | OF(SCALE_DEMAND)), "the other rules"},
    {"scrape", ~(OF(SCALE_SCHEDULE) | OF(SCALE_DEMAND)), "the other rules"},
    {"lag", ~(OF(SCALE_SCHEDULE) | OF(SCALE_DEMAND)), "the other rules"},
    {"scrape_noise", ~(OF(SCALE_SCHEDULE) | OF(SCALE_DEMAND)),
     "the other rules"},
    {"lag_noise", ~(OF(SCALE_SCHEDULE) | OF(SCALE_DEMAND)), "the other rules"},
};

static void lint_owned(const struct linter *linter, const struct tree *block,
                       const struct scale_spec *scale)
{
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) {
        const struct tree *at = tree_key(block, owned[i].key);

        if (at && !(owned[i].rules >> scale->rule & 1))
            lint_say(linter, at, NULL,
                     "'%s' has no effect on this rule: it is of %s",
                     owned[i].key, owned[i].who);
    }
}

/* A target that the rule does not go by; a wait_probability is one by
   default. */
static void lint_target(const struct linter *linter, const struct tree *block,
                        const struct scale_spec *scale)
{
    const struct tree *target = tree_find(block, "target");

    if (scale->rule == SCALE_SCHEDULE && target)
        lint_say(linter, tree_key(block, "target"), NULL,
                 "'target' has no effect: the clock decides");
    else if (scale->rule != SCALE_STAFFING &&
             tree_find(target, "wait_probability"))
        lint_say(linter, tree_key(target, "wait_probability"), NULL,
                 "'wait_probability' has no effect unless the rule is "
                 "staffing");
}

/* Nodes that the clock asks for and does not get. */
static void lint_schedule(const struct linter *linter, const struct tree *block,
                          const struct scale_spec *scale)
{
    for (uint32_t i = 0; i < scale->schedule.count; i++) {
        uint32_t nodes = scale->schedule.entries[i].nodes;

        if (nodes < scale->min || nodes > scale->max) {
            lint_say(linter, tree_find(block, "schedule"), NULL,
                     "'schedule' asks for %u, but there are %u to %u nodes, by "
                     "'min' and 'max'",
                     nodes, scale->min, scale->max);
            return;
        }
    }
}

static void lint_autoscale(const struct linter *linter, const struct tree *item,
                           const struct group_spec *group)
{
    const struct scale_spec *scale = &group->scale;
    const struct tree *block = tree_find(item, "autoscale");

    lint_owned(linter, block, scale);
    lint_target(linter, block, scale);
    if (scale->rule == SCALE_SCHEDULE)
        lint_schedule(linter, block, scale);
    if (scale->min == scale->max)
        lint_say(linter, tree_key(item, "autoscale"), NULL,
                 "group '%s' cannot be scaled: 'min' and 'max' are both %u",
                 group->name, scale->max);
    else if (start_up_ns(&group->start_up) == 0)
        lint_say(linter, tree_key(item, "autoscale"),
                 "set start_up: a machine takes 1 to 5 min, a model its size "
                 "over its disk",
                 "new nodes of group '%s' serve at once, which makes scaling "
                 "easy",
                 group->name);
    if (scale->sync_ns > 0 && scale->scrape_ns > 2 * scale->sync_ns)
        lint_say(linter, tree_key(block, "scrape"), NULL,
                 "most decisions of group '%s' see no new metrics: 'scrape' "
                 "is longer than two syncs",
                 group->name);
}

static void lint_rollout(const struct linter *linter, const struct tree *item,
                         const struct group_spec *group)
{
    const struct tree *block = tree_find(item, "rollout");

    if (group->rollout.at_ns >= linter->scenario->duration_ns) {
        char duration[UNITS_TEXT_SIZE];

        units_write_duration(linter->scenario->duration_ns, duration);
        lint_say(linter, tree_find(block, "at"), NULL,
                 "the rollout has no effect: it begins when arrivals are "
                 "over, after %s",
                 duration);
    }
    if (start_up_load_ns(&group->start_up) +
            start_up_warm_ns(&group->start_up) ==
        0)
        lint_say(linter, tree_key(item, "rollout"),
                 "set start_up.model or start_up.init",
                 "nodes of group '%s' are back the moment they are empty",
                 group->name);
}

static void lint_start_up(const struct linter *linter, const struct tree *item,
                          const struct group_spec *group)
{
    const struct tree *block = tree_find(item, "start_up");

    if (tree_find(block, "per_second") && group->start_up.model_bytes == 0)
        lint_say(linter, tree_key(block, "per_second"), "set 'model'",
                 "'per_second' has no effect: nothing is loaded");
    if (tree_find(block, "warm_up_requests") &&
        group->start_up.warm_up_request_ns == 0)
        lint_say(linter, tree_key(block, "warm_up_requests"),
                 "set 'warm_up_request'",
                 "'warm_up_requests' has no effect: they take no time");
}

static bool goes_by_metrics(enum scale_rule rule)
{
    return rule != SCALE_SCHEDULE && rule != SCALE_DEMAND;
}

/* Noise on a time that there is not. */
static void lint_noises(const struct linter *linter, const struct tree *item,
                        const struct group_spec *group)
{
    const struct start_up_spec *start_up = &group->start_up;
    const struct {
        const char *block, *key, *what;
        bool idle;
    } noises[] = {
        {"start_up", "provision_noise", "provisioning takes no time",
         start_up->provision_ns == 0},
        {"start_up", "load_noise", "to load and to warm up takes no time",
         start_up_load_ns(start_up) + start_up_warm_ns(start_up) == 0},
        {"autoscale", "lag_noise", "there is no lag",
         group->scale.lag_ns == 0 && goes_by_metrics(group->scale.rule)},
    };

    for (size_t i = 0; i < sizeof noises / sizeof *noises; i++) {
        const struct tree *block = tree_find(item, noises[i].block);

        if (noises[i].idle && tree_find(block, noises[i].key))
            lint_say(linter, tree_key(block, noises[i].key), NULL,
                     "'%s' has no effect: %s", noises[i].key, noises[i].what);
    }
}

/* What only nodes that come or go have. */
static void lint_unused(const struct linter *linter, const struct tree *item)
{
    static const char *const keys[] = {"start_up", "drain"};

    for (int i = 0; i < 2; i++)
        if (tree_find(item, keys[i]))
            lint_say(linter, tree_key(item, keys[i]),
                     "set 'autoscale' or 'rollout'",
                     "'%s' has no effect: no node comes or goes", keys[i]);
}

void lint_scaling(const struct linter *linter)
{
    const struct scenario *scenario = linter->scenario;
    const struct tree *nodes = tree_find(linter->root, "nodes");

    for (uint32_t i = 0; i < scenario->group_count; i++) {
        const struct group_spec *group = &scenario->groups[i];
        const struct tree *item = nodes->values[i];

        if (!group->scale.given && !group->rollout.given) {
            lint_unused(linter, item);
            continue;
        }
        lint_start_up(linter, item, group);
        lint_noises(linter, item, group);
        if (group->scale.given)
            lint_autoscale(linter, item, group);
        if (group->rollout.given)
            lint_rollout(linter, item, group);
    }
}
