#include "workloads/trace_columns.h"

#include <assert.h>
#include <stdlib.h>

/* Columns of ids. */
static size_t ids_count(const struct trace_columns *columns)
{
    return ((size_t)columns->keyed + columns->normalised) * TRACE_CHUNK_ROWS;
}

static size_t chunk_size(const struct trace_columns *columns)
{
    return sizeof(struct trace_chunk) + ids_count(columns) * sizeof(uint32_t) +
           (columns->labelled ? (size_t)2 * TRACE_CHUNK_ROWS : 0);
}

/* [2 * TRACE_CHUNK_ROWS], if labelled. */
static uint8_t *labels_of(const struct trace_columns *columns,
                          struct trace_chunk *chunk)
{
    return (uint8_t *)(chunk->keys + ids_count(columns));
}

static uint64_t bytes_held(const struct trace_columns *columns)
{
    return columns->chunk_count * chunk_size(columns) +
           columns->chunk_capacity * sizeof(struct trace_chunk *) +
           columns->keys.bytes;
}

static bool add_chunk(struct trace_columns *columns)
{
    if (bytes_held(columns) + chunk_size(columns) > columns->bytes_limit)
        return false;
    if (columns->chunk_count == columns->chunk_capacity) {
        size_t capacity =
            columns->chunk_capacity ? 2 * columns->chunk_capacity : 16;
        struct trace_chunk **chunks =
            realloc(columns->chunks, capacity * sizeof(struct trace_chunk *));

        if (!chunks)
            return false;
        columns->chunks = chunks;
        columns->chunk_capacity = capacity;
    }

    struct trace_chunk *chunk = malloc(chunk_size(columns));

    if (!chunk)
        return false;
    columns->chunks[columns->chunk_count++] = chunk;
    return true;
}

/* What a row's texts are known by. */
struct ids {
    uint32_t key, raw;
};

static void put(struct trace_columns *columns, uint64_t row,
                const struct trace_record *record, const struct ids *ids)
{
    assert(columns->chunks && row / TRACE_CHUNK_ROWS < columns->chunk_count);

    struct trace_chunk *chunk = columns->chunks[row / TRACE_CHUNK_ROWS];
    size_t at = row % TRACE_CHUNK_ROWS;

    chunk->time_ns[at] = record->time_ns;
    chunk->input_tokens[at] = record->input_tokens;
    chunk->output_tokens[at] = record->output_tokens;
    if (columns->keyed)
        chunk->keys[at] = ids->key;
    if (columns->normalised)
        chunk->keys[TRACE_CHUNK_ROWS + at] = ids->raw;
    if (columns->labelled) {
        labels_of(columns, chunk)[at] = record->class_label;
        labels_of(columns, chunk)[TRACE_CHUNK_ROWS + at] = record->model_label;
    }
}

/* text may be NULL: then there is no id. false: no memory, or above the
   limit. */
static bool intern(struct trace_columns *columns, const char *text,
                   uint32_t length, uint32_t *ret_id)
{
    *ret_id = TRACE_KEYS_NONE;
    if (!text)
        return true;
    *ret_id = trace_keys_intern(&columns->keys, text, length);
    return *ret_id != TRACE_KEYS_NONE &&
           bytes_held(columns) <= columns->bytes_limit;
}

bool trace_columns_append(struct trace_columns *columns,
                          const struct trace_record *record)
{
    struct ids ids;

    if (columns->rows == columns->chunk_count * TRACE_CHUNK_ROWS &&
        !add_chunk(columns))
        return false;
    if (!intern(columns, record->key, record->key_length, &ids.key) ||
        !intern(columns, columns->normalised ? record->raw : NULL,
                record->raw_length, &ids.raw))
        return false;
    put(columns, columns->rows++, record, &ids);
    return true;
}

