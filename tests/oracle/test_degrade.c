/*
 * Degradation worked out by hand. One request a second, whose primary model is
 * dead without a word from the start or from some moment on; its deadline is
 * 10 s, so the primary has 6.
 */
#include "tests/oracle/harness.h"

#include <math.h>

struct story {
    int seconds;         /* of arrivals, one a second from 1 on */
    const char *big;     /* seconds that the primary takes */
    const char *small;   /* seconds that the light model takes */
    const char *more;    /* beside the deadline of the class */
    const char *degrade; /* settings */
    const char *front;   /* further lines of the balancer */
    const char *faults;  /* one to a node of group big */
};

static bool play(struct trial *trial, const struct story *story)
{
    return trial_load(
               trial,
               "lbsim: 1\n"
               "duration: %d s\n"
               "drain: 1 min\n"
               "workload:\n"
               "  arrivals: {process: deterministic, rate: 1/s}\n"
               "  input_tokens: {dist: constant, value: 1}\n"
               "  output_tokens: {dist: constant, value: 1}\n"
               "  keys: {dist: zipf, distinct: 1}\n"
               "  classes: [{name: chat, share: 100 %%, model: big%s}]\n"
               "nodes:\n"
               "  - {group: big, count: 2, models: [big], engine: {slots: 50, "
               "service: {base: %s}}}\n"
               "  - {group: small, count: 2, models: [small], engine: {slots: "
               "50, service: {base: %s}}}\n"
               "routing: {table: {chat: [{model: big}]}}\n"
               "balancer:\n"
               "  degrade: {%s}\n%s"
               "faults:\n%s"
               "policies: [round_robin]\n",
               story->seconds, story->more, story->big, story->small,
               story->degrade, story->front, story->faults) &&
           trial_run(trial, 1);
}

#define SILENT_FROM(at)                                       \
    "  - {kind: host_down, target: \"big[0]\", at: " at "}\n" \
    "  - {kind: host_down, target: \"big[1]\", at: " at "}\n"

static void is(const struct trial *trial, enum measure_id measure, double value)
{
    CHECK_NEAR(trial->results[0].values[measure], value, 1e-9);
}

/* Its predicted 2.5 s are less than the 4 that are left: it starts at 6.0 and
   is done at 8.5. */
static void light_model_answers_at_8_5(void)
{
    static const struct story story = {6,
                                       "1 s",
                                       "2.5 s",
                                       ", deadline: 10 s",
                                       "light: small",
                                       "",
                                       SILENT_FROM("0 s")};
    struct trial trial;

    play(&trial, &story);
    is(&trial, M_LATENCY_P50, 8.5);
    is(&trial, M_LATENCY_MAX, 8.5);
    is(&trial, M_DEGRADED, 5);
    is(&trial, M_COMPLETED, 0);
    is(&trial, M_DEGRADED_RATIO, 1);
    is(&trial, M_LIGHT_RATIO, 1);
    is(&trial, M_DEGRADE_ABANDONED, 5);
    is(&trial, M_SUCCESS, 1);
    is(&trial, M_QUALITY_GOODPUT, 5 * 0.7 / 6);
    trial_done(&trial);
}

/* 4.5 are more: the cache at once. Answered until 3.5, requests 1 and 2 have
   left an answer there; 3 to 5 find it at 6.0 and have it after 5 ms. */
static void too_slow_a_light_model_is_not_asked(void)
{
    static const struct story story = {6,
                                       "1 s",
                                       "4.5 s",
                                       ", deadline: 10 s",
                                       "light: small, cached: {}",
                                       "",
                                       SILENT_FROM("3.5 s")};
    struct trial trial;

    play(&trial, &story);
    is(&trial, M_LATENCY_P50, 6.005);
    is(&trial, M_LATENCY_MAX, 6.005);
    is(&trial, M_COMPLETED, 2);
    is(&trial, M_DEGRADED, 3);
    is(&trial, M_OLD_RATIO, 0.6);
    is(&trial, M_LIGHT_RATIO, 0);
    is(&trial, M_QUALITY_GOODPUT, (2 + 3 * 0.5) / 6);
    trial_done(&trial);
}

/* The scenario's word counts more than its costs. */
static void expectation_may_be_said(void)
{
    static const struct story story = {
        6,
        "1 s",
        "3 s",
        ", deadline: 10 s",
        "light: small, light_expected: 4.5 s, cached: {hit_time: 0 s}",
        "",
        SILENT_FROM("3.5 s")};
    struct trial trial;

    play(&trial, &story);
    is(&trial, M_LATENCY_MAX, 6);
    is(&trial, M_OLD_RATIO, 0.6);
    trial_done(&trial);
}

