/* Resource score: the sums of the articles, what is missing, what is old, own
   requests in flight, samples and ties. */
#include "tests/unit/policies/world.h"

#include "tests/check.h"

#include <math.h>

#define PERIOD_NS 1000000000

static struct world *world;
static uint32_t since_report[8];

static void start(uint32_t count, const char *settings)
{
    world = world_create(count);
    memset(since_report, 0, sizeof since_report);
    world->view.in_flight_since_report = since_report;
    world->view.report_interval_ns = PERIOD_NS;
    world->view.now_ns = 100 * (int64_t)PERIOD_NS;
    world_start_named(world, "resource_score", settings);
}

static void forget(void)
{
    world_destroy(world);
}

static void begin(void)
{
    world = NULL;
}

/* A report of this moment. */
static void report(uint32_t slot, double gpu, double cpu, double memory,
                   int64_t queue)
{
    struct lbp_node *node = &world->nodes[slot];

    node->gpu_use = gpu;
    node->cpu_use = cpu;
    node->memory_use = memory;
    node->queue_depth = queue;
    node->reported_at_ns = world->view.now_ns;
}

/* The score of one node, after a check that it is the sum of its terms. */
static double score_of(uint32_t slot)
{
    struct lbp_score scores[8];
    struct lbp_explanation why = {.capacity = 8, .scores = scores};

    world_ask(world, &why);
    for (uint32_t i = 0; i < why.count; i++) {
        double sum = 0;

        if (scores[i].slot != slot)
            continue;
        for (int t = 0; t < LBP_MAX_TERMS; t++)
            sum += scores[i].terms[t];
        CHECK_NEAR(sum, scores[i].score, 1e-6);
        return scores[i].score;
    }
    return NAN;
}

/* --- sums ----------------------------------------------------------------- */

/* 0.36 + 0.15 + 0.12 + 0.03 and 0.08 + 0.24 + 0.14 + 0.05. */
static void four_terms_with_a_queue_of_shares(void)
{
    start(2, "");
    report(0, 0.9, 0.5, 0.6, 3);
    report(1, 0.2, 0.8, 0.7, 5);
    CHECK_NEAR(score_of(0), 0.66, 1e-12);
    CHECK_NEAR(score_of(1), 0.51, 1e-12);
    CHECK_UINT(world_pick(world), 1);
    report(0, 0, 0, 0, 10);
    CHECK_NEAR(score_of(0), 0.1, 1e-12);
    report(0, 0, 0, 0, 5000);
    CHECK_NEAR(score_of(0), 0.1, 1e-12); /* a full queue is full */
    forget();
    start(1, "queue_cap=50");
    report(0, 0, 0, 0, 20);
    CHECK_NEAR(score_of(0), 0.04, 1e-12);
}

/* 0.63 + 0.1 + 0.03. */
static void three_terms_leave_memory_out(void)
{
    start(1, "formula=gpu_cpu_queue");
    report(0, 0.9, 0.5, 0.6, 3);
    CHECK_NEAR(score_of(0), 0.76, 1e-12);
    report(0, 0.9, 0.5, 0.1, 3);
    CHECK_NEAR(score_of(0), 0.76, 1e-12);
}

/* 0.63 + 0.3 and 0.46 + 0.5: the queue outweighs what was better. */
static void raw_queue_turns_the_choice(void)
{
    start(2, "queue_norm=off");
    report(0, 0.9, 0.5, 0.6, 3);
    report(1, 0.2, 0.8, 0.7, 5);
    CHECK_NEAR(score_of(0), 0.93, 1e-12);
    CHECK_NEAR(score_of(1), 0.96, 1e-12);
    CHECK_UINT(world_pick(world), 0);
}

static void weights_replace_the_formula(void)
{
    start(1, "gpu=2 queue=0.5 queue_norm=off");
    report(0, 0.25, 0.9, 0.9, 4);
    CHECK_NEAR(score_of(0), 2.5, 1e-12);
    forget();
    start(2, "queue=1 queue_norm=off");
    report(0, 0, 0, 0, 4);
    report(1, 1, 1, 1, 3);
    CHECK_NEAR(score_of(0), 4, 1e-12);
    CHECK_UINT(world_pick(world), 1);
}

