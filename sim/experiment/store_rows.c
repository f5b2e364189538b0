/* What goes into the store, and out of it. */
#include "sim/experiment/store_state.h"

#include "sim/core/clock.h"
#include "sim/experiment/run_codec.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FLUSH_NS INT64_C(200000000) /* rows wait no longer than this */
#define LEVEL                                    \
    (-1) /* of zstd: quick, and half as large as \
            the next quicker one */
#define RUN_SIZE_MAX (UINT64_C(1) << 32)

/* ---- packing ---- */

/* NULL: no memory. */
static struct store_packer *take_packer(struct store *store)
{
    struct store_packer *packer;

    pthread_mutex_lock(&store->lock);
    packer = store->packers;
    if (packer)
        store->packers = packer->next;
    pthread_mutex_unlock(&store->lock);
    if (packer)
        return packer;
    packer = calloc(1, sizeof *packer);
    if (packer)
        packer->context = ZSTD_createCCtx();
    if (packer && !packer->context) {
        free(packer);
        packer = NULL;
    }
    return packer;
}

static void return_packer(struct store *store, struct store_packer *packer)
{
    pthread_mutex_lock(&store->lock);
    packer->next = store->packers;
    store->packers = packer;
    pthread_mutex_unlock(&store->lock);
}

static void free_packers(struct store *store)
{
    while (store->packers) {
        struct store_packer *packer = store->packers;

        store->packers = packer->next;
        ZSTD_freeCCtx(packer->context);
        free(packer->plain);
        free(packer->packed);
        free(packer);
    }
}

static bool make_room(uint8_t **bytes, size_t *room, size_t size)
{
    uint8_t *grown;

    if (*bytes && size <= *room)
        return true;
    grown = realloc(*bytes, size);
    if (!grown)
        return false;
    *bytes = grown;
    *room = size;
    return true;
}

/* Leaves the packed run in the packer; its size, 0: no memory. */
static size_t pack(struct store_packer *packer, const struct run_result *run)
{
    size_t size = run_encoded_size(run), bound = ZSTD_compressBound(size);

    if (!make_room(&packer->plain, &packer->plain_room, size) ||
        !make_room(&packer->packed, &packer->packed_room, bound))
        return 0;
    run_encode_into(run, packer->plain);
    size = ZSTD_compressCCtx(packer->context, packer->packed, bound,
                             packer->plain, size, LEVEL);
    return ZSTD_isError(size) ? 0 : size; /* it has room, so: no memory */
}

/* NULL: no memory. */
static struct store_item *make_item(const uint8_t *packed, size_t size,
                                    const char *policy)
{
    size_t policy_size = strlen(policy) + 1;
    struct store_item *item = malloc(sizeof *item + size + policy_size);

    if (!item)
        return NULL;
    item->size = size;
    item->policy_size = policy_size;
    memcpy(item->bytes, packed, size);
    memcpy(item->bytes + size, policy, policy_size);
    return item;
}

/* NULL: no memory. */
static struct store_item *encode_and_pack(struct store *store,
                                          const struct run_result *run,
                                          const char *policy)
{
    struct store_packer *packer = take_packer(store);
    size_t size = packer ? pack(packer, run) : 0;
    struct store_item *item =
        size > 0 ? make_item(packer->packed, size, policy) : NULL;

    if (packer)
        return_packer(store, packer);
    return item;
}

static enum run_decode_status unpack(const void *bytes, size_t size,
                                     struct run_result *ret)
{
    unsigned long long plain = ZSTD_getFrameContentSize(bytes, size);
    enum run_decode_status status = RUN_DECODE_DAMAGED;
    uint8_t *run;

    if (plain == ZSTD_CONTENTSIZE_ERROR || plain == ZSTD_CONTENTSIZE_UNKNOWN ||
        plain > RUN_SIZE_MAX)
        return RUN_DECODE_DAMAGED;
    run = malloc((size_t)plain + 1);
    if (!run)
        return RUN_DECODE_NO_MEMORY;
    if (ZSTD_decompress(run, (size_t)plain, bytes, size) == plain)
        status = run_decode(run, (size_t)plain, ret);
    free(run);
    return status;
}

/* ---- the queue ---- */

/* What kind of result it is, as the column says it. */
static int form_of(const struct run_key *key)
{
    return (key->first_pass ? 1 : 0) + (key->totals_only ? 2 : 0);
}