/* Nothing was ever answered: a canned failure, at 6.0. */
static void cold_cache_leaves_a_canned_failure(void)
{
    static const struct story story = {6,
                                       "1 s",
                                       "4.5 s",
                                       ", deadline: 10 s",
                                       "light: small, cached: {}",
                                       "",
                                       SILENT_FROM("0 s")};
    struct trial trial;

    play(&trial, &story);
    is(&trial, M_FAILED, 5);
    is(&trial, M_CANNED_RATIO, 1);
    is(&trial, M_SUCCESS, 0);
    is(&trial, M_IN_FLIGHT, (5 + 4 + 3 + 2 + 1) / 6.0);
    trial_done(&trial);
}

/* The light model hangs too: at 10 s, less the look-up and a nanosecond, the
   cache is asked, so the answer is there at 10 s. */
static void light_model_has_until_the_deadline(void)
{
    static const struct story story = {
        6,
        "1 s",
        "30 s",
        ", deadline: 10 s",
        "light: small, light_expected: 1 s, cached: {}",
        "",
        SILENT_FROM("3.5 s")};
    struct trial trial;

    play(&trial, &story);
    CHECK_NEAR(trial.results[0].values[M_LATENCY_MAX], 10, 2e-9);
    is(&trial, M_OLD_RATIO, 0.6);
    is(&trial, M_DEGRADE_ABANDONED, 3);
    trial_done(&trial);
}

/*
 * Requests 1 to 11 are sent to the primary before the fifth failure, at 11.0;
 * until 21 none is. The one that comes then tries, fails at 27, and so does the
 * first after each further 16 s: 21, 37, ... 293, 18 of them, so 29 in all wait
 * for 6 s, the others not.
 */
static void five_failures_skip_the_primary(void)
{
    static const struct story story = {300,
                                       "1 s",
                                       "2.5 s",
                                       ", deadline: 10 s",
                                       "light: small",
                                       "",
                                       SILENT_FROM("0 s")};
    struct trial trial;

    play(&trial, &story);
    is(&trial, M_LOST_IN_WINDOW, 29);
    is(&trial, M_DEGRADE_ABANDONED, 29);
    is(&trial, M_DEGRADE_SKIPPED, 270);
    is(&trial, M_LATENCY_MEAN, 2.5 + 6.0 * 29 / 299);
    trial_done(&trial);
}

/* Up again at 30 s: the probe at 37 is answered, and all after it. */
static void an_answer_brings_the_primary_back(void)
{
    static const struct story story = {
        101,
        "1 s",
        "2.5 s",
        ", deadline: 10 s",
        "light: small",
        "",
        "  - {kind: host_down, target: \"big[0]\", at: 0 s, restart_after: 30 "
        "s}\n"
        "  - {kind: host_down, target: \"big[1]\", at: 0 s, restart_after: 30 "
        "s}\n"};
    struct trial trial;

    play(&trial, &story);
    /* 1 to 36 and 38, which comes as the answer does; the rest is answered. */
    is(&trial, M_DEGRADED, 36);
    is(&trial, M_COMPLETED, 64);
    trial_done(&trial);
}

/* Refused at once, and no other node: no time is lost. */
static void refusals_go_to_the_light_model_at_once(void)
{
    static const struct story story = {
        6,
        "1 s",
        "2.5 s",
        ", deadline: 10 s",
        "light: small",
        "  retry: {attempts: 2}\n",
        "  - {kind: crash, target: \"big[0]\", at: 0 s}\n"
        "  - {kind: crash, target: \"big[1]\", at: 0 s}\n"};
    struct trial trial;

    play(&trial, &story);
    is(&trial, M_LATENCY_MAX, 2.5);
    is(&trial, M_DEGRADED, 5);
    is(&trial, M_ERRORS_REFUSED, 10);
    is(&trial, M_DEGRADE_ABANDONED, 0);
    trial_done(&trial);
}

/* Without a deadline, by a time of its own. */
static void a_time_needs_no_deadline(void)
{
    static const struct story story = {6,
                                       "1 s",
                                       "2.5 s",
                                       "",
                                       "light: small, after: 2 s",
                                       "",
                                       SILENT_FROM("0 s")};
    struct trial trial;

    play(&trial, &story);
    is(&trial, M_LATENCY_MAX, 4.5);
    is(&trial, M_DEGRADED, 5);
    trial_done(&trial);
}

