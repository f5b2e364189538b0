/* Which policies of two baselines are the same one. */
#include "sim/experiment/baseline.h"

#include <string.h>

static bool same_kind(const struct baseline_policy *a,
                      const struct baseline_policy *b)
{
    size_t length = strcspn(a->params, " ");

    return length == strcspn(b->params, " ") &&
           strncmp(a->params, b->params, length) == 0;
}

/* The only one of that kind in it whose label the other lacks; NULL: there is
   none, or it cannot be told which. */
static const struct baseline_policy *odd_one(const struct baseline *in,
                                             const struct baseline *other,
                                             const struct baseline_policy *like)
{
    const struct baseline_policy *found = NULL;

    for (uint32_t i = 0; i < in->policy_count; i++) {
        const struct baseline_policy *policy = &in->policies[i];

        if (!same_kind(policy, like) ||
            baseline_find_policy(other, policy->label))
            continue;
        if (found)
            return NULL;
        found = policy;
    }
    return found;
}

const struct baseline_policy *
baseline_pair(const struct baseline *from, const struct baseline_policy *policy,
              const struct baseline *to)
{
    const struct baseline_policy *same =
        baseline_find_policy(to, policy->label);

    if (same || odd_one(from, to, policy) != policy)
        return same;
    return odd_one(to, from, policy);
}
