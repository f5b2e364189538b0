#include "sim/cli/options.h"

#include "policies/lbp.h"
#include "policies/params.h"
#include "sim/cli/command.h"
#include "sim/scenario/loader.h"
#include "sim/scenario/policy_entry.h"
#include "sim/scenario/units.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define REASON_SIZE 200

/* ---- values ---- */

uint64_t options_count(struct argp_state *state, const char *option,
                       const char *text, uint64_t least, uint64_t most)
{
    char reason[REASON_SIZE];
    uint64_t value;

    if (!units_parse_count(text, strlen(text), &value, reason, sizeof reason))
        argp_error(state, "'%s': %s", option, reason);
    else if (value < least || value > most)
        argp_error(state,
                   "'%s' needs a count from %" PRIu64 " to %" PRIu64
                   ", got '%s'",
                   option, least, most, text);
    else
        return value;
    return least;
}

int64_t options_duration_ns(struct argp_state *state, const char *option,
                            const char *text)
{
    char reason[REASON_SIZE];
    int64_t value_ns = 0;

    if (!units_parse_duration(text, strlen(text), &value_ns, reason,
                              sizeof reason))
        argp_error(state, "'%s': %s", option, reason);
    return value_ns;
}

/* A number at *text, which moves behind it; 0: none, or none that fits. */
static uint32_t read_shard_number(const char **text)
{
    uint64_t number = 0;

    while (**text >= '0' && **text <= '9' && number <= SHARD_COUNT_MAX)
        number = 10 * number + (uint64_t)(*(*text)++ - '0');
    return number <= SHARD_COUNT_MAX ? (uint32_t)number : 0;
}

struct shard options_shard(struct argp_state *state, const char *text)
{
    const char *at = text;
    struct shard shard = {.number = read_shard_number(&at)};

    if (*at == '/') {
        at++;
        shard.count = read_shard_number(&at);
    }
    if (*at || shard.number == 0 || shard.number > shard.count)
        argp_error(state,
                   "'--shard' needs K/N, part K of N with K from 1 to N and N "
                   "up to %d, such as 3/7, got '%s'",
                   SHARD_COUNT_MAX, text);
    return shard;
}

uint64_t options_size(struct argp_state *state, const char *option,
                      const char *text)
{
    char reason[REASON_SIZE];
    uint64_t bytes = 0;

    if (!units_parse_size(text, strlen(text), &bytes, reason, sizeof reason))
        argp_error(state, "'%s': %s", option, reason);
    return bytes;
}

double options_share(struct argp_state *state, const char *option,
                     const char *text)
{
    char reason[REASON_SIZE];
    double value = 0;

    if (!units_parse_share(text, strlen(text), &value, reason, sizeof reason))
        argp_error(state, "'%s': %s", option, reason);
    else if (!(value >= 0 && value <= 1))
        argp_error(state, "'%s' needs a share from 0 %% to 100 %%, got '%s'",
                   option, text);
    return value;
}

unsigned options_choice(struct argp_state *state, const char *option,
                        const char *text, const char *const *names)
{
    char list[REASON_SIZE] = "";
    size_t used = 0;
    unsigned i;

    for (i = 0; names[i]; i++)
        if (strcmp(text, names[i]) == 0)
            return i;
    for (i = 0; names[i] && used < sizeof list; i++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s",
                                 i == 0         ? ""
                                 : names[i + 1] ? ", "
                                                : " or ",
                                 names[i]);
    argp_error(state, "'%s' needs %s, got '%s'", option, list, text);
    return 0;
}

/* ---- a scenario and its overrides ---- */

static const struct argp_option scenario_option_rows[] = {
    {0, 0, 0, 0, "What is simulated (wins over the file):", 1},
    {"set", OPTION_SET, "PATH=VALUE", 0,
     "Set any setting, such as workload.arrivals.rate=20/s; may be repeated",
     1},
    {"seed", OPTION_SEED, "N", 0, "As --set seed=N", 1},
    {"replications", OPTION_REPLICATIONS, "N", 0, "As --set replications=N", 1},
    {"policy", OPTION_POLICY, "NAME", 0,
     "Only this policy: an entry of the scenario with its parameters, any "
     "other as it is preset, or a shared object such as ./my.so (two builds "
     "of it are my.1 and my.2); may be repeated, the first is the reference",
     1},
    {0},
};

