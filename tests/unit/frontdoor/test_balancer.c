/*
 * A balancer keeps the host's side of policies/lbp.h. The policy of these
 * tests writes down what it is shown, at each of its callbacks, and answers as
 * the test says.
 */
#include "tests/unit/frontdoor/recording.h"

/* --- members -------------------------------------------------------------- */

static void members_are_shown_right_after_create(void)
{
    int config;

    policy.config = &config;
    start();
    CHECK_TEXT(seen.log, "cm");
    CHECK(seen.config == &config);
    CHECK_UINT(seen.view.size, sizeof(struct lbp_view));
    CHECK_UINT(host->size, sizeof(struct lbp_host));
    CHECK_UINT(seen.view.slot_count, NODES);
    CHECK_UINT(seen.view.balancer_index, 1);
    CHECK_UINT(seen.view.balancer_count, 4);
    CHECK_INT(seen.view.now_ns, 0);
    CHECK_TEXT(seen.nodes[2].key, "gpu-2");
    CHECK_UINT(seen.nodes[2].weight, 1);
    for (uint32_t i = 0; i < NODES; i++)
        CHECK_UINT(seen.in_flight[i] + seen.since_report[i] + seen.tokens[i],
                   0);
    forget();
    CHECK_TEXT(seen.log, "cmx");
    CHECK(seen.destroyed != NULL);
}

static void unhealthy_node_is_shown_and_not_eligible(void)
{
    uint32_t index = make_request(0, 1);

    start();
    CHECK(balancer_believe(&balancer, 1, false, 3 * S));
    CHECK_TEXT(seen.log, "cmm");
    CHECK_INT(seen.view.now_ns, 3 * S);
    CHECK_UINT(seen.nodes[1].health, LBP_UNHEALTHY);
    ask(index, 4 * S, false);
    CHECK_UINT(seen.eligible, 5); /* nodes 0 and 2 */
    CHECK_UINT(seen.request.eligible_count, 2);

    CHECK(balancer_believe(&balancer, 1, true, 9 * S));
    CHECK_UINT(seen.nodes[1].health, LBP_HEALTHY);
    CHECK_INT(seen.nodes[1].up_since_ns, 9 * S);
    ask(index, 9 * S, false);
    CHECK_UINT(seen.eligible, 7);
    CHECK_UINT(seen.request.eligible_count, 3);
}

/* Health never makes up for a weight of 0. */
static void node_of_no_weight_takes_nothing(void)
{
    uint32_t index = make_request(0, 1);

    described[0].weight = 0;
    answer_slot = 1;
    start();
    ask(index, S, false);
    CHECK_UINT(seen.eligible, 6);
    CHECK_UINT(seen.request.eligible_count, 2);
    balancer_believe(&balancer, 0, false, 2 * S);
    balancer_believe(&balancer, 0, true, 3 * S);
    ask(index, 4 * S, false);
    CHECK_UINT(seen.eligible, 6);
    CHECK_UINT(seen.request.eligible_count, 2);
}

/* Believing twice what was believed before counts once. */
static void same_belief_again_changes_nothing(void)
{
    uint32_t index = make_request(0, 1);

    start();
    balancer_believe(&balancer, 2, false, S);
    balancer_believe(&balancer, 2, false, 2 * S);
    ask(index, 2 * S, false);
    CHECK_UINT(seen.request.eligible_count, 2);
}

static void eligible_nodes_beyond_the_first_word_are_counted(void)
{
    static struct lbp_node many[130];
    uint32_t index = make_request(0, 1);

    for (uint32_t i = 0; i < 130; i++)
        describe(&many[i], "n", i != 64); /* all but one */
    setup.nodes = many;
    setup.node_count = 130;
    answer_slot = 128;
    start();
    balancer_believe(&balancer, 127, false, S);
    ask(index, S, false);
    CHECK_UINT(seen.request.eligible_count, 128);
    CHECK_UINT(balancer.eligible[1], UINT64_MAX >> 1 & ~(uint64_t)1);
    answer_slot = 127;
    ask(index, S, true);
}

