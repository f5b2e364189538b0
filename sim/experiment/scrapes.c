/* What autoscalers measure, and how old it is when they see it. */
#include "sim/experiment/scaling.h"

#include "sim/experiment/admission.h"
#include "sim/experiment/batching.h"
#include "sim/experiment/members.h"

#include <math.h>
#include <string.h>

/* As the setting has it: noise may be as small as it likes. */
#define LEAST_SCRAPE_NS INT64_C(1000000)

/* So many scrapes may be on their way at once; where times vary, many more
   than on average. */
static uint32_t count_snapshots(const struct scale_spec *spec)
{
    uint32_t count;

    if (spec->scrape_ns == 0)
        return 1;
    count = scale_history_size(spec->lag_ns, spec->scrape_ns);
    if (spec->lag_noise.kind != DIST_NONE ||
        spec->scrape_noise.kind != DIST_NONE)
        count = 8 * (count + 2);
    return count;
}

static void start_streams(struct sim *sim, struct group_scaler *scaler)
{
    uint64_t seed = sim->scenario->seed;
    uint32_t replication = sim->setup->replication;

    rng_stream(&scaler->scrapes, seed, replication, RNG_SCRAPES, scaler->group);
    rng_stream(&scaler->lags, seed, replication, RNG_SCRAPE_LAGS,
               scaler->group);
}

bool scrapes_make(struct sim *sim, struct group_scaler *scaler)
{
    struct arena *arena = &sim->arena;
    uint32_t n = scaler->count;

    start_streams(sim, scaler);
    scaler->snapshot_count = count_snapshots(scaler->spec);
    scaler->readings = arena_allocate(arena, n, sizeof *scaler->readings);
    scaler->sent = arena_allocate(arena, n, sizeof *scaler->sent);
    scaler->samples = arena_allocate(arena, n, sizeof *scaler->samples);
    scaler->snapshots = arena_allocate(arena, scaler->snapshot_count,
                                       sizeof *scaler->snapshots);
    if (!scaler->readings || !scaler->sent || !scaler->samples ||
        !scaler->snapshots)
        return false;
    for (uint32_t s = 0; s < scaler->snapshot_count; s++) {
        struct scale_snapshot *snapshot = &scaler->snapshots[s];

        snapshot->read_at_ns = INT64_MAX; /* never taken */
        snapshot->values = arena_allocate(arena, n, sizeof *snapshot->values);
        if (!snapshot->values)
            return false;
    }
    return true;
}

static double count_held(const struct sim *sim)
{
    double held = 0;

    if (sim->admission)
        return admission_waiting(sim);
    if (sim->batching)
        held += batching_waiting(sim);
    for (uint32_t b = 0; b < sim->balancer_count; b++)
        for (uint32_t i = sim->balancers[b].waiting_head; i != REQUEST_NONE;
             i = request_at(&sim->slab, i)->next)
            held++;
    return held;
}

/* Means since the last scrape, or since the node was ready. */
static void read_node(struct sim *sim, struct group_scaler *scaler, uint32_t i,
                      double values[SCALE_NODE_METRICS])
{
    const struct node *node = &sim->nodes[scaler->first + i];
    const struct member *member = &sim->members->nodes[scaler->first + i];
    const struct node_reading *last = &scaler->readings[i];
    struct node_reading read;
    int64_t since_ns = scaler->scraped_at_ns;
    double span;

    node_read(node, sim->now_ns, &read);
    if (member->ready_at_ns > since_ns)
        since_ns = member->ready_at_ns;
    span = (double)(sim->now_ns - since_ns);
    for (uint32_t m = 0; m < SCALE_NODE_METRICS; m++)
        values[m] = -1;
    if (member->phase == MEMBER_READY && node->alive && span > 0) {
        double busy = (double)(read.busy - last->busy) / span / node->slots;

        if (node->kind == NODE_GPU)
            values[SCALE_GPU] = fmin(busy, 1);
        if (node->states_cpu)
            values[SCALE_CPU] = fmin((read.cpu_ns - last->cpu_ns) / span, 1);
        values[SCALE_IN_FLIGHT] =
            (double)(read.in_flight - last->in_flight) / span;
        values[SCALE_QUEUE] = (double)(read.queued - last->queued) / span;
        values[SCALE_RPS] = (double)scaler->sent[i] * 1e9 / span;
    }
    scaler->readings[i] = read;
}

static double p99_s(const struct coarse *coarse)
{
    return coarse->count > 0 ? coarse_quantile(coarse, 0.99) * 1e-9 : -1;
}

/* The newest that has come through; NULL: none yet. */
static const struct scale_snapshot *visible(const struct sim *sim,
                                            const struct group_scaler *scaler)
{
    for (uint32_t back = 0; back < scaler->snapshot_count; back++) {
        const struct scale_snapshot *snapshot =
            &scaler
                 ->snapshots[(scaler->newest + scaler->snapshot_count - back) %
                             scaler->snapshot_count];

        if (snapshot->read_at_ns <= sim->now_ns)
            return snapshot;
    }
    return NULL;
}

