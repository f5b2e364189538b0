#include "sim/scenario/units.h"

#include "sim/scenario/decimal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

struct unit {
    const char *name;
    uint64_t factor;
};

static const struct unit time_units[] = {
    {"ns", 1},
    {"us", 1000},
    {"ms", 1000000},
    {"s", 1000000000},
    {"min", 60000000000},
    {"m", 60000000000},
    {"h", 3600000000000},
    {"d", 86400000000000},
    {NULL, 0},
};

static const struct unit size_units[] = {
    {"B", 1},
    {"kB", 1000},
    {"MB", 1000000},
    {"GB", 1000000000},
    {"TB", 1000000000000},
    {"KiB", UINT64_C(1) << 10},
    {"MiB", UINT64_C(1) << 20},
    {"GiB", UINT64_C(1) << 30},
    {"TiB", UINT64_C(1) << 40},
    {NULL, 0},
};

static const struct unit rate_units[] = {
    {"s", 1}, {"min", 60}, {"m", 60}, {"h", 3600}, {"d", 86400}, {NULL, 0},
};

static const struct unit multiples[] = {
    {"", 1}, {"k", 1000}, {"M", 1000000}, {"G", 1000000000}, {NULL, 0},
};

static bool is_letter(char letter)
{
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
}

static void skip_blanks(struct cursor *cursor)
{
    while (!cursor_at_end(cursor) && *cursor->at == ' ')
        cursor->at++;
}

static struct cursor trimmed(const char *text, size_t length)
{
    struct cursor cursor = {text, text + length};

    skip_blanks(&cursor);
    while (cursor.end > cursor.at && cursor.end[-1] == ' ')
        cursor.end--;
    return cursor;
}

/* As much of a user's text as a message can bear. */
static int shown(size_t length)
{
    return length > 60 ? 60 : (int)length;
}

static bool expected(const char *what, const char *text, size_t length,
                     char *reterr, size_t reterr_size)
{
    struct cursor all = trimmed(text, length);

    if (all.end - all.at > 1 && *all.at == '-' &&
        (decimal_is_digit(all.at[1]) || all.at[1] == '.'))
        snprintf(reterr, reterr_size, "must not be negative, got '%.*s'",
                 shown(length), text);
    else
        snprintf(reterr, reterr_size, "expected %s, got '%.*s'", what,
                 shown(length), text);
    return false;
}

/* Takes a word of letters and finds its unit; NULL: none of them. */
static const struct unit *take_unit(struct cursor *cursor,
                                    const struct unit *units)
{
    const char *start = cursor->at;
    size_t length;

    while (!cursor_at_end(cursor) && is_letter(*cursor->at))
        cursor->at++;
    length = (size_t)(cursor->at - start);
    for (; units->name; units++)
        if (strlen(units->name) == length &&
            memcmp(units->name, start, length) == 0)
            return units;
    cursor->at = start;
    return NULL;
}

/* What follows the number, unless it shows that it was none: 0x10, 1_000. */
static bool is_word(const struct cursor *cursor)
{
    for (const char *at = cursor->at; at < cursor->end; at++)
        if (decimal_is_digit(*at) || *at == '_')
            return false;
    return !cursor_at_end(cursor) && is_letter(*cursor->at);
}

static bool unknown_unit(const struct cursor *cursor, const char *known,
                         char *reterr, size_t reterr_size)
{
    size_t length = (size_t)(cursor->end - cursor->at);

    snprintf(reterr, reterr_size, "unknown unit '%.*s' (use %s)", shown(length),
             cursor->at, known);
    return false;
}

static bool needs_unit(const char *text, size_t length, const char *first,
                       const char *second, char *reterr, size_t reterr_size)
{
    struct cursor all = trimmed(text, length);
    int width = shown((size_t)(all.end - all.at));

    snprintf(reterr, reterr_size,
             "%.*s needs a unit, such as '%.*s%s' or '%.*s%s'", width, all.at,
             width, all.at, first, width, all.at, second);
    return false;
}