/* Terms have their places, whatever the weights. */
static void terms_are_named_in_order(void)
{
    static const char *const names[] = {"gpu", "cpu", "memory", "queue", "age"};
    struct lbp_score score;
    struct lbp_explanation why = {.capacity = 1, .scores = &score};

    start(1, "");
    report(0, 1, 1, 1, 10);
    world->view.now_ns += 4 * (int64_t)PERIOD_NS;
    world_ask(world, &why);
    CHECK_NEAR(score.terms[0], 0.4, 1e-12);
    CHECK_NEAR(score.terms[1], 0.3, 1e-12);
    CHECK_NEAR(score.terms[2], 0.2, 1e-12);
    CHECK_NEAR(score.terms[3], 0.1, 1e-12);
    CHECK_NEAR(score.terms[4], 0.1, 1e-12);
    for (int i = 0; i < 5; i++)
        CHECK_TEXT(world->ops->term_names[i], names[i]);
    CHECK(world->ops->term_names[5] == NULL);
}

/* --- what is missing ------------------------------------------------------ */

/* A cpu node: 0.3, 0.2 and 0.1 of 0.6 carry the whole weight, so 0.5 x 0.5 +
   0.25 x 1/3 + 0.4 x 1/6 = 0.4. */
static void absent_terms_pass_on_their_weight(void)
{
    start(2, "");
    report(0, -1, 0.5, 0.25, 4);
    CHECK_NEAR(score_of(0), 0.4, 1e-12);
    report(0, NAN, 0.5, 0.25, 4);
    CHECK_NEAR(score_of(0), 0.4, 1e-12);
    report(0, -1, -1, -1, 4);
    CHECK_NEAR(score_of(0), 0.4, 1e-12);
    report(0, 0.4, NAN, NAN, -1);
    CHECK_NEAR(score_of(0), 0.4, 1e-12);
}

static void wild_values_are_capped(void)
{
    start(1, "");
    report(0, INFINITY, 7, 1.0000001, 10);
    CHECK_NEAR(score_of(0), 1, 1e-12);
    report(0, -INFINITY, 0.5, 0.5, 5);
    CHECK_NEAR(score_of(0), 0.5, 1e-12);
}

/* Nobody who said something that counts may lose against silence. */
static void silent_nodes_are_the_last_resort(void)
{
    struct lbp_explanation why = {0};

    start(3, "");
    report(0, NAN, NAN, -1, -1);
    report(2, 1, 1, 1, 10);
    CHECK_UINT(world_pick(world), 2); /* 0 said nothing, 1 never reported */
    world_set_eligible(world, 2, false);
    CHECK_UINT(world_ask(world, &why), 0);
    CHECK_TEXT(why.reason, "no reports");
    forget();
    start(2, "gpu=1");
    report(0, -1, 0, 0, 0); /* a cpu node, where only gpus count */
    report(1, 0.9, 0, 0, 0);
    CHECK_UINT(world_pick(world), 1);
}

static void before_the_first_report_own_counts_decide(void)
{
    start(3, "local_inflight=on");
    since_report[0] = 2;
    since_report[1] = 1;
    since_report[2] = 1;
    CHECK_UINT(world_pick(world), 1);
    forget();
    start(3, "");
    CHECK_UINT(world_pick(world), 0);
}

/* --- what is old ---------------------------------------------------------- */

static void age_costs_by_whole_periods(void)
{
    static const struct {
        double periods, penalty;
    } ages[] = {{0, 0},     {3, 0},   {3.999, 0}, {4, 0.1},
                {4.9, 0.1}, {5, 0.2}, {12.5, 0.9}};

    for (size_t i = 0; i < sizeof ages / sizeof *ages; i++) {
        start(1, "");
        report(0, 0.5, 0.5, 0.5, 5);
        world->view.now_ns += (int64_t)(ages[i].periods * PERIOD_NS);
        CHECK_NEAR(score_of(0), 0.5 + ages[i].penalty, 1e-9);
        if (i + 1 < sizeof ages / sizeof *ages)
            forget();
    }
}

/* Ten periods past the third, a report no longer speaks for its node. */
static void silence_excludes(void)
{
    struct lbp_explanation why = {0};

    start(2, "");
    report(0, 0, 0, 0, 0);
    world->view.now_ns += 13 * (int64_t)PERIOD_NS - 1;
    report(1, 1, 1, 1, 10);
    CHECK_UINT(world_pick(world), 0); /* 0.9 against 1 */
    world->view.now_ns++;
    CHECK_UINT(world_pick(world), 1);
    world_set_eligible(world, 1, false);
    CHECK_UINT(world_pick(world), 0);
    world_set_eligible(world, 1, true);
    world->view.now_ns += 20 * (int64_t)PERIOD_NS;
    CHECK_UINT(world_ask(world, &why), 1); /* 1 + 1.7 against 3.0 */
    CHECK_TEXT(why.reason, "all are silent");
}

