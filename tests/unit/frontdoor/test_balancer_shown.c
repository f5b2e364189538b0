/*
 * What a balancer shows to its policy beyond counts: keys, reports, time and
 * chance.
 */
#include "tests/unit/frontdoor/recording.h"

/* --- keys ----------------------------------------------------------------- */

static void key_is_not_written_out_unless_needed(void)
{
    uint32_t a = make_request(0, 1);

    start();
    set_key(a, 0xABCD, NULL, 17);
    send(a, 0, 1);
    CHECK_UINT(seen.request.key_hash, 0xABCD);
    CHECK(!seen.request.key);
    CHECK_UINT(seen.request.key_length, 0);
}

static void synthetic_key_is_shown_as_text(void)
{
    uint32_t a = make_request(0, 1), b = make_request(1, 1);

    ops.needs = LBP_NEEDS_KEY;
    start();
    set_key(a, 0xABCD, NULL, 17);
    set_key(b, 0xEF, NULL, 123456);
    send(a, 0, 1);
    CHECK_TEXT(seen.key, "k17");
    CHECK_UINT(seen.request.key_length, 3);
    send(b, 0, 2);
    CHECK_TEXT(seen.key, "k123456");
    end(a, 3, LBP_OK);
    CHECK_TEXT(seen.key, "k17");
    CHECK_UINT(seen.request.key_hash, 0xABCD);
}

/* A trace's key is a text already, and not 0-terminated. */
static void key_of_a_trace_is_shown_as_it_is(void)
{
    static const char prompts[] = "what is lovewhat is time";
    uint32_t a = make_request(0, 1);

    ops.needs = LBP_NEEDS_KEY;
    start();
    set_key(a, 0xABCD, prompts, 12);
    send(a, 0, 1);
    CHECK(seen.request.key == prompts);
    CHECK_TEXT(seen.key, "what is love");
}

static void request_without_key_shows_none(void)
{
    uint32_t a = make_request(0, 1), b = make_request(1, 1);

    ops.needs = LBP_NEEDS_KEY;
    start();
    set_key(a, 0xABCD, NULL, 17);
    send(a, 0, 1);
    send(b, 0, 2); /* nothing is left of the other's */
    CHECK_UINT(seen.request.key_hash, 0);
    CHECK(!seen.request.key);
    CHECK_UINT(seen.request.key_length, 0);
}

/* Without keys and retries the slab has no columns for them. */
static void plain_requests_need_no_columns(void)
{
    uint32_t index;
    struct request *request;

    request_slab_done(&slab);
    request_slab_init(&slab, false, 0);
    request = request_slab_take(&slab, &index);
    request->number = 5;
    request->input_tokens = 9;
    start();
    send(index, 1, 1);
    CHECK_UINT(seen.request.id, 5);
    CHECK_UINT(seen.request.attempt, 0);
    CHECK_UINT(seen.request.key_hash, 0);
    end(index, 2, LBP_OK);
}

/* --- reports -------------------------------------------------------------- */

static void without_reports_all_was_sent_since(void)
{
    uint32_t a = make_request(0, 1);

    start();
    send(a, 1, 1);
    CHECK_UINT(seen.since_report[1], 1);
    CHECK(seen.view.report_interval_ns < 0);
    end(a, 2, LBP_OK);
    CHECK_UINT(seen.since_report[1], 0);
}

/* Of a node that has nothing to tell. */
static void report(uint32_t node, int64_t made_at_ns, int64_t now_ns)
{
    struct lbp_node word = {.reported_at_ns = made_at_ns};

    balancer_reported(&balancer, node, &word, now_ns);
}

