/* HAProxy's agents: which nodes' say what, and from when on. */
#include "sim/cluster/fault_target.h"
#include "sim/scenario/draft.h"

#include <string.h>

enum { SAYS_MAX = 1000 };

/* The nodes of a target that leaves nothing to chance, as bits. */
static const uint64_t *nodes_of(struct load *load, const struct tree *at,
                                const char *text)
{
    const struct scenario *scenario = &load->loaded->draft.scenario;
    struct fault_target target = {0};
    uint32_t node_count = 0;

    for (uint32_t g = 0; g < scenario->group_count; g++)
        node_count += scenario->groups[g].count;

    size_t words = node_count / 64 + 1;
    uint64_t *bits = pool_allocate(load->pool, words * sizeof *bits);
    uint64_t *scratch = pool_allocate(load->pool, words * sizeof *scratch);

    if (!bits || !scratch || !load_target_text(load, at, text, &target))
        return NULL;
    if (!fault_target_is_fixed(&target)) {
        load_complain(load, at,
                      "such as \"gpu[2]\", \"gpu[0-2]\" or \"gpu[*]\"",
                      "agents of nodes that are drawn cannot be told what to "
                      "say: '%.60s'",
                      text);
        return NULL;
    }
    memset(bits, 0, words * sizeof *bits);
    fault_target_resolve(&target, NULL, node_count, bits, scratch);
    return bits;
}

static void check_reply(struct load *load, const struct tree *at,
                        const struct agent_reply *reply)
{
    const struct balancer_spec *spec = &load->loaded->draft.scenario.balancer;

    if (reply->has_maxconn && !spec->caps.given)
        load_complain(load, at,
                      "such as 'balancer.caps: {max: 1000}', where the agent's "
                      "word is to hold",
                      "'maxconn' needs caps on requests in flight");
    if (reply->weighs != AGENT_WEIGHT_KEPT && spec->dynamic_weights.given)
        load_complain(load, at, "leave one of them out",
                      "the agent says weights, and 'dynamic_weights' would "
                      "change them too");
}

static void load_say(struct load *load, const struct tree *item,
                     struct agent_say *ret)
{
    const struct tree *words;
    struct agent_word ignored;

    *ret = (struct agent_say){0};
    if (item->kind != TREE_MAP) {
        load_complain(load, item,
                      "such as '{target: \"gpu[2]\", at: 60 s, words: \"50%% "
                      "ready\"}'",
                      "what an agent says needs a block of settings; got %s",
                      tree_kind_words(item));
        return;
    }
    load_block(load, settings_find("balancer.agent.says[]"), item, ret);
    if (!ret->target || !ret->words)
        return;
    ret->nodes = nodes_of(load, tree_find(item, "target"), ret->target);
    words = tree_find(item, "words");
    agent_read(ret->words, &ret->reply, &ignored); /* lint tells of the rest */
    check_reply(load, words, &ret->reply);
}

static void check_order(struct load *load, const struct tree *list,
                        const struct agent_say *says)
{
    for (uint32_t i = 1; i < list->count; i++)
        if (says[i].at_ns < says[i - 1].at_ns) {
            load_complain(load, list->values[i], "list them by time",
                          "this is said before what stands above it");
            return;
        }
}

static void load_says(struct load *load, const struct tree *list,
                      struct agent_spec *spec)
{
    uint32_t before = load->errors;
    struct agent_say *says;

    if (list->kind != TREE_LIST || list->count > SAYS_MAX) {
        load_complain(load, list,
                      "such as '[{target: \"gpu[2]\", at: 60 s, words: "
                      "drain}]'",
                      "'says' needs a list of at most %d; got %s", SAYS_MAX,
                      tree_kind_words(list));
        return;
    }
    says = pool_allocate(load->pool, (list->count + 1) * sizeof *says);
    if (!says)
        return;
    for (uint32_t i = 0; i < list->count && !load_is_hopeless(load); i++)
        load_say(load, list->values[i], &says[i]);
    spec->says = says;
    spec->say_count = list->count;
    if (load->errors == before)
        check_order(load, list, says);
}

void load_agent(struct load *load, const struct tree *root)
{
    struct balancer_spec *balancer = &load->loaded->draft.scenario.balancer;
    const struct tree *map = tree_find(tree_find(root, "balancer"), "agent");
    const struct tree *list = tree_find(map, "says");

    if (!balancer->agent.given || load_is_hopeless(load))
        return;
    if (balancer->agent.load != AGENT_LOAD_NONE &&
        balancer->report_interval_ns < 0)
        load_complain(load, tree_find(map, "load"),
                      "set balancer.report_interval, such as '1 s'",
                      "the load is what nodes report, and there are no "
                      "reports");
    if (balancer->agent.load != AGENT_LOAD_NONE &&
        balancer->dynamic_weights.given)
        load_complain(load, tree_find(map, "load"), "leave one of them out",
                      "the agent says weights, and 'dynamic_weights' would "
                      "change them too");
    if (list)
        load_says(load, list, &balancer->agent);
}
