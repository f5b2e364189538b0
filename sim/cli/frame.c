#include "sim/cli/frame.h"

#include "sim/cli/command.h"
#include "sim/report/result_folder.h"
#include "sim/scenario/lint.h"
#include "sim/scenario/loader.h"

#include <errno.h>
#include <stdlib.h>

#define REASON_SIZE 5000 /* a path and why */

/* ---- options ---- */

const struct argp_child frame_children[] = {
    {&scenario_options_argp, 0, NULL, 0},
    {&sharded_options_argp, 0, NULL, 0},
    {0},
};

const struct argp_child frame_children_unsharded[] = {
    {&scenario_options_argp, 0, NULL, 0},
    {&experiment_options_argp, 0, NULL, 0},
    {0},
};

static unsigned choose_format(struct argp_state *state, const char *argument,
                              const struct frame_writer *formats)
{
    const char *names[FRAME_FORMATS_MAX + 1] = {NULL};

    for (unsigned i = 0; i < FRAME_FORMATS_MAX && formats[i].name; i++)
        names[i] = formats[i].name;
    return options_choice(state, "--format", argument, names);
}

error_t frame_parse(int key, char *argument, struct argp_state *state,
                    struct frame *frame)
{
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &frame->scenario;
        state->child_inputs[1] = &frame->experiment;
        return 0;
    case OPTION_FORMAT:
        frame->format = choose_format(state, argument, frame->formats);
        return 0;
    case 'o':
        experiment_options_note_place(&frame->experiment, key, argument, state);
        frame->experiment.output = argument;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* ---- the scenario ---- */

int frame_run(struct frame *frame, enum frame_care care,
              int (*work)(void *context, struct scenario *scenario),
              void *context)
{
    struct diag diag = {0};
    struct scenario *scenario =
        scenario_options_load(&frame->scenario, care != FRAME_SETTINGS, &diag);

    if (scenario && care == FRAME_LINT)
        scenario_lint(scenario, &diag);
    command_tell(&diag);

    int status =
        scenario ? work(context, scenario) : command_load_status(&diag);
    scenario_destroy(scenario);
    scenario_options_done(&frame->scenario);
    diag_done(&diag);
    return status;
}

/* ---- the session ---- */

int frame_session(const struct frame *frame,
                  int (*work)(void *context, struct session *session),
                  void *context)
{
    struct session session;

    session_begin(&session, &frame->experiment);
    int status = session_open(&session);
    if (status == EXIT_DONE)
        status = work(context, &session);
    session_end(&session);
    return status;
}

int frame_experiment(struct session *session, const struct scenario *scenario,
                     int (*report)(void *context, struct session *session,
                                   const struct experiment_result *result),
                     void *context)
{
    struct experiment_result result;
    enum experiment_status outcome =
        session_experiment(session, scenario, &result);
    int status;

    if (outcome != EXPERIMENT_OK)
        status = session_complain(outcome, scenario, &result);
    else if (session_is_shard(session))
        status = session_end_shard(session);
    else
        status = report(context, session, &result);
    outcome_done(&result);
    return status;
}

/* ---- what comes out ---- */

bool frame_print(const struct frame *frame, const void *report)
{
    errno = 0;
    if (frame->formats[frame->format].write(report, stdout))
        return !command_output_fails();
    command_complain("out of memory");
    return false;
}

static bool write_text(const void *text, FILE *out)
{
    fputs(text, out);
    return true;
}

bool frame_keep(struct session *session, const struct scenario *scenario,
                const struct frame_writer *files, const void *report,
                bool whole)
{
    struct result_folder *folder = session_folder(session);
    char reason[REASON_SIZE] = "out of memory";

    if (!folder)
        return true;
    char *effective = scenario_effective(scenario);
    bool fine =
        effective && result_folder_add(folder, "scenario.yaml", write_text,
                                       effective, reason, sizeof reason);
    for (; fine && files->name; files++)
        fine = result_folder_add(folder, files->name, files->write, report,
                                 reason, sizeof reason);
    free(effective);
    if (!fine)
        command_complain("%s", reason);
    return fine && session_commit(session, whole);
}
