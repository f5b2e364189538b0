/*
 * Published trace formats: what their columns are called and how they write
 * time. Reading, checking and complaining are the same for all and live in
 * trace_reader. To add a format of rows: a source here, a row in format_all,
 * a name in trace.h.
 */
#ifndef WORKLOADS_FORMATS_FORMAT_H
#define WORKLOADS_FORMATS_FORMAT_H

#include "workloads/formats/decimal.h"
#include "workloads/trace.h"

#include <stdbool.h>

/* What a column is to us. */
enum format_role {
    FORMAT_TIME,
    FORMAT_INPUT,
    FORMAT_OUTPUT,
    FORMAT_REQUIRED_COUNT, /* those above must be there, those below may */
    FORMAT_KEY = FORMAT_REQUIRED_COUNT,
    FORMAT_PROMPT, /* text that is a key where there is no other */
    FORMAT_CLASS,  /* what kind of request it was */
    FORMAT_MODEL,  /* what it asked for */
    FORMAT_ROLE_COUNT
};

struct format {
    enum trace_format id;
    const char *columns[FORMAT_ROLE_COUNT]; /* by role; NULL: it has none */
    const char *time_example;               /* for complaints */
    bool may_lack_time; /* files of sizes alone are published, too */
    /* Rows with no tokens are failed requests, which the publisher kept, and
       no mistakes: dropped and counted without a complaint. */
    bool zero_is_failed;
    enum decimal_status (*parse_time)(const char *text, size_t length,
                                      int64_t *ret_ns,
                                      enum decimal_zone *ret_zone);
    /* The value that the metadata line "# format: ..." must have if present;
       NULL: such lines mean nothing. */
    const char *metadata_format;
};

extern const struct format format_azure_llm, format_canonical, format_vidur,
    format_splitwise;

/* All formats, NULL at the end. */
extern const struct format *const format_all[];

#endif
