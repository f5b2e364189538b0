#include "sim/scenario/vary.h"

#include "sim/scenario/load_sweep.h"
#include "sim/scenario/loader.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_SIZE = 500, REASON_SIZE = 300 };

/* ---- the command line ---- */

struct varying {
    struct load load;
    struct sweep_spec *spec;
    bool has_axis;        /* on the command line, so far */
    bool after_crossover; /* it was the last, not an axis */
};

static bool is_option(const char *text, const char *option)
{
    size_t length = strlen(option);

    return strncmp(text, option, length) == 0 && text[length] == ' ';
}

/* The paths of the file's axes are free again. */
static void begin_axes(struct varying *varying)
{
    if (!varying->has_axis)
        varying->spec->axis_count = 0;
    varying->has_axis = true;
    varying->after_crossover = false;
}

static void begin_crossover(struct varying *varying)
{
    varying->spec->crossover = (struct crossover_spec){0};
    varying->after_crossover = true;
}

static bool take_path(struct varying *varying, const char *text, uint32_t index)
{
    struct load *load = &varying->load;
    const struct tree *path, *value;

    if (!override_split(load, text, index, &path, &value))
        return false;
    if (is_option(text, "--vary")) {
        begin_axes(varying);
        return load_axis(load, path, value);
    }
    if (is_option(text, "--crossover")) {
        begin_crossover(varying);
        return load_crossover_path(load, path, value);
    }
    if (varying->after_crossover)
        return load_crossover_together(load, path, value);
    if (varying->has_axis)
        return load_axis_together(load, path, value);
    load_complain(load, path, NULL,
                  "--together goes behind the --vary or --crossover that it "
                  "moves with");
    return false;
}

/* "A,B", where commas may be part of a label: the first that parts two names
   which the scenario knows, else the first. */
static bool take_between(struct varying *varying, const char *text)
{
    const struct scenario *scenario = &varying->load.loaded->draft.scenario;
    const char *pair = text + strlen("--between ");
    size_t cut = strcspn(pair, ",");

    for (const char *at = strchr(pair, ','); at; at = strchr(at + 1, ','))
        for (uint32_t i = 0; i < scenario->policy_count; i++)
            if (strncmp(scenario->policies[i].label, pair,
                        (size_t)(at - pair)) == 0 &&
                !scenario->policies[i].label[at - pair])
                cut = (size_t)(at - pair);

    const struct tree *first = override_word(&varying->load, text, 0, cut);
    size_t start = cut + (pair[cut] == ',');
    start += strspn(pair + start, " ");
    const struct tree *second =
        override_word(&varying->load, text, start, SIZE_MAX);

    return first && second &&
           load_crossover_between(&varying->load, first, second);
}

static bool take_count(struct varying *varying, const struct tree *word,
                       uint64_t least, uint64_t most, uint32_t *ret)
{
    char reason[REASON_SIZE];
    uint64_t count;

    if (units_parse_count(word->text, word->length, &count, reason,
                          sizeof reason) &&
        count >= least && count <= most) {
        *ret = (uint32_t)count;
        return true;
    }
    load_complain(&varying->load, word, NULL,
                  "%s needs a count from %d to %d; got '%.60s'",
                  word->source->name, (int)least, (int)most, word->text);
    return false;
}

static bool take_word(struct varying *varying, const char *text)
{
    struct load *load = &varying->load;
    struct crossover_spec *spec = &varying->spec->crossover;
    const struct tree *word = override_word(load, text, 0, SIZE_MAX);
    uint32_t before = load->errors;

    if (!word)
        return false;
    if (!spec->given) {
        load_complain(load, word, "such as --crossover PATH=FROM..TO",
                      "%s is of a crossover, and there is none",
                      word->source->name);
        return false;
    }
    if (is_option(text, "--between"))
        return take_between(varying, text);
    if (is_option(text, "--scan"))
        return take_count(varying, word, 2, SWEEP_SCAN_MAX, &spec->scan_points);
    if (is_option(text, "--most-replications"))
        return take_count(varying, word, 2, 100000, &spec->most_replications);
    if (is_option(text, "--within"))
        load_crossover_within(load, word);
    else
        load_measure(load, word, &spec->measure);
    return load->errors == before;
}

bool scenario_vary(struct scenario *scenario, const char *const *texts,
                   size_t count, struct diag *diag)
{
    struct loaded *loaded = scenario->owned;
    struct varying varying = {
        .load = {.loaded = loaded,
                 .draft = &loaded->draft,
                 .pool = &loaded->pool,
                 .diag = diag},
        .spec = &scenario->sweep,
    };
    bool fine = true;

    for (size_t i = 0; fine && i < count; i++)
        fine = is_option(texts[i], "--vary") ||
                       is_option(texts[i], "--together") ||
                       is_option(texts[i], "--crossover")
                   ? take_path(&varying, texts[i], (uint32_t)i)
                   : take_word(&varying, texts[i]);
    if (!fine && loaded->pool.out_of_memory)
        diag_add_no_memory(diag, NULL);
    return fine;
}

/* ---- a point ---- */

void sweep_point_text(const struct sweep_spec *spec, uint64_t point, char *text,
                      size_t size)
{
    size_t used = 0;

    text[0] = 0;
    for (uint32_t i = 0; i < spec->axis_count; i++)
        for (uint32_t j = 0; j < spec->axes[i].path_count && used < size; j++) {
            const struct sweep_path *path = &spec->axes[i].paths[j];

            used += (size_t)snprintf(
                text + used, size - used, "%s%s=%s", used > 0 ? ", " : "",
                path->path, path->values[sweep_place(spec, point, i)].text);
        }
}

