/* Hits of LRU caches from one pass: by hand, loops, and against plain caches
   played one by one. */
#include "tests/check.h"
#include "workloads/byte_lru.h"
#include "workloads/reuse.h"
#include "workloads/rng.h"

#include <stdlib.h>

static void refer(struct reuse *reuse, uint64_t id)
{
    struct reuse_score score;

    CHECK(reuse_request(reuse, &id, 1, &score));
}

/* 0 to 9 again and again: fewer than ten places never hit, ten hit all but
   the first round. */
static void a_loop_fits_or_never_hits(void)
{
    struct reuse reuse = {.one_reading = true};

    for (int i = 0; i < 1000; i++)
        refer(&reuse, (uint64_t)(i % 10));
    CHECK_UINT(reuse.references, 1000);
    CHECK_UINT(reuse.count, 10);
    CHECK_UINT(reuse_hits(&reuse, REUSE_FLAT, 9), 0);
    CHECK_UINT(reuse_hits(&reuse, REUSE_FLAT, 10), 990);
    CHECK_UINT(reuse_hits(&reuse, REUSE_FLAT, UINT64_MAX), 990);
    CHECK_UINT(reuse_hits(&reuse, REUSE_HEAD, 10), 990); /* all the same */
    reuse_done(&reuse);
}

/* a b a c b a a: distances - - 2 - 3 3 1. */
static void distances_are_as_by_hand(void)
{
    static const uint64_t ids[] = {UINT64_MAX, 0,          UINT64_MAX, 7,
                                   0,          UINT64_MAX, UINT64_MAX};
    struct reuse reuse = {0};

    for (int i = 0; i < 7; i++)
        refer(&reuse, ids[i]);
    for (int reading = 0; reading < REUSE_READING_COUNT; reading++) {
        CHECK_UINT(reuse_hits(&reuse, (enum reuse_reading)reading, 0), 0);
        CHECK_UINT(reuse_hits(&reuse, (enum reuse_reading)reading, 1), 1);
        CHECK_UINT(reuse_hits(&reuse, (enum reuse_reading)reading, 2), 2);
        CHECK_UINT(reuse_hits(&reuse, (enum reuse_reading)reading, 3), 4);
    }
    CHECK_UINT(reuse.items[0].count, 4);
    reuse_done(&reuse);
}

/*
 * Requests 1 2 3, 1 2 4, 1 2 3 in caches of 3 places, by hand.
 *
 * A and B: after the first 3 2 1 (newest first). The second hits 1, 2: for A
 * and B alike two; then 4 2 1. The third hits 1, 2; 3 is gone. 4 of 9.
 * C: used 3 2 1, newest 1. Second: run 1 2 hits; used 4 2 1: 1 2 4 stay.
 * Third: 1 2 hit. 4 of 9. With 2 places: A: after 1 2 3 is 3 2; 1 misses and
 * evicts 2, and so on: none. C keeps 1 2 (used last): 2 and 2: four.
 */
static void prefixes_are_as_by_hand(void)
{
    static const uint64_t requests[3][3] = {{1, 2, 3}, {1, 2, 4}, {1, 2, 3}};
    static const uint32_t known[] = {0, 2, 3}, leading[] = {0, 2, 3};
    struct reuse reuse = {0};

    for (int i = 0; i < 3; i++) {
        struct reuse_score score;

        CHECK(reuse_request(&reuse, requests[i], 3, &score));
        CHECK_UINT(score.known, known[i]);
        CHECK_UINT(score.leading, leading[i]);
        CHECK_UINT(score.repeats, 0);
    }
    CHECK_UINT(reuse_hits(&reuse, REUSE_FLAT, 3), 4);
    CHECK_UINT(reuse_hits(&reuse, REUSE_HEAD, 3), 4);
    CHECK_UINT(reuse_hits(&reuse, REUSE_TAIL, 3), 4);
    CHECK_UINT(reuse_hits(&reuse, REUSE_FLAT, 2), 0);
    CHECK_UINT(reuse_hits(&reuse, REUSE_HEAD, 2), 0);
    CHECK_UINT(reuse_hits(&reuse, REUSE_TAIL, 2), 4);
    CHECK_UINT(reuse_hits(&reuse, REUSE_FLAT, 4), 5);
    reuse_done(&reuse);
}

/* A run stops at the first unknown id; ids may stand twice, and behind others
   than before. */
