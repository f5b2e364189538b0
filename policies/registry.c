#include "policies/registry.h"

#include <string.h>

extern const struct lbp_ops policy_random;
extern const struct lbp_ops policy_round_robin;
extern const struct lbp_ops policy_smooth_weighted;
extern const struct lbp_ops policy_least_conn;
extern const struct lbp_ops policy_two_choices;
extern const struct lbp_ops policy_resource_score;
extern const struct lbp_ops policy_ring_hash;

static const struct lbp_ops *const policies[] = {
    &policy_random,     &policy_round_robin, &policy_smooth_weighted,
    &policy_least_conn, &policy_two_choices, &policy_resource_score,
    &policy_ring_hash,
};

#define POLICY_COUNT (sizeof policies / sizeof policies[0])

const struct lbp_ops *lbp_registry_find(const char *name, size_t length)
{
    for (size_t i = 0; i < POLICY_COUNT; i++)
        if (strlen(policies[i]->name) == length &&
            memcmp(policies[i]->name, name, length) == 0)
            return policies[i];
    return NULL;
}

const struct lbp_ops *const *lbp_registry_list(uint32_t *ret_count)
{
    *ret_count = POLICY_COUNT;
    return policies;
}
