/* The end of a command whose result is that of one experiment. */
#include "sim/cli/session.h"

#include "sim/cli/command.h"
#include "sim/scenario/loader.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define REASON_SIZE 5000 /* a path and why */

/* Before a replication is whole there is nothing to write. */
static bool write_folder(struct session *session,
                         const struct report_input *input)
{
    struct result_folder *folder = session_folder(session);

    if (!folder || input->result->replications == 0)
        return true;

    char reason[REASON_SIZE] = "out of memory";
    char *effective = scenario_effective(input->scenario);
    bool fine = effective && result_folder_write(folder, input, effective,
                                                 reason, sizeof reason);

    free(effective);
    if (!fine)
        command_complain("%s", reason);
    return fine &&
           session_commit(session, input->result->end == EXPERIMENT_WHOLE);
}

/* A warm-up by requests can be longer than the run, which only the run shows.
 */
static void tell_if_nothing_measured(const struct report_input *input)
{
    const struct experiment_result *result = input->result;

    if (result->replications > 0 && result->policy_count > 0 &&
        result->policies[0].fold.measured == 0 &&
        result->policies[0].fold.books.arrived > 0)
        command_complain("nothing was measured: the warm-up took every "
                         "request; shorten 'warm_up' or lengthen 'duration'");
}

/* What was found took no time, so it says nothing about speed. */
static void tell_speed(const struct experiment_result *result)
{
    uint64_t requests = 0;

    if (result->found > 0)
        return;
    for (uint32_t i = 0; i < result->policy_count; i++)
        requests += result->policies[i].fold.books.arrived;
    fprintf(stderr,
            "lbsim: %" PRIu64 " requests, %" PRIu64
            " events in %.2f s on %u thread%s (%.0f ns of CPU a request)\n",
            requests, result->events, result->elapsed_s, result->threads,
            result->threads == 1 ? "" : "s",
            requests > 0 ? 1e9 * result->cpu_s / (double)requests : 0);
}

int session_tell_end(const struct experiment_result *result)
{
    const char *end = outcome_end_text(result->end);

    if (end)
        command_complain("%s: %u of %u replication%s finished", end,
                         result->replications, result->replications_asked,
                         result->replications_asked == 1 ? "" : "s");
    return session_end_status(result->end);
}

int session_end_result(struct session *session,
                       const struct report_input *input, bool printed)
{
    bool fine = write_folder(session, input) && printed;

    tell_if_nothing_measured(input);
    if (!session->options->quiet && input->result->replications > 0)
        tell_speed(input->result);

    int status = session_tell_end(input->result);
    return fine ? status : EXIT_FAILED;
}
