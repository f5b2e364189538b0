/* Where a user could go wrong with static batches. */
#include "sim/scenario/lint_rules.h"

#include <stdio.h>

/* Settings of batches, given to another engine. */
static void lint_foreign(const struct linter *linter, const struct tree *engine)
{
    static const char *const keys[] = {"size", "max_wait", "sort", "ratio",
                                       "max_skips"};

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        char path[60];

        snprintf(path, sizeof path, "nodes[].engine.%s", keys[i]);
        if (lint_changed(engine, path))
            lint_say(linter, tree_key(engine, keys[i]), "set 'kind: batch'",
                     "'%s' has no effect unless the engine's kind is batch",
                     keys[i]);
    }
}

/* What the order of prompts is good for: nothing where their length costs
   nothing, or where there is one at a time. */
static void lint_order(const struct linter *linter, const struct tree *engine,
                       const struct engine_spec *spec)
{
    const struct tree *sort = lint_changed(engine, "nodes[].engine.sort");
    const struct tree *at = sort ? sort : tree_key(engine, "ratio");

    if (!at)
        return;
    if (spec->batch.size == 1)
        lint_say(linter, at, "give a batch a 'size' of 2 or more",
                 "no prompt is padded: there is one in a batch");
    else if (!spec->service.given || spec->service.per_input_token_s == 0)
        lint_say(linter, at, "set engine.service.per_input_token",
                 "prompts are put in order, but padding costs nothing here");
}

void lint_batch(const struct linter *linter, const struct tree *engine,
                const struct engine_spec *spec)
{
    const struct tree *skips = tree_key(engine, "max_skips");

    if (spec->kind != ENGINE_BATCH) {
        lint_foreign(linter, engine);
        return;
    }
    lint_order(linter, engine, spec);
    if (skips && spec->batch.order == BATCH_ARRIVAL)
        lint_say(linter, skips, NULL,
                 "'max_skips' has no effect: with sort arrival nobody is "
                 "passed over");
}
