/*
 * How fast a trace is read: about 200 MB of rows like Azure's, through the
 * public trace_open, checks, times and columns included.
 *
 *     bench_trace [megabytes]
 *
 * Prints MB of text per second of CPU time, the best of three, for a plain
 * file in memory, the same with every field quoted (libcsv's path), and the
 * plain file read again by a cursor because it does not fit the limit.
 */
#include "workloads/trace.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { RUNS = 3 };

static double cpu_s(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Rows 100 us apart, so that the clock passes seconds, hours and days. */
static double write_rows(FILE *file, double megabytes, const char *quote)
{
    const char *const q = quote;
    double bytes = 0;
    uint32_t state = 1;

    bytes += fprintf(file, "TIMESTAMP,ContextTokens,GeneratedTokens\r\n");
    for (uint64_t row = 0; bytes < megabytes * 1e6; row++) {
        uint64_t tenths_us = row * 1000;
        uint64_t second = tenths_us / 10000000;

        state = state * 1664525u + 1013904223u;
        bytes += fprintf(
            file,
            "%s2023-11-%02" PRIu64 " %02" PRIu64 ":%02" PRIu64 ":%02" PRIu64
            ".%07" PRIu64 "%s,%s%" PRIu32 "%s,%s%" PRIu32 "%s\r\n",
            q, 1 + second / 86400, second / 3600 % 24, second / 60 % 60,
            second % 60, tenths_us % 10000000, q, q, 1 + (state >> 8) % 8000, q,
            q, 1 + (state >> 20) % 1000, q);
    }
    return bytes / 1e6;
}

static int measure(const char *path, const char *label, double megabytes,
                   uint64_t memory_bytes)
{
    double best = INFINITY;
    struct trace_spec spec = {.path = path,
                              .rate_scale = NAN,
                              .rate_per_s = NAN,
                              .duration_ns = INT64_MAX,
                              .memory_bytes = memory_bytes};

    for (int run = 0; run < RUNS; run++) {
        struct diag diag = {0};
        double start = cpu_s();
        struct trace *trace = trace_open(&spec, &diag);

        if (!trace) {
            fprintf(stderr, "%s", diag.text ? diag.text : "no memory\n");
            diag_done(&diag);
            return 1;
        }
        best = fmin(best, cpu_s() - start);
        trace_close(trace);
        diag_done(&diag);
    }
    printf("%-10s %7.1f MB/s\n", label, megabytes / best);
    return 0;
}

static int measure_written(double megabytes, const char *quote,
                           const char *label, uint64_t memory_bytes)
{
    const char *folder = getenv("TMPDIR");
    char path[512];
    int status = 1;

    snprintf(path, sizeof path, "%s/lbsim-bench-XXXXXX",
             folder ? folder : "/tmp");

    int fd = mkstemp(path);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "w");

    if (!file) {
        perror(path);
        return 1;
    }
    megabytes = write_rows(file, megabytes, quote);
    if (fclose(file) == 0)
        status = measure(path, label, megabytes, memory_bytes);
    unlink(path);
    return status;
}

int main(int argc, char **argv)
{
    double megabytes = argc > 1 ? strtod(argv[1], NULL) : 200;
    uint64_t plenty = (uint64_t)1 << 30;

    return measure_written(megabytes, "", "plain", plenty) ||
           measure_written(megabytes, "\"", "quoted", plenty) ||
           measure_written(megabytes, "", "streamed", 0);
}
