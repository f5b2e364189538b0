#include "sim/scenario/settings.h"

#include "sim/scenario/hints.h"
#include "sim/scenario/units.h"
#include "workloads/diag.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PATH_SIZE = 200, NAMES_MAX = 512 };

static const struct setting *end_of_table(void)
{
    size_t count;
    const struct setting *table = settings_table(&count);

    return table + count;
}

static const struct setting *start_of_table(void)
{
    size_t count;

    return settings_table(&count);
}

/* defaults takes what a group takes. */
static const struct setting *pattern_of(const struct setting *block)
{
    if (block && block->kind == SETTING_PATTERN)
        return settings_find("nodes[]");
    return block;
}

/* Below the block and not deeper than its children. */
static bool is_child(const struct setting *block, const struct setting *row)
{
    size_t length = block ? strlen(block->path) : 0;
    const char *rest = row->path + length;

    if (block) {
        if (strncmp(row->path, block->path, length) != 0 || *rest != '.')
            return false;
        rest++;
    }
    return strchr(rest, '.') == NULL;
}

static bool is_below(const struct setting *block, const struct setting *row)
{
    size_t length = strlen(block->path);

    return strncmp(row->path, block->path, length) == 0 &&
           row->path[length] == '.';
}

/* The first child at or after a row. Rows stand depth first, so the search
   ends where the block ends. */
static const struct setting *child_from(const struct setting *block,
                                        const struct setting *row)
{
    for (; row < end_of_table(); row++) {
        if (is_child(block, row))
            return row;
        if (block && !is_below(block, row))
            return NULL;
    }
    return NULL;
}

const struct setting *settings_first_child(const struct setting *block)
{
    block = pattern_of(block);
    return child_from(block, block ? block + 1 : start_of_table());
}

/* An overlay takes what the workload takes, but for what describes it as the
   main one. */
static bool is_overlay(const struct setting *block)
{
    return strcmp(block->path, "workload.overlay[]") == 0;
}

static const struct setting *inherited_from(const struct setting *row)
{
    const struct setting *workload = settings_find("workload");

    do
        row = child_from(workload, row + 1);
    while (row && (strcmp(row->path, "workload.classes[]") == 0 ||
                   strcmp(row->path, "workload.tenants") == 0 ||
                   strcmp(row->path, "workload.normalise") == 0 ||
                   strcmp(row->path, "workload.overlay[]") == 0));
    return row;
}

const struct setting *settings_next(const struct setting *block,
                                    const struct setting *row)
{
    const struct setting *next;

    if (!block || !is_overlay(block))
        return child_from(pattern_of(block), row + 1);
    if (!is_below(block, row))
        return inherited_from(row);
    next = child_from(block, row + 1);
    return next ? next : inherited_from(settings_find("workload"));
}

size_t settings_key(const struct setting *row, const char **ret_key)
{
    const char *dot = strrchr(row->path, '.');
    const char *key = dot ? dot + 1 : row->path;

    *ret_key = key;
    return strcspn(key, "[");
}

const struct setting *settings_child(const struct setting *block,
                                     const char *key, size_t length)
{
    const struct setting *row = settings_first_child(block);

    for (; row; row = settings_next(block, row)) {
        const char *name;

        if (settings_key(row, &name) == length &&
            memcmp(name, key, length) == 0)
            return row;
    }
    return NULL;
}

/* Drops what stands in brackets, and says nodes[] for defaults. */
static bool normalise_path(const char *path, char out[PATH_SIZE])
{
    size_t used = 0;

    if (strncmp(path, "defaults.", 9) == 0) {
        used = (size_t)snprintf(out, PATH_SIZE, "nodes[]");
        path += 8;
    }
    for (; *path; path++) {
        if (used + 2 >= PATH_SIZE)
            return false;
        out[used++] = *path;
        if (*path == '[') {
            path = strchr(path, ']');
            if (!path)
                return false;
            out[used++] = ']';
        }
    }
    out[used] = '\0';
    return true;
}

/* "workload.overlay[].work.dist" is "workload.work.dist", but not all that an
   overlay has is the workload's. */
