/*
 * The store by itself: what is kept is found, by those it belongs to and by
 * nobody else.
 */
#define _XOPEN_SOURCE 700 /* mkdtemp */
#include "tests/unit/experiment/store_world.h"

/* ---- who finds what ---- */

static void what_was_kept_is_found_later(void)
{
    open_and_begin();
    CHECK_UINT(found(key(1, 2)), 0);
    keep(key(1, 2), 12);
    keep(key(2, 1), 21);
    close_store();

    open_and_begin();
    CHECK_UINT(found(key(1, 2)), 12);
    CHECK_UINT(found(key(2, 1)), 21);
    CHECK_UINT(found(key(2, 2)), 0);
    CHECK_UINT(store_counts(store).found, 2);
    CHECK_UINT(store_counts(store).kept, 0);
}

static void passes_and_cuts_are_told_apart(void)
{
    struct run_key first = {0, 1, 0, true, false},
                   cut = {0, 1, 5, false, false},
                   other_cut = {0, 1, 6, false, false},
                   totals = {0, 1, 5, false, true};

    open_and_begin();
    keep(first, 1);
    keep(cut, 2);
    close_store();
    open_and_begin();
    CHECK_UINT(found(first), 1);
    CHECK_UINT(found(cut), 2);
    CHECK_UINT(found(other_cut), 0);
    CHECK_UINT(found(key(0, 1)), 0);
    CHECK_UINT(found(totals), 0);
    keep(totals, 3);
    CHECK_UINT(found(cut), 2);
}

static void what_decides_a_run_decides_what_is_found(void)
{
    static const char *const others[] = {
        "seed=7",
        "duration=11s",
        "workload.arrivals.rate=6/s",
        "confidence=0.9",
        "nodes[0].count=3",
        "report.node_percentiles=true",
        "goals={latency_p99_s: 2 s}",
    };

    open_and_begin();
    keep(key(0, 1), 5);
    CHECK(store_flush(store));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        begin_with(others[i]);
        CHECK_UINT(found(key(0, 1)), 0);
    }
}

static void what_only_judges_or_repeats_does_not(void)
{
    static const char *const same[] = {
        "replications=30", "goals={success: 99 %}", "min_effect=5 %",
        "name=other", "objective=latency_p50_s"};

    open_and_begin();
    keep(key(0, 1), 5);
    CHECK(store_flush(store));
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        begin_with(same[i]);
        CHECK_UINT(found(key(0, 1)), 5);
    }
}

/* In the new list the policy has another place. */
static void policies_are_found_by_what_they_are(void)
{
    open_and_begin();
    keep(key(2, 1), 5); /* two_choices */
    CHECK(store_flush(store));
    begin_with("policies=[{two_choices: {}}, round_robin]");
    CHECK_UINT(found(key(0, 1)), 5);
    CHECK_UINT(found(key(1, 1)), 0);
    begin_with("policies=[{two_choices: {ties: first}}]");
    CHECK_UINT(found(key(0, 1)), 0);
}

static void rows_that_wait_are_found_by_the_next_experiment(void)
{
    open_and_begin();
    keep(key(0, 1), 5);
    begin_with(NULL); /* without a flush */
    CHECK_UINT(found(key(0, 1)), 5);
}

static void several_scenarios_share_a_store(void)
{
    open_and_begin();
    keep(key(0, 1), 5);
    begin_with("seed=7");
    keep(key(0, 1), 6);
    close_store();

    open_and_begin();
    CHECK_UINT(found(key(0, 1)), 6);
    begin_with(NULL);
    CHECK_UINT(found(key(0, 1)), 5);
}

/* ---- size ---- */

static int64_t rows(void)
{
    sqlite3 *database;
    sqlite3_stmt *statement;

    sqlite3_open(path, &database);
    CHECK_INT(sqlite3_prepare_v2(database, "SELECT count(*) FROM runs", -1,
                                 &statement, NULL),
              SQLITE_OK);
    CHECK_INT(sqlite3_step(statement), SQLITE_ROW);
    int64_t count = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    sqlite3_close(database);
    return count;
}

