#include "policies/quantity.h"

#include <ctype.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NUMBER_MAX 64 /* room for a number as text */

/* A decimal number, exactly: digits x 10^exponent. */
struct decimal {
    uint64_t digits;
    int exponent;
    bool negative;
};

struct unit {
    const char *name;
    uint64_t scale;
};

/* Largest first: that is how a duration is written, and may be put together. */
static const struct unit time_units[] = {
    {"d", 86400000000000u}, {"h", 3600000000000u},
    {"min", 60000000000u},  {"m", 60000000000u},
    {"s", 1000000000u},     {"ms", 1000000u},
    {"us", 1000u},          {"ns", 1u},
};

static const struct unit count_units[] = {
    {"", 1u}, {"k", 1000u}, {"M", 1000000u}, {"G", 1000000000u}};

#define TIME_UNIT_COUNT (sizeof time_units / sizeof time_units[0])
#define COUNT_UNIT_COUNT (sizeof count_units / sizeof count_units[0])

static bool is_space(char byte)
{
    return byte == ' ' || byte == '\t';
}

static void skip_space(struct lbp_text *text)
{
    while (text->at < text->end && is_space(*text->at))
        text->at++;
}

struct lbp_text lbp_text_trimmed(const char *value, size_t length)
{
    struct lbp_text text = {value, value + length};

    skip_space(&text);
    while (text.end > text.at && is_space(text.end[-1]))
        text.end--;
    return text;
}

bool lbp_text_is(const struct lbp_text *text, const char *word)
{
    size_t length = (size_t)(text->end - text->at);

    return strlen(word) == length && memcmp(text->at, word, length) == 0;
}

/* Eats the digits at the start of text; yields how many. false: too long to
   be exact. */
static bool read_digits(struct lbp_text *text, struct decimal *number,
                        int *ret_count)
{
    for (*ret_count = 0;
         text->at < text->end && isdigit((unsigned char)*text->at);
         text->at++, ++*ret_count) {
        unsigned digit = (unsigned)(*text->at - '0');

        if (number->digits > (UINT64_MAX - digit) / 10)
            return false;
        number->digits = number->digits * 10 + digit;
    }
    return true;
}

/* Eats e, a sign and digits, if all are there. */
static void read_exponent(struct lbp_text *text, struct decimal *number)
{
    const char *at = text->at;
    int exponent = 0;
    bool negative = false;

    if (at == text->end || (*at != 'e' && *at != 'E'))
        return;
    at++;
    if (at < text->end && (*at == '-' || *at == '+'))
        negative = *at++ == '-';
    if (at == text->end || !isdigit((unsigned char)*at))
        return;
    for (; at < text->end && isdigit((unsigned char)*at); at++)
        exponent = exponent < 1000 ? exponent * 10 + (*at - '0') : exponent;
    number->exponent += negative ? -exponent : exponent;
    text->at = at;
}

/* The double nearest to number x 10^shift. Written without a point, so the
   locale is no matter. */
static double nearest_double(const struct decimal *number, int shift)
{
    char text[NUMBER_MAX];

    snprintf(text, sizeof text, "%s%" PRIu64 "e%d", number->negative ? "-" : "",
             number->digits, number->exponent + shift);
    return strtod(text, NULL);
}

/* Eats a decimal number at the start of text. No hex, infinity or NaN. */
static bool read_decimal(struct lbp_text *text, struct decimal *ret_number)
{
    int whole, fraction = 0;

    *ret_number = (struct decimal){0};
    if (text->at < text->end && (*text->at == '-' || *text->at == '+'))
        ret_number->negative = *text->at++ == '-';
    if (!read_digits(text, ret_number, &whole))
        return false;
    if (text->at < text->end && *text->at == '.') {
        text->at++;
        if (!read_digits(text, ret_number, &fraction) || fraction == 0)
            return false;
    }
    if (whole + fraction == 0)
        return false;
    ret_number->exponent = -fraction;
    read_exponent(text, ret_number);
    return isfinite(nearest_double(ret_number, 0));
}

/* number x scale as a whole number, if it is one; the sign is left out. */
static bool scale_exactly(const struct decimal *number, uint64_t scale,
                          uint64_t *ret_whole)
{
    uint64_t whole = number->digits;
    int exponent = number->exponent;

    *ret_whole = 0;
    if (whole == 0)
        return true;
    for (; exponent < 0 && whole % 10 == 0; exponent++)
        whole /= 10;
    for (; exponent < 0 && scale % 10 == 0; exponent++)
        scale /= 10;
    if (exponent < 0 || scale > UINT64_MAX / whole)
        return false;
    whole *= scale;
    for (; exponent > 0; exponent--) {
        if (whole > UINT64_MAX / 10)
            return false;
        whole *= 10;
    }
    *ret_whole = whole;
    return true;
}

