#include "workloads/normalise_table.h"

#include "workloads/formats/rows.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MESSAGE_SIZE 700
#define SHOWN 60

/* A reading under way. */
struct reader {
    struct normalise_table *table;
    const struct normalise_table_reading *of;
    struct rows *rows;
    struct rows_row row;
};

#define WHOLE_ROW UINT32_MAX

__attribute__((format(printf, 4, 5))) static bool
complain(const struct reader *reader, uint32_t field, const char *hint,
         const char *format, ...)
{
    const struct rows_row *row = &reader->row;
    struct diag_place place = {.file = reader->of->path};
    char message[MESSAGE_SIZE];
    va_list arguments;

    if (row->line > 0) {
        const char *newline = memchr(row->text, '\n', row->text_length);

        place.line = row->line;
        place.column = 1;
        place.text = row->text;
        place.text_length =
            newline ? (size_t)(newline - row->text) : row->text_length;
        if (field != WHOLE_ROW)
            rows_find_field(row, field, &place.column, &place.span);
    }
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    diag_add(reader->of->diag, DIAG_ERROR, &place, hint, "%s", message);
    return false;
}

static bool complain_memory(const struct reader *reader)
{
    diag_add_no_memory(reader->of->diag, NULL);
    return false;
}

static bool is_word(const struct rows_field *field, const char *word)
{
    return field->length == strlen(word) &&
           strncasecmp(field->text, word, field->length) == 0;
}

static bool is_header(const struct reader *reader)
{
    const struct rows_row *row = &reader->row;

    return row->field_count == 2 &&
           is_word(&row->fields[0], reader->of->names[0]) &&
           is_word(&row->fields[1], reader->of->names[1]);
}

static uint32_t count_words(const char *text, size_t length)
{
    uint32_t words = 0;
    bool inside = false;

    for (size_t i = 0; i < length; i++) {
        bool blank = strchr(" \t\n\v\f\r", text[i]) && text[i] != '\0';

        words += !blank && !inside;
        inside = !blank;
    }
    return words;
}

/* Both sides of the row in force, as read and in form. */
struct sides {
    const struct rows_field *term, *replacement;
    char *formed; /* the term's form, owned */
    size_t formed_length;
};

static bool form_term(const struct reader *reader, struct sides *sides)
{
    const char *text;
    size_t length;

    if (!reader->of->form(reader->of->context, sides->term->text,
                          sides->term->length, &text, &length))
        return complain_memory(reader);
    sides->formed = malloc(length + 1);
    if (!sides->formed)
        return complain_memory(reader);
    memcpy(sides->formed, text, length);
    sides->formed_length = length;
    return true;
}

static int shown(size_t length)
{
    return length < SHOWN ? (int)length : SHOWN;
}

static bool complain_empty(const struct reader *reader, uint32_t field,
                           const struct rows_field *text)
{
    return complain(reader, field, NULL,
                    "nothing is left of the %s '%.*s' when it is normalised",
                    reader->of->names[field], shown(text->length), text->text);
}

static bool check_term(const struct reader *reader, const struct sides *sides)
{
    uint32_t words = count_words(sides->formed, sides->formed_length);

    if (sides->formed_length == 0)
        return complain_empty(reader, 0, sides->term);
    if (reader->of->by_words && words > NORMALISE_TERM_WORDS)
        return complain(reader, 0, NULL,
                        "'%s' has %" PRIu32 " words, at most %d are matched",
                        reader->of->names[0], words, NORMALISE_TERM_WORDS);
    if (words > reader->table->most_words)
        reader->table->most_words = words;
    return true;
}

/* The term stood in an earlier row, too: fine when it says the same. */
static bool check_same(const struct reader *reader, const struct sides *sides,
                       const struct normalise_entry *earlier,
                       const char *replacement, size_t length)
{
    if (earlier->length == length &&
        memcmp(earlier->text, replacement, length) == 0)
        return true;
    return complain(reader, 0, NULL,
                    "'%.*s' was already given in line %" PRIu64 ", as '%.*s'",
                    shown(sides->formed_length), sides->formed, earlier->line,
                    shown(earlier->length), earlier->text);
}

static bool make_room(struct normalise_table *table)
{
    uint32_t capacity = table->entry_capacity ? 2 * table->entry_capacity : 64;
    struct normalise_entry *entries;

    if (table->terms.count < table->entry_capacity)
        return true;
    entries = realloc(table->entries, capacity * sizeof *entries);
    if (!entries)
        return false;
    table->entries = entries;
    table->entry_capacity = capacity;
    return true;
}

