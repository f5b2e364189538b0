#include "sim/frontdoor/health.h"
#include "tests/check.h"

#define S INT64_C(1000000000)

static const struct health_spec defaults = {.given = true,
                                            .interval_ns = 5 * S,
                                            .timeout_ns = 1 * S,
                                            .unhealthy_after = 3,
                                            .healthy_after = 2};
static struct health health;

static void healthy_node(void)
{
    health_init(&health, &defaults);
}

/* One result a letter: success, failure, wrong answer, inconclusive. */
static enum health_result result_of(char letter)
{
    switch (letter) {
    case 's':
        return HEALTH_OK;
    case 'f':
        return HEALTH_NO_CONNECTION;
    case 'w':
        return HEALTH_WRONG_ANSWER;
    default:
        return HEALTH_INCONCLUSIVE;
    }
}

static void results(const char *letters)
{
    for (; *letters; letters++)
        health_note(&health, &defaults, result_of(*letters));
}

static void third_failure_in_a_row_turns_it(void)
{
    results("ff");
    CHECK(health.healthy);
    CHECK(health_note(&health, &defaults, HEALTH_NO_CONNECTION));
    CHECK(!health.healthy);
}

static void success_between_starts_the_count_anew(void)
{
    results("ffsff");
    CHECK(health.healthy);
    results("f");
    CHECK(!health.healthy);
}

static void second_success_in_a_row_turns_it_back(void)
{
    results("fffs");
    CHECK(!health.healthy);
    CHECK(health_note(&health, &defaults, HEALTH_OK));
    CHECK(health.healthy);
}

static void failure_between_successes_starts_the_count_anew(void)
{
    results("fffsfs");
    CHECK(!health.healthy);
    results("s");
    CHECK(health.healthy);
}

static void change_is_told_once(void)
{
    results("fff");
    CHECK(!health_note(&health, &defaults, HEALTH_NO_CONNECTION));
}

/*
 * A node that dies stays in until its third failed check ends. Checks start at
 * phase + k * 5 s and each fails 1 s after its start, or at once when the node
 * refuses. Arithmetic of "detection time from a silent failure": silent 11 s
 * at best and 16 s at worst, refusing 10 and 15 s; when the next check waits
 * for the result, 13 and 18 s.
 */
static int64_t detection_ns(enum health_mode mode, int64_t dies_at_ns,
                            bool refuses)
{
    struct health_spec spec = defaults;
    int64_t start_ns = 0;

    spec.mode = mode;
    for (;;) {
        bool alive = start_ns < dies_at_ns;
        struct health_outlook outlook =
            health_outlook(&spec, start_ns, 0, alive || refuses,
                           alive ? HEALTH_OK : HEALTH_NO_CONNECTION);

        if (health_note(&health, &spec, outlook.result))
            return outlook.ends_at_ns - dies_at_ns;
        start_ns = health_next_start_ns(&spec, spec.interval_ns, start_ns,
                                        outlook.ends_at_ns);
    }
}

static void detection_takes_11_to_16_seconds(void)
{
    CHECK_INT(detection_ns(HEALTH_FIXED_RATE, 100 * S, false), 11 * S);
    healthy_node();
    CHECK_INT(detection_ns(HEALTH_FIXED_RATE, 100 * S + 1, false), 16 * S - 1);
}

static void refusal_is_detected_a_time_out_earlier(void)
{
    CHECK_INT(detection_ns(HEALTH_FIXED_RATE, 100 * S, true), 10 * S);
    healthy_node();
    CHECK_INT(detection_ns(HEALTH_FIXED_RATE, 100 * S + 1, true), 15 * S - 1);
}

static void waiting_for_results_takes_13_to_18_seconds(void)
{
    CHECK_INT(detection_ns(HEALTH_AFTER_RESULT, 100 * S, false), 13 * S);
    healthy_node();
    CHECK_INT(detection_ns(HEALTH_AFTER_RESULT, 100 * S + 1, false),
              18 * S - 1);
}

static void answer_slower_than_the_time_out_fails(void)
{
    struct health_outlook outlook =
        health_outlook(&defaults, 0, 2 * S, true, HEALTH_OK);

    CHECK(outlook.result == HEALTH_NO_CONNECTION);
    CHECK_INT(outlook.ends_at_ns, 1 * S);
}

static void inconclusive_checks_count_for_nothing(void)
{
    results("ffii");
    CHECK(health.healthy);
    CHECK(health_note(&health, &defaults, HEALTH_NO_CONNECTION));
    results("sis");
    CHECK(health.healthy);
}

static void wrong_answers_count_like_others(void)
{
    results("ww");
    CHECK(health.healthy);
    results("w");
    CHECK(!health.healthy);
}

/* --- back again: 5 to 10 s after a recovery, answers at once -------------- */

static int64_t recovery_ns(int64_t recovers_at_ns)
{
    int64_t start_ns = 0;

    results("fff");
    for (;; start_ns += 5 * S)
        if (health_note(&health, &defaults,
                        start_ns >= recovers_at_ns ? HEALTH_OK
                                                   : HEALTH_NO_CONNECTION))
            return start_ns - recovers_at_ns;
}