static void report_starts_the_count_anew(void)
{
    uint32_t a = make_request(0, 1), b = make_request(1, 1);

    setup.report_interval_ns = S;
    start();
    CHECK_INT(seen.view.report_interval_ns, S);
    send(a, 1, 1);
    CHECK_UINT(seen.since_report[1], 1); /* never reported: all are since */

    balancer_reported(
        &balancer, 1,
        &(struct lbp_node){.reported_at_ns = 10, .queue_depth = 4}, 10);
    CHECK_TEXT(seen.log, "cmpsr");
    CHECK_UINT(seen.slot, 1);
    CHECK_INT(seen.nodes[1].queue_depth, 4);
    CHECK_INT(seen.nodes[1].reported_at_ns, 10);
    CHECK_INT(seen.view.now_ns, 10);
    CHECK_UINT(seen.since_report[1], 0);
    CHECK_UINT(seen.in_flight[1], 1);
    send(b, 1, 11);
    CHECK_UINT(seen.since_report[1], 1);
    CHECK_UINT(seen.in_flight[1], 2);
}

/* Net: what was answered is taken out, if it was counted. */
static void answered_ones_leave_the_count_they_entered(void)
{
    uint32_t a = make_request(0, 1), b = make_request(1, 1);

    setup.report_interval_ns = S;
    start();
    send(a, 1, 1);
    report(1, 10, 10);
    send(b, 1, 11);
    end(a, 12, LBP_OK); /* the report knew of it */
    CHECK_UINT(seen.since_report[1], 1);
    end(b, 13, LBP_OK);
    CHECK_UINT(seen.since_report[1], 0);
    CHECK_UINT(seen.in_flight[1], 0);
}

/* Order decides within one instant: what was sent right before a report enters
   nothing and leaves nothing, what was sent behind it is counted until it
   ends. */
static void order_decides_within_the_instant_of_a_report(void)
{
    uint32_t a = make_request(0, 1), b = make_request(1, 1);

    setup.report_interval_ns = S;
    start();
    send(a, 1, 10);
    report(1, 10, 10);
    CHECK_UINT(seen.since_report[1], 0);
    send(b, 1, 10);
    CHECK_UINT(seen.since_report[1], 1);
    CHECK_UINT(seen.in_flight[1], 2);
    end(a, 11, LBP_OK);
    CHECK_UINT(seen.since_report[1], 1);
    end(b, 12, LBP_OK);
    CHECK_UINT(seen.since_report[1], 0);
    CHECK_UINT(seen.in_flight[1], 0);
}

static void report_concerns_its_node_alone(void)
{
    uint32_t a = make_request(0, 1), b = make_request(1, 1);

    setup.report_interval_ns = S;
    start();
    send(a, 0, 1);
    send(b, 1, 1);
    report(1, 10, 10);
    CHECK_UINT(seen.since_report[0], 1);
    CHECK_UINT(seen.since_report[1], 0);
    CHECK_INT(seen.nodes[0].reported_at_ns, LBP_NO_TIME);
}

/* All that nodes report is shown, and nothing else of the word. */
static void report_shows_all_that_nodes_tell(void)
{
    struct lbp_node word = {.reported_at_ns = 10,
                            .gpu_use = 0.1,
                            .cpu_use = 0.2,
                            .memory_use = 0.3,
                            .kv_use = 0.4,
                            .queue_depth = 5,
                            .running = 6,
                            .requests_per_s = 7,
                            .errors_per_s = 8,
                            .weight = 99,
                            .health = LBP_DRAINING};
    struct lbp_node before;

    setup.report_interval_ns = S;
    start();
    before = balancer.nodes[1];
    balancer_reported(&balancer, 1, &word, 12);
    CHECK_INT(seen.nodes[1].reported_at_ns, 10);
    CHECK_NEAR(seen.nodes[1].gpu_use, 0.1, 0);
    CHECK_NEAR(seen.nodes[1].cpu_use, 0.2, 0);
    CHECK_NEAR(seen.nodes[1].memory_use, 0.3, 0);
    CHECK_NEAR(seen.nodes[1].kv_use, 0.4, 0);
    CHECK_INT(seen.nodes[1].queue_depth, 5);
    CHECK_INT(seen.nodes[1].running, 6);
    CHECK_NEAR(seen.nodes[1].requests_per_s, 7, 0);
    CHECK_NEAR(seen.nodes[1].errors_per_s, 8, 0);
    CHECK_UINT(seen.nodes[1].weight, before.weight);
    CHECK_UINT(seen.nodes[1].health, before.health);
    CHECK_INT(seen.view.now_ns, 12);
}

