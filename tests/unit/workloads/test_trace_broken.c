/*
 * Broken traces and what is said about them: every NAME.csv, .gz or .zst of
 * tests/data/traces/broken/ beside the exact text in NAME.expected. Names
 * that end in _skip are read with bad rows skipped.
 */
#include "test_trace_files.h"

#include <dirent.h>

#define FOLDER "tests/data/traces/broken"

static char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = calloc(1, 8192);

    if (!file || !text || fread(text, 1, 8191, file) == 0)
        CHECK_TEXT(path, "a text that can be read");
    if (file)
        fclose(file);
    return text;
}

static void check_broken(const char *name)
{
    char path[300], expected_path[320];
    const char *point = strrchr(name, '.');
    size_t stem = (size_t)(point - name);
    struct diag diag = {0};
    struct trace *trace;

    snprintf(path, sizeof path, "%s/%s", FOLDER, name);
    snprintf(expected_path, sizeof expected_path, "%s/%.*s.expected", FOLDER,
             (int)stem, name);

    struct trace_spec spec = plain_spec(path);

    if (stem > 5 && memcmp(point - 5, "_skip", 5) == 0)
        spec.bad_rows = TRACE_SKIP;
    trace = trace_open(&spec, &diag);

    char *expected = read_text(expected_path);

    CHECK(trace == NULL);
    CHECK_TEXT(diag.text, expected);
    free(expected);
    diag_done(&diag);
    trace_close(trace);

    /* With every leniency there is nothing to expect but good manners. */
    spec.bad_rows = TRACE_SKIP;
    spec.bad_rows_limit = 1;
    spec.sort = spec.keep_zero_output = true;
    trace = trace_open(&spec, NULL);
    if (trace)
        CHECK_UINT(trace_books(trace)->rows_read,
                   trace_books(trace)->rows_kept +
                       dropped_rows(trace_books(trace)));
    trace_close(trace);
}

static void says_what_is_broken(void)
{
    DIR *folder = opendir(FOLDER);
    struct dirent *entry;
    int count = 0;

    CHECK(folder != NULL);
    while (folder && (entry = readdir(folder))) {
        if (entry->d_name[0] == '.' || strstr(entry->d_name, ".expected"))
            continue;
        check_broken(entry->d_name);
        count++;
    }
    CHECK(count >= 20);
    if (folder)
        closedir(folder);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"says what is broken", says_what_is_broken},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("trace_broken", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