/* "Recovery (answers at once, fixed rate): best 5 s, worst 10 s." */
static void recovery_takes_5_to_10_seconds(void)
{
    CHECK_INT(recovery_ns(100 * S), 5 * S);
    healthy_node();
    CHECK_INT(recovery_ns(100 * S + 1), 10 * S - 1);
}

/* --- envoy --- */

static const struct health_spec envoy = {
    .given = true,
    .rule = HEALTH_ENVOY,
    .mode = HEALTH_AFTER_RESULT,
    .interval_ns = 10 * S,
    .timeout_ns = 1 * S,
    .unhealthy_after = 1,
    .healthy_after = 3,
    .unhealthy_interval_ns = 30 * S,
    .healthy_edge_interval_ns = 2 * S,
    .unhealthy_edge_interval_ns = 3 * S,
    .no_traffic_interval_ns = 60 * S,
};

static int64_t delay_s(const struct health_spec *spec, char letter)
{
    health_note(&health, spec, result_of(letter));
    return health_interval_ns(&health, spec, true) / S;
}

/* healthy_threshold 3, interval 10, unhealthy 30, healthy edge 2: results F, S,
   S, S, S make delays 30, 2, 2, 10, 10; healthy after the third S. */
static void envoy_checks_faster_on_the_healthy_edge(void)
{
    CHECK_INT(delay_s(&envoy, 'f'), 30);
    CHECK_INT(delay_s(&envoy, 's'), 2);
    CHECK_INT(delay_s(&envoy, 's'), 2);
    CHECK(!health.healthy);
    CHECK_INT(delay_s(&envoy, 's'), 10);
    CHECK(health.healthy);
    CHECK_INT(delay_s(&envoy, 's'), 10);
}

static void envoy_checks_otherwise_on_the_unhealthy_edge(void)
{
    struct health_spec spec = envoy;

    spec.unhealthy_after = 3;
    CHECK_INT(delay_s(&spec, 'f'), 3);
    CHECK_INT(delay_s(&spec, 'f'), 3);
    CHECK(health.healthy);
    CHECK_INT(delay_s(&spec, 'f'), 30);
    CHECK(!health.healthy);
    CHECK_INT(delay_s(&spec, 'f'), 30);
}

static void envoy_ejects_at_a_wrong_answer(void)
{
    struct health_spec spec = envoy;

    spec.unhealthy_after = 3;
    CHECK(health_note(&health, &spec, HEALTH_WRONG_ANSWER));
    CHECK(!health.healthy);
}

static void envoy_is_in_no_hurry_without_traffic(void)
{
    CHECK_INT(health_interval_ns(&health, &envoy, false), 60 * S);
    health_note(&health, &envoy, HEALTH_NO_CONNECTION);
    CHECK_INT(health_interval_ns(&health, &envoy, false), 60 * S);
}

/* --- haproxy --- */

static const struct health_spec haproxy = {
    .given = true,
    .rule = HEALTH_HAPROXY,
    .mode = HEALTH_AFTER_RESULT,
    .interval_ns = 2 * S,
    .timeout_ns = 2 * S,
    .unhealthy_after = 3,
    .healthy_after = 2,
    .unhealthy_interval_ns = 7 * S,
    .healthy_edge_interval_ns = 1 * S,
    .unhealthy_edge_interval_ns = 1 * S,
};

static void haproxy_node(void)
{
    health_init(&health, &haproxy);
}

static void check_counter(char letter, uint32_t counter, bool up)
{
    bool was = health.healthy;
    bool changed = health_note(&health, &haproxy, result_of(letter));

    CHECK_UINT(health.counter, counter);
    CHECK(health.healthy == up);
    CHECK(changed == (was != up));
}

/* rise 2, fall 3: from 4, F F makes 3, 2 (up); S goes back to 4; F F F makes 3,
   2, 0 (down); S makes 1, S makes 4 (up). */
static void haproxy_counts_up_and_down(void)
{
    check_counter('s', 4, true);
    check_counter('f', 3, true);
    check_counter('f', 2, true);
    check_counter('s', 4, true);
    check_counter('f', 3, true);
    check_counter('f', 2, true);
    check_counter('f', 0, false);
    check_counter('f', 0, false);
    check_counter('s', 1, false);
    check_counter('s', 4, true);
}

static void haproxy_starts_up_but_on_probation(void)
{
    CHECK(health.healthy);
    check_counter('f', 0, false);
}

/* While down a failure changes nothing: it takes no success away. */
static void haproxy_forgives_failures_on_the_way_up(void)
{
    check_counter('f', 0, false);
    check_counter('s', 1, false);
    check_counter('f', 1, false);
    check_counter('s', 4, true);
}

static void haproxy_has_an_interval_for_each_state(void)
{
    CHECK_INT(delay_s(&haproxy, 's'), 2);
    CHECK_INT(delay_s(&haproxy, 'f'), 1);
    CHECK_INT(delay_s(&haproxy, 'f'), 1);
    CHECK_INT(delay_s(&haproxy, 'f'), 7);
    CHECK_INT(delay_s(&haproxy, 's'), 1);
    CHECK_INT(delay_s(&haproxy, 's'), 2);
}

