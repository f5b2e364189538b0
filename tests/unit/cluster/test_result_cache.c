#include "sim/cluster/result_cache.h"
#include "tests/check.h"

#include <stdlib.h>

#define NO_TTL INT64_MAX

static struct result_cache cache;

static void forget_cache(void)
{
    result_cache_done(&cache);
}

static void cache_of(uint64_t entries, uint64_t bytes)
{
    CHECK(result_cache_init(&cache, entries, bytes, NO_TTL));
}

/* A miss stores, as in the usual study of caches. */
static bool ask(uint64_t hash)
{
    if (result_cache_find(&cache, hash, 0))
        return true;
    CHECK(result_cache_store(&cache, hash, 1, 0));
    return false;
}

/* Hits of 100 rounds over 1 .. keys. */
static uint32_t loop_hits(uint64_t keys)
{
    uint32_t hits = 0;

    for (int round = 0; round < 100; round++)
        for (uint64_t key = 1; key <= keys; key++)
            hits += ask(key);
    return hits;
}

/* A loop of as many keys as fit misses in its first round alone: 99.0 %. */
static void loop_that_fits_hits_after_the_first_round(void)
{
    cache_of(100, 0);
    CHECK_UINT(loop_hits(100), 99 * 100);
    CHECK_UINT(cache.evictions, 0);
}

/* One key more, and each is pushed out just before it is asked again. */
static void loop_one_too_long_never_hits(void)
{
    cache_of(100, 0);
    CHECK_UINT(loop_hits(101), 0);
    CHECK_UINT(cache.evictions, 101 * 100 - 100);
}

static void insertion_evicts_as_many_bytes_as_it_lacks(void)
{
    cache_of(0, 100);
    for (uint64_t key = 1; key <= 99; key++)
        CHECK(result_cache_store(&cache, key, 1, 0));

    CHECK(result_cache_store(&cache, 1000, 3, 0));
    CHECK_UINT(cache.evictions, 2);
    CHECK_UINT(cache.bytes, 100);
    CHECK(!result_cache_find(&cache, 1, 0));
    CHECK(!result_cache_find(&cache, 2, 0));
    CHECK(result_cache_find(&cache, 3, 0));
}

static void touched_entry_is_the_last_to_go(void)
{
    cache_of(3, 0);
    ask(1);
    ask(2);
    ask(3);
    CHECK(ask(1));
    ask(4);
    ask(5);
    CHECK(result_cache_find(&cache, 1, 0));
    CHECK(!result_cache_find(&cache, 2, 0));
    CHECK(!result_cache_find(&cache, 3, 0));
}

static void too_large_an_answer_is_not_stored(void)
{
    cache_of(0, 10);
    ask(1);
    CHECK(result_cache_store(&cache, 2, 11, 0));
    CHECK(!result_cache_find(&cache, 2, 0));
    CHECK(result_cache_find(&cache, 1, 0));
}

static void answer_ages(void)
{
    CHECK(result_cache_init(&cache, 10, 0, 50));
    CHECK(result_cache_store(&cache, 1, 1, 1000));
    CHECK(result_cache_find(&cache, 1, 1049));
    CHECK(!result_cache_find(&cache, 1, 1050));
    CHECK_UINT(cache.count, 0);
    CHECK_UINT(cache.evictions, 0);
}

static void stored_again_is_fresh_and_counts_once(void)
{
    CHECK(result_cache_init(&cache, 10, 0, 50));
    CHECK(result_cache_store(&cache, 1, 4, 1000));
    CHECK(result_cache_store(&cache, 1, 6, 1040));
    CHECK_UINT(cache.count, 1);
    CHECK_UINT(cache.bytes, 6);
    CHECK(result_cache_find(&cache, 1, 1060));
}

static void restart_forgets_all_but_the_count(void)
{
    cache_of(2, 0);
    ask(1);
    ask(2);
    ask(3);
    result_cache_clear(&cache);
    CHECK(!result_cache_find(&cache, 3, 0));
    CHECK_UINT(cache.evictions, 1);
    ask(3);
    CHECK(ask(3));
}

/* The same rules by a plain array, newest first. */
struct model {
    uint64_t hashes[64];
    uint32_t count, limit;
};

static bool model_ask(struct model *model, uint64_t hash)
{
    uint32_t at = 0;
    bool hit;

    while (at < model->count && model->hashes[at] != hash)
        at++;
    hit = at < model->count;
    if (!hit && model->count < model->limit)
        model->count++;
    if (at >= model->count)
        at = model->count - 1;
    memmove(&model->hashes[1], &model->hashes[0], at * sizeof model->hashes[0]);
    model->hashes[0] = hash;
    return hit;
}

static void agrees_with_a_plain_list(void)
{
    struct model model = {.limit = 37};
    uint64_t state = 1;

    cache_of(37, 0);
    for (int i = 0; i < 200000; i++) {
        uint64_t hash;

        state = state * 6364136223846793005u + 1442695040888963407u;
        hash = (state >> 40) % 90 + 1;
        CHECK(ask(hash) == model_ask(&model, hash));
    }
}

static void grows_when_only_bytes_bound_it(void)
{
    cache_of(0, 1000000);
    for (uint64_t key = 1; key <= 50000; key++)
        CHECK(result_cache_store(&cache, key, 1, 0));
    for (uint64_t key = 1; key <= 50000; key++)
        CHECK(result_cache_find(&cache, key, 0));
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"a loop that fits hits after the first round",
         loop_that_fits_hits_after_the_first_round},
        {"a loop one too long never hits", loop_one_too_long_never_hits},
        {"an insertion evicts as many bytes as it lacks",
         insertion_evicts_as_many_bytes_as_it_lacks},
        {"a touched entry is the last to go", touched_entry_is_the_last_to_go},
        {"too large an answer is not stored",
         too_large_an_answer_is_not_stored},
        {"an answer ages", answer_ages},
        {"stored again is fresh and counts once",
         stored_again_is_fresh_and_counts_once},
        {"a restart forgets all but the count",
         restart_forgets_all_but_the_count},
        {"agrees with a plain list", agrees_with_a_plain_list},
        {"grows when only bytes bound it", grows_when_only_bytes_bound_it},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("result_cache", NULL, NULL, NULL, forget_cache, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
