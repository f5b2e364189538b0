#include "sim/scenario/sheet.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool make_room(struct sheet *sheet, size_t more)
{
    size_t capacity = sheet->capacity * 2 + more + 256;
    char *grown;

    if (sheet->failed)
        return false;
    if (sheet->capacity - sheet->length > more)
        return true;
    grown = realloc(sheet->text, capacity);
    if (!grown) {
        sheet->failed = true;
        return false;
    }
    sheet->text = grown;
    sheet->capacity = capacity;
    return true;
}

void sheet_add(struct sheet *sheet, const char *text, size_t length)
{
    if (!make_room(sheet, length))
        return;
    memcpy(sheet->text + sheet->length, text, length);
    sheet->length += length;
    sheet->text[sheet->length] = '\0';
}

/* Where it fits it is written at once; else there is room the second time. */
void sheet_print(struct sheet *sheet, const char *format, ...)
{
    va_list arguments, again;
    size_t room = sheet->capacity - sheet->length;
    int length;

    va_start(arguments, format);
    va_copy(again, arguments);
    length = vsnprintf(room > 0 ? sheet->text + sheet->length : NULL, room,
                       format, arguments);
    va_end(arguments);
    if (length >= 0 && (size_t)length >= room &&
        make_room(sheet, (size_t)length))
        vsnprintf(sheet->text + sheet->length, (size_t)length + 1, format,
                  again);
    va_end(again);
    if (length >= 0 && !sheet->failed)
        sheet->length += (size_t)length;
}

void sheet_pad(struct sheet *sheet, size_t column)
{
    size_t start = sheet->length;

    while (start > 0 && sheet->text[start - 1] != '\n')
        start--;
    do
        sheet_add(sheet, " ", 1);
    while (!sheet->failed && sheet->length - start < column);
}

void sheet_cut(struct sheet *sheet, size_t length)
{
    if (length >= sheet->length)
        return;
    sheet->length = length;
    sheet->text[length] = '\0';
}

char *sheet_take(struct sheet *sheet)
{
    char *text;

    sheet_add(sheet, "", 0);
    text = sheet->text;
    if (sheet->failed) {
        free(text);
        text = NULL;
    }
    *sheet = (struct sheet){0};
    return text;
}

/* Plain when YAML could take it for nothing else. */
static bool is_safe(const struct tree *scalar)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz"
                                  "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    static const char inner[] = "abcdefghijklmnopqrstuvwxyz"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"
                                ".-+/% ";

    if (scalar->quoted || scalar->length == 0 ||
        strspn(scalar->text, letters) == 0)
        return false;
    return strspn(scalar->text, inner) == scalar->length &&
           scalar->text[scalar->length - 1] != ' ';
}

void sheet_scalar(struct sheet *sheet, const struct tree *scalar)
{
    if (is_safe(scalar)) {
        sheet_add(sheet, scalar->text, scalar->length);
        return;
    }
    sheet_print(sheet, "\"");
    for (size_t i = 0; i < scalar->length; i++) {
        unsigned char byte = (unsigned char)scalar->text[i];

        if (byte == '"' || byte == '\\')
            sheet_print(sheet, "\\%c", byte);
        else if (byte < ' ' || byte == 127)
            sheet_print(sheet, "\\x%02x", byte);
        else
            sheet_add(sheet, &scalar->text[i], 1);
    }
    sheet_print(sheet, "\"");
}

/* On one line: {a: b}, [c, d]. */
void sheet_flow(struct sheet *sheet, const struct tree *tree)
{
    if (tree->kind == TREE_SCALAR) {
        sheet_scalar(sheet, tree);
        return;
    }
    sheet_print(sheet, tree->kind == TREE_MAP ? "{" : "[");
    for (uint32_t i = 0; i < tree->count; i++) {
        if (i > 0)
            sheet_print(sheet, ", ");
        if (tree->kind == TREE_MAP) {
            sheet_scalar(sheet, tree->keys[i]);
            sheet_print(sheet, ": ");
        }
        sheet_flow(sheet, tree->values[i]);
    }
    sheet_print(sheet, tree->kind == TREE_MAP ? "}" : "]");
}
