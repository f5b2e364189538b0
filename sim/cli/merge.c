/*
 * merge: the stores of shards become one, and the command that was run in
 * shards is called with it. All that the shards ran is found there, so what
 * comes out is what a single run prints and writes.
 */
#define _DEFAULT_SOURCE /* realpath */

#include "sim/cli/command.h"

#include "sim/cli/experiment_options.h"
#include "sim/cli/options.h"
#include "sim/experiment/store_shards.h"
#include "sim/report/result_folder.h"
#include "sim/scenario/difference.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define REASON_SIZE 5000 /* a path and why */
#define NAMED_MOST 10    /* lost shards that are named one by one */

/* A store of the command line. */
struct part {
    const char *name; /* as it was given */
    char path[PATH_MAX];
    struct shard_records records;
};

struct merge {
    struct experiment_options experiment;
    struct part *parts; /* [count] */
    size_t count;

    /* Borrowed from parts: the first record, and one of each shard. */
    const struct shard_record *first;
    const char *first_name;
    const struct shard_record **shards; /* [first->shard.count]; NULL: lost */
};

/* ---- options ---- */

static error_t add_part(struct merge *merge, const char *name)
{
    struct part *grown =
        realloc(merge->parts, (merge->count + 1) * sizeof *grown);

    if (!grown)
        return ENOMEM;
    merge->parts = grown;
    merge->parts[merge->count++] = (struct part){.name = name};
    return 0;
}

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
        return add_part(merge, argument);
    case ARGP_KEY_END:
        if (merge->count == 0)
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

/* ---- what the shards say of themselves ---- */

/* A folder has its store inside; a file is one. */
static void find_store(struct part *part)
{
    struct stat status;
    bool folder = stat(part->name, &status) == 0 && S_ISDIR(status.st_mode);

    snprintf(part->path, sizeof part->path, "%s%s", part->name,
             folder ? "/" RESULT_FOLDER_STORE : "");
}

static int read_part(struct part *part)
{
    char reason[REASON_SIZE];

    find_store(part);
    if (access(part->path, F_OK) != 0) {
        command_complain("'%s' holds no store: it is no folder that a shard "
                         "was written to",
                         part->name);
        return EXIT_BAD_INPUT;
    }
    enum store_status status =
        store_list_shards(part->path, &part->records, reason, sizeof reason);
    if (status != STORE_OK) {
        command_complain(
            "%s%s", reason,
            status == STORE_UNFIT ? "; run that shard again with --fresh" : "");
        return status == STORE_UNFIT ? EXIT_BAD_INPUT : EXIT_FAILED;
    }
    if (part->records.count == 0) {
        command_complain("'%s' holds no shard: what is in it was not run with "
                         "--shard",
                         part->name);
        return EXIT_BAD_INPUT;
    }
    return EXIT_DONE;
}

/* ---- whether they belong together ---- */

/* ours, theirs: NULL for what is not said there. */
static void complain_apart(const struct merge *merge, const struct part *part,
                           const struct shard_record *record, const char *what,
                           const char *ours, const char *theirs)
{
    command_complain("shard %" PRIu32 " of %" PRIu32 " in '%s' and shard "
                     "%" PRIu32 " of %" PRIu32 " in '%s' do not belong "
                     "together: %s is %s%.255s%s there and %s%.255s%s here",
                     merge->first->shard.number, merge->first->shard.count,
                     merge->first_name, record->shard.number,
                     record->shard.count, part->name, what, ours ? "'" : "",
                     ours ? ours : "not set", ours ? "'" : "",
                     theirs ? "'" : "", theirs ? theirs : "not set",
                     theirs ? "'" : "");
}

/* The first words in which two commands differ; NULL at the end of one. */
static bool same_words(const struct shard_record *a,
                       const struct shard_record *b, const char **ret_a,
                       const char **ret_b)
{
    size_t at = 0;

    while (at < a->words_size && at < b->words_size &&
           strcmp(a->words + at, b->words + at) == 0)
        at += strlen(a->words + at) + 1;
    *ret_a = at < a->words_size ? a->words + at : NULL;
    *ret_b = at < b->words_size ? b->words + at : NULL;
    return !*ret_a && !*ret_b;
}

