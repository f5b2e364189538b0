#include "sim/experiment/looks.h"

#include <math.h>

#define EXACT_FAMILY 16u

struct looks looks_plan(uint32_t first, uint32_t most)
{
    struct looks looks = {0};

    for (uint64_t at = first; at < most; at *= 2) {
        if (looks.count + 1 == SPENDING_LOOKS_MAX)
            break;
        looks.at[looks.count++] = (uint32_t)at;
    }
    looks.at[looks.count++] = most;
    return looks;
}

static double level_at(const struct looks *looks, uint32_t look, double alpha)
{
    double at[SPENDING_LOOKS_MAX] = {0}, spend[SPENDING_LOOKS_MAX] = {0};
    double levels[SPENDING_LOOKS_MAX] = {0};

    for (uint32_t i = 0; i < looks->count; i++) {
        at[i] = looks->at[i];
        spend[i] = alpha / looks->count;
    }
    /* Later looks change nothing about this one. */
    spending_levels(at, spend, look + 1, levels);
    return levels[look];
}

void looks_levels(const struct looks *looks, uint32_t look, double alpha,
                  uint32_t tests, double *ret_levels)
{
    uint32_t done = 0;

    while (done < tests) {
        uint32_t next = done < EXACT_FAMILY ? done + 1 : done + done / 4;
        double level = level_at(looks, look, alpha / next);

        for (; done < next && done < tests; done++)
            ret_levels[done] = level;
    }
}

bool looks_have_told(const struct verdict *verdict, double until)
{
    if (verdict->kind != VERDICT_CANNOT_TELL)
        return true;
    switch (verdict->reason) {
    case VERDICT_ALIKE:
    case VERDICT_NO_VALUE:
        return true;
    case VERDICT_SAME:
        return !verdict->by_sign; /* infinite on both sides says little */
    case VERDICT_CLEAR:
    case VERDICT_NOISE:
    case VERDICT_SMALL:
    case VERDICT_ONE_PAIR:
    case VERDICT_INFINITE:
        break;
    }
    return (verdict->hi - verdict->lo) / 2 <=
           until * verdict_yardstick(verdict); /* NaN: no */
}
