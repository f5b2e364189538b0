/* Settings of a check against a baseline: what it watches and allows. */
#include "sim/scenario/draft.h"
#include "sim/scenario/units.h"

#include <stdio.h>
#include <string.h>

enum { REASON_SIZE = 300 };

#define USUAL_RATIO 0.05   /* of what has a size */
#define USUAL_POINTS 0.005 /* of what is a ratio */
enum { USUAL_MEASURES = 4 };

/* ---- what is watched when nothing is said ---- */

static void watch(struct check_spec *check, struct tolerance_spec *list,
                  enum measure_id measure)
{
    bool ratio = measures[measure].unit == UNIT_RATIO;

    for (uint32_t i = 0; i < check->tolerance_count; i++)
        if (list[i].measure == measure)
            return;
    list[check->tolerance_count++] = (struct tolerance_spec){
        .measure = measure,
        .ratio = ratio ? 0 : USUAL_RATIO,
        .amount = ratio ? USUAL_POINTS : 0,
    };
}

static bool has_result_caches(const struct scenario *scenario)
{
    if (!scenario->groups) /* they were mistaken */
        return false;
    for (uint32_t i = 0; i < scenario->group_count; i++)
        if (scenario->groups[i].result_cache.given)
            return true;
    return false;
}

/* The objective, a mean that is less noisy than any percentile, whatever has a
   goal, and what would pay for a gain in them: answers and hits. list has room
   for USUAL_MEASURES and the goals. */
static void watch_the_usual(const struct scenario *scenario,
                            struct check_spec *check,
                            struct tolerance_spec *list)
{
    watch(check, list, scenario->objective);
    watch(check, list, M_LATENCY_MEAN);
    for (uint32_t i = 0; i < scenario->goal_count; i++)
        if (scenario->goals[i].measure < MEASURE_COUNT)
            watch(check, list, scenario->goals[i].measure);
    watch(check, list, M_SUCCESS);
    if (has_result_caches(scenario))
        watch(check, list, M_RESULT_HIT);
}

/* ---- one tolerance ---- */

static bool ends_with(const struct tree *value, const char *word,
                      size_t *ret_length)
{
    size_t length = strlen(word), left = value->length;

    if (left <= length ||
        memcmp(value->text + left - length, word, length) != 0)
        return false;
    for (left -= length; left > 0 && value->text[left - 1] == ' ';)
        left--;
    *ret_length = left;
    return true;
}

static bool parse_points(const struct tree *value, double *ret, char *reason,
                         size_t size)
{
    size_t length;

    if (!ends_with(value, "points", &length) &&
        !ends_with(value, "point", &length)) {
        snprintf(reason, size,
                 "needs '%.40s %%' of what it was, or '%.40s points' of a "
                 "hundred; got '%.40s'",
                 value->text, value->text, value->text);
        return false;
    }
    if (!units_parse_number(value->text, length, ret, reason, size))
        return false;
    *ret /= 100;
    return true;
}

static bool parse_amount(enum measure_unit unit, const struct tree *value,
                         double *ret, char *reason, size_t size)
{
    int64_t ns;

    switch (unit) {
    case UNIT_SECONDS:
        if (!units_parse_duration(value->text, value->length, &ns, reason,
                                  size))
            return false;
        *ret = (double)ns / 1e9;
        return true;
    case UNIT_PER_SECOND:
        return units_parse_rate(value->text, value->length, ret, reason, size);
    case UNIT_RATIO:
        return parse_points(value, ret, reason, size);
    case UNIT_COUNT:
    case UNIT_REQUESTS:
    case UNIT_PLAIN:
        break;
    }
    return units_parse_number(value->text, value->length, ret, reason, size);
}

/* "5 %" or "20 ms" into what it is; a second one of its kind is a mistake. */
static void load_part(struct load *load, const struct tree *key,
                      const struct tree *value, struct tolerance_spec *spec,
                      bool *given)
{
    char reason[REASON_SIZE];
    enum measure_unit unit = measures[spec->measure].unit;
    bool relative;

    if (value->kind != TREE_SCALAR || tree_is_nothing(value)) {
        load_complain(load, value, NULL,
                      "'%.60s' needs a tolerance such as '5 %%'; got %s",
                      key->text, tree_kind_words(value));
        return;
    }
    relative = memchr(value->text, '%', value->length) != NULL;
    if (given[relative])
        load_complain(load, value, NULL,
                      "'%.60s' has a tolerance of that kind already",
                      key->text);
    given[relative] = true;
    if (!(relative ? units_parse_share(value->text, value->length, &spec->ratio,
                                       reason, sizeof reason)
                   : parse_amount(unit, value, &spec->amount, reason,
                                  sizeof reason)))
        load_complain(load, value, NULL, "'%.60s': %s", key->text, reason);
}

