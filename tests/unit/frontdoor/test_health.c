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
    health_init(&health);
}

/* Takes one result a letter: s or f. */
static void results(const char *letters)
{
    for (; *letters; letters++)
        health_note(&health, &defaults, *letters == 's');
}

static void third_failure_in_a_row_turns_it(void)
{
    results("ff");
    CHECK(health.healthy);
    CHECK(health_note(&health, &defaults, false));
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
    CHECK(health_note(&health, &defaults, true));
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
    CHECK(!health_note(&health, &defaults, false));
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
            health_outlook(&spec, start_ns, 0, alive, !alive && refuses);

        if (health_note(&health, &spec, outlook.success))
            return outlook.ends_at_ns - dies_at_ns;
        start_ns = health_next_start_ns(&spec, start_ns, outlook.ends_at_ns);
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
        health_outlook(&defaults, 0, 2 * S, true, false);

    CHECK(!outlook.success);
    CHECK_INT(outlook.ends_at_ns, 1 * S);
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
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("health", NULL, NULL, healthy_node, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
