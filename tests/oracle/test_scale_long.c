/*
 * From a handful of nodes to thousands, and from one question to a thousand.
 *
 * - pegainfer-project/pegainfer #1039, smg-project/smg #1789, haproxy/haproxy
 *   #881: memory must be linear in nodes, at a constant load per node and a
 *   fixed number of requests. (What a request costs at 4 and at 1,024 nodes is
 *   counted in instructions: tests/e2e/test_instructions_long.sh.)
 * - ai-dynamo/dynamo #7543, inference-sim/inference-sim #944: a thousand
 *   settings of 23,600 requests each, which is what a search takes, are a
 *   matter of two minutes on 16 cores; here one core must do.
 *
 * Sanitizers bring memory and time of their own, so nothing is measured there.
 */
#define _DEFAULT_SOURCE /* wait4 */
#include "tests/oracle/harness.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define MEASURED 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
    __has_feature(memory_sanitizer)
#define MEASURED 0
#endif
#endif
#ifndef MEASURED
#define MEASURED 1
#endif

/* --- memory by nodes -------------------------------------------------------
 */

#define SCALE_REQUESTS 1e6

/* With keys, so that rings are built. */
static bool run_pool(const char *policy, unsigned nodes)
{
    struct trial trial;
    struct run_result result;
    bool done = trial_load(&trial,
                           "lbsim: 1\n"
                           "duration: %.3f s\n"
                           "seed: 6301\n"
                           "workload:\n"
                           "  arrivals: {process: poisson, rate: %u/s}\n"
                           "  work: {dist: exponential, mean: 700 ms}\n"
                           "  keys: {dist: unique}\n"
                           "nodes: [{group: n, count: %u}]\n"
                           "policies: [%s]\n",
                           SCALE_REQUESTS / nodes, nodes, nodes, policy) &&
                trial_run_one(&trial, 1, &result) == SIM_OK &&
                result.books.completed == result.books.arrived;

    run_result_done(&result);
    trial_done(&trial);
    return done;
}

/* Of a process of its own, in bytes; NAN: the run failed. */
static double peak_with(const char *policy, unsigned nodes)
{
    struct rusage usage;
    int status = 1;
    pid_t child = fork();

    if (child == 0)
        _exit(run_pool(policy, nodes) ? 0 : 1);
    if (child < 0 || wait4(child, &status, 0, &usage) != child || status != 0)
        return NAN;
    return (double)usage.ru_maxrss * 1024;
}

/*
 * What a node takes more, between 64 and 1,024 nodes, it takes between 1,024
 * and 4,096, too; a square would take four times as much. And it is not much:
 * a ring has 160 points of 16 bytes a node by default, built once and sorted in
 * a second copy, and a policy's own tables are small beside it.
 */
static void check_linear(const char *policy)
{
    double few = peak_with(policy, 64), many = peak_with(policy, 1024),
           most = peak_with(policy, 4096);
    double first = (many - few) / (1024 - 64),
           then = (most - many) / (4096 - 1024);

    printf("%s: %.0f bytes a node from 64 to 1,024 nodes, %.0f from there to "
           "4,096\n",
           policy, first, then);
    CHECK(then < 1.5 * first + 1024);
    CHECK(then < 16 * 1024);
    /* 16 MiB, 96 bytes for each request that may be in the system, nodes. */
    CHECK(most < (16 << 20) + 4096 * 16.0 * 1024);
}

static void memory_is_linear_in_nodes(void)
{
    static const char *const policies[] = {
        "random", "two_choices", "least_conn", "ring_hash", "smooth_weighted"};

    if (MEASURED)
        CHECK(peak_with("random", 4) < 16 << 20);
    for (size_t i = 0; MEASURED && i < sizeof policies / sizeof *policies; i++)
        check_linear(policies[i]);
}

/* --- a thousand settings ---------------------------------------------------
 */

/* Of this process, which busy neighbours do not lengthen. */
static double cpu_now_s(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Another load and another policy each time, read as users write it. */
static bool run_setting(unsigned index)
{
    static const char *const policies[] = {"random", "round_robin",
                                           "smooth_weighted", "least_conn",
                                           "two_choices"};
    double rate_per_s = 64 * (0.5 + 0.4 * index / 1000);
    struct trial trial;
    struct run_result result;
    bool done = trial_load(&trial,
                           "lbsim: 1\n"
                           "duration: %.3f s\n"
                           "seed: %u\n"
                           "workload:\n"
                           "  arrivals: {process: poisson, rate: %.3f/s}\n"
                           "  work: {dist: exponential, mean: 1 s}\n"
                           "nodes: [{group: n, count: 64}]\n"
                           "policies: [%s]\n",
                           23600 / rate_per_s, index + 1, rate_per_s,
                           policies[index % 5]) &&
                trial_run_one(&trial, 1, &result) == SIM_OK &&
                result.books.completed == result.books.arrived;

    run_result_done(&result);
    trial_done(&trial);
    return done;
}

static void a_thousand_settings_take_two_minutes(void)
{
    unsigned settings = MEASURED ? 1000 : 5;
    double started_s = cpu_now_s(), took_s;
    bool each_runs = true;

    for (unsigned i = 0; each_runs && i < settings; i++)
        each_runs = run_setting(i);
    CHECK(each_runs);
    took_s = cpu_now_s() - started_s;
    printf("%u settings of 23,600 requests: %.1f s on one core\n", settings,
           took_s);
    CHECK(took_s < 120);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"memory is linear in nodes", memory_is_linear_in_nodes},
        {"a thousand settings take two minutes",
         a_thousand_settings_take_two_minutes},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("scale", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
