#include "sim/cli/experiment_options.h"

#include "sim/cli/options.h"

#include <string.h>

#define THREADS_MAX 4096

/* Groups of options are numbered through all commands, for argp sorts by them:
   1 what is simulated, 2 to 4 the command's own, 5 and 6 what comes out, 8 how
   it is run. One heading to a number. */
static const struct argp_option rows[] = {
    {0, 0, 0, 0, "How it is run (changes no result):", 8},
    {"store", OPTION_STORE, "FILE", 0,
     "Keep finished simulations in FILE and take from it what is there, so that "
     "a command that was interrupted goes on where it was; default: runs.sqlite "
     "in the result folder, if there is one",
     8},
    {"fresh", OPTION_FRESH, 0, 0,
     "Begin with an empty store: give up what it holds", 8},
    {"quiet", 'q', 0, 0, "No progress and no speed on standard error", 8},
    {"jobs", 'j', "N", 0, "Threads; default: all of the machine", 8},
    {"limit-time", OPTION_LIMIT_TIME, "DURATION", 0,
     "Stop after this long, such as '10 min', with partial results", 8},
    {"limit-events", OPTION_LIMIT_EVENTS, "N", 0,
     "Give up a simulation after this many events", 8},
    {"limit-memory", OPTION_LIMIT_MEMORY, "SIZE", 0,
     "Stop at this much memory, such as '2 GiB', with partial results; "
     "default: three quarters of the machine's",
     8},
    /* For merge to call a command with: these units have to be in the store. */
    {"known-units", OPTION_KNOWN, "N", OPTION_HIDDEN, 0, 8},
    {0},
};

/* ---- words ---- */

static void note_word(struct experiment_options *options, const char *word,
                      struct argp_state *state)
{
    if (options->place_word_count == PLACE_WORDS_MAX)
        argp_error(state, "too many options");
    options->place_words[options->place_word_count++] = word;
}

/*
 * The option that was just read stands before state->next, but for a letter
 * with others behind it in one word ("-qj2"), which stands there.
 */
void experiment_options_note_place(struct experiment_options *options, int key,
                                   const char *argument,
                                   struct argp_state *state)
{
    const char *before = state->argv[state->next - 1];

    if (argument && argument == before) { /* "--jobs 2" */
        note_word(options, state->argv[state->next - 2], state);
        note_word(options, before, state);
        return;
    }
    size_t length = strlen(before);
    bool is_last = before[0] == '-' &&
                   (before[1] == '-' || argument || before[length - 1] == key);
    note_word(options, is_last ? before : state->argv[state->next], state);
}

bool experiment_options_is_place(const struct experiment_options *options,
                                 const char *word)
{
    for (size_t i = 0; i < options->place_word_count; i++)
        if (options->place_words[i] == word)
            return true;
    return false;
}

/* ---- values ---- */

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct experiment_options *options = state->input;

    if (key > 0 && key < ARGP_KEY_END && key != ARGP_KEY_ARG)
        experiment_options_note_place(options, key, argument, state);
    switch (key) {
    case ARGP_KEY_INIT:
        options->argc = state->argc;
        options->argv = state->argv;
        return 0;
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
    case OPTION_KNOWN:
        options->known =
            options_count(state, "--known-units", argument, 0, UINT64_MAX);
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

/* The default goes where there is no folder. */
static char *filter_help(int key, const char *text, void *input)
{
    static const char tail[] = "; default: runs.sqlite";
    const struct experiment_options *options = input;
    const char *end = text ? strstr(text, tail) : NULL;

    if (key == OPTION_STORE && options && options->folderless && end) {
        char *shorter = strndup(text, (size_t)(end - text));

        if (shorter)
            return shorter;
    }
    return (char *)text;
}

const struct argp experiment_options_argp = {
    .options = rows, .parser = parse, .help_filter = filter_help};

/* ---- shards ---- */

static const struct argp_option shard_rows[] = {
    {"shard", OPTION_SHARD, "K/N", 0,
     "Run part K of N alone, into the store of --output, for 'lbsim merge' to "
     "join; prints no result",
     5},
    {0},
};

static error_t parse_shard(int key, char *argument, struct argp_state *state)
{
    struct experiment_options *options = state->input;

    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = options;
        return 0;
    case OPTION_SHARD:
        experiment_options_note_place(options, key, argument, state);
        options->shard = options_shard(state, argument);
        return 0;
    case ARGP_KEY_END:
        if (options->shard.count > 0 && !options->output && !options->store)
            argp_error(state, "'--shard' needs a place for what it runs: "
                              "--output DIR");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child shard_children[] = {
    {&experiment_options_argp, 0, NULL, 0}, {0}};

const struct argp sharded_options_argp = {
    .options = shard_rows, .parser = parse_shard, .children = shard_children};
