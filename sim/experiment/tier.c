#include "sim/experiment/tier.h"

#include "sim/cluster/result_cache.h"
#include "sim/experiment/life.h"

#include <stdlib.h>

struct tier {
    const struct tier_spec *spec;
    struct result_cache cache;
    uint32_t next_outage; /* the first that is not over */
    struct delay_line hits, misses, failures;
};

bool tier_make(struct sim *sim)
{
    const struct tier_spec *spec = &sim->tier_spec;
    struct tier *tier;

    if (!spec->given || !sim->slab.with_keys)
        return true;
    tier = calloc(1, sizeof *tier);
    sim->tier = tier;
    if (!tier)
        return false;
    tier->spec = spec;
    delay_line_init(&tier->hits, spec->hit_time_ns, RANK_DONE, LINE_TIER_HIT);
    delay_line_init(&tier->misses, spec->miss_time_ns, RANK_ARRIVAL,
                    LINE_TIER_MISS);
    delay_line_init(&tier->failures, spec->timeout_ns, RANK_TIMEOUT,
                    LINE_TIER_FAILURE);
    return result_cache_init(&tier->cache, spec->entries, spec->bytes,
                             spec->ttl_ns);
}

void tier_unmake(struct sim *sim)
{
    if (!sim->tier)
        return;
    delay_line_done(&sim->tier->hits);
    delay_line_done(&sim->tier->misses);
    delay_line_done(&sim->tier->failures);
    result_cache_done(&sim->tier->cache);
    free(sim->tier);
    sim->tier = NULL;
}

/* Nothing happens to the cache but by look-ups and fills, so it is soon enough
   to empty it when the first of them comes after an outage. */
static bool is_out(struct tier *tier, int64_t now_ns)
{
    const struct tier_spec *spec = tier->spec;

    while (tier->next_outage < spec->outage_count) {
        const struct tier_outage *outage = &spec->outages[tier->next_outage];

        if (now_ns < outage->at_ns)
            return false;
        if (now_ns < tier_outage_end_ns(outage))
            return true;
        if (outage->cold)
            result_cache_clear(&tier->cache);
        tier->next_outage++;
    }
    return false;
}

static bool store(struct tier *tier, const struct request *request,
                  uint64_t hash, int64_t now_ns)
{
    double bytes = tier->spec->bytes_per_token * request->output_tokens;

    return result_cache_store(&tier->cache, hash,
                              bytes < 1 ? 1 : (uint64_t)bytes, now_ns);
}

/* Waits in the line, or goes on at once where the line has no length. */
static void wait_in(struct sim *sim, uint32_t line, struct request *request,
                    uint32_t index)
{
    struct delay_line *delays = tier_line_of(sim, line);

    if (delays->delay_ns == 0)
        tier_line(sim, line, request, index);
    else if (!delay_line_push(delays, &sim->tree, sim->now_ns, index,
                              request->epoch))
        sim_fail(sim, SIM_NO_MEMORY);
}

/* The light model's answer is not for everybody. */
static bool may_fill(const struct request *request)
{
    return !(request->flags & REQUEST_LESSER);
}

static void miss(struct sim *sim, struct request *request, uint32_t index,
                 uint64_t hash)
{
    struct tier *tier = sim->tier;

    if (tier->spec->fill == TIER_FILL_AT_ANSWER) {
        if (may_fill(request))
            request->flags |= REQUEST_FILLS_TIER;
    } else if (may_fill(request) && !store(tier, request, hash, sim->now_ns)) {
        sim_fail(sim, SIM_NO_MEMORY);
    }
    wait_in(sim, LINE_TIER_MISS, request, index);
}

static void fail(struct sim *sim, struct request *request, uint32_t index)
{
    if (request->flags & REQUEST_MEASURED)
        sim->recorder.tier_failures++;
    if (sim->tier->spec->fill == TIER_FILL_AT_ANSWER && may_fill(request))
        request->flags |= REQUEST_FILLS_TIER; /* it may be back by then */
    wait_in(sim, LINE_TIER_FAILURE, request, index);
}

void tier_arrival(struct sim *sim, struct request *request, uint32_t index)
{
    uint64_t hash = request_key_at(&sim->slab, index)->hash;

    if (hash == 0) {
        door_dispatch(sim, request, index);
        return;
    }
    request->state = REQUEST_AT_TIER;
    request->node = sim->node_count; /* none */
    if (is_out(sim->tier, sim->now_ns))
        fail(sim, request, index);
    else if (result_cache_find(&sim->tier->cache, hash, sim->now_ns))
        wait_in(sim, LINE_TIER_HIT, request, index);
    else
        miss(sim, request, index, hash);
}

struct delay_line *tier_line_of(struct sim *sim, uint32_t line)
{
    switch (line) {
    case LINE_TIER_HIT:
        return &sim->tier->hits;
    case LINE_TIER_MISS:
        return &sim->tier->misses;
    default:
        return &sim->tier->failures;
    }
}

/* Its place among the nodes' counts is the one after the last. */
static void answer(struct sim *sim, struct request *request, uint32_t index)
{
    int64_t latency_ns = sim->now_ns - request->arrived_at_ns;
    bool tokens = (request->flags & REQUEST_TOKENS) != 0;

    request->flags |= REQUEST_CACHED;
    recorder_answered(&sim->recorder, request, latency_ns, 0,
                      tokens ? latency_ns : -1);
    life_leave(sim, index);
    request_slab_give(&sim->slab, request, index);
}

void tier_line(struct sim *sim, uint32_t line, struct request *request,
               uint32_t index)
{
    if (line == LINE_TIER_HIT) {
        answer(sim, request, index);
        return;
    }
    request->state = REQUEST_AT_DOOR;
    door_dispatch(sim, request, index);
}

void tier_fill(struct sim *sim, const struct request *request, uint32_t index)
{
    if (is_out(sim->tier, sim->now_ns))
        return;
    if (!store(sim->tier, request, request_key_at(&sim->slab, index)->hash,
               sim->now_ns))
        sim_fail(sim, SIM_NO_MEMORY);
}
