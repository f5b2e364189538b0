/* The file: its tables, whose it is, and what to say when it will not do. */
#include "sim/experiment/store_state.h"

#include "sim/core/clock.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define APPLICATION 1818391401 /* "lbsi", in the file's header */
#define SCHEMA 1
#define BUSY_MS 30000

static const char table_texts[] =
    "CREATE TABLE meta (name TEXT PRIMARY KEY, value ANY) STRICT, "
    "WITHOUT ROWID;"
    "CREATE TABLE programs (id INTEGER PRIMARY KEY, version TEXT NOT NULL,"
    " hash BLOB NOT NULL, UNIQUE (hash, version)) STRICT;"
    "CREATE TABLE experiments (id INTEGER PRIMARY KEY, hash BLOB NOT NULL "
    "UNIQUE,"
    " program INTEGER NOT NULL REFERENCES programs, name TEXT NOT NULL,"
    " effective TEXT NOT NULL) STRICT;"
    "CREATE TABLE scenarios (id INTEGER PRIMARY KEY, hash BLOB NOT NULL UNIQUE,"
    " program INTEGER NOT NULL REFERENCES programs, name TEXT NOT NULL,"
    " settings TEXT NOT NULL) STRICT;"
    "CREATE TABLE runs (id INTEGER PRIMARY KEY,"
    " scenario INTEGER NOT NULL REFERENCES scenarios, policy TEXT NOT NULL,"
    " replication INTEGER NOT NULL, warm_up_ns INTEGER NOT NULL,"
    " form INTEGER NOT NULL, result BLOB NOT NULL,"
    " UNIQUE (scenario, policy, replication, warm_up_ns, form)) STRICT;";

static const char *const statement_texts[STORE_STATEMENTS] = {
    [STORE_FIND_SCENARIO] = "SELECT id FROM scenarios WHERE hash = ?",
    [STORE_ADD_SCENARIO] =
        "INSERT INTO scenarios (hash, program, name, settings)"
        " VALUES (?, ?, ?, ?)"
        " ON CONFLICT (hash) DO UPDATE SET name = excluded.name RETURNING id",
    [STORE_FIND_RUN] =
        "SELECT id, result FROM runs WHERE scenario = ? AND policy = ?"
        " AND replication = ? AND warm_up_ns = ? AND form = ?",
    [STORE_ADD_RUN] =
        "INSERT INTO runs (scenario, policy, replication, warm_up_ns,"
        " form, result) VALUES (?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (scenario, policy, replication, warm_up_ns, form)"
        " DO UPDATE SET result = excluded.result RETURNING id",
    [STORE_ADD_NOTE] =
        "INSERT INTO experiments (hash, program, name, effective)"
        " VALUES (?, ?, ?, ?)"
        " ON CONFLICT (hash) DO UPDATE SET name = excluded.name",
};

/* ---- opening ---- */

/* Whether the file's first bytes say that it is a store. */
static bool is_store_file(const char *path)
{
    static const char magic[] = "SQLite format 3";
    unsigned char header[72] = {0};
    FILE *file = fopen(path, "rb");
    size_t length = file ? fread(header, 1, sizeof header, file) : 0;
    uint32_t application = 0;

    if (file)
        fclose(file);
    for (int i = 68; i < 72; i++)
        application = application << 8 | header[i];
    return length == sizeof header &&
           memcmp(header, magic, sizeof magic) == 0 &&
           application == APPLICATION;
}

static bool remove_file(const char *path, const char *ending)
{
    char name[4200];

    snprintf(name, sizeof name, "%s%s", path, ending);
    return unlink(name) == 0 || errno == ENOENT;
}

/* The logs first: without them the file is a store still. */
static bool remove_files(struct store *store)
{
    if (remove_file(store->path, "-wal") && remove_file(store->path, "-shm") &&
        remove_file(store->path, "-journal") && remove_file(store->path, ""))
        return true;
    snprintf(store->error, sizeof store->error, "cannot replace '%s': %s",
             store->path, strerror(errno));
    return false;
}

static enum store_status refuse(struct store *store, const char *why)
{
    snprintf(store->error, sizeof store->error, "'%s' %s", store->path, why);
    return STORE_UNFIT;
}

static void disconnect(struct store *store)
{
    for (int i = 0; i < STORE_STATEMENTS; i++) {
        sqlite3_finalize(store->statements[i]);
        store->statements[i] = NULL;
    }
    sqlite3_close(store->database);
    store->database = NULL;
}

