/* `sweep` and `crossover`: what is varied, and what is looked for. */
#include "sim/scenario/load_sweep.h"
#include "sim/scenario/settings.h"

#include <math.h>
#include <string.h>

enum { SCAN_POINTS = 5, REASON_SIZE = 300 };

static struct sweep_spec *spec_of(struct load *load)
{
    return &load->loaded->draft.scenario.sweep;
}

/* ---- axes ---- */

static bool is_taken(const struct sweep_spec *spec, const char *path)
{
    for (uint32_t i = 0; i < spec->axis_count; i++)
        for (uint32_t j = 0; j < spec->axes[i].path_count; j++)
            if (strcmp(spec->axes[i].paths[j].path, path) == 0)
                return true;
    for (uint32_t i = 0; i < spec->crossover.path_count; i++)
        if (strcmp(spec->crossover.spans[i].path, path) == 0)
            return true;
    return false;
}

static bool is_free(struct load *load, const struct tree *key)
{
    if (!is_taken(spec_of(load), key->text))
        return true;
    load_complain(load, key, NULL, "'%.100s' is varied already", key->text);
    return false;
}

static bool points_fit(struct load *load, const struct tree *at)
{
    const struct sweep_spec *spec = spec_of(load);
    double points = 1;

    for (uint32_t i = 0; i < spec->axis_count; i++)
        points *= spec->axes[i].paths[0].value_count;
    if (points <= SWEEP_POINTS_MAX)
        return true;
    load_complain(load, at, NULL,
                  "the sweep has %.9g points; at most %d are allowed", points,
                  SWEEP_POINTS_MAX);
    return false;
}

bool load_axis_together(struct load *load, const struct tree *key,
                        const struct tree *value)
{
    struct sweep_spec *spec = spec_of(load);
    struct sweep_axis *axis = &spec->axes[spec->axis_count - 1];
    struct sweep_path *path = &axis->paths[axis->path_count];
    uint32_t wanted = axis->paths[0].value_count;
    bool log_scale;

    if (axis->path_count == SWEEP_PATHS_MAX) {
        load_complain(load, key, NULL, "at most %d settings may move in step",
                      SWEEP_PATHS_MAX);
        return false;
    }
    if (!is_free(load, key) ||
        !load_axis_values(load, key, value, wanted, path, &log_scale))
        return false;
    if (path->value_count != wanted) {
        load_complain(load, value, NULL,
                      "'%.100s' has %u values and '%.100s', with which it "
                      "moves in step, has %u",
                      key->text, path->value_count, axis->paths[0].path,
                      wanted);
        return false;
    }
    axis->path_count++;
    return true;
}

static bool load_companions(struct load *load, const struct tree *value,
                            bool (*take)(struct load *load,
                                         const struct tree *key,
                                         const struct tree *value))
{
    const struct tree *map = tree_find(value, "together");

    if (!map)
        return true;
    if (map->kind != TREE_MAP) {
        load_complain(load, map, NULL,
                      "'together' needs a block of settings and their values; "
                      "got %s",
                      tree_kind_words(map));
        return false;
    }
    for (uint32_t i = 0; i < map->count; i++)
        if (!take(load, map->keys[i], map->values[i]))
            return false;
    return true;
}

bool load_axis(struct load *load, const struct tree *key,
               const struct tree *value)
{
    struct sweep_spec *spec = spec_of(load);
    struct sweep_axis *axis = &spec->axes[spec->axis_count];

    if (spec->axis_count == SWEEP_AXES_MAX) {
        load_complain(load, key, NULL, "a sweep has at most %d axes",
                      SWEEP_AXES_MAX);
        return false;
    }
    if (!is_free(load, key) ||
        !load_axis_values(load, key, value, 0, &axis->paths[0],
                          &axis->log_scale))
        return false;
    axis->path_count = 1;
    spec->axis_count++;
    return points_fit(load, value) &&
           load_companions(load, value, load_axis_together);
}

static void load_axes(struct load *load, const struct tree *root)
{
    const struct tree *map = tree_find(root, "sweep");

    if (!map)
        return;
    if (map->kind != TREE_MAP) {
        load_complain(load,
                      tree_is_nothing(map) ? tree_key(root, "sweep") : map,
                      NULL, "'sweep' needs %s; got %s",
                      settings_kind_words(SETTING_SWEEP), tree_kind_words(map));
        return;
    }
    for (uint32_t i = 0; i < map->count && !load_is_hopeless(load); i++)
        load_axis(load, map->keys[i], map->values[i]);
}

/* ---- the crossover ---- */

static void blank_crossover(struct crossover_spec *spec)
{
    *spec = (struct crossover_spec){.given = true,
                                    .within = NAN,
                                    .measure = MEASURE_COUNT,
                                    .scan_points = SCAN_POINTS};
}

bool load_crossover_path(struct load *load, const struct tree *key,
                         const struct tree *value)
{
    struct crossover_spec *spec = &spec_of(load)->crossover;

    blank_crossover(spec);
    if (!is_free(load, key) ||
        !load_axis_span(load, key, value, &spec->spans[0], &spec->log_scale))
        return false;
    if (spec->spans[0].from >= spec->spans[0].to) {
        load_complain(load, value, NULL,
                      "the range of '%.100s' has to begin with the smaller end",
                      key->text);
        return false;
    }
    spec->path_count = 1;
    return true;
}