static bool keep(void *context, const struct run_key *key,
                 const struct run_result *run)
{
    struct store *store = context;
    struct store_item *item =
        encode_and_pack(store, run, store->policies[key->policy]);

    if (!item)
        return false;
    item->next = NULL;
    item->scenario = store->current;
    item->replication = key->replication;
    item->warm_up_ns = key->warm_up_ns;
    item->form = form_of(key);
    pthread_mutex_lock(&store->lock);
    *store->last = item;
    store->last = &item->next;
    pthread_mutex_unlock(&store->lock);
    return true;
}

static struct store_item *take_queue(struct store *store)
{
    struct store_item *items;

    pthread_mutex_lock(&store->lock);
    items = store->first;
    store->first = NULL;
    store->last = &store->first;
    pthread_mutex_unlock(&store->lock);
    return items;
}

static void free_items(struct store_item *item)
{
    while (item) {
        struct store_item *next = item->next;

        free(item);
        item = next;
    }
}

/* ---- writing ---- */

static bool touch(struct store *store, int64_t id)
{
    if (store->touched_count == store->touched_room) {
        size_t room = 2 * store->touched_room + 256;
        int64_t *grown = realloc(store->touched, room * sizeof *store->touched);

        if (!grown)
            return store_fail_memory(store);
        store->touched = grown;
        store->touched_room = room;
    }
    store->touched[store->touched_count++] = id;
    return true;
}

/* Another process may have been faster: then its row is as good. Or it may have
   dropped the row since it was found: so once a transaction. */
static bool add_scenario(struct store *store, struct store_scenario *scenario)
{
    sqlite3_stmt *add = store->statements[STORE_ADD_SCENARIO];

    store_bind_hash(add, 1, &scenario->hash);
    sqlite3_bind_int64(add, 2, store->program_id);
    sqlite3_bind_text(add, 3, scenario->name, -1, SQLITE_STATIC);
    sqlite3_bind_text(add, 4, scenario->settings, -1, SQLITE_STATIC);
    scenario->added_in = store->transaction;
    return store_step(store, add, &scenario->id);
}

static bool add_item(struct store *store, const struct store_item *item)
{
    sqlite3_stmt *add = store->statements[STORE_ADD_RUN];
    int64_t id;

    if (item->scenario->added_in != store->transaction &&
        !add_scenario(store, item->scenario))
        return false;
    sqlite3_bind_int64(add, 1, item->scenario->id);
    sqlite3_bind_text(add, 2, (const char *)item->bytes + item->size,
                      (int)item->policy_size - 1, SQLITE_STATIC);
    sqlite3_bind_int64(add, 3, item->replication);
    sqlite3_bind_int64(add, 4, item->warm_up_ns);
    sqlite3_bind_int64(add, 5, item->form);
    sqlite3_bind_blob64(add, 6, item->bytes, item->size, SQLITE_STATIC);
    return store_step(store, add, &id) && touch(store, id);
}

static bool write_items(struct store *store, const struct store_item *items)
{
    uint64_t count = 0;

    store->transaction++;
    if (!store_run_sql(store, "BEGIN IMMEDIATE"))
        return false;
    for (const struct store_item *item = items; item; item = item->next) {
        if (!add_item(store, item)) {
            sqlite3_exec(store->database, "ROLLBACK", NULL, NULL, NULL);
            return false;
        }
        count++;
    }
    if (!store_run_sql(store, "COMMIT")) {
        sqlite3_exec(store->database, "ROLLBACK", NULL, NULL, NULL);
        return false;
    }
    store->counts.kept += count;
    return true;
}

bool store_flush(struct store *store)
{
    struct store_item *items = take_queue(store);
    bool fine = !store->error[0] && (!items || write_items(store, items));

    free_items(items);
    store->flushed_at_ns = clock_now_ns();
    return fine;
}

bool store_flush_if_due(struct store *store)
{
    if (clock_now_ns() - store->flushed_at_ns < FLUSH_NS)
        return !store->error[0];
    return store_flush(store);
}

static bool tick(void *context)
{
    return store_flush_if_due(context);
}

/* ---- reading ---- */

static enum shelf_answer take_row(struct store *store, sqlite3_stmt *find,
                                  struct run_result *ret)
{
    const void *bytes = sqlite3_column_blob(find, 1);
    int size = sqlite3_column_bytes(find, 1);

    switch (unpack(bytes, (size_t)size, ret)) {
    case RUN_DECODE_OK:
        break;
    case RUN_DECODE_NO_MEMORY:
        store_fail_memory(store);
        return SHELF_FAILED;
    case RUN_DECODE_DAMAGED:
        store_fail(store, "a simulation in it is damaged");
        return SHELF_FAILED;
    }
    if (!touch(store, sqlite3_column_int64(find, 0))) {
        run_result_done(ret);
        return SHELF_FAILED;
    }
    store->counts.found++;
    return SHELF_FOUND;
}

