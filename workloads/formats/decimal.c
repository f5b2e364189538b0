#include "workloads/formats/decimal.h"

#include <stdbool.h>

#define NS_PER_S 1000000000

/* The text that is left to read. */
struct cursor {
    const char *at, *end;
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool next_is_digit(const struct cursor *cursor)
{
    return cursor->at < cursor->end && is_digit(*cursor->at);
}

static bool take(struct cursor *cursor, char wanted)
{
    if (cursor->at == cursor->end || *cursor->at != wanted)
        return false;
    cursor->at++;
    return true;
}

/* Digits up to a limit; beyond it, limit + 1 stands for "too large". */
static uint64_t take_digits(struct cursor *cursor, uint64_t limit)
{
    uint64_t value = 0;

    while (next_is_digit(cursor)) {
        uint64_t digit = (uint64_t)(*cursor->at++ - '0');

        value = value > (limit - digit) / 10 ? limit + 1 : value * 10 + digit;
        if (value > limit)
            value = limit + 1;
    }
    return value;
}

/* The digits behind a point, as ns; at least one is needed. */
static enum decimal_status take_fraction(struct cursor *cursor, int64_t *ret_ns)
{
    int64_t ns = 0;
    int64_t unit = NS_PER_S / 10;

    if (!next_is_digit(cursor))
        return DECIMAL_MALFORMED;
    for (; next_is_digit(cursor); unit /= 10) {
        int64_t digit = *cursor->at++ - '0';

        if (unit == 0 && digit != 0)
            return DECIMAL_TOO_FINE;
        ns += digit * unit;
    }
    *ret_ns = ns;
    return DECIMAL_OK;
}

/* Why a text that does not start with a digit is no number of 0 or more. */
static enum decimal_status not_a_number(const struct cursor *cursor)
{
    if (cursor->at == cursor->end)
        return DECIMAL_EMPTY;
    if (*cursor->at == '-' && cursor->at + 1 < cursor->end &&
        is_digit(cursor->at[1]))
        return DECIMAL_NEGATIVE;
    return DECIMAL_MALFORMED;
}

enum decimal_status decimal_parse_count(const char *text, size_t length,
                                        uint32_t *ret_count)
{
    struct cursor cursor = {text, text + length};

    if (!next_is_digit(&cursor))
        return not_a_number(&cursor);

    uint64_t count = take_digits(&cursor, DECIMAL_COUNT_MAX);

    if (take(&cursor, '.'))
        while (cursor.at < cursor.end && *cursor.at == '0')
            cursor.at++;
    if (cursor.at != cursor.end)
        return DECIMAL_MALFORMED;
    if (count > DECIMAL_COUNT_MAX)
        return DECIMAL_TOO_LARGE;
    *ret_count = (uint32_t)count;
    return DECIMAL_OK;
}

enum decimal_status decimal_parse_seconds(const char *text, size_t length,
                                          int64_t *ret_ns)
{
    static const uint64_t max_s = INT64_MAX / NS_PER_S - 1;
    struct cursor cursor = {text, text + length};
    int64_t fraction_ns = 0;

    if (!next_is_digit(&cursor))
        return not_a_number(&cursor);

    uint64_t seconds = take_digits(&cursor, max_s);

    if (take(&cursor, '.')) {
        enum decimal_status status = take_fraction(&cursor, &fraction_ns);

        if (status != DECIMAL_OK)
            return status;
    }
    if (cursor.at != cursor.end)
        return DECIMAL_MALFORMED;
    if (seconds > max_s)
        return DECIMAL_TOO_LARGE;
    *ret_ns = (int64_t)seconds * NS_PER_S + fraction_ns;
    return DECIMAL_OK;
}

/* The digits behind a point as whole microseconds; the seventh decides. */
static int64_t take_microseconds(struct cursor *cursor)
{
    int64_t us = 0;

    for (int digits = 0; digits < 6; digits++) {
        us *= 10;
        if (next_is_digit(cursor))
            us += *cursor->at++ - '0';
    }
    if (next_is_digit(cursor) && *cursor->at >= '5')
        us++;
    while (next_is_digit(cursor))
        cursor->at++;
    return us;
}

enum decimal_status
decimal_parse_rounded_seconds(const char *text, size_t length, int64_t *ret_ns)
{
    static const uint64_t max_s = INT64_MAX / NS_PER_S - 2;
    struct cursor cursor = {text, text + length};
    int64_t us = 0;

    if (!next_is_digit(&cursor))
        return not_a_number(&cursor);

    uint64_t seconds = take_digits(&cursor, max_s);

    if (take(&cursor, '.')) {
        if (!next_is_digit(&cursor))
            return DECIMAL_MALFORMED;
        us = take_microseconds(&cursor);
    }
    if (cursor.at != cursor.end)
        return DECIMAL_MALFORMED;
    if (seconds > max_s)
        return DECIMAL_TOO_LARGE;
    *ret_ns = (int64_t)seconds * NS_PER_S + us * (NS_PER_S / 1000000);
    return DECIMAL_OK;
}

/* Exactly count digits. */
static bool take_number(struct cursor *cursor, int count, int *ret_value)
{
    int value = 0;

    if (cursor->end - cursor->at < count)
        return false;
    for (int i = 0; i < count; i++) {
        char c = *cursor->at++;

        if (!is_digit(c))
            return false;
        value = value * 10 + (c - '0');
    }
    *ret_value = value;
    return true;
}

static int days_in_month(int year, int month)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;

