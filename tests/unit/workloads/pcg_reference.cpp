#include "pcg_reference.h"

#include <pcg_random.hpp>

using wide = pcg_extras::pcg128_t;

static pcg64 generator;

static wide join(uint64_t high, uint64_t low)
{
    return wide(high) << 64 | wide(low);
}

void pcg_reference_seed(uint64_t seed_high, uint64_t seed_low,
                        uint64_t stream_high, uint64_t stream_low)
{
    generator = pcg64(join(seed_high, seed_low), join(stream_high, stream_low));
}

uint64_t pcg_reference_next(void)
{
    return generator();
}

void pcg_reference_advance(uint64_t high, uint64_t low)
{
    generator.advance(join(high, low));
}
