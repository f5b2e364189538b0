/* Slots with ordered and limited queues, cards, and a speed that varies. */
#include "tests/unit/cluster/engine_world.h"

/* Three classes; the last is urgent, and has the shortest time. */
static const struct workload_class classes[] = {
    {.priority = 0, .deadline_ns = INT64_MAX},
    {.priority = 1, .deadline_ns = 50 * MS},
    {.priority = 5, .deadline_ns = 10 * MS}};

/* As arrive, of a class, into the queue. */
static uint32_t wait_in_class(uint8_t request_class, double need_ms,
                              double at_ms)
{
    uint32_t index;
    struct request *request = request_slab_take(&slab, &index);

    *request = (struct request){.epoch = request->epoch,
                                .number = arrivals++,
                                .need = need_ms * 1e-3,
                                .taken_for = request_class,
                                .arrived_at_ns = (int64_t)(at_ms * 1e6)};
    CHECK_INT(
        node_accept(&node, &world, request, index, (int64_t)(at_ms * 1e6)),
        NODE_QUEUED);
    return index;
}

static void ordered(enum queue_order order)
{
    spec.engine.order = order;
    make_node();
}

static void shortest_is_served_first(void)
{
    uint32_t a, b, c, d;

    ordered(QUEUE_SJF);
    a = arrive(5, 0, NODE_STARTED);
    b = arrive(4, 1, NODE_QUEUED);
    c = arrive(2, 2, NODE_QUEUED);
    d = arrive(4, 3, NODE_QUEUED);
    ends(a, 5);
    ends(c, 7);
    ends(b, 11);
    ends(d, 15);
    CHECK(is_quiet());
}

/* What is predicted is the need without noise: 2, whatever 8 it will be. */
static void prediction_sees_no_noise(void)
{
    uint32_t a, b, c;

    ordered(QUEUE_SJF);
    a = arrive(5, 0, NODE_STARTED);
    b = arrive(4, 1, NODE_QUEUED);
    {
        struct request *request = request_slab_take(&slab, &c);

        *request = (struct request){
            .epoch = request->epoch, .number = arrivals++, .need = 8e-3};
        request_work_at(&slab, c)->bare_need = 2e-3;
        CHECK_INT(node_accept(&node, &world, request, c, 3 * MS), NODE_QUEUED);
    }
    ends(a, 5);
    ends(c, 13);
    ends(b, 17);
}

/* All have the same time from their arrival, so b, held up on its way (it
   comes last but arrived first), is due first. */
static void earliest_deadline_is_served_first(void)
{
    uint32_t a, b, c;

    world.deadline_after_ns = 100 * MS;
    ordered(QUEUE_EDF);
    a = arrive(5, 2, NODE_STARTED);
    c = arrive(1, 3, NODE_QUEUED);
    b = arrive(1, 1, NODE_QUEUED);
    ends(a, 7);
    ends(b, 8);
    ends(c, 9);
}

/* Nothing tells them apart but their numbers. */
static void equals_are_served_by_arrival(void)
{
    uint32_t a, b, c;

    ordered(QUEUE_PRIORITY);
    a = arrive(5, 0, NODE_STARTED);
    b = arrive(3, 1, NODE_QUEUED);
    c = arrive(1, 2, NODE_QUEUED);
    ends(a, 5);
    ends(b, 8);
    ends(c, 9);
}

static void most_urgent_is_served_first(void)
{
    uint32_t a, b, c, d, e;

    world.classes = classes;
    ordered(QUEUE_PRIORITY);
    a = arrive(5, 0, NODE_STARTED);
    b = wait_in_class(0, 1, 1);
    c = wait_in_class(1, 1, 1);
    d = wait_in_class(2, 1, 2);
    e = wait_in_class(1, 1, 3);
    ends(a, 5);
    ends(d, 6);
    ends(c, 7);
    ends(e, 8);
    ends(b, 9);
}

/* Due at 11 + 50 = 61 (b), 20 + 10 = 30 (c), 15 + 50 = 65 (d), never, but for
   the time-out, at 100 + 1 (e). */
static void class_and_time_out_make_the_deadline(void)
{
    uint32_t a, b, c, d, e;

    world.classes = classes;
    world.deadline_after_ns = 100 * MS;
    ordered(QUEUE_EDF);
    a = arrive(30, 0, NODE_STARTED);
    e = wait_in_class(0, 1, 1);
    b = wait_in_class(1, 1, 11);
    d = wait_in_class(1, 1, 15);
    c = wait_in_class(2, 1, 20);
    ends(a, 30);
    ends(c, 31);
    ends(b, 32);
    ends(d, 33);
    ends(e, 34);
}

