#include "workloads/trace.h"

#include "workloads/seen.h"
#include "workloads/trace_internal.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define NS_PER_S 1e9
#define LONGEST_PLAY_NS 9e18 /* below 2^63 */
#define COUNTS_SIZE 400

const char *const trace_format_names[TRACE_FORMAT_COUNT] = {
    [TRACE_AUTO] = "auto",           [TRACE_CANONICAL] = "canonical",
    [TRACE_AZURE_LLM] = "azure_llm", [TRACE_VIDUR] = "vidur",
    [TRACE_SPLITWISE] = "splitwise",
};

const char *const trace_drop_names[TRACE_DROP_COUNT] = {
    [TRACE_SHORT_ROW] = "short-row",
    [TRACE_BAD_TIME] = "bad-time",
    [TRACE_BAD_NUMBER] = "bad-number",
    [TRACE_NEGATIVE] = "negative",
    [TRACE_OVERFLOW] = "overflow",
    [TRACE_OUT_OF_ORDER] = "out-of-order",
    [TRACE_ZERO_INPUT] = "zero-input",
    [TRACE_ZERO_OUTPUT] = "zero-output",
    [TRACE_OUTSIDE_SLICE] = "outside-slice",
};

/* One reading of the whole file, and what is learnt from it. */
struct pass {
    struct trace *trace;
    struct trace_reader reader;
    struct diag *diag;
    bool has_rows;
    int64_t first_kept_ns, last_kept_ns;
    uint64_t input_tokens, output_tokens; /* sums */
    struct seen keys, raw_keys;           /* with a normaliser */
};

__attribute__((format(printf, 3, 4))) static bool
complain(struct pass *pass, const char *hint, const char *format, ...)
{
    struct diag_place place = {.file = pass->trace->spec.path};
    char message[COUNTS_SIZE + 200];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    diag_add(pass->diag, DIAG_ERROR, &place, hint, "%s", message);
    return false;
}

int64_t trace_played_ns(const struct trace *trace, int64_t time_ns)
{
    int64_t passed_ns = time_ns - trace->play_start_ns;

    if (trace->rate_scale == 1)
        return passed_ns;
    return (int64_t)floor((double)passed_ns / trace->rate_scale + 0.5);
}

bool trace_in_slice(const struct trace *trace, int64_t time_ns)
{
    int64_t passed_ns = time_ns - trace->play_start_ns;

    return passed_ns >= 0 && passed_ns < trace->spec.duration_ns;
}

/* Both are 0 or more; a slice beyond all time holds nothing. */
static int64_t add_ns(int64_t a, int64_t b)
{
    return b > INT64_MAX - a ? INT64_MAX : a + b;
}

static bool lack_memory(struct pass *pass)
{
    struct diag_place place = {.file = pass->trace->spec.path};

    diag_add_no_memory(pass->diag, &place);
    return false;
}

/* Adds a text to a set. false: no memory. */
static bool see(struct seen *seen, const char *text, uint32_t length)
{
    return seen_hash(seen, trace_keys_hash(text, length)) != SEEN_NO_MEMORY;
}

/* What became of the record's prompt. false: no memory. */
static bool count_prompt(struct pass *pass, const struct trace_record *record)
{
    struct trace_prompts *prompts = &pass->trace->books.prompts;
    unsigned flags = record->prompt_flags;

    if (record->raw && (!see(&pass->keys, record->key, record->key_length) ||
                        !see(&pass->raw_keys, record->raw, record->raw_length)))
        return lack_memory(pass);
    prompts->prompts += record->has_prompt;
    prompts->changed += (flags & NORMALISE_CHANGED) != 0;
    prompts->invalid += (flags & NORMALISE_INVALID) != 0;
    prompts->translated += (flags & NORMALISE_TRANSLATED) != 0;
    prompts->untranslated += (flags & NORMALISE_UNTRANSLATED) != 0;
    prompts->unsettled += (flags & NORMALISE_UNSETTLED) != 0;
    return true;
}

