/*
 * What a policy may answer besides naming a node, and what it may ask to be
 * told: policies written for the test, each of a few lines.
 */
#include "policies/lbp.h"
#include "tests/oracle/harness.h"

#include <math.h>

/* State of all of them: what the host told, kept where the test can see it. */
struct told {
    uint64_t timers, first_tokens, picks;
    int64_t times_ns[16];
};
struct told_config {
    struct told *told;
    uint32_t limit;
};

struct answers {
    struct told_config config;
    const struct lbp_host *host;
};

static void *answers_create(const void *config, const struct lbp_host *host)
{
    struct answers *answers = host->allocate(host->context, sizeof *answers);

    if (answers)
        *answers = (struct answers){*(const struct told_config *)config, host};
    return answers;
}

static void answers_destroy(void *state)
{
    struct answers *answers = state;

    if (answers)
        answers->host->release(answers->host->context, answers);
}

#define ANSWERS                                                             \
    .abi = LBP_ABI, .size = sizeof(struct lbp_ops), .summary = "of a test", \
    .tie_rule = "the first", .config_size = sizeof(struct told_config),     \
    .create = answers_create, .destroy = answers_destroy

/* --- LBP_WAIT: one queue at the front door is M/M/c ----------------------- */

static enum lbp_status pick_idle_or_wait(void *state,
                                         const struct lbp_view *view,
                                         const struct lbp_request *request,
                                         uint32_t *ret_slot,
                                         struct lbp_explanation *explanation)
{
    (void)state;
    (void)explanation;
    for (uint32_t slot = 0; slot < view->slot_count; slot++)
        if (lbp_eligible(request, slot) &&
            view->in_flight[slot] < lbp_node_at(view, slot)->slots) {
            *ret_slot = slot;
            return LBP_PICKED;
        }
    return LBP_WAIT;
}

static const struct lbp_ops central_queue = {ANSWERS, .name = "central_queue",
                                             .pick = pick_idle_or_wait};

static struct trial trial;
static struct told told;
static struct told_config config;

static void run_policy(const struct lbp_ops *ops, uint32_t limit, unsigned seed,
                       double seconds, double rate_per_s, unsigned nodes,
                       uint32_t replications)
{
    told = (struct told){0};
    config = (struct told_config){&told, limit};
    trial_load(&trial,
               "lbsim: 1\n"
               "duration: %.0f s\n"
               "warm_up: 10 %%\n"
               "seed: %u\n"
               "workload:\n"
               "  arrivals: {process: poisson, rate: %.1f/s}\n"
               "  work: {dist: exponential, mean: 1 s}\n"
               "nodes: [{group: n, count: %u}]\n"
               "policies: [random]\n",
               seconds, seed, rate_per_s, nodes);
    trial_use_policy(&trial, ops, &config);
    trial_run(&trial, replications);
}

static void forget_trial(void)
{
    trial_done(&trial);
}

/* Erlang C, Harchol-Balter 2013 ch. 14: M/M/4 at 0.8, time and percentiles,
   and its wait, all of it at the front door. */
static void waiting_makes_a_central_queue(void)
{
    run_policy(&central_queue, 0, 5001, 60000, 3.2, 4, 20);
    TRIAL_MEAN(&trial, M_LATENCY_MEAN, 1.74554059, 0.02);
    TRIAL_MEAN(&trial, M_LATENCY_P50, 1.346199054, 0.02);
    TRIAL_MEAN(&trial, M_LATENCY_P99, 6.893203749, 0.04);
    TRIAL_MEAN(&trial, M_WAIT_MEAN, 0.7455405897, 0.05);
    TRIAL_MEAN(&trial, M_IN_FLIGHT, 3.2, 0.01); /* those in service alone */
}

/* First come, first served at the door: with one node and constant work the
   answers leave in order, a second apart: r_k comes at (k + 1) / 2 s and is
   served from 0.5 + k to 1.5 + k. */
static void the_door_is_first_come_first_served(void)
{
    told = (struct told){0};
    config = (struct told_config){&told, 0};
    trial_load(&trial, "lbsim: 1\n"
                       "duration: 5.2 s\n"
                       "workload:\n"
                       "  arrivals: {process: deterministic, rate: 2/s}\n"
                       "  work: {dist: constant, value: 1 s}\n"
                       "nodes: [{group: n}]\n"
                       "policies: [random]\n");
    trial_use_policy(&trial, &central_queue, &config);
    trial.keep_latencies = true;
    trial_run(&trial, 1);
    CHECK_UINT(trial.results[0].latency_count, 10);
    for (uint64_t k = 0; k < trial.results[0].latency_count; k++)
        CHECK_NEAR(trial.results[0].latencies[k], 1 + (double)k / 2, 1e-9);
}

