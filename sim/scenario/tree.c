#include "sim/scenario/tree.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pool_chunk {
    struct pool_chunk *next;
    size_t used, size;
    _Alignas(max_align_t) char memory[];
};

enum { CHUNK_SIZE = 32768 };

static struct pool_chunk *add_chunk(struct pool *pool, size_t size)
{
    struct pool_chunk *chunk = malloc(sizeof *chunk + size);

    if (!chunk) {
        pool->out_of_memory = true;
        return NULL;
    }
    *chunk = (struct pool_chunk){.next = pool->chunks, .size = size};
    pool->chunks = chunk;
    return chunk;
}

void *pool_allocate(struct pool *pool, size_t size)
{
    size_t aligned = (size + sizeof(max_align_t) - 1) / sizeof(max_align_t) *
                     sizeof(max_align_t);
    struct pool_chunk *chunk = pool->chunks;
    void *memory;

    if (!chunk || chunk->size - chunk->used < aligned)
        chunk = add_chunk(pool, aligned > CHUNK_SIZE ? aligned : CHUNK_SIZE);
    if (!chunk)
        return NULL;
    memory = chunk->memory + chunk->used;
    chunk->used += aligned;
    return memset(memory, 0, aligned);
}

char *pool_copy(struct pool *pool, const char *text, size_t length)
{
    char *copy = pool_allocate(pool, length + 1);

    if (copy)
        memcpy(copy, text, length);
    return copy;
}

char *pool_print(struct pool *pool, const char *format, ...)
{
    va_list arguments;
    char *text;
    int length;

    va_start(arguments, format);
    length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    text = pool_allocate(pool, (size_t)length + 1);
    if (!text)
        return NULL;
    va_start(arguments, format);
    vsnprintf(text, (size_t)length + 1, format, arguments);
    va_end(arguments);
    return text;
}

void pool_done(struct pool *pool)
{
    while (pool->chunks) {
        struct pool_chunk *next = pool->chunks->next;

        free(pool->chunks);
        pool->chunks = next;
    }
}

static bool has_text(const struct tree *tree, const char *text, size_t length)
{
    return tree->length == length && memcmp(tree->text, text, length) == 0;
}

/* Where the key stands in the map; count: nowhere. */
static uint32_t index_of(const struct tree *map, const char *key, size_t length)
{
    uint32_t i = 0;

    while (i < map->count && !has_text(map->keys[i], key, length))
        i++;
    return i;
}

const struct tree *tree_get(const struct tree *tree, const char *key,
                            size_t length)
{
    uint32_t i;

    if (!tree || tree->kind != TREE_MAP)
        return NULL;
    i = index_of(tree, key, length);
    return i < tree->count ? tree->values[i] : NULL;
}

const struct tree *tree_find(const struct tree *tree, const char *key)
{
    return tree_get(tree, key, strlen(key));
}

const struct tree *tree_key(const struct tree *map, const char *key)
{
    uint32_t i;

    if (!map || map->kind != TREE_MAP)
        return NULL;
    i = index_of(map, key, strlen(key));
    return i < map->count ? map->keys[i] : NULL;
}

bool tree_is_nothing(const struct tree *tree)
{
    return tree->kind == TREE_SCALAR && !tree->quoted &&
           (tree->length == 0 || has_text(tree, "~", 1) ||
            has_text(tree, "null", 4));
}

bool tree_is_off(const struct tree *tree)
{
    return tree_is_text(tree, "off") && !tree->quoted;
}

bool tree_is_text(const struct tree *tree, const char *text)
{
    return tree && tree->kind == TREE_SCALAR &&
           has_text(tree, text, strlen(text));
}

