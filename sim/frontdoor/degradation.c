#include "sim/frontdoor/degradation.h"

/* Ten tenths are a little less than one. */
#define ROUNDING 1e-9

/* INT64_MAX stays what it is. */
static int64_t later(int64_t at_ns, int64_t by_ns)
{
    return by_ns < INT64_MAX - at_ns ? at_ns + by_ns : INT64_MAX;
}

int64_t degradation_primary_until_ns(const struct degradation_spec *spec,
                                     int64_t arrived_at_ns,
                                     int64_t deadline_after_ns)
{
    double share_ns = spec->primary_share * (double)deadline_after_ns;

    if (spec->after_ns >= 0)
        return later(arrived_at_ns, spec->after_ns);
    if (deadline_after_ns == INT64_MAX)
        return INT64_MAX;
    return later(arrived_at_ns, (int64_t)(share_ns + 0.5));
}

/* A moment before the deadline, or who watches that would be first. */
int64_t degradation_light_until_ns(const struct degradation_spec *spec,
                                   int64_t arrived_at_ns,
                                   int64_t deadline_after_ns)
{
    int64_t hit_ns = spec->cached ? spec->hit_time_ns : 0;

    if (deadline_after_ns == INT64_MAX)
        return INT64_MAX;
    if (deadline_after_ns <= hit_ns + 1)
        return arrived_at_ns;
    return later(arrived_at_ns, deadline_after_ns - hit_ns - 1);
}

enum degradation_level degradation_begin(const struct degradation_spec *spec,
                                         struct degradation_belief *belief,
                                         int64_t now_ns)
{
    if (!belief->skips)
        return LEVEL_PRIMARY;
    if (now_ns < belief->skip_until_ns)
        return LEVEL_LIGHT;
    belief->credit += spec->probe_share;
    if (belief->credit < 1 + spec->probe_share - ROUNDING)
        return LEVEL_LIGHT;
    belief->credit -= 1;
    return LEVEL_PRIMARY;
}

enum degradation_level degradation_next(const struct degradation_spec *spec,
                                        enum degradation_level failed,
                                        int64_t expected_ns, int64_t until_ns,
                                        int64_t now_ns)
{
    if (failed == LEVEL_PRIMARY && spec->light != 0 &&
        later(now_ns, expected_ns) <= until_ns)
        return LEVEL_LIGHT;
    return failed < LEVEL_CACHED ? LEVEL_CACHED : LEVEL_CANNED;
}

void degradation_primary_answered(const struct degradation_spec *spec,
                                  struct degradation_belief *belief,
                                  int64_t now_ns)
{
    (void)spec;
    if (belief->skips && now_ns < belief->skip_until_ns)
        return; /* sent before: it says nothing of now */
    *belief = (struct degradation_belief){0};
}

/* While it is skipped, what was sent before goes on failing. */
void degradation_primary_failed(const struct degradation_spec *spec,
                                struct degradation_belief *belief,
                                int64_t now_ns)
{
    if (spec->failures == 0 || spec->light == 0 ||
        (belief->skips && now_ns < belief->skip_until_ns))
        return;
    if (!belief->skips && ++belief->failures < spec->failures)
        return;
    *belief = (struct degradation_belief){
        .failures = spec->failures,
        .skips = true,
        .skip_until_ns = later(now_ns, spec->skip_ns),
        .credit = 1, /* the first request after that is a probe */
    };
}
