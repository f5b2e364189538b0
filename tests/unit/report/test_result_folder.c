#include "sim/report/result_folder.h"
#include "tests/unit/report/fixture.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static struct fixture fixture;
static struct result_folder *folder;
static char place[64]; /* a folder of the test's own */
static char path[128], reason[5000];

static void setup(void)
{
    fixture_init(&fixture);
    fixture_fold(&fixture);
    snprintf(place, sizeof place, "/tmp/lbsim-test-XXXXXX");
    CHECK(mkdtemp(place) != NULL);
    snprintf(path, sizeof path, "%s/result", place);
    folder = NULL;
    reason[0] = 0;
}

static void teardown(void)
{
    char command[160];

    result_folder_close(folder);
    fixture_done(&fixture);
    snprintf(command, sizeof command, "chmod -R u+w %s; rm -r %s", place,
             place);
    CHECK_INT(system(command), 0);
}

static enum result_folder_status open_folder(void)
{
    return result_folder_open(path, &folder, reason, sizeof reason);
}

static bool write_all(void)
{
    return result_folder_write(folder, &fixture.input, "lbsim: 1\n", reason,
                               sizeof reason) &&
           result_folder_commit(folder, reason, sizeof reason);
}

static bool exists(const char *name)
{
    char file[300];
    struct stat status;

    snprintf(file, sizeof file, "%s/%s", path, name);
    return lstat(file, &status) == 0;
}

static void put(const char *name, const char *content)
{
    char file[300];

    snprintf(file, sizeof file, "%s/%s", path, name);
    FILE *out = fopen(file, "w");
    CHECK(out != NULL);
    fputs(content, out);
    fclose(out);
}

static unsigned entries_of_place(void)
{
    unsigned count = 0;
    DIR *dir = opendir(place);

    while (readdir(dir))
        count++;
    closedir(dir);
    return count - 2; /* . and .. */
}

static void whole_result_has_its_files(void)
{
    CHECK(open_folder() == RESULT_FOLDER_OK);
    CHECK(exists(".") && !exists("summary.json"));
    CHECK(write_all());
    CHECK(exists("summary.json") && exists("policies.csv") &&
          exists("nodes.csv") && exists("series.csv") &&
          exists("latency.csv") && exists("scenario.yaml") &&
          exists("speed.json"));
    CHECK_UINT(entries_of_place(), 1);
}

static void folders_above_are_made(void)
{
    snprintf(path, sizeof path, "%s/a/b/result///", place);
    CHECK(open_folder() == RESULT_FOLDER_OK);
    CHECK(write_all());
    snprintf(path, sizeof path, "%s/a/b/result", place);
    CHECK(exists("summary.json"));
}

static void result_is_as_open_as_other_folders(void)
{
    struct stat status;
    mode_t mask = umask(022);

    CHECK(open_folder() == RESULT_FOLDER_OK);
    CHECK(write_all());
    umask(mask);
    CHECK_INT(stat(path, &status), 0);
    CHECK_UINT(status.st_mode & 0777, 0755);
}

static void abandoned_result_leaves_nothing(void)
{
    CHECK(open_folder() == RESULT_FOLDER_OK);
    CHECK_UINT(entries_of_place(), 2); /* one of them temporary */
    result_folder_close(folder);
    folder = NULL;
    CHECK_UINT(entries_of_place(), 0);
}

static void former_result_is_replaced(void)
{
    CHECK(open_folder() == RESULT_FOLDER_OK);
    CHECK(write_all());
    result_folder_close(folder);
    CHECK_INT(mkdir(strcat(path, "/charts"), 0777), 0);
    *strrchr(path, '/') = 0;
    put("charts/old.svg", "");
    put("requests.csv", "");

    CHECK(open_folder() == RESULT_FOLDER_OK);
    CHECK(exists("charts")); /* until the new one is whole */
    CHECK(write_all());
    CHECK(!exists("charts") && !exists("requests.csv"));
    CHECK(exists("summary.json"));
    CHECK_UINT(entries_of_place(), 1);
}

