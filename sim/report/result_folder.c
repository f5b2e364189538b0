#define _XOPEN_SOURCE 700 /* nftw */

#include "sim/report/result_folder.h"

#include "sim/report/csv.h"
#include "sim/report/json.h"

#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PATH_ROOM 4096

struct result_folder {
    char path[PATH_ROOM];      /* without slashes at its end */
    char temporary[PATH_ROOM]; /* "" once it is gone */
};

/* What a result folder may hold; what is not listed is somebody's own. */
static const char *const known_entries[] = {
    "summary.json", "policies.csv",  "nodes.csv",   "series.csv",
    "latency.csv",  "scenario.yaml", "speed.json",  "charts",
    "requests.csv", "timeline.json", "report.html", "classes.csv",
    "groups.csv",   "cards.csv",     "sources.csv", "faults.csv",
    "values.csv",
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

static bool has_our_summary(const char *path, bool *ret_no_memory)
{
    char name[PATH_ROOM + 20];

    snprintf(name, sizeof name, "%s/summary.json", path);
    errno = 0; /* Jansson has no word for most allocations that fail */

    json_t *json = json_load_file(name, 0, NULL);
    const char *schema = json_string_value(json_object_get(json, "schema"));
    bool ours = schema && strncmp(schema, "lbsim.result/", 13) == 0;

    *ret_no_memory = !json && errno == ENOMEM;
    json_decref(json);
    return ours;
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
        snprintf(reterr, size, "'%s' exists and is not a folder we can read",
                 path);
        return false;
    }
    if (stranger[0]) {
        snprintf(reterr, size,
                 "'%s' is not replaced: it holds '%s', which is not part of a "
                 "result",
                 path, stranger);
        return false;
    }
    if (entries > 0 && !has_our_summary(path, &no_memory)) {
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

/* mkdtemp keeps others out; a result is as open as any other folder. */
static bool make_temporary(struct result_folder *folder)
{
    mode_t mask = umask(0);

    umask(mask);
    if (!make_parents(folder->path) || !mkdtemp(folder->temporary)) {
        folder->temporary[0] = 0;
        return false;
    }
    return chmod(folder->temporary, 0777 & ~mask) == 0;
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
    if (length == 0 || length + sizeof ".old-XXXXXX" >= PATH_ROOM) {
        snprintf(reterr, size, "the name of the result folder is %s",
                 length == 0 ? "empty" : "too long");
        return RESULT_FOLDER_NOT_OURS;
    }
    folder = calloc(1, sizeof *folder);
    if (!folder) {
        snprintf(reterr, size, "no memory");
        return RESULT_FOLDER_FAILED;
    }
    memcpy(folder->path, path, length);
    if (!may_replace(folder->path, reterr, size)) {
        free(folder);
        return RESULT_FOLDER_NOT_OURS;
    }
    memcpy(folder->temporary, path, length);
    memcpy(folder->temporary + length, ".tmp-XXXXXX", sizeof ".tmp-XXXXXX");
    if (!make_temporary(folder)) {
        say(reterr, size, "make the folder", folder->path);
        result_folder_close(folder);
        return RESULT_FOLDER_FAILED;
    }
    *ret = folder;
    return RESULT_FOLDER_OK;
}

void result_folder_close(struct result_folder *folder)
{
    if (folder && folder->temporary[0])
        remove_tree(folder->temporary);
    free(folder);
}

/* ---- files ---- */

struct contents {
    const struct report_input *input;
    const char *effective;
};

static bool write_summary(const struct contents *contents, FILE *out)
{
    return json_write_result(contents->input, out);
}

static bool write_speed(const struct contents *contents, FILE *out)
{
    return json_write_speed(contents->input, out);
}

static bool write_policies(const struct contents *contents, FILE *out)
{
    csv_write_policies(contents->input, out);
    return true;
}

static bool write_values(const struct contents *contents, FILE *out)
{
    csv_write_values(contents->input, out);
    return true;
}

static bool write_nodes(const struct contents *contents, FILE *out)
{
    csv_write_nodes(contents->input, out);
    return true;
}

static bool write_groups(const struct contents *contents, FILE *out)
{
    csv_write_groups(contents->input, out);
    return true;
}

static bool write_series(const struct contents *contents, FILE *out)
{
    csv_write_series(contents->input, out);
    return true;
}

static bool write_latency(const struct contents *contents, FILE *out)
{
    csv_write_latency(contents->input, out);
    return true;
}

static bool write_classes(const struct contents *contents, FILE *out)
{
    csv_write_classes(contents->input, out);
    return true;
}

static bool has_classes(const struct scenario *scenario)
{
    return scenario->workload.class_count > 0;
}

static bool write_sources(const struct contents *contents, FILE *out)
{
    csv_write_sources(contents->input, out);
    return true;
}

static bool has_overlays(const struct scenario *scenario)
{
    return scenario->workload.overlay_count > 0;
}

static bool write_cards(const struct contents *contents, FILE *out)
{
    csv_write_cards(contents->input, out);
    return true;
}

static bool has_cards(const struct scenario *scenario)
{
    for (uint32_t i = 0; i < scenario->group_count; i++)
        if (scenario->groups[i].cards > 1)
            return true;
    return false;
}

static bool write_faults(const struct contents *contents, FILE *out)
{
    csv_write_faults(contents->input, out);
    return true;
}

static bool has_faults(const struct scenario *scenario)
{
    return scenario->fault_count > 0;
}

static bool write_scenario(const struct contents *contents, FILE *out)
{
    fputs(contents->effective, out);
    return true;
}

static const struct {
    const char *name;
    bool (*write)(const struct contents *contents, FILE *out); /* false: no
                                                                  memory */
    bool (*is_wanted)(const struct scenario *scenario); /* NULL: always */
} files[] = {
    {"policies.csv", write_policies, NULL},
    {"values.csv", write_values, NULL},
    {"nodes.csv", write_nodes, NULL},
    {"groups.csv", write_groups, NULL},
    {"cards.csv", write_cards, has_cards},
    {"classes.csv", write_classes, has_classes},
    {"sources.csv", write_sources, has_overlays},
    {"faults.csv", write_faults, has_faults},
    {"series.csv", write_series, NULL},
    {"latency.csv", write_latency, NULL},
    {"scenario.yaml", write_scenario, NULL},
    {"speed.json", write_speed, NULL},
    {"summary.json", write_summary, NULL},
};

/* A full disk may show only when the last bytes leave the buffer. */
static bool write_file(const struct result_folder *folder, size_t index,
                       const struct contents *contents, char *reterr,
                       size_t size)
{
    char path[PATH_ROOM + 20];

    snprintf(path, sizeof path, "%s/%s", folder->temporary, files[index].name);

    FILE *out = fopen(path, "w");
    if (!out) {
        say(reterr, size, "write", path);
        return false;
    }
    errno = 0;
    bool fine = files[index].write(contents, out);
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

bool result_folder_write(struct result_folder *folder,
                         const struct report_input *input,
                         const char *effective, char *reterr, size_t size)
{
    struct contents contents = {input, effective};

    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if ((!files[i].is_wanted || files[i].is_wanted(input->scenario)) &&
            !write_file(folder, i, &contents, reterr, size))
            return false;
    return true;
}

/*
 * The former result steps aside, the new one takes its place, and only then is
 * the former one removed: at no moment is there half a result, and if the
 * second step fails the first is undone.
 */
bool result_folder_commit(struct result_folder *folder, char *reterr,
                          size_t size)
{
    char aside[PATH_ROOM];
    struct stat status;
    bool replaces = lstat(folder->path, &status) == 0;

    if (replaces && !may_replace(folder->path, reterr, size))
        return false;
    snprintf(aside, sizeof aside, "%s", folder->temporary);
    memcpy(strrchr(aside, '.'), ".old", 4); /* ".tmp-XXXXXX" */
    if (replaces && rename(folder->path, aside) != 0) {
        say(reterr, size, "replace", folder->path);
        return false;
    }
    if (rename(folder->temporary, folder->path) != 0) {
        say(reterr, size, "write", folder->path);
        if (replaces)
            rename(aside, folder->path);
        return false;
    }
    folder->temporary[0] = 0;
    if (replaces)
        remove_tree(aside);
    return true;
}
