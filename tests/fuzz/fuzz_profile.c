/*
 * Any bytes as a trace to be profiled; the last byte chooses the format and
 * whether bad rows are left out, and is not of the file unless it ends a line.
 *
 * A profile that is made has hits that do not exceed references, caches that
 * hit the more the larger they are, and shares that are shares.
 */
#include "tests/fuzz/scratch.h"
#include "tests/fuzz/target.h"
#include "workloads/profile.h"

enum { SKIP = 64 };

static const uint64_t capacities[] = {1, 2, 1000};
enum { CAPACITY_COUNT = sizeof capacities / sizeof capacities[0] };

static void check_caches(const struct profile *profile)
{
    for (size_t i = 0; i < profile->lru_count; i++)
        for (int r = 0; r < REUSE_READING_COUNT; r++) {
            uint64_t hits = profile->lru[i].hits[r];

            FUZZ_MUST(hits <= profile->keys.references);
            FUZZ_MUST(i == 0 || r != 0 ||
                      profile->lru[i].capacity < profile->lru[i - 1].capacity ||
                      hits >= profile->lru[i - 1].hits[r]);
        }
    for (size_t i = 0; i < profile->byte_lru_count; i++)
        FUZZ_MUST(profile->byte_lru[i].hits <= profile->keys.references);
}

static void check_counts(const struct profile *profile)
{
    const struct profile_keys *keys = &profile->keys;
    const struct profile_blocks *blocks = &profile->blocks;

    FUZZ_MUST(profile->identical <= profile->rows);
    FUZZ_MUST(keys->distinct <= keys->references);
    FUZZ_MUST(keys->once <= keys->distinct && keys->most <= keys->references);
    FUZZ_MUST(blocks->leading <= blocks->known);
    FUZZ_MUST(profile->arrivals.span_ns >= 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t options = size > 0 && data[size - 1] != '\n' ? data[size - 1] : 0;
    size_t length = options != 0 ? size - 1 : size;
    struct profile_spec spec = {
        .path = scratch_write("trace", data, length),
        .format = (enum profile_format)(options % PROFILE_FORMAT_COUNT),
        .skip_bad_rows = options & SKIP,
        .capacities = capacities,
        .capacity_count = CAPACITY_COUNT,
        .byte_capacities = capacities,
        .byte_capacity_count = CAPACITY_COUNT,
        .memory_bytes = 1 << 24,
    };
    struct profile profile;
    struct diag diag = {0};
    bool made = profile_make(&spec, &profile, &diag);

    FUZZ_MUST(made == (diag.errors == 0));
    if (made) {
        check_caches(&profile);
        check_counts(&profile);
    }
    profile_done(&profile);
    diag_done(&diag);
    return 0;
}
