/*
 * Recorded traffic: a trace file, read once, shared by all simulations.
 *
 * trace_open reads the whole file in one stream (plain, gzip or zstd, told by
 * content), checks every row by the rules of its format, and keeps compact
 * columns in memory up to spec.memory_bytes. A larger file is read again by
 * each cursor as it goes (resampling then needs a plain file, of which an
 * index of places is kept). What was read is immutable: any number of threads
 * may hold cursors.
 *
 * Time: the first row that can be played is at 0 of the file's own time, in
 * every format; with sort it is the earliest one. Play starts where the slice
 * starts, so that without a slice the first request arrives at 0.
 *
 * Books: rows_read = rows_kept + rows_dropped, dropped by reason. A row that
 * is dropped as bad counts against bad_rows_limit; one outside the slice does
 * not, nor do rows with no tokens in a published trace: these are the failed
 * requests of its time.
 *
 * Keys: a row's key is what stands in the column of keys, or else its prompt.
 * With a normaliser, the normal form of the prompt comes before both, and the
 * raw key is remembered beside it: what the key would be without.
 *
 * Labels: the words in the columns of classes and of models are looked up in
 * lists that the caller knows, and rows carry places in them. A word that is
 * in no list is an error, and never a bad row that may be skipped: it is the
 * list that is wrong, for all rows with this word. Without a list the column
 * is not looked at.
 */
#ifndef WORKLOADS_TRACE_H
#define WORKLOADS_TRACE_H

#include "workloads/diag.h"
#include "workloads/normalise.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Labels are kept in 8 bits. */
#define TRACE_LABELS_MAX 254

enum trace_format {
    TRACE_AUTO,      /* by the header's columns */
    TRACE_CANONICAL, /* request-trace 1 */
    TRACE_AZURE_LLM, /* TIMESTAMP,ContextTokens,GeneratedTokens; 2023 and 2024
                        spellings of the time */
    TRACE_VIDUR,     /* arrived_at,num_prefill_tokens,num_decode_tokens */
    TRACE_SPLITWISE, /* ...,arrival_timestamp,...,prompt_size,token_size */
    TRACE_FORMAT_COUNT
};

extern const char *const trace_format_names[TRACE_FORMAT_COUNT];

enum trace_bad_rows { TRACE_STRICT, TRACE_SKIP };

enum trace_resample { TRACE_RESAMPLE_NONE, TRACE_RESAMPLE_BLOCKS };

enum trace_drop {
    TRACE_SHORT_ROW, /* or longer than the header, or with stray quotes */
    TRACE_BAD_TIME,
    TRACE_BAD_NUMBER,
    TRACE_NEGATIVE,
    TRACE_OVERFLOW, /* tokens above 2^31 - 1 */
    TRACE_OUT_OF_ORDER,
    TRACE_ZERO_INPUT,
    TRACE_ZERO_OUTPUT,
    TRACE_OUTSIDE_SLICE, /* before start or after duration: not a bad row */
    TRACE_DROP_COUNT
};

extern const char *const trace_drop_names[TRACE_DROP_COUNT];

/* The words that a column may hold. */
struct trace_words {
    const char *const *items; /* [count], NULL behind the last; borrowed until
                                 trace_close */
    uint32_t count;           /* 0: the column is not looked at; at most
                                 TRACE_LABELS_MAX */
    const char *home;         /* where they are listed, for complaints */
};

struct trace_spec {
    const char *path; /* as found; borrowed until trace_close */
    enum trace_format format;
    double rate_scale;   /* 2 plays twice as fast; NaN: unsaid */
    double rate_per_s;   /* scale to this mean rate; NaN: unsaid */
    int64_t start_ns;    /* slice, in the file's own time from its first row */
    int64_t duration_ns; /* of the slice; INT64_MAX: to the end */
    enum trace_bad_rows bad_rows;
    const char *bad_rows_hint; /* how to skip bad rows, where this is not a
                                  setting of a scenario; NULL: it is */
    double bad_rows_limit;     /* share that may be dropped as bad, 0.01 */
    bool sort;                 /* stable sort by time instead of refusing */
    bool keep_zero_output;     /* azure: keep failed requests as prefill only */
    uint64_t memory_bytes;     /* for columns, 1 GiB */
    int64_t block_ns;          /* length of a resampled block, in played time,
                                  after scaling; 0: nothing is resampled */
    /* What prompts go through; NULL: they stay as they are. Borrowed until
       trace_close. */
    const struct normaliser *normaliser;
    struct trace_words classes, models;
    bool may_lack_time; /* a format may do without: all rows are at 0. For
                           profiles; nothing to play */
};

