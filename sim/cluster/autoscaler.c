#include "sim/cluster/autoscaler.h"

#include "sim/cluster/staffing.h"

#include <math.h>
#include <stdlib.h>

/* --- making ----------------------------------------------------------------
 */

static bool init_keda(struct autoscaler *scaler)
{
    const struct scale_spec *spec = scaler->spec;

    scaler->keda_spec = spec->keda;
    scaler->keda_spec.hpa = scaler->hpa_spec;
    scaler->keda_spec.target =
        llround(spec->targets[autoscaler_metric(spec)] * 1000);
    return keda_init(&scaler->keda, &scaler->keda_spec, 0);
}

static bool init_kpa(struct autoscaler *scaler)
{
    const struct scale_spec *spec = scaler->spec;

    scaler->stable_buckets =
        (uint32_t)(spec->kpa.stable_window_ns / spec->scrape_ns);
    scaler->panic_buckets =
        (uint32_t)(spec->kpa.panic_window_ns / spec->scrape_ns);
    if (scaler->panic_buckets == 0)
        scaler->panic_buckets = 1;
    if (scaler->stable_buckets < scaler->panic_buckets)
        scaler->stable_buckets = scaler->panic_buckets;
    kpa_init(&scaler->kpa, &spec->kpa);
    return bucket_window_init(&scaler->window, scaler->stable_buckets);
}

static bool init_trend(struct autoscaler *scaler, int64_t start_up_ns)
{
    const struct scale_spec *spec = scaler->spec;
    int64_t ahead_ns = spec->ahead_ns;

    if (ahead_ns < 0)
        ahead_ns = start_up_ns + spec->sync_ns;
    scaler->steps_ahead = (double)ahead_ns / (double)spec->sync_ns;
    return forecast_init(&scaler->trend, &spec->trend);
}

bool autoscaler_init(struct autoscaler *scaler, const struct scale_spec *spec,
                     int64_t start_up_ns)
{
    *scaler = (struct autoscaler){.spec = spec, .hpa_spec = spec->hpa};
    scaler->hpa_spec.min = spec->min;
    scaler->hpa_spec.max = spec->max;
    scaler->hpa_spec.sync_ns = spec->sync_ns;
    scaler->pods = calloc(spec->max + 1u, sizeof *scaler->pods);
    if (!scaler->pods)
        return false;
    switch (spec->rule) {
    case SCALE_HPA:
        return hpa_init(&scaler->hpa, &scaler->hpa_spec);
    case SCALE_KEDA:
        return init_keda(scaler);
    case SCALE_KPA:
        return init_kpa(scaler);
    case SCALE_TREND:
        return init_trend(scaler, start_up_ns);
    case SCALE_GOAL:
        scaler->goal_spec = spec->goal;
        scaler->goal_spec.target = spec->targets[autoscaler_metric(spec)];
        scaler->goal_spec.relax = spec->low;
        scaler->goal.spec = &scaler->goal_spec;
        return true;
    case SCALE_SCHEDULE:
    case SCALE_STAFFING:
    case SCALE_THRESHOLD:
    case SCALE_DEMAND:
        break;
    }
    return true;
}

void autoscaler_done(struct autoscaler *scaler)
{
    hpa_done(&scaler->hpa);
    keda_done(&scaler->keda);
    bucket_window_done(&scaler->window);
    forecast_done(&scaler->trend);
    free(scaler->pods);
    scaler->pods = NULL;
}

/* --- what is measured -------------------------------------------------------
 */

enum scale_metric autoscaler_metric(const struct scale_spec *spec)
{
    enum scale_metric metric = SCALE_GPU;

    while (metric < SCALE_METRICS && isnan(spec->targets[metric]))
        metric++;
    return metric;
}

static uint32_t count_ready(const struct scale_view *view)
{
    uint32_t ready = 0;

    for (uint32_t i = 0; i < view->node_count; i++)
        ready += view->nodes[i].state == HPA_POD_READY;
    return ready;
}