static bool same_scenario(const struct merge *merge, const struct part *part,
                          const struct shard_record *record)
{
    struct differences list;
    bool fine = differences_find(merge->first->effective, record->effective,
                                 &list),
         same = fine && list.count == 0;

    if (!fine)
        command_complain("out of memory");
    else if (!same)
        complain_apart(merge, part, record, list.items[0].path,
                       list.items[0].one, list.items[0].other);
    differences_done(&list);
    return same;
}

static bool belongs(const struct merge *merge, const struct part *part,
                    const struct shard_record *record)
{
    const struct shard_record *first = merge->first;
    const char *word, *other;

    if (record->shard.count != first->shard.count)
        command_complain("'%s' has a shard of %" PRIu32 " and '%s' one of "
                         "%" PRIu32 ": they are parts of different divisions",
                         merge->first_name, first->shard.count, part->name,
                         record->shard.count);
    else if (strcmp(record->version, first->version) != 0)
        complain_apart(merge, part, record, "the version of lbsim",
                       first->version, record->version);
    else if (strcmp(record->build, first->build) != 0)
        complain_apart(merge, part, record, "the build of lbsim", first->build,
                       record->build);
    else if (!same_scenario(merge, part, record))
        return false;
    else if (!same_words(first, record, &word, &other))
        complain_apart(merge, part, record, "the command", word, other);
    else
        return true;
    return false;
}

/* Of two that ran the same shard, the one that has more of it. */
static bool take_records(struct merge *merge, const struct part *part)
{
    for (size_t i = 0; i < part->records.count; i++) {
        const struct shard_record *record = &part->records.items[i];

        if (!belongs(merge, part, record))
            return false;

        const struct shard_record **place =
            &merge->shards[record->shard.number - 1];
        if (!*place ||
            (!(*place)->whole &&
             (record->whole || (*place)->work.done < record->work.done)))
            *place = record;
    }
    return true;
}

/* ---- whether they are all there ---- */

/* A word for a shell, in quotes unless it needs none. */
static void put_word(const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./=,:%+";

    if (*word && word[strspn(word, plain)] == 0) {
        fprintf(stderr, " %s", word);
        return;
    }
    fputs(" '", stderr);
    for (; *word; word++)
        fputs(*word == '\'' ? "'\\''" : (char[]){*word, 0}, stderr);
    fputc('\'', stderr);
}

static void put_command(const struct shard_record *record)
{
    fputs(" lbsim", stderr);
    for (size_t at = 0; at < record->words_size;
         at += strlen(record->words + at) + 1)
        put_word(record->words + at);
}

/* Units are of one size as long as all experiments of a command are alike. */
static uint64_t simulations_of(const struct shard_record *any, uint32_t number)
{
    struct shard shard = {number, any->shard.count};
    uint64_t units = shard_size(&shard, any->work.units);

    return any->work.units > 0
               ? units * (any->simulations_of_all / any->work.units)
               : 0;
}

/* A shard that was killed has not counted anything. */
static const struct shard_record *whole_one(const struct merge *merge)
{
    for (uint32_t i = 0; i < merge->first->shard.count; i++)
        if (merge->shards[i] && merge->shards[i]->work.units > 0)
            return merge->shards[i];
    return merge->first;
}

/* Of a plan the units are searches, and nobody knows how long one is. */
static void name_lost(uint32_t number, const struct shard_record *like)
{
    struct shard shard = {number, like->shard.count};
    bool searches = like->simulations_of_all == 0;
    uint64_t lost = searches ? shard_size(&shard, like->work.units)
                             : simulations_of(like, number);
    const char *what = searches    ? lost == 1 ? "search" : "searches"
                       : lost == 1 ? "simulation"
                                   : "simulations";

    if (like->work.units == 0)
        command_complain("shard %" PRIu32 " of %" PRIu32 " is missing", number,
                         like->shard.count);
    else
        command_complain("shard %" PRIu32 " of %" PRIu32 " is missing: %" PRIu64
                         " %s",
                         number, like->shard.count, lost, what);
}

static void name_missing(uint32_t number, const struct shard_record *record,
                         const struct shard_record *like)
{
    if (!record)
        name_lost(number, like);
    else if (record->work.done >= record->work.simulations)
        command_complain("shard %" PRIu32 " of %" PRIu32 " was not finished: "
                         "run it again, it goes on where it was",
                         number, like->shard.count);
    else
        command_complain("shard %" PRIu32 " of %" PRIu32 " is not whole: "
                         "%" PRIu64 " of %" PRIu64 " simulations are there; "
                         "run it again, it goes on where it was",
                         number, like->shard.count, record->work.done,
                         record->work.simulations);
}

