#include "sim/cli/compare_parts.h"

#include "sim/cli/command.h"
#include "sim/report/compare_folders.h"

#include <math.h>
#include <stdio.h>

enum { REASON_SIZE = 5000, TITLE_SIZE = 400 };

static int compare_results(const struct compare_options *options,
                           struct compare_folders *folders)
{
    const struct result_values *first = &folders->results[0];
    struct compare_choice choice;
    char title[TITLE_SIZE];
    struct compare_setup setup = {
        .sides = folders->sides,
        .side_count = folders->side_count,
        .pairs = folders->pairs,
        .pair_count = folders->pair_count,
        .unpaired = folders->unpaired,
        .confidence = first->confidence,
        .min_effect = first->min_effect,
    };
    struct compare_result result;
    struct compare_report report = {
        .result = &result,
        .title = title,
        .replications = folders->replications,
        .until = NAN,
        .partial = first->partial[0] ? first->partial : NULL,
        .before = &folders->notes,
    };

    compare_choose(options, first->objective, NULL, 0, folders->sides,
                   folders->side_count, &choice);
    setup.measures = choice.ids;
    setup.measure_count = choice.count;
    snprintf(title, sizeof title, "%zu results: %.200s is the reference",
             folders->count, first->folder);

    bool fine = compare_sides(&setup, &result);

    if (!fine)
        command_complain("out of memory");
    fine = fine && frame_print(&options->frame, &report);
    compare_done(&result);
    return fine ? EXIT_DONE : EXIT_FAILED;
}

int compare_result_folders(const struct compare_options *options)
{
    struct compare_folders folders;
    char reason[REASON_SIZE];
    enum result_values_status status =
        compare_folders_load(options->arguments, options->argument_count,
                             &folders, reason, sizeof reason);
    int exit_status =
        status == RESULT_VALUES_BAD ? EXIT_BAD_INPUT : EXIT_FAILED;

    if (status == RESULT_VALUES_OK)
        exit_status = compare_results(options, &folders);
    else
        command_complain("%s", reason);
    compare_folders_done(&folders);
    return exit_status;
}
