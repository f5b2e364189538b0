#include "sim/scenario/yaml_reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Values of a list or map while their number is not known yet. */
struct part {
    const struct tree *key, *value;
    struct part *next;
};

void yaml_complain(struct yaml_reader *reader, size_t offset, size_t span,
                   const char *hint, const char *format, ...)
{
    struct diag_place place;
    char message[400];
    va_list arguments;

    if (reader->failed)
        return;
    reader->failed = true;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    place = source_place(reader->source, offset, span);
    diag_add(reader->diag, DIAG_ERROR, &place, hint, "%s", message);
}

void yaml_set_place(struct yaml_reader *reader, struct tree *tree,
                    struct fy_token *token, size_t fallback)
{
    const struct fy_mark *start = token ? fy_token_start_mark(token) : NULL;
    const struct fy_mark *end = token ? fy_token_end_mark(token) : NULL;

    tree->source = reader->source;
    tree->offset = start ? reader->start + start->input_pos : fallback;
    tree->line = reader->source->first_line +
                 (start && start->line > 0 ? (uint32_t)start->line : 0);
    tree->span = start && end && end->input_pos > start->input_pos
                     ? end->input_pos - start->input_pos
                     : 1;
}

/* Nesting and size of what has been put together, aliases in full. */
static bool is_affordable(struct yaml_reader *reader, struct tree *tree)
{
    uint64_t weight = 1;
    uint32_t depth = 0;

    for (uint32_t i = 0; i < tree->count; i++) {
        weight += tree->values[i]->weight;
        if (tree->values[i]->depth > depth)
            depth = tree->values[i]->depth;
    }
    if (weight > TREE_WEIGHT_MAX) {
        yaml_complain(reader, tree->offset, 1, NULL,
                      "aliases stand for more than %d values here",
                      TREE_WEIGHT_MAX);
        return false;
    }
    if (depth >= TREE_DEPTH_MAX) {
        yaml_complain(reader, tree->offset, 1, NULL,
                      "nested more than %d levels deep", TREE_DEPTH_MAX);
        return false;
    }
    tree->weight = (uint32_t)weight;
    tree->depth = depth + 1;
    return true;
}

static void remember_anchor(struct yaml_reader *reader, struct fy_token *token,
                            struct yaml_anchor **ret)
{
    struct yaml_anchor *anchor;
    size_t length = 0;
    const char *name = token ? fy_token_get_text(token, &length) : NULL;

    *ret = NULL;
    if (!name)
        return;
    if (++reader->anchor_count > YAML_ANCHORS_MAX) {
        const struct fy_mark *mark = fy_token_start_mark(token);

        yaml_complain(reader, reader->start + (mark ? mark->input_pos : 0),
                      length, NULL, "more than %d names for aliases",
                      YAML_ANCHORS_MAX);
        return;
    }
    anchor = pool_allocate(reader->pool, sizeof *anchor);
    if (!anchor)
        return;
    anchor->name = pool_copy(reader->pool, name, length);
    anchor->next = reader->anchors;
    reader->anchors = anchor;
    *ret = anchor;
}

static const struct tree *alias_target(struct yaml_reader *reader,
                                       struct fy_token *token)
{
    const struct fy_mark *mark = fy_token_start_mark(token);
    size_t length = 0;
    const char *name = fy_token_get_text(token, &length);
    size_t offset = reader->start + (mark ? mark->input_pos : 0);

    if (!name)
        name = "";
    for (struct yaml_anchor *a = reader->anchors; a; a = a->next) {
        if (strlen(a->name) != length || memcmp(a->name, name, length) != 0)
            continue;
        if (!a->tree)
            yaml_complain(reader, offset, length, NULL,
                          "'*%.*s' stands inside the value that it names",
                          (int)length, name);
        return a->tree;
    }
    yaml_complain(reader, offset, length, NULL,
                  "'*%.*s' names no value: no '&%.*s' stands before it",
                  (int)length, name, (int)length, name);
    return NULL;
}

static struct tree *read_scalar(struct yaml_reader *reader,
                                struct fy_event *event, size_t fallback)
{
    struct fy_token *token = event->scalar.value;
    struct tree *tree = pool_allocate(reader->pool, sizeof *tree);
    const char *text = NULL;

