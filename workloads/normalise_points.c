#include "workloads/normalise_points.h"

#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#define REPLACEMENT 0xfffd
#define MOST_PER_POINT 64 /* one character unfolds into 18 at most */
#define SHORT_RUN 32

bool normalise_bytes_reserve(struct normalise_bytes *bytes, size_t capacity)
{
    char *grown;

    if (capacity <= bytes->capacity)
        return true;
    capacity += capacity / 2;
    grown = realloc(bytes->bytes, capacity);
    if (!grown)
        return false;
    bytes->bytes = grown;
    bytes->capacity = capacity;
    return true;
}

static bool reserve_points(struct normalise_room *room)
{
    size_t capacity = room->point_count + MOST_PER_POINT;
    int32_t *points;

    if (capacity <= room->point_capacity)
        return true;
    capacity += capacity / 2 + 256;
    points = realloc(room->points, capacity * sizeof *points);
    if (!points)
        return false;
    room->points = points;
    room->point_capacity = capacity;
    return true;
}

/* ---- decoding ---- */

/* The second byte of a sequence is bounded more tightly after some first ones:
   no surrogates, nothing too long or beyond U+10FFFF. */
static void second_byte_range(unsigned char first, unsigned char *ret_low,
                              unsigned char *ret_high)
{
    *ret_low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
    *ret_high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
}

static int bytes_after(unsigned char first)
{
    if (first >= 0xc2 && first <= 0xdf)
        return 1;
    if (first >= 0xe0 && first <= 0xef)
        return 2;
    return first >= 0xf0 && first <= 0xf4 ? 3 : 0;
}

/* One character, or REPLACEMENT for the longest piece that could have begun
   one. Returns the bytes taken. */
static size_t decode(const unsigned char *at, size_t left, int32_t *ret_point,
                     unsigned *flags)
{
    int more = bytes_after(at[0]);
    bool sound = more > 0;
    unsigned char low, high;
    int32_t point = at[0] & (0x3f >> more);
    size_t taken = 1;

    second_byte_range(at[0], &low, &high);
    for (; more > 0; more--, taken++) {
        if (taken == left || at[taken] < low || at[taken] > high) {
            sound = false;
            break;
        }
        point = point << 6 | (at[taken] & 0x3f);
        low = 0x80;
        high = 0xbf;
    }
    if (!sound) {
        *flags |= NORMALISE_INVALID;
        point = REPLACEMENT;
    }
    *ret_point = point;
    return taken;
}

/* ---- Unicode's forms ---- */

static int combining_class(int32_t point)
{
    return point < 0x300 ? 0 : utf8proc_get_property(point)->combining_class;
}

/* Marks in order of their classes, equal ones as they stand. */
static void sort_short_run(int32_t *run, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        int32_t point = run[i];
        int class = combining_class(point);
        size_t to = i;

        for (; to > 0 && combining_class(run[to - 1]) > class; to--)
            run[to] = run[to - 1];
        run[to] = point;
    }
}

/* The same in time that grows with the length: a megabyte of marks is no
   language, but must not stop us. Uses the room behind the points. */
static void sort_long_run(int32_t *run, size_t count, int32_t *spare)
{
    size_t sorted = 0;

    for (int class = 1; class < 256; class ++)
        for (size_t i = 0; i < count; i++)
            if (combining_class(run[i]) == class)
                spare[sorted++] = run[i];
    memcpy(run, spare, count * sizeof *run);
}

static bool order_marks(struct normalise_room *room)
{
    size_t count = room->point_count;

    for (size_t i = 0; i < count; i++) {
        size_t start = i;

        while (i < count && combining_class(room->points[i]) != 0)
            i++;
        if (i - start <= SHORT_RUN) {
            sort_short_run(room->points + start, i - start);
            continue;
        }

        int32_t *spare = malloc((i - start) * sizeof *spare);

        if (!spare)
            return false;
        sort_long_run(room->points + start, i - start, spare);
        free(spare);
    }
    return true;
}

static utf8proc_option_t unicode_options(const struct normalise_spec *spec)
{
    unsigned options = UTF8PROC_STABLE;

    if (spec->nfkc)
        options |= UTF8PROC_COMPAT | UTF8PROC_COMPOSE | UTF8PROC_IGNORE;
    if (spec->fold_case)
        options |= UTF8PROC_CASEFOLD;
    return (utf8proc_option_t)options;
}

static int32_t fold_ascii(int32_t point)
{
    return point >= 'A' && point <= 'Z' ? point + ('a' - 'A') : point;
}

static bool add_point(struct normalise_room *room, int32_t point,
                      const struct normalise_spec *spec,
                      utf8proc_option_t options)
{
    int boundary = 0;

    if (!reserve_points(room))
        return false;
    if (point < 0x80 || !(spec->nfkc || spec->fold_case)) {
        room->points[room->point_count++] =
            spec->fold_case ? fold_ascii(point) : point;
        return true;
    }
    room->point_count +=
        (size_t)utf8proc_decompose_char(point, room->points + room->point_count,
                                        MOST_PER_POINT, options, &boundary);
    return true;
}