static const char *inherited_path(char path[PATH_SIZE])
{
    static const char overlay[] = "workload.overlay[].";
    static const char *const others[] = {
        "name",    "at",        "duration",  "class",  "classes", "classes[]",
        "overlay", "overlay[]", "normalise", "tenant", "tenants"};
    size_t length = sizeof overlay - 1, word;

    if (strncmp(path, overlay, length) != 0)
        return path;
    word = strcspn(path + length, ".");
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strlen(others[i]) == word &&
            memcmp(others[i], path + length, word) == 0)
            return path;
    memmove(path + sizeof "workload." - 1, path + length,
            strlen(path + length) + 1);
    return path;
}

const struct setting *settings_find(const char *path)
{
    char wanted[PATH_SIZE], plain[PATH_SIZE];

    if (!normalise_path(path, wanted))
        return NULL;
    snprintf(plain, sizeof plain, "%s", inherited_path(wanted));
    for (const struct setting *row = start_of_table(); row < end_of_table();
         row++) {
        size_t length = strlen(row->path);

        if (strcmp(row->path, plain) == 0)
            return row;
        /* "nodes" means the list as well as "nodes[]" does. */
        if (length > 2 && row->path[length - 1] == ']' &&
            strlen(plain) == length - 2 &&
            strncmp(row->path, plain, length - 2) == 0)
            return row;
    }
    return NULL;
}

void settings_block_name(const struct setting *block, bool in_defaults,
                         char *out, size_t size)
{
    if (!block)
        snprintf(out, size, "at the top level");
    else if (in_defaults && strncmp(block->path, "nodes[]", 7) == 0)
        snprintf(out, size, "in defaults%s", block->path + 7);
    else
        snprintf(out, size, "in %s", block->path);
}

const char *settings_kind_words(enum setting_kind kind)
{
    static const char *const words[SETTING_KIND_COUNT] = {
        [SETTING_BLOCK] = "a block of settings",
        [SETTING_LIST] = "a list of blocks",
        [SETTING_PATTERN] = "a block of settings",
        [SETTING_DURATION] = "a duration such as '250 ms' or '10 min'",
        [SETTING_SIZE] = "a size such as '512 MiB' or '2 GB'",
        [SETTING_RATE] = "a rate such as '12/s' or '600/min'",
        [SETTING_SHARE] = "a share such as '30 %' or '0.3'",
        [SETTING_COUNT] = "a whole number such as '8' or '50k'",
        [SETTING_NUMBER] = "a plain number such as '1.5'",
        [SETTING_SWITCH] = "true or false",
        [SETTING_CHOICE] = "one word of a list",
        [SETTING_TEXT] = "a text",
        [SETTING_WARM_UP] = "a duration, a share, '100 requests' or auto",
        [SETTING_RESAMPLE] = "none or a block such as {blocks: 5 min}",
        [SETTING_MEASURE] = "the name of a measure",
        [SETTING_GOALS] = "a block such as {latency_all_p99: 20 s}",
        [SETTING_TOLERANCES] =
            "a block such as {latency_all_p99: 5 %, success: 0.5 points}",
        [SETTING_POLICIES] = "a list such as [round_robin, least_conn]",
        [SETTING_KEYS] = "fixed, or a list of names",
        [SETTING_MOVES] = "a list of rates such as [0/s, 0.2/s]",
        [SETTING_INCLUDE] = "a file's name or a list of them",
        [SETTING_SWEEP] = "a block such as {balancer.count: [1, 2, 4]}",
        [SETTING_NAMES] = "a list of names such as [chat, code]",
        [SETTING_ROUTES] =
            "a block such as {chat: [{model: chat, groups: [gpu]}]}",
        [SETTING_RANGES] = "a block such as {gpu: 2..20, cpu: 4}",
    };

    return words[kind];
}