static bool add_entry(const struct reader *reader, const struct sides *sides)
{
    struct normalise_table *table = reader->table;
    const struct normalise_entry *earlier =
        normalise_table_find(table, sides->formed, sides->formed_length);
    struct normalise_entry entry = {.line = reader->row.line};
    const char *text;

    if (!reader->of->form(reader->of->context, sides->replacement->text,
                          sides->replacement->length, &text, &entry.length))
        return complain_memory(reader);
    if (entry.length == 0)
        return complain_empty(reader, 1, sides->replacement);
    if (earlier)
        return check_same(reader, sides, earlier, text, entry.length);
    entry.text = malloc(entry.length + 1);
    if (!entry.text || !make_room(table) ||
        trace_keys_intern(&table->terms, sides->formed,
                          (uint32_t)sides->formed_length) == TRACE_KEYS_NONE) {
        free(entry.text);
        return complain_memory(reader);
    }
    memcpy(entry.text, text, entry.length);
    rows_find_field(&reader->row, 1, &entry.column, &entry.span);
    table->entries[table->terms.count - 1] = entry;
    return true;
}

static bool take_row(const struct reader *reader)
{
    const struct rows_row *row = &reader->row;
    const char *const *names = reader->of->names;
    struct sides sides = {.term = &row->fields[0],
                          .replacement = &row->fields[1]};
    bool sound;

    if (row->field_count != 2)
        return complain(reader, row->field_count < 2 ? WHOLE_ROW : 2,
                        "a field that holds the separator is quoted",
                        "the row has %" PRIu32 " field%s, expected two: "
                        "'%s' and '%s'",
                        row->field_count, row->field_count == 1 ? "" : "s",
                        names[0], names[1]);
    for (uint32_t i = 0; i < 2; i++)
        if (row->fields[i].length == 0)
            return complain(reader, i, NULL, "'%s' is empty", names[i]);
    sound = form_term(reader, &sides) && check_term(reader, &sides) &&
            add_entry(reader, &sides);
    free(sides.formed);
    return sound;
}

static bool read_rows(struct reader *reader)
{
    bool first = true;

    for (;;) {
        switch (rows_next(reader->rows, &reader->row)) {
        case ROWS_END:
            return true;
        case ROWS_COMMENT:
            continue;
        case ROWS_FAILED:
            return complain(reader, WHOLE_ROW, NULL, "%s",
                            rows_error(reader->rows));
        case ROWS_BROKEN:
            return complain(reader, WHOLE_ROW, NULL, "%s", reader->row.fault);
        case ROWS_ROW:
            break;
        }
        if (!(first && is_header(reader)) && !take_row(reader))
            return false;
        first = false;
    }
}

static bool is_tab_separated(const char *path)
{
    const char *slash = strrchr(path, '/');

    return strstr(slash ? slash : path, ".tsv") != NULL;
}

bool normalise_table_read(struct normalise_table *table,
                          const struct normalise_table_reading *reading)
{
    struct reader reader = {.table = table, .of = reading};
    char error[SOURCE_ERROR_SIZE];
    struct source *source = source_open(reading->path, error);
    bool sound = false;

    if (!source) {
        complain(&reader, WHOLE_ROW, NULL, "%s", error);
        return false;
    }
    reader.rows = rows_create(source);
    if (reader.rows) {
        if (is_tab_separated(reading->path))
            rows_set_delimiter(reader.rows, '\t');
        sound = read_rows(&reader);
    } else {
        complain_memory(&reader);
    }
    rows_destroy(reader.rows);
    source_close(source);
    return sound;
}

void normalise_table_done(struct normalise_table *table)
{
    for (uint32_t i = 0; i < table->terms.count; i++)
        free(table->entries[i].text);
    free(table->entries);
    trace_keys_done(&table->terms);
    *table = (struct normalise_table){0};
}

const struct normalise_entry *
normalise_table_find(const struct normalise_table *table, const char *text,
                     size_t length)
{
    uint32_t id;

    if (length > UINT32_MAX)
        return NULL;
    id = trace_keys_find(&table->terms, text, (uint32_t)length);
    return id == TRACE_KEYS_NONE ? NULL : &table->entries[id];
}
