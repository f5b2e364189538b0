#include "sim/cli/merge_parts.h"

#include "sim/cli/command.h"
#include "sim/report/result_folder.h"
#include "sim/scenario/difference.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define REASON_SIZE 5000 /* a path and why */
#define NAMED_MOST 10    /* lost shards that are named one by one */

bool merge_parts_add(struct merge_parts *parts, const char *name)
{
    struct merge_part *grown =
        realloc(parts->items, (parts->count + 1) * sizeof *grown);

    if (!grown)
        return false;
    parts->items = grown;
    parts->items[parts->count++] = (struct merge_part){.name = name};
    return true;
}

void merge_parts_done(struct merge_parts *parts)
{
    for (size_t i = 0; i < parts->count; i++)
        shard_records_done(&parts->items[i].records);
    free(parts->items);
    free(parts->shards);
}

/* ---- what the shards say of themselves ---- */

/* A folder has its store inside; a file is one. */
static void find_store(struct merge_part *part)
{
    struct stat status;
    bool folder = stat(part->name, &status) == 0 && S_ISDIR(status.st_mode);

    snprintf(part->path, sizeof part->path, "%s%s", part->name,
             folder ? "/" RESULT_FOLDER_STORE : "");
}

static int read_part(struct merge_part *part)
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
static void complain_apart(const struct merge_parts *parts,
                           const struct merge_part *part,
                           const struct shard_record *record, const char *what,
                           const char *ours, const char *theirs)
{
    command_complain("shard %" PRIu32 " of %" PRIu32 " in '%s' and shard "
                     "%" PRIu32 " of %" PRIu32 " in '%s' do not belong "
                     "together: %s is %s%.255s%s there and %s%.255s%s here",
                     parts->first->shard.number, parts->first->shard.count,
                     parts->first_name, record->shard.number,
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

static bool same_scenario(const struct merge_parts *parts,
                          const struct merge_part *part,
                          const struct shard_record *record)
{
    struct differences list;
    bool fine = differences_find(parts->first->effective, record->effective,
                                 &list),
         same = fine && list.count == 0;

    if (!fine)
        command_complain("out of memory");
    else if (!same)
        complain_apart(parts, part, record, list.items[0].path,
                       list.items[0].one, list.items[0].other);
    differences_done(&list);
    return same;
}

static bool belongs(const struct merge_parts *parts,
                    const struct merge_part *part,
                    const struct shard_record *record)
{
    const struct shard_record *first = parts->first;
    const char *word, *other;

    if (record->shard.count != first->shard.count)
        command_complain("'%s' has a shard of %" PRIu32 " and '%s' one of "
                         "%" PRIu32 ": they are parts of different divisions",
                         parts->first_name, first->shard.count, part->name,
                         record->shard.count);
    else if (strcmp(record->version, first->version) != 0)
        complain_apart(parts, part, record, "the version of lbsim",
                       first->version, record->version);
    else if (strcmp(record->build, first->build) != 0)
        complain_apart(parts, part, record, "the build of lbsim", first->build,
                       record->build);
    else if (!same_scenario(parts, part, record))
        return false;
    else if (!same_words(first, record, &word, &other))
        complain_apart(parts, part, record, "the command", word, other);
    else
        return true;
    return false;
}

/* Of two that ran the same shard, the one that has more of it. */
static bool take_records(struct merge_parts *parts,
                         const struct merge_part *part)
{
    for (size_t i = 0; i < part->records.count; i++) {
        const struct shard_record *record = &part->records.items[i];

        if (!belongs(parts, part, record))
            return false;

        const struct shard_record **place =
            &parts->shards[record->shard.number - 1];
        if (!*place ||
            (!(*place)->whole &&
             (record->whole || (*place)->work.done < record->work.done)))
            *place = record;
    }
    return true;
}

/* ---- whether they are all there ---- */

void merge_put_word(const char *word)
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

void merge_put_command(const struct shard_record *record)
{
    fputs(" lbsim", stderr);
    for (size_t at = 0; at < record->words_size;
         at += strlen(record->words + at) + 1)
        merge_put_word(record->words + at);
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

const struct shard_record *
merge_parts_whole_one(const struct merge_parts *parts)
{
    for (uint32_t i = 0; i < parts->first->shard.count; i++)
        if (parts->shards[i] && parts->shards[i]->work.units > 0)
            return parts->shards[i];
    return parts->first;
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
    merge_put_word(like->folder);
    fputs(" so:\n       ", stderr);
    merge_put_command(like);
    fprintf(stderr, " --shard %" PRIu32 "/%" PRIu32 " --output DIR\n", number,
            like->shard.count);
}

static bool is_missing(const struct merge_parts *parts, uint32_t number,
                       const struct shard_record *like)
{
    const struct shard_record *record = parts->shards[number - 1];

    struct shard shard = {number, like->shard.count};

    if (!record)
        return like->work.units == 0 ||
               shard_size(&shard, like->work.units) > 0;
    return !record->whole;
}

static bool all_there(const struct merge_parts *parts)
{
    const struct shard_record *like = merge_parts_whole_one(parts);
    uint32_t missing = 0, lost = 0;

    for (uint32_t i = 1; i <= like->shard.count; i++)
        if (is_missing(parts, i, like) && ++missing <= NAMED_MOST) {
            name_missing(i, parts->shards[i - 1], like);
            if (!parts->shards[i - 1] && lost == 0)
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

int merge_parts_read(struct merge_parts *parts)
{
    for (size_t i = 0; i < parts->count; i++) {
        int status = read_part(&parts->items[i]);

        if (status != EXIT_DONE)
            return status;
    }
    parts->first = &parts->items[0].records.items[0];
    parts->first_name = parts->items[0].name;
    parts->shards = calloc(parts->first->shard.count, sizeof *parts->shards);
    if (!parts->shards) {
        command_complain("out of memory");
        return EXIT_FAILED;
    }
    for (size_t i = 0; i < parts->count; i++)
        if (!take_records(parts, &parts->items[i]))
            return EXIT_BAD_INPUT;
    return all_there(parts) ? EXIT_DONE : EXIT_FAILED;
}
