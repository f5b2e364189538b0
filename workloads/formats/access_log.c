#include "workloads/formats/access_log.h"

#include "workloads/formats/decimal.h"

#include <stdio.h>
#include <string.h>

#define MOST_BYTES ((uint64_t)1 << 60)

/* What is left of the line. */
struct rest {
    const char *at, *end;
};

static bool take(struct rest *rest, char wanted)
{
    if (rest->at == rest->end || *rest->at != wanted)
        return false;
    rest->at++;
    return true;
}

/* Up to a character, which is passed over. */
static bool take_until(struct rest *rest, char stop, const char **ret_text,
                       size_t *ret_length)
{
    const char *found = memchr(rest->at, stop, (size_t)(rest->end - rest->at));

    if (!found || found == rest->at)
        return false;
    *ret_text = rest->at;
    *ret_length = (size_t)(found - rest->at);
    rest->at = found + 1;
    return true;
}

/* Between quotes; a backslash takes the next character with it. */
static bool take_quoted(struct rest *rest, const char **ret_text,
                        size_t *ret_length)
{
    const char *start;

    if (!take(rest, '"'))
        return false;
    start = rest->at;
    for (; rest->at < rest->end && *rest->at != '"'; rest->at++)
        if (*rest->at == '\\' && rest->at + 1 < rest->end)
            rest->at++;
    *ret_text = start;
    *ret_length = (size_t)(rest->at - start);
    return take(rest, '"');
}

/* Whole up to a blank or the end. */
static bool take_number(struct rest *rest, uint64_t most, uint64_t *ret)
{
    const char *start = rest->at;

    for (*ret = 0; rest->at < rest->end && *rest->at >= '0' && *rest->at <= '9';
         rest->at++) {
        *ret = *ret * 10 + (uint64_t)(*rest->at - '0');
        if (*ret > most)
            return false;
    }
    return rest->at > start && (rest->at == rest->end || *rest->at == ' ');
}

/* "17/May/2015:10:05:03 +0000", by way of the calendar's own spelling. */
static bool read_time(const char *text, size_t length, int64_t *ret_ns)
{
    static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    enum decimal_zone zone;
    char spelt[40];

    if (length != 26 || text[2] != '/' || text[6] != '/' || text[11] != ':' ||
        text[20] != ' ')
        return false;
    for (int month = 0; month < 12; month++) {
        if (memcmp(months + (size_t)(3 * month), text + 3, 3) != 0)
            continue;
        snprintf(spelt, sizeof spelt, "%.4s-%02d-%.2s %.8s%.5s", text + 7,
                 month + 1, text, text + 12, text + 21);
        return decimal_parse_calendar(spelt, strlen(spelt), ret_ns, &zone) ==
               DECIMAL_OK;
    }
    return false;
}

/* The path of "GET /a HTTP/1.1", which may hold blanks itself. */
static void find_path(struct access_log_row *row, const char *request,
                      size_t length)
{
    const char *first = memchr(request, ' ', length);
    const char *last = request + length;

    row->path = request;
    row->path_length = length;
    if (!first)
        return;
    while (last[-1] != ' ')
        last--;
    last--;
    if (last <= first + 1)
        return;
    row->path = first + 1;
    row->path_length = (size_t)(last - first - 1);
}

const char *access_log_read(struct access_log_row *row, const char *text,
                            size_t length)
{
    struct rest rest = {text, text + length};
    const char *part;
    size_t part_length;
    uint64_t status;

    if (!take_until(&rest, ' ', &row->client, &row->client_length) ||
        !take_until(&rest, '[', &part, &part_length))
        return "'client ident user [time]'";
    if (!take_until(&rest, ']', &part, &part_length) ||
        !read_time(part, part_length, &row->time_ns))
        return "a time such as [17/May/2015:10:05:03 +0000]";
    if (!take(&rest, ' ') || !take_quoted(&rest, &part, &part_length))
        return "the request in quotes behind the time";
    find_path(row, part, part_length);
    if (!take(&rest, ' ') || !take_number(&rest, 599, &status) || status < 100)
        return "a status of 100 to 599 behind the request";
    row->status = (uint32_t)status;
    row->bytes = 0;
    if (!take(&rest, ' ') ||
        (!take(&rest, '-') && !take_number(&rest, MOST_BYTES, &row->bytes)))
        return "bytes, or -, behind the status";
    return NULL;
}
