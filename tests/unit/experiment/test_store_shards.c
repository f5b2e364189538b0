/* What stores know of shards, and what becomes of rows when they are joined. */
#define _XOPEN_SOURCE 700 /* mkdtemp */
#include "sim/experiment/store_shards.h"
#include "sim/scenario/loader.h"
#include "tests/check.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

static char place[64], reason[5000];
static char paths[2][100];
static struct scenario *scenario;
static struct shard_records records;

static const char text[] =
    "lbsim: 1\n"
    "duration: 10 s\n"
    "workload: {arrivals: {rate: 5/s}, work: {dist: constant, value: 50 ms}}\n"
    "nodes: [{group: n, count: 2, engine: {slots: 1}}]\n"
    "policies: [round_robin, random]\n";

static char words[] = "run\0--format=csv\0s.yaml";
static char folder[] = "/somewhere else";
static char effective[] = "seed: 1\n";
static struct shard_record record;

static void two_stores(void)
{
    struct diag diag = {0};

    snprintf(place, sizeof place, "/tmp/lbsim-test-XXXXXX");
    CHECK(mkdtemp(place) != NULL);
    for (unsigned i = 0; i < 2; i++)
        snprintf(paths[i], sizeof paths[i], "%s/it's %u.sqlite", place, i);
    scenario = scenario_parse("s.yaml", text, strlen(text), NULL, 0, &diag);
    CHECK(scenario != NULL);
    diag_done(&diag);
    record = (struct shard_record){
        .shard = {3, 7},
        .work = {84, 12, 11},
        .simulations_of_all = 84,
        .words = words,
        .words_size = sizeof words,
        .folder = folder,
        .effective = effective,
    };
}

static void remove_stores(void)
{
    char command[160];

    shard_records_done(&records);
    scenario_destroy(scenario);
    snprintf(command, sizeof command, "rm -r %s", place);
    CHECK_INT(system(command), 0);
}

static struct store *open_store(unsigned which)
{
    struct store *store;

    CHECK_INT(store_open(paths[which], false, &store, reason, sizeof reason),
              STORE_OK);
    return store;
}

static void put(unsigned which)
{
    struct store *store = open_store(which);

    CHECK(store_put_shard(store, &record));
    store_close(store);
}

static void list(unsigned which)
{
    shard_records_done(&records);
    CHECK_INT(store_list_shards(paths[which], &records, reason, sizeof reason),
              STORE_OK);
}

static void record_comes_back_as_it_was(void)
{
    put(0);
    list(0);
    CHECK_UINT(records.count, 1);
    const struct shard_record *back = records.items;
    CHECK_UINT(back->shard.number, 3);
    CHECK_UINT(back->shard.count, 7);
    CHECK_UINT(back->work.units, 84);
    CHECK_UINT(back->work.simulations, 12);
    CHECK_UINT(back->work.done, 11);
    CHECK_UINT(back->simulations_of_all, 84);
    CHECK_UINT(back->words_size, sizeof words);
    CHECK(memcmp(back->words, words, sizeof words) == 0);
    CHECK_TEXT(back->folder, folder);
    CHECK_TEXT(back->effective, effective);
    CHECK_TEXT(back->version, LBSIM_VERSION);
    CHECK_UINT(strlen(back->build), 32);
}

static void later_word_of_a_shard_replaces_the_former(void)
{
    put(0);
    record.work.done = 12;
    put(0);
    list(0);
    CHECK_UINT(records.count, 1);
    CHECK_UINT(records.items[0].work.done, 12);
}

static void shards_of_one_division_stand_side_by_side(void)
{
    put(0);
    record.shard.number = 1;
    put(0);
    list(0);
    CHECK_UINT(records.count, 2);
    CHECK_UINT(records.items[0].shard.number, 1);
}

static void other_division_command_or_scenario_takes_the_place(void)
{
    char other[] = "seed: 2\n";

    put(0);
    record.shard = (struct shard){1, 8};
    put(0);
    list(0);
    CHECK_UINT(records.count, 1);
    record.shard.number = 2;
    record.words_size = 4;
    put(0);
    list(0);
    CHECK_UINT(records.count, 1);
    record.shard.number = 3;
    record.effective = other;
    put(0);
    list(0);
    CHECK_UINT(records.count, 1);
    CHECK_UINT(records.items[0].shard.number, 3);
}

static void store_without_shards_lists_none(void)
{
    store_close(open_store(0));
    list(0);
    CHECK_UINT(records.count, 0);
}

