#include "sim/frontdoor/health.h"

#define MS INT64_C(1000000)

static uint32_t counter_top(const struct health_spec *spec)
{
    return spec->healthy_after + spec->unhealthy_after - 1;
}

void health_init(struct health *health, const struct health_spec *spec)
{
    *health = (struct health){
        .healthy = true,
        .counter = spec->rule == HEALTH_HAPROXY ? spec->healthy_after : 0,
    };
}

/* --- plain and envoy: results in a row ------------------------------------ */

static bool row_success(struct health *health, const struct health_spec *spec)
{
    bool first = !health->seen;

    health->bad = 0;
    if (health->healthy)
        return false;
    health->ok++;
    return first || health->ok >= spec->healthy_after;
}

static bool row_failure(struct health *health, const struct health_spec *spec,
                        enum health_result result)
{
    health->ok = 0;
    if (!health->healthy)
        return false;
    health->bad++;
    return health->bad >= spec->unhealthy_after ||
           (spec->rule == HEALTH_ENVOY && result == HEALTH_WRONG_ANSWER);
}

static bool row_note(struct health *health, const struct health_spec *spec,
                     enum health_result result)
{
    bool changes = result == HEALTH_OK ? row_success(health, spec)
                                       : row_failure(health, spec, result);

    if (changes) {
        health->ok = 0;
        health->bad = 0;
    }
    return changes;
}

/* --- haproxy: one counter ------------------------------------------------- */

static bool counter_note(struct health *health, const struct health_spec *spec,
                         enum health_result result)
{
    uint32_t rise = spec->healthy_after;

    if (result == HEALTH_OK) {
        if (health->counter < counter_top(spec))
            health->counter++;
        if (health->counter >= rise)
            health->counter = counter_top(spec);
    } else if (health->counter >= rise) {
        health->counter--;
        if (health->counter < rise)
            health->counter = 0;
    }
    return health->healthy != (health->counter >= rise);
}

/* --- all ------------------------------------------------------------------ */

bool health_note(struct health *health, const struct health_spec *spec,
                 enum health_result result)
{
    bool changes;

    if (result == HEALTH_INCONCLUSIVE)
        return false;
    changes = spec->rule == HEALTH_HAPROXY ? counter_note(health, spec, result)
                                           : row_note(health, spec, result);
    health->seen = true;
    health->failed = result != HEALTH_OK;
    health->pending = !changes && health->failed == health->healthy;
    if (changes)
        health->healthy = !health->healthy;
    return changes;
}

void health_weaken(struct health *health, const struct health_spec *spec,
                   uint32_t at_most)
{
    if (spec->rule != HEALTH_HAPROXY || !health->healthy ||
        at_most < spec->healthy_after)
        return;
    if (health->counter > at_most)
        health->counter = at_most;
}

static int64_t counter_interval_ns(const struct health *health,
                                   const struct health_spec *spec)
{
    if (health->counter == counter_top(spec))
        return spec->interval_ns;
    if (health->counter == 0)
        return spec->unhealthy_interval_ns;
    return health->healthy ? spec->unhealthy_edge_interval_ns
                           : spec->healthy_edge_interval_ns;
}

int64_t health_interval_ns(const struct health *health,
                           const struct health_spec *spec, bool has_traffic)
{
    if (spec->rule == HEALTH_PLAIN)
        return spec->interval_ns;
    if (spec->rule == HEALTH_HAPROXY)
        return counter_interval_ns(health, spec);
    if (!has_traffic && spec->no_traffic_interval_ns > 0)
        return spec->no_traffic_interval_ns;
    if (health->failed)
        return health->pending ? spec->unhealthy_edge_interval_ns
                               : spec->unhealthy_interval_ns;
    return health->pending ? spec->healthy_edge_interval_ns : spec->interval_ns;
}

int64_t health_jitter_ns(const struct health_spec *spec, int64_t interval_ns,
                         struct rng *rng)
{
    int64_t longest_ns = (int64_t)(spec->interval_jitter * (double)interval_ns);
    int64_t spread_ns = (int64_t)(spec->spread * (double)interval_ns);
    int64_t ns = interval_ns;

    if (longest_ns > 0)
        ns += (int64_t)rng_below(rng, (uint64_t)longest_ns);
    if (spec->jitter_ns > 0)
        ns += (int64_t)rng_below(rng, (uint64_t)spec->jitter_ns);
    if (spread_ns > 0)
        ns += (int64_t)rng_below(rng, 2 * (uint64_t)spread_ns + 1) - spread_ns;
    return ns < MS && ns < interval_ns ? MS : ns;
}

int64_t health_next_start_ns(const struct health_spec *spec,
                             int64_t interval_ns, int64_t started_at_ns,
                             int64_t ended_at_ns)
{
    int64_t next_ns =
        (spec->mode == HEALTH_FIXED_RATE ? started_at_ns : ended_at_ns) +
        interval_ns;

    return next_ns > ended_at_ns ? next_ns : ended_at_ns;
}

struct health_outlook health_outlook(const struct health_spec *spec,
                                     int64_t now_ns, int64_t round_trip_ns,
                                     bool comes, enum health_result word)
{
    if (comes && round_trip_ns <= spec->timeout_ns)
        return (struct health_outlook){now_ns + round_trip_ns, word};
    return (struct health_outlook){now_ns + spec->timeout_ns,
                                   HEALTH_NO_CONNECTION};
}