bool load_crossover_together(struct load *load, const struct tree *key,
                             const struct tree *value)
{
    struct crossover_spec *spec = &spec_of(load)->crossover;
    bool log_scale;

    if (spec->path_count == SWEEP_PATHS_MAX) {
        load_complain(load, key, NULL, "at most %d settings may move in step",
                      SWEEP_PATHS_MAX);
        return false;
    }
    if (!is_free(load, key) ||
        !load_axis_span(load, key, value, &spec->spans[spec->path_count],
                        &log_scale))
        return false;
    if (log_scale) {
        load_complain(load, value, NULL,
                      "'%.100s' moves in step, as a straight line of '%.100s'",
                      key->text, spec->spans[0].path);
        return false;
    }
    spec->path_count++;
    return true;
}

/*
 * A share is of the value on a log scale, and of the range elsewhere; where the
 * setting itself takes a share it is one of those.
 */
void load_crossover_within(struct load *load, const struct tree *value)
{
    struct crossover_spec *spec = &spec_of(load)->crossover;
    const struct sweep_span *span = &spec->spans[0];
    bool is_share =
        memchr(value->text, '%', value->length) && span->kind != QUANTITY_SHARE;
    enum quantity_kind kind =
        spec->log_scale || is_share ? QUANTITY_SHARE : span->kind;
    char reason[REASON_SIZE];
    double within;

    if (!quantity_parse(kind, value->text, value->length, &within, reason,
                        sizeof reason)) {
        load_complain(load, value,
                      spec->log_scale ? "a share of the value" : NULL,
                      "'within': %s", reason);
        return;
    }
    if (!(within > 0)) {
        load_complain(load, value, NULL, "'within' needs more than 0");
        return;
    }
    if (spec->log_scale)
        spec->within = log1p(within);
    else
        spec->within = is_share ? within * (span->to - span->from) : within;
}

static const char *find_policy(struct load *load, const struct tree *word)
{
    const struct scenario *scenario = &load->loaded->draft.scenario;
    const char **names =
        pool_allocate(load->pool, (scenario->policy_count + 1) * sizeof *names);

    for (uint32_t i = 0; i < scenario->policy_count; i++)
        if (tree_is_text(word, scenario->policies[i].label))
            return scenario->policies[i].label;
    for (uint32_t i = 0; i < scenario->policy_count; i++)
        if (tree_is_text(word, scenario->policies[i].name))
            return scenario->policies[i].label;
    for (uint32_t i = 0; names && i < scenario->policy_count; i++)
        names[i] = scenario->policies[i].label;
    if (names)
        load_complain(load, word,
                      load_nearest(load, word->text, word->length, names),
                      "'%.100s' is none of the policies", word->text);
    return NULL;
}

bool load_crossover_between(struct load *load, const struct tree *first,
                            const struct tree *second)
{
    struct crossover_spec *spec = &spec_of(load)->crossover;

    spec->between[0] = find_policy(load, first);
    spec->between[1] = spec->between[0] ? find_policy(load, second) : NULL;
    if (spec->between[1] && spec->between[0] == spec->between[1])
        load_complain(load, second, NULL,
                      "a crossover is between two policies, not one");
    return spec->between[1] && spec->between[0] != spec->between[1];
}

static void load_options(struct load *load, const struct tree *map)
{
    struct crossover_spec *spec = &spec_of(load)->crossover;
    const struct crossover_draft *draft = &load->loaded->draft.crossover;
    const struct tree *between = tree_find(map, "between");
    const struct tree *measure = tree_find(map, "measure");
    const struct tree *within = tree_find(map, "within");

    spec->scan_points = draft->scan_points;
    spec->most_replications = draft->most_replications;
    if (within)
        load_crossover_within(load, within);
    if (measure)
        load_measure(load, measure, &spec->measure);
    if (!between)
        return;
    if (between->kind == TREE_LIST && between->count == 2 &&
        between->values[0]->kind == TREE_SCALAR &&
        between->values[1]->kind == TREE_SCALAR)
        load_crossover_between(load, between->values[0], between->values[1]);
    else
        load_complain(load, between, "such as [round_robin, least_conn]",
                      "'between' needs a list of two policies; got %s",
                      tree_kind_words(between));
}

static void load_crossover(struct load *load, const struct tree *root)
{
    const struct tree *map = tree_find(root, "crossover");
    const struct tree *path = tree_find(map, "path");
    const struct tree *range = tree_find(map, "range");

    if (!path || path->kind != TREE_SCALAR || !range ||
        load_is_hopeless(load)) /* complained about as missing */
        return;
    if (load_crossover_path(load, path, range) &&
        load_companions(load, map, load_crossover_together))
        load_options(load, map);
}

void load_sweep(struct load *load, const struct tree *root)
{
    load_axes(load, root);
    load_crossover(load, root);
}