/* The total time-out is a deadline too; who would still be with the light model
   then has an old answer just before. */
static void total_time_out_is_a_deadline(void)
{
    static const struct story story = {
        6,
        "1 s",
        "5 s",
        "",
        "light: small, light_expected: 1 s, cached: {}",
        "  timeout: {total: 10 s}\n",
        SILENT_FROM("3.5 s")};
    struct trial trial;

    play(&trial, &story);
    is(&trial, M_OLD_RATIO, 0.6);
    is(&trial, M_TIMED_OUT, 0);
    trial_done(&trial);
}

/*
 * Of three slots requests 1 to 3 have a first token 5.9 s after their arrival
 * and go on to the end, at 25.9 s, far beyond the deadline. 4 and 5 wait for a
 * slot and are late at 6: the light model has them 1 s later.
 */
static void first_token_in_time_stays(void)
{
    struct trial trial;

    trial_load(&trial,
               "lbsim: 1\n"
               "duration: 6 s\n"
               "drain: 1 min\n"
               "workload:\n"
               "  arrivals: {process: deterministic, rate: 1/s}\n"
               "  input_tokens: {dist: constant, value: 1}\n"
               "  output_tokens: {dist: constant, value: 10}\n"
               "  classes: [{name: chat, share: 100 %%, model: big, deadline: "
               "10 s}]\n"
               "nodes:\n"
               "  - {group: big, models: [big], engine: {slots: 3, service: "
               "{base: 5.9 s, per_output_token: 2 s}}}\n"
               "  - {group: small, models: [small], engine: {slots: 9, "
               "service: {base: 1 s}}}\n"
               "routing: {table: {chat: [{model: big}]}}\n"
               "balancer: {degrade: {light: small}}\n"
               "policies: [least_conn]\n");
    trial_run(&trial, 1);
    is(&trial, M_COMPLETED, 3);
    is(&trial, M_DEGRADED, 2);
    is(&trial, M_LATENCY_MAX, 25.9);
    is(&trial, M_LATENCY_MEAN, (3 * 25.9 + 2 * 7) / 5);
    is(&trial, M_TTFT_MEAN, (3 * 5.9 + 2 * 7) / 5);
    trial_done(&trial);
}

/*
 * The primary takes ten times as long from 2.5 to 8.5 s: the six that come then
 * are late and get an old answer 505 ms after they came. There is no light
 * model to go to at once, so five failures in a row keep nobody from the
 * primary, who has the two before and the three after.
 */
static void without_a_light_model_nothing_is_skipped(void)
{
    static const struct story story = {
        12,
        "100 ms",
        "1 s",
        "",
        "after: 500 ms, cached: {}",
        "",
        "  - {kind: slow, target: \"big[*]\", factor: 10, at: 2500 ms, for: "
        "6 s}\n"};
    struct trial trial;

    play(&trial, &story);
    is(&trial, M_COMPLETED, 5);
    is(&trial, M_OLD_RATIO, 6.0 / 11);
    is(&trial, M_DEGRADE_ABANDONED, 6);
    is(&trial, M_DEGRADE_SKIPPED, 0);
    is(&trial, M_ERRORS_NO_NODE, 0);
    is(&trial, M_SUCCESS, 1);
    is(&trial, M_LATENCY_MAX, 0.505);
    trial_done(&trial);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"the light model answers at 8.5", light_model_answers_at_8_5},
        {"too slow a light model is not asked",
         too_slow_a_light_model_is_not_asked},
        {"the expectation may be said", expectation_may_be_said},
        {"a cold cache leaves a canned failure",
         cold_cache_leaves_a_canned_failure},
        {"the light model has until the deadline",
         light_model_has_until_the_deadline},
        {"five failures skip the primary", five_failures_skip_the_primary},
        {"without a light model nothing is skipped",
         without_a_light_model_nothing_is_skipped},
        {"an answer brings the primary back",
         an_answer_brings_the_primary_back},
        {"refusals go to the light model at once",
         refusals_go_to_the_light_model_at_once},
        {"a time needs no deadline", a_time_needs_no_deadline},
        {"the total time-out is a deadline", total_time_out_is_a_deadline},
        {"a first token in time stays", first_token_in_time_stays},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("degrade", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