static void age_rule_can_be_switched_off(void)
{
    start(2, "stale_penalty=0 exclude_after=0");
    report(0, 0, 0, 0, 0);
    world->view.now_ns += 1000 * (int64_t)PERIOD_NS;
    report(1, 0.1, 0, 0, 0);
    CHECK_UINT(world_pick(world), 0);
    forget();
    start(2, "stale_after=0.5 stale_penalty=2 exclude_after=0");
    report(0, 0, 0, 0, 0);
    report(1, 1, 1, 1, 10);
    world->view.now_ns += PERIOD_NS / 2 + PERIOD_NS - 1;
    CHECK_NEAR(score_of(0), 0, 1e-12);
    world->view.now_ns++;
    CHECK_NEAR(score_of(0), 2, 1e-12);
}

/* With reports at every pick, one that is missing means that nobody is there:
   it looks idle, and must not be taken. */
static void fresh_reports_do_not_age(void)
{
    start(2, "");
    world->view.report_interval_ns = 0;
    report(0, 0, 0, 0, 0);
    report(1, 1, 1, 1, 10);
    CHECK_UINT(world_pick(world), 0);
    world->view.now_ns += 1;
    report(1, 1, 1, 1, 10);
    CHECK_UINT(world_pick(world), 1);
}

/* --- own requests --------------------------------------------------------- */

/* Only what is in flight since the report, not what the report shows. */
static void local_inflight_counts_what_the_report_cannot_know(void)
{
    start(2, "local_inflight=on");
    report(0, 0.5, 0.5, 0.5, 1);
    report(1, 0.5, 0.5, 0.5, 2);
    world->in_flight[0] = 70;
    CHECK_UINT(world_pick(world), 0);
    since_report[0] = 2;
    CHECK_NEAR(score_of(0), 0.45 + 0.03, 1e-12);
    CHECK_UINT(world_pick(world), 1);
    since_report[0] = 0; /* answered: net */
    CHECK_UINT(world_pick(world), 0);
    forget();
    start(1, "local_inflight=on queue_norm=off");
    report(0, 0, 0, 0, -1); /* no queue reported: own counts stand for it */
    since_report[0] = 30;
    CHECK_NEAR(score_of(0), 3, 1e-12);
}

static void requests_in_service_may_count(void)
{
    start(2, "queue=1 queue_norm=off in_service=on");
    report(0, 0, 0, 0, 1);
    report(1, 0, 0, 0, 0);
    world->nodes[0].running = 1;
    world->nodes[1].running = 3;
    CHECK_NEAR(score_of(0), 2, 1e-12);
    CHECK_NEAR(score_of(1), 3, 1e-12);
    world->nodes[1].running = -1; /* not reported */
    CHECK_NEAR(score_of(1), 0, 1e-12);
    world->nodes[0].queue_depth = -1;
    CHECK_NEAR(score_of(0), 1, 1e-12);
}

/* What no queue can be is still more than any other. */
static void absurd_queues_are_long(void)
{
    start(2, "queue=1 queue_norm=off in_service=on local_inflight=on");
    report(0, 0, 0, 0, INT64_MAX);
    report(1, 0, 0, 0, 1000000);
    world->nodes[0].running = INT64_MAX;
    since_report[0] = UINT32_MAX;
    CHECK_UINT(world_pick(world), 1);
    CHECK(score_of(0) > 1e18);
}

/* --- samples and ties ------------------------------------------------------
 */

static void samples_are_two_different_nodes(void)
{
    static const uint64_t script[] = {2, 2, 3, 0};
    struct lbp_score scores[4];
    struct lbp_explanation why = {.capacity = 4, .scores = scores};

    start(4, "p2c=on");
    world->script = script;
    for (uint32_t slot = 0; slot < 4; slot++)
        report(slot, 0.1 * slot, 0, 0, 0);
    CHECK_UINT(world_ask(world, &why), 2); /* of 2 and 3 */
    CHECK_UINT(why.draws, 2);
    CHECK_UINT(why.count, 2);
    CHECK_UINT(scores[0].slot, 2);
    CHECK_UINT(scores[1].slot, 3);
    CHECK_UINT(world_pick(world), 0); /* of 3 and 0 */
    CHECK_UINT(world->draws, 4);
    world->eligible[0] = 2;
    CHECK_UINT(world_pick(world), 1);
    CHECK_UINT(world->draws, 4);
}

