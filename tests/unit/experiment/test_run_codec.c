/*
 * A run written and read again is the same run, in every byte that is not
 * padding; and bytes that are not what was written are refused.
 */
#include "sim/experiment/run_codec.h"
#include "tests/check.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

static struct run_result run;
static uint8_t *bytes;
static size_t size;
static uint64_t noise;

/* Knuth, "The Art of Computer Programming" 2, 3.3.4: any bytes will do, as long
   as neighbours differ. */
static uint8_t next_byte(void)
{
    noise = noise * 6364136223846793005u + 1442695040888963407u;
    return (uint8_t)(noise >> 56);
}

static void fill(void *memory, size_t length)
{
    for (size_t i = 0; i < length; i++)
        ((uint8_t *)memory)[i] = next_byte();
}

static void *filled(size_t count, size_t item)
{
    void *memory = malloc(count * item);

    CHECK(memory != NULL);
    if (memory)
        fill(memory, count * item);
    return memory;
}

#define FILLED(items, count) ((items) = filled((count), sizeof *(items)))

/* Nothing in it is 0, and no two arrays are of one length. */
static void make_full_run(void)
{
    noise = 1;
    fill(&run, sizeof run);
    run.unstable = run.warm_up_sure = true;
    run.node_count = 2;
    run.bucket_count = 3;
    run.card_count = 4;
    run.group_count = 5;
    run.strike_count = 7;
    run.class_count = 8;
    run.source_count = 9;
    run.latency_count = 10;
    FILLED(run.nodes, 2);
    FILLED(run.buckets, 3);
    FILLED(run.node_buckets, 6);
    FILLED(run.card_use_ratios, 4);
    FILLED(run.group_latencies, 5);
    FILLED(run.strikes, 7);
    FILLED(run.classes, 8);
    FILLED(run.class_buckets, 24);
    FILLED(run.sources, 9);
    FILLED(run.latencies, 10);
    bytes = run_encode(&run, &size);
    CHECK(bytes != NULL);
}

static void forget_run(void)
{
    free(bytes);
    run_result_done(&run);
}

#define CHECK_SAME(a, b, length) CHECK(memcmp((a), (b), (length)) == 0)
#define CHECK_ITEMS(name, count) \
    CHECK_SAME(ret.name, run.name, (count) * sizeof *run.name)

static void every_array_comes_back(void)
{
    struct run_result ret;

    CHECK_INT(run_decode(bytes, size, &ret), RUN_DECODE_OK);
    CHECK_UINT(ret.node_count, 2);
    CHECK_UINT(ret.bucket_count, 3);
    CHECK_UINT(ret.latency_count, 10);
    CHECK_ITEMS(nodes, 2);
    CHECK_ITEMS(buckets, 3);
    CHECK_ITEMS(node_buckets, 6);
    CHECK_ITEMS(card_use_ratios, 4);
    CHECK_ITEMS(group_latencies, 5);
    CHECK_ITEMS(strikes, 7);
    CHECK_ITEMS(classes, 8);
    CHECK_ITEMS(class_buckets, 24);
    CHECK_ITEMS(sources, 9);
    CHECK_ITEMS(latencies, 10);
    CHECK_SAME(ret.values, run.values, sizeof run.values);
    CHECK_SAME(ret.curve_all_s, run.curve_all_s, sizeof run.curve_all_s);
    CHECK(ret.unstable && ret.warm_up_sure);
    run_result_done(&ret);
}

static void what_is_read_is_written_as_before(void)
{
    struct run_result ret;
    size_t again_size = 0;

    CHECK_INT(run_decode(bytes, size, &ret), RUN_DECODE_OK);
    uint8_t *again = run_encode(&ret, &again_size);
    CHECK_UINT(again_size, size);
    CHECK(again && again_size == size && memcmp(again, bytes, size) == 0);
    free(again);
    run_result_done(&ret);
}

/* What is over time and the curves are gone, all else is there. */
static void totals_stay_when_only_they_are_kept(void)
{
    struct run_result ret;

    CHECK_INT(run_decode(bytes, size, &ret), RUN_DECODE_OK);
    run_result_keep_totals(&ret);
    CHECK_UINT(ret.bucket_count, 0);
    CHECK(!ret.buckets && !ret.node_buckets && !ret.class_buckets);
    CHECK(isnan(ret.curve_s[0]) && isnan(ret.curve_all_s[CURVE_POINTS - 1]));
    CHECK_SAME(ret.values, run.values, sizeof run.values);
    CHECK_SAME(&ret.books, &run.books, sizeof run.books);
    CHECK_ITEMS(nodes, 2);
    CHECK_ITEMS(classes, 8);
    run_result_done(&ret);
}

/* Bytes of struct run_result that say nothing by themselves: pointers and
   counts, which the arrays show, and what lies between members. */
struct stretch {
    size_t from, length;
};
#define MEMBER(name)                                       \
    {                                                      \
        offsetof(struct run_result, name), sizeof run.name \
    }
#define GAP_BEFORE(former, name)                                          \
    {                                                                     \
        offsetof(struct run_result, former) + sizeof run.former,          \
            offsetof(struct run_result, name) -                           \
                (offsetof(struct run_result, former) + sizeof run.former) \
    }
