/* Rows of every format, for a profile. */
#include "workloads/formats/access_log.h"
#include "workloads/formats/lines.h"
#include "workloads/formats/mooncake.h"
#include "workloads/profile_internal.h"
#include "workloads/trace_keys.h"
#include "workloads/trace_reader.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PEEK_SIZE 4096
#define READ_SIZE 65536

static bool lack_memory(const struct gather *gather)
{
    struct diag_place place = {.file = gather->spec->path};

    diag_add_no_memory(gather->diag, &place);
    return false;
}

/* ---- traces of requests ---- */

static enum trace_format trace_format_of(enum profile_format format)
{
    switch (format) {
    case PROFILE_CANONICAL:
        return TRACE_CANONICAL;
    case PROFILE_AZURE_LLM:
        return TRACE_AZURE_LLM;
    case PROFILE_VIDUR:
        return TRACE_VIDUR;
    case PROFILE_SPLITWISE:
        return TRACE_SPLITWISE;
    default:
        return TRACE_AUTO;
    }
}

static enum profile_format profile_format_of(enum trace_format format)
{
    switch (format) {
    case TRACE_AZURE_LLM:
        return PROFILE_AZURE_LLM;
    case TRACE_VIDUR:
        return PROFILE_VIDUR;
    case TRACE_SPLITWISE:
        return PROFILE_SPLITWISE;
    default:
        return PROFILE_CANONICAL;
    }
}

static bool count_label(struct gather *gather, struct profile_labels *labels,
                        struct trace_keys *words,
                        const struct rows_field *field,
                        const struct profile_row *row)
{
    return profile_labels_count(labels, words, field ? field->text : NULL,
                                field ? field->length : 0, row) ||
           lack_memory(gather);
}

static bool count_labels(struct gather *gather,
                         const struct trace_record *record,
                         const struct profile_row *row)
{
    struct profile *profile = gather->profile;

    return (!profile->has_classes ||
            count_label(gather, &profile->classes, &gather->class_words,
                        record->class_text, row)) &&
           (!profile->has_models ||
            count_label(gather, &profile->models, &gather->model_words,
                        record->model_text, row));
}

static bool take_trace(struct gather *gather, struct trace_reader *reader)
{
    bool timed = reader->columns[FORMAT_TIME] != TRACE_COLUMN_ABSENT;
    enum trace_reader_status status;
    struct trace_record record;

    gather->profile->has_classes =
        reader->columns[FORMAT_CLASS] != TRACE_COLUMN_ABSENT;
    gather->profile->has_models =
        reader->columns[FORMAT_MODEL] != TRACE_COLUMN_ABSENT;
    while ((status = trace_reader_next(reader, &record)) == TRACE_READER_ROW) {
        struct profile_row row = {.has_time = timed,
                                  .has_tokens = true,
                                  .has_key = record.key,
                                  .time_ns = record.time_ns,
                                  .input_tokens = record.input_tokens,
                                  .output_tokens = record.output_tokens};

        if (record.key)
            row.key = trace_keys_hash(record.key, record.key_length);
        if (!gather_row(gather, &row) || !count_labels(gather, &record, &row))
            return false;
    }
    for (int reason = 0; reason < TRACE_DROP_COUNT; reason++)
        gather->profile->dropped += reader->dropped[reason];
    gather->profile->tokens.zero_input = reader->dropped[TRACE_ZERO_INPUT];
    return status == TRACE_READER_END;
}

/* Rows out of order are counted by the profile itself; requests without output
   are requests here. */
static bool read_trace(struct gather *gather)
{
    struct trace_spec spec = {
        .path = gather->spec->path,
        .format = trace_format_of(gather->spec->format),
        .rate_scale = (double)NAN,
        .rate_per_s = (double)NAN,
        .duration_ns = INT64_MAX,
        .bad_rows = gather->spec->skip_bad_rows ? TRACE_SKIP : TRACE_STRICT,
        .bad_rows_hint = gather->spec->bad_rows_hint,
        .sort = true,
        .keep_zero_output = true,
        .may_lack_time = true};
    struct trace_reader reader;
    bool sound = trace_reader_open(&reader, &spec, gather->diag);

    if (sound) {
        gather->profile->format = profile_format_of(reader.format->id);
        sound = take_trace(gather, &reader);
    }
    trace_reader_close(&reader);
    return sound;
}

/* ---- lines ---- */

/* Why the line was read as one of mooncake's, unless the user said so. */
static const char *mooncake_hint(const struct gather *gather)
{
    return gather->spec->format == PROFILE_AUTO
               ? "the file begins with '{', so it was taken for mooncake: JSON "
                 "lines with timestamp, input_length, output_length and "
                 "hash_ids"
               : NULL;
}

static bool take_mooncake(struct gather *gather, struct mooncake_row *line,
                          uint64_t number, const char *text, size_t length)
{
    char error[MOONCAKE_ERROR_SIZE];
    struct profile_row row = {
        .has_time = true, .has_tokens = true, .has_blocks = true};

    if (!mooncake_read(line, text, length, error))
        return profile_complain(gather, number, mooncake_hint(gather), "%s",
                                error);
    row.time_ns = line->time_ns;
    row.input_tokens = line->input_tokens;
    row.output_tokens = line->output_tokens;
    row.blocks = line->blocks;
    row.block_count = line->block_count;
    return gather_row(gather, &row);
}

