#define _DEFAULT_SOURCE /* _SC_PHYS_PAGES */

#include "sim/cli/session.h"

#include "sim/cli/command.h"
#include "sim/cli/lent_stores.h"
#include "sim/core/clock.h"
#include "sim/core/event_tree.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define REASON_SIZE 5000 /* a path and why */

/* With simulations that were told to end: a few thousand events take less,
   unless a policy does not come back. */
#define PATIENCE_S 5

/* ---- signals ---- */

static void look_for_signals(struct session *session)
{
    static const struct timespec at_once = {0};

    while (sigtimedwait(&session->signals, NULL, &at_once) > 0)
        atomic_store(&session->interrupted, true);
}

/* ---- folder and store ---- */

static int open_folder(struct session *session)
{
    char reason[REASON_SIZE];

    if (!session->options->output)
        return EXIT_DONE;
    enum result_folder_status status = result_folder_open(
        session->options->output, &session->folder, reason, sizeof reason);
    if (status == RESULT_FOLDER_OK)
        return EXIT_DONE;
    command_complain("%s", reason);
    return status == RESULT_FOLDER_NOT_OURS ? EXIT_BAD_INPUT : EXIT_FAILED;
}

static int open_store(struct session *session)
{
    const struct experiment_options *options = session->options;
    char reason[REASON_SIZE];

    if (!options->store && !session->folder)
        return EXIT_DONE;
    enum store_status status = store_open(
        options->store ? options->store : result_folder_store(session->folder),
        options->fresh, &session->store, reason, sizeof reason);
    if (status == STORE_OK)
        return EXIT_DONE;
    command_complain("%s", reason);
    if (session->folder && !options->store)
        result_folder_drop_store(session->folder);
    return status == STORE_UNFIT ? EXIT_BAD_INPUT : EXIT_FAILED;
}

int session_open(struct session *session)
{
    if (session->opened)
        return session->open_status;
    session->opened = true;
    session->open_status = open_folder(session);
    if (session->open_status == EXIT_DONE)
        session->open_status = open_store(session);
    return session->open_status;
}

struct result_folder *session_folder(const struct session *session)
{
    return session->folder;
}

static void tell_what_was_found(const struct session *session)
{
    char why[200];

    if (!session->store || session->options->quiet)
        return;
    struct store_counts own = store_counts(session->store);
    uint64_t found = own.found + session->counts.found;
    uint64_t kept = own.kept + session->counts.kept;
    const char *stranger = store_stranger(session->store, why, sizeof why);
    if (found > 0)
        fprintf(stderr,
                "lbsim: %" PRIu64 " of %" PRIu64
                " simulations were found in %s\n",
                found, found + kept, store_path(session->store));
    else if (stranger)
        fprintf(stderr, "lbsim: nothing was found in %s: %s\n",
                store_path(session->store), stranger);
}

/* One that holds nothing goes with the folder that was made for it. */
static void close_store(struct session *session)
{
    bool empty = session->store && !session_is_shard(session) &&
                 store_is_empty(session->store);

    store_close(session->store);
    session->store = NULL;
    shard_record_done(&session->record);
    if (empty && session->folder && !session->options->store)
        result_folder_drop_store(session->folder);
}

bool session_commit(struct session *session, bool whole)
{
    char reason[REASON_SIZE];

    if (session->store) {
        bool fine =
            !whole || session->options->store || store_prune(session->store);

        if (!fine)
            command_complain("%s", store_error(session->store));
        tell_what_was_found(session);
        close_store(session);
        if (!fine)
            return false;
    }
    if (result_folder_commit(session->folder, reason, sizeof reason))
        return true;
    command_complain("%s", reason);
    return false;
}

void session_begin(struct session *session,
                   const struct experiment_options *options)
{
    *session = (struct session){
        .options = options,
        .started_ns = clock_now_ns(),
    };
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
    tell_what_was_found(session);
    close_store(session);
    result_folder_close(session->folder);
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
    if (now->overdue_s > PATIENCE_S) {
        progress_clear(&session->progress);
        guard_end_program(session->guard, now->overdue_s);
    }
    progress_show(&session->progress, now);
}

void session_expect(struct session *session, uint64_t experiments)
{
    progress_expect_points(&session->progress, experiments);
}

/* What was finished before a failure is kept too. */
static enum experiment_status run_with_store(struct session *session,
                                             struct experiment_setup *setup,
                                             struct experiment_result *ret)
{
    struct store *store = session->store;
    enum experiment_status status = EXPERIMENT_SHELF_FAILED;
    struct run_shelf shelf;

