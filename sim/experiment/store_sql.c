/* Calls of the database, and what is said when one fails. */
#include "sim/experiment/store_state.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* ---- failures ---- */

bool store_is_damage(int code)
{
    return code == SQLITE_CORRUPT || code == SQLITE_NOTADB;
}

bool store_fail(struct store *store, const char *what)
{
    int code = sqlite3_errcode(store->database);
    bool damaged = what || store_is_damage(code);
    int cause = what                  ? 0
                : code == SQLITE_FULL ? ENOSPC /* which it does not keep */
                                      : sqlite3_system_errno(store->database);

    if (store->error[0])
        return false;
    if (!what)
        what = code == SQLITE_NOMEM ? "out of memory"
                                    : sqlite3_errmsg(store->database);
    if (damaged)
        snprintf(store->error, sizeof store->error,
                 "'%s' cannot be used: %s; move it away, or give up what it "
                 "holds with --fresh",
                 store->path, what);
    else
        snprintf(store->error, sizeof store->error,
                 "cannot keep simulations in '%s': %s%s%s", store->path, what,
                 cause ? ": " : "", cause ? strerror(cause) : "");
    return false;
}

bool store_fail_memory(struct store *store)
{
    if (!store->error[0])
        snprintf(store->error, sizeof store->error,
                 "cannot keep simulations in '%s': out of memory", store->path);
    return false;
}

const char *store_error(const struct store *store)
{
    return store->error;
}

/* ---- SQL ---- */

bool store_run_sql(struct store *store, const char *sql)
{
    return sqlite3_exec(store->database, sql, NULL, NULL, NULL) == SQLITE_OK ||
           store_fail(store, NULL);
}

bool store_step(struct store *store, sqlite3_stmt *statement, int64_t *ret)
{
    int status = sqlite3_step(statement);

    if (ret)
        *ret = status == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : 0;
    while (status == SQLITE_ROW) /* or the change would not be committed */
        status = sqlite3_step(statement);
    bool fine = status == SQLITE_DONE || store_fail(store, NULL);
    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
    return fine;
}

void store_bind_hash(sqlite3_stmt *statement, int place,
                     const struct hash128 *hash)
{
    const uint64_t words[2] = {hash->high, hash->low};
    uint8_t bytes[16];

    for (int i = 0; i < 16; i++)
        bytes[i] = (uint8_t)(words[i / 8] >> (56 - 8 * (i % 8)));
    sqlite3_bind_blob(statement, place, bytes, sizeof bytes, SQLITE_TRANSIENT);
}

bool store_ask(struct store *store, const char *sql, int64_t *ret)
{
    sqlite3_stmt *statement;

    if (sqlite3_prepare_v2(store->database, sql, -1, &statement, NULL) !=
        SQLITE_OK)
        return store_fail(store, NULL);
    bool fine = store_step(store, statement, ret);
    sqlite3_finalize(statement);
    return fine;
}