static const char a_duration[] = "a duration such as '250 ms' or '10 min'";

bool units_parse_duration(const char *text, size_t length, int64_t *ret_ns,
                          char *reterr, size_t reterr_size)
{
    struct cursor cursor = trimmed(text, length);
    uint64_t total = 0, part, last_factor = UINT64_MAX;
    bool exact;

    do {
        struct decimal number;
        const struct unit *unit;

        if (!decimal_take(&cursor, &number) ||
            !decimal_take_exponent(&cursor, &number))
            return expected(a_duration, text, length, reterr, reterr_size);
        skip_blanks(&cursor);
        if (cursor_at_end(&cursor))
            return needs_unit(text, length, " s", " ms", reterr, reterr_size);
        unit = take_unit(&cursor, time_units);
        if (!unit && is_word(&cursor))
            return unknown_unit(&cursor, "ns, us, ms, s, min, h or d", reterr,
                                reterr_size);
        if (!unit || unit->factor >= last_factor)
            return expected(a_duration, text, length, reterr, reterr_size);
        last_factor = unit->factor;
        if (!decimal_scale(&number, unit->factor, &part, &exact) ||
            part > (uint64_t)INT64_MAX - total) {
            snprintf(reterr, reterr_size, "'%.*s' is longer than 292 years",
                     shown(length), text);
            return false;
        }
        total += part;
        skip_blanks(&cursor);
    } while (!cursor_at_end(&cursor));
    *ret_ns = (int64_t)total;
    return true;
}

bool units_parse_size(const char *text, size_t length, uint64_t *ret_bytes,
                      char *reterr, size_t reterr_size)
{
    static const char what[] = "a size such as '512 MiB' or '2 GB'";
    struct cursor cursor = trimmed(text, length);
    struct decimal number;
    const struct unit *unit;
    uint64_t bytes;
    bool exact;

    if (!decimal_take(&cursor, &number))
        return expected(what, text, length, reterr, reterr_size);
    skip_blanks(&cursor);
    if (cursor_at_end(&cursor))
        return needs_unit(text, length, " B", " MiB", reterr, reterr_size);
    unit = take_unit(&cursor, size_units);
    if (!unit && is_word(&cursor))
        return unknown_unit(&cursor, "B, kB, MB, GB, TB, KiB, MiB, GiB or TiB",
                            reterr, reterr_size);
    if (!unit || !cursor_at_end(&cursor))
        return expected(what, text, length, reterr, reterr_size);
    if (!decimal_scale(&number, unit->factor, &bytes, &exact) || !exact) {
        snprintf(reterr, reterr_size,
                 "'%.*s' is not a whole number of bytes "
                 "below 8 EiB",
                 shown(length), text);
        return false;
    }
    *ret_bytes = bytes;
    return true;
}

/* Takes "/" or "per". */
static bool take_per(struct cursor *cursor)
{
    skip_blanks(cursor);
    if (!cursor_at_end(cursor) && *cursor->at == '/') {
        cursor->at++;
    } else if (cursor->end - cursor->at > 3 &&
               memcmp(cursor->at, "per ", 4) == 0) {
        cursor->at += 4;
    } else {
        return false;
    }
    skip_blanks(cursor);
    return true;
}

