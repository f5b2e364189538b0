/*
 * resource_rating.h - how good a node looks by what it reported.
 *
 * A rating is a standing and a score. What is known of a node decides first,
 * its score second, smaller is better:
 *
 *     known    it reported, not too long ago, something that has a weight
 *     stale    its last report is exclude_after periods past stale_after
 *     unknown  it never reported, or nothing that has a weight
 *
 * So stale nodes are taken only when none is known, and unknown ones when none
 * is stale either: silence is not idleness, and a newcomer is not flooded
 * before its first word. Before exclude_after, each whole period past
 * stale_after costs stale_penalty. Where a report is made at every pick
 * (interval 0), a node that could not make one is stale at once.
 *
 * A term that a node does not report, or reports as no number, is left out,
 * and the others carry its weight. Uses above 1 count as 1.
 */
#ifndef POLICIES_RESOURCE_RATING_H
#define POLICIES_RESOURCE_RATING_H

#include "policies/lbp.h"

#include <math.h>

enum resource { GPU, CPU, MEMORY, QUEUE, RESOURCES };

#define RATING_TERMS (RESOURCES + 1) /* and age */

/* The policy's parameters, as its table fills them. */
struct rating_config {
    uint32_t formula;          /* enum rating_formula */
    double weights[RESOURCES]; /* NaN: not given */
    uint64_t queue_cap;        /* requests, 1 or more */
    double stale_after;        /* report periods */
    double stale_penalty;
    uint64_t exclude_after; /* further periods; 0: never */
    bool queue_norm, in_service, local_inflight, p2c;
    uint32_t ties; /* enum lbp_ties */
};

enum rating_formula { FORMULA_GPU_CPU_MEMORY_QUEUE, FORMULA_GPU_CPU_QUEUE };

extern const struct rating_config rating_presets;

/* What is wrong between the parameters, or NULL. */
const char *rating_check(const struct rating_config *config);

struct rating_rule {
    struct rating_config config;
    /* [set of resources that a node reports]: their weights, which sum to the
       same whatever is missing; all 0: nothing known has a weight. */
    double weights[1 << RESOURCES][RESOURCES];
    uint32_t informative; /* bit known: a resource of that set has a weight */
    double queue_unit;    /* what one request in the queue counts */
};

void rating_rule_init(struct rating_rule *rule,
                      const struct rating_config *config);

enum standing { STANDING_KNOWN, STANDING_STALE, STANDING_UNKNOWN };

struct rating {
    uint32_t slot;
    enum standing standing;
    double score;
};

/* What is known of one node: values from 0, each 0 if it is not known. */
struct rating_input {
    double gpu, cpu, memory, queue;
    unsigned known; /* set of resources */
};

/* How old a report may be before its age costs; for one pick. */
int64_t rating_fresh_ns(const struct rating_rule *rule,
                        const struct lbp_view *view);

/* What age_ns costs, and whether it makes a node stale. */
double rating_age_cost(const struct rating_rule *rule,
                       const struct lbp_view *view, int64_t age_ns,
                       bool *ret_stale);

/* The terms of a score, RATING_TERMS of them: gpu, cpu, memory, queue, age. */
void rating_terms(const struct rating_rule *rule, const struct lbp_view *view,
                  uint32_t slot, double *ret_terms);

static inline double rating_share(double use)
{
    if (!(use >= 0)) /* not reported, or no number */
        return 0;
    return use < 1 ? use : 1;
}

static inline void rating_read(const struct rating_rule *rule,
                               const struct lbp_view *view, uint32_t slot,
                               struct rating_input *ret)
{
    const struct rating_config *config = &rule->config;
    const struct lbp_node *node = lbp_node_at(view, slot);
    double queue = (double)node->queue_depth;

    if (config->in_service && node->running > 0)
        queue = (queue > 0 ? queue : 0) + (double)node->running;
    if (config->local_inflight)
        queue = (queue > 0 ? queue : 0) + view->in_flight_since_report[slot];
    ret->gpu = rating_share(node->gpu_use);
    ret->cpu = rating_share(node->cpu_use);
    ret->memory = rating_share(node->memory_use);
    ret->queue = queue > 0 ? queue * rule->queue_unit : 0;
    if (config->queue_norm && queue >= (double)config->queue_cap)
        ret->queue = 1;
    ret->known = (unsigned)(node->gpu_use >= 0) << GPU |
                 (unsigned)(node->cpu_use >= 0) << CPU |
                 (unsigned)(node->memory_use >= 0) << MEMORY |
                 (unsigned)(queue >= 0) << QUEUE;
}

/* A limit above all scores. */
#define RATING_NO_LIMIT ((double)INFINITY)

/* Inline, because a pick rates every node: a few nanoseconds for each. limit:
   the score of a known node that this one has to beat. What is above it
   without its age, which only costs, is not looked at further: its rating
   then is not exact, but worse than that node's. */
static inline struct rating rating_of(const struct rating_rule *rule,
                                      const struct lbp_view *view,
                                      int64_t fresh_ns, uint32_t slot,
                                      double limit)
{
    const struct lbp_node *node = lbp_node_at(view, slot);
    struct rating rating = {.slot = slot, .standing = STANDING_KNOWN};
    struct rating_input input;
    const double *weights;
    bool stale;

    rating_read(rule, view, slot, &input);
    weights = rule->weights[input.known];
    rating.score = weights[GPU] * input.gpu + weights[CPU] * input.cpu +
                   weights[MEMORY] * input.memory +
                   weights[QUEUE] * input.queue;
    if (node->reported_at_ns == LBP_NO_TIME ||
        (rule->informative >> input.known & 1) == 0) {
        rating.standing = STANDING_UNKNOWN;
    } else if (view->now_ns - node->reported_at_ns > fresh_ns &&
               rating.score <= limit) {
        rating.score += rating_age_cost(
            rule, view, view->now_ns - node->reported_at_ns, &stale);
        if (stale)
            rating.standing = STANDING_STALE;
    }
    return rating;
}

/* Below 0 if a is better than b, 0 if they tie. */
static inline int rating_compare(const struct rating *a, const struct rating *b)
{
    if (a->standing != b->standing)
        return a->standing < b->standing ? -1 : 1;
    return (a->score > b->score) - (a->score < b->score);
}

#endif
