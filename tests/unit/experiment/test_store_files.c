/*
 * The store and files: those of data that a scenario reads, and those in the
 * store's place that will not do, which are told and left alone.
 */
#define _XOPEN_SOURCE 700 /* mkdtemp */
#include "tests/unit/experiment/store_world.h"

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
    CU_TestInfo data_tests[] = {
        {"a file that was replaced is refused",
         a_file_that_was_replaced_is_refused},
        {"who borrows a trace has its hash", who_borrows_a_trace_has_its_hash},
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
        SUITE("store data", NULL, NULL, setup, teardown, data_tests),
        SUITE("store unfit", NULL, NULL, setup, teardown, unfit_tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
