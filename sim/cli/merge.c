/*
 * merge: the stores of shards become one, and the command that was run in
 * shards is called with it. All that the shards ran is found there, so what
 * comes out is what a single run prints and writes.
 */
#define _DEFAULT_SOURCE /* realpath */

#include "sim/cli/command.h"

#include "sim/cli/experiment_options.h"
#include "sim/cli/merge_parts.h"
#include "sim/cli/options.h"
#include "sim/report/result_folder.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define REASON_SIZE 5000 /* a path and why */

struct merge {
    struct experiment_options experiment;
    struct merge_parts parts;
};

/* ---- options ---- */

static const struct argp_option rows[] = {
    {0, 0, 0, 0, "What comes out:", 5},
    {"output", 'o', "DIR", 0,
     "The result folder, and the joined store in it; replaces a former result, "
     "nothing else",
     5},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct merge *merge = state->input;

    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &merge->experiment;
        return 0;
    case 'o':
        merge->experiment.output = argument;
        return 0;
    case ARGP_KEY_ARG:
        return merge_parts_add(&merge->parts, argument) ? 0 : ENOMEM;
    case ARGP_KEY_END:
        if (merge->parts.count == 0)
            argp_error(state, "needs the folders of the shards");
        if (!merge->experiment.output)
            argp_error(state, "needs a place for the result: --output DIR");
        if (merge->experiment.store)
            argp_error(state, "makes the store of its result folder, so it "
                              "has no use for --store");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* ---- joining ---- */

static bool same_file(const char *a, const char *b)
{
    struct stat one, other;

    return stat(a, &one) == 0 && stat(b, &other) == 0 &&
           one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

/* The result may take the place of one of the shards. */
static int join_into(const struct merge *merge, struct store *store)
{
    for (size_t i = 0; i < merge->parts.count; i++) {
        if (same_file(merge->parts.items[i].path, store_path(store)))
            continue;
        if (!store_join(store, merge->parts.items[i].path)) {
            command_complain("%s", store_error(store));
            return EXIT_FAILED;
        }
    }
    return EXIT_DONE;
}

/* --fresh gives up what a former merge left, such as a damaged simulation. */
static bool would_give_up_a_shard(const struct merge *merge, const char *store)
{
    for (size_t i = 0; merge->experiment.fresh && i < merge->parts.count; i++) {
        if (same_file(merge->parts.items[i].path, store)) {
            command_complain("--fresh would give up '%s', which is to be "
                             "merged: name another --output",
                             merge->parts.items[i].name);
            return true;
        }
    }
    return false;
}

static int join_stores(const struct merge *merge)
{
    struct result_folder *folder;
    struct store *store;
    char reason[REASON_SIZE];
    enum result_folder_status opened = result_folder_open(
        merge->experiment.output, &folder, reason, sizeof reason);

    if (opened != RESULT_FOLDER_OK) {
        command_complain("%s", reason);
        return opened == RESULT_FOLDER_NOT_OURS ? EXIT_BAD_INPUT : EXIT_FAILED;
    }
    if (would_give_up_a_shard(merge, result_folder_store(folder))) {
        result_folder_close(folder);
        return EXIT_BAD_INPUT;
    }
    enum store_status status =
        store_open(result_folder_store(folder), merge->experiment.fresh, &store,
                   reason, sizeof reason);
    int exit = status == STORE_UNFIT ? EXIT_BAD_INPUT : EXIT_FAILED;
    if (status != STORE_OK)
        command_complain("%s", reason);
    else
        exit = join_into(merge, store);
    store_close(store);
    result_folder_close(folder);
    return exit;
}

/* ---- the command ---- */

/* How it is run is said to merge; where, too. Absolute, as the command is
   called in the folder in which the shards were. */
static bool add_options(const struct merge *merge, struct texts *words)
{
    const struct experiment_options *how = &merge->experiment;
    char output[PATH_MAX];

    return realpath(how->output, output) &&
           texts_add(words, "--output=%s", output) &&
           texts_add(words, "--known-units=%" PRIu64,
                     merge_parts_whole_one(&merge->parts)->work.units) &&
           (!how->quiet || texts_add(words, "--quiet")) &&
           (!how->threads || texts_add(words, "--jobs=%u", how->threads)) &&
           (!how->limit_events ||
            texts_add(words, "--limit-events=%" PRIu64, how->limit_events)) &&
           (!how->limit_memory_bytes ||
            texts_add(words, "--limit-memory=%" PRIu64 "B",
                      how->limit_memory_bytes)) &&
           (!how->limit_time_ns ||
            texts_add(words, "--limit-time=%" PRId64 "ns", how->limit_time_ns));
}

/* "run --output=... --known-units=... scenario.yaml" */
static bool make_words(const struct merge *merge, struct texts *words)
{
    const struct shard_record *record = merge->parts.first;
    size_t at = strlen(record->words) + 1;

    if (!texts_add(words, "%s", record->words) || !add_options(merge, words))
        return false;
    for (; at < record->words_size; at += strlen(record->words + at) + 1)
        if (!texts_add(words, "%s", record->words + at))
            return false;
    return true;
}

/* Nothing is lost when the scenario is elsewhere. */
static void hint_at_joined(const struct merge *merge)
{
    fprintf(stderr,
            "  hint: what the shards ran is joined in '%s'; with the right "
            "files at hand:\n       ",
            merge->experiment.output);
    merge_put_command(merge->parts.first);
    fputs(" --output", stderr);
    merge_put_word(merge->experiment.output);
    fputc('\n', stderr);
}

static int call(const struct merge *merge)
{
    const struct command *command = command_find(merge->parts.first->words);
    struct texts words = {0};
    int status = EXIT_FAILED;

    if (!command) {
        command_complain("the shards are of a command '%s', which this lbsim "
                         "does not know",
                         merge->parts.first->words);
        return EXIT_BAD_INPUT;
    }
    char **argv = NULL;
    if (make_words(merge, &words))
        argv = calloc(words.count + 1, sizeof *argv);
    if (!argv) {
        command_complain("out of memory");
        goto out;
    }
    memcpy(argv, words.items, words.count * sizeof *argv);
    /* Where that folder is not seen, files are looked for from here. */
    (void)!chdir(merge->parts.first->folder);
    status = command_call(command, (int)words.count, argv);
    if (status == EXIT_BAD_INPUT)
        hint_at_joined(merge);

out:
    free(argv);
    texts_done(&words);
    return status;
}

int command_merge(int argc, char **argv)
{
    static const struct argp_child children[] = {
        {&experiment_options_argp, 0, NULL, 0}, {0}};
    static const struct argp argp = {
        .options = rows,
        .parser = parse,
        .args_doc = "DIR...",
        .doc = "Join the shards of a command, in any order, and do what the "
               "command does: the result is that of a single run.",
        .children = children,
    };
    struct merge merge = {0};

    command_parse(&argp, argc, argv, &merge);

    int status = merge_parts_read(&merge.parts);
    if (status == EXIT_DONE)
        status = join_stores(&merge);
    if (status == EXIT_DONE)
        status = call(&merge);
    merge_parts_done(&merge.parts);
    return status;
}
