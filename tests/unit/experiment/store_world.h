/*
 * A store in a folder of its own, a small scenario and a run to keep.
 */
#ifndef TESTS_UNIT_EXPERIMENT_STORE_WORLD_H
#define TESTS_UNIT_EXPERIMENT_STORE_WORLD_H

#include "sim/experiment/store.h"
#include "sim/scenario/identity.h"
#include "sim/scenario/loader.h"
#include "tests/check.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char place[64], path[100], reason[5000];
static struct store *store;
static struct scenario *scenario;
static struct run_shelf shelf;
static struct run_result run;

static const char text[] =
    "lbsim: 1\n"
    "duration: 10 s\n"
    "workload: {arrivals: {rate: 5/s}, work: {dist: constant, value: 50 ms}}\n"
    "nodes: [{group: n, count: 2, engine: {slots: 1}}]\n"
    "policies: [round_robin, random, two_choices]\n";

static inline struct scenario *load(const char *override)
{
    struct diag diag = {0};
    struct scenario *ret = scenario_parse("s.yaml", text, strlen(text),
                                          &override, override ? 1 : 0, &diag);

    if (!ret && diag.text)
        fputs(diag.text, stderr);
    diag_done(&diag);
    return ret;
}

static inline void setup(void)
{
    snprintf(place, sizeof place, "/tmp/lbsim-test-XXXXXX");
    CHECK(mkdtemp(place) != NULL);
    snprintf(path, sizeof path, "%s/runs.sqlite", place);
    reason[0] = 0;
    store = NULL;
    scenario = load(NULL);
    CHECK(scenario != NULL);
    run = (struct run_result){.values[0] = NAN, .draws = 17, .events = 99};
}

static inline void teardown(void)
{
    char command[160];

    store_close(store);
    scenario_destroy(scenario);
    snprintf(command, sizeof command, "rm -r %s", place);
    CHECK_INT(system(command), 0);
}

static inline enum store_status open_store(bool fresh)
{
    return store_open(path, fresh, &store, reason, sizeof reason);
}

static inline void open_and_begin(void)
{
    CHECK(open_store(false) == STORE_OK);
    CHECK(store && store_begin(store, scenario, &shelf));
}

static inline void close_store(void)
{
    CHECK(store_flush(store));
    store_close(store);
    store = NULL;
}

static inline struct run_key key(uint32_t policy, uint32_t replication)
{
    return (struct run_key){policy, replication, -1, false, false};
}

static inline void keep(struct run_key of, uint64_t draws)
{
    run.draws = draws;
    CHECK(shelf.keep(shelf.context, &of, &run));
}

/* The draws of the run that is found; 0: none. */
static inline uint64_t found(struct run_key of)
{
    struct run_result ret;
    enum shelf_answer answer = shelf.fetch(shelf.context, &of, &ret);
    uint64_t draws = 0;

    CHECK(answer != SHELF_FAILED);
    if (answer == SHELF_FOUND) {
        draws = ret.draws;
        run_result_done(&ret);
    }
    return draws;
}

static inline void begin_with(const char *override)
{
    scenario_destroy(scenario);
    scenario = load(override);
    CHECK(scenario != NULL);
    CHECK(store_begin(store, scenario, &shelf));
}

static inline void sql(const char *statement)
{
    sqlite3 *database;

    CHECK_INT(sqlite3_open(path, &database), SQLITE_OK);
    CHECK_INT(sqlite3_exec(database, statement, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(database);
}

#endif
