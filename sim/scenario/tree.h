/*
 * A scenario's text as a tree of values that know where they were written.
 *
 * The YAML library only reads text; everything after that (includes, --set,
 * defaults, checks, the effective scenario) works on this tree, so that every
 * value keeps the place it came from through all of it. Nodes are shared
 * freely between trees (an alias, or the defaults under each group), so what
 * is in a tree is never changed; merging makes new maps.
 *
 * Memory comes from a pool and goes with it.
 */
#ifndef SIM_SCENARIO_TREE_H
#define SIM_SCENARIO_TREE_H

#include "workloads/diag.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TREE_DEPTH_MAX 64      /* levels of nesting */
#define TREE_WEIGHT_MAX 150000 /* values, each alias counted in full */

struct pool {
    struct pool_chunk *chunks;
    bool out_of_memory; /* stays set: looked at once, at the end */
};

/* Zeroed and aligned for any type. NULL: no memory, and the pool says so. */
void *pool_allocate(struct pool *pool, size_t size);
/* A 0-terminated copy. */
char *pool_copy(struct pool *pool, const char *text, size_t length);
char *pool_print(struct pool *pool, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void pool_done(struct pool *pool);

enum source_kind { SOURCE_FILE, SOURCE_SET };

/* A text that values were written in. */
struct source {
    enum source_kind kind;
    const char *name; /* as shown */
    const char *text; /* not 0-terminated */
    size_t length;
    uint32_t first_line; /* of an override: its number, from 1; else 1 */
};

enum tree_kind { TREE_SCALAR, TREE_LIST, TREE_MAP };

struct tree {
    enum tree_kind kind;
    bool quoted;      /* scalar: in quotes, or a block of text */
    const char *text; /* scalar: 0-terminated too */
    size_t length;
    uint32_t count;              /* of values */
    const struct tree **keys;    /* [count] of a map, scalars */
    const struct tree **values;  /* [count] of a map or list */
    const struct source *source; /* NULL: made by the program */
    size_t offset, span;         /* in source->text */
    uint32_t line;               /* from first_line on */
    uint32_t depth, weight;      /* levels, values: of this subtree */
};

/* The value of a key, or NULL; also NULL when tree is NULL or no map. */
const struct tree *tree_get(const struct tree *tree, const char *key,
                            size_t length);
const struct tree *tree_find(const struct tree *tree, const char *key);

/* Its key in the map, or NULL. */
const struct tree *tree_key(const struct tree *map, const char *key);

/* Plain, empty, ~ or null: nothing was written. */
bool tree_is_nothing(const struct tree *tree);

/* Plain off: how a mechanism is switched off again. */
bool tree_is_off(const struct tree *tree);

bool tree_is_text(const struct tree *tree, const char *text);

/* Maps are merged key by key, over's keys first in their order; of anything
   else over wins. Either may be NULL. NULL: no memory (or both NULL). */
const struct tree *tree_merge(struct pool *pool, const struct tree *under,
                              const struct tree *over);

/* The same for the keys of this map alone: what YAML's merge key means. */
const struct tree *tree_underlay(struct pool *pool, const struct tree *under,
                                 const struct tree *over);

/* A copy whose values (not the values' values) may be changed. */
struct tree *tree_copy(struct pool *pool, const struct tree *tree);

/* A copy of a map with one key set, or of a list with one item replaced. */
const struct tree *tree_with_key(struct pool *pool, const struct tree *map,
                                 const struct tree *key,
                                 const struct tree *value);
const struct tree *tree_with_item(struct pool *pool, const struct tree *list,
                                  uint32_t index, const struct tree *value);

/* A copy of a list without one of its items. */
const struct tree *tree_without_item(struct pool *pool, const struct tree *list,
                                     uint32_t index);

/* Where a value stands, for a complaint. */
struct diag_place tree_place(const struct tree *tree);
struct diag_place source_place(const struct source *source, size_t offset,
                               size_t span);

/* "a scalar" in users' words: "a list", "a block of settings", "nothing". */
const char *tree_kind_words(const struct tree *tree);

#endif
