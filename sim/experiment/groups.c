#include "sim/experiment/groups.h"

#include "sim/experiment/cost.h"
#include "sim/experiment/fold.h"
#include "sim/experiment/fold_parts.h"

#include <math.h>

/* A mean over nodes, each for as long as it existed. */
struct share {
    double sum, existed;
};

static void share_add(struct share *share, double value, double existed)
{
    if (isfinite(value)) {
        share->sum += value * existed;
        share->existed += existed;
    }
}

static double share_value(struct share share)
{
    return share.existed > 0 ? share.sum / share.existed : NAN;
}

struct group_sums {
    double attempts, completed, share, in_flight, queued, evictions, deaths;
    double existed;                     /* nodes, on average */
    double hits, cached;                /* answers of nodes with a cache */
    struct share use, gpu, cpu, memory; /* of nodes, while they existed */
    struct mean down;
};

static void add_node(struct group_sums *sums, const struct node_result *node)
{
    double existed = 1 - node->absent_ratio;

    sums->existed += existed;
    sums->attempts += (double)node->attempts;
    sums->completed += (double)node->completed;
    sums->share += isfinite(node->share_ratio) ? node->share_ratio : 0;
    sums->in_flight += node->in_flight_mean_requests;
    sums->queued += node->queue_mean_requests;
    sums->evictions += (double)node->evictions;
    sums->deaths += (double)node->deaths;
    if (isfinite(node->hit_ratio)) {
        sums->hits += node->hit_ratio * (double)node->completed;
        sums->cached += (double)node->completed;
    }
    share_add(&sums->use, node->use_ratio, existed);
    share_add(&sums->gpu, node->gpu_ratio, existed);
    share_add(&sums->cpu, node->cpu_ratio, existed);
    share_add(&sums->memory, node->memory_ratio, existed);
    mean_add(&sums->down, node->down_ratio);
}

#define GROUP_FIELDS(X) \
    SERVING_FIELDS(X)   \
    X(cost)             \
    X(cost_per_1000)    \
    X(latency_mean_s)   \
    X(latency_p50_s)    \
    X(latency_p99_s)

/* Of the nodes while they were there, busy or not. */
static double cost_of(const struct scenario *scenario,
                      const struct run_result *run, uint32_t group,
                      const struct group_sums *sums)
{
    double hours = (run->window_end_s - run->window_start_s) / 3600;

    if (!cost_is_stated(scenario))
        return NAN;
    return scenario->groups[group].cost_per_hour * hours * sums->existed;
}

static struct group_fold of_one_run(const struct scenario *scenario,
                                    const struct run_result *run,
                                    uint32_t group, uint32_t first)
{
    uint32_t count = scenario->groups[group].count;
    struct group_latency latency = {NAN, NAN, NAN};
    struct group_sums sums = {0};
    double cost;

    /* A run whose window never opened has no nodes to speak of. */
    for (uint32_t i = first; i < first + count && i < run->node_count; i++)
        add_node(&sums, &run->nodes[i]);
    cost = cost_of(scenario, run, group, &sums);
    if (run->group_latencies)
        latency = run->group_latencies[group];
    return (struct group_fold){
        .attempts = sums.attempts,
        .completed = sums.completed,
        .share_ratio = sums.share,
        .use_ratio = share_value(sums.use),
        .gpu_ratio = share_value(sums.gpu),
        .cpu_ratio = share_value(sums.cpu),
        .memory_ratio = share_value(sums.memory),
        .in_flight_mean_requests = sums.in_flight,
        .queue_mean_requests = sums.queued,
        .hit_ratio = sums.cached > 0 ? sums.hits / sums.cached : NAN,
        .evictions = sums.evictions,
        .down_ratio = mean_value(&sums.down),
        .deaths = sums.deaths,
        .cost = cost,
        .cost_per_1000 =
            sums.completed > 0 ? 1000 * cost / sums.completed : NAN,
        .latency_mean_s = latency.mean_s,
        .latency_p50_s = latency.p50_s,
        .latency_p99_s = latency.p99_s,
    };
}

void group_folds_make(const struct scenario *scenario,
                      const struct run_result *runs, uint32_t count,
                      struct group_fold *ret)
{
    uint32_t first = 0;

    for (uint32_t g = 0; g < scenario->group_count; g++) {
        struct {
#define MEAN(field) struct mean field;
            GROUP_FIELDS(MEAN)
#undef MEAN
        } means = {0};

        for (uint32_t i = 0; i < count; i++) {
            struct group_fold one = of_one_run(scenario, &runs[i], g, first);

#define ADD(field) mean_add(&means.field, one.field);
            GROUP_FIELDS(ADD)
#undef ADD
        }
#define SET(field) ret[g].field = mean_value(&means.field);
        GROUP_FIELDS(SET)
#undef SET
        first += scenario->groups[g].count;
    }
}