double autoscaler_total(const struct scale_view *view, enum scale_metric metric)
{
    bool counts_held = metric == SCALE_IN_FLIGHT || metric == SCALE_QUEUE;
    double sum = counts_held ? view->held : 0;

    for (uint32_t i = 0; i < view->node_count; i++)
        if (view->nodes[i].state == HPA_POD_READY)
            sum += fmax(view->nodes[i].values[metric], 0);
    return sum;
}

static double of_group(const struct scale_view *view, enum scale_metric metric)
{
    return metric == SCALE_TTFT ? view->ttft_p99_s : view->latency_p99_s;
}

static int64_t thousandths(double value)
{
    return llround(value * 1000);
}

/* --- the rules ---------------------------------------------------------------
 */

/* One that has its machine and is not ready: it runs, so its cpu has a metric,
   that of an idle one, unless it is set aside as young. */
static enum hpa_pod_state state_of_starting(const struct autoscaler *scaler,
                                            const struct scale_sample *sample,
                                            int64_t now_ns)
{
    if (hpa_cpu_is_unready(&scaler->hpa_spec, &sample->times, now_ns))
        return HPA_POD_UNREADY;
    return sample->times.metric_at_ns > sample->times.started_at_ns
               ? HPA_POD_READY
               : HPA_POD_MISSING;
}

/* A pod whose metric is not there is missing; of cpu use the controller also
   sets young pods aside. */
static void fill_pods(struct autoscaler *scaler, const struct scale_view *view,
                      enum scale_metric metric, int64_t now_ns)
{
    for (uint32_t i = 0; i < view->node_count; i++) {
        const struct scale_sample *sample = &view->nodes[i];
        struct hpa_pod *pod = &scaler->pods[i];

        *pod = (struct hpa_pod){.state = sample->state};
        if (metric == SCALE_CPU && sample->starts_up)
            pod->state = state_of_starting(scaler, sample, now_ns);
        if (sample->state != HPA_POD_READY)
            continue;
        pod->value = thousandths(sample->values[metric]);
        if (sample->values[metric] < 0)
            pod->state = HPA_POD_MISSING;
        else if (metric == SCALE_CPU &&
                 hpa_cpu_is_unready(&scaler->hpa_spec, &sample->times, now_ns))
            pod->state = HPA_POD_UNREADY;
    }
}

static struct hpa_metric read_metric(struct autoscaler *scaler,
                                     const struct scale_view *view,
                                     enum scale_metric metric, int64_t now_ns)
{
    double target = scaler->spec->targets[metric];
    struct hpa_metric ret = {
        .kind = HPA_AVERAGE_VALUE,
        .target = thousandths(target),
        .pods = scaler->pods,
        .pod_count = view->node_count,
        .available = true,
    };

    if (metric == SCALE_GPU || metric == SCALE_CPU) {
        ret.kind = HPA_UTILISATION;
        ret.target = llround(target * 100);
    }
    if (metric < SCALE_NODE_METRICS) {
        fill_pods(scaler, view, metric, now_ns);
        return ret;
    }
    fill_pods(scaler, view, SCALE_IN_FLIGHT, now_ns);
    ret.kind = HPA_OBJECT;
    ret.available = of_group(view, metric) >= 0;
    ret.total = ret.available ? thousandths(of_group(view, metric)) : 0;
    return ret;
}

/* Each metric alone, since the pods' values are kept for one at a time. */
static uint32_t sync_hpa(struct autoscaler *scaler,
                         const struct scale_view *view, int64_t now_ns)
{
    struct hpa_proposals all = {0};

    for (enum scale_metric m = SCALE_GPU; m < SCALE_METRICS; m++) {
        struct hpa_metric metric;

        if (isnan(scaler->spec->targets[m]))
            continue;
        metric = read_metric(scaler, view, m, now_ns);
        hpa_add_proposal(&all, &metric, view->current,
                         scaler->hpa_spec.tolerance);
    }
    return hpa_sync_proposed(&scaler->hpa, &all, view->current, now_ns);
}

static uint32_t sync_kpa(struct autoscaler *scaler,
                         const struct scale_view *view, int64_t now_ns)
{
    struct kpa_answer answer = kpa_tick(
        &scaler->kpa, count_ready(view),
        bucket_window_mean(&scaler->window, scaler->stable_buckets),
        bucket_window_mean(&scaler->window, scaler->panic_buckets), now_ns);

    scaler->excess_burst = answer.excess_burst;
    return answer.desired;
}

