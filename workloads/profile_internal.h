/* What a profile is gathered in, for profile*.c alone. */
#ifndef WORKLOADS_PROFILE_INTERNAL_H
#define WORKLOADS_PROFILE_INTERNAL_H

#include "workloads/byte_lru.h"
#include "workloads/profile.h"
#include "workloads/seen.h"
#include "workloads/trace_keys.h"

/* One row of any format. */
struct profile_row {
    bool has_time, has_tokens, has_blocks, has_key, has_size;
    int64_t time_ns;
    uint32_t input_tokens, output_tokens;
    const uint64_t *blocks; /* [block_count] */
    size_t block_count;
    uint64_t key, size;
};

struct gather {
    const struct profile_spec *spec;
    struct profile *profile;
    struct diag *diag;

    /* Columns of requests. [rows], those that the format has. */
    int64_t *times_ns;
    uint32_t *input_tokens, *output_tokens;
    uint64_t *identities;
    size_t rows, capacity;
    int64_t before_ns; /* time of the row before */

    struct reuse reuse;
    struct seen lists;   /* of blocks, by hash */
    struct seen clients; /* of an access log, by hash */
    struct trace_keys class_words, model_words;
    uint64_t newest; /* largest id that was new so far, + 1 */
    double leading_ratios;
    struct byte_lru *caches; /* [spec->byte_capacity_count] */
    uint64_t *sizes;         /* [size_capacity] by item, + 1; 0: unknown */
    size_t size_capacity;
};

/* false: diag says why. */
bool gather_row(struct gather *gather, const struct profile_row *row);
bool profile_read(struct gather *gather);

/* profile_labels.c. One row's word in a column, NULL: none; words are numbered
   as labels->items are. false: no memory. */
bool profile_labels_count(struct profile_labels *labels,
                          struct trace_keys *words, const char *word,
                          uint32_t length, const struct profile_row *row);
/* At the end; numbers mean nothing any more. */
void profile_labels_sort(struct profile_labels *labels);
void profile_labels_done(struct profile_labels *labels);

/* "time key bytes" */
bool profile_split_webcachesim(const char *text, size_t length,
                               struct profile_row *row);

/* The columns are sorted on the way. false: no memory. */
bool profile_count_arrivals(struct gather *gather);
bool profile_count_tokens(struct gather *gather);

/* An error about the file, or about a line of it. */
__attribute__((format(printf, 4, 5))) bool
profile_complain(const struct gather *gather, uint64_t line, const char *hint,
                 const char *format, ...);

#endif
