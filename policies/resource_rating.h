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
    bool queue_norm, local_inflight, p2c;
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
};

void rating_rule_init(struct rating_rule *rule,
                      const struct rating_config *config);

enum standing { STANDING_KNOWN, STANDING_STALE, STANDING_UNKNOWN };

struct rating {
    uint32_t slot;
    enum standing standing;
    double score;               /* the sum of the terms, in their order */
    double terms[RATING_TERMS]; /* gpu, cpu, memory, queue, age */
};

struct rating rating_of(const struct rating_rule *rule,
                        const struct lbp_view *view, uint32_t slot);

/* Below 0 if a is better than b, 0 if they tie. */
static inline int rating_compare(const struct rating *a, const struct rating *b)
{
    if (a->standing != b->standing)
        return a->standing < b->standing ? -1 : 1;
    return (a->score > b->score) - (a->score < b->score);
}

#endif
