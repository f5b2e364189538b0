#include "workloads/formats/mooncake.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yajl/yajl_parse.h>

#define NS_PER_MS 1000000
#define MOST_TOKENS 2147483647
#define LATEST_MS (INT64_MAX / NS_PER_MS)

enum field { FIELD_TIME, FIELD_INPUT, FIELD_OUTPUT, FIELD_BLOCKS, FIELD_OTHER };

static const char *const field_names[] = {"timestamp", "input_length",
                                          "output_length", "hash_ids"};

/* One line in hand. */
struct parsing {
    struct mooncake_row *row;
    unsigned seen; /* bits of fields */
    int depth;     /* of maps and lists; 1: in the object */
    enum field field;
    bool in_blocks;
    char *error; /* [MOONCAKE_ERROR_SIZE], empty: none so far */
};

__attribute__((format(printf, 2, 3))) static int refuse(struct parsing *parsing,
                                                        const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(parsing->error, MOONCAKE_ERROR_SIZE, format, arguments);
    va_end(arguments);
    return 0; /* yajl stops */
}

/* A value that is no whole number, where one is needed. */
static int refuse_kind(struct parsing *parsing, const char *found)
{
    if (parsing->depth == 0)
        return refuse(parsing, "expected an object, found %s", found);
    if (parsing->in_blocks)
        return refuse(parsing, "'hash_ids' needs whole numbers, found %s",
                      found);
    if (parsing->depth > 1 || parsing->field == FIELD_OTHER)
        return 1;
    return refuse(
        parsing, "'%s' needs %s, found %s", field_names[parsing->field],
        parsing->field == FIELD_BLOCKS ? "a list" : "a whole number", found);
}

static int add_block(struct parsing *parsing, uint64_t id)
{
    struct mooncake_row *row = parsing->row;

    if (row->block_count == row->block_capacity) {
        size_t capacity = row->block_capacity ? 2 * row->block_capacity : 64;
        uint64_t *blocks = realloc(row->blocks, capacity * sizeof *blocks);

        if (!blocks)
            return refuse(parsing, "out of memory");
        row->blocks = blocks;
        row->block_capacity = capacity;
    }
    row->blocks[row->block_count++] = id;
    return 1;
}

static int take_integer(void *context, long long value)
{
    struct parsing *parsing = context;
    struct mooncake_row *row = parsing->row;
    long long most = parsing->field == FIELD_TIME ? LATEST_MS : MOST_TOKENS;

    if (parsing->depth == 0)
        return refuse(parsing, "expected an object, found a number");
    if (parsing->in_blocks)
        return value < 0
                   ? refuse(parsing, "'hash_ids' holds %lld, below 0", value)
                   : add_block(parsing, (uint64_t)value);
    if (parsing->depth > 1 || parsing->field == FIELD_OTHER)
        return 1;
    if (parsing->field == FIELD_BLOCKS)
        return refuse_kind(parsing, "a number");
    if (value < 0 || value > most)
        return refuse(parsing, "'%s' is %lld, expected 0 to %lld",
                      field_names[parsing->field], value, most);
    if (parsing->field == FIELD_TIME)
        row->time_ns = value * NS_PER_MS;
    else if (parsing->field == FIELD_INPUT)
        row->input_tokens = (uint32_t)value;
    else
        row->output_tokens = (uint32_t)value;
    return 1;
}

static int take_double(void *context, double value)
{
    (void)value;
    return refuse_kind(context, "a fraction");
}

static int take_text(void *context, const unsigned char *text, size_t length)
{
    (void)text;
    (void)length;
    return refuse_kind(context, "a text");
}

static int take_boolean(void *context, int value)
{
    return refuse_kind(context, value ? "true" : "false");
}

static int take_null(void *context)
{
    return refuse_kind(context, "null");
}

static int take_key(void *context, const unsigned char *text, size_t length)
{
    struct parsing *parsing = context;

    if (parsing->depth != 1)
        return 1;
    parsing->field = FIELD_OTHER;
    for (int i = 0; i < FIELD_OTHER; i++)
        if (length == strlen(field_names[i]) &&
            memcmp(text, field_names[i], length) == 0)
            parsing->field = (enum field)i;
    if (parsing->field == FIELD_OTHER)
        return 1;
    if (parsing->seen & 1u << parsing->field)
        return refuse(parsing, "'%s' stands twice",
                      field_names[parsing->field]);
    parsing->seen |= 1u << parsing->field;
    return 1;
}

static int begin_map(void *context)
{
    struct parsing *parsing = context;
    int fine = parsing->depth == 0 ? 1 : refuse_kind(parsing, "an object");

    parsing->depth++;
    return fine;
}

static int begin_list(void *context)
{
    struct parsing *parsing = context;
    bool of_blocks = parsing->depth == 1 && parsing->field == FIELD_BLOCKS;
    int fine = of_blocks ? 1 : refuse_kind(parsing, "a list");

    parsing->depth++;
    parsing->in_blocks = of_blocks;
    return fine;
}

static int end_any(void *context)
{
    struct parsing *parsing = context;

    parsing->depth--;
    parsing->in_blocks = false;
    return 1;
}

static bool check_whole(struct parsing *parsing)
{
    for (int i = 0; i < FIELD_OTHER; i++)
        if (!(parsing->seen & 1u << i)) {
            refuse(parsing, "'%s' is missing", field_names[i]);
            return false;
        }
    return true;
}

bool mooncake_read(struct mooncake_row *row, const char *text, size_t length,
                   char reterr_text[MOONCAKE_ERROR_SIZE])
{
    static const yajl_callbacks callbacks = {.yajl_null = take_null,
                                             .yajl_boolean = take_boolean,
                                             .yajl_integer = take_integer,
                                             .yajl_double = take_double,
                                             .yajl_string = take_text,
                                             .yajl_start_map = begin_map,
                                             .yajl_map_key = take_key,
                                             .yajl_end_map = end_any,
                                             .yajl_start_array = begin_list,
                                             .yajl_end_array = end_any};
    struct parsing parsing = {
        .row = row, .field = FIELD_OTHER, .error = reterr_text};
    yajl_handle handle = yajl_alloc(&callbacks, NULL, &parsing);
    yajl_status status;

    reterr_text[0] = '\0';
    row->block_count = 0;
    if (!handle) {
        refuse(&parsing, "out of memory");
        return false;
    }
    status = yajl_parse(handle, (const unsigned char *)text, length);
    if (status == yajl_status_ok)
        status = yajl_complete_parse(handle);
    yajl_free(handle);
    if (status == yajl_status_ok)
        return check_whole(&parsing);
    if (reterr_text[0] == '\0')
        refuse(&parsing, "is no JSON object of one line");
    return false;
}

void mooncake_row_done(struct mooncake_row *row)
{
    free(row->blocks);
    *row = (struct mooncake_row){0};
}