static void pruning_leaves_what_was_used(void)
{
    open_and_begin();
    keep(key(0, 1), 1);
    keep(key(0, 2), 2);
    begin_with("seed=7");
    keep(key(0, 1), 3);
    close_store();
    CHECK_INT(rows(), 3);

    scenario_destroy(scenario);
    scenario = load(NULL);
    open_and_begin();
    CHECK_UINT(found(key(0, 2)), 2);
    keep(key(1, 1), 4);
    CHECK(store_prune(store));
    CHECK_INT(rows(), 2);
    CHECK_UINT(found(key(0, 1)), 0);
    CHECK_UINT(found(key(0, 2)), 2);
    CHECK_UINT(found(key(1, 1)), 4);
}

static void fresh_begins_anew(void)
{
    open_and_begin();
    keep(key(0, 1), 1);
    close_store();
    CHECK(open_store(true) == STORE_OK);
    CHECK(store_begin(store, scenario, &shelf));
    CHECK_UINT(found(key(0, 1)), 0);
}

static void fresh_leaves_what_another_has_open(void)
{
    struct store *other;

    open_and_begin();
    keep(key(0, 1), 1);
    CHECK(store_flush(store));
    CHECK(store_open(path, true, &other, reason, sizeof reason) == STORE_UNFIT);
    CHECK(other == NULL);
    CHECK(strstr(reason, "is in use by another lbsim") != NULL);
    keep(key(0, 2), 2);
    close_store();
    open_and_begin();
    CHECK_UINT(found(key(0, 1)), 1);
    CHECK_UINT(found(key(0, 2)), 2);
}

static void fresh_keeps_the_file(void)
{
    struct stat before, after;

    open_and_begin();
    keep(key(0, 1), 1);
    close_store();
    CHECK_INT(stat(path, &before), 0);
    CHECK(open_store(true) == STORE_OK);
    CHECK_INT(stat(path, &after), 0);
    CHECK(before.st_ino == after.st_ino);
    CHECK(store_is_empty(store));
}

static void pruning_leaves_what_another_kept(void)
{
    struct store *mine;

    open_and_begin();
    keep(key(0, 1), 1);
    close_store();
    open_and_begin(); /* finds nothing of it */
    mine = store;
    open_and_begin();
    keep(key(0, 2), 2);
    CHECK(store_flush(store));
    CHECK(store_prune(mine));
    CHECK_INT(rows(), 2); /* as the other has it open */
    close_store();
    CHECK(store_prune(mine));
    store_close(mine);
    CHECK_INT(rows(), 1); /* the one that came since */
    open_and_begin();
    CHECK_UINT(found(key(0, 2)), 2);
}

static void what_is_dropped_under_us_is_written_again(void)
{
    open_and_begin();
    keep(key(0, 1), 1);
    CHECK(store_flush(store));
    sql("DELETE FROM runs; DELETE FROM scenarios");
    keep(key(0, 2), 2);
    close_store();
    open_and_begin();
    CHECK_UINT(found(key(0, 2)), 2);
}

static void strangers_are_told(void)
{
    char said[100];

    open_and_begin();
    CHECK(store_stranger(store, said, sizeof said) == NULL); /* it is empty */
    keep(key(0, 1), 1);
    close_store();
    CHECK(open_store(false) == STORE_OK);
    begin_with("seed=8");
    CHECK_UINT(found(key(0, 1)), 0);
    CHECK_TEXT(store_stranger(store, said, sizeof said),
               "its 1 simulation is of other settings or other files");
}

int main(int argc, char **argv)
{
    CU_TestInfo find_tests[] = {
        {"what was kept is found later", what_was_kept_is_found_later},
        {"passes and cuts are told apart", passes_and_cuts_are_told_apart},
        {"what decides a run decides what is found",
         what_decides_a_run_decides_what_is_found},
        {"what only judges or repeats does not",
         what_only_judges_or_repeats_does_not},
        {"policies are found by what they are",
         policies_are_found_by_what_they_are},
        {"rows that wait are found by the next experiment",
         rows_that_wait_are_found_by_the_next_experiment},
        {"several scenarios share a store", several_scenarios_share_a_store},
        {"pruning leaves what was used", pruning_leaves_what_was_used},
        {"pruning leaves what another kept", pruning_leaves_what_another_kept},
        {"fresh begins anew", fresh_begins_anew},
        {"fresh leaves what another has open",
         fresh_leaves_what_another_has_open},
        {"fresh keeps the file", fresh_keeps_the_file},
        {"what is dropped under us is written again",
         what_is_dropped_under_us_is_written_again},
        {"strangers are told", strangers_are_told},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("store finding", NULL, NULL, setup, teardown, find_tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
