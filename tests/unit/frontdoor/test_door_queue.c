/* The queue at the door: who goes next. */
#include "sim/frontdoor/door_queue.h"

#include "tests/check.h"

static struct request_slab slab;
static struct door_queue queue;
static uint64_t numbers;

static uint32_t make_request(void)
{
    uint32_t index;
    struct request *request = request_slab_take(&slab, &index);

    request->number = numbers++;
    return index;
}

static void no_queue(void)
{
    numbers = 0;
    request_slab_init(&slab, false, 0);
    queue = (struct door_queue){0};
}

static void forget_queue(void)
{
    door_queue_done(&queue);
    request_slab_done(&slab);
}

static void make_queue(const uint32_t *bands, uint32_t flows,
                       uint32_t band_count, enum door_fairness fairness)
{
    CHECK(door_queue_init(&queue, &slab, bands, flows, band_count, fairness));
}

static uint64_t enter(uint32_t flow, uint64_t key)
{
    uint32_t index = make_request();

    CHECK(door_queue_enter(&queue, index, flow, key));
    return index;
}

/* The next one goes. */
static uint64_t take(void)
{
    uint32_t index;

    door_queue_begin_round(&queue);
    index = door_queue_first(&queue);
    if (index != REQUEST_NONE)
        door_queue_leave(&queue, index);
    return index;
}

static void one_flow_is_a_fifo(void)
{
    static const uint32_t bands[] = {0};

    make_queue(bands, 1, 1, DOOR_FAIR_FCFS);
    for (uint64_t i = 0; i < 10; i++)
        CHECK_UINT(enter(0, 0), i);
    CHECK_UINT(queue.count, 10);
    for (uint64_t i = 0; i < 10; i++)
        CHECK_UINT(take(), i);
    CHECK_UINT(take(), REQUEST_NONE);
    CHECK_UINT(queue.count, 0);
}

static void keys_go_before_arrival(void)
{
    static const uint32_t bands[] = {0};
    uint64_t late, soon, same;

    make_queue(bands, 1, 1, DOOR_FAIR_FCFS);
    late = enter(0, 30);
    soon = enter(0, 10);
    same = enter(0, 30);
    CHECK_UINT(take(), soon);
    CHECK_UINT(take(), late);
    CHECK_UINT(take(), same);
}

static void bands_are_strict(void)
{
    static const uint32_t bands[] = {1, 0};
    uint64_t low1, low2, high;

    make_queue(bands, 2, 2, DOOR_FAIR_FCFS);
    low1 = enter(0, 0);
    low2 = enter(0, 0);
    high = enter(1, 0);
    CHECK_UINT(take(), high);
    CHECK_UINT(take(), low1);
    high = enter(1, 0);
    CHECK_UINT(take(), high);
    CHECK_UINT(take(), low2);
}

/* A sends four, then B and C two each: A B C A B C A A. */
static void flows_take_turns(void)
{
    static const uint32_t bands[] = {0, 0, 0};
    uint64_t a[4], b[2], c[2];

    make_queue(bands, 3, 1, DOOR_FAIR_ROUND_ROBIN);
    for (int i = 0; i < 4; i++)
        a[i] = enter(0, 0);
    for (int i = 0; i < 2; i++)
        b[i] = enter(1, 0);
    for (int i = 0; i < 2; i++)
        c[i] = enter(2, 0);
    CHECK_UINT(take(), a[0]);
    CHECK_UINT(take(), b[0]);
    CHECK_UINT(take(), c[0]);
    CHECK_UINT(take(), a[1]);
    CHECK_UINT(take(), b[1]);
    CHECK_UINT(take(), c[1]);
    CHECK_UINT(take(), a[2]);
    CHECK_UINT(take(), a[3]);
}

/* A newcomer does not jump the turn of those who wait for theirs. */
static void newcomer_comes_last_in_turn(void)
{
    static const uint32_t bands[] = {0, 0, 0};
    uint64_t a1, a2, b, c;

    make_queue(bands, 3, 1, DOOR_FAIR_ROUND_ROBIN);
    a1 = enter(0, 0);
    a2 = enter(0, 0);
    b = enter(1, 0);
    CHECK_UINT(take(), a1);
    c = enter(2, 0);
    CHECK_UINT(take(), b);
    CHECK_UINT(take(), a2);
    CHECK_UINT(take(), c);
}

