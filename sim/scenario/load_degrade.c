/* Degradation needs a light model that exists, and classes to be routed by. */
#include "sim/scenario/draft.h"

void load_degrade(struct load *load, const struct tree *root)
{
    struct draft *draft = &load->loaded->draft;
    const struct tree *block =
        tree_find(tree_find(root, "balancer"), "degrade");
    const struct tree *at = tree_find(block, "light");
    uint32_t model;

    if (load->errors > 0 || !draft->degrade_light)
        return;
    if (draft->scenario.workload.class_count == 0) {
        load_complain(load, tree_key(block, "light"),
                      "list them in workload.classes",
                      "'light' goes by classes of requests, and there are "
                      "none");
        return;
    }
    model = load_known_model(load, at, at->text, at->length);
    if (model < ROUTING_MODELS_MAX)
        draft->scenario.balancer.degrade.light = model;
}