static void policy_without_memory_is_no_balancer(void)
{
    has_memory_to_start = false;
    CHECK(!balancer_init(&balancer, &setup));
    balancer_done(&balancer);
    CHECK_TEXT(seen.log, "c"); /* nothing was made, nothing to destroy */

    has_memory_to_start = true;
    has_memory_for_members = false;
    CHECK(!balancer_init(&balancer, &setup));
    balancer_done(&balancer);
    CHECK_TEXT(seen.log, "ccmx");
}

static void policy_without_memory_for_a_change_is_heard(void)
{
    start();
    has_memory_for_members = false;
    CHECK(!balancer_believe(&balancer, 0, false, S));
}

/* --- pick, sent, done ----------------------------------------------------- */

static void counts_show_the_state_after_the_event(void)
{
    uint32_t a = make_request(0, 100), b = make_request(1, 30);

    start();
    answer_slot = 2;
    ask(a, S, false);
    CHECK_TEXT(seen.log, "cmp");
    CHECK_UINT(seen.in_flight[2], 0); /* asking counts nothing */
    send(a, 2, S);
    CHECK_TEXT(seen.log, "cmpps");
    CHECK_UINT(seen.slot, 2);
    CHECK_UINT(seen.in_flight[2], 1);
    CHECK_UINT(seen.tokens[2], 100);
    send(b, 2, 2 * S);
    CHECK_UINT(seen.in_flight[2], 2);
    CHECK_UINT(seen.tokens[2], 130);
    end(a, 5 * S, LBP_OK);
    CHECK_TEXT(seen.log, "cmppspsd");
    CHECK_UINT(seen.in_flight[2], 1);
    CHECK_UINT(seen.tokens[2], 30);
    CHECK_UINT(seen.in_flight[0] + seen.in_flight[1], 0);
}

static void time_is_that_of_the_call(void)
{
    uint32_t a = make_request(0, 1);

    start();
    answer_slot = 0;
    ask(a, 3 * S, false);
    CHECK_INT(seen.view.now_ns, 3 * S);
    send(a, 0, 4 * S);
    CHECK_INT(seen.view.now_ns, 4 * S);
    balancer_first_token(&balancer, &slab, request_at(&slab, a), a, 5 * S);
    CHECK_INT(seen.view.now_ns, 5 * S);
    end(a, 6 * S, LBP_OK);
    CHECK_INT(seen.view.now_ns, 6 * S);
}

/* Also when another request came in between. */
static void fields_are_the_same_from_pick_to_done(void)
{
    uint32_t a = make_request(40, 100), b = make_request(41, 7);

    start();
    send(a, 1, 50);
    CHECK_UINT(seen.request.id, 40);
    CHECK_UINT(seen.request.size, sizeof(struct lbp_request));
    CHECK_UINT(seen.request.input_tokens, 100);
    CHECK_INT(seen.request.arrived_at_ns, 40);
    CHECK_INT(seen.request.deadline_ns, LBP_NO_TIME);
    CHECK_UINT(seen.request.output_tokens_hint, 0);
    send(b, 0, 60);
    CHECK_UINT(seen.request.id, 41);
    balancer_first_token(&balancer, &slab, request_at(&slab, a), a, 65);
    CHECK_TEXT(seen.log, "cmpspsf");
    CHECK_UINT(seen.slot, 1);
    CHECK_UINT(seen.request.id, 40);
    end(a, 70, LBP_OK);
    CHECK_UINT(seen.slot, 1);
    CHECK_UINT(seen.request.id, 40);
    CHECK_UINT(seen.request.input_tokens, 100);
    CHECK_INT(seen.request.arrived_at_ns, 40);
}

static void result_tells_of_the_attempt(void)
{
    uint32_t a = make_request(0, 100);

    start();
    send(a, 1, S);
    balancer_attempt_over(&balancer, &slab, request_at(&slab, a), a, 4 * S,
                          LBP_OK, 2 * S);
    CHECK_UINT(seen.result.size, sizeof(struct lbp_result));
    CHECK_INT(seen.result.outcome, LBP_OK);
    CHECK_INT(seen.result.sent_at_ns, S);
    CHECK_INT(seen.result.first_token_at_ns, 2 * S);
    CHECK_INT(seen.result.done_at_ns, 4 * S);
    CHECK_UINT(seen.result.input_tokens, 100);
    CHECK_UINT(seen.result.output_tokens, 50);
}

