#include "sim/frontdoor/aimd.h"

#include <math.h>

void aimd_init(struct aimd *aimd, const struct aimd_spec *spec)
{
    *aimd = (struct aimd){.limit = spec->start};
}

void aimd_note(struct aimd *aimd, const struct aimd_spec *spec,
               int64_t first_token_ns)
{
    aimd->count++;
    aimd->in_time += first_token_ns >= 0 && first_token_ns <= spec->target_ns;
}

/* Products such as 0.9 x 70 are meant as whole numbers, whatever is lost to
   rounding. */
#define NEARLY 1e-9

static bool kept_to_target(const struct aimd *aimd,
                           const struct aimd_spec *spec)
{
    double rank = ceil(spec->quantile * (double)aimd->count - NEARLY);

    return (double)aimd->in_time >= rank;
}

static uint32_t grow(const struct aimd *aimd, const struct aimd_spec *spec)
{
    if (spec->grows == AIMD_GROWS_WHEN_REACHED && !aimd->reached)
        return aimd->limit;
    if (aimd->limit > spec->most - spec->increase)
        return spec->most;
    return aimd->limit + spec->increase;
}

static uint32_t shrink(const struct aimd *aimd, const struct aimd_spec *spec)
{
    double limit = floor(spec->decrease * aimd->limit + NEARLY);

    return limit < spec->least ? spec->least : (uint32_t)limit;
}

bool aimd_close_window(struct aimd *aimd, const struct aimd_spec *spec)
{
    uint32_t limit = aimd->limit;

    if (aimd->count > 0)
        limit =
            kept_to_target(aimd, spec) ? grow(aimd, spec) : shrink(aimd, spec);

    bool changed = limit != aimd->limit;

    *aimd = (struct aimd){.limit = limit};
    return changed;
}
