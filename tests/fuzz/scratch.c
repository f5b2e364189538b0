#include "tests/fuzz/scratch.h"

#include "tests/fuzz/target.h"

#include <dirent.h>
#include <string.h>
#include <unistd.h>

static char folder[64];

static void remove_folder(void)
{
    DIR *entries = opendir(folder);
    const struct dirent *entry;
    char path[512];

    while (entries && (entry = readdir(entries))) {
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        unlink(path);
    }
    if (entries)
        closedir(entries);
    rmdir(folder);
}

const char *scratch_folder(void)
{
    if (*folder)
        return folder;
    strcpy(folder, access("/dev/shm", W_OK) == 0 ? "/dev/shm/lbsim-fuzz-XXXXXX"
                                                 : "/tmp/lbsim-fuzz-XXXXXX");
    FUZZ_MUST(mkdtemp(folder));
    atexit(remove_folder);
    return folder;
}

const char *scratch_write(const char *name, const void *bytes, size_t size)
{
    static char path[512];
    FILE *file;

    snprintf(path, sizeof path, "%s/%s", scratch_folder(), name);
    file = fopen(path, "wb");
    FUZZ_MUST(file);
    FUZZ_MUST(size == 0 || fwrite(bytes, 1, size, file) == size);
    FUZZ_MUST(fclose(file) == 0);
    return path;
}
