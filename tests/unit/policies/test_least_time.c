/* Least time: nginx's averages, what they count for, and who wins. */
#include "tests/unit/policies/world.h"

#include "tests/check.h"

#define MS INT64_C(1000000)
#define SECOND INT64_C(1000000000)

static struct world *world;

static void forget(void)
{
    world_forget(&world);
}

static void start(uint32_t count, const char *settings)
{
    forget();
    world = world_create(count);
    world_start_named(world, "least_time", settings);
}

/* An attempt that was sent so long ago and is over now. */
static void finish_attempt(uint32_t slot, int64_t latency_ns,
                           int64_t to_token_ns, enum lbp_outcome outcome)
{
    struct lbp_request request = world_request(world);
    int64_t now_ns = world->view.now_ns;
    struct lbp_result result = {
        .size = sizeof result,
        .outcome = outcome,
        .sent_at_ns = now_ns - latency_ns,
        .first_token_at_ns =
            to_token_ns < 0 ? LBP_NO_TIME : now_ns - latency_ns + to_token_ns,
        .done_at_ns = now_ns};

    world->in_flight[slot]--;
    request.note = world_take_note(world, slot);
    world->ops->on_done(world->state, &world->view, &request, slot, &result);
}

static void answer(uint32_t slot, int64_t latency_ms)
{
    world_send(world, slot);
    finish_attempt(slot, latency_ms * MS, -1, LBP_OK);
}

/* In ms x requests for weight 1. */
static double eta_ms(uint32_t slot)
{
    struct lbp_score scores[8];
    struct lbp_explanation why = {.capacity = 8, .scores = scores};

    world_ask(world, &why);
    for (uint32_t i = 0; i < why.count; i++)
        if (scores[i].slot == slot)
            return scores[i].score * 1e3;
    return NAN;
}

/* 100, 105, 110, 107, 152: each a twentieth of the new, to whole ms. What they
   count for is the next multiple of 20, an exact one too. */
static void averages_follow_nginx(void)
{
    static const int64_t seen[] = {100, 200, 200, 50, 1000};
    static const double counts[] = {120, 120, 120, 120, 160};

    start(1, "");
    for (int i = 0; i < 5; i++) {
        answer(0, seen[i]);
        CHECK_NEAR(eta_ms(0), counts[i], 1e-9);
    }
    /* 152 and 19 x 20 make 163 in 0.5 + 0.05 x 380 + 0.95 x 152 = 163.9. */
    answer(0, 380);
    CHECK_NEAR(eta_ms(0), 180, 1e-9);
}

/* Computed from nginx's rule by an independent program. */
static void times_count_as_in_nginx(void)
{
    static const struct {
        int64_t time_ms;
        uint32_t in_flight;
        double eta_ms;
    } cases[] = {{100, 0, 120}, {119, 0, 120},   {120, 0, 140},
                 {100, 2, 360}, {5000, 0, 5020}, {9000, 3, 20000}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        start(1, "");
        answer(0, cases[i].time_ms);
        for (uint32_t n = 0; n < cases[i].in_flight; n++)
            world_send(world, 0);
        CHECK_NEAR(eta_ms(0), cases[i].eta_ms, 1e-9);
    }
}

/* 22 s of 11 each: 800 twice halved is 200, which counts for 220. */
static void who_was_not_tried_looks_faster(void)
{
    start(2, "");
    answer(0, 800);
    world->view.now_ns = 10 * SECOND;
    CHECK_NEAR(eta_ms(0), 820, 1e-9);
    world->view.now_ns = 11 * SECOND;
    CHECK_NEAR(eta_ms(0), 420, 1e-9);
    world->view.now_ns = 22 * SECOND;
    CHECK_NEAR(eta_ms(0), 220, 1e-9);
    world->view.now_ns = 100000 * SECOND;
    CHECK_NEAR(eta_ms(0), 20, 1e-9);
    world_send(world, 0); /* tried: it is as slow as it was */
    CHECK_NEAR(eta_ms(0), 2 * 820, 1e-9);
}

static void failures_say_nothing(void)
{
    start(1, "");
    answer(0, 100);
    for (int outcome = LBP_ERROR; outcome <= LBP_CANCELLED; outcome++) {
        world_send(world, 0);
        finish_attempt(0, 5000 * MS, -1, (enum lbp_outcome)outcome);
    }
    CHECK_NEAR(eta_ms(0), 120, 1e-9);
}

static void header_or_last_byte(void)
{
    start(1, "");
    world_send(world, 0);
    finish_attempt(0, 900 * MS, 50 * MS, LBP_OK);
    CHECK_NEAR(eta_ms(0), 60, 1e-9);
    start(1, "latency=last_byte");
    world_send(world, 0);
    finish_attempt(0, 900 * MS, 50 * MS, LBP_OK);
    CHECK_NEAR(eta_ms(0), 920, 1e-9);
}

/* 120 / 1 against 220 / 2. */
static void weight_divides(void)
{
    start(2, "");
    world->nodes[1].weight = 2;
    world_tell_members(world);
    answer(0, 100);
    answer(1, 200);
    CHECK_UINT(world_pick(world), 1);
    world_send(world, 1);
    CHECK_UINT(world_pick(world), 0);
    world->nodes[0].weight = 0;
    world_tell_members(world);
    CHECK_UINT(world_pick(world), 1);
}

/* Nobody is known: in turns; by weight, where they are as busy as it says. */
static void ties_take_turns(void)
{
    start(3, "");
    for (uint32_t i = 0; i < 9; i++)
        CHECK_UINT(world_pick(world), i % 3);
    start(3, "");
    world->nodes[0].weight = 2;
    world_tell_members(world);
    world->in_flight[0] = 1; /* 40 / 2, and 20 / 1 twice */
    CHECK_UINT(world_pick(world), 0);
    CHECK_UINT(world_pick(world), 1);
    CHECK_UINT(world_pick(world), 2);
    CHECK_UINT(world_pick(world), 0);
}

static void another_node_in_a_slot_is_unknown(void)
{
    start(2, "");
    answer(0, 300);
    answer(1, 300);
    world_tell_members(world);
    CHECK_NEAR(eta_ms(0), 320, 1e-9);
    world_set_node(world, 0, "other", 1);
    world_tell_members(world);
    CHECK_NEAR(eta_ms(0), 20, 1e-9);
    CHECK_NEAR(eta_ms(1), 320, 1e-9);
}

static void nobody_is_no_node(void)
{
    start(2, "");
    world->eligible[0] = 0;
    CHECK_UINT(world_pick(world), LBP_NO_SLOT);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"averages follow nginx", averages_follow_nginx},
        {"times count as in nginx", times_count_as_in_nginx},
        {"who was not tried looks faster", who_was_not_tried_looks_faster},
        {"failures say nothing", failures_say_nothing},
        {"header or last byte", header_or_last_byte},
        {"weight divides", weight_divides},
        {"ties take turns", ties_take_turns},
        {"another node in a slot is unknown",
         another_node_in_a_slot_is_unknown},
        {"nobody is no node", nobody_is_no_node},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("least_time", NULL, NULL, NULL, forget, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
