#include "workloads/formats/lines.h"

#include <stdlib.h>
#include <string.h>

#define READ_SIZE ((size_t)256 << 10)
#define BUFFER_SIZE (LINES_LIMIT + READ_SIZE)

bool lines_init(struct lines *lines, struct source *source)
{
    *lines = (struct lines){.source = source, .buffer = malloc(BUFFER_SIZE)};
    return lines->buffer != NULL;
}

void lines_done(struct lines *lines)
{
    free(lines->buffer);
    lines->buffer = NULL;
}

static void refill(struct lines *lines)
{
    size_t unread = lines->end - lines->begin;
    size_t room = BUFFER_SIZE - unread;
    size_t got;

    memmove(lines->buffer, lines->buffer + lines->begin, unread);
    lines->begin = 0;
    got = source_read(lines->source, lines->buffer + unread,
                      room < READ_SIZE ? room : READ_SIZE);
    lines->end = unread + got;
    if (got == 0) {
        lines->source_ended = true;
        lines->error = source_error(lines->source);
    }
}

static void skip_byte_order_mark(struct lines *lines)
{
    if (lines->end - lines->begin >= 3 &&
        memcmp(lines->buffer + lines->begin, "\xef\xbb\xbf", 3) == 0)
        lines->begin += 3;
}

bool lines_next(struct lines *lines, const char **ret_text, size_t *ret_length)
{
    const char *newline = NULL;
    size_t length;

    for (;;) {
        const char *start = lines->buffer + lines->begin;
        size_t unread = lines->end - lines->begin;

        newline = unread ? memchr(start, '\n', unread) : NULL;
        if (newline || lines->source_ended || unread > LINES_LIMIT)
            break;
        refill(lines);
    }
    if (lines->error)
        return false;
    if (lines->line == 0)
        skip_byte_order_mark(lines);
    if (lines->begin == lines->end)
        return false;
    *ret_text = lines->buffer + lines->begin;
    length =
        newline ? (size_t)(newline - *ret_text) : lines->end - lines->begin;
    lines->line++;
    lines->begin += length + (newline != NULL);
    if (length > 0 && (*ret_text)[length - 1] == '\r')
        length--;
    *ret_length = length;
    if (length > LINES_LIMIT) {
        lines->error = "a line is longer than 1 MiB";
        return false;
    }
    return true;
}
