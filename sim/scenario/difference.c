#include "sim/scenario/difference.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define DEPTH_MAX 24
#define PART_MOST 60 /* letters of a key that are shown */

/* A line without its comment; keys are those of the blocks it stands in. */
struct line {
    const char *next; /* the line behind it; NULL: this one is the end */
    const char *text; /* behind the indent, and behind the dashes of items */
    size_t length;
    size_t indent; /* of text */
};

/* The keys of a line's blocks, outermost first; the last one is its own, or
   empty for an item that is a plain value. */
struct path {
    struct line parts[DEPTH_MAX];
    size_t depth;
};

static size_t length_without_comment(const char *text, size_t length)
{
    bool quoted = false;

    for (size_t i = 0; i < length; i++) {
        quoted ^= text[i] == '"' && (i == 0 || text[i - 1] != '\\');
        if (!quoted && text[i] == '#' && (i == 0 || text[i - 1] == ' '))
            length = i;
    }
    while (length > 0 && text[length - 1] == ' ')
        length--;
    return length;
}

static struct line line_at(const char *text)
{
    size_t length = strcspn(text, "\n");
    struct line line = {
        .next = text[length] ? text + length + 1 : NULL,
        .text = text,
        .length = length_without_comment(text, length),
    };

    while (line.length > 0 &&
           (*line.text == ' ' ||
            (*line.text == '-' && line.length > 1 && line.text[1] == ' '))) {
        line.text++;
        line.length--;
        line.indent++;
    }
    return line;
}

/* The next line that says something; its text is empty at the end. */
static struct line next_line(const char **at)
{
    while (*at) {
        struct line line = line_at(*at);

        *at = line.next;
        if (line.length > 0)
            return line;
    }
    return (struct line){.text = ""};
}

static bool same(const struct line *a, const struct line *b)
{
    return a->indent == b->indent && a->length == b->length &&
           memcmp(a->text, b->text, a->length) == 0;
}

/* Letters of "key" in "key: value"; 0 in a plain value. */
static size_t key_length(const struct line *line)
{
    for (size_t i = 0; i < line->length; i++)
        if (line->text[i] == ':' &&
            (i + 1 == line->length || line->text[i + 1] == ' '))
            return i;
    return 0;
}

static void enter(struct path *path, const struct line *line)
{
    while (path->depth > 0 &&
           path->parts[path->depth - 1].indent >= line->indent)
        path->depth--;
    if (path->depth < DEPTH_MAX)
        path->parts[path->depth++] = *line;
}

static void write_path(const struct path *path, char *ret, size_t size)
{
    size_t used = 0;

    ret[0] = 0;
    for (size_t i = 0; i < path->depth && used + PART_MOST + 2 < size; i++) {
        int length = (int)key_length(&path->parts[i]);

        if (length > PART_MOST)
            length = PART_MOST;
        if (length > 0)
            used +=
                (size_t)snprintf(ret + used, size - used, "%s%.*s",
                                 used ? "." : "", length, path->parts[i].text);
    }
}

/* What stands behind the key; a block without a value of its own is "...". */
static void write_value(const struct line *line, char *ret, size_t size)
{
    size_t key = key_length(line);
    size_t skip = key ? key + 1 : 0;

    while (skip < line->length && line->text[skip] == ' ')
        skip++;
    if (line->length == 0)
        ret[0] = 0;
    else if (skip == line->length)
        snprintf(ret, size, "...");
    else
        snprintf(ret, size, "%.*s", (int)(line->length - skip),
                 line->text + skip);
}

static bool same_key(const struct line *a, const struct line *b)
{
    size_t length = key_length(a);

    return a->indent == b->indent && length == key_length(b) &&
           memcmp(a->text, b->text, length) == 0;
}

/* A line that the other lacks is one that goes deeper, or that comes before
   what the other says next; then the other's value is not shown. */
static void describe(const struct path *above, const struct line *one,
                     const struct line *other, struct difference *ret)
{
    struct path path = *above;
    struct line none = {.text = ""};
    bool at_one = one->length > 0 && one->indent >= other->indent;

    enter(&path, at_one ? one : other);
    write_path(&path, ret->path, sizeof ret->path);
    if (same_key(one, other) && one->length > 0 && other->length > 0) {
        write_value(one, ret->one, sizeof ret->one);
        write_value(other, ret->other, sizeof ret->other);
    } else {
        write_value(at_one ? one : &none, ret->one, sizeof ret->one);
        write_value(at_one ? &none : other, ret->other, sizeof ret->other);
    }
}

bool difference_find(const char *one, const char *other, struct difference *ret)
{
    struct path above = {0};

    for (;;) {
        struct line a = next_line(&one);
        struct line b = next_line(&other);

        if (!same(&a, &b)) {
            describe(&above, &a, &b, ret);
            return true;
        }
        if (a.length == 0)
            return false;
        enter(&above, &a);
    }
}