/* A report made at 10 arrives at 20: it knows of a, not of b and c. */
static void late_report_knows_what_was_sent_before_it_was_made(void)
{
    uint32_t a = make_request(0, 1), b = make_request(1, 1);
    uint32_t c = make_request(2, 1);

    setup.report_interval_ns = S;
    setup.late_reports = 2;
    start();
    send(a, 1, 1);
    balancer_report_made(&balancer, 1, 10);
    CHECK_UINT(balancer.since_report[1], 1);
    send(b, 1, 11);
    send(c, 1, 15);
    report(1, 10, 20);
    CHECK_UINT(seen.since_report[1], 2);
    CHECK_INT(seen.nodes[1].reported_at_ns, 10);
    end(a, 21, LBP_OK);
    CHECK_UINT(seen.since_report[1], 2);
    end(b, 22, LBP_OK);
    CHECK_UINT(seen.since_report[1], 1);
    end(c, 23, LBP_OK);
    CHECK_UINT(seen.since_report[1], 0);
}

static void lost_report_changes_nothing(void)
{
    uint32_t a = make_request(0, 1), b = make_request(1, 1);

    setup.report_interval_ns = S;
    setup.late_reports = 2;
    start();
    send(a, 1, 1);
    balancer_report_made(&balancer, 1, 10);
    send(b, 1, 12);
    balancer_report_made(&balancer, 1, 15);
    balancer_report_lost(&balancer, 1);
    CHECK_UINT(balancer.since_report[1], 2);
    CHECK_INT(balancer.nodes[1].reported_at_ns, LBP_NO_TIME);
    end(a, 16, LBP_OK);
    CHECK_UINT(seen.since_report[1], 1);
    report(1, 15, 25);
    CHECK_UINT(seen.since_report[1], 0);
    end(b, 26, LBP_OK);
    CHECK_UINT(seen.since_report[1], 0);
}

/* --- time and chance ------------------------------------------------------ */

static void timer_returns_what_the_policy_asks_for(void)
{
    start();
    answer_time_ns = 9 * S;
    CHECK_INT(balancer_timer(&balancer, 4 * S), 9 * S);
    CHECK_INT(seen.view.now_ns, 4 * S);
    answer_time_ns = LBP_NO_TIME;
    CHECK_INT(balancer_timer(&balancer, 9 * S), LBP_NO_TIME);
    CHECK_TEXT(seen.log, "cmtt");
}

/* The stream is the one handed in, and every draw is counted. */
static void draws_come_from_its_own_stream(void)
{
    struct rng same = setup.rng;

    start();
    CHECK_UINT(balancer.draws, 0);
    for (uint64_t bound = 1; bound < 40; bound++)
        CHECK_UINT(host->random_below(host->context, bound),
                   rng_below(&same, bound));
    CHECK_UINT(host->random_below(host->context, 0), rng_next(&same));
    CHECK_UINT(balancer.draws, 40);
}

static void it_knows_whether_it_was_asked(void)
{
    start();
    CHECK(!balancer_was_asked(&balancer));
    ask(make_request(5, 0), 7, false);
    CHECK(balancer_was_asked(&balancer));
}

static void release_accepts_nothing(void)
{
    start();
    host->release(host->context, NULL);
    CHECK(!host->probe);
    CHECK(!host->resident_blocks);
}

static void deadline_is_arrival_and_time_out(void)
{
    uint32_t index;

    setup.deadline_after_ns = 60 * S;
    start();
    index = make_request(5, 0);
    ask(index, 7, false);
    CHECK_INT(seen.request.deadline_ns, 60 * S + 5);
}

static void without_time_out_there_is_no_deadline(void)
{
    uint32_t index;

    start();
    index = make_request(5, 0);
    ask(index, 7, false);
    CHECK_INT(seen.request.deadline_ns, LBP_NO_TIME);
}

