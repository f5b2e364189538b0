#include "sim/frontdoor/hint_history.h"

#define NEWEST_SHARE 0.02

static uint64_t name_kind(const struct lbp_request *request)
{
    uint32_t tokens = request->input_tokens;
    uint32_t size = tokens ? 32 - (uint32_t)__builtin_clz(tokens) : 0;

    return (uint64_t)1 << 63 | (uint64_t)request->model << 32 |
           (uint64_t)request->request_class << 8 | size;
}

/* The kind of that name, or the free one that it may have; -1: neither. By
   Fibonacci hashing: the top bits of a product with 2^64 / golden ratio. */
static int find_kind(const struct hint_history *history, uint64_t name)
{
    uint32_t place = (uint32_t)(name * 0x9E3779B97F4A7C15u >> 54);

    _Static_assert(HINT_KINDS == 1 << 10, "ten bits name a place");
    for (uint32_t i = 0; i < HINT_PROBES; i++) {
        uint32_t at = (place + i) % HINT_KINDS;

        if (history->kinds[at].name == name || history->kinds[at].name == 0)
            return (int)at;
    }
    return -1;
}

/* Of its kind, or of all while the kind has few answers. */
static double mean_of(const struct hint_mean *kind, const struct hint_mean *all)
{
    return kind->count >= HINT_ENOUGH ? kind->value : all->value;
}

struct hint hint_history_expect(const struct hint_history *history,
                                const struct lbp_request *request)
{
    const struct hint_kind *all = &history->all, *kind = all;
    int at = find_kind(history, name_kind(request));

    if (at >= 0)
        kind = &history->kinds[at];
    return (struct hint){
        .output_tokens = (uint32_t)(mean_of(&kind->tokens, &all->tokens) + 0.5),
        .work_ns = (int64_t)(mean_of(&kind->work_ns, &all->work_ns) + 0.5),
    };
}

static void follow(struct hint_mean *mean, double value)
{
    double share;

    if (!(value > 0))
        return;
    share = 1 / (double)++mean->count;
    mean->value +=
        (share > NEWEST_SHARE ? share : NEWEST_SHARE) * (value - mean->value);
}

static void learn(struct hint_kind *kind, const struct hint *truth)
{
    follow(&kind->tokens, truth->output_tokens);
    follow(&kind->work_ns, (double)truth->work_ns);
}

void hint_history_learn(struct hint_history *history,
                        const struct lbp_request *request,
                        const struct hint *truth)
{
    uint64_t name = name_kind(request);
    int at = find_kind(history, name);

    learn(&history->all, truth);
    if (at < 0)
        return;
    history->kinds[at].name = name;
    learn(&history->kinds[at], truth);
}