static uint32_t whole(double nodes)
{
    double count = ceil(nodes - 1e-9 * nodes);

    return count < (double)INT32_MAX ? (uint32_t)count : INT32_MAX;
}

static uint32_t sync_trend(struct autoscaler *scaler,
                           const struct scale_view *view)
{
    enum scale_metric metric = autoscaler_metric(scaler->spec);

    forecast_note(&scaler->trend, autoscaler_total(view, metric));
    return whole(forecast_at(&scaler->trend, scaler->steps_ahead) /
                 scaler->spec->targets[metric]);
}

static uint32_t sync_threshold(const struct autoscaler *scaler,
                               const struct scale_view *view)
{
    enum scale_metric metric = autoscaler_metric(scaler->spec);
    double target = scaler->spec->targets[metric];
    uint32_t ready = count_ready(view);
    struct threshold_spec spec = {
        .above = target,
        .below = scaler->spec->low * target,
        .inherits = scaler->spec->inherits,
    };

    if (ready == 0)
        return view->current;
    return threshold_next(&spec, view->current,
                          autoscaler_total(view, metric) / ready);
}

static uint32_t sync_staffing(const struct autoscaler *scaler,
                              const struct scale_view *view)
{
    double load = view->arrivals_per_s * view->service_s;
    double most = scaler->spec->wait_probability;
    uint32_t servers;

    if (!(view->service_s > 0))
        return view->current;
    servers = scaler->spec->method == STAFFING_ERLANG
                  ? staffing_for_probability(load, most)
                  : staffing_square_root(load, most);
    return (servers + view->slots_per_node - 1) / view->slots_per_node;
}

/* One for as many requests as a node is to have. */
static uint32_t sync_demand(const struct autoscaler *scaler,
                            const struct scale_view *view)
{
    return whole(autoscaler_total(view, SCALE_IN_FLIGHT) /
                 scaler->spec->targets[SCALE_IN_FLIGHT]);
}

static uint32_t decide(struct autoscaler *scaler, const struct scale_view *view,
                       int64_t now_ns)
{
    const struct scale_spec *spec = scaler->spec;
    enum scale_metric metric = autoscaler_metric(spec);

    switch (spec->rule) {
    case SCALE_HPA:
        return sync_hpa(scaler, view, now_ns);
    case SCALE_KEDA:
        return keda_sync(&scaler->keda,
                         thousandths(autoscaler_total(view, metric)), true,
                         view->current, now_ns);
    case SCALE_KPA:
        return sync_kpa(scaler, view, now_ns);
    case SCALE_SCHEDULE:
        return schedule_nodes(&spec->schedule, spec->start, now_ns);
    case SCALE_TREND:
        return sync_trend(scaler, view);
    case SCALE_GOAL:
        return goal_scale_next(&scaler->goal, view->current,
                               of_group(view, metric));
    case SCALE_STAFFING:
        return sync_staffing(scaler, view);
    case SCALE_THRESHOLD:
        return sync_threshold(scaler, view);
    case SCALE_DEMAND:
        return sync_demand(scaler, view);
    }
    return view->current;
}

static uint32_t clamp(const struct scale_spec *spec, uint32_t nodes)
{
    if (nodes > spec->max)
        return spec->max;
    return nodes < spec->min ? spec->min : nodes;
}

void autoscaler_note(struct autoscaler *scaler, double total)
{
    bucket_window_add(&scaler->window, total);
}

uint32_t autoscaler_sync(struct autoscaler *scaler,
                         const struct scale_view *view, int64_t now_ns)
{
    return clamp(scaler->spec, decide(scaler, view, now_ns));
}

uint32_t autoscaler_poll(struct autoscaler *scaler,
                         const struct scale_view *view, int64_t now_ns)
{
    enum scale_metric metric = autoscaler_metric(scaler->spec);
    double total = autoscaler_total(view, metric);

    return clamp(scaler->spec, keda_poll(&scaler->keda, thousandths(total),
                                         view->current, now_ns));
}
