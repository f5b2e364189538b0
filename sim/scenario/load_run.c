/* Settings of the run as a whole: warm-up, drain, times, measures, goals. */
#include "sim/scenario/draft.h"
#include "sim/scenario/units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { REASON_SIZE = 300 };

static const int64_t drain_unless_timed_out_ns = INT64_C(600000000000);

/* "100 requests": the number, if the text ends so. */
static bool takes_requests(const struct tree *value, size_t *ret_length)
{
    static const char *const words[] = {"requests", "request"};

    for (size_t i = 0; i < 2; i++) {
        size_t length = strlen(words[i]);

        if (value->length > length &&
            memcmp(value->text + value->length - length, words[i], length) ==
                0) {
            *ret_length = value->length - length;
            return true;
        }
    }
    return false;
}

void load_warm_up(struct load *load, const struct tree *value,
                  struct warm_up_draft *ret)
{
    const char *text = value->text;
    size_t length = value->length;
    char reason[REASON_SIZE];
    bool fine = true;

    *ret = (struct warm_up_draft){.kind = WARM_UP_TIME, .share = NAN};
    if (tree_is_text(value, "auto")) {
        ret->kind = WARM_UP_AUTO;
    } else if (takes_requests(value, &length)) {
        ret->kind = WARM_UP_REQUESTS;
        fine = units_parse_count(text, length, &ret->requests, reason,
                                 sizeof reason);
    } else if (memchr(text, '%', length)) {
        fine =
            units_parse_share(text, length, &ret->share, reason, sizeof reason);
        if (fine && ret->share >= 1) {
            fine = false;
            snprintf(reason, sizeof reason, "must be below 100 %%, got '%.60s'",
                     text);
        }
    } else if (units_parse_count(text, length, &ret->requests, reason,
                                 sizeof reason) ||
               units_parse_number(text, length, &ret->share, reason,
                                  sizeof reason)) {
        fine = false;
        snprintf(reason, sizeof reason,
                 "%.40s needs a unit, such as '%.40s s', '%.40s %%' or "
                 "'%.40s requests'",
                 text, text, text, text);
    } else {
        fine = units_parse_duration(text, length, &ret->time_ns, reason,
                                    sizeof reason);
        if (!fine && strncmp(reason, "expected", 8) == 0)
            snprintf(reason, sizeof reason, "expected %s, got '%.60s'",
                     settings_kind_words(SETTING_WARM_UP), text);
    }
    if (!fine)
        load_complain(load, value, NULL, "'warm_up': %s", reason);
}

/* names of all measures, for the nearest. */
static const char *nearest_measure(struct load *load, const struct tree *word)
{
    const char *near;
    const char **names =
        pool_allocate(load->pool, (MEASURE_COUNT + 1) * sizeof *names);

    if (!names)
        return NULL;
    for (int i = 0; i < MEASURE_COUNT; i++)
        names[i] = measures[i].name;
    near = load_nearest(load, word->text, word->length, names);
    return near ? near : "`lbsim settings objective` lists all";
}

void load_measure(struct load *load, const struct tree *value,
                  enum measure_id *ret)
{
    enum measure_id id = measure_find(value->text, value->length);

    if (id == MEASURE_COUNT)
        load_complain(load, value, nearest_measure(load, value),
                      "unknown measure '%.60s'", value->text);
    else if (measures[id].better == BETTER_NEITHER)
        load_complain(load, value, NULL,
                      "'%s' is neither better high nor low, so nothing can be "
                      "asked of it",
                      measures[id].name);
    else
        *ret = id;
}

static bool parse_bound(enum measure_unit unit, const struct tree *value,
                        double *ret, char *reason, size_t size)
{
    int64_t ns;
    uint64_t count;
    bool fine;

    switch (unit) {
    case UNIT_SECONDS:
        fine =
            units_parse_duration(value->text, value->length, &ns, reason, size);
        if (fine)
            *ret = (double)ns / 1e9;
        return fine;
    case UNIT_COUNT:
        fine =
            units_parse_count(value->text, value->length, &count, reason, size);
        if (fine)
            *ret = (double)count;
        return fine;
    case UNIT_PER_SECOND:
        return units_parse_rate(value->text, value->length, ret, reason, size);
    case UNIT_RATIO:
        return units_parse_share(value->text, value->length, ret, reason, size);
    case UNIT_REQUESTS:
    case UNIT_PLAIN:
        break;
    }
    return units_parse_number(value->text, value->length, ret, reason, size);
}

/* Shares of which more is better are never above 1: nobody means 9990 %. */
static void check_share(struct load *load, const struct tree *key,
                        const struct tree *value, const struct goal_spec *goal)
{
    const struct measure *measure = &measures[goal->measure];
    char hint[80];

    if (measure->unit != UNIT_RATIO || measure->better != BETTER_HIGHER ||
        goal->bound <= 1)
        return;
    snprintf(hint, sizeof hint, "did you mean '%.20s %%'?", value->text);
    load_complain(load, value, goal->bound <= 100 ? hint : NULL,
                  "'%.60s' is a share, at most 1 or 100 %%; got '%.20s'",
                  key->text, value->text);
}

