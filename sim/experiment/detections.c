#include "sim/experiment/detections.h"

#include "sim/experiment/faults.h"
#include "sim/experiment/panics.h"
#include "sim/experiment/slow_starts.h"

/* In doubt so soon after it was trusted again, a node flaps. */
#define FLAP_NS INT64_C(60000000000)
#define NEVER_ILL INT64_C(-1)

struct detections {
    uint64_t health_ejections, health_flaps; /* by active checks */
    uint64_t false_ejections, detections;    /* by any detector */
    double detection_sum_s;
    int64_t *detected_since_ns; /* [balancer_count][node_count] the beginning of
                                   the illness that was last detected */
};

static bool are_wanted(const struct balancer_spec *spec)
{
    return spec->health.given || spec->max_fails.given || spec->outlier.given;
}

bool detections_make(struct sim *sim)
{
    size_t count = (size_t)sim->balancer_count * sim->node_count;
    struct detections *detections;

    if (!are_wanted(&sim->scenario->balancer))
        return true;
    detections = arena_allocate(&sim->arena, 1, sizeof *detections);
    if (!detections)
        return false;
    detections->detected_since_ns = arena_allocate(
        &sim->arena, count, sizeof *detections->detected_since_ns);
    if (!detections->detected_since_ns)
        return false;
    for (size_t i = 0; i < count; i++)
        detections->detected_since_ns[i] = NEVER_ILL;
    sim->detections = detections;
    return true;
}

static void count_detection(struct sim *sim, const struct balancer *balancer,
                            uint32_t node)
{
    struct detections *detections = sim->detections;
    int64_t since_ns = faults_since_ns(sim, balancer, node);
    int64_t *detected_ns =
        &detections->detected_since_ns[(size_t)balancer->view.balancer_index *
                                           sim->node_count +
                                       node];

    if (since_ns == LBP_NO_TIME) { /* it is well */
        detections->false_ejections++;
        return;
    }
    if (*detected_ns == since_ns)
        return;
    *detected_ns = since_ns;
    detections->detections++;
    detections->detection_sum_s += (double)(sim->now_ns - since_ns) * 1e-9;
}

/* Before the bar falls: nodes that were never in doubt have been up since the
   start, time 0. */
static void count_ejection(struct sim *sim, const struct balancer *balancer,
                           uint32_t node, enum balancer_bar bar)
{
    struct detections *detections = sim->detections;
    int64_t up_since_ns = balancer->nodes[node].up_since_ns;

    if (bar == BAR_HEALTH || bar == BAR_GENERATION) {
        detections->health_ejections++;
        detections->health_flaps +=
            up_since_ns > 0 && sim->now_ns - up_since_ns <= FLAP_NS;
    }
    count_detection(sim, balancer, node);
}

void detections_bar(struct sim *sim, struct balancer *balancer, uint32_t node,
                    enum balancer_bar bar, bool down)
{
    uint16_t doubts = balancer->bars[node] & BARS_OF_DOUBT;

    if (down && !doubts) {
        if (bar != BAR_AGENT) /* which is an order, and no guess */
            count_ejection(sim, balancer, node, bar);
        slow_starts_end(sim, balancer, node);
    } else if (!down && doubts == bar) {
        slow_starts_begin(sim, balancer, node);
    }
    if (!balancer_bar(balancer, node, bar, down, sim->now_ns))
        sim_fail(sim, SIM_NO_MEMORY);
    panics_look(sim, balancer);
    if (balancer->waiting_head != REQUEST_NONE)
        sim->attention = true;
}

/* Whether a node that is well can be found ill at all: not by checks alone that
   the server answers at once, unless the way is too long. */
static bool may_be_wrong(const struct scenario *scenario)
{
    const struct balancer_spec *spec = &scenario->balancer;

    for (uint32_t f = 0; f < scenario->fault_count; f++)
        if (scenario->faults[f].kind == FAULT_PROBE_LOSS)
            return true;
    return spec->max_fails.given || spec->outlier.given ||
           spec->health.probe == PROBE_GENERATION ||
           spec->health.path == PROBE_QUEUED || spec->generation.given ||
           2 * spec->network_delay_ns > spec->health.timeout_ns;
}

void detections_finish(const struct sim *sim, struct run_result *ret)
{
    const struct detections *detections = sim->detections;

    if (!detections)
        return;
    if (sim->scenario->balancer.health.given) {
        ret->values[M_EJECTIONS] = (double)detections->health_ejections;
        ret->values[M_FLAPS] = (double)detections->health_flaps;
    }
    if (may_be_wrong(sim->scenario))
        ret->values[M_FALSE_EJECTIONS] = (double)detections->false_ejections;
    if (detections->detections > 0)
        ret->values[M_DETECTION] =
            detections->detection_sum_s / (double)detections->detections;
}
