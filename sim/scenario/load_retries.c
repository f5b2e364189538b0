/*
 * Time-outs, retries, hedges and deadlines: what the rule of a proxy says where
 * the scenario does not, and what settings must be to each other.
 */
#include "sim/scenario/draft.h"

#include <math.h>
#include <string.h>

void load_blank_front(struct balancer_spec *balancer)
{
    balancer->timeout.total_ns = INT64_MAX;
    balancer->connections.max_age_ns = INT64_MAX;
    balancer->hedge.after_ns = -1;
    retry_spec_apply_rule(&balancer->retry, 0, 0);
}

/* --- the causes ------------------------------------------------------------
 */

static void load_cause(struct load *load, const struct tree *item,
                       uint32_t *causes)
{
    if (item->kind != TREE_SCALAR) {
        load_complain(load, item, "such as refused, reset, full",
                      "a failure needs a name; got %s", tree_kind_words(item));
        return;
    }
    for (uint32_t c = 0; c < CAUSE_COUNT; c++)
        if (tree_is_text(item, retry_cause_words[c])) {
            *causes |= 1u << c;
            return;
        }
    load_complain(
        load, item,
        load_nearest(load, item->text, item->length, retry_cause_words),
        "'%.60s' is no failure that can be tried again", item->text);
}

static void load_causes(struct load *load, const struct tree *block,
                        struct retry_spec *spec)
{
    const struct tree *list = tree_find(block, "on");
    uint32_t causes = 0;

    if (!list)
        return;
    if (list->kind != TREE_LIST || list->count == 0) {
        load_complain(
            load, tree_is_nothing(list) ? tree_key(block, "on") : list,
            list->kind == TREE_SCALAR && !tree_is_nothing(list)
                ? "several stand in brackets, and so does one"
                : "leave 'retry' out where nothing is tried again",
            "'on' needs a list of failures such as [refused, reset]; got %s",
            list->kind == TREE_LIST ? "an empty list" : tree_kind_words(list));
        return;
    }
    for (uint32_t i = 0; i < list->count && !load_is_hopeless(load); i++)
        load_cause(load, list->values[i], &causes);
    spec->on = causes;
}

/* --- the rule --------------------------------------------------------------
 */

/* What was said in the block and the blocks in it holds over the rule. */
static void restore_said(struct load *load, const struct setting *block,
                         const struct tree *map, struct draft *draft)
{
    const struct setting *row = settings_first_child(block);

    for (; row && map; row = settings_next(block, row)) {
        const char *key;
        size_t length = settings_key(row, &key);
        const struct tree *value = tree_get(map, key, length);

        if (!value)
            continue;
        if (row->kind == SETTING_BLOCK)
            restore_said(load, row, value, draft);
        else if (row->store != STORE_NOWHERE)
            load_value(load, row, value, draft);
    }
}

static void apply_rule(struct load *load, const struct tree *block)
{
    struct draft *draft = &load->loaded->draft;
    struct scenario *scenario = &draft->scenario;
    struct retry_spec *spec = &scenario->balancer.retry;

    retry_spec_apply_rule(spec, scenario->node_count,
                          scenario->balancer.timeout.connect_ns);
    restore_said(load, settings_find("balancer.retry"), block, draft);
    load_causes(load, block, spec);
    if (spec->on_misroute)
        spec->on |= 1u << CAUSE_MISROUTE;
}

static void check_backoff(struct load *load, const struct tree *block,
                          const struct retry_spec *spec)
{
    const struct tree *backoff = tree_find(block, "backoff");

    if (spec->backoff_given && spec->backoff.base_ns > spec->backoff.max_ns)
        load_complain(
            load, tree_key(backoff, tree_find(backoff, "max") ? "max" : "base"),
            "'max' bounds every wait",
            "a back-off's 'base' must not be above its 'max'");
}

/* --- hedges ----------------------------------------------------------------
 */

static void load_hedge(struct load *load, const struct tree *block)
{
    struct hedge_spec *spec = &load->loaded->draft.scenario.balancer.hedge;

    if (!spec->given)
        return;
    if (tree_find(block, "after") && tree_find(block, "percentile"))
        load_complain(load, tree_key(block, "percentile"), "leave one out",
                      "'after' and 'percentile' both say when a hedge is sent");
    if (spec->rule != HEDGE_GRPC)
        return;
    if (!tree_find(block, "attempts"))
        spec->attempts = 5;
    if (!tree_find(block, "budget"))
        spec->budget = 100;
    if (!tree_find(block, "saturation"))
        spec->saturation = 1000;
    if (!tree_find(block, "until"))
        spec->until = HEDGE_UNTIL_ANSWER;
    if (!tree_find(block, "after"))
        load_complain(
            load, tree_key(tree_find(load->loaded->root, "balancer"), "hedge"),
            "such as 'after: 500 ms'",
            "gRPC sends hedges after a time, which needs 'after'");
}

void load_retries(struct load *load, const struct tree *root)
{
    const struct balancer_spec *balancer =
        &load->loaded->draft.scenario.balancer;
    const struct tree *block = tree_find(root, "balancer");
    const struct tree *retry = tree_find(block, "retry");

    if (load->errors > 0)
        return;
    if (balancer->retry.given) {
        apply_rule(load, retry);
        check_backoff(load, retry, &balancer->retry);
    }
    load_hedge(load, tree_find(block, "hedge"));
}
