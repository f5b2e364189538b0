/*
 * What a store knows of shards: which part of which command ran into it, so
 * that stores can be joined and a lost one is named.
 */
#ifndef SIM_EXPERIMENT_STORE_SHARDS_H
#define SIM_EXPERIMENT_STORE_SHARDS_H

#include "sim/experiment/shard.h"
#include "sim/experiment/store.h"

#include <stdbool.h>
#include <stddef.h>

/* One shard, of one command, by one program. */
struct shard_record {
    struct shard shard;
    struct shard_work work;      /* nothing before its end */
    uint64_t simulations_of_all; /* shards; 0: units are searches, of which
                                    nobody knows how many they will be */
    bool whole;                  /* it ended, and nothing is missing */
    /* The command's name and arguments, each with a 0 at its end, without what
       says how or where it is run. */
    char *words;
    size_t words_size;
    char *folder;    /* in which it was called, absolute */
    char *effective; /* the scenario as YAML */
    char *version;   /* of the program */
    char build[33];  /* hash of the program, in hexadecimal digits */
};
void shard_record_done(struct shard_record *record);

struct shard_records {
    struct shard_record *items; /* [count], by number */
    size_t count;
};
void shard_records_done(struct shard_records *records);

/*
 * Puts a record into the store, or replaces the one of the same number. Those
 * of another command, scenario, program or division are given up: a store
 * serves one division at a time. version and build are the store's own,
 * whatever *record says. false: store_error() says why.
 */
bool store_put_shard(struct store *store, const struct shard_record *record);

/* Reads the records of the store in the file, which stays as it is. Unless OK
   reterr, of size bytes, says why; without any record *ret is empty. */
enum store_status store_list_shards(const char *path, struct shard_records *ret,
                                    char *reterr, size_t size);

/* Copies the simulations of the store in the file at path; those that are there
   already stay. false: store_error() says why. */
bool store_join(struct store *store, const char *path);

#endif
