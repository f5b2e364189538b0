/*
 * How an experiment drives its simulations: what it makes of them, and how it
 * ends.
 */
#include "tests/unit/experiment/experiment_world.h"

/* Replications 1 to 4 are 2.5 on average. */
static void runs_every_policy_in_every_replication(void)
{
    run();
    CHECK_UINT(calls, POLICIES * REPLICATIONS);
    CHECK_UINT(result.replications, REPLICATIONS);
    CHECK_INT(result.end, EXPERIMENT_WHOLE);
    CHECK(!outcome_end_text(result.end));
    CHECK_NEAR(p99_of(0), 12.5, 1e-12);
    CHECK_NEAR(p99_of(2), 14.5, 1e-12);
    CHECK_TEXT(result.policies[1].label, "b");
    CHECK_UINT(result.events, 7 * POLICIES * REPLICATIONS);
}

/* The step of 1 is the same in every pair: certain, and 8 % of 12.5. */
static void verdicts_compare_with_the_first(void)
{
    run();
    CHECK_INT(result.policies[0].verdict.kind, VERDICT_REFERENCE);
    CHECK_INT(result.policies[1].verdict.kind, VERDICT_WORSE);
    CHECK_NEAR(result.policies[1].verdict.difference, 1, 1e-12);
    CHECK_NEAR(result.policies[1].verdict.effect_ratio, 0.08, 1e-12);
}

/* Policy a: 12.5 of at most 13; its interval 12.5 +- 2.05 reaches beyond. */
static void goals_are_judged_by_the_mean(void)
{
    run();
    CHECK(result.policies[0].goals[0].met);
    CHECK(!result.policies[0].goals[0].certain);
    CHECK(!result.policies[1].goals[0].met);
    CHECK(result.policies[0].goals[1].met);
    CHECK(result.policies[0].goals[1].certain);
    CHECK(!result.policies[2].goals[1].met);
    CHECK_NEAR(result.policies[2].goals[1].value, 0.5, 0);
}

static void number_of_threads_does_not_show(void)
{
    struct experiment_result other;

    run();
    setup.threads = 7;
    CHECK_INT(experiment_run(&setup, &other), EXPERIMENT_OK);
    for (uint32_t i = 0; i < POLICIES; i++)
        for (uint32_t r = 0; r < REPLICATIONS; r++)
            CHECK_NEAR(other.policies[i].fold.values[M_LATENCY_ALL_P99][r],
                       result.policies[i].fold.values[M_LATENCY_ALL_P99][r], 0);
    outcome_done(&other);
}

static void no_number_of_threads_means_all(void)
{
    setup.threads = 0;
    run();
    CHECK(result.threads >= 1);
}

/* ---- ends ---- */

static void limit_of_events_leaves_whole_replications(void)
{
    odd_policy = 1;
    odd_replication = 2;
    odd_status = SIM_STOPPED;
    run();
    CHECK_UINT(calls, POLICIES * REPLICATIONS);
    CHECK_INT(result.end, EXPERIMENT_LIMIT_EVENTS);
    CHECK_TEXT(outcome_end_text(result.end), "the limit of events was reached");
    CHECK_UINT(result.replications, 3);
    CHECK_UINT(result.replications_asked, 4);
    CHECK_NEAR(p99_of(0), 10 + (1 + 3 + 4) / 3.0, 1e-12);
    CHECK_NEAR(p99_of(1), 11 + (1 + 3 + 4) / 3.0, 1e-12);
}

static enum sim_status interrupt_in_third(const struct simulation_setup *job,
                                          struct run_result *ret)
{
    if (job->replication == 3) {
        struct timespec nap = {.tv_nsec = 1000000};

        atomic_store(&interrupted, true);
        while (!atomic_load(job->stop)) /* as an engine does, now and then */
            nanosleep(&nap, NULL);
        return SIM_STOPPED;
    }
    return simulate(job, ret);
}

static void interruption_keeps_what_is_whole(void)
{
    setup.simulate = interrupt_in_third;
    run();
    CHECK_INT(result.end, EXPERIMENT_INTERRUPTED);
    CHECK_TEXT(outcome_end_text(result.end), "interrupted");
    CHECK_UINT(result.replications, 2);
    CHECK_NEAR(p99_of(0), 11.5, 1e-12);
}

static enum sim_status interrupt_in_last(const struct simulation_setup *job,
                                         struct run_result *ret)
{
    if (job->replication == REPLICATIONS && job->policy == POLICIES - 1) {
        struct timespec nap = {.tv_nsec = 1000000};

        atomic_store(&interrupted, true);
        while (!atomic_load(job->stop))
            nanosleep(&nap, NULL);
    }
    return simulate(job, ret); /* it was about to end */
}

static void interruption_after_the_last_changes_nothing(void)
{
    setup.simulate = interrupt_in_last;
    run();
    CHECK_UINT(calls, POLICIES * REPLICATIONS);
    CHECK_UINT(result.replications, REPLICATIONS);
    CHECK_INT(result.end, EXPERIMENT_WHOLE);
}

