/*
 * The rows of a trace in memory: 16 bytes each, 20 with keys, 24 with raw keys
 * beside them, and 2 more with labels.
 *
 * Internal to the trace module. Rows lie in chunks that are never moved, so
 * that growing needs no second copy.
 */
#ifndef WORKLOADS_TRACE_COLUMNS_H
#define WORKLOADS_TRACE_COLUMNS_H

#include "workloads/trace_keys.h"
#include "workloads/trace_reader.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TRACE_CHUNK_ROWS 4096

struct trace_chunk {
    int64_t time_ns[TRACE_CHUNK_ROWS];
    uint32_t input_tokens[TRACE_CHUNK_ROWS];
    uint32_t output_tokens[TRACE_CHUNK_ROWS];
    /* [TRACE_CHUNK_ROWS] ids or TRACE_KEYS_NONE, if keyed; as many raw ones
       behind them, if normalised; behind all, if labelled, a byte for the
       class of each row, and then one for each model */
    uint32_t keys[];
};

struct trace_columns {
    struct trace_chunk **chunks; /* [chunk_count] */
    size_t chunk_count, chunk_capacity;
    uint64_t rows;
    bool keyed;
    bool normalised; /* only if keyed */
    bool labelled;
    struct trace_keys keys;
    uint64_t bytes_limit;
};

/* false: the row does not fit into the limit, or into memory. */
bool trace_columns_append(struct trace_columns *columns,
                          const struct trace_record *record);

/* Orders the rows by time, equal times as they stand. false: no memory
   within the limit, of which it takes as much again for a while. */
bool trace_columns_sort(struct trace_columns *columns);

void trace_columns_done(struct trace_columns *columns);

static inline int64_t trace_columns_time(const struct trace_columns *columns,
                                         uint64_t row)
{
    return columns->chunks[row / TRACE_CHUNK_ROWS]
        ->time_ns[row % TRACE_CHUNK_ROWS];
}

/* offset, line and flags of the record are not kept and read as 0. Hashes of
   the key and of the raw key are 0 where there is none. */
void trace_columns_get(const struct trace_columns *columns, uint64_t row,
                       struct trace_record *ret_record, uint64_t *ret_key_hash,
                       uint64_t *ret_raw_hash);

#endif
