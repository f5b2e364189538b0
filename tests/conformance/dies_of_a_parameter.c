/* Fails: parameters. A parameter may be 0, and the policy gives up. */
#include "tests/conformance/honest.h"

#include <stdlib.h>

struct config {
    uint64_t every;
};

static const struct lbp_param params[] = {
    {
        .name = "every",
        .help = "the turn moves on with one pick in so many",
        .kind = LBP_COUNT,
        .offset = offsetof(struct config, every),
        .min = 0,
        .max = 100,
        .preset = "1",
    },
    {0},
};

static void *create(const void *config, const struct lbp_host *host)
{
    struct honest *honest = honest_create(config, host);
    const struct config *mine = config;

    if (honest && mine->every == 0)
        abort();
    if (honest)
        honest->extra = 1000 / mine->every;
    return honest;
}

const struct lbp_ops *lbp_entry(uint32_t host_abi)
{
    static struct lbp_ops ops;

    ops = honest_ops;
    ops.create = create;
    ops.params = params;
    ops.config_size = sizeof(struct config);
    return host_abi == LBP_ABI ? &ops : NULL;
}
