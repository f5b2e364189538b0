/* Fails: nothing. All that a host can tell, do and be asked for is used. */
#include "tests/conformance/honest.h"

struct config {
    double real, share;
    uint64_t count;
    int64_t every_ns;
    bool on;
    uint32_t choice;
    const char *text;
};

static const struct lbp_param params[] = {
    {"real", "a number", LBP_REAL, offsetof(struct config, real), 0, 0, "1.5",
     NULL, NULL},
    {"share", "a share", LBP_SHARE, offsetof(struct config, share), 0, 1, NULL,
     NULL, NULL},
    {"count", "a count", LBP_COUNT, offsetof(struct config, count), 1, 100,
     "10", NULL, NULL},
    {"every", "time between two timers", LBP_DURATION,
     offsetof(struct config, every_ns), 0.001, 60, "30 s", NULL, NULL},
    {"on", "true or false", LBP_SWITCH, offsetof(struct config, on), 0, 0,
     "true", NULL, NULL},
    {"choice", "one of three", LBP_CHOICE, offsetof(struct config, choice), 0,
     0, "b", NULL, "a|b|c"},
    {"text", "a text", LBP_TEXT, offsetof(struct config, text), 0, 0, "word",
     NULL, NULL},
    {0},
};

static int64_t every_ns_of(const struct honest *honest)
{
    return (int64_t)honest->extra;
}

static void *create(const void *config, const struct lbp_host *host)
{
    const struct config *mine = config;
    struct honest *honest = honest_create(config, host);

    if (honest && mine->choice < 3 && mine->text)
        honest->extra = (uint64_t)mine->every_ns;
    return honest;
}

/* Ties of the turn go to the node that knows most of the prompt. */
static enum lbp_status pick(void *state, const struct lbp_view *view,
                            const struct lbp_request *request,
                            uint32_t *ret_slot,
                            struct lbp_explanation *explanation)
{
    struct honest *honest = state;
    const struct lbp_host *host = honest->host;
    uint32_t best = honest_choose(honest, request), best_blocks = 0;

    (void)view;
    lbp_explain_start(explanation);
    for (uint32_t slot = 0; slot < honest->slot_count; slot++) {
        uint32_t blocks;

        if (!lbp_eligible(request, slot) ||
            honest->sent[slot] > honest->sent[best])
            continue;
        blocks = host->resident_blocks(host->context, request, slot);
        if (blocks <= best_blocks)
            continue;
        best_blocks = blocks;
        best = slot;
    }
    if (best != LBP_NO_SLOT)
        request->note[0] = best + 1;
    return honest_answer(honest, best, ret_slot);
}

static void on_first_token(void *state, const struct lbp_view *view,
                           const struct lbp_request *request, uint32_t slot)
{
    struct honest *honest = state;

    (void)view;
    if (request->note[0] == slot + 1)
        honest->host->probe(honest->host->context, slot);
}

static void on_report(void *state, const struct lbp_view *view, uint32_t slot)
{
    struct honest *honest = state;

    if (lbp_node_at(view, slot)->gpu_use >= 0)
        honest->host->probe(honest->host->context, slot);
}

static void on_probe(void *state, const struct lbp_view *view, uint32_t slot,
                     const struct lbp_probe *probe)
{
    struct honest *honest = state;

    if (slot < view->slot_count && probe->latency_ns >= 0)
        honest->next = slot;
}

static int64_t on_timer(void *state, const struct lbp_view *view)
{
    struct honest *honest = state;
    const struct lbp_host *host = honest->host;

    host->release(host->context, host->allocate(host->context, 64));
    return view->now_ns + every_ns_of(honest);
}

static uint32_t also_needs(const void *config)
{
    return config ? LBP_NEEDS_BLOCKS | LBP_NEEDS_PROBES : 0;
}

const struct lbp_ops *lbp_entry(uint32_t host_abi)
{
    static struct lbp_ops ops;

    ops = honest_ops;
    ops.params = params;
    ops.config_size = sizeof(struct config);
    ops.needs =
        LBP_NEEDS_KEY | LBP_NEEDS_TEXT | LBP_NEEDS_REPORTS | LBP_NEEDS_SESSION;
    ops.also_needs = also_needs;
    ops.create = create;
    ops.pick = pick;
    ops.on_first_token = on_first_token;
    ops.on_report = on_report;
    ops.on_probe = on_probe;
    ops.on_timer = on_timer;
    return host_abi == LBP_ABI ? &ops : NULL;
}
