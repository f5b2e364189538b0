#include "sim/report/effective_diff.h"

#include "sim/core/arena.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_ROOM = 4096, PATH_SIZE = 600, DEEPEST = 40 };

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

/* Where a line's comment begins, or the line's end. */
static const char *without_comment(const char *line, const char *end)
{
    for (const char *at = end; at-- > line;)
        if (*at == '#' && at > line && at[-1] == ' ' &&
            (at + 1 == end || at[1] == ' ')) {
            end = at;
            break;
        }
    while (end > line && end[-1] == ' ')
        end--;
    return end;
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

/* Those of one that the other has differently, or not at all. */
static void add_changes(struct effective_diff *diff,
                        const struct reader *old_reader,
                        const struct reader *new_reader)
{
    for (size_t i = 0; i < old_reader->count; i++) {
        const struct entry *entry = &old_reader->entries[i];
        const char *other = value_at(new_reader, entry->path);

        if (!other || strcmp(other, entry->value) != 0)
            diff->changes[diff->count++] =
                (struct effective_change){entry->path, entry->value, other};
    }
    for (size_t i = 0; i < new_reader->count; i++) {
        const struct entry *entry = &new_reader->entries[i];

        if (!value_at(old_reader, entry->path))
            diff->changes[diff->count++] =
                (struct effective_change){entry->path, NULL, entry->value};
    }
}

bool effective_diff_make(const char *old_text, const char *new_text,
                         struct effective_diff *ret)
{
    struct arena *arena = calloc(1, sizeof *arena);
    struct reader old_reader = {.arena = arena};
    struct reader new_reader = {.arena = arena};
    bool fine = false;

    *ret = (struct effective_diff){.owned = arena};
    if (!arena)
        return false;
    read_text(&old_reader, old_text);
    read_text(&new_reader, new_text);
    if (!old_reader.no_memory && !new_reader.no_memory) {
        ret->changes = calloc(old_reader.count + new_reader.count + 1,
                              sizeof *ret->changes);
        fine = ret->changes != NULL;
    }
    if (fine)
        add_changes(ret, &old_reader, &new_reader);
    free(old_reader.entries);
    free(new_reader.entries);
    return fine;
}

void effective_diff_done(struct effective_diff *diff)
{
    if (diff->owned)
        arena_done(diff->owned);
    free(diff->owned);
    free(diff->changes);
    *diff = (struct effective_diff){0};
}

char *effective_read(const char *folder)
{
    char path[PATH_ROOM], block[1 << 13];
    char *text = NULL;
    size_t size;
    FILE *file, *copy;
    bool fine;

    snprintf(path, sizeof path, "%s/scenario.yaml", folder);
    file = fopen(path, "r");
    if (!file)
        return NULL;
    copy = open_memstream(&text, &size);
    for (size_t got; copy && (got = fread(block, 1, sizeof block, file)) > 0;)
        fwrite(block, 1, got, copy);
    fine = copy && !ferror(file);
    if (copy && fclose(copy) != 0)
        fine = false;
    fclose(file);
    if (fine)
        return text;
    free(text);
    return NULL;
}
