/* Rules about what policies are told: keys, reports, and what else they ask
   for; see lint_rules.h. */
#include "sim/scenario/describe.h"
#include "sim/scenario/lint_rules.h"

#include "policies/lbp.h"

#include <stdio.h>

static void lint_reports(const struct linter *linter, bool needed)
{
    static const char *const keys[] = {"report_interval", "report_phase",
                                       "report_delay", "report_loss"};
    const struct balancer_spec *spec = &linter->scenario->balancer;

    needed = needed || lint_door_reads_reports(spec);
    for (size_t i = 0; !needed && i < sizeof keys / sizeof *keys; i++) {
        char path[60];

        snprintf(path, sizeof path, "balancer.%s", keys[i]);
        if (i == 0 ? spec->report_interval_ns >= 0
                   : lint_changed(linter->balancer, path) != NULL)
            lint_say(linter, tree_key(linter->balancer, keys[i]), NULL,
                     "'%s' has no effect: no policy here goes by reports",
                     keys[i]);
    }
    if (needed && spec->report_interval_ns == 0 &&
        lint_changed(linter->balancer, "balancer.report_phase"))
        lint_say(linter, tree_key(linter->balancer, "report_phase"), NULL,
                 "'report_phase' has no effect: with 'report_interval' of 0 s "
                 "reports are made at every pick");
    if (needed && spec->report_loss == 1)
        lint_say(linter, tree_key(linter->balancer, "report_loss"), NULL,
                 "no report ever arrives: policies that go by them are blind");
}

/* A contract has more to ask for than one host may have. */
static void lint_unmet(const struct linter *linter, const struct tree *at,
                       const struct policy_spec *policy)
{
    static const struct {
        uint32_t need;
        const char *words;
    } rows[] = {
        {LBP_NEEDS_BLOCKS, "blocks of prompts"},
        {LBP_NEEDS_TEXT, "texts of prompts"},
        {LBP_NEEDS_PROBES, "probes of nodes"},
        {LBP_NEEDS_SESSION, "sessions"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (policy->ops->needs & rows[i].need)
            lint_say(linter, at, NULL,
                     "policy %s goes by %s, and the simulation has none",
                     policy->label, rows[i].words);
}

/* The first group whose nodes slow down with each request that they serve, or
   let them wait for others; NULL: none. */
static const struct group_spec *sharing_group(const struct scenario *scenario)
{
    for (uint32_t i = 0; i < scenario->group_count; i++) {
        const struct engine_spec *engine = &scenario->groups[i].engine;

        if (scenario->groups[i].count == 0)
            continue;
        if (engine->kind == ENGINE_BATCH ||
            (engine->kind == ENGINE_SHARING && engine->limit != 1 &&
             engine->slowdown_per_request > 0))
            return &scenario->groups[i];
    }
    return NULL;
}

/* The contract knows slots alone. */
static void lint_predictions(const struct linter *linter)
{
    const struct scenario *scenario = linter->scenario;
    const struct tree *list = tree_find(linter->root, "policies");
    const struct group_spec *sharing = sharing_group(scenario);

    for (uint32_t i = 0; sharing && i < scenario->policy_count; i++) {
        bool shares = sharing->engine.kind == ENGINE_SHARING;

        if (scenario->policies[i].ops->needs & LBP_PREDICTS)
            lint_say(
                linter, list->values[i],
                shares ? "no policy is told that a node shares; 'pred. off' of "
                         "a run says what it costs"
                       : "no policy is told that a node batches; 'pred. off' "
                         "of a run says what it costs",
                "predictions of policy %s will be off: nodes of group '%s' %s",
                scenario->policies[i].label, sharing->name,
                shares ? "share, so what comes later slows down what they serve"
                       : "batch, so requests wait for each other");
    }
}

void lint_policies(const struct linter *linter)
{
    const struct scenario *scenario = linter->scenario;
    const struct tree *list = tree_find(linter->root, "policies");
    bool needs_reports = false;

    for (uint32_t i = 0; i < scenario->policy_count; i++) {
        unsigned needs = scenario->policies[i].ops->needs;

        if ((needs & LBP_NEEDS_KEY) && !scenario_has_keys(scenario))
            lint_say(linter, list->values[i], "set workload.keys",
                     "policy %s goes by keys, but requests have none: it will "
                     "place them at random",
                     scenario->policies[i].label);
        lint_unmet(linter, list->values[i], &scenario->policies[i]);
        needs_reports = needs_reports || (needs & LBP_NEEDS_REPORTS);
    }
    lint_predictions(linter);
    lint_reports(linter,
                 needs_reports || scenario->balancer.dynamic_weights.given);
}
