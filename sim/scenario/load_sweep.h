/* Inside the loader: the parts of `sweep` and `crossover`. Not for others. */
#ifndef SIM_SCENARIO_LOAD_SWEEP_H
#define SIM_SCENARIO_LOAD_SWEEP_H

#include "sim/scenario/draft.h"

/*
 * The values of the path that key names: a list, a range as text or block, or
 * one value. wanted: how many values the axis has that this path moves with;
 * 0: it makes an axis. false: complained.
 */
bool load_axis_values(struct load *load, const struct tree *key,
                      const struct tree *value, uint32_t wanted,
                      struct sweep_path *ret, bool *ret_log);

/* The two ends of a path of a crossover. */
bool load_axis_span(struct load *load, const struct tree *key,
                    const struct tree *value, struct sweep_span *ret,
                    bool *ret_log);

/* Add to the spec of the scenario being loaded. */
bool load_axis(struct load *load, const struct tree *key,
               const struct tree *value);
bool load_axis_together(struct load *load, const struct tree *key,
                        const struct tree *value);
bool load_crossover_path(struct load *load, const struct tree *key,
                         const struct tree *value);
bool load_crossover_together(struct load *load, const struct tree *key,
                             const struct tree *value);
void load_crossover_within(struct load *load, const struct tree *value);
/* Of the one it is nearest to, or the first two: both labels as they are. */
bool load_crossover_between(struct load *load, const struct tree *first,
                            const struct tree *second);

#endif
