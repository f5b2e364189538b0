/*
 * The store by itself: what is kept is found, by those it belongs to and by
 * nobody else, and files that will not do are told and left alone.
 */
#define _XOPEN_SOURCE 700 /* nftw */
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

static struct scenario *load(const char *override)
{
    struct diag diag = {0};
    struct scenario *ret = scenario_parse("s.yaml", text, strlen(text),
                                          &override, override ? 1 : 0, &diag);

    if (!ret && diag.text)
        fputs(diag.text, stderr);
    diag_done(&diag);
    return ret;
}

static void setup(void)
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

static void teardown(void)
{
    char command[160];

    store_close(store);
    scenario_destroy(scenario);
    snprintf(command, sizeof command, "rm -r %s", place);
    CHECK_INT(system(command), 0);
}

static enum store_status open_store(bool fresh)
{
    return store_open(path, fresh, &store, reason, sizeof reason);
}

static void open_and_begin(void)
{
    CHECK(open_store(false) == STORE_OK);
    CHECK(store && store_begin(store, scenario, &shelf));
}

static void close_store(void)
{
    CHECK(store_flush(store));
    store_close(store);
    store = NULL;
}

static struct run_key key(uint32_t policy, uint32_t replication)
{
    return (struct run_key){policy, replication, -1, false, false};
}

static void keep(struct run_key of, uint64_t draws)
{
    run.draws = draws;
    CHECK(shelf.keep(shelf.context, &of, &run));
}

/* The draws of the run that is found; 0: none. */
static uint64_t found(struct run_key of)
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

static void begin_with(const char *override)
{
    scenario_destroy(scenario);
    scenario = load(override);
    CHECK(scenario != NULL);
    CHECK(store_begin(store, scenario, &shelf));
}

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

