/*
 * How an experiment drives its simulations, shown with simulations that are
 * only arithmetic: policy p of replication r has latency 10 + p + r.
 */
#include "policies/lbp.h"
#include "sim/experiment/experiment.h"
#include "tests/check.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#define POLICIES 3
#define REPLICATIONS 4

static const struct lbp_ops blind = {.name = "blind"};
static const struct policy_spec policies[POLICIES] = {
    {.label = "a", .ops = &blind},
    {.label = "b", .ops = &blind},
    {.label = "c", .ops = &blind},
};
static const struct group_spec group = {.name = "gpu", .count = 1};
static const struct goal_spec goals[] = {
    {M_LATENCY_ALL_P99, 13},
    {M_SUCCESS, 0.9},
};
/* Nothing but zeros, and long enough for whoever looks into it: no row, no
 * rate.
 */
static uint64_t some_trace[8192];

static struct scenario scenario;
static struct experiment_setup setup;
static struct experiment_result result;

static _Atomic uint32_t calls;
static _Atomic uint32_t kept, with_warm_up;
static atomic_bool interrupted;
/* What befalls the simulation of this policy and replication. */
static uint32_t odd_policy, odd_replication;
static enum sim_status odd_status;

static void fill(const struct simulation_setup *job, struct run_result *ret)
{
    for (uint32_t id = 0; id < MEASURE_COUNT; id++)
        ret->values[id] = NAN;
    ret->values[M_LATENCY_ALL_P99] = 10 + job->policy + job->replication;
    ret->values[M_SUCCESS] = job->policy == 2 ? 0.5 : 0.95;
    ret->measured = ret->measured_answered = 1000;
    ret->events = 7;
}

static enum sim_status simulate(const struct simulation_setup *job,
                                struct run_result *ret)
{
    atomic_fetch_add(&calls, 1);
    if (odd_status != SIM_OK && job->policy == odd_policy &&
        job->replication == odd_replication)
        return odd_status;
    fill(job, ret);
    return SIM_OK;
}

static void three_policies_four_replications(void)
{
    scenario = (struct scenario){
        .duration_ns = 1000000000,
        .replications = REPLICATIONS,
        .confidence = 0.95,
        .min_effect = 0.01,
        .objective = M_LATENCY_ALL_P99,
        .workload.arrivals = {.process = ARRIVALS_DETERMINISTIC,
                              .rate_per_s = 1000},
        .group_count = 1,
        .groups = &group,
        .node_count = 1,
        .balancer = {.count = 1, .report_interval_ns = -1},
        .policy_count = POLICIES,
        .policies = policies,
        .goal_count = 2,
        .goals = goals,
    };
    setup = (struct experiment_setup){
        .scenario = &scenario,
        .simulate = simulate,
        .threads = 2,
        .interrupted = &interrupted,
    };
    atomic_store(&calls, 0);
    atomic_store(&kept, 0);
    atomic_store(&with_warm_up, 0);
    atomic_store(&interrupted, false);
    odd_status = SIM_OK;
}

static void forget(void)
{
    outcome_done(&result);
}

static void run(void)
{
    CHECK_INT(experiment_run(&setup, &result), EXPERIMENT_OK);
}

static double p99_of(uint32_t policy)
{
    return result.policies[policy].fold.measures[M_LATENCY_ALL_P99].mean;
}

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

/* ---- once ---- */

static enum sim_status simulate_drawing(const struct simulation_setup *job,
                                        struct run_result *ret)
{
    simulate(job, ret);
    ret->draws = job->policy == 1;
    return SIM_OK;
}

static void scenario_without_chance_runs_once(void)
{
    scenario.workload = (struct workload_spec){.trace = (void *)some_trace};
    run();
    CHECK(result.runs_once);
    CHECK_UINT(calls, POLICIES);
    CHECK_UINT(result.replications, 1);
    CHECK_UINT(result.replications_asked, REPLICATIONS);
    CHECK_INT(result.end, EXPERIMENT_WHOLE);
    CHECK_NEAR(p99_of(0), 11, 0);
}

