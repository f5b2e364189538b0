/* Where a user could go wrong with agents, and with connections. */
#include "sim/scenario/lint_rules.h"
#include "sim/scenario/rehearse.h"
#include "sim/scenario/units.h"

static void lint_words(const struct linter *linter, const struct tree *at,
                       const struct agent_say *say)
{
    struct agent_reply reply;
    struct agent_word ignored = {0};

    if (!agent_read(say->words, &reply, &ignored))
        lint_say(linter, at,
                 "it knows N%, weight:N (to 256), maxconn:N, ready, drain, "
                 "maint, up, down, fail, stopped",
                 "HAProxy ignores the word '%.*s'",
                 ignored.length > 60 ? 60 : (int)ignored.length, ignored.text);
    if (reply.state == AGENT_UP && reply.admin == AGENT_ADMIN_KEPT &&
        say->at_ns == 0)
        lint_say(linter, at, "'ready' takes drain and maint back, 'up' down",
                 "nodes are up at the start: 'up' has no effect");
}

/* A percentage that leaves nothing of a small weight. */
static void lint_cut(const struct linter *linter, const struct tree *at,
                     const struct agent_say *say)
{
    const struct scenario *scenario = linter->scenario;
    uint32_t node = 0;

    if (say->reply.weighs != AGENT_WEIGHT_PERCENT || say->reply.weight == 0)
        return;
    for (uint32_t g = 0; g < scenario->group_count; g++) {
        const struct group_spec *group = &scenario->groups[g];

        for (uint32_t i = 0; i < group->count; i++, node++)
            if (say->nodes[node / 64] >> (node % 64) & 1 && group->weight > 0 &&
                agent_weigh(&say->reply, group->weight, 1) == 0) {
                lint_say(linter, at, "give groups weights of about 100",
                         "%u %% of the weight %u of group '%s' is cut to 0, "
                         "which is a drain",
                         say->reply.weight, group->weight, group->name);
                return;
            }
    }
}

static void lint_start(const struct linter *linter, const struct tree *item,
                       const struct agent_say *say)
{
    char duration[UNITS_TEXT_SIZE];

    if (say->at_ns < linter->scenario->duration_ns)
        return;
    units_write_duration(linter->scenario->duration_ns, duration);
    lint_say(linter, tree_find(item, "at"), NULL,
             "this is said when arrivals are over, after %s", duration);
}

/* Whether a policy goes by weights, where agents say any. */
static bool weights_matter(const struct linter *linter)
{
    const struct agent_spec *spec = &linter->scenario->balancer.agent;
    bool weighs = spec->load != AGENT_LOAD_NONE;

    for (uint32_t i = 0; i < spec->say_count; i++)
        weighs = weighs || (spec->says[i].reply.weighs != AGENT_WEIGHT_KEPT &&
                            spec->says[i].reply.weight > 0);
    if (!weighs || !linter->may_rehearse)
        return true;
    for (uint32_t i = 0; i < linter->scenario->policy_count; i++)
        if (rehearse_minds_weight_changes(linter->scenario, i))
            return true;
    return false;
}

/* Ages that no connection comes to. */
static void lint_connections(const struct linter *linter)
{
    const struct connections_spec *spec =
        &linter->scenario->balancer.connections;
    const struct tree *map = tree_find(linter->balancer, "connections");

    if (!spec->given)
        return;
    if (spec->max_age_ns == INT64_MAX && tree_find(map, "age_jitter"))
        lint_say(linter, tree_key(map, "age_jitter"), "set 'max_age'",
                 "'age_jitter' has no effect: connections have no age");
    if (spec->max_age_ns < INT64_MAX &&
        spec->max_age_ns >= linter->scenario->duration_ns)
        lint_say(linter, tree_key(map, "max_age"), NULL,
                 "'max_age' has no effect: the run is no longer");
}

void lint_agent(const struct linter *linter)
{
    const struct agent_spec *spec = &linter->scenario->balancer.agent;
    const struct tree *at = tree_key(linter->balancer, "agent");
    const struct tree *list =
        tree_find(tree_find(linter->balancer, "agent"), "says");

    lint_connections(linter);
    if (!spec->given)
        return;
    if (spec->say_count == 0 && spec->load == AGENT_LOAD_NONE)
        lint_say(linter, at,
                 "such as 'says: [{target: \"gpu[2]\", at: 60 s, words: "
                 "drain}]', or 'load: gpu_use'",
                 "'agent' has no effect: no agent says anything");
    if (!weights_matter(linter))
        lint_say(linter, at, "smooth_weighted and least_conn do",
                 "the weights that agents say have no effect: no policy here "
                 "goes by weights");
    for (uint32_t i = 0; i < spec->say_count; i++) {
        const struct tree *words = tree_find(list->values[i], "words");

        lint_words(linter, words, &spec->says[i]);
        lint_cut(linter, words, &spec->says[i]);
        lint_start(linter, list->values[i], &spec->says[i]);
    }
}
