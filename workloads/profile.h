/*
 * What is in a trace: rates, burstiness, sizes, reuse. Every published format
 * that is read, and streams of keys for caches besides.
 *
 * Definitions, which differ from program to program:
 *
 * - Arrival zero is the first row. The mean rate is (n - 1) / (last - first).
 * - CV: population standard deviation of the gaps between arrivals in order of
 *   time, over their mean; a Poisson process gives 1. Lag-1 autocorrelation:
 *   Pearson's r of each gap with the next, of three gaps or more.
 * - Index of dispersion at a width: population variance over mean of the counts
 *   in the whole bins from the first arrival on; a Poisson process gives 1.
 * - Quantiles by nearest rank and, apart, linear between ranks.
 * - An identical record is one with the same time, tokens, blocks and key as an
 *   earlier one, told by 64-bit hashes.
 * - An endless cache is scored in order of the file against all rows before.
 *   LRU caches: see reuse.h. Fits of Zipf's law: see figures.h.
 *
 * Memory: 24 bytes a row for requests, as much again while they are sorted;
 * some 60 to 130 for each distinct key or block. Above memory_bytes the profile
 * stops with an error.
 */
#ifndef WORKLOADS_PROFILE_H
#define WORKLOADS_PROFILE_H

#include "workloads/diag.h"
#include "workloads/figures.h"
#include "workloads/reuse.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum profile_format {
    PROFILE_AUTO,      /* by content */
    PROFILE_CANONICAL, /* these as trace.h says */
    PROFILE_AZURE_LLM,
    PROFILE_VIDUR,
    PROFILE_SPLITWISE,
    PROFILE_MOONCAKE,    /* JSON lines with prefix blocks */
    PROFILE_CACHE2K,     /* 32-bit big-endian keys */
    PROFILE_WEBCACHESIM, /* lines of "time key bytes" */
    PROFILE_ACCESS_LOG,  /* of web servers; keys are paths */
    PROFILE_FORMAT_COUNT
};

extern const char *const profile_format_names[PROFILE_FORMAT_COUNT];

struct profile_spec {
    const char *path;
    enum profile_format format;
    bool skip_bad_rows; /* of comma-separated formats: counted, not refused */
    const char *bad_rows_hint;  /* how to ask for that, said of a bad row; NULL:
                                   as trace.h says */
    const uint64_t *capacities; /* [capacity_count] of LRU caches, in ids */
    size_t capacity_count;
    const uint64_t *byte_capacities; /* where references have sizes */
    size_t byte_capacity_count;
    uint64_t memory_bytes;
};

/* The format of what is no comma-separated text, by its first bytes or by its
   first line (without its end); PROFILE_AUTO: it may be such text. */
enum profile_format profile_guess(const char *bytes, size_t length);
enum profile_format profile_guess_line(const char *line, size_t length);

#define PROFILE_WIDTHS 2 /* of bins: 1 s and 60 s */
#define PROFILE_TENTHS 10

struct profile_bins {
    int64_t width_ns;
    uint64_t count, empty, most; /* whole bins; requests in the fullest */
    double mean, dispersion;     /* NaN where there is none */
};

struct profile_arrivals {
    int64_t span_ns; /* last - first */
    double rate_per_s;
    double tenths_per_s[PROFILE_TENTHS]; /* of the span, which shows a slow
                                            beginning; NaN for a span of 0 */
    uint64_t distinct_times, backward_rows, zero_gaps, most_at_once;
    int64_t largest_gap_ns, median_gap_ns; /* the median of those above 0 */
    double gap_cv, gap_autocorrelation;    /* NaN where there is none */
    struct profile_bins bins[PROFILE_WIDTHS];
};

struct profile_tokens {
    struct figures input, output, total;
    uint64_t zero_input, zero_output;
    uint64_t distinct_pairs;
    double pearson, spearman;
};

/* Requests that bring several ids, blocks of their prefix. */
struct profile_blocks {
    uint32_t block_tokens;
    uint64_t requests, expected_counts; /* those with ceil(input / tokens) */
    uint64_t smallest, largest, longest;
    bool in_order;          /* ids appear first in rising order */
    uint64_t repeats, torn; /* in one request; behind two different ids */
    /* An endless cache: blocks seen before, those of the leading run, their
       tokens, whole blocks among both. */
    uint64_t known, leading, leading_tokens, whole, leading_whole;
    double mean_leading_ratio;                               /* over requests */
    uint64_t all_known, same_list, one_leading, two_leading; /* requests */
};

struct profile_keys {
    uint64_t references, distinct, once, most;
    struct figures_zipf zipf;
};

#define PROFILE_STATUSES 600

/* Lines of an access log. */
struct profile_access {
    uint64_t clients; /* distinct */
    uint64_t bytes, largest;
    uint64_t statuses[PROFILE_STATUSES]; /* lines by status */
};

/* Different words of a column that are told apart. */
#define PROFILE_LABELS_MAX 1000

struct profile_label {
    char *name;
    uint64_t rows, input_tokens, output_tokens; /* sums */
};

/* Rows by the word in a column. */
struct profile_labels {
    struct profile_label *items; /* [count], those of most rows first */
    size_t count;
    uint64_t without; /* rows with nothing there */
    uint64_t others;  /* rows with words beyond PROFILE_LABELS_MAX */
};

struct profile_lru {
    uint64_t capacity; /* UINT64_MAX: endless */
    uint64_t hits[REUSE_READING_COUNT];
};

struct profile_byte_lru {
    uint64_t capacity, hits, hit_bytes;
};

struct profile {
    enum profile_format format;
    uint64_t rows, dropped; /* sound ones; those left out as failed or bad */
    uint64_t identical;
    bool has_times, has_tokens, has_blocks, has_keys, has_sizes;
    bool has_classes, has_models; /* columns of a canonical trace */
    struct profile_labels classes, models;
    struct profile_arrivals arrivals;
    struct profile_tokens tokens;
    struct profile_blocks blocks;
    struct profile_access access; /* of PROFILE_ACCESS_LOG */
    struct profile_keys keys;     /* of blocks, or of keys */
    struct profile_lru *lru;      /* [lru_count] */
    size_t lru_count;
    uint64_t bytes, resized; /* sum of sizes; keys with a second size */
    struct profile_byte_lru *byte_lru; /* [byte_lru_count] */
    size_t byte_lru_count;
};

/* false: diag says why. profile_done is due in any case. */
bool profile_make(const struct profile_spec *spec, struct profile *ret,
                  struct diag *diag);
void profile_done(struct profile *profile);

#endif
