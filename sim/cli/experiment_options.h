/*
 * How experiments are run, as every command that simulates takes it: threads,
 * limits, quiet. None of it changes a result.
 */
#ifndef SIM_CLI_EXPERIMENT_OPTIONS_H
#define SIM_CLI_EXPERIMENT_OPTIONS_H

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>

struct experiment_options {
    uint32_t threads;            /* 0: all of the machine */
    bool quiet;                  /* no progress, no speed */
    uint64_t limit_events;       /* of one simulation; 0: none */
    uint64_t limit_memory_bytes; /* of the process; 0: most of the machine's */
    int64_t limit_time_ns;       /* of the whole command; 0: none */
};

/* To be a child of a command's parser; its input is an experiment_options. */
extern const struct argp experiment_options_argp;

#endif
