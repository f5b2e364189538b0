/*
 * How often an experiment runs each of its simulations: once where nothing is
 * random, twice for a warm-up, and only its part as a shard.
 */
#include "tests/unit/experiment/experiment_world.h"

/* Nothing but zeros, and long enough for whoever looks into it: no row, no
 * rate.
 */
static uint64_t some_trace[8192];

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
    CU_TestInfo shard_tests[] = {
        {"shards share out all simulations", shards_share_out_all_simulations},
        {"with an unknown warm-up replications stay whole",
         with_an_unknown_warm_up_replications_stay_whole},
        {"a shard runs its part of what might run once",
         shard_runs_its_part_of_what_might_run_once},
        {"what should be known is not run", what_should_be_known_is_not_run},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("experiment passes", NULL, NULL, three_policies_four_replications,
              forget, pass_tests),
        SUITE("experiment shards", NULL, NULL, three_policies_four_replications,
              forget, shard_tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
