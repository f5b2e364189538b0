/* How much is left is arithmetic over what ended: shown with round numbers. */
#include "sim/experiment/meter.h"
#include "tests/check.h"

#define S 1000000000
#define SPAN_NS (100LL * S)

static struct meter meters[2];
static struct experiment_progress now;

static void two_policies_of_ten_jobs(void)
{
    for (unsigned i = 0; i < 2; i++)
        meters[i] = (struct meter){.jobs = 10};
}

static void end_jobs(unsigned policy, unsigned count, double each_s)
{
    for (unsigned i = 0; i < count; i++) {
        meter_job_ended(&meters[policy], (int64_t)(each_s * S));
        atomic_fetch_add(&meters[policy].simulated_ns, SPAN_NS);
    }
}

static void look(uint32_t threads, double elapsed_s)
{
    meter_read(meters, 2, SPAN_NS, threads, elapsed_s, &now);
}

static void start_says_nothing_of_the_rest(void)
{
    look(2, 5);
    CHECK_NEAR(now.share, 0, 0);
    CHECK_UINT(now.jobs, 20);
    CHECK(now.left_s < 0);
}

/* A tenth of one job of twenty is too little, a half of two will do: 1 of 20
   in 3 s, so 19 x 3 s are left. */
static void parts_of_first_jobs_say_something(void)
{
    atomic_store(&meters[0].simulated_ns, SPAN_NS / 10);
    look(2, 3);
    CHECK(now.left_s < 0);
    atomic_store(&meters[0].simulated_ns, SPAN_NS / 2);
    atomic_store(&meters[1].simulated_ns, SPAN_NS / 2);
    look(2, 3);
    CHECK_NEAR(now.share, 0.05, 1e-12);
    CHECK_NEAR(now.left_s, 57, 1e-9);
}

/* 9 jobs of the quick one and 8 of the slow one are left: 9 x 1 + 8 x 10 s of
   work for two threads. By jobs alone it would be 21 s / 2 x 17 / 3 = 59.5. */
static void slow_policy_weighs_more(void)
{
    end_jobs(0, 1, 1);
    end_jobs(1, 2, 10);
    look(2, 10.5);
    CHECK_NEAR(now.left_s, 44.5, 1e-9);
    CHECK_UINT(now.jobs_done, 3);
}

/* Of the second one nothing ended: as slow as the first, 4 s. Half a job of it
   is done: (8 + 9.5) x 4 s on one thread. */
static void policy_without_an_ended_job_is_like_the_mean(void)
{
    end_jobs(0, 2, 4);
    atomic_store(&meters[1].simulated_ns, SPAN_NS / 2);
    look(1, 10);
    CHECK_NEAR(now.left_s, 70, 1e-9);
}

/* 5 + 10 known, 1 ended in 6 s, 4 left of 6 s: no quarter of the job's time. */
static void known_results_are_progress_but_no_speed(void)
{
    for (unsigned i = 0; i < 10; i++) {
        meter_job_known(&meters[1]);
        if (i < 5)
            meter_job_known(&meters[0]);
    }
    end_jobs(0, 1, 6);
    look(1, 6);
    CHECK_NEAR(now.share, 16 / 20.0, 1e-12);
    CHECK_UINT(now.jobs_done, 16);
    CHECK_UINT(now.jobs_known, 15);
    CHECK_NEAR(now.left_s, 24, 1e-9);
}

/* One job is left, three quarters of it done: 16 threads do not help. */
static void last_job_has_one_thread(void)
{
    end_jobs(0, 10, 8);
    end_jobs(1, 9, 8);
    atomic_fetch_add(&meters[1].simulated_ns, 3 * (SPAN_NS / 4));
    look(16, 80);
    CHECK_NEAR(now.left_s, 2, 1e-9);
}

/* A drain may simulate beyond the span. */
static void end_is_the_end(void)
{
    end_jobs(0, 10, 1);
    end_jobs(1, 10, 1);
    atomic_fetch_add(&meters[0].simulated_ns, SPAN_NS);
    look(2, 10);
    CHECK_NEAR(now.share, 1, 0);
    CHECK_NEAR(now.left_s, 0, 0);
}

/* The length of a trace may be open: ended jobs alone tell. */
static void open_length_counts_ended_jobs(void)
{
    end_jobs(0, 5, 2);
    meter_read(meters, 2, INT64_MAX, 1, 10, &now);
    CHECK_NEAR(now.share, 0.25, 1e-12);
    CHECK_NEAR(now.left_s, 30, 1e-9);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"the start says nothing of the rest", start_says_nothing_of_the_rest},
        {"parts of the first jobs say something",
         parts_of_first_jobs_say_something},
        {"a slow policy weighs more", slow_policy_weighs_more},
        {"a policy without an ended job is like the mean",
         policy_without_an_ended_job_is_like_the_mean},
        {"known results are progress, but no speed",
         known_results_are_progress_but_no_speed},
        {"the last job has one thread", last_job_has_one_thread},
        {"the end is the end", end_is_the_end},
        {"an open length counts ended jobs", open_length_counts_ended_jobs},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("meter", NULL, NULL, two_policies_of_ten_jobs, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