/* on-error sudden-death leaves one step, mark-down none. */
static void haproxy_learns_from_live_traffic(void)
{
    check_counter('s', 4, true);
    health_weaken(&health, &haproxy, 3);
    check_counter('f', 2, true);
    health_weaken(&health, &haproxy, 3); /* it is not strengthened */
    CHECK_UINT(health.counter, 2);
    check_counter('s', 4, true);
    health_weaken(&health, &haproxy, 2);
    check_counter('f', 0, false);
    health_weaken(&health, &haproxy, 2);
    CHECK_UINT(health.counter, 0);
}

/* --- chance --- */

/* The least and the most of many draws, in ms. */
static void draw_range(const struct health_spec *spec, int64_t *ret_least_ms,
                       int64_t *ret_most_ms)
{
    struct rng rng;

    rng_seed(&rng, 7, 0);
    *ret_least_ms = INT64_MAX;
    *ret_most_ms = 0;
    for (int i = 0; i < 100000; i++) {
        int64_t ms = health_jitter_ns(spec, 10 * S, &rng) / (S / 1000);

        if (ms < *ret_least_ms)
            *ret_least_ms = ms;
        if (ms > *ret_most_ms)
            *ret_most_ms = ms;
    }
}

/* base += R(percent * base / 100), then base += R(jitter): never shorter. */
static void jitter_only_adds(void)
{
    struct health_spec spec = defaults;
    int64_t least, most;

    spec.interval_jitter = 0.2;
    draw_range(&spec, &least, &most);
    CHECK(least >= 10000 && least < 10010 && most > 11980 && most < 12000);
    spec.jitter_ns = 3 * S;
    draw_range(&spec, &least, &most);
    CHECK(least >= 10000 && least < 10100 && most > 14800 && most < 15000);
}

/* HAProxy's spread-checks: as much shorter as longer. */
static void spread_goes_both_ways(void)
{
    struct health_spec spec = haproxy;
    int64_t least, most;

    spec.spread = 0.5;
    draw_range(&spec, &least, &most);
    CHECK(least >= 5000 && least < 5010 && most > 14990 && most <= 15000);
}

static void without_jitter_nothing_is_drawn(void)
{
    struct rng rng, before;

    rng_seed(&rng, 7, 0);
    before = rng;
    CHECK_INT(health_jitter_ns(&defaults, 10 * S, &rng), 10 * S);
    CHECK(rng.state == before.state);
}

static void a_check_never_starts_before_the_last_has_ended(void)
{
    CHECK_INT(health_next_start_ns(&defaults, S / 2, 10 * S, 11 * S), 11 * S);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"the third failure in a row turns it",
         third_failure_in_a_row_turns_it},
        {"a success between starts the count anew",
         success_between_starts_the_count_anew},
        {"the second success in a row turns it back",
         second_success_in_a_row_turns_it_back},
        {"a failure between successes starts the count anew",
         failure_between_successes_starts_the_count_anew},
        {"a change is told once", change_is_told_once},
        {"detection takes 11 to 16 seconds", detection_takes_11_to_16_seconds},
        {"a refusal is detected a time-out earlier",
         refusal_is_detected_a_time_out_earlier},
        {"waiting for results takes 13 to 18 seconds",
         waiting_for_results_takes_13_to_18_seconds},
        {"an answer slower than the time-out fails",
         answer_slower_than_the_time_out_fails},
        {"inconclusive checks count for nothing",
         inconclusive_checks_count_for_nothing},
        {"wrong answers count like others", wrong_answers_count_like_others},
        {"recovery takes 5 to 10 seconds", recovery_takes_5_to_10_seconds},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo of_envoy[] = {
        {"checks faster on the healthy edge",
         envoy_checks_faster_on_the_healthy_edge},
        {"checks otherwise on the unhealthy edge",
         envoy_checks_otherwise_on_the_unhealthy_edge},
        {"ejects at a wrong answer", envoy_ejects_at_a_wrong_answer},
        {"is in no hurry without traffic",
         envoy_is_in_no_hurry_without_traffic},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo of_haproxy[] = {
        {"counts up and down", haproxy_counts_up_and_down},
        {"starts up but on probation", haproxy_starts_up_but_on_probation},
        {"forgives failures on the way up",
         haproxy_forgives_failures_on_the_way_up},
        {"has an interval for each state",
         haproxy_has_an_interval_for_each_state},
        {"learns from live traffic", haproxy_learns_from_live_traffic},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo chance[] = {
        {"jitter only adds", jitter_only_adds},
        {"spread goes both ways", spread_goes_both_ways},
        {"without jitter nothing is drawn", without_jitter_nothing_is_drawn},
        {"a check never starts before the last has ended",
         a_check_never_starts_before_the_last_has_ended},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("health", NULL, NULL, healthy_node, NULL, tests),
        SUITE("health_envoy", NULL, NULL, healthy_node, NULL, of_envoy),
        SUITE("health_haproxy", NULL, NULL, haproxy_node, NULL, of_haproxy),
        SUITE("health_chance", NULL, NULL, healthy_node, NULL, chance),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