static void scores_stop_at_the_first_unknown(void)
{
    static const uint64_t first[] = {1, 2, 3}, second[] = {1, 9, 3, 3};
    struct reuse reuse = {0};
    struct reuse_score score;

    CHECK(reuse_request(&reuse, first, 3, &score));
    CHECK(reuse_request(&reuse, second, 4, &score));
    CHECK_UINT(score.known, 3);
    CHECK_UINT(score.leading, 1);
    CHECK_UINT(score.repeats, 1);
    CHECK(!reuse.items[0].torn && !reuse.items[1].torn && reuse.items[2].torn);
    CHECK(reuse_request(&reuse, NULL, 0, &score));
    CHECK_UINT(score.known + score.leading, 0);
    reuse_done(&reuse);
}

/* ---- against plain caches ---- */

enum { MOST = 64 };

/* Newest first. */
struct plain {
    uint64_t ids[MOST];
    size_t count, capacity;
};

static bool plain_has(const struct plain *plain, uint64_t id)
{
    for (size_t i = 0; i < plain->count; i++)
        if (plain->ids[i] == id)
            return true;
    return false;
}

static bool plain_use(struct plain *plain, uint64_t id)
{
    size_t at = 0;
    bool hit;

    while (at < plain->count && plain->ids[at] != id)
        at++;
    hit = at < plain->count;
    if (!hit && plain->count < plain->capacity)
        plain->count++;
    if (at >= plain->capacity)
        at = plain->capacity - 1;
    memmove(plain->ids + 1, plain->ids, at * sizeof *plain->ids);
    plain->ids[0] = id;
    return hit;
}

static size_t plain_run(const struct plain *plain, const uint64_t *ids,
                        size_t count)
{
    size_t run = 0;

    while (run < count && plain_has(plain, ids[run]))
        run++;
    return run;
}

/* Random requests with repeats, through renumberings of time. */
static void random_requests_agree_with_plain_caches(void)
{
    static const size_t capacities[] = {1, 2, 7, 30, 64};
    struct rng rng;
    struct reuse reuse = {0};
    struct plain flat[5] = {0}, head[5] = {0}, tail[5] = {0};
    uint64_t hits[REUSE_READING_COUNT][5] = {{0}};

    rng_stream(&rng, 20261129, 1, RNG_KEYS, 1);
    for (int c = 0; c < 5; c++)
        flat[c].capacity = head[c].capacity = tail[c].capacity = capacities[c];
    for (int i = 0; i < 4000; i++) {
        uint64_t ids[8];
        size_t count = (size_t)rng_below(&rng, 8);
        uint64_t base = rng_below(&rng, 12) * 9;
        struct reuse_score score;

        for (size_t k = 0; k < count; k++)
            ids[k] = base + (rng_below(&rng, 5) ? k : rng_below(&rng, 40));
        CHECK(reuse_request(&reuse, ids, count, &score));
        for (int c = 0; c < 5; c++) {
            hits[REUSE_HEAD][c] += plain_run(&head[c], ids, count);
            hits[REUSE_TAIL][c] += plain_run(&tail[c], ids, count);
            for (size_t k = 0; k < count; k++) {
                hits[REUSE_FLAT][c] += plain_use(&flat[c], ids[k]);
                plain_use(&head[c], ids[k]);
                plain_use(&tail[c], ids[count - 1 - k]);
            }
        }
    }
    for (int reading = 0; reading < REUSE_READING_COUNT; reading++)
        for (int c = 0; c < 5; c++)
            CHECK_UINT(
                reuse_hits(&reuse, (enum reuse_reading)reading, capacities[c]),
                hits[reading][c]);
    CHECK(reuse_bytes(&reuse) > 0);
    reuse_done(&reuse);
}

/* 10 bytes, by hand: a5 b5 fill it; a5 hits; c3 evicts b; b5 misses, evicts a
   for it; d11 is not admitted; c3 hits; e0 counts as one byte, evicts none. */
static void bytes_are_as_by_hand(void)
{
    static const uint32_t items[] = {0, 1, 0, 2, 1, 3, 2, 4, 4};
    static const uint64_t sizes[] = {5, 5, 5, 3, 5, 11, 3, 0, 0};
    struct byte_lru lru = {.capacity = 10};

    for (int i = 0; i < 9; i++)
        CHECK(byte_lru_use(&lru, items[i], sizes[i]));
    CHECK_UINT(lru.hits, 3);
    CHECK_UINT(lru.hit_bytes, 5 + 3 + 1);
    CHECK_UINT(lru.used, 5 + 3 + 1);
    byte_lru_done(&lru);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"a loop fits or never hits", a_loop_fits_or_never_hits},
        {"distances are as by hand", distances_are_as_by_hand},
        {"prefixes are as by hand", prefixes_are_as_by_hand},
        {"scores stop at the first unknown", scores_stop_at_the_first_unknown},
        {"random requests agree with plain caches",
         random_requests_agree_with_plain_caches},
        {"bytes are as by hand", bytes_are_as_by_hand},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("reuse", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
