/* Words of a row that the caller of the trace knows: its class, its model. */
#include "workloads/trace_reader.h"

#include <stdio.h>
#include <string.h>

#define WORD_SHOWN 60
#define LIST_SIZE 480
#define HINT_SIZE 160

static bool is_word(const char *word, const struct rows_field *field)
{
    return strncmp(word, field->text, field->length) == 0 &&
           word[field->length] == '\0';
}

/* "chat, code", cut with an ellipsis when it gets too long to be read. */
static void list_words(const struct trace_words *words, char text[LIST_SIZE])
{
    size_t used = 0;

    text[0] = '\0';
    for (uint32_t i = 0; i < words->count; i++) {
        if (used > LIST_SIZE - 2 * WORD_SHOWN) {
            snprintf(text + used, LIST_SIZE - used, ", ...");
            return;
        }
        used += (size_t)snprintf(text + used, LIST_SIZE - used, "%s%.*s",
                                 i ? ", " : "", WORD_SHOWN, words->items[i]);
    }
}

static bool refuse_word(struct trace_reader *reader, const struct rows_row *row,
                        enum format_role role, const struct trace_words *words)
{
    uint32_t column = reader->columns[role];
    const struct rows_field *field = &row->fields[column];
    const char *near = diag_nearest(field->text, field->length, words->items);
    char list[LIST_SIZE], hint[HINT_SIZE];

    list_words(words, list);
    if (near)
        snprintf(hint, sizeof hint, "did you mean '%.*s'?", WORD_SHOWN, near);
    else
        snprintf(hint, sizeof hint,
                 "add it to %s, or take the column out of the file",
                 words->home);
    trace_reader_complain(
        reader, row, column, hint, "'%s' is '%.*s', which is not among %s: %s",
        reader->format->columns[role],
        field->length < WORD_SHOWN ? (int)field->length : WORD_SHOWN,
        field->text, words->home, list);
    return false;
}

static bool read_label(struct trace_reader *reader, const struct rows_row *row,
                       enum format_role role, const struct rows_field *field,
                       const struct trace_words *words, uint8_t *ret_label)
{
    *ret_label = 0;
    if (!field || words->count == 0)
        return true;
    for (uint32_t i = 0; i < words->count; i++)
        if (is_word(words->items[i], field)) {
            *ret_label = (uint8_t)(i + 1);
            return true;
        }
    return refuse_word(reader, row, role, words);
}

bool trace_labels_read(struct trace_reader *reader, const struct rows_row *row,
                       struct trace_record *record)
{
    const struct trace_spec *spec = reader->spec;

    record->class_text = trace_reader_text(reader, row, FORMAT_CLASS);
    record->model_text = trace_reader_text(reader, row, FORMAT_MODEL);
    return read_label(reader, row, FORMAT_CLASS, record->class_text,
                      &spec->classes, &record->class_label) &&
           read_label(reader, row, FORMAT_MODEL, record->model_text,
                      &spec->models, &record->model_label);
}