static void fcfs_goes_over_all_flows_of_a_band(void)
{
    static const uint32_t bands[] = {0, 0, 0};
    uint64_t first, second, third, fourth;

    make_queue(bands, 3, 1, DOOR_FAIR_FCFS);
    first = enter(2, 0);
    second = enter(0, 0);
    third = enter(2, 0);
    fourth = enter(1, 0);
    CHECK_UINT(take(), first);
    CHECK_UINT(take(), second);
    CHECK_UINT(take(), third);
    CHECK_UINT(take(), fourth);
}

/* What is blocked stays first in its flow and waits for another round. */
static void blocked_flow_does_not_stop_others(void)
{
    static const uint32_t bands[] = {0, 0, 1};
    uint64_t blocked, other, low;

    make_queue(bands, 3, 2, DOOR_FAIR_FCFS);
    blocked = enter(0, 0);
    enter(0, 0);
    other = enter(1, 0);
    low = enter(2, 0);
    door_queue_begin_round(&queue);
    CHECK_UINT(door_queue_first(&queue), blocked);
    door_queue_block(&queue, (uint32_t)blocked);
    CHECK_UINT(door_queue_first(&queue), other);
    door_queue_block(&queue, (uint32_t)other);
    CHECK_UINT(door_queue_first(&queue), low);
    door_queue_block(&queue, (uint32_t)low);
    CHECK_UINT(door_queue_first(&queue), REQUEST_NONE);
    CHECK_UINT(take(), blocked);
}

static void blocked_band_stops_all_of_it(void)
{
    static const uint32_t bands[] = {0, 0, 1};
    uint64_t first, low;

    make_queue(bands, 3, 2, DOOR_FAIR_ROUND_ROBIN);
    first = enter(0, 0);
    enter(1, 0);
    low = enter(2, 0);
    door_queue_begin_round(&queue);
    CHECK_UINT(door_queue_first(&queue), first);
    door_queue_block_band(&queue, (uint32_t)first);
    CHECK_UINT(door_queue_first(&queue), low);
    CHECK_UINT(take(), first);
}

static void anyone_may_leave(void)
{
    static const uint32_t bands[] = {0, 0};
    uint64_t a1, a2, a3, b;

    make_queue(bands, 2, 1, DOOR_FAIR_ROUND_ROBIN);
    a1 = enter(0, 0);
    a2 = enter(0, 0);
    a3 = enter(0, 0);
    b = enter(1, 0);
    door_queue_leave(&queue, (uint32_t)a2);
    CHECK_UINT(queue.count, 3);
    door_queue_leave(&queue, (uint32_t)b);
    CHECK(door_queue_flow_is_empty(&queue, 1));
    CHECK_UINT(take(), a1);
    CHECK_UINT(door_queue_any(&queue), a3);
    CHECK_UINT(take(), a3);
    CHECK_UINT(door_queue_any(&queue), REQUEST_NONE);
}

static void shows_who_waits(void)
{
    static const uint32_t bands[] = {0, 0};
    const struct heap_entry *entries;
    uint32_t count;
    uint64_t only;

    make_queue(bands, 2, 1, DOOR_FAIR_FCFS);
    only = enter(1, 7);
    door_queue_requests(&queue, 0, &count);
    CHECK_UINT(count, 0);
    entries = door_queue_requests(&queue, 1, &count);
    CHECK_UINT(count, 1);
    CHECK_UINT(entries[0].request, only);
    CHECK_UINT(entries[0].key, 7);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"one flow is a FIFO", one_flow_is_a_fifo},
        {"keys go before arrival", keys_go_before_arrival},
        {"bands are strict", bands_are_strict},
        {"flows take turns", flows_take_turns},
        {"a newcomer comes last in turn", newcomer_comes_last_in_turn},
        {"FCFS goes over all flows", fcfs_goes_over_all_flows_of_a_band},
        {"a blocked flow stops no other", blocked_flow_does_not_stop_others},
        {"a blocked band stops all of it", blocked_band_stops_all_of_it},
        {"anyone may leave", anyone_may_leave},
        {"shows who waits", shows_who_waits},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("door_queue", NULL, NULL, no_queue, forget_queue, tests),
        CU_SUITE_INFO_NULL,
    };

    return check_main(argc, argv, suites);
}
