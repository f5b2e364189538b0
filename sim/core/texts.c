#include "sim/core/texts.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static char *print_text(const char *format, va_list arguments)
{
    va_list again;

    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);

    char *text = length < 0 ? NULL : malloc((size_t)length + 1);
    if (text)
        vsnprintf(text, (size_t)length + 1, format, arguments);
    return text;
}

bool texts_add_list(struct texts *texts, const char *format, va_list arguments)
{
    if (texts->count == texts->capacity) {
        size_t capacity = texts->capacity ? 2 * texts->capacity : 8;
        char **items = realloc(texts->items, capacity * sizeof *items);

        if (!items)
            return false;
        texts->items = items;
        texts->capacity = capacity;
    }

    char *text = print_text(format, arguments);
    if (text)
        texts->items[texts->count++] = text;
    return text != NULL;
}

bool texts_add(struct texts *texts, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    bool fine = texts_add_list(texts, format, arguments);
    va_end(arguments);
    return fine;
}

void texts_done(struct texts *texts)
{
    for (size_t i = 0; i < texts->count; i++)
        free(texts->items[i]);
    free(texts->items);
    *texts = (struct texts){0};
}