/* Where the next one goes. When all places but that of the one in force are on
   their way, it takes the place of the last, which is lost. */
static struct scale_snapshot *next_snapshot(const struct sim *sim,
                                            struct group_scaler *scaler)
{
    uint32_t next = (scaler->newest + 1) % scaler->snapshot_count;

    if (scaler->snapshot_count == 1 ||
        &scaler->snapshots[next] != visible(sim, scaler))
        scaler->newest = next;
    return &scaler->snapshots[scaler->newest];
}

int64_t scrapes_interval_ns(struct group_scaler *scaler)
{
    const struct scale_spec *spec = scaler->spec;
    int64_t ns = start_up_vary_ns(spec->scrape_ns, &spec->scrape_noise,
                                  &scaler->scrapes);

    return ns < LEAST_SCRAPE_NS ? LEAST_SCRAPE_NS : ns;
}

void scrapes_take(struct sim *sim, struct group_scaler *scaler)
{
    const struct scale_spec *spec = scaler->spec;
    int64_t span_ns = sim->now_ns - scaler->scraped_at_ns;
    double span_s = (double)span_ns * 1e-9;
    struct scale_snapshot *snapshot = next_snapshot(sim, scaler);
    uint64_t sent = 0;

    snapshot->at_ns = sim->now_ns;
    snapshot->window_ns = span_ns;
    snapshot->read_at_ns =
        sim->now_ns +
        start_up_vary_ns(spec->lag_ns, &spec->lag_noise, &scaler->lags);
    for (uint32_t i = 0; i < scaler->count; i++) {
        read_node(sim, scaler, i, snapshot->values[i]);
        sent += scaler->sent[i];
    }
    snapshot->held = count_held(sim);
    snapshot->arrivals_per_s = span_s > 0 ? (double)sent / span_s : 0;
    snapshot->service_s =
        scaler->served > 0 ? scaler->service_sum_s / (double)scaler->served : 0;
    snapshot->latency_p99_s = p99_s(&scaler->latency);
    snapshot->ttft_p99_s = p99_s(&scaler->ttft);
    memset(scaler->sent, 0, scaler->count * sizeof *scaler->sent);
    scaler->latency = (struct coarse){0};
    scaler->ttft = (struct coarse){0};
    scaler->served = 0;
    scaler->service_sum_s = 0;
    scaler->scraped_at_ns = sim->now_ns;
}

static enum hpa_pod_state state_of(const struct member *member,
                                   const struct node *node)
{
    switch (member->phase) {
    case MEMBER_READY:
        return node->alive ? HPA_POD_READY : HPA_POD_MISSING;
    case MEMBER_DRAINING:
        return HPA_POD_IGNORED;
    default:
        return HPA_POD_UNREADY;
    }
}

static void fill_sample(struct sim *sim, const struct group_scaler *scaler,
                        uint32_t i, const struct scale_snapshot *from,
                        struct scale_sample *ret)
{
    const struct node *node = &sim->nodes[scaler->first + i];
    const struct member *member = &sim->members->nodes[scaler->first + i];
    bool ready = member->phase >= MEMBER_READY;

    *ret = (struct scale_sample){
        .state = state_of(member, node),
        .starts_up =
            member->phase == MEMBER_LOADING || member->phase == MEMBER_WARMING,
        .times = {.started_at_ns = member->started_at_ns,
                  .ready = ready,
                  .ready_changed_at_ns =
                      ready ? member->ready_at_ns : member->started_at_ns,
                  .metric_at_ns = from ? from->at_ns : 0,
                  .metric_window_ns =
                      from ? from->window_ns : scaler->spec->scrape_ns},
    };
    for (uint32_t m = 0; m < SCALE_NODE_METRICS; m++)
        ret->values[m] = from ? from->values[i][m] : -1;
    if (scaler->spec->rule == SCALE_DEMAND)
        ret->values[SCALE_IN_FLIGHT] = node->in_flight;
}

struct scale_view scrapes_view(struct sim *sim, struct group_scaler *scaler)
{
    const struct scale_snapshot *from = visible(sim, scaler);
    struct scale_view view = {
        .nodes = scaler->samples,
        .current = scaler->wanted,
        .slots_per_node = sim->nodes[scaler->first].slots,
        .latency_p99_s = -1,
        .ttft_p99_s = -1,
    };

    for (uint32_t i = 0; i < scaler->count; i++)
        if (members_exists(sim, scaler->first + i))
            fill_sample(sim, scaler, i, from,
                        &scaler->samples[view.node_count++]);
    if (from) {
        view.held = from->held;
        view.arrivals_per_s = from->arrivals_per_s;
        view.service_s = from->service_s;
        view.latency_p99_s = from->latency_p99_s;
        view.ttft_p99_s = from->ttft_p99_s;
    }
    if (scaler->spec->rule == SCALE_DEMAND)
        view.held = count_held(sim);
    return view;
}
