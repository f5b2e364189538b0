/* What a trace is made of, for trace*.c alone. */
#ifndef WORKLOADS_TRACE_INTERNAL_H
#define WORKLOADS_TRACE_INTERNAL_H

#include "workloads/formats/source.h"
#include "workloads/trace.h"
#include "workloads/trace_columns.h"
#include "workloads/trace_reader.h"

/* Every so many bytes of a plain file a place is kept from which it can be
   read again. Independent of the blocks, whose length in the file's own time
   is known only when the mean rate is. */
#define TRACE_MARK_BYTES 65536

struct trace_mark {
    uint64_t offset; /* of a row that can be played */
    int64_t time_ns; /* of that row, as recorded */
};

struct trace {
    struct trace_spec spec;
    struct trace_books books;

    /* In memory: rows first_row to end_row - 1 are those of the slice. */
    struct trace_columns columns;
    uint64_t first_row, end_row;

    /* Else the file is read again. */
    struct source_identity identity;
    bool seekable;
    struct trace_mark *marks; /* [mark_count], in order of both members */
    size_t mark_count, mark_capacity;

    int64_t play_start_ns; /* recorded time at which play starts */
    int64_t latest_ns;     /* recorded time of the last row of the file */
    double rate_scale;
};

/* Time from the start of play, scaled; below 0 before the slice. Never falls
   when time_ns rises. */
int64_t trace_played_ns(const struct trace *trace, int64_t time_ns);

/* Whether a recorded time lies in the slice. */
bool trace_in_slice(const struct trace *trace, int64_t time_ns);

/* In memory: the first row that is played at played_ns or later. */
uint64_t trace_find_row(const struct trace *trace, int64_t played_ns);

/* Keeps a mark if the last one is far enough behind. false: no memory. */
bool trace_add_mark(struct trace *trace, const struct trace_record *record);

/* A mark from which all rows at played_ns and later can be read. */
const struct trace_mark *trace_find_mark(const struct trace *trace,
                                         int64_t played_ns);

#endif
