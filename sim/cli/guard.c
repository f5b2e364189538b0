/* For on_exit(). NOLINTNEXTLINE(bugprone-reserved-identifier) */
#define _DEFAULT_SOURCE
#include "sim/cli/guard.h"

#include "sim/cli/command.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NAME_SIZE 64

struct guard {
    bool stands;
    char name[NAME_SIZE]; /* of the first such policy */
};

static const int deaths[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

enum { DEATHS = sizeof deaths / sizeof *deaths };

/* Runs at every exit(); frees the guard, as nobody else outlives it. */
static void at_exit(int status, void *context)
{
    struct guard *guard = context;

    if (guard->stands) {
        fflush(stdout);
        command_complain("policy '%s', or another from a shared object, ended "
                         "the program with exit(%d)",
                         guard->name, status);
        fputs("  hint: `lbsim policies --check FILE.so` tells more\n", stderr);
        _exit(EXIT_FAILED);
    }
    free(guard);
}

/* All in here may be called from a handler. The signal is reset by then: where
   this returns to, it comes again and ends the program. */
static void at_death(int number)
{
    static const char said[] =
        "\nlbsim: error: the program died while policies from shared objects "
        "were running\n  hint: `lbsim policies --check FILE.so` tells more\n";
    ssize_t written = write(STDERR_FILENO, said, sizeof said - 1);

    (void)written;
    (void)number;
}

static void handle_deaths(void (*handler)(int), int flags)
{
    struct sigaction action;

    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    action.sa_flags = flags;
    for (size_t i = 0; i < DEATHS; i++)
        sigaction(deaths[i], &action, NULL);
}

struct guard *guard_raise(const struct scenario *scenario)
{
    struct guard *guard;
    uint32_t first = 0;

    while (first < scenario->policy_count && !scenario->policies[first].so)
        first++;
    guard = first < scenario->policy_count ? calloc(1, sizeof *guard) : NULL;
    if (!guard)
        return NULL;
    snprintf(guard->name, sizeof guard->name, "%s",
             scenario->policies[first].label);
    if (on_exit(at_exit, guard) != 0) {
        free(guard);
        return NULL;
    }
    guard->stands = true;
    handle_deaths(at_death, (int)SA_RESETHAND);
    return guard;
}

_Noreturn void guard_end_program(struct guard *guard, double overdue_s)
{
    fflush(stdout);
    if (guard) {
        command_complain("policy '%s', or another from a shared object, does "
                         "not come back: the run was to end %.0f s ago",
                         guard->name, overdue_s);
        fputs("  hint: `lbsim policies --check FILE.so` tells more\n", stderr);
    } else {
        command_complain("a simulation does not come to its end, which was due "
                         "%.0f s ago: a fault of lbsim, please report it with "
                         "the scenario",
                         overdue_s);
    }
    _exit(EXIT_FAILED);
}

void guard_lift(struct guard *guard)
{
    if (!guard)
        return;
    guard->stands = false;
    handle_deaths(SIG_DFL, 0);
}
