/* Whether two baselines are of the same experiment, and if not, why. */
#include "sim/experiment/baseline.h"

#include "sim/scenario/settings.h"
#include "sim/scenario/sheet.h"
#include "sim/scenario/units.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct differing {
    const struct baseline *old_one, *new_one;
    struct diag *diag;
    bool differs;
};

__attribute__((format(printf, 3, 4))) static void
differ(struct differing *differing, const char *hint, const char *format, ...)
{
    char text[700];
    va_list arguments;
    struct diag_place place = {.file = differing->old_one->path};

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    diag_add(differing->diag, DIAG_ERROR, &place, hint, "%s", text);
    differing->differs = true;
}

/* ---- settings ---- */

static size_t path_length(const char *setting)
{
    return strcspn(setting, "=");
}

static bool same_path(const char *a, const char *b)
{
    size_t length = path_length(a);

    return length == path_length(b) && strncmp(a, b, length) == 0;
}

/* The n-th word of "a|b|c", or NULL. */
static const char *choice(const char *choices, unsigned long n, int *ret_length)
{
    for (; n > 0 && choices; n--) {
        choices = strchr(choices, '|');
        choices += choices != NULL;
    }
    *ret_length = choices ? (int)strcspn(choices, "|") : 0;
    return choices;
}

static const struct setting *row_of(const char *setting)
{
    char path[120];

    snprintf(path, sizeof path, "%.*s", (int)path_length(setting), setting);
    return settings_find(path);
}

/* A value in base units as a person would write it. */
static void write_value(struct sheet *sheet, const char *setting)
{
    char text[UNITS_TEXT_SIZE], *end;
    const char *value = setting + path_length(setting) + 1, *word = NULL;
    const struct setting *row = row_of(setting);
    double number = strtod(value, &end);
    bool is_number = *value && *end == 0;
    int length;

    if (row && row->kind == SETTING_CHOICE && row->choices && is_number)
        word = choice(row->choices, strtoul(value, NULL, 10), &length);
    if (word) {
        sheet_print(sheet, "%.*s", length, word);
    } else if (row && row->kind == SETTING_DURATION && is_number &&
               number >= 0 && number < 9e18) {
        units_write_duration(
            (int64_t)(row->store == STORE_INT64 ? number : number * 1e9 + 0.5),
            text);
        sheet_print(sheet, "%s", text);
    } else if (is_number && row && row->store == STORE_DOUBLE) {
        sheet_print(sheet, "%.9g", number);
    } else {
        sheet_print(sheet, "%.80s", value);
    }
}

/* All values of that path, in order: "6, 2"; returns how many. */
static uint32_t write_values(struct sheet *sheet, const struct baseline *in,
                             const char *setting)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < in->setting_count; i++) {
        if (!same_path(in->settings[i], setting))
            continue;
        sheet_print(sheet, count++ > 0 ? ", " : "");
        write_value(sheet, in->settings[i]);
    }
    return count;
}

static bool same_values(const struct baseline *a, const struct baseline *b,
                        const char *setting)
{
    uint32_t j = 0;

    for (uint32_t i = 0; i < a->setting_count; i++) {
        if (!same_path(a->settings[i], setting))
            continue;
        while (j < b->setting_count && !same_path(b->settings[j], setting))
            j++;
        if (j == b->setting_count ||
            strcmp(a->settings[i], b->settings[j++]) != 0)
            return false;
    }
    while (j < b->setting_count && !same_path(b->settings[j], setting))
        j++;
    return j == b->setting_count;
}

static void name_values(struct differing *differing, const char *setting)
{
    struct sheet was = {0}, is = {0};
    uint32_t were = write_values(&was, differing->old_one, setting);
    uint32_t are = write_values(&is, differing->new_one, setting);
    char *was_text = sheet_take(&was), *is_text = sheet_take(&is);

    if ((were && !was_text) || (are && !is_text))
        diag_add_no_memory(differing->diag, NULL);
    else
        differ(differing, NULL, "'%.*s' was %.200s, and is now %.200s",
               (int)path_length(setting), setting,
               were ? was_text : "as preset", are ? is_text : "as preset");
    differing->differs = true;
    free(was_text);
    free(is_text);
}

