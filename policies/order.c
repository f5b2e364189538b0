#include "policies/order.h"

/* One pass: distributes by the byte at shift, stable. */
static void distribute(const struct lbp_pair *from, struct lbp_pair *to,
                       uint32_t count, unsigned shift)
{
    uint32_t starts[256] = {0};
    uint32_t start = 0;

    for (uint32_t i = 0; i < count; i++)
        starts[from[i].key >> shift & 255]++;
    for (unsigned byte = 0; byte < 256; byte++) {
        uint32_t here = starts[byte];

        starts[byte] = start;
        start += here;
    }
    for (uint32_t i = 0; i < count; i++)
        to[starts[from[i].key >> shift & 255]++] = from[i];
}

/* Four passes, an even number, so the result ends where it began. */
void lbp_order_pairs(struct lbp_pair *pairs, struct lbp_pair *scratch,
                     uint32_t count)
{
    for (unsigned shift = 0; shift < 32; shift += 16) {
        distribute(pairs, scratch, count, shift);
        distribute(scratch, pairs, count, shift + 8);
    }
}
