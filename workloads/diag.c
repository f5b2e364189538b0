#include "workloads/diag.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MESSAGE_SIZE = 1024, /* longer messages are cut */
    LINE_SHOWN = 160,    /* bytes of a source line, a window about the caret */
    LEAD_SHOWN = 100,    /* of those, at most so many before the caret */
    WORD_LIMIT = 64      /* no name of ours is longer */
};

void diag_done(struct diag *diag)
{
    free(diag->text);
    *diag = (struct diag){0};
}

/* A text that cannot grow stays as it is; the counts still tell the truth. */
static void append(struct diag *diag, const char *text, size_t length)
{
    if (diag->capacity - diag->length <= length) {
        size_t capacity = 2 * diag->capacity + length + 256;
        char *grown = realloc(diag->text, capacity);

        if (!grown) {
            diag->no_memory = true;
            return;
        }
        diag->text = grown;
        diag->capacity = capacity;
    }
    memcpy(diag->text + diag->length, text, length);
    diag->length += length;
    diag->text[diag->length] = '\0';
}

static void append_text(struct diag *diag, const char *text)
{
    append(diag, text, strlen(text));
}

/* Input may hold escape sequences; a terminal must not obey them. */
static bool is_control(char byte)
{
    return (unsigned char)byte < ' ' || byte == 127;
}

static void append_harmless(struct diag *diag, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        append(diag, is_control(text[i]) ? "?" : &text[i], 1);
}

static void append_location(struct diag *diag, const struct diag_place *place)
{
    char numbers[48];

    if (!place || !place->file)
        return;
    append_harmless(diag, place->file, strlen(place->file));
    if (place->line && place->column)
        snprintf(numbers, sizeof numbers, ":%" PRIu64 ":%" PRIu32 ": ",
                 place->line, place->column);
    else if (place->line)
        snprintf(numbers, sizeof numbers, ":%" PRIu64 ": ", place->line);
    else
        snprintf(numbers, sizeof numbers, ": ");
    append_text(diag, numbers);
}

/* The second and later bytes of a UTF-8 letter take no room of their own. */
static bool continues_letter(char byte)
{
    return ((unsigned char)byte & 0xC0) == 0x80;
}

/* Tabs are kept, so that the caret stands below what it means. */
static void append_source_byte(struct diag *diag, char byte)
{
    append(diag, byte != '\t' && is_control(byte) ? "?" : &byte, 1);
}

static void append_caret(struct diag *diag, const char *text, size_t start,
                         size_t caret, size_t end, uint32_t span)
{
    for (size_t i = start; i < caret; i++)
        if (!continues_letter(text[i]))
            append_text(diag, text[i] == '\t' ? "\t" : " ");
    append_text(diag, "^");
    for (size_t i = caret + 1; i < end && i - caret < span; i++)
        if (!continues_letter(text[i]))
            append_text(diag, "~");
    append_text(diag, "\n");
}

static void append_source(struct diag *diag, const struct diag_place *place)
{
    const char *text = place->text;
    size_t length = place->text_length;
    size_t caret = place->column ? place->column - 1 : 0;
    size_t start = 0, end;
    char gutter[32];
    int width = snprintf(gutter, sizeof gutter, "%5" PRIu64, place->line);

    if (caret > length)
        caret = length;
    if (length > LINE_SHOWN && caret > LEAD_SHOWN)
        start = caret - LEAD_SHOWN;
    while (start < caret && continues_letter(text[start]))
        start++;
    end = length - start > LINE_SHOWN ? start + LINE_SHOWN : length;
    while (end > caret && end < length && continues_letter(text[end]))
        end--;

    append_text(diag, gutter);
    append_text(diag, start ? " | ..." : " | ");
    for (size_t i = start; i < end; i++)
        append_source_byte(diag, text[i]);
    append_text(diag, end < length ? "...\n" : "\n");

    if (place->column) {
        for (int i = 0; i < width; i++)
            append_text(diag, " ");
        append_text(diag, start ? " |    " : " | ");
        append_caret(diag, text, start, caret, end, place->span);
    }
}

/* Counts the complaint; false once enough of its level have been shown. */
static bool is_shown(struct diag *diag, enum diag_level level)
{
    uint32_t *count = level == DIAG_ERROR ? &diag->errors : &diag->warnings;

    if (*count < UINT32_MAX)
        (*count)++;
    return *count <= DIAG_LIMIT;
}

void diag_add(struct diag *diag, enum diag_level level,
              const struct diag_place *place, const char *hint,
              const char *format, ...)
{
    char message[MESSAGE_SIZE];
    va_list arguments;

    if (!diag || !is_shown(diag, level))
        return;

    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);

    append_location(diag, place);
    append_text(diag, level == DIAG_ERROR ? "error: " : "warning: ");
    append_harmless(diag, message, strlen(message));
    append_text(diag, "\n");
    if (place && place->file && place->line && place->text)
        append_source(diag, place);
    if (hint) {
        append_text(diag, "  hint: ");
        append_harmless(diag, hint, strlen(hint));
        append_text(diag, "\n");
    }
}

/* Capitals, and blanks or dashes for underscores, are no real difference. */
static char folded(char letter)
{
    if (letter >= 'A' && letter <= 'Z')
        return (char)(letter - 'A' + 'a');
    return letter == '-' || letter == ' ' ? '_' : letter;
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/*
 * Letters to insert, delete, change, or swap with a neighbour to turn a into b
 * (optimal string alignment). Three rows of the table suffice: a swap looks two
 * rows back.
 */
static uint32_t edit_distance(const char *a, size_t a_length, const char *b,
                              size_t b_length)
{
    uint32_t rows[3][WORD_LIMIT + 1];

    for (uint32_t j = 0; j <= b_length; j++)
        rows[0][j] = j;
    for (uint32_t i = 1; i <= a_length; i++) {
        uint32_t *row = rows[i % 3];
        const uint32_t *above = rows[(i + 2) % 3];
        const uint32_t *second = rows[(i + 1) % 3];

        row[0] = i;
        for (uint32_t j = 1; j <= b_length; j++) {
            char x = folded(a[i - 1]), y = folded(b[j - 1]);

            row[j] =
                least(above[j - 1] + (x != y), least(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && x == folded(b[j - 2]) &&
                folded(a[i - 2]) == y)
                row[j] = least(row[j], second[j - 2] + 1);
        }
    }
    return rows[a_length % 3][b_length];
}

void diag_add_no_memory(struct diag *diag, const struct diag_place *place)
{
    diag_add(diag, DIAG_ERROR, place, NULL, "out of memory");
    if (diag)
        diag->no_memory = true;
}

const char *diag_nearest(const char *word, size_t length,
                         const char *const *candidates)
{
    /* A third of the letters may be wrong: beyond that a guess misleads. */
    uint32_t best = length < 3 ? 1 : (uint32_t)(length / 3);
    const char *nearest = NULL;

    if (length == 0 || length > WORD_LIMIT)
        return NULL;
    for (; *candidates; candidates++) {
        size_t other = strlen(*candidates);

        if (other > WORD_LIMIT)
            continue;

        uint32_t distance = edit_distance(word, length, *candidates, other);
        if (distance < length && (distance < best + (nearest == NULL))) {
            best = distance;
            nearest = *candidates;
        }
    }
    return nearest;
}