bool units_parse_rate(const char *text, size_t length, double *ret_per_s,
                      char *reterr, size_t reterr_size)
{
    static const char what[] = "a rate such as '12/s' or '600/min'";
    struct cursor cursor = trimmed(text, length);
    struct decimal number;
    const struct unit *multiple, *unit;

    if (!decimal_take(&cursor, &number) ||
        !decimal_take_exponent(&cursor, &number))
        return expected(what, text, length, reterr, reterr_size);
    if (cursor_at_end(&cursor))
        return needs_unit(text, length, "/s", "/min", reterr, reterr_size);
    multiple = take_unit(&cursor, multiples);
    if (!multiple)
        multiple = &multiples[0];
    if (!take_per(&cursor))
        return expected(what, text, length, reterr, reterr_size);
    unit = take_unit(&cursor, rate_units);
    if (!unit && is_word(&cursor))
        return unknown_unit(&cursor, "/s, /min, /h or /d", reterr, reterr_size);
    if (!unit || !cursor_at_end(&cursor))
        return expected(what, text, length, reterr, reterr_size);
    *ret_per_s = decimal_to_double(&number, 0) * (double)multiple->factor /
                 (double)unit->factor;
    return true;
}

bool units_parse_share(const char *text, size_t length, double *ret,
                       char *reterr, size_t reterr_size)
{
    static const char what[] = "a share such as '30 %' or '0.3'";
    struct cursor cursor = trimmed(text, length);
    struct decimal number;
    int percent = 0;

    if (!decimal_take(&cursor, &number) ||
        !decimal_take_exponent(&cursor, &number))
        return expected(what, text, length, reterr, reterr_size);
    skip_blanks(&cursor);
    if (!cursor_at_end(&cursor) && *cursor.at == '%') {
        percent = 2;
        cursor.at++;
    }
    if (!cursor_at_end(&cursor))
        return expected(what, text, length, reterr, reterr_size);
    *ret = decimal_to_double(&number, percent);
    return true;
}

bool units_parse_count(const char *text, size_t length, uint64_t *ret,
                       char *reterr, size_t reterr_size)
{
    static const char what[] = "a whole number such as '8' or '50k'";
    struct cursor cursor = trimmed(text, length);
    struct decimal number;
    const struct unit *multiple;
    uint64_t count;
    bool exact;

    if (!decimal_take(&cursor, &number))
        return expected(what, text, length, reterr, reterr_size);
    multiple = take_unit(&cursor, multiples);
    if (!multiple || !cursor_at_end(&cursor) ||
        !decimal_scale(&number, multiple->factor, &count, &exact) || !exact)
        return expected(what, text, length, reterr, reterr_size);
    *ret = count;
    return true;
}

bool units_parse_number(const char *text, size_t length, double *ret,
                        char *reterr, size_t reterr_size)
{
    static const char what[] = "a plain number such as '1.5'";
    struct cursor cursor = trimmed(text, length);
    struct decimal number;
    const struct unit *multiple;
    double value;

    if (!decimal_take(&cursor, &number) ||
        !decimal_take_exponent(&cursor, &number))
        return expected(what, text, length, reterr, reterr_size);
    multiple = take_unit(&cursor, multiples);
    if (!multiple || !cursor_at_end(&cursor))
        return expected(what, text, length, reterr, reterr_size);
    value = decimal_to_double(&number, 0) * (double)multiple->factor;
    if (!isfinite(value))
        return expected(what, text, length, reterr, reterr_size);
    *ret = value;
    return true;
}

/* The largest unit of the table, in its order, that divides the amount. */
static void write_whole(uint64_t amount, const struct unit *units,
                        char text[UNITS_TEXT_SIZE])
{
    const struct unit *best = &units[0];

    for (; units->name; units++)
        if (amount % units->factor == 0 && units->factor > best->factor)
            best = units;
    snprintf(text, UNITS_TEXT_SIZE, "%" PRIu64 " %s", amount / best->factor,
             best->name);
}

void units_write_duration(int64_t ns, char text[UNITS_TEXT_SIZE])
{
    if (ns == 0)
        snprintf(text, UNITS_TEXT_SIZE, "0 s");
    else
        write_whole((uint64_t)ns, time_units, text);
}

void units_write_size(uint64_t bytes, char text[UNITS_TEXT_SIZE])
{
    if (bytes == 0)
        snprintf(text, UNITS_TEXT_SIZE, "0 B");
    else
        write_whole(bytes, size_units, text);
}
