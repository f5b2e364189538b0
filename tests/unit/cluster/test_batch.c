/*
 * Static batches, worked out by hand: base + per_input_token * n * longest
 * prompt + per_output_token * longest answer. Here base 1 ms, 0.01 ms a token
 * of a prompt, 0.1 ms a token of an answer, batches of 3 at most, which wait
 * 20 ms to be filled.
 */
#include "tests/unit/cluster/engine_world.h"

#include "sim/cluster/batch.h"

static void batch_node(void)
{
    world_begin();
    spec.engine.kind = ENGINE_BATCH;
    spec.engine.batch =
        (struct batch_rule){.size = 3, .order = BATCH_ASCENDING, .patience = 3};
    spec.engine.batch_max_wait_ns = 20 * MS;
    spec.engine.service = (struct service_spec){true, 1e-3, 1e-5, 1e-4};
    make_node();
}

/* A request with tokens comes in at that ms. */
static uint32_t ask(uint32_t input, uint32_t output, double at_ms,
                    enum node_answer expected)
{
    uint32_t index;
    struct request *request = request_slab_take(&slab, &index);

    *request = (struct request){.epoch = request->epoch,
                                .number = arrivals++,
                                .need = 1,
                                .flags = REQUEST_TOKENS,
                                .input_tokens = input,
                                .output_tokens = output,
                                .arrived_at_ns = (int64_t)(at_ms * 1e6)};
    CHECK_INT(
        node_accept(&node, &world, request, index, (int64_t)(at_ms * 1e6)),
        expected);
    return index;
}

/* The first event, at that ms, starts a batch. */
static void starts(double at_ms)
{
    struct event_key first = event_tree_first(&tree);

    CHECK_UINT(tree.subjects[event_leaf_of(first)], NODE_TIMER);
    CHECK_INT(event_rank_of(first), RANK_TIMER);
    CHECK_NEAR((double)first.time_ns, at_ms * 1e6, 0.6);
    node_timer(&node, &world, (int64_t)first.time_ns);
}

/* Full at 4: 3 rows of 300 are 9, answers of 50 are 5, and 1: 15. All end at
   19, in order of their length. */
static void full_batch_starts_at_once(void)
{
    uint32_t a = ask(300, 10, 0, NODE_QUEUED);
    uint32_t b = ask(100, 50, 2, NODE_QUEUED);
    uint32_t c = ask(200, 20, 4, NODE_STARTED);

    CHECK_UINT(node.running, 3);
    CHECK_INT(request_at(&slab, a)->started_at_ns, 4 * MS);
    CHECK_INT(node_first_token_at_ns(&node, &slab, request_at(&slab, b), b),
              14 * MS);
    ends(b, 19);
    ends(c, 19);
    ends(a, 19);
    CHECK(is_quiet());
}

/* The oldest has waited 20: 2 rows of 200 are 4, answers of 10 are 1. */
static void oldest_does_not_wait_for_ever(void)
{
    uint32_t a = ask(100, 10, 1, NODE_QUEUED);
    uint32_t b = ask(200, 10, 15, NODE_QUEUED);

    starts(21);
    ends(a, 27);
    ends(b, 27);
    CHECK(is_quiet());
}

/* One alone takes what it takes on a node of slots: 1 + 1 + 1. */
static void one_alone_is_not_padded(void)
{
    spec.engine.batch_max_wait_ns = 0;
    make_node();
    ask(100, 10, 5, NODE_QUEUED);
    starts(5);
    ends(0, 8);
    CHECK(is_quiet());
}

/* While a batch runs the others wait, whatever the clock says: b of 4, c and d
   of 6. They start together when a ends at 24, for b has waited 20 by then. */
static void who_comes_later_waits(void)
{
    uint32_t a, b, c;

    a = ask(100, 20, 0, NODE_QUEUED);
    starts(20);
    b = ask(100, 10, 4, NODE_QUEUED);
    c = ask(100, 10, 22, NODE_QUEUED);
    CHECK_UINT(node.queued, 2);
    ends(a, 24);
    starts(24);
    ends(b, 28);
    ends(c, 28);
    CHECK(is_quiet());
}

/* The next batch is full when a ends at 23: no event in between. */
static void next_batch_follows_at_once(void)
{
    uint32_t first = ask(100, 10, 0, NODE_QUEUED), next[3];

    starts(20);
    for (int i = 0; i < 3; i++)
        next[i] = ask(100, 10, 21, NODE_QUEUED);
    ends(first, 23);
    CHECK_UINT(node.running, 3);
    for (int i = 0; i < 3; i++)
        ends(next[i], 28);
    CHECK(is_quiet());
}

/* b leaves while it waits; d leaves a row of the running batch empty, which
   takes as long: 3 rows of 100, answers of 10: 1 + 3 + 1. */
