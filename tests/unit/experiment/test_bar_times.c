/*
 * Times for which nodes are left out, against sums that can be done in one's
 * head: a window from 60 to 120 s in buckets of half a second.
 */
#include "sim/experiment/bar_times.h"

#include "tests/unit/experiment/recorder_world.h"

enum { FIRST = 1, SECOND = 2 }; /* bars */

static struct arena arena;
static struct bar_times times;

static void prepare_times(void)
{
    prepare();
    start_at(60 * S);
    CHECK(bar_times_init(&times, 1, NODES, recorder.bucket_count, &arena));
}

static void forget_times(void)
{
    forget();
    arena_done(&arena);
    arena = (struct arena){0};
}

static void change(uint32_t node, uint16_t bar, bool down, int64_t now_ns)
{
    bar_times_change(&times, &recorder, 0, node, bar, down, now_ns);
}

static double mean_at_the_end(void)
{
    finish();
    return bar_times_finish(&times, &recorder, 130 * S, &result);
}

static void part_in_the_window_counts(void)
{
    change(0, FIRST, true, 50 * S);
    change(0, FIRST, false, 75 * S);
    change(1, FIRST, true, 110 * S); /* to the end and beyond */
    CHECK_NEAR(mean_at_the_end(), (15 + 10) / 120.0, 1e-12);
    CHECK_NEAR(result.nodes[0].ejected_ratio, 0.25, 1e-12);
    CHECK_NEAR(result.nodes[1].ejected_ratio, 10 / 60.0, 1e-12);
}

static void what_is_over_before_it_does_not(void)
{
    change(0, FIRST, true, 50 * S);
    change(0, FIRST, false, 59 * S);
    change(1, FIRST, true, 121 * S);
    CHECK_NEAR(mean_at_the_end(), 0, 0);
}

/* From 60.25 to 62 s: half of bucket 0, buckets 1 to 3, nothing of 4. */
static void buckets_get_their_parts(void)
{
    static const double parts[] = {0.5, 1, 1, 1, 0};

    change(1, FIRST, true, 60 * S + S / 4);
    change(1, FIRST, false, 62 * S);
    mean_at_the_end();
    for (uint32_t b = 0; b < 5; b++) {
        CHECK_NEAR(result.node_buckets[b * NODES + 1].ejected_ratio, parts[b],
                   1e-9);
        CHECK_NEAR(result.node_buckets[b * NODES].ejected_ratio, 0, 0);
    }
}

/* Two mechanisms have it out from 70 to 80 and from 75 to 90 s: 20 s. */
static void two_bars_count_once(void)
{
    change(0, FIRST, true, 70 * S);
    change(0, SECOND, true, 75 * S);
    change(0, FIRST, false, 80 * S);
    change(0, FIRST, false, 85 * S); /* it is lifted already */
    change(0, SECOND, false, 90 * S);
    mean_at_the_end();
    CHECK_NEAR(result.nodes[0].ejected_ratio, 20 / 60.0, 1e-12);
}

/* One of two balancers leaves a node out for 30 s, the other never. */
static void balancers_are_averaged(void)
{
    CHECK(bar_times_init(&times, 2, NODES, recorder.bucket_count, &arena));
    bar_times_change(&times, &recorder, 1, 0, FIRST, true, 60 * S);
    bar_times_change(&times, &recorder, 1, 0, FIRST, false, 90 * S);
    mean_at_the_end();
    CHECK_NEAR(result.nodes[0].ejected_ratio, 0.25, 1e-12);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"the part in the window counts", part_in_the_window_counts},
        {"what is over before it does not", what_is_over_before_it_does_not},
        {"buckets get their parts", buckets_get_their_parts},
        {"two bars count once", two_bars_count_once},
        {"balancers are averaged", balancers_are_averaged},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("bar_times", NULL, NULL, prepare_times, forget_times, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
