/*
 * Inside the store. store.c has the file, its tables and who it belongs to;
 * store_sql.c calls of the database; store_rows.c what goes in and out.
 *
 * Threads that keep a run pack it and put it into a queue, under the lock; the
 * database is only touched by the thread that opened the store.
 */
#ifndef SIM_EXPERIMENT_STORE_STATE_H
#define SIM_EXPERIMENT_STORE_STATE_H

#include "sim/experiment/store.h"
#include "sim/scenario/identity.h"

#include <pthread.h>
#include <sqlite3.h>
#include <zstd.h>

/* A scenario of which runs are asked for or waiting. */
struct store_scenario {
    struct store_scenario *next;
    struct hash128 hash; /* of program and settings */
    int64_t id;          /* its row; 0: none yet */
    uint64_t added_in;   /* the transaction that made sure of the row */
    char *name, *settings;
};

/* A packed run that waits to be written. */
struct store_item {
    struct store_item *next;
    struct store_scenario *scenario;
    uint32_t replication;
    int64_t warm_up_ns;
    int form;                 /* what the row says of its kind */
    size_t size, policy_size; /* the latter with its 0 */
    uint8_t bytes[]; /* [size] the run, then [policy_size] the policy's text */
};

/* What packing needs, as large as many a run: made once a thread. */
struct store_packer {
    struct store_packer *next;
    ZSTD_CCtx *context;
    uint8_t *plain, *packed; /* [plain_room] and [packed_room] */
    size_t plain_room, packed_room;
};

enum store_statement {
    STORE_FIND_SCENARIO,
    STORE_ADD_SCENARIO,
    STORE_FIND_RUN,
    STORE_ADD_RUN,
    STORE_ADD_NOTE,
    STORE_STATEMENTS
};

struct store {
    sqlite3 *database;
    sqlite3_stmt *statements[STORE_STATEMENTS];
    struct hash128 program;
    int64_t program_id;
    int64_t ours_before, others_before; /* rows when it was opened */
    int64_t last_before;                /* the last one's id then */
    uint64_t transaction;               /* the number of the last one */

    struct store_scenario *scenarios; /* the last one first */
    struct store_scenario *current;   /* of the shelf */
    const char **policies;            /* [policy_count] texts, of the shelf */
    bool scenario_known;              /* one that was begun was there before */

    int64_t *touched; /* [touched_count] rows that were found or kept */
    size_t touched_count, touched_room;
    struct store_counts counts;
    int64_t flushed_at_ns;

    pthread_mutex_t lock;
    struct store_item *first, **last; /* the queue, under lock */
    struct store_packer *packers;     /* those that rest, under lock */

    char path[4096];
    char error[5000]; /* "" while all is well */
};

/* Notes what the database says of the last call, if nothing failed before.
   Always false. */
bool store_fail(struct store *store, const char *what);
bool store_fail_memory(struct store *store);

/* Whether a result code of the database says that the file is no good. */
bool store_is_damage(int code);

/* Runs SQL without parameters. false: noted. */
bool store_run_sql(struct store *store, const char *sql);

/* Steps a statement that gives no row, or one number; ret may be NULL. */
bool store_step(struct store *store, sqlite3_stmt *statement, int64_t *ret);

/* The one number that a query gives. false: noted. */
bool store_ask(struct store *store, const char *sql, int64_t *ret);

void store_bind_hash(sqlite3_stmt *statement, int place,
                     const struct hash128 *hash);

/* Frees queue, packers, scenarios and what was touched. */
void store_drop_rows(struct store *store);

#endif
