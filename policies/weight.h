/*
 * weight.h - the weight of a node as whole numbers that can be compared.
 *
 * A newcomer that warms up has a weight_factor below 1. Rotations and
 * quotients work on integers, so weights are counted in hundredths: exact for
 * whole weights, fine enough for a warm-up.
 */
#ifndef POLICIES_WEIGHT_H
#define POLICIES_WEIGHT_H

#include "policies/lbp.h"

#define LBP_WEIGHT_ONE 100u /* hundredths in one unit of weight */

/*
 * Hundredths, 0 only if the slot is empty or its weight is 0. A factor that
 * is not above 0 was not set and counts as 1. Ends at UINT32_MAX, so that its
 * product with a count of requests fits 64 bits.
 */
static inline uint32_t lbp_weight_scaled(const struct lbp_node *node)
{
    double factor = node->weight_factor > 0 ? node->weight_factor : 1;
    double scaled = node->weight * (factor * LBP_WEIGHT_ONE) + 0.5;

    if (node->key_length == 0 || node->weight == 0)
        return 0;
    if (scaled < 1)
        return 1; /* takes little, but not nothing */
    return scaled < UINT32_MAX ? (uint32_t)scaled : UINT32_MAX;
}

#endif
