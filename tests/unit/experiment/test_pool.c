#include "sim/experiment/pool.h"
#include "tests/check.h"

#define JOBS 1000

static _Atomic uint32_t ran[JOBS];
static _Atomic uint32_t ticks;
static atomic_bool stop;

static void forget(void)
{
    for (uint32_t i = 0; i < JOBS; i++)
        atomic_store(&ran[i], 0);
    atomic_store(&ticks, 0);
    atomic_store(&stop, false);
}

static void count_job(void *context, uint64_t job)
{
    (void)context;
    atomic_fetch_add(&ran[job], 1);
}

static void stop_at_10(void *context, uint64_t job)
{
    count_job(context, job);
    if (job == 10)
        atomic_store(&stop, true);
}

static void count_tick(void *context)
{
    (void)context;
    atomic_fetch_add(&ticks, 1);
}

static void check_all_once(uint32_t threads)
{
    struct pool_work work = {.count = JOBS, .run = count_job};
    uint32_t once = 0;

    CHECK(pool_run(&work, threads));
    for (uint32_t i = 0; i < JOBS; i++)
        once += atomic_load(&ran[i]) == 1;
    CHECK_UINT(once, JOBS);
}

static void one_thread_runs_every_job_once(void)
{
    check_all_once(1);
}

static void many_threads_run_every_job_once(void)
{
    check_all_once(8);
}

static void no_thread_asked_for_means_one(void)
{
    check_all_once(0);
}

static void more_threads_than_jobs_do_no_harm(void)
{
    struct pool_work work = {.count = 3, .run = count_job};

    CHECK(pool_run(&work, 64));
    CHECK_UINT(ran[0] + ran[1] + ran[2], 3);
}

static void numbers_start_at_first(void)
{
    struct pool_work work = {.first = 5, .count = 2, .run = count_job};

    CHECK(pool_run(&work, 2));
    CHECK_UINT(ran[4], 0);
    CHECK_UINT(ran[5], 1);
    CHECK_UINT(ran[6], 1);
    CHECK_UINT(ran[7], 0);
}

static void no_job_is_fine(void)
{
    struct pool_work work = {.count = 0, .run = count_job};

    CHECK(pool_run(&work, 4));
}

/* On one thread, job 11 cannot have been taken before job 10 ended. */
static void stop_flag_ends_after_the_running_job(void)
{
    struct pool_work work = {.count = JOBS, .run = stop_at_10, .stop = &stop};

    CHECK(pool_run(&work, 1));
    CHECK_UINT(ran[10], 1);
    CHECK_UINT(ran[11], 0);
}

static void raised_flag_lets_nothing_start(void)
{
    struct pool_work work = {.count = JOBS, .run = count_job, .stop = &stop};

    atomic_store(&stop, true);
    CHECK(pool_run(&work, 2));
    CHECK_UINT(ran[0], 0);
}

static void caller_ticks(void)
{
    struct pool_work work = {
        .count = JOBS, .run = count_job, .tick = count_tick};

    /* A pool may end before its caller looks once, but not every time. */
    for (int i = 0; i < 1000 && ticks == 0; i++)
        CHECK(pool_run(&work, 2));
    CHECK(ticks > 0);
}

static void machine_has_a_thread(void)
{
    CHECK(pool_machine_threads() >= 1);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"one thread runs every job once", one_thread_runs_every_job_once},
        {"many threads run every job once", many_threads_run_every_job_once},
        {"no thread asked for means one", no_thread_asked_for_means_one},
        {"more threads than jobs do no harm",
         more_threads_than_jobs_do_no_harm},
        {"numbers start at first", numbers_start_at_first},
        {"no job is fine", no_job_is_fine},
        {"the stop flag ends after the running job",
         stop_flag_ends_after_the_running_job},
        {"a raised flag lets nothing start", raised_flag_lets_nothing_start},
        {"the caller ticks", caller_ticks},
        {"the machine has a thread", machine_has_a_thread},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("pool", NULL, NULL, forget, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
