#include "sim/frontdoor/recent_latency.h"

void recent_latency_init(struct recent_latency *recent, double quantile)
{
    *recent = (struct recent_latency){
        .quantile = quantile,
        .value_ns = -1,
        .until_next = RECENT_LEAST,
    };
}

static void halve(struct coarse *seen)
{
    uint64_t count = 0;

    for (uint32_t bin = 0; bin < COARSE_BINS; bin++) {
        seen->bins[bin] /= 2;
        count += seen->bins[bin];
    }
    seen->count = count;
}

void recent_latency_add(struct recent_latency *recent, int64_t taken_ns)
{
    coarse_add(&recent->seen, taken_ns > 0 ? taken_ns : 0);
    if (--recent->until_next > 0)
        return;
    recent->until_next = RECENT_STEP;
    recent->value_ns =
        (int64_t)(coarse_quantile(&recent->seen, recent->quantile) + 0.5);
    if (recent->seen.count >= RECENT_FULL)
        halve(&recent->seen);
}