static bool parse_scenario_option(int key, char *argument,
                                  struct scenario_options *options)
{
    switch (key) {
    case OPTION_SET:
        return texts_add(&options->overrides, "%s", argument);
    case OPTION_SEED:
        return texts_add(&options->overrides, "--seed seed=%s", argument);
    case OPTION_REPLICATIONS:
        return texts_add(&options->overrides, "--replications replications=%s",
                         argument);
    default:
        return texts_add(&options->policies, "%s", argument);
    }
}

static error_t parse_scenario(int key, char *argument, struct argp_state *state)
{
    struct scenario_options *options = state->input;

    switch (key) {
    case OPTION_SET:
    case OPTION_SEED:
    case OPTION_REPLICATIONS:
    case OPTION_POLICY:
        if (!parse_scenario_option(key, argument, options))
            argp_failure(state, 3, 0, "out of memory");
        return 0;
    case ARGP_KEY_ARG:
        if (options->file)
            argp_error(state, "one scenario at a time: '%s' is one too many",
                       argument);
        options->file = argument;
        return 0;
    case ARGP_KEY_END:
        if (!options->file)
            argp_error(state, "a scenario file is needed");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp scenario_options_argp = {.options = scenario_option_rows,
                                           .parser = parse_scenario};

void scenario_options_done(struct scenario_options *options)
{
    texts_done(&options->overrides);
    texts_done(&options->policies);
}

/* ---- --policy ---- */

static const struct policy_spec *find_entry(const struct scenario *scenario,
                                            const char *name)
{
    for (uint32_t i = 0; i < scenario->policy_count; i++)
        if (strcmp(scenario->policies[i].label, name) == 0)
            return &scenario->policies[i];
    for (uint32_t i = 0; i < scenario->policy_count; i++)
        if (strcmp(scenario->policies[i].name, name) == 0)
            return &scenario->policies[i];
    return NULL;
}

static bool names_object(const char *name)
{
    size_t length = strlen(name);

    return strchr(name, '/') && length > 3 &&
           strcmp(name + length - 3, ".so") == 0;
}

/* What an object's policy is called unless others are called so too: "my" of
   "./my.so". Any other name stands for itself. */
static const char *stem_of(const char *name, size_t *ret_length)
{
    const char *slash = names_object(name) ? strrchr(name, '/') : NULL;

    *ret_length = strlen(slash ? slash + 1 : name) - (slash ? 3 : 0);
    return slash ? slash + 1 : name;
}

/* Two builds of one policy are told apart by their place among those of that
   name: "my.1", "my.2". 0: no other has it. */
static size_t place_among_namesakes(const struct texts *names, size_t at)
{
    size_t length, before = 0, others = 0;
    const char *stem = stem_of(names->items[at], &length);

    for (size_t i = 0; i < names->count; i++) {
        size_t its_length;
        const char *its = stem_of(names->items[i], &its_length);

        if (i == at || its_length != length || memcmp(its, stem, length) != 0)
            continue;
        others++;
        before += i < at && names_object(names->items[i]);
    }
    return others > 0 ? before + 1 : 0;
}

/* "./my.so" as "{my: {so: '/from/here/my.so'}}": what a user types is meant
   from where he stands, and not beside the scenario. */
static void write_object(const struct texts *names, size_t at, FILE *out)
{
    const char *path = names->items[at];
    size_t length, place = place_among_namesakes(names, at);
    const char *stem = stem_of(path, &length);
    char *here = path[0] == '/' ? NULL : getcwd(NULL, 0);
    char *whole = here ? malloc(strlen(here) + strlen(path) + 2) : NULL;

    while (strncmp(path, "./", 2) == 0)
        path += 2;
    if (whole)
        sprintf(whole, "%s/%s", here, path);
    fprintf(out, "{%.*s", (int)length, stem);
    if (place > 0)
        fprintf(out, ".%zu", place);
    fputs(": {so: ", out);
    policy_entry_quote(whole ? whole : path, out);
    fputs("}}", out);
    free(whole);
    free(here);
}

/* false: no memory. */
static bool write_policy(const struct scenario *scenario,
                         const struct texts *names, size_t at, FILE *out)
{
    const char *name = names->items[at];
    const struct policy_spec *entry = find_entry(scenario, name);
    char *beside = NULL;

    if (!entry) {
        if (names_object(name))
            write_object(names, at, out);
        else
            fputs(name, out);
        return true;
    }
    beside = scenario_policy_beside(scenario,
                                    (uint32_t)(entry - scenario->policies));
    if (!beside)
        return false;
    if (entry->config || entry->so || *beside)
        policy_entry_write(entry, NULL, beside, out);
    else
        fputs(entry->name, out);
    free(beside);
    return true;
}

/* The list of policies that --policy asks for, as an override. NULL: no
   memory. */
static char *policy_override(const struct scenario *scenario,
                             const struct texts *names)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    bool fine = true;

    if (!out)
        return NULL;
    fputs("--policy policies=[", out);
    for (size_t i = 0; i < names->count; i++) {
        fputs(i > 0 ? ", " : "", out);
        fine = write_policy(scenario, names, i, out) && fine;
    }
    fputs("]", out);
    if (fclose(out) != 0 || !fine) {
        free(text);
        return NULL;
    }
    return text;
}

/* last: one override more, or NULL. */
static struct scenario *load(const struct scenario_options *options,
                             const char *const *more, size_t more_count,
                             const char *policies, struct diag *diag)
{
    size_t own = options->overrides.count;
    size_t count = 0;
    const char **overrides = calloc(own + more_count + 1, sizeof *overrides);

    if (!overrides) {
        diag_add_no_memory(diag, NULL);
        return NULL;
    }
    for (size_t i = 0; i < own; i++)
        overrides[count++] = options->overrides.items[i];
    if (policies)
        overrides[count++] = policies;
    for (size_t i = 0; i < more_count; i++)
        overrides[count++] = more[i];

    struct scenario *scenario =
        scenario_load(options->file, overrides, count, diag);
    free(overrides);
    return scenario;
}

/* Loaded twice with --policy: the first time tells what the names mean. */
struct scenario *
scenario_options_load_variant(const struct scenario_options *options,
                              const char *const *more, size_t more_count,
                              bool open_trace, struct diag *diag)
{
    bool by_name = options->policies.count > 0;
    struct scenario *scenario =
        load(options, more, by_name ? 0 : more_count, NULL, diag);

    if (scenario && by_name) {
        char *override = policy_override(scenario, &options->policies);

        scenario_destroy(scenario);
        diag_done(diag);
        *diag = (struct diag){0};
        scenario =
            override ? load(options, more, more_count, override, diag) : NULL;
        if (!override)
            diag_add_no_memory(diag, NULL);
        free(override);
    }
    if (scenario && open_trace && !scenario_open_trace(scenario, diag)) {
        scenario_destroy(scenario);
        return NULL;
    }
    return scenario;
}

struct scenario *scenario_options_load(const struct scenario_options *options,
                                       bool open_trace, struct diag *diag)
{
    return scenario_options_load_variant(options, NULL, 0, open_trace, diag);
}

/* ---- commands without options ---- */

struct plain {
    const char *first;
    unsigned count, most;
};

static error_t parse_plain(int key, char *argument, struct argp_state *state)
{
    struct plain *plain = state->input;

    if (key != ARGP_KEY_ARG)
        return ARGP_ERR_UNKNOWN;
    if (plain->count++ == plain->most)
        argp_error(state, "'%s' is one argument too many", argument);
    if (!plain->first)
        plain->first = argument;
    return 0;
}

const char *options_parse_plain(int argc, char **argv, const char *arguments,
                                const char *doc, unsigned most)
{
    struct plain plain = {.most = most};
    struct argp argp = {
        .parser = parse_plain, .args_doc = arguments, .doc = doc};

    command_parse(&argp, argc, argv, &plain);
    return plain.first;
}
