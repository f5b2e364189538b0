#include "sim/scenario/difference.h"

#include "sim/core/arena.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_SIZE = 600, DEEPEST = 40 };

struct entry {
    const char *path, *value;
};

/* A block that is open: what is deeper belongs to it. */
struct level {
    int indent;
    size_t length;  /* of the path up to it */
    unsigned items; /* of its list so far */
};

struct reader {
    struct arena *arena;
    struct entry *entries; /* [count] */
    size_t count, capacity;
    struct level levels[DEEPEST];
    unsigned depth; /* levels[0] is the whole text */
    char path[PATH_SIZE];
    bool no_memory;
};

/* ---- a text to its settings ---- */

static const char *keep(struct reader *reader, const char *text, size_t length)
{
    char *copy = arena_allocate(reader->arena, length + 1, 1);

    if (copy)
        memcpy(copy, text, length); /* the rest is zero */
    reader->no_memory |= !copy;
    return copy;
}

static void add_entry(struct reader *reader, const char *value, size_t length)
{
    if (reader->count == reader->capacity) {
        size_t capacity = reader->capacity ? 2 * reader->capacity : 128;
        struct entry *entries =
            realloc(reader->entries, capacity * sizeof *entries);

        if (!entries) {
            reader->no_memory = true;
            return;
        }
        reader->entries = entries;
        reader->capacity = capacity;
    }
    reader->entries[reader->count++] =
        (struct entry){keep(reader, reader->path, strlen(reader->path)),
                       keep(reader, value, length)};
}

static struct level *top(struct reader *reader)
{
    return &reader->levels[reader->depth];
}

/* Leaves the blocks that a line with this indent is not inside of. */
static void close_levels(struct reader *reader, int indent)
{
    while (reader->depth > 0 && top(reader)->indent >= indent)
        reader->depth--;
    reader->path[top(reader)->length] = 0;
}

static void open_level(struct reader *reader, int indent)
{
    if (reader->depth + 1 < DEEPEST)
        reader->depth++;
    *top(reader) = (struct level){indent, strlen(reader->path), 0};
}

static void extend_path(struct reader *reader, const char *key, size_t length)
{
    size_t used = strlen(reader->path);

    snprintf(reader->path + used, sizeof reader->path - used, "%s%.*s",
             used > 0 ? "." : "", (int)length, key);
}

/* The colon that ends a key; NULL: the content is a value by itself. */
static const char *find_colon(const char *content, const char *end)
{
    if (strchr("{['\"", *content))
        return NULL;
    for (const char *at = content; at < end; at++)
        if (*at == ':' && (at + 1 == end || at[1] == ' '))
            return at;
    return NULL;
}

static void read_content(struct reader *reader, int indent, const char *content,
                         const char *end)
{
    const char *colon = find_colon(content, end);
    const char *value;

    if (!colon) {
        add_entry(reader, content, (size_t)(end - content));
        return;
    }
    extend_path(reader, content, (size_t)(colon - content));
    value = colon + 1 < end ? colon + 2 : end;
    if (value < end)
        add_entry(reader, value, (size_t)(end - value));
    else
        open_level(reader, indent);
}

/* "- " of a list: its place becomes a part of the path. */
static void open_item(struct reader *reader, int indent)
{
    size_t used = strlen(reader->path);

    snprintf(reader->path + used, sizeof reader->path - used, "[%u]",
             top(reader)->items++);
    open_level(reader, indent);
}

/* Where a line's comment begins, or the line's end: the last number sign that
   stands by itself, unless it is inside of a quoted text. */
static const char *without_comment(const char *line, const char *end)
{
    const char *comment = end;
    bool quoted = false;

    for (const char *at = line; at < end; at++) {
        quoted ^= *at == '"' && (at == line || at[-1] != '\\');
        if (!quoted && *at == '#' && at > line && at[-1] == ' ' &&
            (at + 1 == end || at[1] == ' '))
            comment = at;
    }
    while (comment > line && comment[-1] == ' ')
        comment--;
    return comment;
}

static void read_line(struct reader *reader, const char *line, const char *end)
{
    const char *content = line;
    int indent;

    end = without_comment(line, end);
    while (content < end && *content == ' ')
        content++;
    if (content == end || *content == '#')
        return;
    indent = (int)(content - line);
    close_levels(reader, indent);
    while (end - content > 2 && content[0] == '-' && content[1] == ' ') {
        open_item(reader, indent);
        content += 2;
        indent += 2;
    }
    read_content(reader, indent, content, end);
}

static void read_text(struct reader *reader, const char *text)
{
    reader->levels[0] = (struct level){-1, 0, 0};
    while (*text) {
        const char *end = text + strcspn(text, "\n");

        read_line(reader, text, end);
        text = *end ? end + 1 : end;
    }
}

/* ---- two of them ---- */

static const char *value_at(const struct reader *reader, const char *path)
{
    for (size_t i = 0; i < reader->count; i++)
        if (strcmp(reader->entries[i].path, path) == 0)
            return reader->entries[i].value;
    return NULL;
}

static void add_difference(struct differences *list, const char *path,
                           const char *one, const char *other)
{
    list->items[list->count++] = (struct difference){path, one, other};
}

/* Those of one that the other has differently, or not at all, and those that
   only the other has. */
static void add_differences(struct differences *list, const struct reader *one,
                            const struct reader *other)
{
    for (size_t i = 0; i < one->count; i++) {
        const struct entry *entry = &one->entries[i];
        const char *there = value_at(other, entry->path);

        if (!there || strcmp(there, entry->value) != 0)
            add_difference(list, entry->path, entry->value, there);
    }
    for (size_t i = 0; i < other->count; i++) {
        const struct entry *entry = &other->entries[i];

        if (!value_at(one, entry->path))
            add_difference(list, entry->path, NULL, entry->value);
    }
}

bool differences_find(const char *one, const char *other,
                      struct differences *ret)
{
    struct arena *arena = calloc(1, sizeof *arena);
    struct reader reader = {.arena = arena}, other_reader = {.arena = arena};
    bool fine = false;

    *ret = (struct differences){.owned = arena};
    if (!arena)
        return false;
    read_text(&reader, one);
    read_text(&other_reader, other);
    if (!reader.no_memory && !other_reader.no_memory) {
        ret->items =
            calloc(reader.count + other_reader.count + 1, sizeof *ret->items);
        fine = ret->items != NULL;
    }
    if (fine)
        add_differences(ret, &reader, &other_reader);
    free(reader.entries);
    free(other_reader.entries);
    return fine;
}

void differences_done(struct differences *list)
{
    if (list->owned)
        arena_done(list->owned);
    free(list->owned);
    free(list->items);
    *list = (struct differences){0};
}
