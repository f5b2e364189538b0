/*
 * What several commands accept on their command line.
 *
 * Options are argp's; a mistake ends the process with the status of bad usage
 * and a line that says what was expected.
 */
#ifndef SIM_CLI_OPTIONS_H
#define SIM_CLI_OPTIONS_H

#include "sim/core/texts.h"
#include "sim/experiment/shard.h"

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Numbers of options without a letter of their own. */
enum {
    OPTION_SET = 256,
    OPTION_SEED,
    OPTION_REPLICATIONS,
    OPTION_POLICY,
    OPTION_FORMAT,
    OPTION_LIMIT_TIME,
    OPTION_LIMIT_EVENTS,
    OPTION_LIMIT_MEMORY,
    OPTION_SHOW_EFFECTIVE,
    OPTION_STORE,
    OPTION_FRESH,
    OPTION_ALL_PAIRS,
    OPTION_UNTIL,
    OPTION_MAX_REPLICATIONS,
    OPTION_POWER,
    OPTION_SHARD,
    OPTION_KNOWN,
    OPTION_PLOTS,
    OPTION_CHECK,
    OPTION_PARAM,
    OPTION_AGAINST,
    OPTION_MEASURE,
    OPTION_VARY,
    OPTION_TOGETHER,
    OPTION_CROSSOVER,
    OPTION_BETWEEN,
    OPTION_WITHIN,
    OPTION_SCAN,
    OPTION_MOST_REPLICATIONS,
    OPTION_TOLERANCE,
    OPTION_REPORT,
    OPTION_STRICT,
    OPTION_UPDATE,
    OPTION_CREATE
};

/* A scenario file and what overrides it, as run and lint take it. */
struct scenario_options {
    const char *file;       /* the one argument; borrowed from argv */
    struct texts overrides; /* as scenario_load() takes, in order */
    struct texts policies;  /* names of --policy */
};

/* To be a child of a command's parser; its input is a scenario_options. */
extern const struct argp scenario_options_argp;
void scenario_options_done(struct scenario_options *options);

struct scenario;
struct diag;

/* Loads the scenario with its overrides and opens its trace. Complaints go to
   diag; NULL: there was an error. */
struct scenario *scenario_options_load(const struct scenario_options *options,
                                       bool open_trace, struct diag *diag);

/* Values of options: argp_error() when they are not what they should be. */
uint64_t options_count(struct argp_state *state, const char *option,
                       const char *text, uint64_t least, uint64_t most);
int64_t options_duration_ns(struct argp_state *state, const char *option,
                            const char *text);
/* "3/7", of --shard. */
struct shard options_shard(struct argp_state *state, const char *text);
uint64_t options_size(struct argp_state *state, const char *option,
                      const char *text);
/* "30 %" or "0.3", from 0 to 1. */
double options_share(struct argp_state *state, const char *option,
                     const char *text);
/* One of names, which end with NULL; returns its index. */
unsigned options_choice(struct argp_state *state, const char *option,
                        const char *text, const char *const *names);

/* The same with further overrides, as scenario_load() takes, which win over
   those of the command line: a point of a sweep, a mix of nodes. */
struct scenario *
scenario_options_load_variant(const struct scenario_options *options,
                              const char *const *more, size_t more_count,
                              bool open_trace, struct diag *diag);

/* A command with at most `most` arguments and no options of its own; returns
   the first argument, or NULL. */
const char *options_parse_plain(int argc, char **argv, const char *arguments,
                                const char *doc, unsigned most);

#endif
