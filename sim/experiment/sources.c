/*
 * Where requests come from when there is more than one source, or a closed
 * loop: a client asks again when its request is over, however it ended.
 *
 * What a source knows a request by is kept beside the slab, by index, and only
 * in such runs.
 */
#include "sim/experiment/world.h"

#include <stdlib.h>

static bool make_room(struct sim *sim, uint32_t index)
{
    uint32_t capacity = index < REQUEST_CHUNK / 2 ? REQUEST_CHUNK : 2 * index;
    struct workload_origin *origins;

    if (index < sim->origin_capacity)
        return true;
    origins = realloc(sim->origins, capacity * sizeof *origins);
    if (!origins)
        return false;
    sim->origins = origins;
    sim->origin_capacity = capacity;
    return true;
}

bool sources_start(struct sim *sim)
{
    if (!workload_is_mixed(sim->workload))
        return true;
    sim->slab.has_extras = true;
    return make_room(sim, 0);
}

void sources_stop(struct sim *sim)
{
    free(sim->origins);
}

void sources_take(struct sim *sim, uint32_t index, struct workload_origin *ret)
{
    if (make_room(sim, index) && workload_take(sim->workload, ret))
        sim->origins[index] = *ret;
    else
        sim_fail(sim, SIM_NO_MEMORY);
}

/* The next arrival may be this client's now. */
void sources_leave(struct sim *sim, uint32_t index)
{
    if (workload_release(sim->workload, &sim->origins[index], sim->now_ns))
        life_schedule_next(sim);
}

void sources_move(struct sim *sim, uint32_t from, uint32_t to)
{
    if (make_room(sim, to))
        sim->origins[to] = sim->origins[from];
    else
        sim_fail(sim, SIM_NO_MEMORY);
}

void sources_redraw_need(const struct sim *sim, struct request *request,
                         uint32_t index, const struct request_retry *retry)
{
    const struct workload *of = sim->workload;
    uint64_t number = request->number;

    if (sim->origins) {
        of = workload_source(sim->workload, sim->origins[index].source);
        number = sim->origins[index].number;
    }
    if (workload_draws_each_attempt(of))
        request->need =
            retry->bare_need * workload_attempt_noise(of, number,
                                                      request->request_class, 1,
                                                      retry->begun);
}

int64_t sources_patience_ns(const struct sim *sim,
                            const struct request *request, uint32_t index)
{
    const struct workload *of = sim->workload;
    uint64_t number = request->number;

    if (sim->origins) {
        of = workload_source(sim->workload, sim->origins[index].source);
        number = sim->origins[index].number;
    }
    return workload_patience_ns(of, number, request->request_class);
}

void sources_finish(const struct sim *sim, struct run_result *ret)
{
    uint32_t overlays = sim->scenario->workload.overlay_count;

    _Static_assert(RUN_SOURCES_MAX > WORKLOAD_OVERLAYS_MAX,
                   "room for all sources");
    for (uint32_t i = 0; overlays > 0 && i <= overlays; i++)
        ret->source_requests[i] =
            workload_books(workload_source(sim->workload, i))->requests;
}