static void add_label(struct trace_label_sums *sums,
                      const struct trace_record *record)
{
    sums->rows++;
    sums->input_tokens += record->input_tokens;
    sums->output_tokens += record->output_tokens;
}

static void keep(struct pass *pass, const struct trace_record *record)
{
    struct trace_books *books = &pass->trace->books;

    if (books->rows_kept++ == 0)
        pass->first_kept_ns = record->time_ns;
    pass->last_kept_ns = record->time_ns;
    pass->input_tokens += record->input_tokens;
    pass->output_tokens += record->output_tokens;
    if (record->key)
        books->has_keys = true;
    add_label(&books->by_class[record->class_label], record);
    add_label(&books->by_model[record->model_label], record);
    if (record->class_label == 0 && books->by_class[0].rows == 1)
        books->first_line_without_class = record->line;
}

/* The columns are full: from here on the file is to be read again, if it can
   be. */
static bool leave_memory(struct pass *pass)
{
    struct trace *trace = pass->trace;

    trace_columns_done(&trace->columns);
    trace->books.in_memory = false;
    if (trace->spec.sort)
        return complain(pass, "raise `trace.memory`, or sort the file itself",
                        "`trace.sort` needs the whole file in memory, more "
                        "than %" PRIu64 " MiB",
                        trace->spec.memory_bytes >> 20);
    if (!source_rereadable(pass->reader.source))
        return complain(pass, "raise `trace.memory`, or give a regular file",
                        "is a pipe and needs more memory than %" PRIu64
                        " MiB: it cannot be read a second time",
                        trace->spec.memory_bytes >> 20);
    return true;
}

static bool take_record(struct pass *pass, const struct trace_record *record)
{
    struct trace *trace = pass->trace;

    if (!pass->has_rows)
        trace->play_start_ns = add_ns(record->time_ns, trace->spec.start_ns);
    pass->has_rows = true;
    if (!trace_add_mark(trace, record))
        return lack_memory(pass);
    if (trace->spec.normaliser && !count_prompt(pass, record))
        return false;
    if (!trace->spec.sort) {
        if (!trace_in_slice(trace, record->time_ns)) {
            trace->books.dropped[TRACE_OUTSIDE_SLICE]++;
            return true;
        }
        keep(pass, record);
    }
    if (trace->books.in_memory &&
        !trace_columns_append(&trace->columns, record))
        return leave_memory(pass);
    return true;
}

/* The slice of a sorted trace is cut when its first row is known. */
static bool cut_sorted(struct pass *pass)
{
    struct trace *trace = pass->trace;
    struct trace_record record;
    uint64_t hash, raw_hash;

    if (trace->books.rows_moved > 0 && !trace_columns_sort(&trace->columns))
        return leave_memory(pass);
    trace_columns_get(&trace->columns, 0, &record, &hash, &raw_hash);
    trace->play_start_ns = add_ns(record.time_ns, trace->spec.start_ns);
    trace->first_row = trace_find_row(trace, 0);
    trace->end_row = trace_find_row(trace, trace->spec.duration_ns);
    for (uint64_t row = trace->first_row; row < trace->end_row; row++) {
        trace_columns_get(&trace->columns, row, &record, &hash, &raw_hash);
        keep(pass, &record);
    }
    trace->books.dropped[TRACE_OUTSIDE_SLICE] =
        trace->columns.rows - trace->books.rows_kept;
    return true;
}

static void take_counts(struct pass *pass)
{
    struct trace_books *books = &pass->trace->books;

    books->rows_read = pass->reader.rows_read;
    books->rows_moved = pass->reader.rows_moved;
    books->prompts.keys = pass->keys.count;
    books->prompts.raw_keys = pass->raw_keys.count;
    for (int reason = 0; reason < TRACE_DROP_COUNT; reason++)
        books->dropped[reason] += pass->reader.dropped[reason];
}

