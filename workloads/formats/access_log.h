/*
 * Access logs of web servers in the combined (or common) format:
 *
 *     10.0.0.1 - - [17/May/2015:10:05:03 +0000] "GET /a HTTP/1.1" 200 203 "-"
 * "-"
 *
 * Month names are English whatever the locale, and the zone counts. nginx
 * writes a quote inside a quoted part as \x22, Apache as \". Bytes may be "-",
 * none. The time is that of the line's writing (nginx) or of the request's
 * coming (Apache); which, a line does not tell. Lines are in order of
 * completion.
 */
#ifndef WORKLOADS_FORMATS_ACCESS_LOG_H
#define WORKLOADS_FORMATS_ACCESS_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct access_log_row {
    const char *client, *path; /* inside the line */
    size_t client_length, path_length;
    int64_t time_ns; /* since 1970, UTC */
    uint32_t status; /* 100 to 599 */
    uint64_t bytes;
};

/* NULL: fine. Else what was expected, for a complaint. The path is what stands
   between the method and the protocol, or the whole request where it is
   something else. */
const char *access_log_read(struct access_log_row *row, const char *text,
                            size_t length);

#endif