static bool connect(struct store *store)
{
    int flags =
        SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;

    if (sqlite3_open_v2(store->path, &store->database, flags, NULL) !=
        SQLITE_OK)
        return store->database ? store_fail(store, NULL)
                               : store_fail_memory(store);
    sqlite3_busy_timeout(store->database, BUSY_MS);
    return true;
}

/*
 * Whether no other process has the file open: each holds a shared lock on it
 * for as long, and without the log, which this gives up, there must be none.
 * false also when something failed; what, SQLite still knows. Afterwards the
 * connection may take pages for current that the log had newer: connect anew.
 */
static bool is_alone(struct store *store)
{
    sqlite3_stmt *statement;
    bool alone = false;

    if (sqlite3_prepare_v2(store->database, "PRAGMA journal_mode = DELETE", -1,
                           &statement, NULL) != SQLITE_OK)
        return false;
    sqlite3_busy_timeout(store->database, 0);
    if (sqlite3_step(statement) == SQLITE_ROW) {
        const char *mode = (const char *)sqlite3_column_text(statement, 0);

        alone = mode && strcmp(mode, "delete") == 0;
    }
    sqlite3_finalize(statement);
    sqlite3_busy_timeout(store->database, BUSY_MS);
    return alone;
}

/* What a file says of itself, and whether it says anything. */
struct kind {
    int64_t application, schema, tables;
};

static bool ask_kind(struct store *store, struct kind *ret)
{
    return store_ask(store, "PRAGMA application_id", &ret->application) &&
           store_ask(store, "PRAGMA user_version", &ret->schema) &&
           store_ask(store, "SELECT count(*) FROM sqlite_schema", &ret->tables);
}

/*
 * Before a byte is written: may the file be used? An empty database may, as a
 * store that was killed in its first moment is one. What is damaged cannot be
 * asked, so its first bytes are looked at; never those of a sound store:
 * closing it again would end the locks that this process has on it, of all
 * connections.
 */
static enum store_status look_at_file(struct store *store, bool fresh)
{
    struct kind kind = {0};

    if (!ask_kind(store, &kind)) {
        if (!store_is_damage(sqlite3_errcode(store->database)))
            return STORE_FAILED;
        if (is_store_file(store->path))
            return fresh ? STORE_OK : STORE_UNFIT;
        kind.tables = 1;
    }
    if (kind.tables > 0 && kind.application != APPLICATION &&
        !is_store_file(store->path))
        return refuse(store, "is no store of simulations, or its beginning is "
                             "damaged: move it away, or name another file");
    if (kind.schema > SCHEMA && !fresh)
        return refuse(store, "was written by a later version of lbsim: use "
                             "that one, name another file, or give up what it "
                             "holds with --fresh");
    return STORE_OK;
}

/* Programs stay: who came in between has its own among them. */
static bool empty_tables(struct store *store)
{
    static const char sql[] = "BEGIN EXCLUSIVE; DROP TABLE IF EXISTS shards;"
                              "DELETE FROM runs; DELETE FROM scenarios;"
                              "DELETE FROM experiments; COMMIT;"
                              "PRAGMA incremental_vacuum";

    if (sqlite3_exec(store->database, sql, NULL, NULL, NULL) == SQLITE_OK)
        return true;
    sqlite3_exec(store->database, "ROLLBACK", NULL, NULL, NULL);
    return false;
}

static bool replace_file(struct store *store)
{
    disconnect(store);
    store->error[0] = 0;
    return remove_files(store) && connect(store);
}

/* What another process keeps is not given up under its hands. Files of this
   version are emptied, not replaced: somebody may open them at any moment. */
static enum store_status begin_anew(struct store *store)
{
    int64_t schema = -1;

    if (!is_alone(store) && sqlite3_errcode(store->database) == SQLITE_BUSY)
        return refuse(store, "is in use by another lbsim: wait until it has "
                             "ended, or leave --fresh out");
    disconnect(store);
    if (!connect(store))
        return STORE_FAILED;
    if (store_ask(store, "PRAGMA user_version", &schema) && schema == SCHEMA &&
        empty_tables(store))
        return STORE_OK;
    return replace_file(store) ? STORE_OK : STORE_FAILED;
}

