#include "workloads/classes.h"

/* Shares sum to 1 but for rounding: what is beyond their sum belongs to the
   last class that has any. */
uint32_t classes_draw(const struct workload_class *classes, uint32_t count,
                      struct rng *rng)
{
    double u = rng_uniform(rng);
    double sum = 0;
    uint32_t chosen = 0;

    for (uint32_t i = 0; i < count; i++) {
        if (!(classes[i].share > 0))
            continue;
        chosen = i;
        sum += classes[i].share;
        if (u < sum)
            break;
    }
    return chosen;
}
