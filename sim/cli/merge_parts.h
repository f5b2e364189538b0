/*
 * The stores of shards that are to be merged: what they say of themselves,
 * whether they belong together, and whether all are there.
 */
#ifndef SIM_CLI_MERGE_PARTS_H
#define SIM_CLI_MERGE_PARTS_H

#include "sim/experiment/store_shards.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A store of the command line. */
struct merge_part {
    const char *name; /* as it was given, borrowed */
    char path[PATH_MAX];
    struct shard_records records;
};

struct merge_parts {
    struct merge_part *items; /* [count] */
    size_t count;

    /* Once they are read, borrowed from items: the first record, and one of
       each shard. */
    const struct shard_record *first;
    const char *first_name;
    const struct shard_record **shards; /* [first->shard.count]; NULL: lost */
};

/* false: no memory. */
bool merge_parts_add(struct merge_parts *parts, const char *name);
void merge_parts_done(struct merge_parts *parts);

/* Reads what they hold, at least one of them. EXIT_DONE when they are all
   shards of one command, or the exit status for what was complained about. */
int merge_parts_read(struct merge_parts *parts);

/* One that knows how much work there is, as a shard that was killed does not;
   the first where none does. */
const struct shard_record *
merge_parts_whole_one(const struct merge_parts *parts);

/* For hints, to standard error: a word for a shell, in quotes unless it needs
   none, and the command that a shard is of; both after a blank. */
void merge_put_word(const char *word);
void merge_put_command(const struct shard_record *record);

#endif
