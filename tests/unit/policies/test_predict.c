/* Predict: its known answer, least work left on a trace worked out by hand,
   what it learns, and what it does without hints. */
#include "tests/unit/policies/world.h"

#include "tests/check.h"

#define S INT64_C(1000000000) /* one second */

static struct world *world;

static void forget(void)
{
    world_destroy(world);
}

static void tell_speed(uint32_t slot, uint32_t slots, double speed)
{
    world->nodes[slot].slots = slots;
    world->nodes[slot].speed = speed;
}

/* Sends a request of known work to a slot. */
static void occupy(uint32_t slot, double work_s)
{
    world->work_hint_ns = (int64_t)(work_s * S);
    world_send(world, slot);
    world->work_hint_ns = 0;
}

/* The known answer of the specification: 1,200 in and 300 out, node A reads
   8,000 tokens/s, takes 12 ms each to write and has 0.5 s to wait: 4.25 s.
   Node B reads 2,000/s, takes 30 ms and is idle: 9.6 s. */
static void known_answer(void)
{
    struct lbp_score scores[2];
    struct lbp_explanation told = {.capacity = 2, .scores = scores};

    world = world_create(2);
    tell_speed(0, 1, 1);
    tell_speed(1, 1, 1);
    world->nodes[0].prefill_per_s = 8000;
    world->nodes[0].decode_per_s = 1 / 0.012;
    world->nodes[1].prefill_per_s = 2000;
    world->nodes[1].decode_per_s = 1 / 0.03;
    world_start_named(world, "predict", "");
    occupy(0, 0.5);
    world->input_tokens = 1200;
    world->output_hint = 300;
    CHECK_UINT(world_ask(world, &told), 0);
    CHECK_UINT(told.count, 2);
    CHECK_NEAR(scores[0].score, 4.25, 1e-9);
    CHECK_NEAR(scores[0].terms[0], 0.5, 1e-9);
    CHECK_NEAR(scores[0].terms[1], 3.75, 1e-9);
    CHECK_NEAR(scores[1].score, 9.6, 1e-9);
    CHECK_INT(told.expected_ns, 4250000000);
}

/* Least work left on three nodes with true sizes: arrivals, sizes and nodes
   worked out twice by the reference values (oracle case lwl_trace_n3). */
static void least_work_left_on_twelve_jobs(void)
{
    static const struct {
        int64_t at, size, finish;
        uint32_t node;
    } jobs[] = {
        {0, 9, 9, 0},  {1, 4, 5, 1},  {2, 7, 9, 2},   {3, 2, 7, 1},
        {3, 5, 12, 1}, {5, 1, 10, 0}, {6, 6, 15, 2},  {8, 3, 13, 0},
        {8, 8, 20, 1}, {9, 2, 15, 0}, {12, 1, 16, 0}, {13, 4, 19, 2},
    };
    uint32_t next[3] = {0};

    world = world_create(3);
    for (uint32_t i = 0; i < 3; i++)
        tell_speed(i, 1, 1);
    world_start_named(world, "predict", "oracle=true");
    for (uint32_t i = 0; i < 12; i++) {
        for (uint32_t node = 0; node < 3; node++)
            for (uint32_t *j = &next[node]; *j < i; ++*j) {
                if (jobs[*j].node != node)
                    continue;
                if (jobs[*j].finish > jobs[i].at)
                    break;
                world->view.now_ns = jobs[*j].finish * S;
                world_finish(world, node, LBP_OK);
            }
        world->view.now_ns = jobs[i].at * S;
        world->work_hint_ns = jobs[i].size * S;
        CHECK_UINT(world_dispatch(world), jobs[i].node);
    }
}

/* Backlogs of 2.0 and 1.5 s, speeds 1 and 0.25, size 1: by the least work node
   1 would win, by the earliest completion node 0 does, 3.0 against 5.5. */
