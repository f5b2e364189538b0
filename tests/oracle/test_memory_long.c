/*
 * UCL/TLOmodel #689, cloudsimplus/cloudsimplus #197, ai-dynamo/dynamo #10940:
 * simulations that grow fatter the longer they run, by cancelled events that
 * stay in queues, or histories that nobody drains.
 *
 * Ten million requests, each with a time-out that almost never fires, under
 * health checks and reports, must need the memory of one million. Each run is
 * a process of its own, whose peak the system knows.
 */
#include "tests/oracle/harness.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static bool run_long(double requests)
{
    struct trial trial;
    struct run_result result;
    bool done =
        trial_load(&trial,
                   "lbsim: 1\n"
                   "duration: %.0f s\n"
                   "warm_up: 10 %%\n"
                   "seed: 6101\n"
                   "workload:\n"
                   "  arrivals: {process: poisson, rate: 100/s}\n"
                   "  work: {dist: exponential, mean: 100 ms}\n"
                   "  keys: {dist: zipf, distinct: 2000, repeat_share: 90 %%}\n"
                   "nodes: [{group: n, count: 16, result_cache: {entries: "
                   "50}}]\n"
                   "balancer:\n"
                   "  network_delay: 1 ms\n"
                   "  report_interval: 1 s\n"
                   "  health: {}\n"
                   "  retry: {}\n"
                   "  timeout: {total: 20 s}\n"
                   "policies: [least_conn]\n",
                   requests / 100) &&
        trial_run_one(&trial, 1, &result) == SIM_OK &&
        (double)result.books.arrived > 0.99 * requests &&
        result.books.completed == result.books.arrived;

    run_result_done(&result);
    trial_done(&trial);
    return done;
}

/* The largest process so far, in KiB; 0: the run failed. */
static long peak_with(double requests)
{
    struct rusage usage;
    int status = 1;
    pid_t child = fork();

    if (child == 0)
        _exit(run_long(requests) ? 0 : 1);
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0 ||
        getrusage(RUSAGE_CHILDREN, &usage) != 0)
        return 0;
    return usage.ru_maxrss;
}

static void ten_times_as_long_is_no_fatter(void)
{
    long one = peak_with(1e6);
    long ten = peak_with(1e7);

    CHECK(one > 0 && ten > 0);
    CHECK_NEAR((double)ten, (double)one, 0.05 * (double)one);
    CHECK(ten < 32 * 1024); /* 16 MiB and the program */
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"ten times as long is no fatter", ten_times_as_long_is_no_fatter},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("flat memory", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
