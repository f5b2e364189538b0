#include "workloads/profile.h"
#include "workloads/trace_reader.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIST_SIZE 480
#define NAME_SHOWN 60
#define FORMATS_SIZE 1000

/* Names of the header as 0-terminated copies. */
struct names {
    char **items; /* [count], NULL behind the last */
    uint32_t count;
};

static void names_done(struct names *names)
{
    for (uint32_t i = 0; names->items && i < names->count; i++)
        free(names->items[i]);
    free(names->items);
}

static bool names_copy(struct names *names, const struct rows_row *row)
{
    names->items = calloc((size_t)row->field_count + 1, sizeof *names->items);
    if (!names->items)
        return false;
    for (; names->count < row->field_count; names->count++) {
        const struct rows_field *field = &row->fields[names->count];
        char *copy = malloc((size_t)field->length + 1);

        if (!copy)
            return false;
        memcpy(copy, field->text, field->length);
        copy[field->length] = '\0';
        names->items[names->count] = copy;
    }
    return true;
}

static const char *const *names_list(const struct names *names)
{
    return (const char *const *)names->items;
}

static uint32_t names_find(const struct names *names, const char *wanted)
{
    for (uint32_t i = 0; i < names->count; i++)
        if (strcmp(names->items[i], wanted) == 0)
            return i;
    return TRACE_COLUMN_ABSENT;
}

/* "a, b, c", cut with an ellipsis when it gets too long to be read. */
static void list_names(const char *const *items, size_t count,
                       char text[LIST_SIZE])
{
    size_t used = 0;

    text[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        int wrote = snprintf(text + used, LIST_SIZE - used, "%s%.*s",
                             i ? ", " : "", NAME_SHOWN, items[i]);

        used += (size_t)wrote;
        if (used > LIST_SIZE - 2 * NAME_SHOWN && i + 1 < count) {
            snprintf(text + used, LIST_SIZE - used, ", ...");
            return;
        }
    }
}

/* How much of a format the header has: a column found counts three, a
   misspelt one counts one. */
static uint32_t likeness(const struct format *format, const struct names *names)
{
    uint32_t points = 0;

    for (int role = 0; role < FORMAT_REQUIRED_COUNT; role++) {
        const char *wanted = format->columns[role];

        if (names_find(names, wanted) != TRACE_COLUMN_ABSENT)
            points += 3;
        else if (diag_nearest(wanted, strlen(wanted), names_list(names)))
            points++;
    }
    return points;
}

/* The format asked for, else the one that the header looks most like; NULL:
   it looks like none. */
static const struct format *choose_format(enum trace_format wanted,
                                          const struct names *names)
{
    const struct format *best = NULL;
    uint32_t most = 0;

    for (size_t i = 0; format_all[i]; i++) {
        uint32_t points = likeness(format_all[i], names);

        if (format_all[i]->id == wanted)
            return format_all[i];
        if (points > most) {
            most = points;
            best = format_all[i];
        }
    }
    return best;
}

/* "canonical: arrival_s, ...; azure_llm: ..." */
static void list_formats(char text[FORMATS_SIZE])
{
    size_t used = 0;

    text[0] = '\0';
    for (size_t i = 0; format_all[i] && used < FORMATS_SIZE - LIST_SIZE; i++) {
        char columns[LIST_SIZE];
        int wrote;

        list_names(format_all[i]->columns, FORMAT_REQUIRED_COUNT, columns);
        wrote = snprintf(text + used, FORMATS_SIZE - used, "%s%s (%s)",
                         i ? " or " : "", columns,
                         trace_format_names[format_all[i]->id]);
        used += (size_t)wrote;
    }
}

static void complain_unknown(struct trace_reader *reader,
                             const struct rows_row *row,
                             const struct names *names)
{
    char found[LIST_SIZE], formats[FORMATS_SIZE];

    list_names(names_list(names), names->count, found);
    list_formats(formats);
    trace_reader_complain(
        reader, row, 0,
        "name the columns in the first line, times in seconds as arrival_s, "
        "dates as TIMESTAMP; others may stand beside them",
        "the header is of no known format: expected the columns %s, found %s",
        formats, found);
}

static void complain_missing(struct trace_reader *reader,
                             const struct rows_row *row,
                             const struct names *names, const char *wanted)
{
    const char *near = diag_nearest(wanted, strlen(wanted), names_list(names));
    char found[LIST_SIZE], expected[LIST_SIZE], hint[2 * NAME_SHOWN + 80];

    list_names(names_list(names), names->count, found);
    list_names(reader->format->columns, FORMAT_REQUIRED_COUNT, expected);
    if (near)
        snprintf(hint, sizeof hint, "the nearest column is '%.*s'", NAME_SHOWN,
                 near);
    trace_reader_complain(
        reader, row, near ? names_find(names, near) : 0, near ? hint : NULL,
        "column '%s' is missing: %s needs %s, found %s", wanted,
        trace_format_names[reader->format->id], expected, found);
}

static bool may_lack(const struct trace_reader *reader, int role)
{
    return role == FORMAT_TIME && reader->format->may_lack_time &&
           reader->spec->may_lack_time;
}

static bool find_columns(struct trace_reader *reader,
                         const struct rows_row *row, const struct names *names)
{
    bool sound = true;

    for (int role = 0; role < FORMAT_ROLE_COUNT; role++) {
        const char *wanted = reader->format->columns[role];
        uint32_t field =
            wanted ? names_find(names, wanted) : TRACE_COLUMN_ABSENT;

        reader->columns[role] = field;
        if (field == TRACE_COLUMN_ABSENT) {
            if (role < FORMAT_REQUIRED_COUNT && !may_lack(reader, role)) {
                assert(wanted); /* every format has these */
                complain_missing(reader, row, names, wanted);
                sound = false;
            }
            continue;
        }
        for (uint32_t i = field + 1; i < names->count; i++)
            if (strcmp(names->items[i], wanted) == 0) {
                trace_reader_complain(reader, row, i, NULL,
                                      "there are two columns '%s'", wanted);
                return false;
            }
    }
    return sound;
}