static void equals(uint32_t count, const char *settings)
{
    start(count, settings);
    for (uint32_t slot = 0; slot < count; slot++)
        report(slot, 0.3, 0.3, 0.3, 0);
    report(1, 0.9, 0.3, 0.3, 0); /* but this one */
}

static void ties_go_to_the_lowest_slot(void)
{
    struct lbp_explanation why = {0};

    equals(4, "");
    CHECK_UINT(world_ask(world, &why), 0);
    CHECK_TEXT(why.reason, "tie");
    CHECK_UINT(world_pick(world), 0);
    world_set_eligible(world, 0, false);
    CHECK_UINT(world_pick(world), 2);
    CHECK_UINT(world->draws, 0);
    forget();
    equals(4, "ties=first");
    CHECK_UINT(world_pick(world), 0);
}

static void ties_rotate(void)
{
    equals(4, "ties=rotate");
    CHECK_UINT(world_pick(world), 0);
    CHECK_UINT(world_pick(world), 2);
    CHECK_UINT(world_pick(world), 3);
    CHECK_UINT(world_pick(world), 0);
    world_set_eligible(world, 2, false);
    CHECK_UINT(world_pick(world), 3);
    world_set_eligible(world, 2, true);
    CHECK_UINT(world_pick(world), 2);
}

static void ties_are_drawn_once_among_the_tied(void)
{
    static const uint64_t script[] = {0, 1, 2, 1};
    struct lbp_explanation why = {0};

    equals(4, "ties=random");
    world->script = script;
    CHECK_UINT(world_pick(world), 0);
    CHECK_UINT(world_pick(world), 2);
    CHECK_UINT(world_ask(world, &why), 3);
    CHECK_UINT(why.draws, 1);
    world->eligible[0] = 3; /* no tie, no draw */
    CHECK_UINT(world_pick(world), 0);
    CHECK_UINT(world->draws, 3);
}

/* The first draw; the lower slot; a third draw; the one picked longer ago. */
static void ties_of_samples(void)
{
    static const struct {
        const char *settings;
        uint64_t script[3];
        uint32_t picked, draws;
    } cases[] = {
        {"p2c=on", {3, 0}, 3, 2},
        {"p2c=on ties=first", {3, 0}, 0, 2},
        {"p2c=on ties=random", {3, 0, 0}, 0, 3},
        {"p2c=on ties=random", {3, 0, 1}, 3, 3},
        {"p2c=on ties=random", {0, 2, 1}, 3, 3},
        {"p2c=on ties=rotate", {3, 0}, 0, 2},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        equals(4, cases[i].settings);
        world->script = cases[i].script;
        CHECK_UINT(world_pick(world), cases[i].picked);
        CHECK_UINT(world->draws, cases[i].draws);
        forget();
    }
    equals(4, "p2c=on ties=rotate");
    world->eligible[0] = 1;
    CHECK_UINT(world_pick(world), 0);
    world->eligible[0] = 15;
    world->script = (const uint64_t[]){0, 2};
    CHECK_UINT(world_pick(world), 3);
}

/* --- against a plain computation -------------------------------------------
 */

static double share(uint64_t *chance)
{
    return (double)(world_next(chance) % 9) / 8;
}

/* The lowest slot of the smallest sum, by hand, age included. */
static uint32_t plain_minimum(void)
{
    uint32_t best = LBP_NO_SLOT;
    double lowest = INFINITY;

    for (uint32_t slot = 0; slot < world->view.slot_count; slot++) {
        const struct lbp_node *node = &world->nodes[slot];
        double queue = (double)node->queue_depth / 10;
        double sum = 0.4 * node->gpu_use + 0.3 * node->cpu_use +
                     0.2 * node->memory_use + 0.1 * (queue < 1 ? queue : 1);

        int64_t periods =
            (world->view.now_ns - node->reported_at_ns) / PERIOD_NS;

        if (periods > 3)
            sum += 0.1 * (double)(periods - 3);
        if (periods >= 13)
            sum += 1000; /* taken when no other is left */
        if ((world->eligible[slot / 64] >> slot % 64 & 1) && sum < lowest) {
            lowest = sum;
            best = slot;
        }
    }
    return best;
}

static void equals_the_plain_sum_in_large_pools(void)
{
    uint64_t chance = 5;
    uint32_t size = 1000;

    start(size, "");
    for (int step = 0; step < 2000; step++) {
        uint32_t slot = (uint32_t)(world_next(&chance) % size);

        report(slot, share(&chance), share(&chance), share(&chance),
               (int64_t)(world_next(&chance) % 12));
        world_set_eligible(world, slot, world_next(&chance) % 4 > 0);
        for (uint32_t i = 0; step == 0 && i < size; i++)
            report(i, share(&chance), share(&chance), share(&chance), 3);
        CHECK_UINT(world_pick(world), plain_minimum());
    }
}