static const struct stretch silent[] = {
    MEMBER(node_count),
    MEMBER(bucket_count),
    MEMBER(nodes),
    MEMBER(buckets),
    MEMBER(node_buckets),
    MEMBER(card_use_ratios),
    MEMBER(card_count),
    MEMBER(group_count),
    MEMBER(group_latencies),
    MEMBER(strikes),
    MEMBER(strike_count),
    MEMBER(class_count),
    MEMBER(classes),
    MEMBER(class_buckets),
    MEMBER(source_count),
    MEMBER(sources),
    MEMBER(latencies),
    MEMBER(latency_count),
    MEMBER(unstable), /* bool: looked at below */
    MEMBER(warm_up_sure),
    GAP_BEFORE(unstable, backlog_growth_per_s),
    GAP_BEFORE(card_count, group_count),
    GAP_BEFORE(strike_count, strikes_left_out),
    GAP_BEFORE(class_count, classes),
    GAP_BEFORE(source_count, sources),
    GAP_BEFORE(warm_up_sure, cpu_s),
};

static bool is_silent(size_t offset)
{
    for (size_t i = 0; i < sizeof silent / sizeof *silent; i++)
        if (offset >= silent[i].from &&
            offset < silent[i].from + silent[i].length)
            return true;
    return false;
}

static bool shows(const struct run_result *other)
{
    size_t other_size = 0;
    uint8_t *encoded = run_encode(other, &other_size);
    bool differs =
        !encoded || other_size != size || memcmp(encoded, bytes, size) != 0;

    free(encoded);
    return differs;
}

/* One byte in each double and word will do for the large arrays of measures;
   a step of 3 meets every word. */
static void no_member_is_forgotten(void)
{
    size_t small = offsetof(struct run_result, books);

    for (size_t i = 0; i < sizeof run; i += i < small ? 3 : 1) {
        struct run_result other = run;

        if (is_silent(i))
            continue;
        ((uint8_t *)&other)[i] ^= 0x10;
        if (!shows(&other)) {
            CHECK_UINT(i, SIZE_MAX); /* says which byte */
            break;
        }
    }
    struct run_result other = run;
    other.unstable = false;
    CHECK(shows(&other));
    other = run;
    other.warm_up_sure = false;
    CHECK(shows(&other));
}

static void odd_numbers_keep_their_bits(void)
{
    static const uint64_t odd[] = {
        0x7ff0000000000000u, 0xfff0000000000000u, /* infinities */
        0x7ff8000000000001u, 0xfff4000000000002u, /* not numbers */
        0x8000000000000000u, 0x0000000000000001u, /* -0, the least */
    };
    struct run_result plain = {0}, ret;
    size_t length;

    memcpy(plain.values, odd, sizeof odd);
    uint8_t *encoded = run_encode(&plain, &length);
    CHECK_INT(run_decode(encoded, length, &ret), RUN_DECODE_OK);
    CHECK_SAME(ret.values, odd, sizeof odd);
    CHECK(ret.nodes == NULL && ret.latencies == NULL);
    run_result_done(&ret);
    free(encoded);
}

static enum run_decode_status decode_and_drop(const uint8_t *from,
                                              size_t length)
{
    struct run_result ret;
    enum run_decode_status status = run_decode(from, length, &ret);

    run_result_done(&ret);
    return status;
}

/* A copy of just that length, so that a sanitizer sees who reads beyond. */
static void whatever_is_cut_off_is_missed(void)
{
    for (size_t length = 0; length < size;
         length += length < 200 || length > size - 200 ? 1 : 37) {
        uint8_t *cut = malloc(length + 1);

        CHECK(cut != NULL);
        memcpy(cut, bytes, length);
        CHECK_INT(decode_and_drop(cut, length), RUN_DECODE_DAMAGED);
        free(cut);
    }
    uint8_t *longer = malloc(size + 1);
    memcpy(longer, bytes, size);
    longer[size] = 0;
    CHECK_INT(decode_and_drop(longer, size + 1), RUN_DECODE_DAMAGED);
    free(longer);
}

static void a_bit_that_was_changed_is_noticed(void)
{
    for (size_t i = 0; i < size; i += i < 64 ? 1 : 11) {
        bytes[i] ^= (uint8_t)(1 << (i % 8));
        CHECK_INT(decode_and_drop(bytes, size), RUN_DECODE_DAMAGED);
        bytes[i] ^= (uint8_t)(1 << (i % 8));
    }
    CHECK_INT(decode_and_drop(bytes, size), RUN_DECODE_OK);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"every array comes back", every_array_comes_back},
        {"what is read is written as before",
         what_is_read_is_written_as_before},
        {"totals stay when only they are kept",
         totals_stay_when_only_they_are_kept},
        {"no member is forgotten", no_member_is_forgotten},
        {"odd numbers keep their bits", odd_numbers_keep_their_bits},
        {"whatever is cut off is missed", whatever_is_cut_off_is_missed},
        {"a bit that was changed is noticed",
         a_bit_that_was_changed_is_noticed},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("run codec", NULL, NULL, make_full_run, forget_run, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
