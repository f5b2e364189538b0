/*
 * What a policy is told beforehand, and how far off its predictions are
 * written down. The policy of these tests writes down what it is shown.
 */
#include "tests/unit/frontdoor/recording.h"

/* What the policy predicts; negative: nothing. */
static int64_t prediction_ns;

static enum lbp_status predict(void *state, const struct lbp_view *view,
                               const struct lbp_request *request,
                               uint32_t *ret_slot,
                               struct lbp_explanation *explanation)
{
    CHECK((explanation != NULL) == ((ops.needs & LBP_PREDICTS) != 0));
    if (explanation)
        explanation->expected_ns = prediction_ns;
    return pick(state, view, request, ret_slot, explanation);
}

static void prepare_foresight(void)
{
    prepare();
    ops.pick = predict;
    prediction_ns = -1;
    slab.with_foresight = true;
    setup.costs = (struct foresight_costs){true, 0.5, 0.01, 0.1};
}

static void start_with(enum policy_hints hints, uint32_t needs)
{
    policy.hints = hints;
    ops.needs = needs;
    start();
}

/* 200 in and 50 out. */
static uint32_t make_known(uint64_t number, double need, unsigned flags)
{
    uint32_t index = make_request(number, 200);

    request_at(&slab, index)->need = need;
    request_at(&slab, index)->flags = (uint8_t)flags;
    return index;
}

static void check_hints(uint32_t tokens, int64_t ns)
{
    CHECK_UINT(seen.request.output_tokens_hint, tokens);
    CHECK_INT(seen.request.work_hint_ns, ns);
}

static void without_hints_nothing_is_told(void)
{
    uint32_t index = make_known(0, 3, REQUEST_TOKENS);

    start_with(POLICY_HINTS_NONE, LBP_PREDICTS);
    send(index, 1, S);
    check_hints(0, 0);
    CHECK_UINT(seen.tokens[1], 200);
    end(index, 2 * S, LBP_OK);
    send(make_known(1, 3, 0), 1, 3 * S);
    check_hints(0, 0);
}

/* By tokens: 3 x (0.5 + 200 x 0.01 + 50 x 0.1) = 22.5 s. By its own need: 3 s.
   In flight count 250 tokens, and none when it is over. */
static void exact_hints_are_the_truth(void)
{
    uint32_t index = make_known(0, 3, REQUEST_TOKENS);

    start_with(POLICY_HINTS_EXACT, 0);
    send(index, 1, S);
    check_hints(50, 22500 * (S / 1000));
    CHECK_TEXT(seen.log, "cmps");
    CHECK_UINT(seen.tokens[1], 250);
    request_at(&slab, index)->need = 9; /* as if drawn anew */
    end(index, 2 * S, LBP_OK);
    check_hints(50, 22500 * (S / 1000)); /* as at its pick */
    CHECK_UINT(seen.tokens[1], 0);
    index = make_known(1, 3, 0);
    send(index, 1, 3 * S);
    check_hints(50, 3 * S);
}

/* Where tokens cost differently from node to node, there is no work at speed
   1. */
static void work_is_not_told_without_common_costs(void)
{
    setup.costs.known = false;
    start_with(POLICY_HINTS_EXACT, 0);
    send(make_known(0, 3, REQUEST_TOKENS), 1, S);
    check_hints(50, 0);
}

/* Nothing before the first answer; then its 50 tokens and 22.5 s; an answer
   from a cache tells its length alone, and a failure nothing. */
static void history_follows_answers(void)
{
    uint32_t first = make_known(0, 3, REQUEST_TOKENS);
    uint32_t second = make_known(1, 1, REQUEST_TOKENS | REQUEST_CACHED);
    uint32_t third = make_known(2, 1, REQUEST_TOKENS);

    start_with(POLICY_HINTS_HISTORY, 0);
    send(first, 0, S);
    check_hints(0, 0);
    send(third, 0, S);
    end(third, 2 * S, LBP_RESET);
    end(first, 3 * S, LBP_OK);
    check_hints(0, 0);
    send(second, 0, 4 * S);
    check_hints(50, 22500 * (S / 1000));
    request_at(&slab, second)->output_tokens = 150;
    end(second, 5 * S, LBP_OK);
    send(make_known(3, 1, REQUEST_TOKENS), 2, 6 * S);
    check_hints(100, 22500 * (S / 1000));
}

/* Expected 4, took 3; expected 1, took 3; both measured. Another one that is
   not measured, one that failed and one without a word count for nothing. */
static void errors_of_predictions_add_up(void)
{
    const struct foresight_errors *errors = &balancer.foresight.errors;
    uint32_t index = make_known(0, 1, REQUEST_MEASURED);

    start_with(POLICY_HINTS_NONE, LBP_PREDICTS);
    prediction_ns = 4 * S;
    send(index, 0, S);
    end(index, 4 * S, LBP_OK);
    prediction_ns = S;
    send(index, 0, 5 * S);
    end(index, 8 * S, LBP_OK);
    send(index, 0, 9 * S);
    end(index, 10 * S, LBP_TIMEOUT);
    prediction_ns = -1;
    send(index, 0, 10 * S);
    end(index, 11 * S, LBP_OK);
    prediction_ns = S;
    index = make_known(1, 1, 0);
    send(index, 0, 12 * S);
    end(index, 14 * S, LBP_OK);
    CHECK_UINT(errors->count, 2);
    CHECK_NEAR(errors->expected_s, 5, 1e-9);
    CHECK_NEAR(errors->actual_s, 6, 1e-9);
    CHECK_NEAR(errors->absolute_s, 3, 1e-9);
}

/* A policy may have neither on_sent nor on_done. */
static void silent_policies_are_told_as_well(void)
{
    uint32_t index = make_known(0, 3, 0);

    ops.on_sent = NULL;
    ops.on_done = NULL;
    start_with(POLICY_HINTS_EXACT, 0);
    send(index, 1, S);
    end(index, 2 * S, LBP_OK);
    check_hints(50, 3 * S);
    CHECK_UINT(balancer.in_flight_tokens[1], 0);
}

/* Kinds are kept apart once they have eight answers. */
static void kinds_are_kept_apart(void)
{
    static struct hint_history history;
    struct lbp_request chat = {.input_tokens = 100}, code = {.model = 1};
    struct hint hint;

    for (uint32_t i = 0; i < 8; i++) {
        hint_history_learn(&history, &chat, &(struct hint){100, 10});
        hint_history_learn(&history, &code, &(struct hint){300, 30});
    }
    hint = hint_history_expect(&history, &chat);
    CHECK_UINT(hint.output_tokens, 100);
    CHECK_INT(hint.work_ns, 10);
    hint = hint_history_expect(&history, &code);
    CHECK_UINT(hint.output_tokens, 300);
    code.request_class = 1;
    hint = hint_history_expect(&history, &code);
    CHECK_UINT(hint.output_tokens, 200);
    CHECK_INT(hint.work_ns, 20);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"without hints nothing is told", without_hints_nothing_is_told},
        {"exact hints are the truth", exact_hints_are_the_truth},
        {"work is not told without common costs",
         work_is_not_told_without_common_costs},
        {"history follows answers", history_follows_answers},
        {"errors of predictions add up", errors_of_predictions_add_up},
        {"silent policies are told as well", silent_policies_are_told_as_well},
        {"kinds are kept apart", kinds_are_kept_apart},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("foresight", NULL, NULL, prepare_foresight, forget, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