void settings_takes(const struct setting *row, char *out, size_t size)
{
    const char *choice = row->choices;
    size_t used;

    if (row->kind != SETTING_CHOICE) {
        snprintf(out, size, "%s%s", settings_kind_words(row->kind),
                 row->kind == SETTING_BLOCK && (row->flags & SETTING_MECHANISM)
                     ? ", or off"
                     : "");
        return;
    }
    used = (size_t)snprintf(out, size, "%s",
                            strchr(choice, '|') ? "one of" : "only");
    while (*choice && used < size) {
        size_t length = strcspn(choice, "|");

        used +=
            (size_t)snprintf(out + used, size - used, " %.*s%s", (int)length,
                             choice, choice[length] ? "," : "");
        choice += length + (choice[length] == '|');
    }
}

static void write_bound(const struct setting *row, double bound, char *out,
                        size_t size)
{
    char text[UNITS_TEXT_SIZE];

    if (row->kind == SETTING_DURATION) {
        if (fabs(bound - 100 * 365 * 86400.0) < 1)
            snprintf(text, sizeof text, "36500 d (100 years)");
        else
            units_write_duration((int64_t)(bound * 1e9), text);
    } else if (row->kind == SETTING_SIZE) {
        units_write_size((uint64_t)bound, text);
    } else if (row->kind == SETTING_RATE) {
        snprintf(text, sizeof text, "%.10g/s", bound);
    } else if (row->kind == SETTING_SHARE) {
        snprintf(text, sizeof text, "%g %%", bound * 100);
    } else if (row->kind == SETTING_COUNT) {
        snprintf(text, sizeof text, "%.0f", bound);
    } else {
        snprintf(text, sizeof text, "%.10g", bound);
    }
    snprintf(out, size, "%s", text);
}

void settings_range_words(const struct setting *row, char *out, size_t size)
{
    char least[UNITS_TEXT_SIZE], most[UNITS_TEXT_SIZE];

    *out = '\0';
    if (!(row->max > row->min)) {
        if (row->max > 0)
            snprintf(out, size, "%g", row->max);
        return;
    }
    write_bound(row, row->min, least, sizeof least);
    write_bound(row, row->max, most, sizeof most);
    if (row->flags & SETTING_ABOVE_MIN)
        snprintf(out, size, "more than %s, at most %s", least, most);
    else
        snprintf(out, size, "%s to %s", least, most);
}

static size_t depth_of(const char *path)
{
    size_t dots = 0;

    for (; *path; path++)
        dots += *path == '.';
    return dots;
}

/* The row of another block that has this very key, the one nearest to the
   block by the length of the path they share. Out of equally near ones the
   least deep, then the first of the table. */
static const struct setting *namesake(const struct setting *block,
                                      const char *key, size_t length)
{
    const struct setting *best = NULL;
    size_t best_shared = 0;
    const char *from = block ? block->path : "";

    for (const struct setting *row = start_of_table(); row < end_of_table();
         row++) {
        const char *name;
        size_t shared = 0;

        if (settings_key(row, &name) != length ||
            memcmp(name, key, length) != 0)
            continue;
        while (from[shared] && from[shared] == row->path[shared])
            shared++;
        if (!best || shared > best_shared ||
            (shared == best_shared &&
             depth_of(row->path) < depth_of(best->path))) {
            best = row;
            best_shared = shared;
        }
    }
    return best;
}

static void parent_name(const struct setting *row, bool in_defaults, char *out,
                        size_t size)
{
    const char *dot = strrchr(row->path, '.');
    bool of_nodes = strncmp(row->path, "nodes[]", 7) == 0;

    if (!dot)
        snprintf(out, size, "at the top level");
    else if (in_defaults && of_nodes)
        snprintf(out, size, "in defaults%.*s", (int)(dot - row->path) - 7,
                 row->path + 7);
    else
        snprintf(out, size, "in %.*s", (int)(dot - row->path), row->path);
}

/* The keys of a block (or, with NULL and all, of the whole table), each once,
   as an array for diag_nearest. store holds the letters. */
