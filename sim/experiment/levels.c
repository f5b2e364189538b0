#include "sim/experiment/levels.h"

#include <math.h>

bool level_init(struct level *level, uint32_t bucket_count, struct arena *arena)
{
    *level = (struct level){
        .buckets = arena_allocate(arena, bucket_count, sizeof *level->buckets),
    };
    return level->buckets != NULL;
}

void level_spread(const struct recorder *recorder, int64_t from_ns,
                  int64_t to_ns, double rate, double *buckets, size_t stride)
{
    if (!recorder->open)
        return;
    if (from_ns < recorder->start_ns)
        from_ns = recorder->start_ns;
    if (to_ns > recorder->end_ns)
        to_ns = recorder->end_ns;
    while (from_ns < to_ns) {
        uint32_t bucket = recorder_find_bucket(recorder, from_ns);
        int64_t edge_ns = recorder_edge_ns(recorder, bucket + 1);
        int64_t until_ns = edge_ns < to_ns ? edge_ns : to_ns;

        buckets[bucket * stride] += rate * (double)(until_ns - from_ns);
        from_ns = until_ns;
    }
}

void level_pass(struct level *level, const struct recorder *recorder,
                int64_t now_ns)
{
    if (recorder->open && now_ns > recorder->start_ns &&
        now_ns > level->since_ns && level->since_ns < recorder->end_ns)
        level->most = fmax(level->most, level->value);
    level_spread(recorder, level->since_ns, now_ns, level->value,
                 level->buckets, 1);
    level->since_ns = now_ns;
}

void level_set(struct level *level, const struct recorder *recorder,
               double value, int64_t now_ns)
{
    level_pass(level, recorder, now_ns);
    level->value = value;
}

double level_in_bucket(const struct level *level,
                       const struct recorder *recorder, uint32_t bucket)
{
    int64_t span_ns = recorder_edge_ns(recorder, bucket + 1) -
                      recorder_edge_ns(recorder, bucket);

    return level->buckets[bucket] / (double)span_ns;
}

double level_mean(const struct level *level, const struct recorder *recorder)
{
    double sum = 0;

    for (uint32_t i = 0; i < recorder->bucket_count; i++)
        sum += level->buckets[i];
    return sum / (double)(recorder->end_ns - recorder->start_ns);
}