    if (!tree)
        return NULL;
    yaml_set_place(reader, tree, token, fallback);
    tree->depth = tree->weight = 1;
    if (token) {
        text = fy_token_get_text(token, &tree->length);
        reader->pool->out_of_memory |= !text;
        tree->quoted = fy_token_scalar_style(token) != FYSS_PLAIN;
    }
    tree->text =
        pool_copy(reader->pool, text ? text : "", text ? tree->length : 0);
    if (!text)
        tree->length = 0;
    return tree->text ? tree : NULL;
}

/* The parts, which were pushed in front of each other, as arrays in order. */
static bool fill(struct yaml_reader *reader, struct tree *tree,
                 const struct part *last, uint32_t count)
{
    tree->count = count;
    tree->values =
        pool_allocate(reader->pool, (count + 1) * sizeof *tree->values);
    if (tree->kind == TREE_MAP)
        tree->keys =
            pool_allocate(reader->pool, (count + 1) * sizeof *tree->keys);
    if (!tree->values || (tree->kind == TREE_MAP && !tree->keys))
        return false;
    for (; last; last = last->next) {
        count--;
        tree->values[count] = last->value;
        if (tree->kind == TREE_MAP)
            tree->keys[count] = last->key;
    }
    return is_affordable(reader, tree);
}

static bool push_part(struct yaml_reader *reader, struct part **parts,
                      const struct tree *key, const struct tree *value)
{
    struct part *part = pool_allocate(reader->pool, sizeof *part);

    if (!part)
        return false;
    *part = (struct part){key, value, *parts};
    *parts = part;
    return true;
}

static bool read_list(struct yaml_reader *reader, struct tree *tree,
                      uint32_t level)
{
    struct part *parts = NULL;
    uint32_t count = 0;

    for (;; count++) {
        struct fy_event *event = fy_parser_parse(reader->parser);
        const struct tree *value;

        if (!event)
            return false;
        if (event->type == FYET_SEQUENCE_END) {
            fy_parser_event_free(reader->parser, event);
            return fill(reader, tree, parts, count);
        }
        value = yaml_read_value(reader, event, tree->offset, level);
        if (!value || !push_part(reader, &parts, NULL, value))
            return false;
    }
}

static int compare_keys(const void *a, const void *b)
{
    const struct tree *x = *(const struct tree *const *)a;
    const struct tree *y = *(const struct tree *const *)b;
    int order = strcmp(x->text, y->text);

    return order ? order : (x->offset > y->offset) - (x->offset < y->offset);
}

/* Sorted copies find duplicates without comparing all with all. */
static bool has_unique_keys(struct yaml_reader *reader, const struct tree *tree)
{
    size_t size = tree->count * sizeof *tree->keys;
    const struct tree **sorted = pool_allocate(reader->pool, size + 1);

    if (!sorted)
        return false;
    memcpy(sorted, tree->keys, size);
    qsort(sorted, tree->count, sizeof *sorted, compare_keys);
    for (uint32_t i = 1; i < tree->count; i++) {
        if (strcmp(sorted[i]->text, sorted[i - 1]->text) != 0)
            continue;
        yaml_complain(reader, sorted[i]->offset, sorted[i]->span, NULL,
                      "'%s' is given twice, first in line %u", sorted[i]->text,
                      (unsigned)sorted[i - 1]->line);
        return false;
    }
    return true;
}

/* A merge key takes one map, or a list of which the first wins. */
static uint32_t parts_of(const struct tree *merged)
{
    return merged->kind == TREE_LIST ? merged->count : 1;
}

/* Takes merge keys out of a map and lays their maps under it. */
static const struct tree *resolve_merge_key(struct yaml_reader *reader,
                                            struct tree *map)
{
    const struct tree *under = tree_find(map, "<<"), *merged;
    struct tree *copy;
    uint32_t count = 0;

    if (!under)
        return map;
    for (uint32_t i = 0; i < map->count; i++) {
        if (map->values[i] == under && tree_is_text(map->keys[i], "<<"))
            continue;
        map->keys[count] = map->keys[i];
        map->values[count++] = map->values[i];
    }
    map->count = count;
    merged = map;
    for (uint32_t i = 0; i < parts_of(under) && merged; i++) {
        const struct tree *part =
            under->kind == TREE_LIST ? under->values[i] : under;

        if (part->kind != TREE_MAP) {
            yaml_complain(reader, part->offset, part->span, NULL,
                          "'<<' needs a block of settings such as '*name'");
            return NULL;
        }
        merged = tree_underlay(reader->pool, part, merged);
    }
    if (!merged)
        return NULL;
    copy = pool_allocate(reader->pool, sizeof *copy);
    if (!copy)
        return NULL;
    *copy = *merged;
    return is_affordable(reader, copy) ? copy : NULL;
}

