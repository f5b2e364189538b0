#include "sim/experiment/shard.h"

/* The number, from 0, of whom the unit belongs to. */
static uint64_t owner_of(uint64_t unit, uint32_t count)
{
    uint64_t round = unit / count;

    return (unit % count + round % count) % count;
}

bool shard_has(const struct shard *shard, uint64_t unit)
{
    return shard->count == 0 ||
           owner_of(unit, shard->count) == shard->number - 1;
}

/* One of every whole round; and of the last one, if its place comes. */
uint64_t shard_size(const struct shard *shard, uint64_t units)
{
    if (shard->count == 0)
        return units;

    uint64_t rounds = units / shard->count;
    uint64_t place =
        (shard->number - 1 + shard->count - rounds % shard->count) %
        shard->count;

    return rounds + (place < units % shard->count);
}