/* A copy of a map or list with room for more values. NULL: no memory. */
static struct tree *widened(struct pool *pool, const struct tree *tree,
                            uint32_t more)
{
    struct tree *copy = pool_allocate(pool, sizeof *copy);
    size_t room = (size_t)tree->count + more;

    if (!copy)
        return NULL;
    *copy = *tree;
    copy->values = pool_allocate(pool, room * sizeof *copy->values);
    if (tree->kind == TREE_MAP)
        copy->keys = pool_allocate(pool, room * sizeof *copy->keys);
    if (!copy->values || (tree->kind == TREE_MAP && !copy->keys))
        return NULL;
    for (uint32_t i = 0; i < tree->count; i++) {
        copy->values[i] = tree->values[i];
        if (tree->kind == TREE_MAP)
            copy->keys[i] = tree->keys[i];
    }
    return copy;
}

struct tree *tree_copy(struct pool *pool, const struct tree *tree)
{
    return widened(pool, tree, 0);
}

static const struct tree *merge(struct pool *pool, const struct tree *under,
                                const struct tree *over, bool deep)
{
    struct tree *merged;

    if (!under || !over)
        return over ? over : under;
    if (under->kind != TREE_MAP || over->kind != TREE_MAP)
        return over;
    merged = widened(pool, over, under->count);
    if (!merged)
        return NULL;
    for (uint32_t i = 0; i < under->count; i++) {
        const struct tree *key = under->keys[i];
        uint32_t at = index_of(over, key->text, key->length);

        if (at == over->count) {
            merged->keys[merged->count] = key;
            merged->values[merged->count++] = under->values[i];
        } else if (deep) {
            merged->values[at] =
                merge(pool, under->values[i], over->values[at], true);
            if (!merged->values[at])
                return NULL;
        }
    }
    return merged;
}

const struct tree *tree_merge(struct pool *pool, const struct tree *under,
                              const struct tree *over)
{
    return merge(pool, under, over, true);
}

const struct tree *tree_underlay(struct pool *pool, const struct tree *under,
                                 const struct tree *over)
{
    return merge(pool, under, over, false);
}

const struct tree *tree_with_key(struct pool *pool, const struct tree *map,
                                 const struct tree *key,
                                 const struct tree *value)
{
    struct tree *copy = widened(pool, map, 1);
    uint32_t i;

    if (!copy)
        return NULL;
    i = index_of(map, key->text, key->length);
    copy->keys[i] = key;
    copy->values[i] = value;
    copy->count += i == map->count;
    return copy;
}

const struct tree *tree_with_item(struct pool *pool, const struct tree *list,
                                  uint32_t index, const struct tree *value)
{
    struct tree *copy = widened(pool, list, 0);

    if (copy)
        copy->values[index] = value;
    return copy;
}

const struct tree *tree_without_item(struct pool *pool, const struct tree *list,
                                     uint32_t index)
{
    struct tree *copy = widened(pool, list, 0);

    if (!copy)
        return NULL;
    copy->count--;
    memmove(copy->values + index, copy->values + index + 1,
            (copy->count - index) * sizeof *copy->values);
    return copy;
}

struct diag_place source_place(const struct source *source, size_t offset,
                               size_t span)
{
    const char *text = source->text;
    size_t start, end;
    uint64_t line = source->first_line;

    if (offset > source->length)
        offset = source->length;
    for (size_t i = 0; i < offset; i++)
        line += text[i] == '\n';
    start = end = offset;
    while (start > 0 && text[start - 1] != '\n')
        start--;
    while (end < source->length && text[end] != '\n' && text[end] != '\r')
        end++;
    if (span > end - offset)
        span = end - offset;
    return (struct diag_place){.file = source->name,
                               .line = line,
                               .column = (uint32_t)(offset - start + 1),
                               .span = (uint32_t)span,
                               .text = text + start,
                               .text_length = end - start};
}

struct diag_place tree_place(const struct tree *tree)
{
    if (!tree->source)
        return (struct diag_place){0};
    return source_place(tree->source, tree->offset, tree->span);
}

const char *tree_kind_words(const struct tree *tree)
{
    if (tree->kind == TREE_LIST)
        return "a list";
    if (tree->kind == TREE_MAP)
        return "a block of settings";
    return tree_is_nothing(tree) ? "nothing" : "a single value";
}
