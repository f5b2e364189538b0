/*
 * Text line by line, for formats that are not rows of comma-separated fields.
 *
 * Line ends are LF or CR LF; the last line needs none; a byte-order mark at the
 * start is skipped. A line is at most LINES_LIMIT long.
 */
#ifndef WORKLOADS_FORMATS_LINES_H
#define WORKLOADS_FORMATS_LINES_H

#include "workloads/formats/source.h"

#define LINES_LIMIT ((size_t)1 << 20)

struct lines {
    struct source *source; /* borrowed */
    char *buffer;          /* owned */
    size_t begin, end;     /* unread bytes */
    bool source_ended;
    uint64_t line;     /* of the line given last, from 1 */
    const char *error; /* NULL: none */
};

/* false: no memory. lines_done is due in any case. */
bool lines_init(struct lines *lines, struct source *source);
void lines_done(struct lines *lines);

/* The next line without its end, until the next call. false: the end, or an
   error. */
bool lines_next(struct lines *lines, const char **ret_text, size_t *ret_length);

#endif
