#include "sim/scenario/lookup.h"

#include "sim/scenario/draft.h"
#include "sim/scenario/settings.h"
#include "sim/scenario/units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct tree *name_of(const struct tree *entry)
{
    const struct tree *group = tree_find(entry, "group");

    return group ? group : tree_find(entry, "name");
}

static bool is_called(const struct tree *name, const char *text, size_t length)
{
    return name && name->kind == TREE_SCALAR && name->length == length &&
           memcmp(name->text, text, length) == 0;
}

/* An entry by its name or its number; NULL: there is none. */
static const struct tree *find_entry(const struct tree *list, const char *text,
                                     size_t length)
{
    uint64_t number;
    char reason[200];

    if (!list || list->kind != TREE_LIST)
        return NULL;
    for (uint32_t i = 0; i < list->count; i++)
        if (is_called(name_of(list->values[i]), text, length))
            return list->values[i];
    if (units_parse_count(text, length, &number, reason, sizeof reason) &&
        number < list->count)
        return list->values[number];
    return NULL;
}

/* Step by step: a key up to '.' or '[', or what stands in brackets. */
static const struct tree *walk(const struct tree *at, const char *path)
{
    while (at && *path) {
        bool brackets = *path == '[';
        const char *start = path + brackets;
        size_t length = strcspn(start, brackets ? "]" : ".[");

        at = brackets ? find_entry(at, start, length)
                      : tree_get(at, start, length);
        path = start + length + (brackets && start[length] == ']');
        if (*path == '.')
            path++;
    }
    return at;
}

static void read_number(enum setting_kind kind, const struct tree *value,
                        struct lookup_value *ret)
{
    char reason[200];
    int64_t ns;
    uint64_t whole;

    ret->unit = "";
    ret->number = NAN;
    if (kind == SETTING_DURATION &&
        units_parse_duration(value->text, value->length, &ns, reason,
                             sizeof reason)) {
        ret->number = (double)ns * 1e-9;
        ret->unit = "s";
    } else if (kind == SETTING_SIZE &&
               units_parse_size(value->text, value->length, &whole, reason,
                                sizeof reason)) {
        ret->number = (double)whole;
        ret->unit = "B";
    } else if (kind == SETTING_RATE) {
        ret->unit = "/s";
        units_parse_rate(value->text, value->length, &ret->number, reason,
                         sizeof reason);
    } else if (kind == SETTING_SHARE) {
        units_parse_share(value->text, value->length, &ret->number, reason,
                          sizeof reason);
    } else if (kind == SETTING_COUNT || kind == SETTING_NUMBER) {
        units_parse_number(value->text, value->length, &ret->number, reason,
                           sizeof reason);
    }
}

enum lookup_status scenario_lookup(const struct scenario *scenario,
                                   const char *path, struct lookup_value *ret)
{
    const struct loaded *loaded = scenario->owned;
    const struct setting *row = settings_find(path);
    const struct tree *value;

    if (!row)
        return LOOKUP_NO_SETTING;
    value = walk(loaded->root, path);
    if (!value || value->kind != TREE_SCALAR || tree_is_nothing(value))
        return LOOKUP_NO_VALUE;
    snprintf(ret->text, sizeof ret->text, "%s", value->text);
    read_number(row->kind, value, ret);
    return LOOKUP_FOUND;
}
