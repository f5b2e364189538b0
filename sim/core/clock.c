#include "sim/core/clock.h"

#include <time.h>

static int64_t read_ns(clockid_t clock)
{
    struct timespec now;

    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t clock_now_ns(void)
{
    return read_ns(CLOCK_MONOTONIC);
}

double clock_process_cpu_s(void)
{
    return 1e-9 * (double)read_ns(CLOCK_PROCESS_CPUTIME_ID);
}

double clock_thread_cpu_s(void)
{
    return 1e-9 * (double)read_ns(CLOCK_THREAD_CPUTIME_ID);
}
