/* Finds files of data that a scenario names: traces, values of a law. */
#include "sim/scenario/draft.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Files of scenarios that come with lbsim, and are no part of it. */
static const char *const known_files[] = {
    "azure-llm-2023/AzureLLMInferenceTrace_conv.csv",
};

static const char *way_out(const char *file)
{
    for (size_t i = 0; i < sizeof known_files / sizeof *known_files; i++)
        if (strcmp(file, known_files[i]) == 0)
            return "get the file (scenarios/README.md says where) and put it "
                   "there, or set LBSIM_DATA to its folder";
    return "relative files are looked for beside the scenario, then in "
           "$LBSIM_DATA";
}

/* The places where a relative file may lie, in order. */
struct places {
    const char *beside;  /* the scenario's folder */
    const char *there;   /* $LBSIM_DATA; NULL: not set */
    const char *by_name; /* the same, without the folders in the setting */
};

static struct places list_places(struct loaded *loaded, const char *file)
{
    const char *data = getenv("LBSIM_DATA");
    const char *slash = strrchr(file, '/');
    struct places places = {.beside = file};

    if (strcmp(loaded->folder, ".") != 0)
        places.beside =
            pool_print(&loaded->pool, "%s/%s", loaded->folder, file);
    if (data && *data)
        places.there = pool_print(&loaded->pool, "%s/%s", data, file);
    if (places.there && slash)
        places.by_name = pool_print(&loaded->pool, "%s/%s", data, slash + 1);
    return places;
}

static bool is_readable(const char *path)
{
    return path && access(path, R_OK) == 0;
}

static void complain_of_places(const struct places *places, const char *what,
                               const struct tree *file, struct diag *diag)
{
    const char *hint = way_out(file->text);
    struct diag_place place = tree_place(file);

    if (places->by_name)
        diag_add(diag, DIAG_ERROR, &place, hint,
                 "cannot read %s: looked for %s, %s and %s", what,
                 places->beside, places->there, places->by_name);
    else if (places->there)
        diag_add(diag, DIAG_ERROR, &place, hint,
                 "cannot read %s: looked for %s and %s", what, places->beside,
                 places->there);
    else
        diag_add(diag, DIAG_ERROR, &place, hint,
                 "cannot read %s: looked for %s; $LBSIM_DATA is not set", what,
                 places->beside);
}

static const char *find(struct loaded *loaded, const struct tree *at,
                        const char *what, struct diag *diag)
{
    struct diag_place place = tree_place(at);
    struct places places;

    if (at->text[0] == '/') {
        if (is_readable(at->text))
            return at->text;
        diag_add(diag, DIAG_ERROR, &place, NULL, "cannot read '%s'", at->text);
        return NULL;
    }
    places = list_places(loaded, at->text);
    if (is_readable(places.beside))
        return places.beside;
    if (is_readable(places.there))
        return places.there;
    if (is_readable(places.by_name))
        return places.by_name;
    complain_of_places(&places, what, at, diag);
    return NULL;
}

const char *load_data_file(struct loaded *loaded, const struct tree *at,
                           const char *what, struct diag *diag)
{
    const char *path = find(loaded, at, what, diag);
    struct data_file *file =
        path ? pool_allocate(&loaded->pool, sizeof *file) : NULL;

    if (path && !file) {
        struct diag_place place = tree_place(at);

        diag_add_no_memory(diag, &place);
    }
    if (!file)
        return NULL;
    *file = (struct data_file){.path = path, .next = loaded->files};
    data_file_hash(file);
    loaded->files = file;
    return path;
}

/* ---- what it was when it was read ---- */

static bool same_stamp(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino &&
           a->st_size == b->st_size && a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
           a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

bool data_file_is_same(const struct data_file *file)
{
    struct stat now;

    return file->hashed && stat(file->path, &now) == 0 &&
           same_stamp(&file->stamp, &now);
}

/* Who reads a pipe takes from it what is in it. */
void data_file_hash(struct data_file *file)
{
    file->hashed = stat(file->path, &file->stamp) == 0 &&
                   S_ISREG(file->stamp.st_mode) &&
                   hash128_of_file(file->path, &file->hash);
    file->hashed = data_file_is_same(file);
}

static bool has_file(const struct loaded *loaded, const char *path)
{
    const struct data_file *file = loaded->files;

    while (file && strcmp(file->path, path) != 0)
        file = file->next;
    return file != NULL;
}

/* In their order, before the own ones: as if they had been found here. */
bool data_files_borrow(struct loaded *loaded, const struct loaded *lender)
{
    struct data_file *first = NULL, **last = &first;

    for (const struct data_file *f = lender->files; f; f = f->next) {
        if (has_file(loaded, f->path))
            continue;
        *last = pool_allocate(&loaded->pool, sizeof **last);
        if (!*last)
            return false;
        **last = *f;
        (*last)->next = NULL;
        last = &(*last)->next;
    }
    *last = loaded->files;
    loaded->files = first;
    return true;
}