static enum lbp_status pick_never(void *state, const struct lbp_view *view,
                                  const struct lbp_request *request,
                                  uint32_t *ret_slot,
                                  struct lbp_explanation *explanation)
{
    (void)state;
    (void)view;
    (void)request;
    (void)ret_slot;
    (void)explanation;
    return LBP_WAIT;
}

static const struct lbp_ops never = {ANSWERS, .name = "never",
                                     .pick = pick_never};

/* Who is never let in leaves when the time is up, or when the run ends: of
   0.5, 1, 1.5 and 2 s all but the last are gone at 2.9 s. */
static void waiting_ends_with_the_time_out(void)
{
    trial_load(&trial, "lbsim: 1\n"
                       "duration: 2.2 s\n"
                       "drain: 0.7 s\n"
                       "workload:\n"
                       "  arrivals: {process: deterministic, rate: 2/s}\n"
                       "  work: {dist: constant, value: 1 s}\n"
                       "nodes: [{group: n}]\n"
                       "balancer: {timeout: {total: 1200 ms}}\n"
                       "policies: [random]\n");
    trial_use_policy(&trial, &never, &config);
    trial_run(&trial, 1);
    CHECK_UINT(trial.results[0].books.timed_out, 3);
    CHECK_UINT(trial.results[0].books.unfinished, 1);
}

/* --- LBP_REFUSE: M/M/1/K, K with the one in service ----------------------- */

static enum lbp_status pick_unless_full(void *state,
                                        const struct lbp_view *view,
                                        const struct lbp_request *request,
                                        uint32_t *ret_slot,
                                        struct lbp_explanation *explanation)
{
    const struct answers *answers = state;

    (void)request;
    (void)explanation;
    if (view->in_flight[0] >= answers->config.limit)
        return LBP_REFUSE;
    *ret_slot = 0;
    return LBP_PICKED;
}

static const struct lbp_ops bounded = {ANSWERS, .name = "bounded",
                                       .pick = pick_unless_full};

/* P = (1 - r) r^K / (1 - r^(K + 1)); the mean is that of the accepted. */
static void check_finite_queue(double rate_per_s, double refused, double time)
{
    double shares[20];

    run_policy(&bounded, 10, 5002, 120000, rate_per_s, 1, 20);
    for (uint32_t i = 0; i < trial.replications; i++)
        shares[i] = trial.results[i].values[M_REFUSED] /
                    trial.results[i].values[M_ARRIVED];
    trial_judge("share refused", trial_estimate_of(shares, trial.replications),
                refused, 0, 0.05 * refused, __LINE__, __FILE__, __func__);
    TRIAL_MEAN(&trial, M_LATENCY_MEAN, time, 0.02);
    trial_done(&trial);
}

static void refusing_makes_a_finite_queue(void)
{
    check_finite_queue(0.8, 0.02349285758, 3.797097504);
    check_finite_queue(1.2, 0.1925864951, 6.926137844);
}

/* --- being told ------------------------------------------------------------
 */

static enum lbp_status pick_first(void *state, const struct lbp_view *view,
                                  const struct lbp_request *request,
                                  uint32_t *ret_slot,
                                  struct lbp_explanation *explanation)
{
    const struct answers *answers = state;

    (void)view;
    (void)explanation;
    answers->config.told->picks++;
    *ret_slot = lbp_nth_eligible(request, 0);
    return LBP_PICKED;
}

static void note_time(struct told *what, uint64_t count, int64_t now_ns)
{
    if (count < sizeof what->times_ns / sizeof *what->times_ns)
        what->times_ns[count] = now_ns;
}

static int64_t every_second(void *state, const struct lbp_view *view)
{
    const struct answers *answers = state;
    struct told *what = answers->config.told;

    note_time(what, what->timers++, view->now_ns);
    return what->timers < 6 ? view->now_ns + 1000000000 : LBP_NO_TIME;
}

static const struct lbp_ops with_timer = {ANSWERS, .name = "with_timer",
                                          .pick = pick_first,
                                          .on_timer = every_second};

/* At 0 s, right after it was shown the nodes, to 5 s, and then never. */
static void timers_come_when_asked_for(void)
{
    run_policy(&with_timer, 0, 5003, 20, 1, 1, 1);
    CHECK_UINT(told.timers, 6);
    for (int i = 0; i < 6; i++)
        CHECK_INT(told.times_ns[i], i * (int64_t)1000000000);
}

static void hear_first_token(void *state, const struct lbp_view *view,
                             const struct lbp_request *request, uint32_t slot)
{
    const struct answers *answers = state;
    struct told *what = answers->config.told;

    (void)request;
    (void)slot;
    note_time(what, what->first_tokens++, view->now_ns);
}