/* Readers of one kind each. They eat text and answer whether it was one. */

bool lbp_read_real(struct lbp_text text, double *ret_value)
{
    struct decimal number;

    if (!read_decimal(&text, &number) || text.at != text.end)
        return false;
    *ret_value = nearest_double(&number, 0);
    return true;
}

bool lbp_read_share(struct lbp_text text, double *ret_value)
{
    struct decimal number;
    bool percent;

    if (!read_decimal(&text, &number))
        return false;
    skip_space(&text);
    percent = text.at < text.end && *text.at == '%';
    text.at += percent;
    *ret_value = nearest_double(&number, percent ? -2 : 0);
    return text.at == text.end;
}

bool lbp_read_count(struct lbp_text text, uint64_t *ret_value)
{
    struct decimal number;

    if (!read_decimal(&text, &number))
        return false;
    for (size_t i = 0; i < COUNT_UNIT_COUNT; i++)
        if (lbp_text_is(&text, count_units[i].name))
            return scale_exactly(&number, count_units[i].scale, ret_value) &&
                   (!number.negative || *ret_value == 0);
    return false;
}

/* Eats the letters of a unit; TIME_UNIT_COUNT: none of ours. */
static size_t read_time_unit(struct lbp_text *text)
{
    struct lbp_text word = {text->at, text->at};

    while (word.end < text->end && isalpha((unsigned char)*word.end))
        word.end++;
    text->at = word.end;
    for (size_t i = 0; i < TIME_UNIT_COUNT; i++)
        if (lbp_text_is(&word, time_units[i].name))
            return i;
    return TIME_UNIT_COUNT;
}

/* One number and its unit, such as 30m, as ns; finer than ns is refused. */
static bool read_time_part(struct lbp_text *text, size_t *ret_unit,
                           uint64_t *ret_ns)
{
    struct decimal number;

    if (!read_decimal(text, &number) || number.negative)
        return false;
    skip_space(text);
    *ret_unit = read_time_unit(text);
    skip_space(text);
    return *ret_unit < TIME_UNIT_COUNT &&
           scale_exactly(&number, time_units[*ret_unit].scale, ret_ns) &&
           *ret_ns <= INT64_MAX;
}

/* Parts from large to small: 1h30m. */
bool lbp_read_duration(struct lbp_text text, int64_t *ret_ns)
{
    bool negative = text.at < text.end && *text.at == '-';
    uint64_t sum = 0, scale = UINT64_MAX;

    text.at += negative;
    do {
        size_t unit;
        uint64_t part;

        if (!read_time_part(&text, &unit, &part) ||
            time_units[unit].scale >= scale || part > INT64_MAX - sum)
            return false;
        scale = time_units[unit].scale;
        sum += part;
    } while (text.at < text.end);
    *ret_ns = negative ? -(int64_t)sum : (int64_t)sum;
    return true;
}

/* Like snprintf at the end of what out has; *length counts on past size. */
void lbp_append(char *out, size_t size, size_t *length, const char *format, ...)
{
    size_t room = *length < size ? size - *length : 0;
    va_list arguments;
    int added;

    va_start(arguments, format);
    added = vsnprintf(room ? out + *length : NULL, room, format, arguments);
    va_end(arguments);
    *length += added > 0 ? (size_t)added : 0;
}

/* The fewest digits that read back as the same double. */
size_t lbp_write_real(double value, char *out, size_t size)
{
    char text[NUMBER_MAX];
    size_t length = 0;
    char *point;

    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    point = strchr(text, localeconv()->decimal_point[0]);
    if (point)
        *point = '.';
    lbp_append(out, size, &length, "%s", text);
    return length;
}

/* In the largest unit that it is a whole number of. */
size_t lbp_write_duration(int64_t value_ns, char *out, size_t size)
{
    uint64_t ns = value_ns < 0 ? 0 - (uint64_t)value_ns : (uint64_t)value_ns;
    const struct unit *unit = time_units;
    size_t length = 0;

    if (ns == 0) {
        lbp_append(out, size, &length, "0 s");
        return length;
    }
    while (ns % unit->scale != 0)
        unit++;
    lbp_append(out, size, &length, "%s%" PRIu64 " %s", value_ns < 0 ? "-" : "",
               ns / unit->scale, unit->name);
    return length;
}

size_t lbp_write_count(uint64_t count, char *out, size_t size)
{
    size_t length = 0;

    lbp_append(out, size, &length, "%" PRIu64, count);
    return length;
}