static const struct tree *read_key(struct yaml_reader *reader,
                                   struct fy_event *event, size_t fallback,
                                   uint32_t level)
{
    const struct tree *key;
    bool is_scalar = event->type == FYET_SCALAR;

    key = yaml_read_value(reader, event, fallback, level);
    if (!key)
        return NULL;
    if (!is_scalar || memchr(key->text, '\0', key->length)) {
        yaml_complain(reader, key->offset, key->span, NULL,
                      "a key must be a plain word");
        return NULL;
    }
    return key;
}

static bool read_pairs(struct yaml_reader *reader, struct tree *tree,
                       uint32_t level)
{
    struct part *parts = NULL;
    uint32_t count = 0;

    for (;; count++) {
        struct fy_event *event = fy_parser_parse(reader->parser);
        const struct tree *key, *value;

        if (!event)
            return false;
        if (event->type == FYET_MAPPING_END) {
            fy_parser_event_free(reader->parser, event);
            return fill(reader, tree, parts, count);
        }
        key = read_key(reader, event, tree->offset, level);
        event = key ? fy_parser_parse(reader->parser) : NULL;
        if (!event)
            return false;
        value = yaml_read_value(reader, event, key->offset, level);
        if (!value || !push_part(reader, &parts, key, value))
            return false;
    }
}

static const struct tree *read_block(struct yaml_reader *reader,
                                     struct fy_token *token, bool is_map,
                                     size_t fallback, uint32_t level)
{
    struct tree *tree = pool_allocate(reader->pool, sizeof *tree);

    if (!tree)
        return NULL;
    tree->kind = is_map ? TREE_MAP : TREE_LIST;
    yaml_set_place(reader, tree, token, fallback);
    tree->span = 1;
    if (level >= TREE_DEPTH_MAX) {
        yaml_complain(reader, tree->offset, 1, NULL,
                      "nested more than %d levels deep", TREE_DEPTH_MAX);
        return NULL;
    }
    if (!is_map)
        return read_list(reader, tree, level + 1) ? tree : NULL;
    if (!read_pairs(reader, tree, level + 1) || !has_unique_keys(reader, tree))
        return NULL;
    return resolve_merge_key(reader, tree);
}

static bool is_tagged(struct yaml_reader *reader, struct fy_token *tag)
{
    const struct fy_mark *mark = tag ? fy_token_start_mark(tag) : NULL;

    if (!tag)
        return false;
    yaml_complain(reader, reader->start + (mark ? mark->input_pos : 0), 1, NULL,
                  "tags such as '!name' mean nothing here");
    return true;
}

static const struct tree *read_event(struct yaml_reader *reader,
                                     struct fy_event *event, size_t fallback,
                                     uint32_t level,
                                     struct yaml_anchor **anchor)
{
    switch (event->type) {
    case FYET_SCALAR:
        if (is_tagged(reader, event->scalar.tag))
            return NULL;
        remember_anchor(reader, event->scalar.anchor, anchor);
        return read_scalar(reader, event, fallback);
    case FYET_ALIAS:
        return alias_target(reader, event->alias.anchor);
    case FYET_SEQUENCE_START:
        if (is_tagged(reader, event->sequence_start.tag))
            return NULL;
        remember_anchor(reader, event->sequence_start.anchor, anchor);
        return read_block(reader, event->sequence_start.sequence_start, false,
                          fallback, level);
    case FYET_MAPPING_START:
        if (is_tagged(reader, event->mapping_start.tag))
            return NULL;
        remember_anchor(reader, event->mapping_start.anchor, anchor);
        return read_block(reader, event->mapping_start.mapping_start, true,
                          fallback, level);
    default:
        return NULL;
    }
}

const struct tree *yaml_read_value(struct yaml_reader *reader,
                                   struct fy_event *event, size_t fallback,
                                   uint32_t level)
{
    struct yaml_anchor *anchor = NULL;
    const struct tree *tree = NULL;

    if (++reader->values > TREE_WEIGHT_MAX)
        yaml_complain(reader, fallback, 1, NULL, "more than %d values",
                      TREE_WEIGHT_MAX);
    else
        tree = read_event(reader, event, fallback, level, &anchor);
    fy_parser_event_free(reader->parser, event);
    if (anchor)
        anchor->tree = tree;
    return tree;
}
