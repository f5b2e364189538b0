#include "sim/frontdoor/health.h"

void health_init(struct health *health)
{
    *health = (struct health){.healthy = true};
}

static bool note_success(struct health *health, const struct health_spec *spec)
{
    bool first = !health->seen;

    health->bad = 0;
    if (health->healthy)
        return false;
    health->ok++;
    if (!first && health->ok < spec->healthy_after)
        return false;
    health->healthy = true;
    return true;
}

static bool note_failure(struct health *health, const struct health_spec *spec)
{
    health->ok = 0;
    if (!health->healthy || ++health->bad < spec->unhealthy_after)
        return false;
    health->healthy = false;
    return true;
}

bool health_note(struct health *health, const struct health_spec *spec,
                 bool success)
{
    bool changed =
        success ? note_success(health, spec) : note_failure(health, spec);

    health->seen = true;
    if (changed) {
        health->ok = 0;
        health->bad = 0;
    }
    return changed;
}

int64_t health_next_start_ns(const struct health_spec *spec,
                             int64_t started_at_ns, int64_t ended_at_ns)
{
    return (spec->mode == HEALTH_FIXED_RATE ? started_at_ns : ended_at_ns) +
           spec->interval_ns;
}

struct health_outlook health_outlook(const struct health_spec *spec,
                                     int64_t now_ns, int64_t round_trip_ns,
                                     bool answers, bool refuses)
{
    if ((answers || refuses) && round_trip_ns <= spec->timeout_ns)
        return (struct health_outlook){now_ns + round_trip_ns, answers};
    return (struct health_outlook){now_ns + spec->timeout_ns, false};
}
