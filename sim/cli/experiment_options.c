#include "sim/cli/experiment_options.h"

#include "sim/cli/options.h"

#define THREADS_MAX 4096

static const struct argp_option rows[] = {
    {0, 0, 0, 0, "How it is run (changes no result):", 3},
    {"store", OPTION_STORE, "FILE", 0,
     "Keep finished simulations in FILE and take from it what is there, so that "
     "a command that was interrupted goes on where it was; default: runs.sqlite "
     "in the result folder, if there is one",
     3},
    {"fresh", OPTION_FRESH, 0, 0,
     "Begin with an empty store: give up what it holds", 3},
    {"quiet", 'q', 0, 0, "No progress and no speed on standard error", 3},
    {"jobs", 'j', "N", 0, "Threads; default: all of the machine", 3},
    {"limit-time", OPTION_LIMIT_TIME, "DURATION", 0,
     "Stop after this long, such as '10 min', with partial results", 3},
    {"limit-events", OPTION_LIMIT_EVENTS, "N", 0,
     "Give up a simulation after this many events", 3},
    {"limit-memory", OPTION_LIMIT_MEMORY, "SIZE", 0,
     "Stop at this much memory, such as '2 GiB', with partial results; "
     "default: three quarters of the machine's",
     3},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct experiment_options *options = state->input;

    switch (key) {
    case OPTION_STORE:
        if (!*argument)
            argp_error(state, "'--store' needs the name of a file");
        options->store = argument;
        return 0;
    case OPTION_FRESH:
        options->fresh = true;
        return 0;
    case ARGP_KEY_END:
        if (options->fresh && !options->output && !options->store)
            argp_error(state, "'--fresh' needs a store, such as --store FILE");
        return 0;
    case 'q':
        options->quiet = true;
        return 0;
    case 'j':
        options->threads =
            (uint32_t)options_count(state, "--jobs", argument, 1, THREADS_MAX);
        return 0;
    case OPTION_LIMIT_TIME:
        options->limit_time_ns =
            options_duration_ns(state, "--limit-time", argument);
        if (options->limit_time_ns == 0)
            argp_error(state, "'--limit-time' needs more than 0 s");
        return 0;
    case OPTION_LIMIT_EVENTS:
        options->limit_events =
            options_count(state, "--limit-events", argument, 1, UINT64_MAX);
        return 0;
    case OPTION_LIMIT_MEMORY:
        options->limit_memory_bytes =
            options_size(state, "--limit-memory", argument);
        if (options->limit_memory_bytes == 0)
            argp_error(state, "'--limit-memory' needs more than 0 B");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp experiment_options_argp = {.options = rows, .parser = parse};