static void empty_folder_is_taken(void)
{
    CHECK_INT(mkdir(path, 0777), 0);
    CHECK(open_folder() == RESULT_FOLDER_OK);
    CHECK(write_all());
    CHECK(exists("summary.json"));
}

static void folder_with_other_files_is_not_touched(void)
{
    CHECK_INT(mkdir(path, 0777), 0);
    put("thesis.tex", "");
    CHECK(open_folder() == RESULT_FOLDER_NOT_OURS);
    CHECK(strstr(reason, "is not replaced: it holds 'thesis.tex'") != NULL);
    CHECK(exists("thesis.tex"));
    CHECK(folder == NULL);
}

static void summary_of_another_program_is_not_ours(void)
{
    CHECK_INT(mkdir(path, 0777), 0);
    put("summary.json", "{\"schema\": \"other/1\"}");
    CHECK(open_folder() == RESULT_FOLDER_NOT_OURS);
    CHECK(strstr(reason, "summary.json is not of a result") != NULL);
}

static void file_in_its_place_is_not_touched(void)
{
    snprintf(path, sizeof path, "%s", place);
    put("result", "");
    snprintf(path, sizeof path, "%s/result", place);
    CHECK(open_folder() == RESULT_FOLDER_NOT_OURS);
    CHECK(strstr(reason, "not a folder") != NULL);
}

/* Somebody may put it there while the simulations run. */
static void stranger_that_came_meanwhile_is_not_touched(void)
{
    CHECK(open_folder() == RESULT_FOLDER_OK);
    put("thesis.tex", "");
    CHECK(!write_all());
    CHECK(exists("thesis.tex"));
}

static void name_must_be_one(void)
{
    path[0] = 0;
    CHECK(open_folder() == RESULT_FOLDER_NOT_OURS);
    CHECK(strstr(reason, "empty") != NULL);
}

static void unwritable_place_is_known_before_the_run(void)
{
    snprintf(path, sizeof path, "/proc/nowhere/result");
    CHECK(open_folder() == RESULT_FOLDER_FAILED);
    CHECK(strstr(reason, "cannot make the folder '/proc/nowhere/result'") !=
          NULL);
    CHECK(folder == NULL);
}

/* The temporary folder vanishes: as if the disk had gone. */
static void lost_folder_is_told(void)
{
    char command[160];

    CHECK(open_folder() == RESULT_FOLDER_OK);
    snprintf(command, sizeof command, "rm -r %s/result.lbsim-new", place);
    CHECK_INT(system(command), 0);
    CHECK(!write_all());
    CHECK(strstr(reason, "cannot write") != NULL);
    result_folder_close(folder);
    folder = NULL;
    CHECK(!exists("."));
}

static void another_run_is_told_who_has_it(void)
{
    struct result_folder *second;

    CHECK(open_folder() == RESULT_FOLDER_OK);
    CHECK(result_folder_open(path, &second, reason, sizeof reason) ==
          RESULT_FOLDER_NOT_OURS);
    CHECK(strstr(reason, "another run") != NULL);
    CHECK(second == NULL);
    CHECK(write_all()); /* in spite of the other */
}

/* The former one may not be gone yet; so not before the first has closed. */
static void the_new_folder_is_locked_before_it_has_its_name(void)
{
    struct result_folder *second;
    char temporary[200];

    CHECK(open_folder() == RESULT_FOLDER_OK);
    snprintf(temporary, sizeof temporary, "%s.lbsim-new", path);
    int other = open(temporary, O_RDONLY | O_DIRECTORY);
    CHECK(flock(other, LOCK_EX | LOCK_NB) != 0);
    close(other);
    CHECK(write_all());
    CHECK(result_folder_open(path, &second, reason, sizeof reason) ==
          RESULT_FOLDER_NOT_OURS);
    CHECK(strstr(reason, "another run") != NULL);
    result_folder_close(folder);
    CHECK(open_folder() == RESULT_FOLDER_OK);
}

/* ---- with a store ---- */

