#include "sim/experiment/strike_fold.h"

#include <stdlib.h>

bool strike_fold_make(const struct run_result *runs, uint32_t count,
                      struct strike_fold **ret, uint64_t *ret_count,
                      uint64_t *ret_left_out)
{
    uint64_t total = 0, at = 0;

    *ret = NULL;
    *ret_left_out = 0;
    for (uint32_t r = 0; r < count; r++) {
        total += runs[r].strike_count;
        *ret_left_out += runs[r].strikes_left_out;
    }
    *ret_count = total;
    if (total == 0)
        return true;
    *ret = malloc(total * sizeof **ret);
    if (!*ret)
        return false;
    for (uint32_t r = 0; r < count; r++)
        for (uint32_t i = 0; i < runs[r].strike_count; i++)
            (*ret)[at++] = (struct strike_fold){r + 1, runs[r].strikes[i]};
    return true;
}
