/* Shards in a store: their records, and how stores are joined. */
#include "sim/experiment/store_shards.h"

#include "sim/experiment/store_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUSY_MS 30000

/* Only in stores of shards. */
static const char table[] =
    "CREATE TABLE IF NOT EXISTS shards (number INTEGER PRIMARY KEY,"
    " count INTEGER NOT NULL, program INTEGER NOT NULL REFERENCES programs,"
    " words BLOB NOT NULL, folder TEXT NOT NULL, effective TEXT NOT NULL,"
    " units INTEGER NOT NULL, simulations_of_all INTEGER NOT NULL,"
    " simulations INTEGER NOT NULL, done INTEGER NOT NULL,"
    " whole INTEGER NOT NULL) STRICT";

static const char drop_others[] =
    "DELETE FROM shards WHERE count <> ?2 OR program <> ?3 OR words <> ?4"
    " OR effective <> ?6";

static const char add_shard[] =
    "INSERT OR REPLACE INTO shards VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9,"
    " ?10, ?11)";

static const char list_shards[] =
    "SELECT number, count, words, folder, effective, units,"
    " simulations_of_all, simulations, done, version, hex(hash), whole"
    " FROM shards JOIN programs ON programs.id = program"
    " WHERE number BETWEEN 1 AND count AND count <= ?1 ORDER BY number";

/* In this order: each finds the rows of the ones before by their content. */
static const char join[] =
    "INSERT OR IGNORE INTO main.programs (version, hash)"
    " SELECT version, hash FROM other.programs;"
    "INSERT OR IGNORE INTO main.scenarios (hash, program, name, settings)"
    " SELECT s.hash, ours.id, s.name, s.settings FROM other.scenarios s"
    " JOIN other.programs p ON p.id = s.program"
    " JOIN main.programs ours ON ours.hash = p.hash"
    " AND ours.version = p.version;"
    "INSERT OR IGNORE INTO main.runs (scenario, policy, replication,"
    " warm_up_ns, form, result)"
    " SELECT ours.id, r.policy, r.replication, r.warm_up_ns, r.form,"
    " r.result FROM other.runs r"
    " JOIN other.scenarios s ON s.id = r.scenario"
    " JOIN main.scenarios ours ON ours.hash = s.hash ORDER BY r.id";

/* ---- records ---- */

void shard_record_done(struct shard_record *record)
{
    free(record->words);
    free(record->folder);
    free(record->effective);
    free(record->version);
    *record = (struct shard_record){0};
}

void shard_records_done(struct shard_records *records)
{
    for (size_t i = 0; i < records->count; i++)
        shard_record_done(&records->items[i]);
    free(records->items);
    *records = (struct shard_records){0};
}

static void bind_record(const struct store *store, sqlite3_stmt *statement,
                        const struct shard_record *record)
{
    sqlite3_bind_int64(statement, 1, record->shard.number);
    sqlite3_bind_int64(statement, 2, record->shard.count);
    sqlite3_bind_int64(statement, 3, store->program_id);
    sqlite3_bind_blob64(statement, 4, record->words, record->words_size,
                        SQLITE_STATIC);
    sqlite3_bind_text(statement, 5, record->folder, -1, SQLITE_STATIC);
    sqlite3_bind_text(statement, 6, record->effective, -1, SQLITE_STATIC);
    sqlite3_bind_int64(statement, 7, (int64_t)record->work.units);
    sqlite3_bind_int64(statement, 8, (int64_t)record->simulations_of_all);
    sqlite3_bind_int64(statement, 9, (int64_t)record->work.simulations);
    sqlite3_bind_int64(statement, 10, (int64_t)record->work.done);
    sqlite3_bind_int(statement, 11, record->whole);
}

/* Numbers of parameters that a statement does not name are let alone. */
static bool step_with(struct store *store, const char *sql,
                      const struct shard_record *record)
{
    sqlite3_stmt *statement;

    if (sqlite3_prepare_v2(store->database, sql, -1, &statement, NULL) !=
        SQLITE_OK)
        return store_fail(store, NULL);
    bind_record(store, statement, record);
    bool fine = store_step(store, statement, NULL);
    sqlite3_finalize(statement);
    return fine;
}

bool store_put_shard(struct store *store, const struct shard_record *record)
{
    return store_flush(store) && store_run_sql(store, "BEGIN IMMEDIATE") &&
           store_run_sql(store, table) &&
           step_with(store, drop_others, record) &&
           step_with(store, add_shard, record) &&
           store_run_sql(store, "COMMIT");
}

/* ---- reading the records of another store ---- */

static char *copy_of(const void *bytes, int size)
{
    char *copy = malloc((size_t)size + 1);

    if (copy) {
        memcpy(copy, bytes ? bytes : "", (size_t)size);
        copy[size] = 0;
    }
    return copy;
}

static char *text_at(sqlite3_stmt *row, int column)
{
    const void *bytes = sqlite3_column_blob(row, column);

    return copy_of(bytes, sqlite3_column_bytes(row, column));
}