/* Steps of 10. At 40: b is worth 0 + 3, f too, c 1 + 2, d 5: d. At 41: b 4, f
   3, c 3: b. At 46: f 4, c 4, e 5: e. At 52: f 5, c 4: f. */
static void waiting_makes_urgent(void)
{
    uint32_t a, b, c, d, e, f;

    world.classes = classes;
    spec.engine.aging_ns = 10 * MS;
    ordered(QUEUE_PRIORITY);
    a = arrive(40, 0, NODE_STARTED);
    b = wait_in_class(0, 5, 1);
    f = wait_in_class(0, 1, 2);
    c = wait_in_class(1, 1, 15);
    d = wait_in_class(2, 1, 39);
    ends(a, 40);
    ends(d, 41);
    e = wait_in_class(2, 6, 45.5);
    ends(b, 46);
    ends(e, 52);
    cancel(wait_in_class(1, 1, 52), 52.5);
    ends(f, 53);
    ends(c, 54);
    CHECK(is_quiet());
}

/* 2.5 steps make 2 of priority 0, as much as 1.9 of priority 1: whole steps
   count, and equals are served by arrival. */
static void aging_counts_whole_steps(void)
{
    uint32_t a, b, c;

    world.classes = classes;
    spec.engine.aging_ns = 10 * MS;
    ordered(QUEUE_PRIORITY);
    a = arrive(25, 0, NODE_STARTED);
    b = wait_in_class(0, 1, 0);
    c = wait_in_class(1, 1, 6);
    ends(a, 25);
    ends(b, 26);
    ends(c, 27);
}

static void waiting_ones_are_cancelled_anywhere(void)
{
    uint32_t waiting[8], running;

    ordered(QUEUE_SJF);
    running = arrive(10, 0, NODE_STARTED);
    for (int i = 0; i < 8; i++)
        waiting[i] = arrive((i * 5) % 8 + 1, 0, NODE_QUEUED);
    cancel(waiting[0], 1); /* 1 */
    cancel(waiting[4], 1); /* 5 */
    cancel(waiting[3], 1); /* 8 */
    ends(running, 10);
    ends(waiting[5], 12); /* 2 */
    ends(waiting[2], 15); /* 3 */
    ends(waiting[7], 19); /* 4 */
    ends(waiting[1], 25); /* 6 */
    ends(waiting[6], 32); /* 7 */
    CHECK(is_quiet());
}

static void full_node_refuses(void)
{
    uint32_t a, b;

    spec.engine.limits_queue = true;
    spec.engine.queue_limit = 1;
    make_node();
    a = arrive(5, 0, NODE_STARTED);
    b = arrive(5, 0, NODE_QUEUED);
    arrive(5, 1, NODE_FULL);
    ends(a, 5);
    arrive(5, 6, NODE_QUEUED);
    arrive(5, 6, NODE_FULL);
    cancel(b, 7);
    arrive(5, 7, NODE_QUEUED);
}

static void no_waiting_room_at_all(void)
{
    spec.engine.limits_queue = true;
    make_node();
    arrive(5, 0, NODE_STARTED);
    arrive(5, 0, NODE_FULL);
}

/* Twice as slow at 2: 3 ms are left and take 6. */
static void speed_changes_what_is_left(void)
{
    uint32_t a, b;

    spec.engine.slots = 2;
    spec.engine.speed_varies = true;
    make_node();
    a = arrive(5, 0, NODE_STARTED);
    b = arrive(2, 1, NODE_STARTED);
    node_change_speed(&node, &world, 0, 0.5, 2 * MS);
    ends(b, 4);
    b = arrive(1, 5, NODE_STARTED);
    ends(b, 7);
    ends(a, 8);
    CHECK(is_quiet());
}

/* base 1 and 1 an output token, 4 of them: first token after 1 of 5. At 2,
   after it, nothing of it moves; for b, whose first would come at 2.5, it
   comes after 2 + 0.5 * 2 = 3. */
