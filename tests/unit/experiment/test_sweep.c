/* How the points of a sweep are run, with simulations that are arithmetic. */
#define _XOPEN_SOURCE 700 /* mkdtemp */
#include "sim/experiment/sweep.h"
#include "sim/scenario/loader.h"
#include "tests/check.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define POINTS 3
#define REPLICATIONS 4
#define POLICIES 2

static const char text[] =
    "lbsim: 1\n"
    "duration: 10 s\n"
    "replications: 4\n"
    "workload: {arrivals: {rate: 5/s}, work: {dist: constant, value: 50 ms}}\n"
    "nodes: [{group: n, count: 2, engine: {slots: 1}}]\n"
    "policies: [round_robin, random]\n";

static char place[64], path[100];
static struct scenario *base;
static struct sweep_setup setup;
static struct sweep_result result;

/* How often each simulation was run: by count of nodes 1 to 3, policy and
   replication. */
static _Atomic uint32_t runs_of[POINTS][POLICIES][REPLICATIONS];

static enum sim_status simulate(const struct simulation_setup *job,
                                struct run_result *ret)
{
    for (uint32_t id = 0; id < MEASURE_COUNT; id++)
        ret->values[id] = NAN;
    ret->values[M_LATENCY_ALL_P99] = 10 + job->policy;
    ret->events = 7;
    if (job->replication <= REPLICATIONS)
        atomic_fetch_add(&runs_of[job->scenario->groups[0].count - 1]
                                 [job->policy][job->replication - 1],
                         1);
    return SIM_OK;
}

static void three_points(void)
{
    static const char vary[] = "--vary nodes[n].count=[1, 2, 3]";
    static const char *const texts[] = {vary};
    static const enum measure_id kept[] = {M_LATENCY_ALL_P99};
    struct diag diag = {0};
    FILE *file;

    snprintf(place, sizeof place, "/tmp/lbsim-test-XXXXXX");
    CHECK(mkdtemp(place) != NULL);
    snprintf(path, sizeof path, "%s/s.yaml", place);
    file = fopen(path, "w");
    CHECK(file != NULL);
    fputs(text, file);
    fclose(file);
    base = scenario_load(path, NULL, 0, &diag);
    CHECK(base && scenario_vary(base, texts, 1, &diag));
    diag_done(&diag);
    setup = (struct sweep_setup){
        .base = base,
        .experiment = {.simulate = simulate, .threads = 2},
        .measures = kept,
        .measure_count = 1,
    };
    memset(runs_of, 0, sizeof runs_of);
}

static void remove_points(void)
{
    sweep_done(&result);
    scenario_destroy(base);
    CHECK_INT(unlink(path), 0);
    CHECK_INT(rmdir(place), 0);
}

static void run(void)
{
    CHECK_INT(sweep_run(&setup, &result), EXPERIMENT_OK);
    CHECK_INT(result.end, EXPERIMENT_WHOLE);
    CHECK_UINT(result.diag.errors, 0);
}

static void check_runs(uint32_t each)
{
    for (uint32_t i = 0; i < POINTS; i++)
        for (uint32_t j = 0; j < POLICIES; j++)
            for (uint32_t k = 0; k < REPLICATIONS; k++)
                CHECK_UINT(runs_of[i][j][k], each);
}

static void every_point_runs_everything(void)
{
    run();
    check_runs(1);
    CHECK_UINT(result.whole, POINTS);
    CHECK_UINT(result.work.units, POINTS * POLICIES * REPLICATIONS);
    CHECK_UINT(result.work.done, POINTS * POLICIES * REPLICATIONS);
    CHECK_NEAR(result.points[2].policies[1].measures[0].mean, 11, 0);
}

/* 24 simulations for 5 shards. */
static void shards_share_out_the_simulations_of_all_points(void)
{
    for (uint32_t number = 1; number <= 5; number++) {
        struct shard shard = {number, 5};

        setup.experiment.shard = &shard;
        run();
        CHECK_UINT(result.work.units, 24);
        CHECK(result.work.simulations == 4 || result.work.simulations == 5);
        CHECK_UINT(result.work.done, result.work.simulations);
        CHECK(!result.points[0].policies); /* a part says nothing */
        sweep_done(&result);
    }
    check_runs(1);
}

/* Nothing is on any shelf. */
static void what_should_be_known_is_not_run(void)
{
    setup.experiment.known = 24;
    CHECK_INT(sweep_run(&setup, &result), EXPERIMENT_LOST);
    check_runs(0);
}

/* ---- progress ---- */

static atomic_bool seen_half;
static struct experiment_progress last;

/* The only one under way is half done, and waits until that was told. */
static enum sim_status simulate_half(const struct simulation_setup *job,
                                     struct run_result *ret)
{
    struct timespec nap = {.tv_nsec = 1000000};

    atomic_fetch_add(job->progress_ns, 5000000000); /* of 10 s */
    for (int i = 0; i < 5000 && !atomic_load(&seen_half); i++)
        nanosleep(&nap, NULL);
    return simulate(job, ret);
}