/* Room is given back by those that were made so from the beginning. */
static bool configure(struct store *store)
{
    int64_t tables = 0;

    if (sqlite3_db_readonly(store->database, "main") == 1) {
        snprintf(store->error, sizeof store->error,
                 "cannot keep simulations in '%s': it may only be read",
                 store->path);
        return false;
    }
    return store_ask(store, "SELECT count(*) FROM sqlite_schema", &tables) &&
           (tables > 0 ||
            store_run_sql(store, "PRAGMA auto_vacuum = INCREMENTAL")) &&
           store_run_sql(store, "PRAGMA journal_mode = WAL;"
                                "PRAGMA synchronous = NORMAL;"
                                "PRAGMA foreign_keys = ON;"
                                "PRAGMA temp_store = MEMORY");
}

static bool make_tables(struct store *store)
{
    char sql[200];

    snprintf(sql, sizeof sql,
             "INSERT INTO meta VALUES ('schema', %d), "
             "('made_by', 'lbsim " LBSIM_VERSION "'), ('made_at', unixepoch());"
             "PRAGMA application_id = %d; PRAGMA user_version = %d",
             SCHEMA, APPLICATION, SCHEMA);
    return store_run_sql(store, table_texts) && store_run_sql(store, sql);
}

/* Under the lock for writing, as two processes may find an empty file. */
static bool ensure_tables(struct store *store)
{
    int64_t schema = 0;

    return store_run_sql(store, "BEGIN IMMEDIATE") &&
           store_ask(store, "PRAGMA user_version", &schema) &&
           (schema != 0 || make_tables(store)) &&
           store_run_sql(store, "COMMIT");
}

static bool prepare(struct store *store)
{
    for (int i = 0; i < STORE_STATEMENTS; i++)
        if (sqlite3_prepare_v3(store->database, statement_texts[i], -1,
                               SQLITE_PREPARE_PERSISTENT, &store->statements[i],
                               NULL) != SQLITE_OK)
            return store_fail(store, NULL);
    return true;
}

/* Runs SQL about this program: its version and hash are its parameters. */
static bool with_program(struct store *store, const char *sql, int64_t *ret)
{
    sqlite3_stmt *statement;

    if (sqlite3_prepare_v2(store->database, sql, -1, &statement, NULL) !=
        SQLITE_OK)
        return store_fail(store, NULL);
    sqlite3_bind_text(statement, 1, LBSIM_VERSION, -1, SQLITE_STATIC);
    store_bind_hash(statement, 2, &store->program);
    bool fine = store_step(store, statement, ret);
    sqlite3_finalize(statement);
    return fine;
}

/* Writes nothing when it is known. */
static bool add_program(struct store *store)
{
    return with_program(store,
                        "INSERT INTO programs (version, hash) VALUES (?, ?)"
                        " ON CONFLICT DO NOTHING",
                        NULL) &&
           with_program(store,
                        "SELECT id FROM programs WHERE version = ?"
                        " AND hash = ?",
                        &store->program_id);
}

/*
 * Which program this is: a hash of the file it was started from, so that a
 * build with another rule never finds what the former one yielded. Where the
 * system does not show it, nothing is found again.
 */
static bool identify(struct store *store)
{
    if (!hash128_of_file("/proc/self/exe", &store->program)) {
        if (errno == ENOMEM)
            return store_fail_memory(store);
        store->program =
            (struct hash128){(uint64_t)clock_now_ns(), (uint64_t)getpid()};
    }

    return add_program(store);
}

static bool count_rows(struct store *store)
{
    char sql[160];
    int64_t all = 0;

    snprintf(sql, sizeof sql,
             "SELECT count(*) FROM scenarios JOIN runs ON scenario = "
             "scenarios.id WHERE program = %" PRId64,
             store->program_id);
    if (!store_ask(store, sql, &store->ours_before) ||
        !store_ask(store, "SELECT count(*) FROM runs", &all) ||
        !store_ask(store, "SELECT coalesce(max(id), 0) FROM runs",
                   &store->last_before))
        return false;
    store->others_before = all - store->ours_before;
    return true;
}

static enum store_status open_all(struct store *store, bool fresh)
{
    enum store_status status;

    if (!connect(store))
        return STORE_FAILED;
    status = look_at_file(store, fresh);
    if (status != STORE_OK)
        return status;
    if (fresh)
        status = begin_anew(store);
    if (status != STORE_OK)
        return status;
    if (configure(store) && ensure_tables(store) && prepare(store) &&
        identify(store) && count_rows(store))
        return STORE_OK;
    return store->database && store_is_damage(sqlite3_errcode(store->database))
               ? STORE_UNFIT
               : STORE_FAILED;
}

