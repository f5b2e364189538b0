/*
 * Runs a target over the files of the folders that are its arguments, in the
 * order of their names: what fuzzing has found stays found, with any compiler.
 * Fails when there is nothing to run, for then it tests nothing.
 */
#include "tests/fuzz/target.h"

#include <dirent.h>
#include <stdbool.h>
#include <sys/stat.h>

static size_t files_run;

static void run_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    uint8_t *data;
    long size;

    FUZZ_MUST(file && fseek(file, 0, SEEK_END) == 0);
    size = ftell(file);
    FUZZ_MUST(size >= 0 && fseek(file, 0, SEEK_SET) == 0);
    /* As large as the input and no larger: a sanitizer sees the end. */
    data = malloc(size > 0 ? (size_t)size : 1);
    FUZZ_MUST(data);
    FUZZ_MUST(fread(data, 1, (size_t)size, file) == (size_t)size);
    fclose(file);
    fprintf(stderr, "%s\n", path); /* the last one named is the culprit */
    LLVMFuzzerTestOneInput(data, (size_t)size);
    free(data);
    files_run++;
}

static bool is_file(const char *path)
{
    struct stat info;

    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

static void run_folder(const char *folder)
{
    struct dirent **entries;
    int count = scandir(folder, &entries, NULL, alphasort);
    char path[4096];

    FUZZ_MUST(count >= 0);
    for (int i = 0; i < count; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        if (is_file(path))
            run_file(path);
        free(entries[i]);
    }
    free(entries);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        run_folder(argv[i]);
    printf("%zu inputs\n", files_run);
    return files_run > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
