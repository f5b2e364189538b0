/*
 * The experiments of one command: one after another under the same limits,
 * signals and progress bar.
 *
 *     struct session session;
 *     session_begin(&session, &options.experiment);
 *     status = session_experiment(&session, scenario, &result);
 *     ...
 *     session_end(&session);
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
#include "sim/cli/progress.h"
#include "sim/experiment/experiment.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>

struct session {
    const struct experiment_options *options; /* borrowed */
    struct progress progress;
    sigset_t signals, signals_before;
    atomic_bool interrupted;
    int64_t started_ns;
};

void session_begin(struct session *session,
                   const struct experiment_options *options);
void session_end(struct session *session);

/* How many experiments there will be, for the progress bar: "point 3 of 12".
   May be told again when it is known better. */
void session_expect(struct session *session, uint64_t experiments);

/* The scenario's trace is open. *ret is to be released by outcome_done
   whatever the status; ret->end says whether it is whole. */
enum experiment_status session_experiment(struct session *session,
                                          const struct scenario *scenario,
                                          struct experiment_result *ret);

/* Says what went wrong in an experiment whose status is not OK; returns the
   exit status for it. */
int session_complain(enum experiment_status status,
                     const struct scenario *scenario,
                     const struct experiment_result *result);

#endif
