#include "policies/resource_rating.h"

#include <math.h>

#define OVERDUE_MAX 1000000000 /* periods; more are not told apart */

static const double formulas[][RESOURCES] = {
    [FORMULA_GPU_CPU_MEMORY_QUEUE] = {0.4, 0.3, 0.2, 0.1},
    [FORMULA_GPU_CPU_QUEUE] = {0.7, 0.2, 0, 0.1},
};

const struct rating_config rating_presets = {
    .weights = {NAN, NAN, NAN, NAN},
    .queue_cap = 10,
    .stale_after = 3,
    .stale_penalty = 0.1,
    .exclude_after = 10,
    .queue_norm = true,
};

static bool gives_weights(const struct rating_config *config)
{
    for (int r = 0; r < RESOURCES; r++)
        if (config->weights[r] >= 0)
            return true;
    return false;
}

static double weight_of(const struct rating_config *config, int r)
{
    if (!gives_weights(config))
        return formulas[config->formula][r];
    return config->weights[r] >= 0 ? config->weights[r] : 0;
}

const char *rating_check(const struct rating_config *config)
{
    double sum = 0;

    for (int r = 0; r < RESOURCES; r++)
        sum += weight_of(config, r);
    if (!(sum > 0))
        return "one of the weights gpu, cpu, memory and queue must be above 0";
    if (config->formula != rating_presets.formula && gives_weights(config))
        return "give a formula or weights of your own, not both";
    if (config->local_inflight && !(weight_of(config, QUEUE) > 0))
        return "local_inflight counts in the queue, which needs a weight "
               "above 0";
    return NULL;
}

void rating_rule_init(struct rating_rule *rule,
                      const struct rating_config *config)
{
    double all = 0;

    rule->config = *config;
    for (int r = 0; r < RESOURCES; r++)
        all += weight_of(config, r);
    for (unsigned known = 0; known < 1u << RESOURCES; known++) {
        double some = 0;

        for (int r = 0; r < RESOURCES; r++)
            some += known >> r & 1 ? weight_of(config, r) : 0;
        for (int r = 0; r < RESOURCES; r++)
            rule->weights[known][r] = known >> r & 1 && some > 0
                                          ? weight_of(config, r) * (all / some)
                                          : 0;
    }
}

/* Negative: not known. */
static double queue_of(const struct rating_rule *rule,
                       const struct lbp_view *view, const struct lbp_node *node,
                       uint32_t slot)
{
    int64_t queue = node->queue_depth;
    int64_t cap = (int64_t)rule->config.queue_cap;

    if (rule->config.local_inflight)
        queue = (queue > 0 ? queue : 0) + view->in_flight_since_report[slot];
    if (queue < 0 || !rule->config.queue_norm)
        return (double)queue;
    return queue < cap ? (double)queue / (double)cap : 1;
}

/* Whole periods past stale_after. */
static int64_t overdue_periods(const struct rating_rule *rule,
                               const struct lbp_view *view, int64_t age_ns)
{
    double period = (double)view->report_interval_ns;
    double late = (double)age_ns - rule->config.stale_after * period;

    if (late <= 0)
        return 0;
    return late < period * OVERDUE_MAX ? (int64_t)(late / period) : OVERDUE_MAX;
}

static void rate_age(const struct rating_rule *rule,
                     const struct lbp_view *view, const struct lbp_node *node,
                     struct rating *rating)
{
    uint64_t out = rule->config.exclude_after;
    int64_t overdue;

    rating->terms[RESOURCES] = 0;
    if (node->reported_at_ns == LBP_NO_TIME) {
        rating->standing = STANDING_UNKNOWN;
        return;
    }
    overdue = overdue_periods(rule, view, view->now_ns - node->reported_at_ns);
    if (overdue == 0)
        return;
    rating->terms[RESOURCES] = rule->config.stale_penalty * (double)overdue;
    if (rating->standing == STANDING_KNOWN && out > 0 &&
        (uint64_t)overdue >= out)
        rating->standing = STANDING_STALE;
}

struct rating rating_of(const struct rating_rule *rule,
                        const struct lbp_view *view, uint32_t slot)
{
    const struct lbp_node *node = lbp_node_at(view, slot);
    const double values[RESOURCES] = {node->gpu_use, node->cpu_use,
                                      node->memory_use,
                                      queue_of(rule, view, node, slot)};
    struct rating rating = {.slot = slot};
    const double *weights;
    unsigned known = 0;
    double sum = 0;

    for (int r = 0; r < RESOURCES; r++)
        known |= (unsigned)(values[r] >= 0) << r;
    weights = rule->weights[known];
    for (int r = 0; r < RESOURCES; r++) {
        double value = r < QUEUE && values[r] > 1 ? 1 : values[r];

        rating.terms[r] = weights[r] > 0 ? weights[r] * value : 0;
        rating.score += rating.terms[r];
        sum += weights[r];
    }
    rating.standing = sum > 0 ? STANDING_KNOWN : STANDING_UNKNOWN;
    rate_age(rule, view, node, &rating);
    rating.score += rating.terms[RESOURCES];
    return rating;
}