/* false: no memory. */
static bool read_record(sqlite3_stmt *row, struct shard_record *ret)
{
    *ret = (struct shard_record){
        .shard = {(uint32_t)sqlite3_column_int64(row, 0),
                  (uint32_t)sqlite3_column_int64(row, 1)},
        .words = text_at(row, 2),
        .words_size = (size_t)sqlite3_column_bytes(row, 2),
        .folder = text_at(row, 3),
        .effective = text_at(row, 4),
        .work = {(uint64_t)sqlite3_column_int64(row, 5),
                 (uint64_t)sqlite3_column_int64(row, 7),
                 (uint64_t)sqlite3_column_int64(row, 8)},
        .simulations_of_all = (uint64_t)sqlite3_column_int64(row, 6),
        .version = text_at(row, 9),
        .whole = sqlite3_column_int(row, 11) != 0,
    };
    char *build = text_at(row, 10);

    if (build)
        snprintf(ret->build, sizeof ret->build, "%s", build);
    free(build);
    return build && ret->words && ret->folder && ret->effective && ret->version;
}

/* Returns what sqlite3_step() does at the end. */
static int read_records(sqlite3_stmt *statement, struct shard_records *ret)
{
    int status;

    while ((status = sqlite3_step(statement)) == SQLITE_ROW) {
        struct shard_record *grown =
            realloc(ret->items, (ret->count + 1) * sizeof *grown);

        if (!grown)
            return SQLITE_NOMEM;
        ret->items = grown;
        if (!read_record(statement, &grown[ret->count++]))
            return SQLITE_NOMEM;
    }
    return status;
}

/* A store without shards lacks their table. */
static int read_all(sqlite3 *database, struct shard_records *ret)
{
    sqlite3_stmt *statement = NULL;
    int status = sqlite3_prepare_v2(
        database, "SELECT 1 FROM sqlite_schema WHERE name = 'shards'", -1,
        &statement, NULL);
    bool there = status == SQLITE_OK && sqlite3_step(statement) == SQLITE_ROW;

    if (status == SQLITE_OK)
        status = sqlite3_finalize(statement);
    if (status != SQLITE_OK || !there)
        return status == SQLITE_OK ? SQLITE_DONE : status;
    status = sqlite3_prepare_v2(database, list_shards, -1, &statement, NULL);
    if (status != SQLITE_OK)
        return status;
    sqlite3_bind_int64(statement, 1, SHARD_COUNT_MAX);
    status = read_records(statement, ret);
    sqlite3_finalize(statement);
    return status;
}

static enum store_status say_unread(int status, sqlite3 *database,
                                    const char *path, char *reterr, size_t size)
{
    const char *why = status == SQLITE_NOMEM || !database
                          ? "out of memory"
                          : sqlite3_errmsg(database);
    bool unfit = status == SQLITE_NOTADB || status == SQLITE_CORRUPT;

    snprintf(reterr, size, "cannot read the store '%s': %s", path, why);
    return unfit ? STORE_UNFIT : STORE_FAILED;
}

enum store_status store_list_shards(const char *path, struct shard_records *ret,
                                    char *reterr, size_t size)
{
    sqlite3 *database = NULL;
    enum store_status outcome = STORE_OK;
    int status = sqlite3_open_v2(path, &database, SQLITE_OPEN_READONLY, NULL);

    *ret = (struct shard_records){0};
    if (status == SQLITE_OK) {
        sqlite3_busy_timeout(database, BUSY_MS);
        status = read_all(database, ret);
    }
    if (status != SQLITE_DONE) {
        outcome = say_unread(status, database, path, reterr, size);
        shard_records_done(ret);
    }
    sqlite3_close(database);
    return outcome;
}

/* ---- joining ---- */

static bool attach(struct store *store, const char *path)
{
    sqlite3_stmt *statement;

    if (sqlite3_prepare_v2(store->database, "ATTACH ?1 AS other", -1,
                           &statement, NULL) != SQLITE_OK)
        return store_fail(store, NULL);
    sqlite3_bind_text(statement, 1, path, -1, SQLITE_STATIC);
    bool fine = store_step(store, statement, NULL);
    sqlite3_finalize(statement);
    return fine;
}

/* Which of the two is damaged SQLite does not say; ours was just opened. */
static bool say_damaged(struct store *store, const char *path)
{
    int code = sqlite3_errcode(store->database);

    if (code == SQLITE_CORRUPT || code == SQLITE_NOTADB)
        snprintf(store->error, sizeof store->error,
                 "cannot join the store '%s': %s; run that shard again with "
                 "--fresh",
                 path, sqlite3_errmsg(store->database));
    return false;
}

bool store_join(struct store *store, const char *path)
{
    if (!store_flush(store))
        return false;
    if (!attach(store, path) || !store_run_sql(store, "BEGIN IMMEDIATE") ||
        !store_run_sql(store, join))
        return say_damaged(store, path);
    return store_run_sql(store, "COMMIT") &&
           store_run_sql(store, "DETACH other");
}
