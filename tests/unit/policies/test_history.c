/* What past answers tell of the next: by arithmetic. Load trends too, which
   are another kind of memory. */
#include "policies/history.h"
#include "policies/trend.h"
#include "tests/unit/policies/world.h"

#include "tests/check.h"

static struct history history;

static void start(uint32_t kind, double quantile, double smoothing)
{
    struct history_config config = {kind, quantile, smoothing, 77};

    history_init(&history, &config);
}

static struct lbp_request request(uint16_t model, uint32_t input)
{
    return (struct lbp_request){.model = model, .input_tokens = input};
}

static void learn_often(const struct lbp_request *kind, uint32_t tokens,
                        uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        history_learn(&history, kind, tokens);
}

/* Nothing known: the preset. Few of a kind: the pool. Enough: the kind. */
static void kinds_fall_back_on_the_pool_and_the_preset(void)
{
    struct lbp_request chat = request(0, 1000), code = request(0, 5000);

    start(HISTORY_MEAN, 0.5, 0.001);
    CHECK_NEAR(history_expect(&history, &chat), 77, 0);
    learn_often(&chat, 100, 9);
    learn_often(&code, 400, 3);
    CHECK_NEAR(history_expect(&history, &chat), 100, 1e-9);
    CHECK_NEAR(history_expect(&history, &code), 2100.0 / 12, 1e-9);
    learn_often(&code, 400, HISTORY_ENOUGH);
    CHECK_NEAR(history_expect(&history, &code), 400, 1e-9);
    history_learn(&history, &code, 0); /* unknown */
    CHECK_NEAR(history_expect(&history, &code), 400, 1e-9);
}

/* Inputs of 512 to 1023 tokens are one kind; another model is another, and so
   is another class. */
static void kinds_are_model_class_and_power_of_two(void)
{
    struct lbp_request low = request(0, 512), high = request(0, 1023);
    struct lbp_request next = request(0, 1024), other = request(1, 512);
    struct lbp_request class = request(0, 512);

    class.request_class = 3;
    start(HISTORY_MEAN, 0.5, 0.001);
    learn_often(&low, 10, 20);
    learn_often(&next, 50, 20);
    learn_often(&other, 90, 20);
    learn_often(&class, 130, 20);
    CHECK_NEAR(history_expect(&history, &high), 10, 1e-9);
    CHECK_NEAR(history_expect(&history, &next), 50, 1e-9);
    CHECK_NEAR(history_expect(&history, &other), 90, 1e-9);
    CHECK_NEAR(history_expect(&history, &class), 130, 1e-9);
}

/* 100 answers of 0 + 200 in turn, then smoothing 10 %: after k answers of 300
   the old mean weighs 0.9^k. */
static void means_forget(void)
{
    struct lbp_request kind = request(0, 10);

    start(HISTORY_MEAN, 0.5, 0.1);
    learn_often(&kind, 100, 50);
    learn_often(&kind, 300, 10);
    CHECK_NEAR(history_expect(&history, &kind), 300 - 200 * pow(0.9, 10), 1e-6);
}

/* Uniform on 1 to 1000: the 90 % quantile is 900. */
static void quantiles_settle(void)
{
    struct lbp_request kind = request(0, 10);
    uint64_t chance = 3;

    start(HISTORY_QUANTILE, 0.9, 0.01);
    for (uint32_t i = 0; i < 20000; i++)
        history_learn(&history, &kind,
                      (uint32_t)(1 + world_next(&chance) % 1000));
    CHECK_NEAR(history_expect(&history, &kind), 900, 45);
}

/* 20,000 kinds do not fit: nothing breaks, and the pool answers. */
static void table_stays_bounded(void)
{
    struct lbp_request late = request(UINT16_MAX, 1);

    start(HISTORY_MEAN, 0.5, 0.001);
    for (uint32_t i = 0; i < 20000; i++) {
        struct lbp_request kind = request((uint16_t)i, 1u << i % 32);

        learn_often(&kind, 40, 1);
    }
    learn_often(&late, 40, 20);
    CHECK_NEAR(history_expect(&history, &late), 40, 1e-9);
}

/* 1, 2, 4, 5, 8 half a second apart: the normal equations give 1.7 a step,
   3.4 a second, cut to 0.5; a tenth of it is 0.34. */
static void slopes_are_least_squares(void)
{
    const double steep[] = {5, 8, 1, 2, 4}; /* a ring, the oldest in place 2 */
    const double gentle[] = {0.5, 0.8, 0.1, 0.2, 0.4};
    const double falling[] = {9, 5, 1};

    CHECK_NEAR(trend_slope(steep, 5, 5, 2, 0.5), 0.5, 0);
    CHECK_NEAR(trend_slope(gentle, 5, 5, 2, 0.5), 0.34, 1e-12);
    CHECK_NEAR(trend_slope(falling, 3, 3, 0, 1), -0.5, 0);
    CHECK_NEAR(trend_slope(gentle, 5, 2, 2, 2), 0.15, 1e-12);
    CHECK_NEAR(trend_slope(gentle, 5, 1, 2, 2), 0, 0);
}

/* Load counts in rounds of the node's slots: 0, 1, 2 requests on 4 slots, a
   second apart, rise by a quarter. Another node in the slot starts anew. */
static void samples_follow_the_load(void)
{
    struct world *world = world_create(2);
    struct trend trend = {0};

    world->nodes[1].slots = 4;
    CHECK(trend_update(&trend, &world->view, 3, &world->host));
    for (uint32_t i = 0; i < 3; i++) {
        world->in_flight[1] = i;
        trend_sample(&trend, &world->view, 1);
    }
    CHECK_NEAR(trend.slopes[1], 0.25, 1e-12);
    CHECK_NEAR(trend.slopes[0], 0, 0);
    world->fail_after = 2;
    world->view.slot_count = 3;
    CHECK(!trend_update(&trend, &world->view, 3, &world->host));
    world->fail_after = UINT32_MAX;
    world_set_node(world, 2, "n2", 1);
    CHECK(trend_update(&trend, &world->view, 3, &world->host));
    CHECK_NEAR(trend.slopes[1], 0.25, 1e-12);
    trend_sample(&trend, &world->view, 1); /* 1, 2, 2 */
    CHECK_NEAR(trend.slopes[1], 0.125, 1e-12);
    world_set_node(world, 1, "other", 1);
    CHECK(trend_update(&trend, &world->view, 3, &world->host));
    CHECK_NEAR(trend.slopes[1], 0, 0);
    trend_done(&trend, &world->host);
    CHECK_UINT(world->allocations, 0);
    free(world);
}

int main(int argc, char **argv)
{
    CU_TestInfo history_tests[] = {
        {"kinds fall back on the pool and the preset",
         kinds_fall_back_on_the_pool_and_the_preset},
        {"kinds are model, class and power of two",
         kinds_are_model_class_and_power_of_two},
        {"means forget", means_forget},
        {"quantiles settle", quantiles_settle},
        {"table stays bounded", table_stays_bounded},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo trend_tests[] = {
        {"slopes are least squares", slopes_are_least_squares},
        {"samples follow the load", samples_follow_the_load},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("history", NULL, NULL, NULL, NULL, history_tests),
        SUITE("trend", NULL, NULL, NULL, NULL, trend_tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
