/* How a process ends is told, and what it did stays in it. */
#include "sim/core/child.h"

#include "tests/check.h"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#define LIMIT_NS 20000000000

static void set(void *context)
{
    *(int *)context = 7;
}

static void die(void *context)
{
    (void)context;
    raise(SIGSEGV);
}

static void give_up(void *context)
{
    (void)context;
    abort();
}

static void leave(void *context)
{
    (void)context;
    _exit(3);
}

static void loop(void *context)
{
    volatile unsigned count = 0;

    (void)context;
    for (;;)
        count++;
}

static void an_end_is_told_as_it_was(void)
{
    char how[100] = "";

    CHECK_INT(child_run(die, NULL, LIMIT_NS, how, sizeof how), CHILD_DIED);
    CHECK_TEXT(how, "died of SIGSEGV (a bad address)");
    CHECK_INT(child_run(give_up, NULL, LIMIT_NS, how, sizeof how), CHILD_DIED);
    CHECK_TEXT(how, "died of SIGABRT (abort or assert)");
    CHECK_INT(child_run(leave, NULL, LIMIT_NS, how, sizeof how), CHILD_DIED);
    CHECK_TEXT(how, "ended the process with status 3");
    CHECK_INT(child_run(loop, NULL, 200000000, how, sizeof how),
              CHILD_TOO_LONG);
    CHECK_TEXT(how, "did not end within 0.2 s");
}

static void only_shared_memory_comes_back(void)
{
    char how[100] = "";
    int own = 0;
    int *shared = child_share(sizeof *shared);

    CHECK(shared != NULL);
    CHECK_INT(child_run(set, &own, LIMIT_NS, how, sizeof how), CHILD_RETURNED);
    CHECK_INT(own, 0);
    CHECK_INT(child_run(set, shared, LIMIT_NS, how, sizeof how),
              CHILD_RETURNED);
    CHECK_INT(shared ? *shared : -1, 7);
    child_unshare(shared, sizeof *shared);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"an end is told as it was", an_end_is_told_as_it_was},
        {"only shared memory comes back", only_shared_memory_comes_back},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("child", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
