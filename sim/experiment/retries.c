/* Whether a failed attempt is followed by another one. */
#include "sim/experiment/life.h"

static bool may_retry(const struct sim *sim, const struct request *request,
                      uint32_t index, enum attempt_error error)
{
    const struct balancer_spec *spec = &sim->scenario->balancer;

    return sim->slab.tried_per_request > 0 &&
           (error != ERROR_NO_MODEL || spec->retry.on_misroute) &&
           request_retry_at(&sim->slab, index)->attempts + 1 <
               spec->retry.attempts &&
           sim->now_ns - request->arrived_at_ns < spec->timeout.total_ns;
}

/* The same need again, or other luck when noise is per attempt. */
static void prepare_retry(struct sim *sim, struct request *request,
                          uint32_t index)
{
    struct request_retry *retry = request_retry_at(&sim->slab, index);

    request_tried_at(&sim->slab, index)[retry->attempts++] = request->node;
    sources_redraw_need(sim, request, index, retry);
    request->state = REQUEST_AT_DOOR;
    request->flags &= (uint16_t) ~(REQUEST_CACHED | REQUEST_FIRST_TOKEN);
    request->flags |= REQUEST_RETRIED;
    if (request->flags & REQUEST_MEASURED)
        sim->recorder.retries++;
}

void retries_consider(struct sim *sim, struct request *request, uint32_t index,
                      enum attempt_error error)
{
    if (!may_retry(sim, request, index, error)) {
        losses_end(sim, request, index, END_FAILED);
        return;
    }
    prepare_retry(sim, request, index);
    door_dispatch(sim, request, index);
}
