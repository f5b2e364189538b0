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
    if (!config->queue_norm && config->queue_cap != rating_presets.queue_cap)
        return "queue_cap says when a queue is full for queue_norm: true; "
               "without that it means nothing";
    return NULL;
}

void rating_rule_init(struct rating_rule *rule,
                      const struct rating_config *config)
{
    double all = 0;

    rule->config = *config;
    rule->informative = 0;
    rule->queue_unit = config->queue_norm ? 1 / (double)config->queue_cap : 1;
    for (int r = 0; r < RESOURCES; r++)
        all += weight_of(config, r);
    for (unsigned known = 0; known < 1u << RESOURCES; known++) {
        double some = 0;

        for (int r = 0; r < RESOURCES; r++)
            some += known >> r & 1 ? weight_of(config, r) : 0;
        rule->informative |= (uint32_t)(some > 0) << known;
        for (int r = 0; r < RESOURCES; r++)
            rule->weights[known][r] = known >> r & 1 && some > 0
                                          ? weight_of(config, r) * (all / some)
                                          : 0;
    }
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

int64_t rating_fresh_ns(const struct rating_rule *rule,
                        const struct lbp_view *view)
{
    double fresh = rule->config.stale_after * (double)view->report_interval_ns;

    return fresh < 9e18 ? (int64_t)fresh : INT64_MAX;
}

double rating_age_cost(const struct rating_rule *rule,
                       const struct lbp_view *view, int64_t age_ns,
                       bool *ret_stale)
{
    int64_t overdue = overdue_periods(rule, view, age_ns);
    uint64_t out = rule->config.exclude_after;

    *ret_stale = out > 0 && (uint64_t)overdue >= out;
    return rule->config.stale_penalty * (double)overdue;
}

void rating_terms(const struct rating_rule *rule, const struct lbp_view *view,
                  uint32_t slot, double *ret_terms)
{
    const struct lbp_node *node = lbp_node_at(view, slot);
    struct rating_input input;
    const double *weights;
    bool stale;

    rating_read(rule, view, slot, &input);
    weights = rule->weights[input.known];
    ret_terms[GPU] = weights[GPU] * input.gpu;
    ret_terms[CPU] = weights[CPU] * input.cpu;
    ret_terms[MEMORY] = weights[MEMORY] * input.memory;
    ret_terms[QUEUE] = weights[QUEUE] * input.queue;
    ret_terms[RESOURCES] = 0;
    if (node->reported_at_ns != LBP_NO_TIME)
        ret_terms[RESOURCES] = rating_age_cost(
            rule, view, view->now_ns - node->reported_at_ns, &stale);
}