bool normalise_points_read(struct normalise_room *room,
                           const struct normalise_spec *spec)
{
    const unsigned char *at = (const unsigned char *)room->text.bytes;
    const unsigned char *end = at + room->text.length;
    utf8proc_option_t options = unicode_options(spec);

    room->point_count = 0;
    while (at < end) {
        int32_t point = *at;

        at += *at < 0x80 ? 1
                         : decode(at, (size_t)(end - at), &point, &room->flags);
        if (!add_point(room, point, spec, options))
            return false;
    }
    if (!spec->nfkc || room->point_count == 0)
        return true;
    if (!order_marks(room))
        return false;
    room->point_count = (size_t)utf8proc_normalize_utf32(
        room->points, (utf8proc_ssize_t)room->point_count, options);
    return true;
}

/* ---- punctuation and white space ---- */

static bool is_punctuation(int32_t point)
{
    utf8proc_category_t category = utf8proc_category(point);

    return category >= UTF8PROC_CATEGORY_PC && category <= UTF8PROC_CATEGORY_PO;
}

static bool is_space(int32_t point)
{
    utf8proc_category_t category = utf8proc_category(point);

    return category >= UTF8PROC_CATEGORY_ZS && category <= UTF8PROC_CATEGORY_CC;
}

static bool is_digit(int32_t point)
{
    return utf8proc_category(point) == UTF8PROC_CATEGORY_ND;
}

static bool is_letter(int32_t point)
{
    utf8proc_category_t category = utf8proc_category(point);

    return category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_ME;
}

static bool is_apostrophe(int32_t point)
{
    return point == '\'' || point == 0x2018 || point == 0x2019;
}

/* What is written for marks start to end - 1: nothing, a space, or the one
   mark that there is. */
static size_t replace_marks(const struct normalise_room *room, size_t start,
                            size_t end, int32_t *to)
{
    const int32_t *points = room->points;
    bool single = end - start == 1;

    if (start == 0 || end == room->point_count || is_space(points[start - 1]) ||
        is_space(points[end]))
        return 0;
    *to = ' ';
    if (single && is_digit(points[start - 1]) && is_digit(points[end]))
        *to = points[start];
    else if (single && is_apostrophe(points[start]) &&
             is_letter(points[start - 1]) && is_letter(points[end]))
        return 0;
    return 1;
}

void normalise_points_strip_punctuation(struct normalise_room *room)
{
    size_t kept = 0;

    for (size_t i = 0; i < room->point_count;) {
        size_t start = i;
        int32_t between = 0;
        size_t written;

        while (i < room->point_count && is_punctuation(room->points[i]))
            i++;
        if (i == start) {
            room->points[kept++] = room->points[i++];
            continue;
        }
        /* The point before the marks is still as it was: what is kept never
           gets ahead of what was read. */
        written = replace_marks(room, start, i, &between);
        if (written > 0)
            room->points[kept++] = between;
    }
    room->point_count = kept;
}

void normalise_points_collapse_space(struct normalise_room *room)
{
    size_t kept = 0;
    bool pending = false;

    for (size_t i = 0; i < room->point_count; i++) {
        int32_t point = room->points[i];

        if (is_space(point)) {
            pending = kept > 0;
            continue;
        }
        if (pending)
            room->points[kept++] = ' ';
        pending = false;
        room->points[kept++] = point;
    }
    room->point_count = kept;
}

/* ---- scripts ---- */

/* Where letters of the Latin script stand, beside the signs for sounds and the
   modifiers that are written with it. */
static bool is_latin(int32_t point)
{
    static const int32_t blocks[][2] = {
        {0, 0x2ff},       {0x1d00, 0x1dbf}, {0x1e00, 0x1eff},  {0x2071, 0x209c},
        {0x2100, 0x218f}, {0x2c60, 0x2c7f}, {0xa720, 0xa7ff},  {0xab30, 0xab6f},
        {0xfb00, 0xfb06}, {0xff21, 0xff5a}, {0x1d400, 0x1d7ff}};

    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        if (point >= blocks[i][0] && point <= blocks[i][1])
            return true;
    return false;
}

bool normalise_points_are_foreign(const struct normalise_room *room)
{
    for (size_t i = 0; i < room->point_count; i++) {
        utf8proc_category_t category = utf8proc_category(room->points[i]);

        if (category >= UTF8PROC_CATEGORY_LU &&
            category <= UTF8PROC_CATEGORY_LO && !is_latin(room->points[i]))
            return true;
    }
    return false;
}

bool normalise_points_write(struct normalise_room *room)
{
    struct normalise_bytes *next = &room->next;

    if (!normalise_bytes_reserve(next, 4 * room->point_count + 4))
        return false;
    next->length = 0;
    for (size_t i = 0; i < room->point_count; i++) {
        int32_t point = room->points[i];

        if (point < 0x80)
            next->bytes[next->length++] = (char)point;
        else
            next->length += (size_t)utf8proc_encode_char(
                point, (utf8proc_uint8_t *)next->bytes + next->length);
    }
    return true;
}
