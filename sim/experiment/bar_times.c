#include "sim/experiment/bar_times.h"

#include "sim/experiment/levels.h"

#include <math.h>

bool bar_times_init(struct bar_times *times, uint32_t balancer_count,
                    uint32_t node_count, uint32_t bucket_count,
                    struct arena *arena)
{
    size_t count = (size_t)balancer_count * node_count;

    *times = (struct bar_times){
        .balancer_count = balancer_count,
        .node_count = node_count,
        .bars = arena_allocate(arena, count, sizeof *times->bars),
        .since_ns = arena_allocate(arena, count, sizeof *times->since_ns),
        .out_ns = arena_allocate(arena, (size_t)bucket_count * node_count,
                                 sizeof *times->out_ns),
    };
    return times->bars && times->since_ns && times->out_ns;
}

/* Spreads the part that lies in the window over its buckets. */
static void add(struct bar_times *times, const struct recorder *recorder,
                uint32_t node, int64_t from_ns, int64_t to_ns)
{
    level_spread(recorder, from_ns, to_ns, 1, &times->out_ns[node],
                 times->node_count);
}

void bar_times_change(struct bar_times *times, const struct recorder *recorder,
                      uint32_t balancer, uint32_t node, uint16_t bar, bool down,
                      int64_t now_ns)
{
    size_t at = (size_t)balancer * times->node_count + node;
    uint16_t before = times->bars[at];
    uint16_t after = down ? before | bar : before & (uint16_t)~bar;

    times->bars[at] = after;
    if (before == 0 && after != 0)
        times->since_ns[at] = now_ns;
    if (before != 0 && after == 0)
        add(times, recorder, node, times->since_ns[at], now_ns);
}

void bar_times_forget(struct bar_times *times, const struct recorder *recorder,
                      uint32_t balancer, uint32_t node, int64_t now_ns)
{
    bar_times_change(times, recorder, balancer, node, UINT16_MAX, false,
                     now_ns);
}

/* Those that are still out. */
static void close_all(struct bar_times *times, const struct recorder *recorder,
                      int64_t now_ns)
{
    size_t count = (size_t)times->balancer_count * times->node_count;

    for (size_t i = 0; i < count; i++)
        if (times->bars[i] != 0)
            add(times, recorder, (uint32_t)(i % times->node_count),
                times->since_ns[i], now_ns);
}

static void fill_buckets(const struct bar_times *times,
                         const struct recorder *recorder,
                         struct run_result *ret)
{
    uint32_t nodes = times->node_count;

    for (uint32_t b = 0; b < recorder->bucket_count; b++) {
        double span_ns = (double)(recorder_edge_ns(recorder, b + 1) -
                                  recorder_edge_ns(recorder, b)) *
                         times->balancer_count;

        for (uint32_t i = 0; i < nodes; i++)
            ret->node_buckets[(size_t)b * nodes + i].ejected_ratio =
                span_ns > 0 ? times->out_ns[(size_t)b * nodes + i] / span_ns
                            : 0;
    }
}

double bar_times_finish(struct bar_times *times,
                        const struct recorder *recorder, int64_t now_ns,
                        struct run_result *ret)
{
    double window_ns =
        (double)(recorder->end_ns - recorder->start_ns) * times->balancer_count;
    double sum = 0;

    if (!recorder->open || window_ns <= 0)
        return NAN;
    close_all(times, recorder, now_ns);
    fill_buckets(times, recorder, ret);
    for (uint32_t i = 0; i < times->node_count; i++) {
        double out_ns = 0;

        for (uint32_t b = 0; b < recorder->bucket_count; b++)
            out_ns += times->out_ns[(size_t)b * times->node_count + i];
        ret->nodes[i].ejected_ratio = out_ns / window_ns;
        sum += ret->nodes[i].ejected_ratio;
    }
    return sum / times->node_count;
}
