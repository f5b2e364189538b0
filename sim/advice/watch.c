#include "sim/advice/watch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool set_up(struct watch *watch, const struct run_result *run)
{
    if (watch->edges_s)
        return true;
    watch->node_count = run->node_count;
    watch->bucket_count = run->bucket_count;
    watch->edges_s = calloc(run->bucket_count + 1u, sizeof *watch->edges_s);
    if (!watch->edges_s)
        return false;
    for (uint32_t i = 0; i < run->bucket_count; i++) {
        watch->edges_s[i] = run->buckets[i].start_s;
        watch->edges_s[i + 1] = run->buckets[i].end_s;
    }
    return true;
}

/* A copy of n bytes; NULL: no memory. */
static void *copy(const void *from, size_t n)
{
    void *to = malloc(n + 1);

    if (to && n > 0)
        memcpy(to, from, n);
    return to;
}

static bool take(struct watch *watch, const struct run_result *run)
{
    size_t cells = (size_t)run->bucket_count * run->node_count;
    struct watched_run *runs = realloc(
        watch->runs, ((size_t)watch->run_count + 1) * sizeof *watch->runs);

    if (!runs)
        return false;
    watch->runs = runs;

    struct watched_run *to = &runs[watch->run_count++];
    to->cells = copy(run->node_buckets, cells * sizeof *to->cells);
    to->nodes = copy(run->nodes, run->node_count * sizeof *to->nodes);
    memcpy(to->values, run->values, sizeof to->values);
    return to->cells && to->nodes;
}

void watch_run(void *context, uint32_t policy, uint32_t replication,
               const struct run_result *run)
{
    struct watch *watch = context;

    (void)replication; /* they come in order */
    if (policy == 0 && !watch->failed)
        watch->failed = !set_up(watch, run) || !take(watch, run);
}

void watch_done(struct watch *watch)
{
    for (uint32_t i = 0; i < watch->run_count; i++) {
        free(watch->runs[i].cells);
        free(watch->runs[i].nodes);
    }
    free(watch->runs);
    free(watch->edges_s);
    *watch = (struct watch){0};
}

double watch_pool_use(const struct watch *watch, uint32_t run, uint32_t bucket)
{
    double use = 0, up = 0;

    for (uint32_t node = 0; node < watch->node_count; node++) {
        const struct node_bucket *cell = watch_cell(watch, run, bucket, node);

        if (cell->down_ratio > 0.5 || cell->absent_ratio > 0.5)
            continue;
        use += cell->use_ratio;
        up++;
    }
    return up > 0 ? use / up : (double)NAN;
}

double watch_mean(const struct watch *watch, enum measure_id id)
{
    double sum = 0;

    for (uint32_t i = 0; i < watch->run_count; i++)
        sum += watch->runs[i].values[id];
    return isfinite(sum) && watch->run_count > 0 ? sum / watch->run_count
                                                 : (double)NAN;
}