static void cancelled_ones_leave(void)
{
    uint32_t a = ask(100, 10, 0, NODE_QUEUED);
    uint32_t b = ask(100, 10, 1, NODE_QUEUED);
    uint32_t c, d;

    cancel(b, 2);
    c = ask(100, 10, 3, NODE_QUEUED);
    d = ask(100, 10, 4, NODE_STARTED);
    cancel(d, 5);
    ends(a, 9);
    ends(c, 9);
    CHECK(is_quiet());
    a = ask(100, 10, 50, NODE_QUEUED);
    cancel(a, 51);
    CHECK(is_quiet());
}

/* When the oldest leaves, the time of the next oldest counts; when the last of
   a batch leaves, the next batch may start. */
static void cancelling_moves_what_comes_next(void)
{
    uint32_t a = ask(100, 10, 0, NODE_QUEUED);
    uint32_t b = ask(100, 10, 10, NODE_QUEUED);
    uint32_t c;

    cancel(a, 12);
    starts(30);
    c = ask(100, 10, 31, NODE_QUEUED);
    cancel(b, 32);
    CHECK_UINT(node.running, 0);
    starts(51);
    ends(c, 54);
    CHECK(is_quiet());
}

/* Ten lengths, all there when the node falls free; only padded tokens cost,
   0.01 ms each. */
static void take_ten(enum batch_order order, double ratio, double ms)
{
    static const uint32_t lengths[] = {512, 32, 480, 40,   64,
                                       500, 36, 48,  1000, 30};
    uint32_t blocker;

    spec.engine.service = (struct service_spec){true, 0, 1e-5, 0};
    spec.engine.batch = (struct batch_rule){8, order, ratio, 3};
    spec.engine.batch_max_wait_ns = 0;
    make_node();
    blocker = ask(100, 0, 0, NODE_QUEUED);
    starts(0);
    for (int i = 0; i < 10; i++)
        ask(lengths[i], 0, 0.5, NODE_QUEUED);
    ends(blocker, 1);
    while (!is_quiet()) {
        struct event_key first = event_tree_first(&tree);
        uint32_t subject = tree.subjects[event_leaf_of(first)];

        if (subject == NODE_TIMER)
            node_timer(&node, &world, (int64_t)first.time_ns);
        else
            ends(subject, (double)first.time_ns * 1e-6);
    }
    CHECK_NEAR((double)node.meter.busy * 1e-6, 1 + ms, 1e-5);
}

static void padded_time_is_that_of_the_specification(void)
{
    take_ten(BATCH_ASCENDING, 0, 60.00);
    take_ten(BATCH_ARRIVAL, 0, 60.96);
    take_ten(BATCH_DESCENDING, 0, 80.64);
    take_ten(BATCH_ASCENDING, 4, 43.84);
}

/* Batches of one, the shortest first: the one of 900 is passed over three
   times, then goes before shorter ones. */
static void nobody_is_passed_over_for_ever(void)
{
    uint32_t at = 0, shorter, longest;

    spec.engine.batch.size = 1;
    make_node();
    shorter = ask(100, 0, 0, NODE_STARTED); /* takes 2 ms */
    longest = ask(900, 0, 0, NODE_QUEUED);
    for (int i = 0; i < 3; i++) {
        uint32_t next = ask(100, 0, at + 1, NODE_QUEUED);

        ends(shorter, at += 2);
        shorter = next;
        CHECK_UINT(request_at(&slab, longest)->state, REQUEST_QUEUED);
    }
    ask(100, 0, at + 1, NODE_QUEUED);
    ends(shorter, at + 2);
    CHECK_UINT(request_at(&slab, longest)->state, REQUEST_RUNNING);
}

/* The factor is on a request's own parts: 2 * 100 is the longest prompt, 3 * 30
   the longest answer, 3 the largest base: 3 + 2 * 2 + 9. */
static void noise_is_of_a_request(void)
{
    uint32_t a = ask(100, 10, 0, NODE_QUEUED);
    uint32_t b = ask(50, 30, 0, NODE_QUEUED);

    request_at(&slab, a)->need = 2;
    request_at(&slab, b)->need = 3;
    starts(20);
    ends(b, 36);
    ends(a, 36);
}

/* Plain work of 7 and 4: the longest. */
static void plain_work_takes_the_longest(void)
{
    uint32_t a, b;

    spec.engine.speed = 2;
    make_node();
    a = arrive(14, 0, NODE_QUEUED);
    b = arrive(8, 0, NODE_QUEUED);
    starts(20);
    ends(a, 27);
    ends(b, 27);
}

static void first_token(uint32_t index, double at_ms)
{
    struct event_key first = event_tree_first(&tree);
    struct request *request = request_at(&slab, index);

    CHECK_UINT(tree.subjects[event_leaf_of(first)], index);
    CHECK_NEAR((double)first.time_ns, at_ms * 1e6, 0.6);
    CHECK(request->flags & REQUEST_FIRST_TOKEN);
    node_first_token(&node, &world, request, index, (int64_t)first.time_ns);
}

/* 1 + 2 * 1 and 1 for the answers: first tokens at 23, ends at 24. */
static void first_tokens_have_events(void)
{
    uint32_t a, b;

    world.first_token_events = true;
    a = ask(100, 10, 0, NODE_QUEUED);
    b = ask(100, 10, 0, NODE_QUEUED);
    starts(20);
    first_token(a, 23);
    first_token(b, 23);
    ends(a, 24);
    ends(b, 24);
    CHECK(is_quiet());
}

