/*
 * Numbers and times out of text, without a double in between.
 *
 * Times become integer nanoseconds digit by digit, so seven fraction digits
 * are hundreds of nanoseconds and nothing is rounded. The texts need not end
 * with a zero byte; spaces around them are the caller's to remove.
 */
#ifndef WORKLOADS_FORMATS_DECIMAL_H
#define WORKLOADS_FORMATS_DECIMAL_H

#include <stddef.h>
#include <stdint.h>

#define DECIMAL_COUNT_MAX 2147483647 /* tokens of one request */

enum decimal_status {
    DECIMAL_OK,
    DECIMAL_EMPTY,
    DECIMAL_MALFORMED, /* also NaN, infinity, exponents */
    DECIMAL_NEGATIVE,
    DECIMAL_TOO_LARGE,
    DECIMAL_TOO_FINE,    /* digits below one nanosecond */
    DECIMAL_NO_SUCH_TIME /* the 30th of February, 25 o'clock */
};

/* A count of 0 to DECIMAL_COUNT_MAX; "123.0" is whole and accepted. */
enum decimal_status decimal_parse_count(const char *text, size_t length,
                                        uint32_t *ret_count);

/* Seconds of 0 or more, up to 9 fraction digits, as ns below 2^63. */
enum decimal_status decimal_parse_seconds(const char *text, size_t length,
                                          int64_t *ret_ns);

/* The same for seconds that were written from a double, such as
   5.8926549999999995: rounded to the nearest microsecond. */
enum decimal_status
decimal_parse_rounded_seconds(const char *text, size_t length, int64_t *ret_ns);

/* Whether a calendar time names its zone; within one file all do or none. */
enum decimal_zone { DECIMAL_ZONE_ABSENT, DECIMAL_ZONE_GIVEN };

/*
 * "2023-11-16 18:15:46.6805900", "2024-05-12 00:00:00+00:00": a time of the
 * years 1970 to 2261, with a space or T between day and time, none to nine
 * fraction digits, and Z, +hh, +hhmm, +hh:mm or no zone. As ns since 1970 in
 * UTC; without a zone the clock is read as UTC, whatever the host's zone.
 */
enum decimal_status decimal_parse_calendar(const char *text, size_t length,
                                           int64_t *ret_ns,
                                           enum decimal_zone *ret_zone);

#endif