/* The true length of an answer shows only with the answer. */
static void failure_tells_no_length(void)
{
    uint32_t a = make_request(0, 100);

    start();
    send(a, 1, S);
    end(a, 4 * S, LBP_TIMEOUT);
    CHECK_INT(seen.result.outcome, LBP_TIMEOUT);
    CHECK_INT(seen.result.first_token_at_ns, LBP_NO_TIME);
    CHECK_UINT(seen.result.output_tokens, 0);
}

static void notes_are_zero_at_pick_and_kept_until_done(void)
{
    uint32_t a = make_request(0, 1), b = make_request(1, 1);

    start();
    answer_note = 1000;
    answer_slot = 0;
    ask(a, 1, false);
    ask(a, 1, false); /* nothing is left of what was not sent */
    CHECK_UINT(seen.note[0] | seen.note[1], 0);
    send(a, 0, 1);
    CHECK_UINT(seen.note[0], 1000);
    answer_note = 2000;
    send(b, 0, 2);
    end(a, 3, LBP_OK);
    CHECK_UINT(seen.note[0], 1000);
    CHECK_UINT(seen.note[1], ~UINT64_C(1000));
    end(b, 4, LBP_OK);
    CHECK_UINT(seen.note[0], 2000);
}

static void notes_are_zero_again_at_the_next_attempt(void)
{
    uint32_t a = make_request(0, 1);

    start();
    answer_note = 1000;
    send(a, 0, 1);
    fail(a, 2);
    answer_slot = 1;
    ask(a, 3, false);
    CHECK_UINT(seen.note[0] | seen.note[1], 0);
}

static void callbacks_may_be_absent(void)
{
    uint32_t a = make_request(0, 10);

    ops.on_members = NULL;
    ops.on_sent = NULL;
    ops.on_done = NULL;
    ops.on_report = NULL;
    start();
    send(a, 0, 1);
    balancer_reported(&balancer, 0, &(struct lbp_node){.reported_at_ns = 2}, 2);
    CHECK(balancer_believe(&balancer, 1, false, 3));
    CHECK_UINT(balancer.in_flight[0], 1);
    end(a, 4, LBP_OK);
    CHECK_UINT(balancer.in_flight[0], 0);
    CHECK_UINT(balancer.in_flight_tokens[0], 0);
    CHECK_TEXT(seen.log, "cp");
}

/* --- answers of the policy ------------------------------------------------ */

static void answers_that_send_nothing_are_passed_on(void)
{
    uint32_t a = make_request(0, 1);

    start();
    answer_slot = 77; /* means nothing with these */
    answer = LBP_WAIT;
    CHECK_INT(ask(a, 1, false), LBP_WAIT);
    answer = LBP_REFUSE;
    CHECK_INT(ask(a, 2, false), LBP_REFUSE);
    answer = LBP_NO_NODE;
    CHECK_INT(ask(a, 3, false), LBP_NO_NODE);
}

static void naming_a_node_that_is_not_there_is_broken(void)
{
    uint32_t a = make_request(0, 1);

    start();
    answer_slot = NODES;
    ask(a, 1, true);
    answer_slot = LBP_NO_SLOT;
    ask(a, 1, true);
}

static void naming_an_ineligible_node_is_broken(void)
{
    uint32_t a = make_request(0, 1);

    start();
    balancer_believe(&balancer, 1, false, S);
    answer_slot = 1;
    ask(a, S, true);
}

static void naming_a_tried_node_is_broken(void)
{
    uint32_t a = make_request(0, 1), b = make_request(1, 1);

    start();
    send(a, 1, 1);
    fail(a, 2);
    answer_slot = 1;
    ask(a, 3, true);
    ask(b, 3, false); /* another request may go there */
}

/* The host answers itself, without asking. */
static void nobody_is_asked_when_nothing_is_eligible(void)
{
    uint32_t a = make_request(0, 1);

    start();
    for (uint32_t i = 0; i < NODES; i++)
        balancer_believe(&balancer, i, false, S);
    CHECK_INT(ask(a, S, false), LBP_NO_NODE);
    CHECK_TEXT(seen.log, "cmmmm");
}