/* A value, or a list of a relative and an absolute one. */
static void load_tolerance(struct load *load, const struct tree *key,
                           const struct tree *value,
                           struct tolerance_spec *spec)
{
    bool given[2] = {false, false};

    *spec = (struct tolerance_spec){.measure = MEASURE_COUNT};
    load_measure(load, key, &spec->measure);
    if (spec->measure == MEASURE_COUNT)
        return;
    if (value->kind != TREE_LIST) {
        load_part(load, key, value, spec, given);
        return;
    }
    if (value->count < 1 || value->count > 2)
        load_complain(load, value, NULL,
                      "'%.60s' needs one tolerance, or one in %% and one "
                      "without; got %u",
                      key->text, value->count);
    for (uint32_t i = 0; i < value->count && i < 2; i++)
        load_part(load, key, value->values[i], spec, given);
}

/* Into the list, in the place of the usual one if there is one; off: out of
   it. */
static void put(struct load *load, const struct tree *key,
                const struct tree *value, struct check_spec *check,
                struct tolerance_spec *list)
{
    struct tolerance_spec spec = {.measure = MEASURE_COUNT};
    uint32_t at = 0;

    if (tree_is_off(value))
        load_measure(load, key, &spec.measure);
    else
        load_tolerance(load, key, value, &spec);
    if (spec.measure == MEASURE_COUNT)
        return;
    while (at < check->tolerance_count && list[at].measure != spec.measure)
        at++;
    if (!tree_is_off(value)) {
        list[at] = spec;
        check->tolerance_count += at == check->tolerance_count;
    } else if (at < check->tolerance_count) {
        check->tolerance_count--;
        memmove(&list[at], &list[at + 1],
                (check->tolerance_count - at) * sizeof *list);
    }
}

/* success and success_ratio are the same. */
static bool is_said_before(const struct tree *map, uint32_t index)
{
    const struct tree *key = map->keys[index];
    enum measure_id measure = measure_find(key->text, key->length);

    for (uint32_t i = 0; i < index && measure < MEASURE_COUNT; i++)
        if (measure_find(map->keys[i]->text, map->keys[i]->length) == measure)
            return true;
    return false;
}

static void load_tolerances(struct load *load, const struct tree *map,
                            struct check_spec *check,
                            struct tolerance_spec *list)
{
    if (map->kind != TREE_MAP) {
        load_complain(load, map, NULL, "'tolerances' needs %s; got %s",
                      settings_kind_words(SETTING_TOLERANCES),
                      tree_kind_words(map));
        return;
    }
    for (uint32_t i = 0; i < map->count && !load_is_hopeless(load); i++) {
        put(load, map->keys[i], map->values[i], check, list);
        if (is_said_before(map, i))
            load_complain(load, map->keys[i], NULL,
                          "'%.60s' has a tolerance already",
                          map->keys[i]->text);
    }
    if (check->tolerance_count == 0)
        load_complain(load, map, NULL,
                      "nothing is left that a check could watch");
}

void load_check(struct load *load, const struct tree *root)
{
    struct scenario *scenario = &load->loaded->draft.scenario;
    struct check_spec *check = &scenario->check;
    const struct tree *map = tree_find(tree_find(root, "check"), "tolerances");
    struct tolerance_spec *list;

    if (load_is_hopeless(load))
        return;
    list = pool_allocate(load->pool, (USUAL_MEASURES + scenario->goal_count +
                                      1 + (map ? map->count : 0)) *
                                         sizeof *list);
    if (!list)
        return;
    watch_the_usual(scenario, check, list);
    if (map)
        load_tolerances(load, map, check, list);
    check->tolerances = list;
    if (check->replications == 0)
        check->replications = scenario->replications;
}