/* One row as played. key: NULL when the trace has none or it is empty. */
struct trace_row {
    int64_t at_ns; /* from the start of play, scaled */
    uint32_t input_tokens, output_tokens;
    uint64_t key_hash; /* XXH64 of key, 0: none */
    uint64_t raw_hash; /* of the raw key; 0: none, or nothing is normalised */
    const char *key;   /* not 0-terminated; valid as long as the cursor */
    uint32_t key_length;
    /* 1 + the place of its word in the list; 0: the row has none. */
    uint8_t class_label, model_label;
};

/* What a normaliser did to the prompts of all sound rows, in the slice or
   not. */
struct trace_prompts {
    uint64_t prompts; /* rows that have one */
    uint64_t changed, invalid, translated, untranslated,
        unsettled;           /* of these */
    uint64_t raw_keys, keys; /* distinct ones, with those of rows without a
                                prompt */
};

/* The rows kept that have one label. */
struct trace_label_sums {
    uint64_t rows, input_tokens, output_tokens;
};

struct trace_books {
    uint64_t rows_read, rows_kept;
    uint64_t rows_moved; /* by sort: those that stood behind a later one */
    uint64_t dropped[TRACE_DROP_COUNT];
    int64_t span_ns; /* of play: the slice's length if the file reaches so far,
                        else up to the last kept row plus one mean gap, scaled;
                        the gap of rows at one instant counts as 1 s */
    double rate_per_s; /* mean rate as played */
    double rate_scale; /* the factor in force */
    bool has_keys;
    bool is_normalised; /* there was a normaliser */
    struct trace_prompts prompts;
    bool in_memory;
    uint64_t whole_blocks; /* for resampling */
    double mean_input_tokens, mean_output_tokens;
    /* Whether the file has such a column, looked at or not; and, where it was
       looked at, rows by label, those without one at 0. */
    bool has_class_column, has_model_column;
    struct trace_label_sums by_class[TRACE_LABELS_MAX + 1];
    struct trace_label_sums by_model[TRACE_LABELS_MAX + 1];
    uint64_t first_line_without_class; /* of those rows, 0: unknown */
};

struct trace;

/* NULL: diag says what and where, or that memory or the file system failed. */
struct trace *trace_open(const struct trace_spec *spec, struct diag *diag);
void trace_close(struct trace *trace);
const struct trace_books *trace_books(const struct trace *trace);

/* Whether rows carry labels: the file has the column and it was looked at. */
bool trace_has_classes(const struct trace *trace);
bool trace_has_models(const struct trace *trace);

/*
 * Whether blocks can be drawn: there is at least one whole block, and rows are
 * in memory or can be sought. false: diag says why and what would help.
 */
bool trace_check_resample(const struct trace *trace, struct diag *diag);

/*
 * Plays the trace for one replication. With TRACE_RESAMPLE_BLOCKS replication
 * 1 is the file as recorded; the others draw whole blocks with replacement by
 * (seed, replication), the last one cut at duration_ns. Without, every
 * replication is the file, cut at duration_ns.
 */
struct trace_cursor;

/* NULL: no memory, the file has changed or can no longer be read, or blocks
   are wanted where trace_check_resample says no. */
struct trace_cursor *trace_cursor_create(const struct trace *trace,
                                         enum trace_resample resample,
                                         int64_t duration_ns, uint64_t seed,
                                         uint64_t replication);
void trace_cursor_destroy(struct trace_cursor *cursor);

/* false: the end, or an error (the file changed or vanished meanwhile): see
   trace_cursor_failed. */
bool trace_cursor_next(struct trace_cursor *cursor, struct trace_row *ret_row);
bool trace_cursor_failed(const struct trace_cursor *cursor);

#endif
