/*
 * How experiments are run and where they are kept, as every command that
 * simulates takes it: result folder, store, threads, limits, quiet. None of it
 * changes a result.
 */
#ifndef SIM_CLI_EXPERIMENT_OPTIONS_H
#define SIM_CLI_EXPERIMENT_OPTIONS_H

#include "sim/experiment/shard.h"

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>

#define PLACE_WORDS_MAX 64

struct experiment_options {
    const char *output;          /* the result folder; NULL: none. An option of
                                    commands that write one */
    const char *store;           /* NULL: that of the result folder */
    bool folderless;             /* the command writes no result folder, as its
                                    help must know */
    bool fresh;                  /* give up what the store holds */
    uint32_t threads;            /* 0: all of the machine */
    bool quiet;                  /* no progress, no speed */
    uint64_t limit_events;       /* of one simulation; 0: none */
    uint64_t limit_memory_bytes; /* of the process; 0: most of the machine's */
    int64_t limit_time_ns;       /* of the whole command; 0: none */

    struct shard shard; /* count 0: everything */
    uint64_t known;     /* units that are in the store, as merge says */

    /* The command as it was called, and those of its words that say how or
       where: what is left is what was asked for. */
    int argc;
    char **argv; /* [argc], borrowed */
    const char *place_words[PLACE_WORDS_MAX];
    size_t place_word_count;
};

/* To be a child of a command's parser; its input is an experiment_options. */
extern const struct argp experiment_options_argp;

/* The same with --shard, for commands that can be run in parts. Their --output
   is to be noted as a place. */
extern const struct argp sharded_options_argp;

/* For a command's own options that say how or where, as they are read. */
void experiment_options_note_place(struct experiment_options *options, int key,
                                   const char *argument,
                                   struct argp_state *state);

/* Whether the word, one of argv, says how or where and not what. */
bool experiment_options_is_place(const struct experiment_options *options,
                                 const char *word);

#endif