static enum shelf_answer fetch(void *context, const struct run_key *key,
                               struct run_result *ret)
{
    struct store *store = context;
    sqlite3_stmt *find = store->statements[STORE_FIND_RUN];
    enum shelf_answer answer = SHELF_MISSING;

    if (store->error[0])
        return SHELF_FAILED;
    if (store->current->id == 0)
        return SHELF_MISSING;
    sqlite3_bind_int64(find, 1, store->current->id);
    sqlite3_bind_text(find, 2, store->policies[key->policy], -1, SQLITE_STATIC);
    sqlite3_bind_int64(find, 3, key->replication);
    sqlite3_bind_int64(find, 4, key->warm_up_ns);
    sqlite3_bind_int64(find, 5, form_of(key));
    int status = sqlite3_step(find);

    if (status == SQLITE_ROW)
        answer = take_row(store, find, ret);
    else if (status != SQLITE_DONE) {
        store_fail(store, NULL);
        answer = SHELF_FAILED;
    }
    sqlite3_reset(find);
    return answer;
}

/* ---- scenarios ---- */

static struct hash128 hash_of(const struct store *store, const char *settings)
{
    struct hash128 both[2] = {store->program,
                              hash128_of(settings, strlen(settings))};

    return hash128_of(both, sizeof both);
}

static struct store_scenario *find_begun(const struct store *store,
                                         const struct hash128 *hash)
{
    struct store_scenario *scenario = store->scenarios;

    while (scenario && (scenario->hash.high != hash->high ||
                        scenario->hash.low != hash->low))
        scenario = scenario->next;
    return scenario;
}

static void free_scenario(struct store_scenario *scenario)
{
    free(scenario->name);
    free(scenario->settings);
    free(scenario);
}

/* Takes settings over. NULL: noted. */
static struct store_scenario *
add_begun(struct store *store, const struct scenario *from, char *settings)
{
    sqlite3_stmt *find = store->statements[STORE_FIND_SCENARIO];
    struct store_scenario *scenario = calloc(1, sizeof *scenario);

    if (!scenario) {
        free(settings);
        store_fail_memory(store);
        return NULL;
    }
    scenario->settings = settings;
    scenario->hash = hash_of(store, settings);
    scenario->name = strdup(from->name);
    if (!scenario->name) {
        free_scenario(scenario);
        store_fail_memory(store);
        return NULL;
    }
    store_bind_hash(find, 1, &scenario->hash);
    if (!store_step(store, find, &scenario->id)) {
        free_scenario(scenario);
        return NULL;
    }
    store->scenario_known |= scenario->id > 0;
    scenario->next = store->scenarios;
    store->scenarios = scenario;
    return scenario;
}

/* Runs of a scenario that was asked for before may still wait. */
static bool choose(struct store *store, const struct scenario *scenario,
                   char *settings)
{
    struct hash128 hash = hash_of(store, settings);

    store->current = find_begun(store, &hash);
    if (store->current) {
        free(settings);
        return store_flush(store);
    }
    store->current = add_begun(store, scenario, settings);
    return store->current != NULL;
}

static bool list_policies(struct store *store, const struct scenario *scenario)
{
    free(store->policies);
    store->policies =
        calloc((size_t)scenario->policy_count + 1, sizeof *store->policies);
    if (!store->policies)
        return store_fail_memory(store);
    for (uint32_t i = 0; i < scenario->policy_count; i++) {
        store->policies[i] = scenario_policy_text(scenario, i);
        if (!store->policies[i])
            return store_fail_memory(store);
    }
    return true;
}

bool store_begin(struct store *store, const struct scenario *scenario,
                 struct run_shelf *ret)
{
    char *settings;

    if (store->error[0])
        return false;
    settings = scenario_run_text(scenario);
    if (!settings && errno == ENOMEM)
        return store_fail_memory(store);
    if (!settings) {
        snprintf(store->error, sizeof store->error,
                 "cannot keep simulations in '%s': a file of the scenario has "
                 "changed since it was read, or is a pipe; run again",
                 store->path);
        return false;
    }
    *ret = (struct run_shelf){fetch, keep, tick, store};
    return choose(store, scenario, settings) && list_policies(store, scenario);
}

void store_drop_rows(struct store *store)
{
    struct store_scenario *scenario = store->scenarios;

    free_items(take_queue(store));
    free_packers(store);
    while (scenario) {
        struct store_scenario *next = scenario->next;

        free_scenario(scenario);
        scenario = next;
    }
    free(store->policies);
    free(store->touched);
}