static void first_token_moves_with_the_speed(void)
{
    uint32_t index[2];

    spec.engine.slots = 2;
    spec.engine.speed_varies = true;
    spec.engine.service = (struct service_spec){true, 1e-3, 0, 1e-3};
    make_node();
    for (int i = 0; i < 2; i++) {
        struct request *request = request_slab_take(&slab, &index[i]);

        *request = (struct request){
            .need = 1, .flags = REQUEST_TOKENS, .output_tokens = 4};
        node_accept(&node, &world, request, index[i], i * 3 * MS / 2);
    }
    node_change_speed(&node, &world, 0, 0.5, 2 * MS);
    CHECK_INT(node_first_token_at_ns(&node, &slab, request_at(&slab, index[0]),
                                     index[0]),
              MS);
    CHECK_INT(node_first_token_at_ns(&node, &slab, request_at(&slab, index[1]),
                                     index[1]),
              3 * MS);
    ends(index[0], 8);
    ends(index[1], 11);
}

/* Five slots on two cards: three and two. One request: a third of card 0; the
   next goes to card 1 (0 of 2), the third to card 0 (1/3 against 1/2). */
static void cards_share_the_slots(void)
{
    uint32_t a, b, c;

    spec.engine.slots = 5;
    spec.cards = 2;
    make_node();
    a = arrive(4, 0, NODE_STARTED);
    b = arrive(6, 0, NODE_STARTED);
    c = arrive(4, 1, NODE_STARTED);
    CHECK_UINT(request_work_at(&slab, a)->card, 0);
    CHECK_UINT(request_work_at(&slab, b)->card, 1);
    CHECK_UINT(request_work_at(&slab, c)->card, 0);
    ends(a, 4);
    ends(c, 5);
    ends(b, 6);
    CHECK_UINT(cards_busy(&node.cards, 0, 10 * MS), (uint64_t)(8 * MS));
    CHECK_UINT(cards_busy(&node.cards, 1, 10 * MS), (uint64_t)(6 * MS));
}

/* Full, the one that ends leaves its card to the next. */
static void next_one_takes_the_free_card(void)
{
    uint32_t a, c;

    spec.engine.slots = 2;
    spec.cards = 2;
    make_node();
    arrive(9, 0, NODE_STARTED);
    a = arrive(4, 0, NODE_STARTED);
    c = arrive(4, 0, NODE_QUEUED);
    ends(a, 4);
    CHECK_UINT(request_work_at(&slab, c)->card, 1);
    node_die(&node, &world, 0, 6 * MS);
    CHECK_UINT(cards_busy(&node.cards, 0, 10 * MS), (uint64_t)(6 * MS));
    CHECK_UINT(cards_busy(&node.cards, 1, 10 * MS), (uint64_t)(6 * MS));
}

static void death_empties_an_ordered_queue(void)
{
    uint32_t a, b, c;

    ordered(QUEUE_SJF);
    a = arrive(5, 0, NODE_STARTED);
    b = arrive(4, 0, NODE_QUEUED);
    c = arrive(2, 0, NODE_QUEUED);
    CHECK_UINT(node_die(&node, &world, 0, MS), a);
    CHECK_UINT(request_at(&slab, a)->next, c); /* in order of service */
    CHECK_UINT(request_at(&slab, c)->next, b);
    CHECK(is_quiet());
}

int main(int argc, char **argv)
{
    CU_TestInfo queue[] = {
        {"the shortest is served first", shortest_is_served_first},
        {"the prediction sees no noise", prediction_sees_no_noise},
        {"the earliest deadline is served first",
         earliest_deadline_is_served_first},
        {"equals are served by arrival", equals_are_served_by_arrival},
        {"the most urgent is served first", most_urgent_is_served_first},
        {"class and time-out make the deadline",
         class_and_time_out_make_the_deadline},
        {"waiting makes urgent", waiting_makes_urgent},
        {"aging counts whole steps", aging_counts_whole_steps},
        {"waiting ones are cancelled anywhere",
         waiting_ones_are_cancelled_anywhere},
        {"a full node refuses", full_node_refuses},
        {"no waiting room at all", no_waiting_room_at_all},
        {"death empties an ordered queue", death_empties_an_ordered_queue},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo others[] = {
        {"speed changes what is left", speed_changes_what_is_left},
        {"the first token moves with the speed",
         first_token_moves_with_the_speed},
        {"cards share the slots", cards_share_the_slots},
        {"the next one takes the free card", next_one_takes_the_free_card},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("slots queue", NULL, NULL, world_begin, world_end, queue),
        SUITE("slots speed and cards", NULL, NULL, world_begin, world_end,
              others),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