static void collect_keys(const struct setting *block, bool all,
                         char store[][40], const char **names)
{
    size_t count = 0;
    const struct setting *row =
        all ? start_of_table() : settings_first_child(block);

    while (row && row < end_of_table() && count < NAMES_MAX - 1) {
        const char *name;
        size_t length = settings_key(row, &name);
        bool known = false;

        for (size_t i = 0; i < count; i++)
            known = known || (strlen(store[i]) == length &&
                              memcmp(store[i], name, length) == 0);
        if (!known) {
            snprintf(store[count], sizeof store[count], "%.*s", (int)length,
                     name);
            names[count] = store[count];
            count++;
        }
        row = all ? row + 1 : settings_next(block, row);
    }
    names[count] = NULL;
}

static void list_keys(const char *const *names, char *out, size_t size)
{
    size_t used = (size_t)snprintf(out, size, "it takes");

    for (; *names && used < size; names++)
        used += (size_t)snprintf(out + used, size - used, " %s%s", *names,
                                 names[1] ? "," : "");
}

void settings_hint(const struct setting *block, bool in_defaults,
                   const char *key, size_t length, char *out, size_t size)
{
    const struct setting *other = namesake(block, key, length);
    char store[NAMES_MAX][40], where[PATH_SIZE];
    const char *names[NAMES_MAX], *near;

    if (hints_foreign_word(block, key, length, out, size))
        return;
    collect_keys(block, false, store, names);
    near = diag_nearest(key, length, names);
    if (other) {
        parent_name(other, in_defaults, where, sizeof where);
        snprintf(out, size, "'%.*s' belongs %s", (int)length, key, where);
        return;
    }
    if (near) {
        snprintf(out, size, "did you mean '%s'?", near);
        return;
    }
    list_keys(names, out, size);
    collect_keys(NULL, true, store, names);
    near = diag_nearest(key, length, names);
    other = near ? namesake(block, near, strlen(near)) : NULL;
    if (other) {
        parent_name(other, in_defaults, where, sizeof where);
        snprintf(out, size, "did you mean '%s', which belongs %s?", near,
                 where);
    }
}

static void strip_brackets(const char *path, char out[PATH_SIZE])
{
    size_t used = 0;

    for (; *path && used + 1 < PATH_SIZE; path++)
        if (*path != '[' && *path != ']')
            out[used++] = *path;
    out[used] = '\0';
}

/* The row of a block whose key is nearest; NULL: none is near. */
static const struct setting *nearest_child(const struct setting *block,
                                           const char *key, size_t length)
{
    char store[NAMES_MAX][40];
    const char *names[NAMES_MAX], *near, *name;
    const struct setting *row = settings_first_child(block);

    collect_keys(block, false, store, names);
    near = diag_nearest(key, length, names);
    while (near && row &&
           (settings_key(row, &name) != strlen(near) ||
            memcmp(name, near, strlen(near)) != 0))
        row = settings_next(block, row);
    return near ? row : NULL;
}

/* As settings_hint, but a key that is near is told with its whole path. */
static void hint_whole(const struct setting *block, const char *key, char *out,
                       size_t size)
{
    size_t length = strcspn(key, ".[");
    const struct setting *near = nearest_child(block, key, length);

    if (near && !namesake(block, key, length) &&
        !hints_foreign_word(block, key, length, out, size))
        snprintf(out, size, "did you mean '%s'?", near->path);
    else
        settings_hint(block, false, key, length, out, size);
}

/* Brackets are looked over, for "nodes.count" is meant well. */
void settings_path_hint(const char *path, char *out, size_t size)
{
    const struct setting *block = NULL;
    size_t best = 0;
    const char *key;
    char wanted[PATH_SIZE];

    *out = '\0';
    if (!normalise_path(path, wanted))
        return;
    strip_brackets(wanted, wanted);
    for (const struct setting *row = start_of_table(); row < end_of_table();
         row++) {
        char plain[PATH_SIZE];
        size_t length;

        strip_brackets(row->path, plain);
        length = strlen(plain);
        if (strcmp(wanted, plain) == 0) {
            snprintf(out, size, "did you mean '%s'?", row->path);
            return;
        }
        if (length > best && strncmp(wanted, plain, length) == 0 &&
            wanted[length] == '.') {
            best = length;
            block = row;
        }
    }
    key = wanted + (best ? best + 1 : 0);
    hint_whole(block, key, out, size);
}