static void earliest_completion_not_least_work(void)
{
    struct lbp_score scores[2];
    struct lbp_explanation told = {.capacity = 2, .scores = scores};

    world = world_create(2);
    tell_speed(0, 1, 1);
    tell_speed(1, 1, 0.25);
    world_start_named(world, "predict", "oracle=true");
    occupy(0, 2);
    occupy(1, 1.5 * 0.25);
    world->work_hint_ns = S;
    CHECK_UINT(world_ask(world, &told), 0);
    CHECK_NEAR(scores[0].score, 3, 1e-9);
    CHECK_NEAR(scores[1].score, 5.5, 1e-9);
}

/* A newcomer at a quarter of its weight: 3 s to wait and 1 s of service count
   four times, and so do the terms, which sum to the score. */
static void terms_of_a_newcomer_sum_to_its_score(void)
{
    struct lbp_score scores[2];
    struct lbp_explanation told = {.capacity = 2, .scores = scores};

    world = world_create(2);
    tell_speed(0, 1, 1);
    tell_speed(1, 1, 1);
    world->nodes[1].weight_factor = 0.25;
    world_start_named(world, "predict", "oracle=true");
    occupy(0, 20);
    occupy(1, 3);
    world->work_hint_ns = S;
    CHECK_UINT(world_ask(world, &told), 1);
    CHECK_NEAR(scores[1].score, 16, 1e-9);
    CHECK_NEAR(scores[1].terms[0], 12, 1e-9);
    CHECK_NEAR(scores[1].terms[1], 4, 1e-9);
    CHECK_INT(told.expected_ns, 4 * S);
}

/* Both modes send nothing to wait while a slot is free. */
static void free_slots_are_not_waited_for(void)
{
    static const char *const modes[] = {"mode=model", "mode=simulate"};

    for (uint32_t i = 0; i < 2; i++) {
        world = world_create(2);
        tell_speed(0, 2, 2);
        tell_speed(1, 2, 1.5);
        world_start_named(world, "predict", modes[i]);
        occupy(0, 10);
        world->work_hint_ns = S;
        CHECK_UINT(world_dispatch(world), 0);
        CHECK_UINT(world_dispatch(world), 1);
        world_destroy(world);
    }
    world = world_create(1);
    world_start_named(world, "predict", "");
}

/* Node 1 never says how fast it is; ten answers after 4 s each do. Node 0 was
   never asked and passes for one like it: a tie, so the lowest slot. After ten
   answers of its own, after 1 s each, it is the better one. */
static void silent_nodes_are_known_by_their_answers(void)
{
    struct lbp_score scores[3];
    struct lbp_explanation told = {.capacity = 3, .scores = scores};

    world = world_create(3);
    world->nodes[2].speed = 0.5;
    world_start_named(world, "predict", "service_preset=7s");
    CHECK_UINT(world_ask(world, &told), 0);
    CHECK_NEAR(scores[0].score, 7, 1e-9);
    CHECK_NEAR(scores[2].score, 14, 1e-9); /* half as fast */
    for (uint32_t i = 0; i < 10; i++) {
        world_send(world, 1);
        world->view.now_ns += 4 * S;
        world_finish(world, 1, LBP_OK);
    }
    CHECK_UINT(world_ask(world, &told), 0);
    CHECK_NEAR(scores[1].score, 4, 1e-6);
    CHECK_NEAR(scores[0].score, 4, 1e-6);
    CHECK_NEAR(scores[2].score, 8, 1e-6);
    for (uint32_t i = 0; i < 10; i++) {
        world_send(world, 0);
        world->view.now_ns += S;
        world_finish(world, 0, LBP_OK);
    }
    world_ask(world, &told);
    CHECK_NEAR(scores[0].score, 1, 1e-6);
    CHECK_NEAR(scores[1].score, 4, 1e-6);
}

/* What is expected of the output decides between a node that reads fast and
   one that writes fast; similar requests have told. */