static const struct workload_class classes[] = {
    {.name = "chat", .priority = 3, .deadline_ns = 2 * S},
    {.name = "batch", .deadline_ns = INT64_MAX},
};

static void class_says_what_it_is_and_how_urgent(void)
{
    uint32_t chat = make_request(5, 0), batch = make_request(6, 0);

    slab.has_extras = true;
    setup.classes = classes;
    start();
    request_at(&slab, chat)->taken_for = 0;
    request_at(&slab, batch)->taken_for = 1;
    ask(chat, 7, false);
    CHECK_UINT(seen.request.request_class, 0);
    CHECK_INT(seen.request.priority, 3);
    CHECK_INT(seen.request.deadline_ns, 2 * S + 5);
    ask(batch, 8, false); /* nothing is left of the other's */
    CHECK_UINT(seen.request.request_class, 1);
    CHECK_INT(seen.request.priority, 0);
    CHECK_INT(seen.request.deadline_ns, LBP_NO_TIME);
}

static void what_comes_first_is_the_deadline(void)
{
    uint32_t chat = make_request(5, 0), batch = make_request(6, 0);

    setup.classes = classes;
    setup.deadline_after_ns = 3 * S;
    start();
    request_at(&slab, chat)->taken_for = 0;
    request_at(&slab, batch)->taken_for = 1;
    ask(chat, 7, false);
    CHECK_INT(seen.request.deadline_ns, 2 * S + 5);
    ask(batch, 8, false);
    CHECK_INT(seen.request.deadline_ns, 3 * S + 6);
}

/* The same answer, one pick counted, and the next one is not timed. */
static void timed_pick_is_a_pick_like_any_other(void)
{
    uint32_t index;

    start();
    index = make_request(5, 0);
    answer_slot = 2;
    balancer_time_next_pick(&balancer);
    CHECK_INT(ask(index, 7, false), LBP_PICKED);
    CHECK_UINT(balancer.timed_picks, 1);
    CHECK_INT(ask(index, 8, false), LBP_PICKED);
    CHECK_UINT(balancer.timed_picks, 1);
}

int main(int argc, char **argv)
{
    CU_TestInfo keys[] = {
        {"are not written out unless needed",
         key_is_not_written_out_unless_needed},
        {"synthetic ones are shown as text", synthetic_key_is_shown_as_text},
        {"of a trace are shown as they are", key_of_a_trace_is_shown_as_it_is},
        {"may be absent", request_without_key_shows_none},
        {"need no columns when there are none", plain_requests_need_no_columns},
        {"the deadline is arrival and time-out",
         deadline_is_arrival_and_time_out},
        {"without time-out there is no deadline",
         without_time_out_there_is_no_deadline},
        {"the class says what it is and how urgent",
         class_says_what_it_is_and_how_urgent},
        {"what comes first is the deadline", what_comes_first_is_the_deadline},
        {"a timed pick is a pick like any other",
         timed_pick_is_a_pick_like_any_other},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo reports[] = {
        {"without any, all was sent since", without_reports_all_was_sent_since},
        {"start the count anew", report_starts_the_count_anew},
        {"show all that nodes tell", report_shows_all_that_nodes_tell},
        {"late ones know what was sent before they were made",
         late_report_knows_what_was_sent_before_it_was_made},
        {"lost ones change nothing", lost_report_changes_nothing},
        {"answered ones leave the count they entered",
         answered_ones_leave_the_count_they_entered},
        {"come before what is sent at that instant",
         order_decides_within_the_instant_of_a_report},
        {"concern their node alone", report_concerns_its_node_alone},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo services[] = {
        {"timer returns what the policy asks for",
         timer_returns_what_the_policy_asks_for},
        {"draws come from its own stream", draws_come_from_its_own_stream},
        {"it knows whether it was asked", it_knows_whether_it_was_asked},
        {"release accepts nothing", release_accepts_nothing},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("balancer keys", NULL, NULL, prepare, forget, keys),
        SUITE("balancer reports", NULL, NULL, prepare, forget, reports),
        SUITE("balancer services", NULL, NULL, prepare, forget, services),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