/* 1 + 3 + 1 from 0; after 2 half as fast: 3 more take 6. */
static void speed_changes_what_is_left(void)
{
    uint32_t a[3];

    spec.engine.speed_varies = true;
    make_node();
    for (int i = 0; i < 3; i++)
        a[i] = ask(100, 10, 0, i < 2 ? NODE_QUEUED : NODE_STARTED);
    node_change_speed(&node, &world, 0, 0.5, 2 * MS);
    CHECK_INT(
        node_first_token_at_ns(&node, &slab, request_at(&slab, a[0]), a[0]),
        6 * MS);
    for (int i = 0; i < 3; i++)
        ends(a[i], 8);
    a[0] = ask(100, 10, 10, NODE_QUEUED);
    node_change_speed(&node, &world, 0, 2, 11 * MS);
    starts(30);
    ends(a[0], 33);
}

static void death_loses_all_inside(void)
{
    uint32_t a[5];

    for (int i = 0; i < 5; i++)
        a[i] = ask(100, 10, 0, i == 2 ? NODE_STARTED : NODE_QUEUED);
    CHECK_UINT(node_die(&node, &world, 0, MS), a[0]);
    for (int i = 0; i < 5; i++)
        CHECK_UINT(request_at(&slab, a[i])->next,
                   i < 4 ? a[i + 1] : REQUEST_NONE);
    CHECK(is_quiet());
    node_restart(&node, 2 * MS);
    ask(100, 10, 3, NODE_QUEUED);
    CHECK(node_die(&node, &world, 0, 4 * MS) != REQUEST_NONE);
    CHECK(is_quiet());
}

/* A limit of 1: on an idle node a batch collects all the same. */
static void full_node_refuses(void)
{
    spec.engine.limits_queue = true;
    spec.engine.queue_limit = 1;
    make_node();
    ask(100, 10, 0, NODE_QUEUED);
    ask(100, 10, 0, NODE_QUEUED);
    ask(100, 10, 0, NODE_STARTED);
    ask(100, 10, 1, NODE_QUEUED);
    ask(100, 10, 1, NODE_FULL);
}

/* Busy or idle, however many there are: from 20 to 24 of two. */
static void busy_time_is_that_of_the_batch(void)
{
    struct node_reading read;
    uint32_t a = ask(100, 10, 0, NODE_QUEUED);
    uint32_t b = ask(100, 10, 0, NODE_QUEUED);

    CHECK_NEAR(node_gpu_use(&node), 0, 0);
    starts(20);
    CHECK_NEAR(node_gpu_use(&node), 1, 0);
    ends(a, 24);
    CHECK_NEAR(node_gpu_use(&node), 1, 0);
    ends(b, 24);
    node_read(&node, 30 * MS, &read);
    CHECK_UINT(read.busy, (uint64_t)(4 * MS));
    CHECK_UINT(read.queued, (uint64_t)(40 * MS));
}

/* More than are looked at: the rest waits for its turn. */
static void long_queues_are_served_whole(void)
{
    uint32_t served = 0;

    ask(100, 0, 0, NODE_QUEUED);
    starts(20);
    for (uint32_t i = 0; i < 3 * BATCH_LOOK; i++)
        ask(i % 7, 0, 20, NODE_QUEUED);
    while (!is_quiet()) {
        struct event_key first = event_tree_first(&tree);
        uint32_t subject = tree.subjects[event_leaf_of(first)];

        if (subject == NODE_TIMER) {
            node_timer(&node, &world, (int64_t)first.time_ns);
            continue;
        }
        ends(subject, (double)first.time_ns * 1e-6);
        served++;
    }
    CHECK_UINT(served, 3 * BATCH_LOOK + 1);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"a full batch starts at once", full_batch_starts_at_once},
        {"the oldest does not wait for ever", oldest_does_not_wait_for_ever},
        {"one alone is not padded", one_alone_is_not_padded},
        {"who comes later waits", who_comes_later_waits},
        {"the next batch follows at once", next_batch_follows_at_once},
        {"cancelled ones leave", cancelled_ones_leave},
        {"cancelling moves what comes next", cancelling_moves_what_comes_next},
        {"padded time is that of the specification",
         padded_time_is_that_of_the_specification},
        {"nobody is passed over for ever", nobody_is_passed_over_for_ever},
        {"noise is of a request", noise_is_of_a_request},
        {"plain work takes the longest", plain_work_takes_the_longest},
        {"first tokens have events", first_tokens_have_events},
        {"speed changes what is left", speed_changes_what_is_left},
        {"death loses all inside", death_loses_all_inside},
        {"a full node refuses", full_node_refuses},
        {"busy time is that of the batch", busy_time_is_that_of_the_batch},
        {"long queues are served whole", long_queues_are_served_whole},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("batch", NULL, NULL, batch_node, world_end, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
