/*
 * Levels of degradation. The timeline, by hand: of a deadline of 10 s the
 * primary has 6, the light model the rest.
 */
#include "sim/frontdoor/degradation.h"
#include "tests/check.h"

#define S INT64_C(1000000000)

static struct degradation_spec spec;
static struct degradation_belief belief;

static void begin(void)
{
    spec = (struct degradation_spec){.given = true,
                                     .light = 2,
                                     .expected_ns = -1,
                                     .primary_share = 0.6,
                                     .after_ns = -1,
                                     .failures = 5,
                                     .skip_ns = 10 * S,
                                     .probe_share = 0.1,
                                     .quality = {1, 0.7, 0.5, 0}};
    belief = (struct degradation_belief){0};
}

/* Begins at 6.0, done at 8.5: in time. 4.5 are more than the 4 that are left:
   to the cache, immediately. */
static void timeline_is_that_of_the_specification(void)
{
    int64_t switch_ns = degradation_primary_until_ns(&spec, 0, 10 * S);
    int64_t until_ns = degradation_light_until_ns(&spec, 0, 10 * S);

    CHECK_INT(switch_ns, 6 * S);
    CHECK_INT(until_ns, 10 * S - 1);
    CHECK_INT(
        degradation_next(&spec, LEVEL_PRIMARY, 5 * S / 2, until_ns, switch_ns),
        LEVEL_LIGHT);
    CHECK_INT(switch_ns + 5 * S / 2, 17 * S / 2);
    CHECK_INT(
        degradation_next(&spec, LEVEL_PRIMARY, 9 * S / 2, until_ns, switch_ns),
        LEVEL_CACHED);
}

/* From the intended arrival; an own time needs no deadline. */
static void primary_has_a_share_or_a_time(void)
{
    CHECK_INT(degradation_primary_until_ns(&spec, 3 * S, 10 * S), 9 * S);
    CHECK_INT(degradation_primary_until_ns(&spec, 3 * S, INT64_MAX), INT64_MAX);
    spec.after_ns = 2 * S;
    CHECK_INT(degradation_primary_until_ns(&spec, 3 * S, 10 * S), 5 * S);
    CHECK_INT(degradation_primary_until_ns(&spec, 3 * S, INT64_MAX), 5 * S);
}

/* The cache takes 1 s of the deadline. */
static void cache_is_asked_in_time(void)
{
    spec.cached = true;
    spec.hit_time_ns = S;
    CHECK_INT(degradation_light_until_ns(&spec, S, 10 * S), 10 * S - 1);
    CHECK_INT(degradation_light_until_ns(&spec, S, S / 2), S);
    CHECK_INT(degradation_light_until_ns(&spec, S, INT64_MAX), INT64_MAX);
}

static void levels_follow_each_other(void)
{
    CHECK_INT(degradation_next(&spec, LEVEL_PRIMARY, S, INT64_MAX, 0),
              LEVEL_LIGHT);
    CHECK_INT(degradation_next(&spec, LEVEL_LIGHT, S, INT64_MAX, 0),
              LEVEL_CACHED);
    CHECK_INT(degradation_next(&spec, LEVEL_CACHED, S, INT64_MAX, 0),
              LEVEL_CANNED);
    spec.light = 0;
    CHECK_INT(degradation_next(&spec, LEVEL_PRIMARY, S, INT64_MAX, 0),
              LEVEL_CACHED);
}

static void fail_primary(uint32_t times, int64_t now_ns)
{
    for (uint32_t i = 0; i < times; i++)
        degradation_primary_failed(&spec, &belief, now_ns);
}

static void without_a_light_model_nothing_is_skipped(void)
{
    spec.light = 0;
    fail_primary(50, S);
    CHECK_INT(degradation_begin(&spec, &belief, S), LEVEL_PRIMARY);
}

/* An answer in between starts the count anew. */
static void five_failures_in_a_row_skip_the_primary(void)
{
    fail_primary(4, S);
    degradation_primary_answered(&spec, &belief, S);
    fail_primary(4, 2 * S);
    CHECK_INT(degradation_begin(&spec, &belief, 2 * S), LEVEL_PRIMARY);
    fail_primary(1, 2 * S);
    CHECK_INT(degradation_begin(&spec, &belief, 2 * S), LEVEL_LIGHT);
    CHECK_INT(degradation_begin(&spec, &belief, 12 * S - 1), LEVEL_LIGHT);
}

/* After 10 s the first, then every tenth. */
static void every_tenth_request_probes(void)
{
    fail_primary(5, 0);
    for (int i = 0; i < 31; i++)
        CHECK_INT(degradation_begin(&spec, &belief, 10 * S),
                  i % 10 == 0 ? LEVEL_PRIMARY : LEVEL_LIGHT);
}

static void an_answer_to_a_probe_opens_the_way(void)
{
    fail_primary(5, 0);
    CHECK_INT(degradation_begin(&spec, &belief, 10 * S), LEVEL_PRIMARY);
    degradation_primary_answered(&spec, &belief, 11 * S);
    for (int i = 0; i < 5; i++)
        CHECK_INT(degradation_begin(&spec, &belief, 11 * S), LEVEL_PRIMARY);
    fail_primary(4, 12 * S);
    CHECK_INT(degradation_begin(&spec, &belief, 12 * S), LEVEL_PRIMARY);
}

static void a_failed_probe_closes_it_again(void)
{
    fail_primary(5, 0);
    CHECK_INT(degradation_begin(&spec, &belief, 10 * S), LEVEL_PRIMARY);
    fail_primary(1, 16 * S);
    CHECK_INT(degradation_begin(&spec, &belief, 26 * S - 1), LEVEL_LIGHT);
    CHECK_INT(degradation_begin(&spec, &belief, 26 * S), LEVEL_PRIMARY);
}

/* Sent before the primary was skipped, they fail or are answered after it. */
static void stragglers_say_nothing(void)
{
    fail_primary(5, 0);
    fail_primary(5, 9 * S);
    degradation_primary_answered(&spec, &belief, 9 * S);
    CHECK_INT(degradation_begin(&spec, &belief, 10 * S - 1), LEVEL_LIGHT);
    CHECK_INT(degradation_begin(&spec, &belief, 10 * S), LEVEL_PRIMARY);
}

static void zero_failures_never_skip(void)
{
    spec.failures = 0;
    fail_primary(1000, 0);
    CHECK_INT(degradation_begin(&spec, &belief, 0), LEVEL_PRIMARY);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"the timeline is that of the specification",
         timeline_is_that_of_the_specification},
        {"the primary has a share or a time", primary_has_a_share_or_a_time},
        {"the cache is asked in time", cache_is_asked_in_time},
        {"levels follow each other", levels_follow_each_other},
        {"without a light model nothing is skipped",
         without_a_light_model_nothing_is_skipped},
        {"five failures in a row skip the primary",
         five_failures_in_a_row_skip_the_primary},
        {"every tenth request probes", every_tenth_request_probes},
        {"an answer to a probe opens the way",
         an_answer_to_a_probe_opens_the_way},
        {"a failed probe closes it again", a_failed_probe_closes_it_again},
        {"stragglers say nothing", stragglers_say_nothing},
        {"zero failures never skip", zero_failures_never_skip},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("degradation", NULL, NULL, begin, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
