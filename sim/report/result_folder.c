/* For nftw() and renameat2(). NOLINTNEXTLINE(bugprone-reserved-identifier) */
#define _GNU_SOURCE
#include "sim/report/result_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define PATH_ROOM 4096
#define NEW ".lbsim-new"
#define OLD ".lbsim-old"
#define STORE RESULT_FOLDER_STORE

struct result_folder {
    char path[PATH_ROOM];      /* without slashes at its end */
    char temporary[PATH_ROOM]; /* "" once it is gone */
    char former[PATH_ROOM];    /* where the former one may stand for a moment */
    char store[PATH_ROOM + 16];
    bool made;      /* there was no such folder before */
    bool had_store; /* there was one in it */
    int lock;       /* the folder, locked; -1: not */
    int new_lock;   /* the temporary one, which is to be the folder, too */
};

/* What a result folder may hold; what is not listed is somebody's own. */
static const char *const known_entries[] = {
    "summary.json",     "policies.csv",        "nodes.csv",   "series.csv",
    "latency.csv",      "scenario.yaml",       "speed.json",  "charts",
    "requests.csv",     "timeline.json",       "report.html", "classes.csv",
    "class_series.csv", "groups.csv",          "cards.csv",   "sources.csv",
    "faults.csv",       "values.csv",          STORE,         "runs.sqlite-wal",
    "runs.sqlite-shm",  "runs.sqlite-journal", "sweep.csv",   "sweep.json",
    "crossovers.csv",   "probes.csv",          "plan.csv",    "plan.json",
};

static bool is_known(const char *name)
{
    for (size_t i = 0; i < sizeof known_entries / sizeof *known_entries; i++)
        if (strcmp(name, known_entries[i]) == 0)
            return true;
    return false;
}

/* ---- what stands there now ---- */

/* Copies the name of an entry that is not ours; ret is "" when there is none.
   false: there is no such folder. */
static bool look_for_strangers(const char *path, char *ret, size_t size,
                               size_t *ret_entries)
{
    DIR *dir = opendir(path);
    struct dirent *entry;

    ret[0] = 0;
    *ret_entries = 0;
    if (!dir)
        return false;
    while ((entry = readdir(dir))) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        ++*ret_entries;
        if (!is_known(entry->d_name))
            snprintf(ret, size, "%s", entry->d_name);
    }
    closedir(dir);
    return true;
}

/* Whether a JSON file in it has a schema that begins so. */
static bool has_schema(const char *path, const char *file, const char *schema,
                       bool *ret_no_memory)
{
    char name[PATH_ROOM + 20];

    snprintf(name, sizeof name, "%s/%s", path, file);
    errno = 0; /* Jansson has no word for most allocations that fail */

    json_t *json = json_load_file(name, 0, NULL);
    const char *found = json_string_value(json_object_get(json, "schema"));
    bool ours = found && strncmp(found, schema, strlen(schema)) == 0;

    *ret_no_memory = !json && errno == ENOMEM;
    json_decref(json);
    return ours;
}

static bool has_our_summary(const char *path, bool *ret_no_memory)
{
    static const char *const kinds[][2] = {
        {"summary.json", "lbsim.result/"},
        {"sweep.json", "lbsim.sweep/"},
        {"plan.json", "lbsim.plan/"},
    };

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (has_schema(path, kinds[i][0], kinds[i][1], ret_no_memory) ||
            *ret_no_memory)
            return !*ret_no_memory;
    return false;
}

/* Of a run that was ended before it had a result. */
static bool is_only_store(const char *path, size_t entries)
{
    static const char *const names[] = {STORE, STORE "-wal", STORE "-shm",
                                        STORE "-journal"};
    char name[PATH_ROOM + 30];
    size_t found = 0;

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(name, sizeof name, "%s/%s", path, names[i]);
        found += access(name, F_OK) == 0;
    }
    return found == entries;
}

static bool may_replace(const char *path, char *reterr, size_t size)
{
    char stranger[300];
    size_t entries;
    struct stat status;
    bool no_memory;

    if (lstat(path, &status) != 0)
        return true; /* nothing there, or a matter for mkdir */
    if (!look_for_strangers(path, stranger, sizeof stranger, &entries)) {
        snprintf(reterr, size,
                 "'%s' exists and is not a folder we can read: %s", path,
                 strerror(errno));
        return false;
    }
    if (stranger[0]) {
        snprintf(reterr, size,
                 "'%s' is not replaced: it holds '%s', which is not part of a "
                 "result",
                 path, stranger);
        return false;
    }
    if (!is_only_store(path, entries) && !has_our_summary(path, &no_memory)) {
        snprintf(reterr, size, "'%s' is not replaced: %s", path,
                 no_memory ? "out of memory"
                           : "its summary.json is not of a result");
        return false;
    }
    return true;
}

/* ---- folders ---- */

static void say(char *reterr, size_t size, const char *what, const char *path)
{
    snprintf(reterr, size, "cannot %s '%s': %s", what, path, strerror(errno));
}