static void policy_that_draws_brings_all_replications_back(void)
{
    scenario.workload = (struct workload_spec){.trace = (void *)some_trace};
    setup.simulate = simulate_drawing;
    run();
    CHECK(!result.runs_once);
    CHECK_UINT(calls, POLICIES * REPLICATIONS);
    CHECK_NEAR(p99_of(0), 12.5, 1e-12);
}

/* ---- warm-up ---- */

/* The first pass sees (10 + 5 policy) high values, then level ones. */
static enum sim_status simulate_warming(const struct simulation_setup *job,
                                        struct run_result *ret)
{
    simulate(job, ret);
    ret->excluded = (uint64_t)job->warm_up_ns;
    if (!job->keep_latencies)
        return SIM_OK;
    atomic_fetch_add(&kept, 1);
    ret->latency_count = 200;
    ret->latencies = calloc(200, sizeof *ret->latencies);
    for (uint32_t i = 0; i < 200; i++)
        ret->latencies[i] = i < 10 + 5 * job->policy ? 90 : 1;
    return SIM_OK;
}

/* Policy c asks most: 20 arrivals at 1000 a second. */
static void largest_cut_serves_all_policies_of_a_replication(void)
{
    int64_t cut_ns;

    scenario.warm_up.kind = WARM_UP_AUTO;
    setup.simulate = simulate_warming;
    run();
    CHECK_UINT(kept, POLICIES * REPLICATIONS);
    CHECK_UINT(calls, 2 * POLICIES * REPLICATIONS);
    cut_ns = (int64_t)result.policies[0].fold.excluded / REPLICATIONS;
    CHECK(cut_ns >= 20000000 && cut_ns <= 21000000);
    CHECK_UINT(result.policies[2].fold.excluded,
               result.policies[0].fold.excluded);
    CHECK(result.warm_up_auto);
    CHECK_NEAR(result.warm_up_least_s, 1e-9 * (double)cut_ns, 1e-12);
    CHECK_NEAR(result.warm_up_most_s, 1e-9 * (double)cut_ns, 1e-12);
    CHECK_UINT(result.warm_up_doubtful, 0);
}

static enum sim_status simulate_level(const struct simulation_setup *job,
                                      struct run_result *ret)
{
    simulate(job, ret);
    ret->excluded = job->warm_up_ns != 0;
    ret->latency_count = 200;
    ret->latencies = calloc(200, sizeof *ret->latencies);
    return SIM_OK;
}

static void run_that_needs_no_cut_is_not_run_again(void)
{
    scenario.warm_up.kind = WARM_UP_AUTO;
    setup.simulate = simulate_level;
    run();
    CHECK_UINT(calls, POLICIES * REPLICATIONS);
    CHECK_UINT(result.replications, REPLICATIONS);
    CHECK_UINT(result.policies[0].fold.excluded, 0);
    CHECK_NEAR(result.warm_up_most_s, 0, 0);
}

static enum sim_status interrupt_first_pass(const struct simulation_setup *job,
                                            struct run_result *ret)
{
    simulate_warming(job, ret);
    if (job->replication == 2) {
        struct timespec nap = {.tv_nsec = 1000000};

        atomic_store(&interrupted, true);
        while (!atomic_load(job->stop))
            nanosleep(&nap, NULL);
    }
    return SIM_OK;
}

/* What was measured without a warm-up is no result. */
static void interrupted_first_pass_leaves_nothing(void)
{
    scenario.warm_up.kind = WARM_UP_AUTO;
    setup.simulate = interrupt_first_pass;
    run();
    CHECK_INT(result.end, EXPERIMENT_INTERRUPTED);
    CHECK_UINT(result.replications, 0);
}

/* ---- shards ---- */

/* How often each simulation was run, by policy and replication. */
static _Atomic uint32_t runs_of[POLICIES][REPLICATIONS];

static enum sim_status simulate_counted(const struct simulation_setup *job,
                                        struct run_result *ret)
{
    atomic_fetch_add(&runs_of[job->policy][job->replication - 1], 1);
    return scenario.warm_up.kind == WARM_UP_AUTO ? simulate_warming(job, ret)
                                                 : simulate(job, ret);
}