static void history_decides(void)
{
    world = world_create(2);
    world->nodes[0].prefill_per_s = 10000;
    world->nodes[0].decode_per_s = 10;
    world->nodes[1].prefill_per_s = 100;
    world->nodes[1].decode_per_s = 1000;
    world_start_named(world, "predict", "output_preset=10");
    world->input_tokens = 500;
    CHECK_UINT(world_pick(world), 0); /* 0.05 + 1 against 5 + 0.01 */
    world->output_tokens = 400;
    for (uint32_t i = 0; i < 10; i++) {
        world_send(world, 0);
        world_finish(world, 0, LBP_OK);
    }
    CHECK_UINT(world_pick(world), 1); /* 0.05 + 40 against 5 + 0.4 */
    world->output_tokens = 1;
    for (uint32_t i = 0; i < 500; i++) { /* failures teach nothing */
        world_send(world, 0);
        world_finish(world, 0, LBP_RESET);
    }
    CHECK_UINT(world_pick(world), 1);
}

/* Reported: 5 waiting and 2 running on 2 slots and 1 sent since: 7 must go
   before a slot is free, each of the 3 s that was usual there: 10.5 s. */
static void reports_may_stand_for_the_books(void)
{
    static uint32_t since[2] = {1, 0};
    struct lbp_score scores[2];
    struct lbp_explanation told = {.capacity = 2, .scores = scores};

    world = world_create(2);
    tell_speed(0, 2, 1);
    tell_speed(1, 2, 1);
    world->nodes[0].queue_depth = world->nodes[1].queue_depth = -1;
    world->nodes[0].running = world->nodes[1].running = -1;
    world_start_named(world, "predict", "wait=reported");
    occupy(0, 3);
    world->work_hint_ns = S;
    CHECK_UINT(world_ask(world, &told), 0);
    CHECK_NEAR(scores[0].terms[0], 0, 0); /* by the books */
    world->nodes[0].queue_depth = 5;
    world->nodes[0].running = 2;
    world->view.in_flight_since_report = since;
    CHECK_UINT(world_ask(world, &told), 1);
    CHECK_NEAR(scores[0].terms[0], 10.5, 1e-9);
}

/* Two equal nodes with 4 s to wait each, both looked at from 2 s on; the load
   of the first rises by a quarter a second, so it has 4 x 1.25 = 5 s. */
static void rising_load_lengthens_the_wait(void)
{
    struct lbp_score scores[2];
    struct lbp_explanation told = {.capacity = 2, .scores = scores};

    world = world_create(2);
    tell_speed(0, 4, 1);
    tell_speed(1, 4, 1);
    world_start_named(world, "predict", "trend_samples=3 trend_interval=1s");
    CHECK_INT(world->ops->on_timer(world->state, &world->view), S);
    for (uint32_t i = 1; i < 3; i++) {
        world->in_flight[0] = i;
        world->view.now_ns = i * S;
        CHECK_INT(world->ops->on_timer(world->state, &world->view),
                  (i + 1) * S);
    }
    for (uint32_t i = 0; i < 8; i++)
        occupy(i % 2, 4 * 4 * 4 / 4);
    world->work_hint_ns = S;
    CHECK_UINT(world_ask(world, &told), 1);
    CHECK_NEAR(scores[0].terms[0], 1.25 * scores[1].terms[0], 1e-9);
    CHECK_NEAR(scores[1].terms[0], 4, 1e-9); /* 64 s over 4 slots, 1 in 4 */
}

static void own_ties_go_to_the_lowest_slot(void)
{
    static const uint64_t script[] = {2, 0};

    world = world_create(4);
    world_start_named(world, "predict", "");
    world_set_eligible(world, 0, false);
    CHECK_UINT(world_pick(world), 1);
    CHECK_UINT(world->draws, 0);
    world_destroy(world);
    world = world_create(4);
    world_start_named(world, "predict", "ties=random");
    world->script = script;
    CHECK_UINT(world_pick(world), 2);
    CHECK_UINT(world_pick(world), 0);
    CHECK_UINT(world->draws, 2);
    world_destroy(world);
    world = world_create(3);
    world_start_named(world, "predict", "ties=rotate");
    for (uint32_t i = 0; i < 7; i++)
        CHECK_UINT(world_pick(world), i % 3);
}

