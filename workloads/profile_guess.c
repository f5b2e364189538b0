/* What a file is, by how it begins. */
#include "workloads/formats/access_log.h"
#include "workloads/profile_internal.h"

#include <string.h>

/* A whole number behind blanks. */
static bool take_number(const char **at, const char *end, uint64_t *ret)
{
    const char *start;

    while (*at < end && (**at == ' ' || **at == '\t'))
        (*at)++;
    start = *at;
    for (*ret = 0; *at < end && **at >= '0' && **at <= '9'; (*at)++) {
        uint64_t digit = (uint64_t)(**at - '0');

        if (*ret > (UINT64_MAX - digit) / 10)
            return false;
        *ret = *ret * 10 + digit;
    }
    return *at > start && (*at == end || **at == ' ' || **at == '\t');
}

bool profile_split_webcachesim(const char *text, size_t length,
                               struct profile_row *row)
{
    const char *at = text, *end = text + length;
    uint64_t time;

    row->has_key = row->has_size = true;
    if (!take_number(&at, end, &time) || !take_number(&at, end, &row->key) ||
        !take_number(&at, end, &row->size))
        return false;
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    return at == end;
}

enum profile_format profile_guess_line(const char *line, size_t length)
{
    struct access_log_row access;
    struct profile_row row;

    if (length > 0 && line[0] == '{')
        return PROFILE_MOONCAKE;
    if (length > 0 && memchr(line, '\0', length))
        return PROFILE_CACHE2K;
    if (length > 0 && line[length - 1] == '\r')
        length--;
    if (!access_log_read(&access, line, length))
        return PROFILE_ACCESS_LOG;
    if (profile_split_webcachesim(line, length, &row))
        return PROFILE_WEBCACHESIM;
    return PROFILE_AUTO;
}

enum profile_format profile_guess(const char *bytes, size_t length)
{
    const char *newline = memchr(bytes, '\n', length);

    if (length >= 4 && bytes[0] != '{' && memchr(bytes, '\0', length))
        return PROFILE_CACHE2K;
    if (!newline)
        return length > 0 && bytes[0] == '{' ? PROFILE_MOONCAKE : PROFILE_AUTO;
    return profile_guess_line(bytes, (size_t)(newline - bytes));
}