static void early_interruption_leaves_nothing(void)
{
    atomic_store(&interrupted, true);
    run();
    CHECK_UINT(calls, 0);
    CHECK_UINT(result.replications, 0);
    CHECK_INT(result.end, EXPERIMENT_INTERRUPTED);
}

static double most_overdue_s;

static void note_overdue(void *context, const struct experiment_progress *now)
{
    (void)context;
    if (now->overdue_s > most_overdue_s)
        most_overdue_s = now->overdue_s;
}

/* Comes back a quarter of a second after it was told to. */
static enum sim_status linger(const struct simulation_setup *job,
                              struct run_result *ret)
{
    struct timespec nap = {.tv_nsec = 250000000};
    enum sim_status status = interrupt_in_third(job, ret);

    if (status == SIM_STOPPED)
        nanosleep(&nap, NULL);
    return status;
}

static void who_does_not_end_is_overdue(void)
{
    setup.on_progress = note_overdue;
    most_overdue_s = 0;
    run();
    CHECK_NEAR(most_overdue_s, 0, 0);
    outcome_done(&result);
    setup.simulate = linger;
    run();
    /* A tick is due every tenth of a second. */
    CHECK(most_overdue_s > 0.05);
}

static void limit_of_time_stops(void)
{
    setup.limit_time_ns = 1;
    run();
    CHECK_INT(result.end, EXPERIMENT_LIMIT_TIME);
    CHECK_TEXT(outcome_end_text(result.end), "the limit of time was reached");
}

static void limit_of_memory_stops(void)
{
    setup.limit_memory_bytes = 1;
    run();
    CHECK_INT(result.end, EXPERIMENT_LIMIT_MEMORY);
    CHECK_TEXT(outcome_end_text(result.end), "the limit of memory was reached");
}

static void failure_names_its_simulation(void)
{
    odd_policy = 2;
    odd_replication = 1;
    odd_status = SIM_POLICY_ERROR;
    CHECK_INT(experiment_run(&setup, &result), EXPERIMENT_POLICY_ERROR);
    CHECK_UINT(result.error_policy, 2);
    CHECK_UINT(result.error_replication, 1);
    odd_status = SIM_NO_MEMORY;
    CHECK_INT(experiment_run(&setup, &result), EXPERIMENT_NO_MEMORY);
    odd_status = SIM_TOO_MANY_EVENTS;
    CHECK_INT(experiment_run(&setup, &result), EXPERIMENT_TOO_MANY_EVENTS);
    odd_status = SIM_TRACE_ERROR;
    CHECK_INT(experiment_run(&setup, &result), EXPERIMENT_TRACE_ERROR);
    odd_status = SIM_BOOKS_OPEN;
    CHECK_INT(experiment_run(&setup, &result), EXPERIMENT_BOOKS_OPEN);
}

static struct experiment_progress last_progress;

static void note_progress(void *context,
                          const struct experiment_progress *progress)
{
    (void)context;
    last_progress = *progress;
}

static enum sim_status simulate_slowly(const struct simulation_setup *job,
                                       struct run_result *ret)
{
    struct timespec nap = {.tv_nsec = 150000000};

    atomic_fetch_add(job->progress_ns, 500000000); /* half of its second */
    nanosleep(&nap, NULL);
    return simulate(job, ret);
}

static void progress_is_told(void)
{
    scenario.replications = 1;
    scenario.policy_count = 1;
    setup.simulate = simulate_slowly;
    setup.on_progress = note_progress;
    last_progress = (struct experiment_progress){0};
    run();
    CHECK_UINT(last_progress.jobs, 1);
    CHECK(last_progress.share >= 0.5);
    CHECK(last_progress.elapsed_s > 0);
}

int main(int argc, char **argv)
{
    CU_TestInfo whole_tests[] = {
        {"runs every policy in every replication",
         runs_every_policy_in_every_replication},
        {"verdicts compare with the first", verdicts_compare_with_the_first},
        {"goals are judged by the mean", goals_are_judged_by_the_mean},
        {"the number of threads does not show",
         number_of_threads_does_not_show},
        {"no number of threads means all", no_number_of_threads_means_all},
        {"progress is told", progress_is_told},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo end_tests[] = {
        {"a limit of events leaves whole replications",
         limit_of_events_leaves_whole_replications},
        {"an interruption keeps what is whole",
         interruption_keeps_what_is_whole},
        {"an interruption after the last changes nothing",
         interruption_after_the_last_changes_nothing},
        {"an early interruption leaves nothing",
         early_interruption_leaves_nothing},
        {"who does not end is overdue", who_does_not_end_is_overdue},
        {"a limit of time stops", limit_of_time_stops},
        {"a limit of memory stops", limit_of_memory_stops},
        {"a failure names its simulation", failure_names_its_simulation},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("experiment whole", NULL, NULL, three_policies_four_replications,
              forget, whole_tests),
        SUITE("experiment ends", NULL, NULL, three_policies_four_replications,
              forget, end_tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