/* All of a row but its texts. */
static struct trace_record numbers_of(const struct trace_columns *columns,
                                      uint64_t row)
{
    struct trace_chunk *chunk = columns->chunks[row / TRACE_CHUNK_ROWS];
    size_t at = row % TRACE_CHUNK_ROWS;
    struct trace_record record = {
        .time_ns = chunk->time_ns[at],
        .input_tokens = chunk->input_tokens[at],
        .output_tokens = chunk->output_tokens[at],
    };

    if (columns->labelled) {
        record.class_label = labels_of(columns, chunk)[at];
        record.model_label = labels_of(columns, chunk)[TRACE_CHUNK_ROWS + at];
    }
    return record;
}

static struct ids ids_of(const struct trace_columns *columns, uint64_t row)
{
    const struct trace_chunk *chunk = columns->chunks[row / TRACE_CHUNK_ROWS];
    size_t at = row % TRACE_CHUNK_ROWS;

    return (struct ids){
        .key = columns->keyed ? chunk->keys[at] : TRACE_KEYS_NONE,
        .raw = columns->normalised ? chunk->keys[TRACE_CHUNK_ROWS + at]
                                   : TRACE_KEYS_NONE};
}

struct place {
    int64_t time_ns;
    uint64_t row;
};

/* No two places are equal, so any sort by them is stable. */
static int compare_places(const void *a, const void *b)
{
    const struct place *x = a, *y = b;

    if (x->time_ns != y->time_ns)
        return x->time_ns < y->time_ns ? -1 : 1;
    return x->row < y->row ? -1 : 1;
}

static struct place *sorted_places(const struct trace_columns *columns)
{
    struct place *places = malloc((size_t)columns->rows * sizeof *places);

    if (!places)
        return NULL;
    for (uint64_t row = 0; row < columns->rows; row++)
        places[row] = (struct place){trace_columns_time(columns, row), row};
    qsort(places, (size_t)columns->rows, sizeof *places, compare_places);
    return places;
}

static void free_chunks(struct trace_columns *columns)
{
    for (size_t i = 0; i < columns->chunk_count; i++)
        free(columns->chunks[i]);
    free(columns->chunks);
}

bool trace_columns_sort(struct trace_columns *columns)
{
    struct trace_columns sorted = {.keyed = columns->keyed,
                                   .normalised = columns->normalised,
                                   .labelled = columns->labelled,
                                   .bytes_limit = columns->bytes_limit};
    struct place *places;
    uint64_t need = bytes_held(columns) +
                    columns->chunk_count * chunk_size(columns) +
                    columns->rows * sizeof *places;

    if (need > columns->bytes_limit)
        return false;
    places = sorted_places(columns);
    if (!places)
        return false;
    while (sorted.chunk_count < columns->chunk_count) {
        if (!add_chunk(&sorted)) {
            free_chunks(&sorted);
            free(places);
            return false;
        }
    }
    for (; sorted.rows < columns->rows; sorted.rows++) {
        uint64_t row = places[sorted.rows].row;
        struct trace_record record = numbers_of(columns, row);
        struct ids ids = ids_of(columns, row);

        put(&sorted, sorted.rows, &record, &ids);
    }
    free(places);
    free_chunks(columns);
    sorted.keys = columns->keys;
    *columns = sorted;
    return true;
}

void trace_columns_done(struct trace_columns *columns)
{
    free_chunks(columns);
    trace_keys_done(&columns->keys);
    *columns = (struct trace_columns){0};
}

void trace_columns_get(const struct trace_columns *columns, uint64_t row,
                       struct trace_record *ret_record, uint64_t *ret_key_hash,
                       uint64_t *ret_raw_hash)
{
    struct ids ids = ids_of(columns, row);

    *ret_record = numbers_of(columns, row);
    *ret_key_hash = *ret_raw_hash = 0;
    if (ids.key != TRACE_KEYS_NONE) {
        const struct trace_key *key = &columns->keys.items[ids.key];

        ret_record->key = key->text;
        ret_record->key_length = key->length;
        *ret_key_hash = key->hash;
    }
    if (ids.raw != TRACE_KEYS_NONE)
        *ret_raw_hash = columns->keys.items[ids.raw].hash;
}
