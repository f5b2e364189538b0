#include "workloads/tenants.h"

#include <inttypes.h>
#include <stdio.h>
#include <xxhash.h>

void tenants_init(struct tenants *tenants, const struct tenants_spec *spec,
                  uint64_t seed, uint64_t replication)
{
    const struct keys_spec law = {
        .kind = KEYS_ZIPF,
        .exponent = spec->exponent,
        .distinct = spec->count,
        .repeat_share = 1,
    };

    keys_init(&tenants->law, &law);
    for (uint32_t i = 0; i < TENANTS_SOURCES_MAX; i++) {
        rng_lane_init_entity(&tenants->lanes[i].lane, seed, replication,
                             RNG_TENANTS, i);
        tenants->lanes[i].next = 0;
    }
}

uint32_t tenants_draw(struct tenants *tenants, uint32_t source, uint64_t number)
{
    struct tenants_lane *at = &tenants->lanes[source];
    struct rng rng;

    if (number != at->next) /* also backwards */
        rng_lane_skip(&at->lane, (rng_u128)number - at->next);
    at->next = number + 1;
    rng = rng_lane_next(&at->lane);
    return (uint32_t)keys_draw(&tenants->law, &rng, number);
}

uint32_t tenants_name(uint32_t tenant, char name[TENANTS_NAME_SIZE])
{
    return (uint32_t)snprintf(name, TENANTS_NAME_SIZE, "tenant-%" PRIu32,
                              tenant);
}

uint64_t tenants_hash(uint32_t tenant)
{
    char name[TENANTS_NAME_SIZE];
    uint32_t length = tenants_name(tenant, name);
    uint64_t hash = XXH64(name, length, 0);

    return hash != 0 ? hash : 1;
}
