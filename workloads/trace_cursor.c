/*
 * Playing a trace: rows from memory or from the file read again, as recorded
 * or as blocks drawn with replacement.
 */
#include "workloads/trace_internal.h"

#include "workloads/rng.h"

#include <stdlib.h>

struct trace_cursor {
    const struct trace *trace;
    int64_t duration_ns;
    uint64_t next_row; /* in memory */

    /* Else: a reading of its own, and the texts of the keys met so far. */
    struct trace_reader reader;
    struct trace_keys keys;
    uint64_t rows_played;

    /* The block in play, in played time of the trace; shift_ns takes it to
       its place in this replication. */
    bool resampled;
    struct rng rng;
    uint64_t blocks_drawn;
    int64_t block_end_ns, shift_ns;

    bool ended, failed;
};

static bool open_file(struct trace_cursor *cursor)
{
    const struct trace *trace = cursor->trace;
    struct source_identity identity;
    const struct trace_mark *mark;

    if (!trace_reader_open(&cursor->reader, &trace->spec, NULL))
        return false;
    identity = source_identity(cursor->reader.source);
    if (!source_identity_equal(&identity, &trace->identity))
        return false;
    if (!trace->seekable)
        return true; /* what is before the slice is read and passed over */
    mark = trace_find_mark(trace, 0);
    return trace_reader_seek(&cursor->reader, mark->offset, mark->time_ns);
}

struct trace_cursor *trace_cursor_create(const struct trace *trace,
                                         enum trace_resample resample,
                                         int64_t duration_ns, uint64_t seed,
                                         uint64_t replication)
{
    bool resampled = resample == TRACE_RESAMPLE_BLOCKS && replication != 1;
    struct trace_cursor *cursor;

    if (resampled && trace->books.whole_blocks == 0)
        return NULL;
    cursor = calloc(1, sizeof *cursor);
    if (!cursor)
        return NULL;
    cursor->trace = trace;
    cursor->duration_ns = duration_ns;
    cursor->next_row = trace->first_row;
    cursor->resampled = resampled;
    cursor->ended = duration_ns <= 0;
    rng_stream(&cursor->rng, seed, replication, RNG_RESAMPLE, 0);
    if (!trace->books.in_memory && !open_file(cursor)) {
        trace_cursor_destroy(cursor);
        return NULL;
    }
    return cursor;
}

void trace_cursor_destroy(struct trace_cursor *cursor)
{
    if (!cursor)
        return;
    trace_reader_close(&cursor->reader);
    trace_keys_done(&cursor->keys);
    free(cursor);
}

bool trace_cursor_failed(const struct trace_cursor *cursor)
{
    return cursor->failed;
}

static bool next_from_memory(struct trace_cursor *cursor,
                             struct trace_row *ret_row)
{
    const struct trace *trace = cursor->trace;
    struct trace_record record;
    uint64_t hash, raw_hash;

    if (cursor->next_row >= trace->end_row)
        return false;
    trace_columns_get(&trace->columns, cursor->next_row++, &record, &hash,
                      &raw_hash);
    *ret_row = (struct trace_row){
        .at_ns = trace_played_ns(trace, record.time_ns),
        .input_tokens = record.input_tokens,
        .output_tokens = record.output_tokens,
        .key_hash = hash,
        .raw_hash = raw_hash,
        .key = record.key,
        .key_length = record.key_length,
        .class_label = record.class_label,
        .model_label = record.model_label,
    };
    return true;
}

/* The reader's text of a key goes with its row, the cursor's stays. */
static bool keep_key(struct trace_cursor *cursor,
                     const struct trace_record *record,
                     struct trace_row *ret_row)
{
    const struct trace_key *key;
    uint32_t id;

    if (record->raw)
        ret_row->raw_hash = trace_keys_hash(record->raw, record->raw_length);
    if (!record->key)
        return true;
    id = trace_keys_intern(&cursor->keys, record->key, record->key_length);
    if (id == TRACE_KEYS_NONE)
        return false;
    key = &cursor->keys.items[id];
    ret_row->key = key->text;
    ret_row->key_length = key->length;
    ret_row->key_hash = key->hash;
    return true;
}