static bool take_webcachesim(struct gather *gather, uint64_t number,
                             const char *text, size_t length)
{
    struct profile_row row = {0};

    if (!profile_split_webcachesim(text, length, &row))
        return profile_complain(gather, number, NULL,
                                "expected three whole numbers, 'time key "
                                "bytes', found '%.*s'",
                                length < 60 ? (int)length : 60, text);
    return gather_row(gather, &row);
}

static bool take_access(struct gather *gather, uint64_t number,
                        const char *text, size_t length)
{
    struct profile_access *access = &gather->profile->access;
    struct profile_row row = {.has_time = true, .has_key = true};
    struct access_log_row line;
    const char *expected = access_log_read(&line, text, length);
    enum seen_answer client;

    if (expected)
        return profile_complain(gather, number, NULL,
                                "is no line of an access log: expected %s",
                                expected);
    client =
        seen_hash(&gather->clients,
                  trace_keys_hash(line.client, (uint32_t)line.client_length));
    if (client == SEEN_NO_MEMORY)
        return lack_memory(gather);
    access->clients += client == SEEN_FIRST;
    access->statuses[line.status]++;
    access->bytes += line.bytes;
    if (line.bytes > access->largest)
        access->largest = line.bytes;
    row.time_ns = line.time_ns;
    row.key = trace_keys_hash(line.path, (uint32_t)line.path_length);
    return gather_row(gather, &row);
}

static bool is_blank(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (text[i] != ' ' && text[i] != '\t')
            return false;
    return true;
}

static bool take_lines(struct gather *gather, struct lines *lines)
{
    struct mooncake_row line = {0};
    const char *text;
    size_t length;
    bool sound = true;

    while (sound && lines_next(lines, &text, &length)) {
        if (is_blank(text, length))
            continue;
        if (gather->profile->format == PROFILE_MOONCAKE)
            sound = take_mooncake(gather, &line, lines->line, text, length);
        else if (gather->profile->format == PROFILE_ACCESS_LOG)
            sound = take_access(gather, lines->line, text, length);
        else
            sound = take_webcachesim(gather, lines->line, text, length);
    }
    if (sound && lines->error)
        sound = profile_complain(gather, lines->line, NULL, "%s", lines->error);
    mooncake_row_done(&line);
    return sound;
}

static bool read_lines(struct gather *gather, struct source *source)
{
    struct lines lines;
    bool sound = lines_init(&lines, source) ? take_lines(gather, &lines)
                                            : lack_memory(gather);

    lines_done(&lines);
    return sound;
}

/* ---- binary keys ---- */

static bool take_cache2k(struct gather *gather, const unsigned char *bytes)
{
    struct profile_row row = {.has_key = true,
                              .key = (uint64_t)bytes[0] << 24 |
                                     (uint64_t)bytes[1] << 16 |
                                     (uint64_t)bytes[2] << 8 | bytes[3]};

    return gather_row(gather, &row);
}

static bool read_cache2k(struct gather *gather, struct source *source)
{
    unsigned char bytes[READ_SIZE];
    size_t left = 0, got;

    while ((got = source_read(source, bytes + left, sizeof bytes - left)) > 0) {
        size_t have = left + got, used = 0;

        for (; have - used >= 4; used += 4)
            if (!take_cache2k(gather, bytes + used))
                return false;
        left = have - used;
        memmove(bytes, bytes + used, left);
    }
    if (source_error(source))
        return profile_complain(gather, 0, NULL, "%s", source_error(source));
    if (left > 0)
        return profile_complain(gather, 0, NULL,
                                "ends with %zu bytes that are no whole 32-bit "
                                "key",
                                left);
    return true;
}

/* ---- which one ---- */

/* Looks at the first bytes, unless the file can be read only once. */
static enum profile_format guess_format(const char *path)
{
    char error[SOURCE_ERROR_SIZE];
    struct source *source = source_open(path, error);
    enum profile_format format = PROFILE_AUTO;

    if (source && source_rereadable(source)) {
        char bytes[PEEK_SIZE] = {0};
        size_t length = source_read(source, bytes, sizeof bytes);

        format = profile_guess(bytes, length);
    }
    source_close(source);
    return format;
}

bool profile_read(struct gather *gather)
{
    char error[SOURCE_ERROR_SIZE];
    enum profile_format format = gather->spec->format;
    struct source *source;
    bool sound;

    if (format == PROFILE_AUTO)
        format = guess_format(gather->spec->path);
    gather->profile->format = format;
    if (format < PROFILE_MOONCAKE)
        return read_trace(gather);
    source = source_open(gather->spec->path, error);
    if (!source)
        return profile_complain(gather, 0, NULL, "%s", error);
    sound = format == PROFILE_CACHE2K ? read_cache2k(gather, source)
                                      : read_lines(gather, source);
    source_close(source);
    return sound;
}
