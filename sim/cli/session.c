#define _DEFAULT_SOURCE /* _SC_PHYS_PAGES */

#include "sim/cli/session.h"

#include "sim/cli/command.h"
#include "sim/cli/guard.h"
#include "sim/core/clock.h"

#include <pthread.h>
#include <time.h>
#include <unistd.h>

/* ---- signals ---- */

static void look_for_signals(struct session *session)
{
    static const struct timespec at_once = {0};

    while (sigtimedwait(&session->signals, NULL, &at_once) > 0)
        atomic_store(&session->interrupted, true);
}

void session_begin(struct session *session,
                   const struct experiment_options *options)
{
    session->options = options;
    session->started_ns = clock_now_ns();
    progress_init(&session->progress, options->quiet);

    atomic_init(&session->interrupted, false);
    sigemptyset(&session->signals);
    sigaddset(&session->signals, SIGINT);
    sigaddset(&session->signals, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &session->signals, &session->signals_before);
}

void session_end(struct session *session)
{
    look_for_signals(session);
    if (!atomic_load(&session->interrupted))
        pthread_sigmask(SIG_SETMASK, &session->signals_before, NULL);
}

/* ---- limits ---- */

/*
 * Queues that grow without end fill any machine; before it grinds to a halt,
 * or kills whom it likes, the run ends by itself. 0: the machine does not say
 * how much it has.
 */
static uint64_t most_of_the_memory(void)
{
    long pages = sysconf(_SC_PHYS_PAGES);
    long page = sysconf(_SC_PAGESIZE);

    if (pages <= 0 || page <= 0)
        return 0;
    return (uint64_t)pages * (uint64_t)page / 4 * 3;
}

/* What former experiments have left of the limit; 0: there is none. */
static int64_t time_left_ns(const struct session *session)
{
    int64_t limit_ns = session->options->limit_time_ns;
    int64_t left_ns = limit_ns - (clock_now_ns() - session->started_ns);

    if (limit_ns == 0)
        return 0;
    return left_ns > 0 ? left_ns : 1;
}

/* ---- experiments ---- */

static void on_progress(void *context, const struct experiment_progress *now)
{
    struct session *session = context;

    look_for_signals(session);
    progress_show(&session->progress, now);
}

void session_expect(struct session *session, uint64_t experiments)
{
    progress_expect_points(&session->progress, experiments);
}

enum experiment_status session_experiment(struct session *session,
                                          const struct scenario *scenario,
                                          struct experiment_result *ret)
{
    const struct experiment_options *options = session->options;
    struct experiment_setup setup = {
        .scenario = scenario,
        .simulate = simulation_run,
        .threads = options->threads,
        .limit_events = options->limit_events,
        .limit_time_ns = time_left_ns(session),
        .limit_memory_bytes = options->limit_memory_bytes
                                  ? options->limit_memory_bytes
                                  : most_of_the_memory(),
        .interrupted = &session->interrupted,
        .on_progress = on_progress,
        .progress_context = session,
    };

    look_for_signals(session);
    struct guard *guard = guard_raise(scenario);
    enum experiment_status status = experiment_run(&setup, ret);
    guard_lift(guard);
    progress_clear(&session->progress);
    progress_point_done(&session->progress);
    return status;
}

int session_complain(enum experiment_status status,
                     const struct scenario *scenario,
                     const struct experiment_result *result)
{
    const char *policy = scenario->policies[result->error_policy].label;

    switch (status) {
    case EXPERIMENT_POLICY_ERROR:
        command_complain("policy '%s' named a node that may not be picked, or "
                         "answered what is no status, in replication %u",
                         policy, result->error_replication);
        break;
    case EXPERIMENT_BOOKS_OPEN:
        command_complain("the books of policy '%s' do not balance in "
                         "replication %u: a fault of lbsim, please report "
                         "it with the scenario",
                         policy, result->error_replication);
        break;
    case EXPERIMENT_TRACE_ERROR:
        command_complain("the trace could not be read again; did the file "
                         "change?");
        break;
    case EXPERIMENT_NO_THREADS:
        command_complain("the system grants no thread");
        break;
    case EXPERIMENT_NO_MEMORY:
    case EXPERIMENT_OK:
        command_complain("out of memory");
        break;
    }
    return EXIT_FAILED;
}