static double fine_share(uint64_t *chance)
{
    return (double)(world_next(chance) % 1000003) / 1000003;
}

/* Of 200 nodes one reports every 0.05 to 0.15 periods: most reports are old,
   and some nodes are as good as silent. Shares are so fine that no two sums are
   equal but for rounding. */
static void equals_the_plain_sum_of_old_reports(void)
{
    uint64_t chance = 6;
    uint32_t size = 200;

    start(size, "");
    for (uint32_t i = 0; i < size; i++)
        report(i, fine_share(&chance), fine_share(&chance), fine_share(&chance),
               3);
    for (int step = 0; step < 2000; step++) {
        uint32_t slot = (uint32_t)(world_next(&chance) % size);

        world->view.now_ns +=
            PERIOD_NS / 20 * (1 + (int64_t)(world_next(&chance) % 3));
        report(slot, fine_share(&chance), fine_share(&chance),
               fine_share(&chance), (int64_t)(world_next(&chance) % 12));
        world_set_eligible(world, slot, world_next(&chance) % 4 > 0);
        CHECK_UINT(world_pick(world), plain_minimum());
    }
}

/* --- parameters ------------------------------------------------------------
 */

static const char *complaint(const char *settings)
{
    return world_complaint("resource_score", settings);
}

static void contradictions_are_told(void)
{
    CHECK_TEXT(complaint(""), "");
    CHECK_TEXT(complaint("formula=gpu_cpu_queue"), "");
    CHECK_TEXT(complaint("gpu=1"), "");
    CHECK_TEXT(complaint("gpu=0 cpu=0"),
               "one of the weights gpu, cpu, memory and queue must be above 0");
    CHECK_TEXT(complaint("formula=gpu_cpu_queue gpu=1"),
               "give a formula or weights of your own, not both");
    CHECK_TEXT(complaint("gpu=1 local_inflight=on"),
               "local_inflight counts in the queue, which needs a weight "
               "above 0");
    CHECK_TEXT(complaint("queue=1 local_inflight=on"), "");
    CHECK_TEXT(complaint("queue_norm=off queue_cap=20"),
               "queue_cap says when a queue is full for queue_norm: true; "
               "without that it means nothing");
    CHECK_TEXT(complaint("queue_norm=off queue_cap=10"), "");
    start(1, ""); /* for the teardown */
}

int main(int argc, char **argv)
{
    CU_TestInfo sums[] = {
        {"four terms with a queue of shares",
         four_terms_with_a_queue_of_shares},
        {"three terms leave memory out", three_terms_leave_memory_out},
        {"raw queue turns the choice", raw_queue_turns_the_choice},
        {"weights replace the formula", weights_replace_the_formula},
        {"terms are named in order", terms_are_named_in_order},
        {"equals the plain sum in large pools",
         equals_the_plain_sum_in_large_pools},
        {"equals the plain sum of old reports",
         equals_the_plain_sum_of_old_reports},
        {"contradictions are told", contradictions_are_told},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo words[] = {
        {"absent terms pass on their weight",
         absent_terms_pass_on_their_weight},
        {"wild values are capped", wild_values_are_capped},
        {"silent nodes are the last resort", silent_nodes_are_the_last_resort},
        {"before the first report own counts decide",
         before_the_first_report_own_counts_decide},
        {"requests in service may count", requests_in_service_may_count},
        {"absurd queues are long", absurd_queues_are_long},
        {"age costs by whole periods", age_costs_by_whole_periods},
        {"silence excludes", silence_excludes},
        {"age rule can be switched off", age_rule_can_be_switched_off},
        {"fresh reports do not age", fresh_reports_do_not_age},
        {"local_inflight counts what the report cannot know",
         local_inflight_counts_what_the_report_cannot_know},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo choices[] = {
        {"samples are two different nodes", samples_are_two_different_nodes},
        {"ties go to the lowest slot", ties_go_to_the_lowest_slot},
        {"ties rotate", ties_rotate},
        {"ties are drawn once among the tied",
         ties_are_drawn_once_among_the_tied},
        {"ties of samples", ties_of_samples},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("resource_score sums", NULL, NULL, begin, forget, sums),
        SUITE("resource_score reports", NULL, NULL, begin, forget, words),
        SUITE("resource_score choices", NULL, NULL, begin, forget, choices),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