/* What the header says of the columns there are. */
static void choose_columns(struct pass *pass)
{
    struct trace *trace = pass->trace;
    const uint32_t *columns = pass->reader.columns;
    struct trace_columns *kept = &trace->columns;

    trace->books.has_class_column =
        columns[FORMAT_CLASS] != TRACE_COLUMN_ABSENT;
    trace->books.has_model_column =
        columns[FORMAT_MODEL] != TRACE_COLUMN_ABSENT;
    kept->keyed = columns[FORMAT_KEY] != TRACE_COLUMN_ABSENT ||
                  columns[FORMAT_PROMPT] != TRACE_COLUMN_ABSENT;
    kept->normalised = kept->keyed && trace->spec.normaliser;
    kept->labelled = trace_has_classes(trace) || trace_has_models(trace);
    kept->bytes_limit = trace->spec.memory_bytes;
}

static bool read_rows(struct pass *pass)
{
    struct trace *trace = pass->trace;
    struct trace_reader *reader = &pass->reader;
    struct trace_record record;
    enum trace_reader_status status;

    if (!trace_reader_open(reader, &trace->spec, pass->diag))
        return false;
    choose_columns(pass);
    trace->identity = source_identity(reader->source);
    trace->seekable = source_kind(reader->source) == SOURCE_PLAIN &&
                      source_rereadable(reader->source);
    trace->books.is_normalised = trace->spec.normaliser != NULL;
    trace->books.in_memory = true;

    while ((status = trace_reader_next(reader, &record)) == TRACE_READER_ROW)
        if (!take_record(pass, &record))
            return false;
    if (status == TRACE_READER_FAILED)
        return false;
    take_counts(pass);
    trace->latest_ns = reader->latest_ns;
    trace->end_row = trace->columns.rows;
    trace_keys_freeze(&trace->columns.keys);
    return !trace->spec.sort || !pass->has_rows || cut_sorted(pass);
}

/* "bad-time 3, zero-output 17" */
static void list_counts(const struct trace_books *books, char text[COUNTS_SIZE])
{
    int used = 0;

    text[0] = '\0';
    for (int reason = 0; reason < TRACE_DROP_COUNT; reason++)
        if (books->dropped[reason])
            used += snprintf(text + used, COUNTS_SIZE - (size_t)used,
                             "%s%s %" PRIu64, used ? ", " : "",
                             trace_drop_names[reason], books->dropped[reason]);
}

static bool check_counts(struct pass *pass)
{
    const struct trace_books *books = &pass->trace->books;
    const struct trace_reader *reader = &pass->reader;
    double limit = pass->trace->spec.bad_rows_limit;
    char counts[COUNTS_SIZE];

    list_counts(books, counts);
    if ((double)reader->bad_rows > limit * (double)books->rows_read) {
        char hint[80];

        snprintf(hint, sizeof hint, "the first of them is in line %" PRIu64,
                 reader->first_bad_line);
        return complain(pass, hint,
                        "%" PRIu64 " of %" PRIu64 " rows are bad, more than "
                        "the %.9g %% of `trace.bad_rows_limit`; dropped: %s",
                        reader->bad_rows, books->rows_read, limit * 100,
                        counts);
    }
    if (books->rows_read == 0)
        return complain(pass, NULL,
                        "no requests: there are no rows below the header");
    if (books->rows_kept == 0)
        return complain(pass, NULL,
                        "no requests: all %" PRIu64 " rows were dropped: %s",
                        books->rows_read, counts);
    return true;
}

/* How long the slice is and how fast requests come in it, as recorded. */
struct pace {
    double span_ns, rate_per_s;
};

static struct pace measure_pace(const struct pass *pass)
{
    const struct trace *trace = pass->trace;
    double rows = (double)trace->books.rows_kept;
    double duration_ns = (double)trace->spec.duration_ns;
    double between_ns = (double)(pass->last_kept_ns - pass->first_kept_ns);
    double gap_ns = between_ns > 0 ? between_ns / (rows - 1) : NS_PER_S;
    double open_ns =
        (double)(pass->last_kept_ns - trace->play_start_ns) + gap_ns;

