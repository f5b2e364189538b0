/*
 * explain.h - tells a curious host why a node was picked.
 *
 * Every function accepts NULL for a host that is not curious, which is the
 * hot path. A pick opens with lbp_explain_start().
 */
#ifndef POLICIES_EXPLAIN_H
#define POLICIES_EXPLAIN_H

#include "policies/lbp.h"

static inline void lbp_explain_start(struct lbp_explanation *explanation)
{
    if (!explanation)
        return;
    explanation->count = 0;
    explanation->reason = NULL;
    explanation->expected_ns = -1;
    explanation->draws = 0;
}

static inline void lbp_explain_reason(struct lbp_explanation *explanation,
                                      const char *reason, uint32_t draws)
{
    if (!explanation)
        return;
    explanation->reason = reason;
    explanation->draws = draws;
}

/* Adds a score of one term, while there is room. */
static inline void lbp_explain_score(struct lbp_explanation *explanation,
                                     uint32_t slot, double score)
{
    if (!explanation || explanation->count >= explanation->capacity)
        return;
    explanation->scores[explanation->count++] =
        (struct lbp_score){.slot = slot, .score = score, .terms = {score}};
}

/* Adds a score that is the sum of count terms, while there is room. */
static inline void lbp_explain_terms(struct lbp_explanation *explanation,
                                     uint32_t slot, const double *terms,
                                     uint32_t count)
{
    struct lbp_score *added;

    if (!explanation || explanation->count >= explanation->capacity)
        return;
    added = &explanation->scores[explanation->count++];
    *added = (struct lbp_score){.slot = slot};
    for (uint32_t i = 0; i < count; i++) {
        added->terms[i] = terms[i];
        added->score += terms[i];
    }
}

#endif