    return days[month - 1] + (month == 2 && leap);
}

/* Days since 1970-01-01 in the Gregorian calendar, for years from 1970. */
static int64_t days_since_1970(int year, int month, int day)
{
    static const int before[] = {0,   31,  59,  90,  120, 151,
                                 181, 212, 243, 273, 304, 334};
    int last = year - 1; /* leap days of whole years before this one */
    int leap_days = last / 4 - last / 100 + last / 400 - 477;
    bool past_february = month > 2 && days_in_month(year, 2) == 29;

    return (int64_t)(year - 1970) * 365 + leap_days + before[month - 1] +
           past_february + day - 1;
}

static enum decimal_status take_day(struct cursor *cursor, int64_t *ret_days)
{
    int year, month, day;

    if (!take_number(cursor, 4, &year) || !take(cursor, '-') ||
        !take_number(cursor, 2, &month) || !take(cursor, '-') ||
        !take_number(cursor, 2, &day))
        return DECIMAL_MALFORMED;
    if (month < 1 || month > 12 || day < 1 || day > days_in_month(year, month))
        return DECIMAL_NO_SUCH_TIME;
    if (year < 1970 || year > 2261)
        return DECIMAL_TOO_LARGE;
    *ret_days = days_since_1970(year, month, day);
    return DECIMAL_OK;
}

static enum decimal_status take_clock(struct cursor *cursor, int64_t *ret_ns)
{
    int hour, minute, second;
    int64_t fraction_ns = 0;

    if (!take_number(cursor, 2, &hour) || !take(cursor, ':') ||
        !take_number(cursor, 2, &minute) || !take(cursor, ':') ||
        !take_number(cursor, 2, &second))
        return DECIMAL_MALFORMED;
    if (hour > 23 || minute > 59 || second > 59)
        return DECIMAL_NO_SUCH_TIME;
    if (take(cursor, '.')) {
        enum decimal_status status = take_fraction(cursor, &fraction_ns);

        if (status != DECIMAL_OK)
            return status;
    }
    *ret_ns =
        (int64_t)(hour * 3600 + minute * 60 + second) * NS_PER_S + fraction_ns;
    return DECIMAL_OK;
}

/* How far the zone's clock is ahead of UTC, in ns. */
static enum decimal_status take_zone(struct cursor *cursor, int64_t *ret_ns)
{
    int hours, minutes = 0;
    bool west = *cursor->at == '-';

    if (take(cursor, 'Z'))
        return DECIMAL_OK;
    if (!take(cursor, '+') && !take(cursor, '-'))
        return DECIMAL_MALFORMED;
    if (!take_number(cursor, 2, &hours))
        return DECIMAL_MALFORMED;
    if (cursor->at < cursor->end) {
        take(cursor, ':');
        if (!take_number(cursor, 2, &minutes))
            return DECIMAL_MALFORMED;
    }
    if (hours > 23 || minutes > 59)
        return DECIMAL_NO_SUCH_TIME;

    int64_t ahead_ns = (int64_t)(hours * 3600 + minutes * 60) * NS_PER_S;

    *ret_ns = west ? -ahead_ns : ahead_ns;
    return DECIMAL_OK;
}

enum decimal_status decimal_parse_calendar(const char *text, size_t length,
                                           int64_t *ret_ns,
                                           enum decimal_zone *ret_zone)
{
    struct cursor cursor = {text, text + length};
    int64_t days = 0, clock_ns = 0, ahead_ns = 0;
    enum decimal_status status;

    if (length == 0)
        return DECIMAL_EMPTY;
    status = take_day(&cursor, &days);
    if (status != DECIMAL_OK)
        return status;
    if (!take(&cursor, ' ') && !take(&cursor, 'T'))
        return DECIMAL_MALFORMED;
    status = take_clock(&cursor, &clock_ns);
    if (status != DECIMAL_OK)
        return status;

    *ret_zone = DECIMAL_ZONE_ABSENT;
    if (cursor.at < cursor.end) {
        *ret_zone = DECIMAL_ZONE_GIVEN;
        status = take_zone(&cursor, &ahead_ns);
        if (status != DECIMAL_OK)
            return status;
        if (cursor.at != cursor.end)
            return DECIMAL_MALFORMED;
    }

    int64_t ns = days * 86400 * NS_PER_S + clock_ns - ahead_ns;

    if (ns < 0) /* the first hours of 1970, east of Greenwich */
        return DECIMAL_TOO_LARGE;
    *ret_ns = ns;
    return DECIMAL_OK;
}
