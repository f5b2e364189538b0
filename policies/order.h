/*
 * order.h - sorts pairs of a 32-bit key and a 32-bit value by key.
 *
 * Rings have hundreds of thousands of points, and the sort of the C library
 * may ask for memory behind the host's back. A radix sort needs neither
 * comparisons nor memory of its own, and keeps equal keys in their order.
 */
#ifndef POLICIES_ORDER_H
#define POLICIES_ORDER_H

#include <stdint.h>

struct lbp_pair {
    uint32_t key;
    uint32_t value;
};

/* Sorts pairs by rising key; scratch is room for as many, overwritten. */
void lbp_order_pairs(struct lbp_pair *pairs, struct lbp_pair *scratch,
                     uint32_t count);

#endif