enum store_status store_open(const char *path, bool fresh, struct store **ret,
                             char *reterr, size_t size)
{
    struct store *store = calloc(1, sizeof *store);

    *ret = NULL;
    if (!store) {
        snprintf(reterr, size, "out of memory");
        return STORE_FAILED;
    }
    pthread_mutex_init(&store->lock, NULL);
    store->last = &store->first;
    /* Or SQLite takes ":memory:" and the empty name for something else. */
    int length = snprintf(store->path, sizeof store->path, "%s%s",
                          path[0] == ':' || !path[0] ? "./" : "", path);
    enum store_status status = STORE_UNFIT;
    if (length >= (int)sizeof store->path)
        snprintf(store->error, sizeof store->error,
                 "the name of the store is too long");
    else
        status = open_all(store, fresh);
    if (status == STORE_OK) {
        *ret = store;
        return STORE_OK;
    }
    snprintf(reterr, size, "%s", store->error);
    store_close(store);
    return status;
}

void store_close(struct store *store)
{
    if (!store)
        return;
    disconnect(store);
    store_drop_rows(store);
    pthread_mutex_destroy(&store->lock);
    free(store);
}

/* ---- what else is in it ---- */

bool store_note(struct store *store, const char *name, const char *effective)
{
    sqlite3_stmt *add = store->statements[STORE_ADD_NOTE];
    struct hash128 hash[2] = {store->program,
                              hash128_of(effective, strlen(effective))};

    hash[0] = hash128_of(hash, sizeof hash);
    store_bind_hash(add, 1, hash);
    sqlite3_bind_int64(add, 2, store->program_id);
    sqlite3_bind_text(add, 3, name, -1, SQLITE_STATIC);
    sqlite3_bind_text(add, 4, effective, -1, SQLITE_STATIC);
    return store_step(store, add, NULL);
}

struct store_counts store_counts(const struct store *store)
{
    return store->counts;
}

const char *store_path(const struct store *store)
{
    return store->path;
}

bool store_is_empty(const struct store *store)
{
    return store->ours_before + store->others_before == 0 &&
           store->counts.kept == 0;
}

const char *store_stranger(const struct store *store, char *text, size_t size)
{
    int64_t all = store->ours_before + store->others_before;
    const char *of = NULL;

    if (store->counts.found > 0 || all == 0)
        return NULL;
    if (store->ours_before == 0)
        of = "another build of lbsim";
    else if (!store->scenario_known)
        of = "other settings or other files";
    if (!of)
        return NULL;
    snprintf(text, size, "its %" PRId64 " simulation%s of %s", all,
             all == 1 ? " is" : "s are", of);
    return text;
}

static bool list_touched(struct store *store)
{
    sqlite3_stmt *add;

    if (!store_run_sql(store,
                       "CREATE TEMP TABLE kept (id INTEGER PRIMARY KEY)"))
        return false;
    if (sqlite3_prepare_v2(store->database,
                           "INSERT OR IGNORE INTO kept VALUES (?)", -1, &add,
                           NULL) != SQLITE_OK)
        return store_fail(store, NULL);
    bool fine = true;
    for (size_t i = 0; fine && i < store->touched_count; i++) {
        sqlite3_bind_int64(add, 1, store->touched[i]);
        fine = store_step(store, add, NULL);
    }
    sqlite3_finalize(add);
    return fine;
}

static bool drop_untouched(struct store *store)
{
    char sql[320];

    snprintf(sql, sizeof sql,
             "DELETE FROM runs WHERE id <= %" PRId64
             " AND id NOT IN (SELECT id FROM kept);"
             "DELETE FROM scenarios WHERE id NOT IN (SELECT scenario FROM "
             "runs);"
             "DROP TABLE kept; COMMIT; PRAGMA incremental_vacuum",
             store->last_before);
    return store_run_sql(store, sql);
}

bool store_prune(struct store *store)
{
    if (!store_flush(store))
        return false;

    bool alone = is_alone(store);
    if (!alone && sqlite3_errcode(store->database) != SQLITE_BUSY)
        return store_fail(store, NULL);
    disconnect(store);
    return connect(store) && configure(store) &&
           (!alone || (store_run_sql(store, "BEGIN IMMEDIATE") &&
                       list_touched(store) && drop_untouched(store))) &&
           prepare(store);
}
