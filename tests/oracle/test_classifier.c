/*
 * Who is mistaken about what is a matter of the request: it must not change
 * with the policy, with answers that come sooner or later, nor with traffic on
 * top. A request is known by its number of tokens, drawn out of nine hundred
 * million.
 */
#include "tests/oracle/harness.h"

#include <stdlib.h>
#include <string.h>

#define TOKENS_MAX 900000000u /* of the main workload; overlays ask more */
#define GUESSES_MAX 20000

struct guess {
    uint32_t tokens, taken_for;
};

/* A policy that writes down what it is told. stubborn: always the first
   node. */
struct config {
    bool stubborn;
    struct guess guesses[GUESSES_MAX];
    uint32_t count;
};

static void *create(const void *config, const struct lbp_host *host)
{
    (void)host;
    return *(struct config *const *)config;
}

static void destroy(void *state)
{
    (void)state;
}

static enum lbp_status pick(void *state, const struct lbp_view *view,
                            const struct lbp_request *request,
                            uint32_t *ret_slot,
                            struct lbp_explanation *explanation)
{
    struct config *config = state;

    (void)explanation;
    *ret_slot =
        config->stubborn ? 0 : (uint32_t)(request->id % view->slot_count);
    if (request->input_tokens <= TOKENS_MAX && config->count < GUESSES_MAX)
        config->guesses[config->count++] =
            (struct guess){request->input_tokens, request->request_class};
    return LBP_PICKED;
}

static int by_tokens(const void *a, const void *b)
{
    const struct guess *x = a, *y = b;

    return (x->tokens > y->tokens) - (x->tokens < y->tokens);
}

#define SCENARIO                                                                         \
    "lbsim: 1\nduration: 200 s\nseed: 5\nworkload:\n"                                    \
    "  arrivals: {%s}\n"                                                                 \
    "  input_tokens: {dist: uniform, min: 1, max: 900000000}\n"                          \
    "  work: {dist: exponential, mean: 100 ms}\n"                                        \
    "  classes: [{name: a, share: 50 %%}, {name: b, share: 30 %%}, {name: "              \
    "c, share: 20 %%}]\n%s"                                                              \
    "nodes: [{group: g, count: 3, engine: {slots: 1}}]\nclassifier: {accuracy: 60 %%}\n" \
    "policies: [random]\n"

#define CLOSED \
    "process: closed, clients: 8, think: {dist: exponential, mean: 200 ms}"
#define OVERLAY                                                          \
    "  overlay:\n    - {arrivals: {process: poisson, rate: 5/s}, work: " \
    "{dist: exponential, mean: 100 ms}, input_tokens: {dist: constant, " \
    "value: 1000000000}}\n"

/* What was guessed, sorted by request. */
static void guess_all(struct config *config, const char *arrivals,
                      const char *overlay)
{
    static const struct lbp_ops ops = {.abi = LBP_ABI,
                                       .size = sizeof ops,
                                       .name = "writes_down",
                                       .summary = "writes down",
                                       .tie_rule = "none",
                                       .config_size = sizeof config,
                                       .create = create,
                                       .destroy = destroy,
                                       .pick = pick};
    struct trial trial;

    config->count = 0;
    if (trial_load(&trial, SCENARIO, arrivals, overlay)) {
        trial_use_policy(&trial, &ops, &config);
        CHECK(trial_run(&trial, 1));
    }
    trial_done(&trial);
    qsort(config->guesses, config->count, sizeof *config->guesses, by_tokens);
}

/* Of the requests that are in both: how many, none guessed otherwise. */
static uint32_t compare(const struct config *one, const struct config *other)
{
    uint32_t both = 0, unlike = 0;

    for (uint32_t i = 0, k = 0; i < one->count && k < other->count;) {
        const struct guess *x = &one->guesses[i], *y = &other->guesses[k];

        both += x->tokens == y->tokens;
        unlike += x->tokens == y->tokens && x->taken_for != y->taken_for;
        i += x->tokens <= y->tokens;
        k += y->tokens <= x->tokens;
    }
    CHECK_UINT(unlike, 0);
    return both;
}

static struct config *make_configs(void)
{
    struct config *configs = calloc(2, sizeof *configs);

    if (!configs)
        abort();
    configs[1].stubborn = true;
    return configs;
}

/* Its clients have other answers at other times, so the order differs too. One
   node of three answers at most 2000 requests in 200 s. */
static void policies_see_the_same_guesses(void)
{
    struct config *configs = make_configs();

    guess_all(&configs[0], CLOSED, "");
    guess_all(&configs[1], CLOSED, "");
    CHECK(configs[0].count > configs[1].count + 1000);
    CHECK(compare(&configs[0], &configs[1]) > 1500);
    free(configs);
}

/* 200 s of 10 a second: all are in both, and as many as without. */
static void overlays_change_no_guess(void)
{
    struct config *configs = make_configs();

    guess_all(&configs[0], "process: poisson, rate: 10/s", "");
    guess_all(&configs[1], "process: poisson, rate: 10/s", OVERLAY);
    CHECK_UINT(configs[0].count, configs[1].count);
    CHECK_UINT(compare(&configs[0], &configs[1]), configs[0].count);
    CHECK(configs[0].count > 1500);
    guess_all(&configs[0], CLOSED, "");
    guess_all(&configs[1], CLOSED, OVERLAY);
    CHECK(compare(&configs[0], &configs[1]) > 500);
    free(configs);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"policies see the same guesses", policies_see_the_same_guesses},
        {"overlays change no guess", overlays_change_no_guess},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("classifier errors", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };

    return check_main(argc, argv, suites);
}