/* At the end of a file that is still the same, its last row was the latest,
   and played as recorded there were as many rows as before. */
static bool ends_as_before(const struct trace_cursor *cursor)
{
    const struct trace *trace = cursor->trace;

    return cursor->reader.latest_ns == trace->latest_ns &&
           (cursor->resampled || cursor->rows_played == trace->books.rows_kept);
}

static bool next_from_file(struct trace_cursor *cursor,
                           struct trace_row *ret_row)
{
    const struct trace *trace = cursor->trace;
    struct trace_record record;
    enum trace_reader_status status;

    do
        status = trace_reader_next(&cursor->reader, &record);
    while (status == TRACE_READER_ROW && record.time_ns < trace->play_start_ns);

    if (status != TRACE_READER_ROW) {
        cursor->failed =
            status == TRACE_READER_FAILED || !ends_as_before(cursor);
        return false;
    }
    if (!trace_in_slice(trace, record.time_ns))
        return false; /* behind the slice */
    cursor->rows_played++;
    *ret_row = (struct trace_row){
        .at_ns = trace_played_ns(trace, record.time_ns),
        .input_tokens = record.input_tokens,
        .output_tokens = record.output_tokens,
        .class_label = record.class_label,
        .model_label = record.model_label,
    };
    cursor->failed = !keep_key(cursor, &record, ret_row);
    return !cursor->failed;
}

static bool next_recorded(struct trace_cursor *cursor,
                          struct trace_row *ret_row)
{
    return cursor->trace->books.in_memory ? next_from_memory(cursor, ret_row)
                                          : next_from_file(cursor, ret_row);
}

/*
 * Draws the next block and goes to its start. false: the replication is over,
 * or the file cannot be sought.
 */
static bool draw_block(struct trace_cursor *cursor)
{
    const struct trace *trace = cursor->trace;
    int64_t block_ns = trace->spec.block_ns;
    int64_t place_ns;
    uint64_t block;

    if (cursor->blocks_drawn > (uint64_t)((cursor->duration_ns - 1) / block_ns))
        return false;
    place_ns = (int64_t)cursor->blocks_drawn++ * block_ns;
    block = rng_below(&cursor->rng, trace->books.whole_blocks);

    int64_t start_ns = (int64_t)block * block_ns;

    cursor->block_end_ns = start_ns + block_ns;
    cursor->shift_ns = place_ns - start_ns;
    if (trace->books.in_memory) {
        cursor->next_row = trace_find_row(trace, start_ns);
        if (cursor->next_row < trace->first_row)
            cursor->next_row = trace->first_row; /* rounded up to 0 */
        return true;
    }

    const struct trace_mark *mark = trace_find_mark(trace, start_ns);

    cursor->failed =
        !trace_reader_seek(&cursor->reader, mark->offset, mark->time_ns);
    return !cursor->failed;
}

/* Rows between the mark and the block are passed over. */
static bool next_of_block(struct trace_cursor *cursor,
                          struct trace_row *ret_row)
{
    int64_t block_ns = cursor->trace->spec.block_ns;

    do
        if (!next_recorded(cursor, ret_row))
            return false;
    while (ret_row->at_ns < cursor->block_end_ns - block_ns);
    if (ret_row->at_ns >= cursor->block_end_ns)
        return false;
    ret_row->at_ns += cursor->shift_ns;
    return true;
}

static bool next_resampled(struct trace_cursor *cursor,
                           struct trace_row *ret_row)
{
    while (cursor->blocks_drawn == 0 || !next_of_block(cursor, ret_row))
        if (cursor->failed || !draw_block(cursor))
            return false;
    return true;
}

bool trace_cursor_next(struct trace_cursor *cursor, struct trace_row *ret_row)
{
    bool more;

    if (cursor->ended)
        return false;
    more = cursor->resampled ? next_resampled(cursor, ret_row)
                             : next_recorded(cursor, ret_row);
    if (!more || ret_row->at_ns >= cursor->duration_ns) {
        cursor->ended = true;
        return false;
    }
    return true;
}