    if (!trace_in_slice(trace, trace->latest_ns))
        return (struct pace){duration_ns, rows / duration_ns * NS_PER_S};
    return (struct pace){fmin(open_ns, duration_ns),
                         between_ns > 0 ? NS_PER_S / gap_ns
                                        : rows * NS_PER_S / open_ns};
}

static bool scale_time(struct pass *pass)
{
    struct trace *trace = pass->trace;
    struct trace_books *books = &trace->books;
    struct pace pace = measure_pace(pass);

    if (!isnan(trace->spec.rate_scale))
        trace->rate_scale = trace->spec.rate_scale;
    else if (!isnan(trace->spec.rate_per_s))
        trace->rate_scale = trace->spec.rate_per_s / pace.rate_per_s;

    double span_ns = floor(pace.span_ns / trace->rate_scale + 0.5);

    if (!(span_ns < LONGEST_PLAY_NS))
        return complain(pass, NULL,
                        "a rate scale of %.9g plays the trace for more than "
                        "285 years",
                        trace->rate_scale);
    books->span_ns = span_ns < 1 ? 1 : (int64_t)span_ns;
    books->rate_scale = trace->rate_scale;
    books->rate_per_s = pace.rate_per_s * trace->rate_scale;
    if (trace->spec.block_ns > 0 && (books->in_memory || trace->seekable))
        books->whole_blocks = (uint64_t)(books->span_ns / trace->spec.block_ns);
    books->mean_input_tokens =
        (double)pass->input_tokens / (double)books->rows_kept;
    books->mean_output_tokens =
        (double)pass->output_tokens / (double)books->rows_kept;
    return true;
}

static bool check_factor(struct pass *pass, const char *name, double value)
{
    if (isnan(value) || (value > 0 && isfinite(value)))
        return true;
    return complain(pass, NULL, "`%s` is %.9g, expected a number above 0", name,
                    value);
}

static bool check_spec(struct pass *pass)
{
    const struct trace_spec *spec = &pass->trace->spec;

    assert(spec->start_ns >= 0 && spec->duration_ns > 0);
    assert(spec->block_ns >= 0);
    if (!isnan(spec->rate_scale) && !isnan(spec->rate_per_s))
        return complain(pass, "leave one of them out",
                        "`trace.rate` and `trace.rate_scale` exclude each "
                        "other");
    return check_factor(pass, "trace.rate_scale", spec->rate_scale) &&
           check_factor(pass, "trace.rate", spec->rate_per_s);
}

struct trace *trace_open(const struct trace_spec *spec, struct diag *diag)
{
    struct trace *trace = calloc(1, sizeof *trace);
    struct pass pass = {.trace = trace, .diag = diag};
    bool sound;

    if (!trace) {
        diag_add_no_memory(diag, NULL);
        return NULL;
    }
    trace->spec = *spec;
    trace->rate_scale = 1;
    sound = check_spec(&pass) && read_rows(&pass) && check_counts(&pass) &&
            scale_time(&pass);
    trace_reader_close(&pass.reader);
    seen_done(&pass.keys);
    seen_done(&pass.raw_keys);
    if (sound)
        return trace;
    trace_close(trace);
    return NULL;
}

void trace_close(struct trace *trace)
{
    if (!trace)
        return;
    trace_columns_done(&trace->columns);
    free(trace->marks);
    free(trace);
}

const struct trace_books *trace_books(const struct trace *trace)
{
    return &trace->books;
}

bool trace_has_classes(const struct trace *trace)
{
    return trace->books.has_class_column && trace->spec.classes.count > 0;
}

bool trace_has_models(const struct trace *trace)
{
    return trace->books.has_model_column && trace->spec.models.count > 0;
}