static void run_shard(uint32_t number, uint32_t count, uint64_t first_unit)
{
    struct shard shard = {number, count};

    memset(runs_of, 0, sizeof runs_of);
    setup.simulate = simulate_counted;
    setup.shard = &shard;
    setup.first_unit = first_unit;
    run();
    CHECK_INT(result.end, EXPERIMENT_WHOLE);
    CHECK_UINT(result.replications, 0); /* nothing is folded */
    CHECK_UINT(result.work.done, result.work.simulations);
}

/* 12 simulations for 5 shards: two or three each, whatever came before. */
static void shards_share_out_all_simulations(void)
{
    for (uint64_t first = 0; first < 3; first++) {
        uint32_t all[POLICIES][REPLICATIONS] = {{0}};

        for (uint32_t number = 1; number <= 5; number++) {
            run_shard(number, 5, first);
            CHECK_UINT(result.work.units, POLICIES * REPLICATIONS);
            if (first == 0)
                CHECK(result.work.simulations == 2 ||
                      result.work.simulations == 3);
            for (uint32_t i = 0; i < POLICIES; i++)
                for (uint32_t j = 0; j < REPLICATIONS; j++)
                    all[i][j] += runs_of[i][j];
            outcome_done(&result);
        }
        for (uint32_t i = 0; i < POLICIES; i++)
            for (uint32_t j = 0; j < REPLICATIONS; j++)
                CHECK_UINT(all[i][j], 1);
    }
}

/* Two passes of each; 4 replications for 3 shards, the first has two. */
static void with_an_unknown_warm_up_replications_stay_whole(void)
{
    scenario.warm_up.kind = WARM_UP_AUTO;
    run_shard(2, 3, 0);
    CHECK_UINT(result.work.units, REPLICATIONS);
    CHECK_UINT(result.work.simulations % POLICIES, 0);
    for (uint32_t j = 0; j < REPLICATIONS; j++)
        for (uint32_t i = 0; i < POLICIES; i++) {
            CHECK(runs_of[i][j] == 0 || runs_of[i][j] == 2);
            CHECK_UINT(runs_of[i][j], runs_of[0][j]);
        }
}

/* No shard can know that the first replication says it all. */
static void shard_runs_its_part_of_what_might_run_once(void)
{
    scenario.workload = (struct workload_spec){.trace = (void *)some_trace};
    run_shard(1, 1, 0);
    CHECK(!result.runs_once);
    CHECK_UINT(calls, POLICIES * REPLICATIONS);
}

/* Units 0 to 11 of this experiment; 12 and later are another's. */
static void what_should_be_known_is_not_run(void)
{
    setup.known = 1;
    CHECK_INT(experiment_run(&setup, &result), EXPERIMENT_LOST);
    CHECK_UINT(calls, 0);
    outcome_done(&result);
    setup.first_unit = 1;
    run();
    CHECK_UINT(calls, POLICIES * REPLICATIONS);
}

int main(int argc, char **argv)
{
    CU_TestInfo shard_tests[] = {
        {"shards share out all simulations", shards_share_out_all_simulations},
        {"with an unknown warm-up replications stay whole",
         with_an_unknown_warm_up_replications_stay_whole},
        {"a shard runs its part of what might run once",
         shard_runs_its_part_of_what_might_run_once},
        {"what should be known is not run", what_should_be_known_is_not_run},
        CU_TEST_INFO_NULL,
    };
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
    CU_TestInfo pass_tests[] = {
        {"a scenario without chance runs once",
         scenario_without_chance_runs_once},
        {"a policy that draws brings all replications back",
         policy_that_draws_brings_all_replications_back},
        {"the largest cut serves all policies of a replication",
         largest_cut_serves_all_policies_of_a_replication},
        {"a run that needs no cut is not run again",
         run_that_needs_no_cut_is_not_run_again},
        {"an interrupted first pass leaves nothing",
         interrupted_first_pass_leaves_nothing},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("experiment whole", NULL, NULL, three_policies_four_replications,
              forget, whole_tests),
        SUITE("experiment ends", NULL, NULL, three_policies_four_replications,
              forget, end_tests),
        SUITE("experiment passes", NULL, NULL, three_policies_four_replications,
              forget, pass_tests),
        SUITE("experiment shards", NULL, NULL, three_policies_four_replications,
              forget, shard_tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
