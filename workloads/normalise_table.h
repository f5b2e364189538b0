/*
 * Tables of replacements for the normaliser: synonyms and translations.
 *
 * Internal to the normaliser, which gives the function that brings both sides
 * of a row into their form without tables. A table is read whole and then
 * only looked at.
 */
#ifndef WORKLOADS_NORMALISE_TABLE_H
#define WORKLOADS_NORMALISE_TABLE_H

#include "workloads/diag.h"
#include "workloads/trace_keys.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NORMALISE_TERM_WORDS 16 /* of one term, at most */

/* One row: what its term is replaced by. */
struct normalise_entry {
    char *text; /* owned */
    size_t length;
    uint64_t line;
    uint32_t column, span; /* of the replacement, for complaints */
};

struct normalise_table {
    struct trace_keys terms;         /* ids index the entries */
    struct normalise_entry *entries; /* [terms.count] */
    uint32_t entry_capacity;
    uint32_t most_words; /* of any term */
};

/* What a table is called and how a row's sides are brought into form. */
struct normalise_table_reading {
    const char *path;
    const char *const *names; /* [2], such as "term", "canonical" */
    bool by_words;            /* terms are matched inside texts */
    /* false: no memory. The text holds until the next call. */
    bool (*form)(void *context, const char *text, size_t length,
                 const char **ret_text, size_t *ret_length);
    void *context;
    struct diag *diag;
};

/* false: diag says why. normalise_table_done is due in any case. */
bool normalise_table_read(struct normalise_table *table,
                          const struct normalise_table_reading *reading);
void normalise_table_done(struct normalise_table *table);

/* NULL: no row has this term. */
const struct normalise_entry *
normalise_table_find(const struct normalise_table *table, const char *text,
                     size_t length);

#endif
