/*
 * inference-sim/inference-sim PR #298, #1167: a twentieth less room for
 * requests made P99 several times as long. What a sweep of room must show: with
 * more room fewer requests find none and P99 is no longer, and from somewhere
 * on none does and all is as with ample memory, to the last bit.
 */
#include "tests/oracle/harness.h"

static struct trial trial;

static void forget_trial(void)
{
    trial_done(&trial);
}

/* Four nodes of 16 slots, with room for so many requests. */
static void run_with_room(double room, const char *when_full)
{
    trial_done(&trial);
    if (trial_load(
            &trial,
            "lbsim: 1\n"
            "duration: 300 s\n"
            "warm_up: 20 %%\n"
            "seed: 298\n"
            "workload:\n"
            "  arrivals: {process: poisson, rate: 24/s}\n"
            "  input_tokens: {dist: lognormal, median: 512, sigma: 0.5}\n"
            "  output_tokens: {dist: lognormal, median: 256, sigma: 0.5}\n"
            "nodes:\n"
            "  - group: gpu\n"
            "    count: 4\n"
            "    engine:\n"
            "      slots: 16\n"
            "      service: {base: 20 ms, per_input_token: 0.1 ms, "
            "per_output_token: 5 ms}\n"
            "    memory: {per_request: %.17g, when_full: %s}\n"
            "policies: [least_conn]\n",
            1 / room, when_full))
        trial_run(&trial, 2);
}

static void less_room_is_never_better(void)
{
    double before = 0, p99_s = 0;

    for (int room = 16; room >= 8; room--) {
        run_with_room(room, "slow");
        CHECK(trial_mean(&trial, M_MEMORY_SHORT) >= before);
        CHECK(trial_mean(&trial, M_LATENCY_ALL_P99) >= 0.97 * p99_s);
        before = trial_mean(&trial, M_MEMORY_SHORT);
        p99_s = trial_mean(&trial, M_LATENCY_ALL_P99);
    }
}

/* From 13 to 11 places, a sixth less: the pool, busy for 57 % of its time
   with all of its slots, has 16 / 2 slots' worth once all find memory full:
   more than 100 %, so it never catches up. */
static void there_is_a_cliff(void)
{
    double p99_s;

    run_with_room(13, "slow");
    p99_s = trial_mean(&trial, M_LATENCY_ALL_P99);
    CHECK(trial_mean(&trial, M_MEMORY_SHORT) <
          0.02 * trial_mean(&trial, M_ARRIVED));
    run_with_room(11, "slow");
    CHECK(trial_mean(&trial, M_LATENCY_ALL_P99) > 4 * p99_s);
    CHECK(trial_mean(&trial, M_MEMORY_SHORT) >
          0.9 * trial_mean(&trial, M_ARRIVED));
}

static void ample_memory_changes_nothing(void)
{
    static const char *const rules[] = {"slow", "refuse"};
    static const enum measure_id same[] = {M_COMPLETED, M_LATENCY_MEAN,
                                           M_LATENCY_ALL_P99, M_GPU_USE};
    double plain[sizeof same / sizeof *same];

    run_with_room(16, "serve");
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        plain[i] = trial_mean(&trial, same[i]);
    for (int rule = 0; rule < 2; rule++) {
        run_with_room(16, rules[rule]);
        CHECK_NEAR(trial_mean(&trial, M_MEMORY_SHORT), 0, 0);
        for (size_t i = 0; i < sizeof same / sizeof *same; i++)
            CHECK_NEAR(trial_mean(&trial, same[i]), plain[i], 0);
    }
}

/* Who refuses keeps its speed: the rest is served in time. */
static void refusing_keeps_the_rest_fast(void)
{
    double p99_s;

    run_with_room(16, "serve");
    p99_s = trial_mean(&trial, M_LATENCY_P99);
    run_with_room(9, "refuse");
    CHECK(trial_mean(&trial, M_LATENCY_P99) <= 1.05 * p99_s);
    CHECK_NEAR(trial_mean(&trial, M_FAILED), trial_mean(&trial, M_MEMORY_SHORT),
               0);
    CHECK_NEAR(trial_mean(&trial, M_FAILED), trial_mean(&trial, M_ERRORS_FULL),
               0);
    CHECK(trial_mean(&trial, M_FAILED) > 0);
}

/* --- scenarios/outages/memory_cliff.yaml ---------------------------------- */

static double p99_of_story(const char *first, const char *second)
{
    const char *overrides[] = {first, second, NULL};

    trial_done(&trial);
    if (trial_open(&trial, "scenarios/outages/memory_cliff.yaml", overrides))
        trial_run(&trial, 2);
    return trial_mean(&trial, M_LATENCY_P99);
}

static void the_story_is_true(void)
{
    CHECK(p99_of_story(NULL, NULL) > 60);
    CHECK(trial_mean(&trial, M_MEMORY_SHORT) >
          0.9 * trial_mean(&trial, M_ARRIVED));
    CHECK(p99_of_story("nodes[0].memory.per_request=5.5 %", NULL) < 5);
    CHECK(trial_mean(&trial, M_MEMORY_SHORT) <
          0.005 * trial_mean(&trial, M_ARRIVED));
    CHECK(p99_of_story("nodes[0].engine.slots=12",
                       "nodes[0].memory.when_full=slow") < 5);
    CHECK_NEAR(trial_mean(&trial, M_MEMORY_SHORT), 0, 0);
    CHECK(p99_of_story("nodes[0].memory.when_full=refuse",
                       "balancer.retry={}") < 5);
    CHECK(trial_mean(&trial, M_SUCCESS) > 0.98);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"less room is never better", less_room_is_never_better},
        {"there is a cliff", there_is_a_cliff},
        {"ample memory changes nothing", ample_memory_changes_nothing},
        {"refusing keeps the rest fast", refusing_keeps_the_rest_fast},
        {"the story is true", the_story_is_true},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("memory cliff", NULL, NULL, NULL, forget_trial, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