/* Makes the folders above path; what exists is fine. */
static bool make_parents(const char *path)
{
    char part[PATH_ROOM];

    snprintf(part, sizeof part, "%s", path);
    for (char *at = strchr(part + 1, '/'); at; at = strchr(at + 1, '/')) {
        *at = 0;
        if (mkdir(part, 0777) != 0 && errno != EEXIST)
            return false;
        *at = '/';
    }
    return true;
}

static int remove_entry(const char *path, const struct stat *status, int kind,
                        struct FTW *place)
{
    (void)status;
    (void)kind;
    (void)place;
    return remove(path);
}

static void remove_tree(const char *path)
{
    nftw(path, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

/* Takes away what a killed run left; not what somebody else put there. */
static bool clear_away(const char *path)
{
    char stranger[300];
    size_t entries;

    if (!look_for_strangers(path, stranger, sizeof stranger, &entries))
        return errno == ENOENT;
    if (stranger[0]) {
        errno = EEXIST;
        return false;
    }
    remove_tree(path);
    return true;
}

/* Whether the folder that was opened still bears the name. */
static bool is_still(int fd, const char *path)
{
    struct stat opened, named;

    return fstat(fd, &opened) == 0 && stat(path, &named) == 0 &&
           opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

/*
 * false: errno says why, EWOULDBLOCK that another run has it. Where the system
 * knows no such locks there is none. Another run may put its result there
 * between opening and locking: then once more.
 */
static bool lock(struct result_folder *folder)
{
    for (int i = 0; i < 10; i++) {
        folder->lock = open(folder->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (folder->lock < 0)
            return false;
        if (flock(folder->lock, LOCK_EX | LOCK_NB) != 0)
            return errno != EWOULDBLOCK;
        if (is_still(folder->lock, folder->path))
            return true;
        close(folder->lock);
    }
    folder->lock = -1;
    errno = EWOULDBLOCK;
    return false;
}

/* Locked before it bears the folder's name: who finds it there has to wait
   until the former one is gone. */
static bool make_temporary(struct result_folder *folder)
{
    if (!clear_away(folder->temporary) || !clear_away(folder->former) ||
        mkdir(folder->temporary, 0777) != 0)
        return false;
    folder->new_lock =
        open(folder->temporary, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder->new_lock < 0)
        return false;
    (void)flock(folder->new_lock, LOCK_EX | LOCK_NB); /* where there are any */
    return true;
}

static enum result_folder_status set_up(struct result_folder *folder,
                                        char *reterr, size_t size)
{
    if (access(folder->path, F_OK) != 0)
        (void)rename(folder->former, folder->path);
    if (!may_replace(folder->path, reterr, size))
        return RESULT_FOLDER_NOT_OURS;
    folder->made = make_parents(folder->path) && mkdir(folder->path, 0777) == 0;
    if (!lock(folder)) {
        if (errno == EWOULDBLOCK) {
            snprintf(reterr, size, "'%s' is being written by another run",
                     folder->path);
            return RESULT_FOLDER_NOT_OURS;
        }
        say(reterr, size, "make the folder", folder->path);
        return RESULT_FOLDER_FAILED;
    }
    folder->had_store = access(folder->store, F_OK) == 0;
    if (!make_temporary(folder)) {
        say(reterr, size, "make the folder", folder->temporary);
        folder->temporary[0] = 0;
        return RESULT_FOLDER_FAILED;
    }
    return RESULT_FOLDER_OK;
}

enum result_folder_status result_folder_open(const char *path,
                                             struct result_folder **ret,
                                             char *reterr, size_t size)
{
    size_t length = strlen(path);
    struct result_folder *folder;

    *ret = NULL;
    while (length > 1 && path[length - 1] == '/')
        length--;
    if (length == 0 || length + sizeof NEW >= PATH_ROOM) {
        snprintf(reterr, size, "the name of the result folder is %s",
                 length == 0 ? "empty" : "too long");
        return RESULT_FOLDER_NOT_OURS;
    }
    folder = calloc(1, sizeof *folder);
    if (!folder) {
        snprintf(reterr, size, "no memory");
        return RESULT_FOLDER_FAILED;
    }
    folder->lock = folder->new_lock = -1;
    memcpy(folder->path, path, length);
    snprintf(folder->temporary, PATH_ROOM, "%.*s" NEW, (int)length, path);
    snprintf(folder->former, PATH_ROOM, "%.*s" OLD, (int)length, path);
    snprintf(folder->store, sizeof folder->store, "%s/" STORE, folder->path);

    enum result_folder_status status = set_up(folder, reterr, size);
    if (status == RESULT_FOLDER_OK) {
        *ret = folder;
        return status;
    }
    folder->temporary[0] = 0; /* another run's */
    result_folder_close(folder);
    return status;
}

void result_folder_close(struct result_folder *folder)
{
    if (!folder)
        return;
    if (folder->temporary[0])
        remove_tree(folder->temporary);
    if (folder->made)
        rmdir(folder->path); /* if nothing came of it */
    if (folder->lock >= 0)
        close(folder->lock);
    if (folder->new_lock >= 0)
        close(folder->new_lock);
    free(folder);
}

const char *result_folder_store(const struct result_folder *folder)
{
    return folder->store;
}

void result_folder_drop_store(const struct result_folder *folder)
{
    static const char *const endings[] = {"", "-wal", "-shm", "-journal"};
    char name[PATH_ROOM + 30];

    for (size_t i = 0; !folder->had_store && i < 4; i++) {
        snprintf(name, sizeof name, "%s%s", folder->store, endings[i]);
        unlink(name);
    }
}

/* ---- files ---- */

/* A full disk may show only when the last bytes leave the buffer. */
bool result_folder_add(struct result_folder *folder, const char *name,
                       bool (*write)(const void *context, FILE *out),
                       const void *context, char *reterr, size_t size)
{
    char path[PATH_ROOM + 20];

    snprintf(path, sizeof path, "%s/%s", folder->temporary, name);

    FILE *out = fopen(path, "w");
    if (!out) {
        say(reterr, size, "write", path);
        return false;
    }
    errno = 0;
    bool fine = write(context, out);
    if (!fine)
        errno = ENOMEM;
    fine = fine && !ferror(out) && fflush(out) == 0;
    int cause = errno;
    if (fclose(out) != 0 && fine) {
        cause = errno;
        fine = false;
    }
    errno = cause;
    if (!fine)
        say(reterr, size, "write", path);
    return fine;
}

/* ---- onto the disk ---- */

static int begin_to_write(const char *path, const struct stat *status, int kind,
                          struct FTW *place)
{
    int fd = kind == FTW_F ? open(path, O_RDONLY | O_CLOEXEC) : -1;

    (void)status;
    (void)place;
    if (fd >= 0) {
        (void)sync_file_range(fd, 0, 0, SYNC_FILE_RANGE_WRITE);
        close(fd);
    }
    return 0;
}

/* Some file systems cannot, and say so. */
static int finish_to_write(const char *path, const struct stat *status,
                           int kind, struct FTW *place)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);

    (void)status;
    (void)kind;
    (void)place;
    if (fd < 0)
        return -1;
    int cause = fsync(fd) == 0 ? 0 : errno;
    close(fd);
    errno = cause;
    return cause == 0 || cause == EINVAL || cause == ENOSYS ? 0 : -1;
}

/* Or a power cut would leave the names of files without their content. All are
   begun before one is waited for: so they wait together. */
static bool bring_to_disk(const char *folder)
{
    return nftw(folder, begin_to_write, 8, FTW_PHYS) == 0 &&
           nftw(folder, finish_to_write, 8, FTW_DEPTH | FTW_PHYS) == 0;
}

/* ---- taking its place ---- */

/* What is in the log of the store belongs to it. Where files cannot have two
   names, it moves. */
static bool take_store_along(const struct result_folder *folder)
{
    static const char *const endings[] = {"", "-wal"};
    char from[PATH_ROOM + 30], to[PATH_ROOM + 30];

    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        snprintf(from, sizeof from, "%s%s", folder->store, endings[i]);
        snprintf(to, sizeof to, "%s/" STORE "%s", folder->temporary,
                 endings[i]);
        if (access(from, F_OK) == 0 && link(from, to) != 0 &&
            rename(from, to) != 0)
            return false;
    }
    return true;
}

/* For file systems that cannot exchange two folders. */
static bool replace_in_two_steps(const struct result_folder *folder)
{
    if (rename(folder->path, folder->former) != 0)
        return false;
    if (rename(folder->temporary, folder->path) == 0) {
        remove_tree(folder->former);
        return true;
    }
    int cause = errno;
    (void)rename(folder->former, folder->path);
    errno = cause;
    return false;
}

/* Afterwards the former one, if there was one, bears the temporary name. */
static bool change_places(const struct result_folder *folder)
{
    if (renameat2(AT_FDCWD, folder->temporary, AT_FDCWD, folder->path,
                  RENAME_EXCHANGE) == 0)
        return true;
    if (errno == ENOENT) /* somebody took it away */
        return rename(folder->temporary, folder->path) == 0;
    return (errno == EINVAL || errno == ENOSYS || errno == EOPNOTSUPP) &&
           replace_in_two_steps(folder);
}

bool result_folder_commit(struct result_folder *folder, char *reterr,
                          size_t size)
{
    if (!may_replace(folder->path, reterr, size))
        return false;
    if (!take_store_along(folder)) {
        say(reterr, size, "keep", folder->store);
        return false;
    }
    if (!bring_to_disk(folder->temporary) || !change_places(folder)) {
        say(reterr, size, "write", folder->path);
        return false;
    }
    remove_tree(folder->temporary);
    folder->temporary[0] = 0;
    folder->made = false;
    return true;
}