static void load_goal(struct load *load, const struct tree *key,
                      const struct tree *value, struct goal_spec *goal)
{
    char reason[REASON_SIZE];

    goal->measure = MEASURE_COUNT;
    load_measure(load, key, &goal->measure);
    if (goal->measure == MEASURE_COUNT)
        return;
    if (value->kind != TREE_SCALAR || tree_is_nothing(value))
        load_complain(load, value, NULL, "'%.60s' needs a bound; got %s",
                      key->text, tree_kind_words(value));
    else if (!parse_bound(measures[goal->measure].unit, value, &goal->bound,
                          reason, sizeof reason))
        load_complain(load, value, NULL, "'%.60s': %s", key->text, reason);
    else
        check_share(load, key, value, goal);
}

void load_goals(struct load *load, const struct tree *root)
{
    struct scenario *scenario = &load->loaded->draft.scenario;
    const struct tree *map = tree_find(root, "goals");
    struct goal_spec *goals;

    if (!map)
        return;
    if (map->kind != TREE_MAP) {
        load_complain(load, map, NULL, "'goals' needs %s; got %s",
                      settings_kind_words(SETTING_GOALS), tree_kind_words(map));
        return;
    }
    goals = pool_allocate(load->pool, (map->count + 1) * sizeof *goals);
    if (!goals)
        return;
    for (uint32_t i = 0; i < map->count && !load_is_hopeless(load); i++) {
        load_goal(load, map->keys[i], map->values[i], &goals[i]);
        for (uint32_t j = 0; j < i; j++)
            if (goals[i].measure < MEASURE_COUNT &&
                goals[j].measure == goals[i].measure)
                load_complain(load, map->keys[i], NULL,
                              "'%s' has a goal already",
                              measures[goals[i].measure].name);
    }
    scenario->goals = goals;
    scenario->goal_count = map->count;
}

void load_run(struct load *load, const struct tree *root)
{
    struct scenario *scenario = &load->loaded->draft.scenario;

    if (!tree_find(root, "drain"))
        scenario->drain_ns = scenario->balancer.timeout.total_ns != INT64_MAX
                                 ? scenario->balancer.timeout.total_ns
                                 : drain_unless_timed_out_ns;
    if (!tree_find(root, "duration") && !scenario->has_trace &&
        !load_is_misspelt(NULL, root, "duration") && !load_is_hopeless(load))
        load_complain(load, root->count ? root->keys[0] : root,
                      "such as 'duration: 10 min'",
                      "'duration' is missing at the top level");
}

/* The place of a setting of the top level, for complaints after loading. */
static struct diag_place place_of(const struct loaded *loaded, const char *key)
{
    const struct tree *value = tree_find(loaded->root, key);

    return value ? tree_place(value)
                 : (struct diag_place){.file = loaded->draft.scenario.path};
}

static bool warm_up_fits(struct loaded *loaded, struct diag *diag)
{
    struct scenario *scenario = &loaded->draft.scenario;
    char warm_up[UNITS_TEXT_SIZE], duration[UNITS_TEXT_SIZE];
    struct diag_place place = place_of(loaded, "warm_up");

    if (scenario->warm_up.kind != WARM_UP_TIME ||
        scenario->warm_up.time_ns < scenario->duration_ns)
        return true;
    units_write_duration(scenario->warm_up.time_ns, warm_up);
    units_write_duration(scenario->duration_ns, duration);
    diag_add(diag, DIAG_ERROR, &place, NULL,
             "'warm_up' of %s leaves nothing of the duration of %s to measure",
             warm_up, duration);
    return false;
}

static bool fault_fits(const struct loaded *loaded, uint32_t index,
                       struct diag *diag)
{
    const struct scenario *scenario = &loaded->draft.scenario;
    const struct tree *list = tree_find(loaded->root, "faults");
    char duration[UNITS_TEXT_SIZE];
    struct diag_place place;

    if (scenario->faults[index].at_ns < scenario->duration_ns)
        return true;
    place = tree_place(tree_find(list->values[index], "at"));
    units_write_duration(scenario->duration_ns, duration);
    diag_add(diag, DIAG_ERROR, &place, NULL,
             "the fault comes after the end of the run, which lasts %s",
             duration);
    return false;
}

bool load_times(struct loaded *loaded, struct diag *diag)
{
    struct scenario *scenario = &loaded->draft.scenario;
    const struct warm_up_draft *draft = &loaded->draft.warm_up;
    bool fine;

    scenario->warm_up = (struct warm_up_spec){
        .kind = draft->kind,
        .time_ns = draft->time_ns,
        .requests = draft->requests,
    };
    if (scenario->duration_ns == INT64_MAX) /* when the trace is open */
        return true;
    if (!isnan(draft->share))
        scenario->warm_up.time_ns =
            (int64_t)(draft->share * (double)scenario->duration_ns + 0.5);
    fine = warm_up_fits(loaded, diag);
    for (uint32_t i = 0; i < scenario->fault_count; i++)
        fine = fault_fits(loaded, i, diag) && fine;
    return fine;
}