static void store_outlives_run_and_result(void)
{
    CHECK(open_folder() == RESULT_FOLDER_OK);
    put("runs.sqlite", "rows");
    result_folder_close(folder); /* as if killed */
    CHECK(exists("runs.sqlite"));

    CHECK(open_folder() == RESULT_FOLDER_OK);
    CHECK(exists("runs.sqlite"));
    CHECK(write_all());
    CHECK(exists("runs.sqlite") && exists("summary.json"));
    CHECK_UINT(entries_of_place(), 1);
}

static void log_of_a_store_goes_with_it(void)
{
    CHECK(open_folder() == RESULT_FOLDER_OK);
    put("runs.sqlite", "rows");
    put("runs.sqlite-wal", "more rows");
    CHECK(write_all());
    CHECK(exists("runs.sqlite") && exists("runs.sqlite-wal"));
}

static void what_a_kill_left_goes(void)
{
    char other[200];

    CHECK(open_folder() == RESULT_FOLDER_OK);
    CHECK(write_all());
    result_folder_close(folder);
    snprintf(other, sizeof other, "%s.lbsim-new", path);
    CHECK_INT(mkdir(other, 0777), 0);
    snprintf(other, sizeof other, "%s.lbsim-new/policies.csv", path);
    fclose(fopen(other, "w"));

    CHECK(open_folder() == RESULT_FOLDER_OK);
    CHECK(write_all());
    CHECK_UINT(entries_of_place(), 1);
}

static void former_result_that_stands_aside_is_put_back(void)
{
    char aside[200];

    CHECK(open_folder() == RESULT_FOLDER_OK);
    put("runs.sqlite", "rows");
    CHECK(write_all());
    result_folder_close(folder);
    snprintf(aside, sizeof aside, "%s.lbsim-old", path);
    CHECK_INT(rename(path, aside), 0);

    CHECK(open_folder() == RESULT_FOLDER_OK);
    CHECK(exists("runs.sqlite") && exists("summary.json"));
}

static void tables_alone_are_no_result(void)
{
    CHECK_INT(mkdir(path, 0777), 0);
    put("runs.sqlite", "rows");
    put("policies.csv", "");
    CHECK(open_folder() == RESULT_FOLDER_NOT_OURS);
}

int main(int argc, char **argv)
{
    CU_TestInfo write_tests[] = {
        {"a whole result has its files", whole_result_has_its_files},
        {"folders above are made", folders_above_are_made},
        {"a result is as open as other folders",
         result_is_as_open_as_other_folders},
        {"an abandoned result leaves nothing", abandoned_result_leaves_nothing},
        {"a former result is replaced", former_result_is_replaced},
        {"an empty folder is taken", empty_folder_is_taken},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo refuse_tests[] = {
        {"a folder with other files is not touched",
         folder_with_other_files_is_not_touched},
        {"a summary of another program is not ours",
         summary_of_another_program_is_not_ours},
        {"a file in its place is not touched",
         file_in_its_place_is_not_touched},
        {"a stranger that came meanwhile is not touched",
         stranger_that_came_meanwhile_is_not_touched},
        {"the name must be one", name_must_be_one},
        {"an unwritable place is known before the run",
         unwritable_place_is_known_before_the_run},
        {"a lost folder is told", lost_folder_is_told},
        {"another run is told who has it", another_run_is_told_who_has_it},
        {"the new folder is locked before it has its name",
         the_new_folder_is_locked_before_it_has_its_name},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo store_tests[] = {
        {"a store outlives run and result", store_outlives_run_and_result},
        {"the log of a store goes with it", log_of_a_store_goes_with_it},
        {"what a kill left goes", what_a_kill_left_goes},
        {"a former result that stands aside is put back",
         former_result_that_stands_aside_is_put_back},
        {"tables alone are no result", tables_alone_are_no_result},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("result folder writing", NULL, NULL, setup, teardown,
              write_tests),
        SUITE("result folder refusing", NULL, NULL, setup, teardown,
              refuse_tests),
        SUITE("result folder with a store", NULL, NULL, setup, teardown,
              store_tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
