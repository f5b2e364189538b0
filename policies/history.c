#include "policies/history.h"

void history_init(struct history *history, const struct history_config *config)
{
    history->config = *config;
    history->all = (struct history_cell){0};
    for (uint32_t i = 0; i < HISTORY_CELLS; i++)
        history->cells[i] = (struct history_cell){0};
}

/* 0 for no input, else 1 + the power of two below. */
static uint32_t size_class(uint32_t tokens)
{
    return tokens == 0 ? 0 : 32 - (uint32_t)__builtin_clz(tokens);
}

/* Never 0, which marks a free cell. */
static uint64_t name_kind(const struct lbp_request *request)
{
    return (uint64_t)1 << 63 | (uint64_t)request->model << 32 |
           (uint64_t)request->request_class << 8 |
           size_class(request->input_tokens);
}

/* Fibonacci hashing: the top bits of a product with 2^64 / golden ratio. */
static uint32_t place_of(uint64_t name)
{
    _Static_assert(HISTORY_CELLS == 1 << 10, "ten bits name a place");
    return (uint32_t)(name * 0x9E3779B97F4A7C15u >> 54);
}

/* The cell of that name, or the free one that it may have; -1: neither. */
static int find_cell(const struct history *history, uint64_t name)
{
    uint32_t place = place_of(name);

    for (uint32_t i = 0; i < HISTORY_PROBES; i++) {
        uint32_t at = (place + i) % HISTORY_CELLS;

        if (history->cells[at].name == name || history->cells[at].name == 0)
            return (int)at;
    }
    return -1;
}

double history_expect(const struct history *history,
                      const struct lbp_request *request)
{
    int at = find_cell(history, name_kind(request));

    if (at >= 0 && history->cells[at].count >= HISTORY_ENOUGH)
        return history->cells[at].tokens;
    return history->all.count > 0 ? history->all.tokens
                                  : history->config.preset;
}

/*
 * The first answers weigh alike, later ones by `smoothing`. A quantile moves
 * by a share of itself: up when an answer was longer and down when it was
 * not, so that it rests where a share `quantile` of the answers is shorter.
 */
static void learn(struct history_cell *cell,
                  const struct history_config *config, double tokens)
{
    double share = 1 / (double)++cell->count;

    if (share < config->smoothing)
        share = config->smoothing;
    if (cell->count == 1)
        cell->tokens = tokens;
    else if (config->kind == HISTORY_MEAN)
        cell->tokens += share * (tokens - cell->tokens);
    else if (tokens > cell->tokens)
        cell->tokens *= 1 + share * config->quantile;
    else
        cell->tokens *= 1 - share * (1 - config->quantile);
}

void history_learn(struct history *history, const struct lbp_request *request,
                   uint32_t tokens)
{
    uint64_t name = name_kind(request);
    int at;

    if (tokens == 0)
        return;
    learn(&history->all, &history->config, tokens);
    at = find_cell(history, name);
    if (at < 0)
        return;
    history->cells[at].name = name;
    learn(&history->cells[at], &history->config, tokens);
}
