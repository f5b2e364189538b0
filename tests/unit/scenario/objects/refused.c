/*
 * One object for each reason to refuse one: REFUSED_<reason> is defined for
 * the build. With REFUSED_NOTHING it is in order: a table longer than this
 * version's, as a later one would have, is no reason. With REFUSED_NEEDS it is
 * refused once its parameter says 9: then it needs what nobody knows yet. With
 * REFUSED_CHANGING its file, named by $LBSIM_TEST_OBJECT, changes while it
 * loads.
 */
#include "policies/lbp.h"

#ifdef REFUSED_CHANGING
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>

__attribute__((constructor)) static void change(void)
{
    utimensat(AT_FDCWD, getenv("LBSIM_TEST_OBJECT"), NULL, 0);
}
#endif

struct config {
    double share;
    uint64_t count;
};

static const struct lbp_param params[] = {
    {
        .name = "share",
        .help = "a share",
        .kind = LBP_SHARE,
        .offset = offsetof(struct config, share),
        .max = 1,
        .preset = "30 %",
    },
    {
        .name = "count",
        .help = "a count",
        .kind = LBP_COUNT,
#ifdef REFUSED_PLACE
        .offset = sizeof(struct config),
#else
        .offset = offsetof(struct config, count),
#endif
        .min = 1,
        .max = 10,
        .preset = "5",
    },
    {0},
};

static int state;

static void *create(const void *config, const struct lbp_host *host)
{
    (void)config;
    (void)host;
    return &state;
}

static void destroy(void *gone)
{
    (void)gone;
}

static enum lbp_status pick(void *mine, const struct lbp_view *view,
                            const struct lbp_request *request,
                            uint32_t *ret_slot,
                            struct lbp_explanation *explanation)
{
    (void)mine;
    (void)view;
    (void)explanation;
    if (request->eligible_count == 0)
        return LBP_NO_NODE;
    *ret_slot = lbp_nth_eligible(request, 0);
    return LBP_PICKED;
}

#ifdef REFUSED_NEEDS
static uint32_t also_needs(const void *config)
{
    return ((const struct config *)config)->count == 9 ? 1u << 30 : 0;
}
#endif

static const struct {
    struct lbp_ops ops;
    void *later[4];
} table = {
    .ops =
        {
#ifdef REFUSED_VERSION
            .abi = LBP_ABI + 1,
#else
            .abi = LBP_ABI,
#endif
#ifdef REFUSED_SIZE
            .size = 16,
#else
            .size = sizeof table,
#endif
            .name = "first_only",
            .summary = "the first eligible node",
            .tie_rule = "none",
            .params = params,
            .config_size = sizeof(struct config),
            .create = create,
            .destroy = destroy,
            .pick = pick,
#ifdef REFUSED_NEEDS
            .needs = LBP_NEEDS_BLOCKS | LBP_NEEDS_PROBES,
            .also_needs = also_needs,
#endif
        },
    .later = {&state, &state, &state, &state},
};

#ifdef REFUSED_ENTRY
LBP_EXPORT const struct lbp_ops *another_entry(void);
const struct lbp_ops *another_entry(void)
{
    return &table.ops;
}
#else
const struct lbp_ops *lbp_entry(uint32_t host_abi)
{
#ifdef REFUSED_NULL
    return host_abi == LBP_ABI ? NULL : &table.ops;
#else
    return host_abi == LBP_ABI ? &table.ops : NULL;
#endif
}
#endif

#ifdef REFUSED_SYMBOL
extern int lbsim_test_nowhere(void);
LBP_EXPORT int lbsim_test_needs(void);
int lbsim_test_needs(void)
{
    return lbsim_test_nowhere();
}
#endif