    if (!store)
        return experiment_run(setup, ret);
    setup->shelf = &shelf;
    if (store_begin(store, setup->scenario, &shelf))
        status = experiment_run(setup, ret);
    setup->shelf = NULL; /* it goes */
    if (!store_flush(store) && status == EXPERIMENT_OK)
        status = EXPERIMENT_SHELF_FAILED;
    if (status == EXPERIMENT_SHELF_FAILED)
        command_complain("%s", store_error(store));
    return status;
}

static struct experiment_setup setup_of(struct session *session,
                                        const struct scenario *scenario)
{
    const struct experiment_options *options = session->options;

    return (struct experiment_setup){
        .scenario = scenario,
        .simulate = simulation_run,
        .threads = options->threads,
        .limit_events = options->limit_events,
        .limit_time_ns = time_left_ns(session),
        .limit_memory_bytes = options->limit_memory_bytes
                                  ? options->limit_memory_bytes
                                  : most_of_the_memory(),
        .on_run = session->on_run,
        .run_context = session->run_context,
        .interrupted = &session->interrupted,
        .on_progress = on_progress,
        .progress_context = session,
        .shard = session_is_shard(session) && !session->in_strands
                     ? &options->shard
                     : NULL,
        .first_unit = session->in_strands ? 0 : session->units,
        /* Nobody knows how many simulations a strand is: it has all. */
        .known = session->in_strands && options->known > 0 ? UINT64_MAX
                                                           : options->known,
    };
}

enum experiment_status session_experiment(struct session *session,
                                          const struct scenario *scenario,
                                          struct experiment_result *ret)
{
    struct experiment_setup setup = setup_of(session, scenario);

    *ret = (struct experiment_result){0};
    if (session_open(session) != EXIT_DONE)
        return EXPERIMENT_SHELF_FAILED;
    look_for_signals(session);
    if (!session_begin_shard(session, scenario))
        return EXPERIMENT_SHELF_FAILED;
    session->guard = guard_raise(scenario);
    enum experiment_status status = run_with_store(session, &setup, ret);
    guard_lift(session->guard);
    session->guard = NULL;
    progress_clear(&session->progress);
    progress_point_done(&session->progress);
    session_note_work(session, scenario, ret);
    return status;
}

enum experiment_status session_sweep(struct session *session,
                                     struct sweep_setup *setup,
                                     struct sweep_result *ret)
{
    const struct scenario *base = setup->base;

    *ret = (struct sweep_result){0};
    if (session_open(session) != EXIT_DONE)
        return EXPERIMENT_SHELF_FAILED;
    struct lent_stores *stores = lent_stores_begin(session->store);
    if (!stores)
        return EXPERIMENT_NO_MEMORY;
    if (!session_begin_shard(session, base)) {
        lent_stores_end(stores, &session->counts);
        return EXPERIMENT_SHELF_FAILED;
    }
    setup->experiment = setup_of(session, base);
    setup->shelves = session->store ? lent_stores_shelves(stores) : NULL;
    look_for_signals(session);
    struct guard *guard = guard_raise(base);
    enum experiment_status status = sweep_run(setup, ret);
    guard_lift(guard);
    if (!lent_stores_flush(stores) && status == EXPERIMENT_OK)
        status = EXPERIMENT_SHELF_FAILED;
    if (status == EXPERIMENT_SHELF_FAILED)
        command_complain("%s", lent_stores_error(stores));
    lent_stores_end(stores, &session->counts);
    progress_clear(&session->progress);
    session_note_sweep(session, base, ret);
    return status;
}

/* Only when merge has called the command. */
static void complain_lost(const struct scenario *scenario)
{
    command_complain("the simulations of the shards are not those of scenario "
                     "'%s' as it is now: it, its trace or a shared object has "
                     "changed since, or this is another build of lbsim",
                     scenario->name);
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
    case EXPERIMENT_LOST:
        complain_lost(scenario);
        return EXIT_BAD_INPUT;
    case EXPERIMENT_SHELF_FAILED: /* told already */
        break;
    case EXPERIMENT_TOO_MANY_EVENTS:
        command_complain("policy '%s': more than %u events wait at once in "
                         "replication %u; each balancer checks each node, and "
                         "each node reports: take fewer balancers or nodes, or "
                         "leave out balancer.health or report_interval",
                         policy, EVENT_MAX_LEAVES, result->error_replication);
        break;
    case EXPERIMENT_NO_MEMORY:
    case EXPERIMENT_OK:
        command_complain("out of memory");
        break;
    }
    return EXIT_FAILED;
}

int session_end_status(enum experiment_end end)
{
    switch (end) {
    case EXPERIMENT_WHOLE:
        return EXIT_DONE;
    case EXPERIMENT_INTERRUPTED:
        return EXIT_INTERRUPTED;
    case EXPERIMENT_LIMIT_TIME:
    case EXPERIMENT_LIMIT_EVENTS:
    case EXPERIMENT_LIMIT_MEMORY:
        break;
    }
    return EXIT_FAILED;
}