/* How the first of the shards that are not there is run. */
static void hint_at_command(uint32_t number, const struct shard_record *like)
{
    fputs("  hint: run it in", stderr);
    put_word(like->folder);
    fputs(" so:\n       ", stderr);
    put_command(like);
    fprintf(stderr, " --shard %" PRIu32 "/%" PRIu32 " --output DIR\n", number,
            like->shard.count);
}

static bool is_missing(const struct merge *merge, uint32_t number,
                       const struct shard_record *like)
{
    const struct shard_record *record = merge->shards[number - 1];

    struct shard shard = {number, like->shard.count};

    if (!record)
        return like->work.units == 0 ||
               shard_size(&shard, like->work.units) > 0;
    return !record->whole;
}

static bool all_there(const struct merge *merge)
{
    const struct shard_record *like = whole_one(merge);
    uint32_t missing = 0, lost = 0;

    for (uint32_t i = 1; i <= like->shard.count; i++)
        if (is_missing(merge, i, like) && ++missing <= NAMED_MOST) {
            name_missing(i, merge->shards[i - 1], like);
            if (!merge->shards[i - 1] && lost == 0)
                lost = i;
        }
    if (missing > NAMED_MOST)
        command_complain("and %" PRIu32 " more shards are not there or not "
                         "whole",
                         missing - NAMED_MOST);
    if (lost > 0)
        hint_at_command(lost, like);
    return missing == 0;
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
    for (size_t i = 0; i < merge->count; i++) {
        if (same_file(merge->parts[i].path, store_path(store)))
            continue;
        if (!store_join(store, merge->parts[i].path)) {
            command_complain("%s", store_error(store));
            return EXIT_FAILED;
        }
    }
    return EXIT_DONE;
}

/* --fresh gives up what a former merge left, such as a damaged simulation. */
static bool would_give_up_a_shard(const struct merge *merge, const char *store)
{
    for (size_t i = 0; merge->experiment.fresh && i < merge->count; i++) {
        if (same_file(merge->parts[i].path, store)) {
            command_complain("--fresh would give up '%s', which is to be "
                             "merged: name another --output",
                             merge->parts[i].name);
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
                     whole_one(merge)->work.units) &&
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
    const struct shard_record *record = merge->first;
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
    put_command(merge->first);
    fputs(" --output", stderr);
    put_word(merge->experiment.output);
    fputc('\n', stderr);
}

static int call(const struct merge *merge)
{
    const struct command *command = command_find(merge->first->words);
    struct texts words = {0};
    int status = EXIT_FAILED;

    if (!command) {
        command_complain("the shards are of a command '%s', which this lbsim "
                         "does not know",
                         merge->first->words);
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
    (void)!chdir(merge->first->folder);
    status = command_call(command, (int)words.count, argv);
    if (status == EXIT_BAD_INPUT)
        hint_at_joined(merge);

out:
    free(argv);
    texts_done(&words);
    return status;
}

static int read_parts(struct merge *merge)
{
    for (size_t i = 0; i < merge->count; i++) {
        int status = read_part(&merge->parts[i]);

        if (status != EXIT_DONE)
            return status;
    }
    merge->first = &merge->parts[0].records.items[0];
    merge->first_name = merge->parts[0].name;
    merge->shards = calloc(merge->first->shard.count, sizeof *merge->shards);
    if (!merge->shards) {
        command_complain("out of memory");
        return EXIT_FAILED;
    }
    for (size_t i = 0; i < merge->count; i++)
        if (!take_records(merge, &merge->parts[i]))
            return EXIT_BAD_INPUT;
    return all_there(merge) ? EXIT_DONE : EXIT_FAILED;
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

    int status = read_parts(&merge);
    if (status == EXIT_DONE)
        status = join_stores(&merge);
    if (status == EXIT_DONE)
        status = call(&merge);
    for (size_t i = 0; i < merge.count; i++)
        shard_records_done(&merge.parts[i].records);
    free(merge.parts);
    free(merge.shards);
    return status;
}