struct changes {
    char *texts[(SWEEP_AXES_MAX + 1) * SWEEP_PATHS_MAX + 1]; /* [count] */
    size_t count;
    bool no_memory;
};

static void changes_add(struct changes *changes, const char *option,
                        const char *path, const char *value)
{
    size_t size = strlen(option) + strlen(path) + strlen(value) + 3;
    char **text = &changes->texts[changes->count];

    if (changes->no_memory)
        return;
    *text = malloc(size);
    changes->no_memory = !*text;
    if (!*text)
        return;
    snprintf(*text, size, "%s %s=%s", option, path, value);
    changes->count++;
}

static void changes_done(struct changes *changes)
{
    for (size_t i = 0; i < changes->count; i++)
        free(changes->texts[i]);
}

static void add_axes(struct changes *changes, const struct sweep_spec *spec,
                     uint64_t point)
{
    for (uint32_t i = 0; i < spec->axis_count; i++)
        for (uint32_t j = 0; j < spec->axes[i].path_count; j++) {
            const struct sweep_path *path = &spec->axes[i].paths[j];

            changes_add(changes, "--vary", path->path,
                        path->values[sweep_place(spec, point, i)].text);
        }
}

static void add_crossover(struct changes *changes,
                          const struct crossover_spec *spec, double x)
{
    char value[UNITS_TEXT_SIZE];

    for (uint32_t i = 0; i < spec->path_count; i++) {
        quantity_write(spec->spans[i].kind, sweep_span_at(spec, i, x), value);
        changes_add(changes, "--crossover", spec->spans[i].path, value);
    }
}

/* Columns of a sweep are policies: they may not come and go. */
static bool has_policies_of(const struct scenario *scenario,
                            const struct scenario *base, struct diag *diag)
{
    if (scenario->policy_count == base->policy_count)
        return true;
    diag_add(diag, DIAG_ERROR, NULL, "vary parameters of policies instead",
             "a sweep cannot vary which policies there are");
    return false;
}

/* Of the first thing that is varied; no file: there is none. */
static struct diag_place point_place(const struct sweep_spec *spec,
                                     uint64_t point)
{
    if (spec->axis_count > 0) {
        const struct sweep_path *path = &spec->axes[0].paths[0];

        return tree_place(path->values[sweep_place(spec, point, 0)].at);
    }
    if (spec->crossover.given)
        return tree_place(spec->crossover.spans[0].at);
    return (struct diag_place){0};
}

/* Is it one value that is at fault, or only several together? */
static bool fails_alone(const struct scenario *base,
                        const struct changes *changes)
{
    for (size_t i = 0; i < changes->count; i++) {
        const char *text = changes->texts[i];
        struct scenario *scenario = scenario_load_over(base, &text, 1, NULL);

        if (!scenario)
            return true;
        scenario_destroy(scenario);
    }
    return false;
}

/* A complaint about a value that an option gave has shown the option. */
static bool is_told(const struct scenario *base, uint64_t point,
                    const struct changes *changes)
{
    struct diag_place place = point_place(&base->sweep, point);

    return place.file && strncmp(place.file, "--", 2) == 0 &&
           fails_alone(base, changes);
}

static void complain_point(const struct sweep_spec *spec, uint64_t point,
                           struct diag *diag)
{
    struct diag_place place = point_place(spec, point);
    char text[TEXT_SIZE];

    sweep_point_text(spec, point, text, sizeof text);
    diag_add(diag, DIAG_ERROR, place.file ? &place : NULL, NULL,
             "point %llu of the sweep cannot be run%s%s",
             (unsigned long long)point + 1, *text ? ": " : "", text);
}

struct scenario *sweep_load_point(const struct scenario *base, uint64_t point,
                                  double x, uint32_t replications,
                                  struct diag *diag)
{
    const struct sweep_spec *spec = &base->sweep;
    struct changes changes = {0};
    struct scenario *scenario = NULL;

    add_axes(&changes, spec, point);
    if (!isnan(x))
        add_crossover(&changes, &spec->crossover, x);
    if (replications > 0) {
        char count[UNITS_TEXT_SIZE];

        snprintf(count, sizeof count, "%u", replications);
        changes_add(&changes, "--replications", "replications", count);
    }
    if (changes.no_memory)
        diag_add_no_memory(diag, NULL);
    else
        scenario = scenario_load_over(base, (const char *const *)changes.texts,
                                      changes.count, diag);

    bool told = !scenario && !diag->no_memory && is_told(base, point, &changes);
    changes_done(&changes);
    if (scenario && has_policies_of(scenario, base, diag) &&
        scenario_open_trace_like(scenario, base, diag))
        return scenario;
    scenario_destroy(scenario);
    if (!diag->no_memory && !told)
        complain_point(spec, point, diag);
    return NULL;
}

void scenario_keep_policies(struct scenario *scenario, uint32_t first,
                            uint32_t second)
{
    struct loaded *loaded = scenario->owned;
    struct policy_spec *pair = pool_allocate(&loaded->pool, 2 * sizeof *pair);

    if (!pair)
        return;
    pair[0] = scenario->policies[first];
    pair[1] = scenario->policies[second];
    scenario->policies = pair;
    scenario->policy_count = 2;
}