static void note(void *context, const struct experiment_progress *now)
{
    (void)context;
    last = *now;
    /* One of 24 simulations. */
    if (now->jobs_done == 0 && fabs(now->share - 0.5 / 24) < 1e-6)
        atomic_store(&seen_half, true);
}

static void parts_of_points_are_progress(void)
{
    setup.experiment.simulate = simulate_half;
    setup.experiment.on_progress = note;
    setup.experiment.threads = 1;
    atomic_store(&seen_half, false);
    run();
    CHECK(seen_half);
    CHECK(last.of_points);
    CHECK_UINT(last.jobs, POINTS);
    CHECK_UINT(last.jobs_done, POINTS);
    CHECK_NEAR(last.share, 1, 0);
    CHECK_NEAR(last.left_s, 0, 0);
}

/* ---- one that does not end ---- */

static atomic_bool interrupted;
static atomic_bool overdue;

static void note_overdue(void *context, const struct experiment_progress *now)
{
    (void)context;
    if (now->overdue_s > 0.05)
        atomic_store(&overdue, true);
}

/* Goes on whatever it is told, until somebody has noticed; or for 10 s. */
static enum sim_status linger(const struct simulation_setup *job,
                              struct run_result *ret)
{
    struct timespec nap = {.tv_nsec = 10000000};

    atomic_store(&interrupted, true);
    for (int i = 0; i < 1000 && !atomic_load(&overdue); i++)
        nanosleep(&nap, NULL);
    return simulate(job, ret);
}

static void who_does_not_end_is_overdue(void)
{
    setup.experiment.on_progress = note_overdue;
    setup.experiment.interrupted = &interrupted;
    atomic_store(&interrupted, false);
    atomic_store(&overdue, false);
    run();
    CHECK(!overdue);
    sweep_done(&result);
    setup.experiment.simulate = linger;
    CHECK_INT(sweep_run(&setup, &result), EXPERIMENT_OK);
    CHECK_INT(result.end, EXPERIMENT_INTERRUPTED);
    CHECK(overdue);
}

/* ---- a search on a trace ---- */

static _Atomic uint32_t resampled, as_recorded;

/* The second policy is better by a hair, and by chance. */
static enum sim_status simulate_trace(const struct simulation_setup *job,
                                      struct run_result *ret)
{
    bool blocks = job->scenario->workload.resample == TRACE_RESAMPLE_BLOCKS;

    atomic_fetch_add(blocks ? &resampled : &as_recorded, 1);
    simulate(job, ret);
    ret->values[M_LATENCY_ALL_P99] = 10;
    if (job->policy == 1)
        ret->values[M_LATENCY_ALL_P99] += job->replication % 2 ? 1.0 : -1.0;
    return SIM_OK;
}

static void write_trace(const char *name)
{
    FILE *file = fopen(name, "w");

    CHECK(file != NULL);
    fputs("arrival_s,input_tokens,output_tokens\n", file);
    for (int i = 0; i < 1000; i++)
        fprintf(file, "%d,100,10\n", i);
    fclose(file);
}

static void rewrite_scenario(const char *name)
{
    FILE *file = fopen(path, "w");

    CHECK(file != NULL);
    fprintf(file,
            "lbsim: 1\n"
            "replications: 2\n"
            "workload: {trace: {file: %s}}\n"
            "defaults: {engine: {service: {base: 1 s}}}\n"
            "nodes: [{group: n, count: 2, engine: {speed: 1}}]\n"
            "policies: [round_robin, random]\n",
            name);
    fclose(file);
}

/* Of 28, looks take 27 and then one more: that one is resampled too. */
static void every_replication_of_a_search_is_resampled(void)
{
    static const char *const texts[] = {
        "--crossover nodes[n].engine.speed=1..2", "--most-replications 28",
        "--scan 2"};
    struct diag diag = {0};
    char trace[120];

    snprintf(trace, sizeof trace, "%s/t.csv", place);
    write_trace(trace);
    rewrite_scenario(trace);
    scenario_destroy(base);
    base = scenario_load(path, NULL, 0, &diag);
    CHECK(base && scenario_vary(base, texts, 3, &diag) &&
          scenario_open_trace(base, &diag));
    diag_done(&diag);
    setup.base = base;
    setup.experiment.simulate = simulate_trace;
    atomic_store(&resampled, 0);
    atomic_store(&as_recorded, 0);
    run();
    CHECK_UINT(as_recorded, 0);
    CHECK_UINT(resampled, 2 * 2 * 28); /* places, policies, replications */
    CHECK_INT(unlink(trace), 0);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"every point runs everything", every_point_runs_everything},
        {"shards share out the simulations of all points",
         shards_share_out_the_simulations_of_all_points},
        {"what should be known is not run", what_should_be_known_is_not_run},
        {"parts of points are progress", parts_of_points_are_progress},
        {"who does not end is overdue", who_does_not_end_is_overdue},
        {"every replication of a search is resampled",
         every_replication_of_a_search_is_resampled},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("sweep", NULL, NULL, three_points, remove_points, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