/* Weight 0 takes nothing; a newcomer at half its weight looks half as fast;
   hints that are no numbers are none. */
static void weights_and_odd_hints(void)
{
    world = world_create(3);
    tell_speed(0, 1, NAN);
    tell_speed(1, 1, -INFINITY);
    tell_speed(2, 1, 100);
    world->nodes[0].prefill_per_s = NAN;
    world->nodes[0].decode_per_s = INFINITY;
    world->nodes[2].weight = 0;
    world->nodes[0].weight_factor = 0.5;
    world_start_named(world, "predict", "");
    CHECK_UINT(world_pick(world), 1);
    world->nodes[1].weight = 0;
    CHECK(world_tell_members(world));
    CHECK_UINT(world_pick(world), 0);
}

/* Wherever memory ends, members that did not come leave those that were. */
static void memory_may_fail_anywhere(void)
{
    for (uint32_t fail_after = 0; fail_after < 10; fail_after++) {
        world = world_create(2);
        world_start_named(world, "predict", "");
        world->view.slot_count = 100;
        for (uint32_t slot = 2; slot < 100; slot++)
            world_set_node(world, slot, "late", 1);
        world->fail_after = fail_after;
        if (!world_tell_members(world))
            world->view.slot_count = 2;
        world->fail_after = UINT32_MAX;
        for (uint32_t i = 0; i < 3; i++)
            world_dispatch(world);
        world_finish(world, 0, LBP_OK);
        world->ops->destroy(world->state);
        CHECK_UINT(world->allocations, 0);
        world->ops = NULL;
        world_destroy(world);
    }
    world = world_create(1);
    world_start_named(world, "predict", "");
}

static const char *complaint(const char *settings)
{
    return world_complaint("predict", settings);
}

static void what_has_no_effect_is_told(void)
{
    CHECK_TEXT(complaint(""), "");
    CHECK_TEXT(complaint("quantile=50% trend_samples=8 trend_interval=500ms "
                         "horizon=0s"),
               "");
    CHECK_TEXT(complaint("quantile=90%"),
               "quantile says which one for history: quantile; set that as "
               "well");
    CHECK_TEXT(complaint("quantile=90% history=quantile"), "");
    CHECK_TEXT(complaint("horizon=0s trend_samples=4"),
               "trend_samples and trend_interval need a horizon above 0 s");
    CHECK_TEXT(complaint("horizon=0s trend_interval=1s"),
               "trend_samples and trend_interval need a horizon above 0 s");
    CHECK_TEXT(complaint("mode=simulate wait=reported"),
               "mode: simulate needs wait: own, for a report does not say "
               "which requests wait");
    world = world_create(1); /* for the teardown */
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"known answer", known_answer},
        {"least work left on twelve jobs", least_work_left_on_twelve_jobs},
        {"earliest completion, not least work",
         earliest_completion_not_least_work},
        {"what has no effect is told", what_has_no_effect_is_told},
        {"terms of a newcomer sum to its score",
         terms_of_a_newcomer_sum_to_its_score},
        {"free slots are not waited for", free_slots_are_not_waited_for},
        {"silent nodes are known by their answers",
         silent_nodes_are_known_by_their_answers},
        {"history decides", history_decides},
        {"reports may stand for the books", reports_may_stand_for_the_books},
        {"rising load lengthens the wait", rising_load_lengthens_the_wait},
        {"own ties go to the lowest slot", own_ties_go_to_the_lowest_slot},
        {"weights and odd hints", weights_and_odd_hints},
        {"memory may fail anywhere", memory_may_fail_anywhere},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("predict", NULL, NULL, NULL, forget, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