static void files_that_are_no_store_are_told(void)
{
    FILE *file = fopen(paths[0], "w");

    CHECK(file != NULL);
    fputs("thesis, chapter one: a long and winding road to sqlite", file);
    fclose(file);
    CHECK_INT(store_list_shards(paths[0], &records, reason, sizeof reason),
              STORE_UNFIT);
    CHECK(strstr(reason, "cannot read the store") != NULL);
    CHECK_INT(store_list_shards(paths[1], &records, reason, sizeof reason),
              STORE_FAILED);
    CHECK(access(paths[1], F_OK) != 0); /* reading makes nothing */
}

/* ---- joining ---- */

static struct run_key key_of(uint32_t policy, uint32_t replication)
{
    return (struct run_key){policy, replication, -1, false, false};
}

static void keep(unsigned which, uint32_t policy, uint32_t replication,
                 uint64_t draws)
{
    struct run_result run = {.values[0] = NAN, .draws = draws};
    struct run_key key = key_of(policy, replication);
    struct store *store = open_store(which);
    struct run_shelf shelf;

    CHECK(store_begin(store, scenario, &shelf));
    CHECK(shelf.keep(shelf.context, &key, &run));
    CHECK(store_flush(store));
    store_close(store);
}

/* 0: it is not there. */
static uint64_t draws_in(struct store *store, uint32_t policy,
                         uint32_t replication)
{
    struct run_key key = key_of(policy, replication);
    struct run_result run = {0};
    struct run_shelf shelf;
    uint64_t draws = 0;

    CHECK(store_begin(store, scenario, &shelf));
    if (shelf.fetch(shelf.context, &key, &run) == SHELF_FOUND) {
        draws = run.draws;
        run_result_done(&run);
    }
    return draws;
}

static void joined_store_has_the_rows_of_both(void)
{
    keep(0, 0, 1, 11);
    keep(0, 1, 1, 12);
    keep(1, 1, 2, 13);
    struct store *store = open_store(0);
    CHECK(store_join(store, paths[1]));
    store_close(store);
    CHECK_INT(unlink(paths[1]), 0); /* copied, not referred to */
    store = open_store(0);
    CHECK_UINT(draws_in(store, 0, 1), 11);
    CHECK_UINT(draws_in(store, 1, 1), 12);
    CHECK_UINT(draws_in(store, 1, 2), 13);
    CHECK_UINT(draws_in(store, 0, 2), 0);
    store_close(store);
}

static void rows_that_are_there_stay(void)
{
    keep(0, 0, 1, 11);
    keep(1, 0, 1, 99);
    struct store *store = open_store(0);
    CHECK(store_join(store, paths[1]));
    CHECK(store_join(store, paths[1]));
    CHECK_UINT(draws_in(store, 0, 1), 11);
    store_close(store);
}

static void empty_store_takes_all(void)
{
    keep(1, 1, 3, 5);
    struct store *store = open_store(0);
    CHECK(store_join(store, paths[1]));
    CHECK_UINT(draws_in(store, 1, 3), 5);
    store_close(store);
}

static void what_cannot_be_joined_is_told(void)
{
    struct store *store = open_store(0);

    CHECK(!store_join(store, "/nowhere/at/all.sqlite"));
    CHECK(strstr(store_error(store), "/nowhere/at/all.sqlite") != NULL);
    store_close(store);
}

int main(int argc, char **argv)
{
    CU_TestInfo record_tests[] = {
        {"a record comes back as it was", record_comes_back_as_it_was},
        {"a later word of a shard replaces the former",
         later_word_of_a_shard_replaces_the_former},
        {"shards of one division stand side by side",
         shards_of_one_division_stand_side_by_side},
        {"another division, command or scenario takes the place",
         other_division_command_or_scenario_takes_the_place},
        {"a store without shards lists none", store_without_shards_lists_none},
        {"files that are no store are told", files_that_are_no_store_are_told},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo join_tests[] = {
        {"a joined store has the rows of both",
         joined_store_has_the_rows_of_both},
        {"rows that are there stay", rows_that_are_there_stay},
        {"an empty store takes all", empty_store_takes_all},
        {"what cannot be joined is told", what_cannot_be_joined_is_told},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("store shards", NULL, NULL, two_stores, remove_stores,
              record_tests),
        SUITE("store join", NULL, NULL, two_stores, remove_stores, join_tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
