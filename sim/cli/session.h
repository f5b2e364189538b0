/*
 * The experiments of one command: one after another under the same limits,
 * signals and progress bar.
 *
 *     struct session session;
 *     session_begin(&session, &options.experiment);
 *     status = session_open(&session);
 *     outcome = session_experiment(&session, scenario, &result);
 *     ...
 *     write into session_folder(&session);
 *     session_commit(&session, true);
 *     session_end(&session);
 *
 * With a result folder or a store, what experiments run is kept, and what was
 * kept is not run again: a command that is killed and started again with the
 * same arguments goes on where it was, and ends as if nothing had been. That
 * asks of a command only that what it does next follows from its arguments and
 * results.
 *
 * SIGINT and SIGTERM are held back from begin to end, and looked for at each
 * tick on the calling thread: so no handler, and nothing it would have to reach
 * from outside. Once one has come, or the time is up, further experiments end
 * at once, without replications. After an interruption the signals stay held:
 * the results are being written.
 */
#ifndef SIM_CLI_SESSION_H
#define SIM_CLI_SESSION_H

#include "sim/cli/experiment_options.h"
#include "sim/cli/guard.h"
#include "sim/cli/progress.h"
#include "sim/experiment/experiment.h"
#include "sim/experiment/store.h"
#include "sim/experiment/store_shards.h"
#include "sim/experiment/sweep.h"
#include "sim/report/result_folder.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>

struct session {
    const struct experiment_options *options; /* borrowed */
    struct progress progress;
    sigset_t signals, signals_before;
    atomic_bool interrupted;
    int64_t started_ns;

    bool opened;                  /* or it was tried */
    int open_status;              /* EXIT_DONE unless that failed */
    struct result_folder *folder; /* NULL: none */
    struct store *store;          /* NULL: none, or closed */
    struct guard *guard;          /* while an experiment runs; may be NULL */

    uint64_t units;             /* of the experiments so far, or strands */
    bool in_strands;            /* no experiment is divided */
    struct shard_record record; /* of a shard; empty before the first one */
    enum experiment_end end;    /* of the experiments so far */
    struct store_counts counts; /* of other connections to it, by now closed */
    /* As in struct experiment_setup: set between experiments; NULL at first. */
    void (*on_run)(void *context, uint32_t policy, uint32_t replication,
                   const struct run_result *run);
    void *run_context;
};

void session_begin(struct session *session,
                   const struct experiment_options *options);
/* Opens result folder and store, if there are any: what cannot be written is
   then known before an hour of simulating. EXIT_DONE, or the exit status for
   what was complained about. The first experiment does it otherwise. */
int session_open(struct session *session);

/* Keeps what is not written yet, says what was found, and closes folder and
   store. What was not committed is gone, but for the store. */
void session_end(struct session *session);

/* How many experiments there will be, for the progress bar: "point 3 of 12".
   May be told again when it is known better. */
void session_expect(struct session *session, uint64_t experiments);

/* To write results into; NULL: none is wanted. */
struct result_folder *session_folder(const struct session *session);

/* Puts the result folder in its place. whole: nothing is missing in it, so the
   store needs no more than what went into it. After the last experiment.
   false: it was complained about. */
bool session_commit(struct session *session, bool whole);

/* The scenario's trace is open. A failure of the store is complained about.
   *ret is to be released by outcome_done whatever the status; ret->end says
   whether it is whole. */
enum experiment_status session_experiment(struct session *session,
                                          const struct scenario *scenario,
                                          struct experiment_result *ret);

/*
 * With --shard experiments put their part into the store and have no result. A
 * command that takes the option runs, in one fixed order, those experiments
 * that hang on no result of another, and then ends with session_end_shard
 * instead of results. Whatever else there is to run, merge
 * runs the whole command, and it finds those first ones in the store.
 */
bool session_is_shard(const struct session *session);

/*
 * For a command whose experiments hang on results of others, but in strands
 * that do not hang on each other, such as the searches of a plan: those are
 * then the units, and no experiment is divided. A shard runs its own strands
 * alone. After session_open; false: it was complained about.
 */
bool session_strands(struct session *session, const struct scenario *scenario,
                     uint64_t strands);
bool session_has_strand(const struct session *session, uint64_t strand);

/* Notes in the store what the shard has, and says how to go on. Returns the
   exit status. */
int session_end_shard(struct session *session);

/* Around each experiment or sweep, for session.c. A shard is told to the store
   at the first one, so that one that is killed is known by name; false: it was
   complained about. */
bool session_begin_shard(struct session *session,
                         const struct scenario *scenario);
void session_note_work(struct session *session, const struct scenario *scenario,
                       const struct experiment_result *result);
void session_note_sweep(struct session *session, const struct scenario *base,
                        const struct sweep_result *result);

/* The same for all points of a sweep at once; fills setup->experiment. *ret is
   to be released by sweep_done whatever the status. */
enum experiment_status session_sweep(struct session *session,
                                     struct sweep_setup *setup,
                                     struct sweep_result *ret);
/* For a command whose result is that of its last experiment, once it is
   printed; printed false: that failed. Writes the result folder, if there is
   one, says how fast it was and what is missing. Returns the exit status. */
int session_end_result(struct session *session,
                       const struct report_input *input, bool printed);

/* Says what went wrong in an experiment whose status is not OK; returns the
   exit status for it. */
int session_complain(enum experiment_status status,
                     const struct scenario *scenario,
                     const struct experiment_result *result);

/* The exit status of an experiment that ended so. */
int session_end_status(enum experiment_end end);

/* Says what is missing of it; returns the exit status for that. */
int session_tell_end(const struct experiment_result *result);

#endif
