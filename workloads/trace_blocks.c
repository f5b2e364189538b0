/*
 * Blocks to resample, and how to get to where one starts.
 *
 * Block b holds the rows played from b to b + 1 times block_ns. Its first row
 * is found by bisection of the columns, or by the nearest mark of a file.
 */
#include "workloads/trace_internal.h"

#include <inttypes.h>
#include <stdlib.h>

uint64_t trace_find_row(const struct trace *trace, int64_t played_ns)
{
    uint64_t low = 0, high = trace->columns.rows;

    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        int64_t time_ns = trace_columns_time(&trace->columns, middle);

        if (trace_played_ns(trace, time_ns) < played_ns)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool trace_add_mark(struct trace *trace, const struct trace_record *record)
{
    size_t count = trace->mark_count;

    if (!trace->seekable ||
        (count > 0 &&
         record->offset - trace->marks[count - 1].offset < TRACE_MARK_BYTES))
        return true;
    if (count == trace->mark_capacity) {
        size_t capacity = count ? 2 * count : 64;
        struct trace_mark *marks =
            realloc(trace->marks, capacity * sizeof *marks);

        if (!marks)
            return false;
        trace->marks = marks;
        trace->mark_capacity = capacity;
    }
    trace->marks[trace->mark_count++] =
        (struct trace_mark){record->offset, record->time_ns};
    return true;
}

/* Strictly before: of rows at one instant the mark may be the second. */
const struct trace_mark *trace_find_mark(const struct trace *trace,
                                         int64_t played_ns)
{
    size_t low = 0, high = trace->mark_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (trace_played_ns(trace, trace->marks[middle].time_ns) < played_ns)
            low = middle + 1;
        else
            high = middle;
    }
    return &trace->marks[low > 0 ? low - 1 : 0];
}

bool trace_check_resample(const struct trace *trace, struct diag *diag)
{
    struct diag_place place = {.file = trace->spec.path};

    if (trace->books.whole_blocks > 0)
        return true;
    if (!trace->books.in_memory && !trace->seekable)
        diag_add(diag, DIAG_ERROR, &place,
                 "`trace.resample: none`, unpack the file, or raise "
                 "`trace.memory`",
                 "blocks cannot be drawn from a compressed file that needs "
                 "more memory than %" PRIu64 " MiB",
                 trace->spec.memory_bytes >> 20);
    else
        diag_add(diag, DIAG_ERROR, &place,
                 "`trace.resample: none`, or shorter blocks",
                 "the trace plays for %.9g s and has no whole block of %.9g s",
                 (double)trace->books.span_ns / 1e9,
                 (double)trace->spec.block_ns / 1e9);
    return false;
}