static void sql(const char *statement)
{
    sqlite3 *database;

    CHECK_INT(sqlite3_open(path, &database), SQLITE_OK);
    CHECK_INT(sqlite3_exec(database, statement, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(database);
}

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

/* ---- files of data ---- */

static const char traced[] =
    "lbsim: 1\n"
    "replications: 1\n"
    "workload: {trace: {file: t.csv, resample: none}}\n"
    "nodes: [{group: n, count: 2, engine: {service: {per_input_token: 1 ms}}}]\n"
    "policies: [round_robin]\n";

static void put_trace(const char *row)
{
    char name[100];

    snprintf(name, sizeof name, "%s/new.csv", place);
    FILE *file = fopen(name, "w");
    fprintf(file,
            "# format: request-trace 1\n"
            "arrival_s,input_tokens,output_tokens,key\n%s\n9,50,0,/b\n",
            row);
    fclose(file);
    char to[100];
    snprintf(to, sizeof to, "%s/t.csv", place);
    CHECK_INT(rename(name, to), 0);
}

static struct scenario *load_traced(const struct scenario *lender)
{
    struct diag diag = {0};
    char override[150], name[100];
    const char *overrides[] = {override};

    snprintf(name, sizeof name, "%s/s.yaml", place);
    snprintf(override, sizeof override, "workload.trace.file=%s/t.csv", place);
    struct scenario *ret =
        scenario_parse(name, traced, strlen(traced), overrides, 1, &diag);
    CHECK(ret && scenario_open_trace_like(ret, lender, &diag));
    if (diag.text)
        fputs(diag.text, stderr);
    diag_done(&diag);
    return ret;
}

static void a_file_that_was_replaced_is_refused(void)
{
    put_trace("0,100,0,/a");
    struct scenario *before = load_traced(NULL);
    char *text_before = scenario_run_text(before);
    CHECK(text_before && strstr(text_before, "file t.csv=") != NULL);
    put_trace("0,200,0,/a");
    CHECK(open_store(false) == STORE_OK);
    CHECK(!store_begin(store, before, &shelf));
    CHECK(strstr(store_error(store), "has changed since") != NULL);

    struct scenario *after = load_traced(NULL);
    char *text_after = scenario_run_text(after);
    CHECK(text_after && strcmp(text_before, text_after) != 0);
    free(text_before);
    free(text_after);
    scenario_destroy(before);
    scenario_destroy(after);
}

/* As points of a sweep do. */
static void who_borrows_a_trace_has_its_hash(void)
{
    put_trace("0,100,0,/a");
    struct scenario *lender = load_traced(NULL), *other = load_traced(lender);
    char *one = scenario_run_text(lender), *two = scenario_run_text(other);

    CHECK(one && two);
    CHECK(one && two && strcmp(one, two) == 0);
    CHECK(strstr(two, "file t.csv=") != NULL);
    free(one);
    free(two);
    scenario_destroy(other);
    scenario_destroy(lender);
}

/* Another process is another connection, to SQLite. */
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

/* ---- files that will not do ---- */

static void put(const char *content)
{
    FILE *file = fopen(path, "w");

    CHECK(file != NULL);
    fputs(content, file);
    fclose(file);
}

static void check_refused(bool fresh, const char *why)
{
    struct stat before, after;

    CHECK_INT(stat(path, &before), 0);
    CHECK(open_store(fresh) == STORE_UNFIT);
    CHECK(store == NULL);
    CHECK(strstr(reason, why) != NULL);
    CHECK_INT(stat(path, &after), 0);
    CHECK_INT(after.st_size, before.st_size);
    CHECK_UINT(after.st_ino, before.st_ino);
}

static void other_files_are_left_alone(void)
{
    put("Dear diary,");
    check_refused(false, "is no store of simulations");
    check_refused(true, "is no store of simulations");
    unlink(path);
    sql("CREATE TABLE photos (id); INSERT INTO photos VALUES (1)");
    check_refused(false, "is no store of simulations");
    check_refused(true, "is no store of simulations");
}

static void later_schemas_are_refused(void)
{
    open_and_begin();
    close_store();
    sql("PRAGMA user_version = 2");
    check_refused(false, "a later version of lbsim");
    CHECK(open_store(true) == STORE_OK); /* asked for by the user */
}

/* From `from` to the end, nothing but the letter x. */
static void overwrite(long from)
{
    struct stat status;
    FILE *file = fopen(path, "r+");

    CHECK(file != NULL);
    CHECK_INT(stat(path, &status), 0);
    CHECK_INT(fseek(file, from, SEEK_SET), 0);
    for (long i = from; i < status.st_size; i++)
        fputc('x', file);
    fclose(file);
}

static void damage_is_told_and_fresh_helps(void)
{
    open_and_begin();
    keep(key(0, 1), 1);
    close_store();
    overwrite(100);
    enum store_status status = open_store(false);
    CHECK(status == STORE_UNFIT || status == STORE_FAILED);
    CHECK(strstr(reason, "--fresh") != NULL);
    CHECK(open_store(true) == STORE_OK);
    CHECK(store_begin(store, scenario, &shelf));
    keep(key(0, 1), 2);
    CHECK_UINT((uint64_t)store_flush(store), 1);
}

static void a_damaged_row_is_told(void)
{
    struct run_key of = key(0, 1);
    struct run_result ret;

    open_and_begin();
    keep(of, 1);
    close_store();
    sql("UPDATE runs SET result = zeroblob(length(result))");
    open_and_begin();
    CHECK(shelf.fetch(shelf.context, &of, &ret) == SHELF_FAILED);
    CHECK(strstr(store_error(store), "is damaged") != NULL);
    CHECK(strstr(store_error(store), path) != NULL);
    CHECK(!shelf.tick(shelf.context));
}

static void a_folder_that_is_not_there_is_told(void)
{
    snprintf(path, sizeof path, "%s/nowhere/runs.sqlite", place);
    CHECK(open_store(false) == STORE_FAILED);
    CHECK(strstr(reason, "No such file or directory") != NULL);
}

/* What SQLite takes for a database in memory, and for none at all. */
static void odd_names_are_files_too(void)
{
    char before[1000];

    CHECK(getcwd(before, sizeof before) != NULL);
    CHECK_INT(chdir(place), 0);
    snprintf(path, sizeof path, ":memory:");
    CHECK(open_store(false) == STORE_OK);
    CHECK_INT(access(":memory:", F_OK), 0);
    CHECK_INT(chdir(before), 0);
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
        {"a file that was replaced is refused",
         a_file_that_was_replaced_is_refused},
        {"who borrows a trace has its hash", who_borrows_a_trace_has_its_hash},
        {"strangers are told", strangers_are_told},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo unfit_tests[] = {
        {"other files are left alone", other_files_are_left_alone},
        {"later schemas are refused", later_schemas_are_refused},
        {"damage is told, and fresh helps", damage_is_told_and_fresh_helps},
        {"a damaged row is told", a_damaged_row_is_told},
        {"a folder that is not there is told",
         a_folder_that_is_not_there_is_told},
        {"odd names are files too", odd_names_are_files_too},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("store finding", NULL, NULL, setup, teardown, find_tests),
        SUITE("store unfit", NULL, NULL, setup, teardown, unfit_tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