static bool read_names(struct trace_reader *reader, const struct rows_row *row,
                       struct names *names)
{
    if (row->field_count > ROWS_FIELD_LIMIT) {
        trace_reader_complain(reader, row, TRACE_COLUMN_ABSENT, NULL,
                              "the header has %u columns, at most %d can be "
                              "read",
                              row->field_count, ROWS_FIELD_LIMIT);
        return false;
    }
    if (!names_copy(names, row)) {
        struct diag_place place = {.file = reader->spec->path};

        diag_add_no_memory(reader->diag, &place);
        return false;
    }
    reader->header_fields = row->field_count;
    reader->format = choose_format(reader->spec->format, names);
    if (!reader->format) {
        complain_unknown(reader, row, names);
        return false;
    }
    return find_columns(reader, row, names);
}

/* The value of a metadata line "# key: value"; NULL: another key or none.
   The line's text is not 0-terminated. */
static const char *metadata_value(const struct rows_row *row, const char *key,
                                  size_t *ret_length)
{
    const char *at = row->text + 1, *end = row->text + row->text_length;
    size_t key_length = strlen(key);

    while (at < end && *at == ' ')
        at++;
    if ((size_t)(end - at) <= key_length || memcmp(at, key, key_length) != 0 ||
        at[key_length] != ':')
        return NULL;
    at += key_length + 1;
    while (at < end && *at == ' ')
        at++;
    while (end > at && (end[-1] == ' ' || end[-1] == '\t'))
        end--;
    *ret_length = (size_t)(end - at);
    return at;
}

/* Our own format may change one day: a file of another one is refused. */
static bool check_metadata(struct trace_reader *reader,
                           const struct rows_row *row)
{
    const char *expected = format_canonical.metadata_format;
    size_t length = 0;
    const char *found = metadata_value(row, "format", &length);

    if (!found ||
        (length == strlen(expected) && memcmp(found, expected, length) == 0))
        return true;
    trace_reader_complain(reader, row, TRACE_COLUMN_ABSENT, NULL,
                          "the file's format is '%.*s', expected '%s'",
                          length < NAME_SHOWN ? (int)length : NAME_SHOWN, found,
                          expected);
    return false;
}

static bool is_pointer_file(const struct rows_row *row)
{
    static const char start[] = "version https://git-lfs";

    return row->text_length >= sizeof start - 1 &&
           memcmp(row->text, start, sizeof start - 1) == 0;
}

/* What only a profile can make something of; NULL: it may be a trace. */
static const char *profiled_words(const struct rows_row *row)
{
    size_t length = row->text ? row->text_length : 0;
    const char *newline = length ? memchr(row->text, '\n', length) : NULL;

    if (newline) /* inside what looked like quotes */
        length = (size_t)(newline - row->text);
    switch (length ? profile_guess_line(row->text, length) : PROFILE_AUTO) {
    case PROFILE_MOONCAKE:
        return "these are JSON lines, as mooncake has them,";
    case PROFILE_CACHE2K:
        return "these are binary keys, as cache2k has them,";
    case PROFILE_WEBCACHESIM:
        return "these are lines of 'time key bytes', as webcachesim has them,";
    case PROFILE_ACCESS_LOG:
        return "this is an access log,";
    default:
        return NULL;
    }
}

/* The first line that is no comment; false: complained. */
static bool read_first(struct trace_reader *reader, struct rows_row *row,
                       enum rows_status *ret_status)
{
    const char *words = NULL;

    do {
        *ret_status = rows_next(reader->rows, row);
        if (*ret_status == ROWS_END) {
            trace_reader_complain(reader, NULL, 0, NULL,
                                  "no requests: the file is empty");
            return false;
        }
        if (*ret_status == ROWS_COMMENT && !check_metadata(reader, row))
            return false;
    } while (*ret_status == ROWS_COMMENT);

    /* A row without an end is no sign of any format. */
    if (*ret_status != ROWS_FAILED || row->text_length <= ROWS_LIMIT)
        words = profiled_words(row);
    if (words)
        trace_reader_complain(reader, row, TRACE_COLUMN_ABSENT,
                              "a run needs rows below the header "
                              "arrival_s,input_tokens,output_tokens",
                              "%s which only `lbsim trace profile` reads",
                              words);
    else if (*ret_status == ROWS_FAILED)
        trace_reader_complain_failed(reader, row);
    return !words && *ret_status != ROWS_FAILED;
}

bool trace_header_read(struct trace_reader *reader)
{
    struct rows_row row;
    struct names names = {0};
    enum rows_status status;
    bool sound;

    if (!read_first(reader, &row, &status))
        return false;
    if (is_pointer_file(&row)) {
        trace_reader_complain(
            reader, NULL, 0, "`git lfs pull` fetches it",
            "is a Git LFS pointer: the data itself was not downloaded");
        return false;
    }
    if (row.text[0] == '[') {
        trace_reader_complain(reader, &row, TRACE_COLUMN_ABSENT, NULL,
                              "this is JSON, expected comma-separated rows "
                              "below a header");
        return false;
    }
    if (status == ROWS_BROKEN) {
        trace_reader_complain(reader, &row, TRACE_COLUMN_ABSENT, NULL, "%s",
                              row.fault);
        return false;
    }
    sound = read_names(reader, &row, &names);
    names_done(&names);
    return sound;
}