/* --- retries -------------------------------------------------------------- */

static void tried_nodes_are_not_eligible_for_that_request(void)
{
    uint32_t a = make_request(0, 1), b = make_request(1, 1);

    start();
    send(a, 1, 1);
    CHECK_UINT(seen.request.attempt, 0);
    fail(a, 2);
    CHECK_UINT(seen.request.attempt, 0); /* still that of the attempt */
    send(a, 2, 3);
    CHECK_UINT(seen.request.attempt, 1);
    CHECK_UINT(seen.eligible, 5);
    fail(a, 4);
    answer_slot = 0;
    ask(a, 5, false);
    CHECK_UINT(seen.request.attempt, 2);
    CHECK_UINT(seen.eligible, 1);
    CHECK_UINT(seen.request.eligible_count, 1);
    ask(b, 5, false);
    CHECK_UINT(seen.request.attempt, 0);
    CHECK_UINT(seen.eligible, 7);
    CHECK_UINT(seen.request.eligible_count, 3);
}

/* A node that is both tried and unhealthy leaves the count once. */
static void tried_and_unhealthy_counts_once(void)
{
    uint32_t a = make_request(0, 1);

    start();
    send(a, 1, 1);
    fail(a, 2);
    balancer_believe(&balancer, 1, false, 3);
    answer_slot = 2;
    ask(a, 4, false);
    CHECK_UINT(seen.eligible, 5);
    CHECK_UINT(seen.request.eligible_count, 2);
}

static void nobody_is_asked_when_all_were_tried(void)
{
    uint32_t a = make_request(0, 1);

    start();
    balancer_believe(&balancer, 0, false, 1);
    send(a, 1, 2);
    fail(a, 3);
    send(a, 2, 4);
    fail(a, 5);
    CHECK_INT(ask(a, 6, false), LBP_NO_NODE);
    CHECK_TEXT(seen.log, "cmmpsdpsd");
}

int main(int argc, char **argv)
{
    CU_TestInfo members[] = {
        {"are shown right after create", members_are_shown_right_after_create},
        {"unhealthy ones are not eligible",
         unhealthy_node_is_shown_and_not_eligible},
        {"of no weight take nothing", node_of_no_weight_takes_nothing},
        {"the same belief again changes nothing",
         same_belief_again_changes_nothing},
        {"beyond the first word are counted",
         eligible_nodes_beyond_the_first_word_are_counted},
        {"policy without memory at the start",
         policy_without_memory_is_no_balancer},
        {"policy without memory for a change",
         policy_without_memory_for_a_change_is_heard},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo attempts[] = {
        {"counts show the state after the event",
         counts_show_the_state_after_the_event},
        {"time is that of the call", time_is_that_of_the_call},
        {"fields are the same from pick to done",
         fields_are_the_same_from_pick_to_done},
        {"result tells of the attempt", result_tells_of_the_attempt},
        {"failure tells no length", failure_tells_no_length},
        {"notes are zero at pick and kept until done",
         notes_are_zero_at_pick_and_kept_until_done},
        {"notes are zero again at the next attempt",
         notes_are_zero_again_at_the_next_attempt},
        {"callbacks may be absent", callbacks_may_be_absent},
        {"tried nodes are not eligible for that request",
         tried_nodes_are_not_eligible_for_that_request},
        {"tried and unhealthy counts once", tried_and_unhealthy_counts_once},
        {"nobody is asked when all were tried",
         nobody_is_asked_when_all_were_tried},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo answers[] = {
        {"that send nothing are passed on",
         answers_that_send_nothing_are_passed_on},
        {"naming a node that is not there",
         naming_a_node_that_is_not_there_is_broken},
        {"naming an ineligible node", naming_an_ineligible_node_is_broken},
        {"naming a tried node", naming_a_tried_node_is_broken},
        {"are not asked for when nothing is eligible",
         nobody_is_asked_when_nothing_is_eligible},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("balancer members", NULL, NULL, prepare, forget, members),
        SUITE("balancer attempts", NULL, NULL, prepare, forget, attempts),
        SUITE("balancer answers", NULL, NULL, prepare, forget, answers),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
