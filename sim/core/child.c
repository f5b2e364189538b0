/* For MAP_ANONYMOUS. NOLINTNEXTLINE(bugprone-reserved-identifier) */
#define _DEFAULT_SOURCE
#include "sim/core/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { STATUS_RETURNED = 93 }; /* that no exit() of a policy has by chance */

void *child_share(size_t size)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    return memory == MAP_FAILED ? NULL : memory;
}

void child_unshare(void *memory, size_t size)
{
    if (memory)
        munmap(memory, size);
}

/* Deaths are the parent's to tell: no core file, no report of a sanitizer, no
   word of the policy on our streams. */
static void be_quiet(void)
{
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    struct rlimit none = {0, 0};
    int nowhere = open("/dev/null", O_RDWR);

    /* A child that has children and is killed takes them along. */
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    setrlimit(RLIMIT_CORE, &none);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        signal(signals[i], SIG_DFL);
    if (nowhere < 0)
        return;
    for (int fd = 0; fd <= 2; fd++)
        dup2(nowhere, fd);
    close(nowhere);
}

/* Where lines are counted, they are written down now: _exit() would not. */
#ifdef LBSIM_COVERAGE
/* NOLINTNEXTLINE(bugprone-reserved-identifier) */
extern void __gcov_dump(void);
#endif

static void end_well(void)
{
#ifdef LBSIM_COVERAGE
    __gcov_dump();
#endif
    _exit(STATUS_RETURNED);
}

static int64_t clock_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Looks often at first, as most checks take a few milliseconds. */
static bool wait_for(pid_t child, int64_t limit_ns, int *ret_status)
{
    int64_t deadline_ns = clock_ns() + limit_ns;
    struct timespec pause = {0, 100000};

    for (;;) {
        pid_t ended = waitpid(child, ret_status, WNOHANG);

        if (ended == child)
            return true;
        if ((ended < 0 && errno != EINTR) || clock_ns() > deadline_ns)
            return false;
        nanosleep(&pause, NULL);
        if (pause.tv_nsec < 10000000)
            pause.tv_nsec *= 2;
    }
}

static const char *signal_name(int number)
{
    switch (number) {
    case SIGSEGV:
        return "SIGSEGV (a bad address)";
    case SIGABRT:
        return "SIGABRT (abort or assert)";
    case SIGBUS:
        return "SIGBUS (a bad address)";
    case SIGFPE:
        return "SIGFPE (such as a division by zero)";
    case SIGILL:
        return "SIGILL (an illegal instruction)";
    case SIGKILL:
        return "SIGKILL (memory ran out?)";
    default:
        return NULL;
    }
}

static void say_how(int status, char *ret_how, size_t size)
{
    if (WIFEXITED(status))
        snprintf(ret_how, size, "ended the process with status %d",
                 WEXITSTATUS(status));
    else if (signal_name(WTERMSIG(status)))
        snprintf(ret_how, size, "died of %s", signal_name(WTERMSIG(status)));
    else
        snprintf(ret_how, size, "died of signal %d", WTERMSIG(status));
}

enum child_end child_run(void (*run)(void *context), void *context,
                         int64_t limit_ns, char *ret_how, size_t size)
{
    pid_t child;
    int status = 0;

    fflush(NULL); /* or the child would write what waits, once more */
    child = fork();
    if (child < 0) {
        snprintf(ret_how, size, "no process for it: %s", strerror(errno));
        return CHILD_NOT_MADE;
    }
    if (child == 0) {
        be_quiet();
        run(context);
        end_well();
    }
    if (!wait_for(child, limit_ns, &status)) {
        kill(child, SIGKILL);
        waitpid(child, &status, 0);
        snprintf(ret_how, size, "did not end within %.3g s",
                 (double)limit_ns / 1e9);
        return CHILD_TOO_LONG;
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == STATUS_RETURNED)
        return CHILD_RETURNED;
    say_how(status, ret_how, size);
    return CHILD_DIED;
}
