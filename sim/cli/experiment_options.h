/*
 * How experiments are run and where they are kept, as every command that
 * simulates takes it: result folder, store, threads, limits, quiet. None of it
 * changes a result.
 */
#ifndef SIM_CLI_EXPERIMENT_OPTIONS_H
#define SIM_CLI_EXPERIMENT_OPTIONS_H

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>

struct experiment_options {
    const char *output;          /* the result folder; NULL: none. An option of
                                    commands that write one */
    const char *store;           /* NULL: that of the result folder */
    bool fresh;                  /* give up what the store holds */
    uint32_t threads;            /* 0: all of the machine */
    bool quiet;                  /* no progress, no speed */
    uint64_t limit_events;       /* of one simulation; 0: none */
    uint64_t limit_memory_bytes; /* of the process; 0: most of the machine's */
    int64_t limit_time_ns;       /* of the whole command; 0: none */
};

/* To be a child of a command's parser; its input is an experiment_options. */
extern const struct argp experiment_options_argp;

#endif