static const struct lbp_ops with_first_token = {
    ANSWERS, .name = "with_first_token", .pick = pick_first,
    .on_first_token = hear_first_token};

/* Base 100 ms and 10 x 20 ms before the first token, 5 x 100 ms for the rest:
   requests of 1, 2, 3 and 4 s have it at .3, and are answered at .8. */
static void first_tokens_are_heard(void)
{
    told = (struct told){0};
    config = (struct told_config){&told, 0};
    trial_load(&trial, "lbsim: 1\n"
                       "duration: 4.5 s\n"
                       "workload:\n"
                       "  arrivals: {process: deterministic, rate: 1/s}\n"
                       "  input_tokens: {dist: constant, value: 10}\n"
                       "  output_tokens: {dist: constant, value: 5}\n"
                       "nodes: [{group: n, engine: {service: {base: 100 ms, "
                       "per_input_token: 20 ms, per_output_token: 100 ms}}}]\n"
                       "policies: [random]\n");
    trial_use_policy(&trial, &with_first_token, &config);
    trial.keep_latencies = true;
    trial_run(&trial, 1);
    CHECK_UINT(told.first_tokens, 4);
    for (int i = 0; i < 4; i++) {
        CHECK_INT(told.times_ns[i], (i + 1) * (int64_t)1000000000 + 300000000);
        CHECK_NEAR(trial.results[0].latencies[i], 0.8, 1e-9);
    }
    CHECK_NEAR(trial_mean(&trial, M_TTFT_MEAN), 0.3, 1e-9);
}

/* --- answers that are wrong -------------------------------------------------
 */

static enum lbp_status pick_limit(void *state, const struct lbp_view *view,
                                  const struct lbp_request *request,
                                  uint32_t *ret_slot,
                                  struct lbp_explanation *explanation)
{
    const struct answers *answers = state;

    (void)view;
    (void)request;
    (void)explanation;
    *ret_slot = answers->config.limit;
    return LBP_PICKED;
}

static enum lbp_status pick_nobody(void *state, const struct lbp_view *view,
                                   const struct lbp_request *request,
                                   uint32_t *ret_slot,
                                   struct lbp_explanation *explanation)
{
    (void)state;
    (void)view;
    (void)request;
    (void)ret_slot;
    (void)explanation;
    return LBP_NO_NODE;
}

static const struct lbp_ops stubborn = {ANSWERS, .name = "stubborn",
                                        .pick = pick_limit};
static const struct lbp_ops nobody = {ANSWERS, .name = "nobody",
                                      .pick = pick_nobody};

/* Slot 1 has weight 0, slot 2 does not exist. */
static void an_ineligible_node_is_an_error(void)
{
    static const uint32_t slots[] = {0, 1, 2, LBP_NO_SLOT};

    for (int i = 0; i < 4; i++) {
        struct run_result result;

        config = (struct told_config){&told, slots[i]};
        trial_load(&trial, "lbsim: 1\n"
                           "duration: 20 s\n"
                           "workload:\n"
                           "  arrivals: {process: poisson, rate: 1/s}\n"
                           "  work: {dist: exponential, mean: 1 s}\n"
                           "nodes: [{group: n}, {group: m, weight: 0}]\n"
                           "policies: [random]\n");
        trial_use_policy(&trial, &stubborn, &config);
        CHECK_INT(trial_run_one(&trial, 1, &result),
                  i == 0 ? SIM_OK : SIM_POLICY_ERROR);
        run_result_done(&result);
        trial_done(&trial);
    }
}

static void naming_nobody_fails_the_request(void)
{
    run_policy(&nobody, 0, 5004, 100, 1, 2, 1);
    CHECK(trial_mean(&trial, M_ARRIVED) > 50);
    CHECK_NEAR(trial_mean(&trial, M_FAILED), trial_mean(&trial, M_ARRIVED), 0);
    CHECK_NEAR(trial_mean(&trial, M_ERRORS_NO_NODE),
               trial_mean(&trial, M_ARRIVED), 0);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"waiting makes a central queue", waiting_makes_a_central_queue},
        {"the door is first come, first served",
         the_door_is_first_come_first_served},
        {"waiting ends with the time-out", waiting_ends_with_the_time_out},
        {"refusing makes a finite queue", refusing_makes_a_finite_queue},
        {"timers come when asked for", timers_come_when_asked_for},
        {"first tokens are heard", first_tokens_are_heard},
        {"an ineligible node is an error", an_ineligible_node_is_an_error},
        {"naming nobody fails the request", naming_nobody_fails_the_request},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("answers", NULL, NULL, NULL, forget_trial, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