/* Whether an earlier setting of the list has that path. */
static bool was_looked_at(const struct baseline *in, uint32_t index)
{
    for (uint32_t i = 0; i < index; i++)
        if (same_path(in->settings[i], in->settings[index]))
            return true;
    return false;
}

static bool has_path(const struct baseline *in, const char *setting)
{
    for (uint32_t i = 0; i < in->setting_count; i++)
        if (same_path(in->settings[i], setting))
            return true;
    return false;
}

static void compare_settings(struct differing *differing)
{
    const struct baseline *old_one = differing->old_one;
    const struct baseline *new_one = differing->new_one;

    for (uint32_t i = 0; i < old_one->setting_count; i++)
        if (!was_looked_at(old_one, i) &&
            !same_values(old_one, new_one, old_one->settings[i]))
            name_values(differing, old_one->settings[i]);
    for (uint32_t i = 0; i < new_one->setting_count; i++)
        if (!was_looked_at(new_one, i) &&
            !has_path(old_one, new_one->settings[i]))
            name_values(differing, new_one->settings[i]);
}

/* ---- the rest ---- */

/* The longest warm-up of all policies is cut from each, so a policy less may
   change the others. */
static bool warm_up_is_auto(const struct baseline *baseline)
{
    for (uint32_t i = 0; i < baseline->setting_count; i++)
        if (strncmp(baseline->settings[i], "warm_up=2 ", 10) == 0)
            return true;
    return false;
}

/* With `need_all` one policy more or less changes what is measured of all. */
static void compare_policies(struct differing *differing, bool need_all,
                             bool some_policies)
{
    static const char all[] =
        ", and with 'warm_up: auto' all decide on what is measured";
    const struct baseline *old_one = differing->old_one;
    const struct baseline *new_one = differing->new_one;

    for (uint32_t i = 0; i < new_one->policy_count; i++) {
        const struct baseline_policy *now = &new_one->policies[i];

        if (!baseline_pair(new_one, now, old_one))
            differ(differing, need_all ? NULL : "`--update` takes it in",
                   "policy '%.100s' is not in it%s", now->label,
                   need_all ? all : "");
    }
    for (uint32_t i = 0; i < old_one->policy_count && !some_policies; i++) {
        const struct baseline_policy *then = &old_one->policies[i];

        if (!baseline_pair(old_one, then, new_one))
            differ(differing,
                   need_all ? NULL
                            : "`--update` drops it; `--policy NAME` looks at "
                              "that one alone",
                   "policy '%.100s' is missing now%s", then->label,
                   need_all ? all : "");
    }
}

static void compare_head(struct differing *differing)
{
    const struct baseline *old_one = differing->old_one;
    const struct baseline *new_one = differing->new_one;
    char hint[80];

    if (old_one->seed != new_one->seed) {
        snprintf(hint, sizeof hint,
                 "--seed %" PRIu64 " runs that one, or leave --seed out",
                 old_one->seed);
        differ(differing, hint, "'seed' was %" PRIu64 ", and is now %" PRIu64,
               old_one->seed, new_one->seed);
    }
    if (old_one->replications != new_one->replications) {
        snprintf(hint, sizeof hint,
                 "--replications %" PRIu32 ", or check.replications",
                 old_one->replications);
        differ(differing, hint,
               "'replications' was %" PRIu32 ", and is now %" PRIu32,
               old_one->replications, new_one->replications);
    }
}

bool baseline_differs(const struct baseline *old_one,
                      const struct baseline *new_one, struct diag *diag)
{
    struct differing differing = {old_one, new_one, diag, false};

    compare_head(&differing);
    compare_settings(&differing);
    if (warm_up_is_auto(new_one))
        compare_policies(&differing, true, false);
    return differing.differs;
}

bool baseline_lacks_policies(const struct baseline *old_one,
                             const struct baseline *new_one, bool some_policies,
                             struct diag *diag)
{
    struct differing differing = {old_one, new_one, diag, false};

    compare_policies(&differing, false, some_policies);
    return differing.differs;
}
