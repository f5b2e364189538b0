/*
 * YAML text into a tree, strictly.
 *
 * Refused with a place: what is not YAML 1.2, a second document, duplicate
 * keys, keys that are not plain words, tags, unknown aliases, nesting beyond
 * TREE_DEPTH_MAX and aliases that would expand beyond TREE_WEIGHT_MAX values
 * (nothing is expanded to find that out). Merge keys (<<) are understood.
 */
#ifndef SIM_SCENARIO_YAML_H
#define SIM_SCENARIO_YAML_H

#include "sim/scenario/tree.h"

/*
 * Reads source->text from offset start on. NULL: diag has one error that says
 * why, or the pool is out of memory. A text without a value gives an empty
 * scalar when empty_is_fine, else an error.
 */
const struct tree *yaml_parse(struct pool *pool, const struct source *source,
                              size_t start, bool empty_is_fine,
                              struct diag *diag);

#endif
