/* The values of one path of a sweep: a list, a range, or one value. */
#include "sim/scenario/draft.h"
#include "sim/scenario/load_sweep.h"
#include "sim/scenario/sheet.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REASON_SIZE = 300 };

/* A word of a range and where a complaint about it belongs. */
struct word {
    const char *text;
    size_t length; /* 0: not said */
    const struct tree *at;
};

struct range {
    struct word from, to, step, points;
    bool log_scale;
};

/* ---- the words of a range ---- */

static struct word word_of(const struct tree *tree)
{
    return tree && tree->kind == TREE_SCALAR
               ? (struct word){tree->text, tree->length, tree}
               : (struct word){.at = tree};
}

static struct word trimmed(const char *text, size_t length,
                           const struct tree *at)
{
    while (length > 0 && *text == ' ') {
        text++;
        length--;
    }
    while (length > 0 && text[length - 1] == ' ')
        length--;
    return (struct word){text, length, at};
}

/* Cuts " KEYWORD rest" off a word. */
static bool cut_off(struct word *word, const char *keyword, struct word *ret)
{
    size_t length = strlen(keyword);

    for (size_t i = 1; i + length <= word->length; i++) {
        if (word->text[i - 1] != ' ' ||
            memcmp(word->text + i, keyword, length) != 0 ||
            (i + length < word->length && word->text[i + length] != ' '))
            continue;
        *ret = trimmed(word->text + i + length, word->length - i - length,
                       word->at);
        *word = trimmed(word->text, i, word->at);
        return true;
    }
    return false;
}

static const char *find_dots(const char *text, size_t length)
{
    for (size_t i = 0; i + 1 < length; i++)
        if (text[i] == '.' && text[i + 1] == '.')
            return text + i;
    return NULL;
}

/* "8/s..20/s step 2/s", "1..1000 points 7 log". false: it is no range. */
static bool split_range(const struct tree *value, struct range *ret)
{
    const char *dots = value->quoted || value->kind != TREE_SCALAR
                           ? NULL
                           : find_dots(value->text, value->length);
    struct word rest, nothing;

    *ret = (struct range){0};
    if (!dots)
        return false;
    ret->from = trimmed(value->text, (size_t)(dots - value->text), value);
    rest = trimmed(dots + 2, value->length - (size_t)(dots + 2 - value->text),
                   value);
    ret->log_scale = cut_off(&rest, "log", &nothing);
    cut_off(&rest, "points", &ret->points);
    cut_off(&rest, "step", &ret->step);
    ret->to = rest;
    return true;
}

static bool read_scale(struct load *load, const struct tree *scale,
                       bool *ret_log)
{
    *ret_log = scale && tree_is_text(scale, "log");
    if (!scale || *ret_log || tree_is_text(scale, "linear"))
        return true;
    load_complain(load, scale, NULL, "'scale' must be linear or log; got %s",
                  scale->kind == TREE_SCALAR ? scale->text
                                             : tree_kind_words(scale));
    return false;
}

static bool map_range(struct load *load, const struct tree *map,
                      struct range *ret)
{
    *ret = (struct range){
        .from = word_of(tree_find(map, "from")),
        .to = word_of(tree_find(map, "to")),
        .step = word_of(tree_find(map, "step")),
        .points = word_of(tree_find(map, "points")),
    };
    return read_scale(load, tree_find(map, "scale"), &ret->log_scale);
}

/* ---- numbers ---- */

static bool read_word(struct load *load, const struct sweep_path *path,
                      const char *what, const struct word *word, double *ret)
{
    char reason[REASON_SIZE];

    if (word->length == 0) {
        load_complain(load, word->at, "such as '8/s..20/s step 2/s'",
                      "the range of '%.100s' lacks its %s", path->path, what);
        return false;
    }
    if (path->kind == QUANTITY_NONE) {
        load_complain(load, word->at, "list its values: [a, b, c]",
                      "'%.100s' takes no numbers, so it has no range",
                      path->path);
        return false;
    }
    if (quantity_parse(path->kind, word->text, word->length, ret, reason,
                       sizeof reason))
        return true;
    load_complain(load, word->at, NULL, "%s of '%.100s': %s", what, path->path,
                  reason);
    return false;
}

/* Both ends; the kind too, where only they can tell it. */
static bool read_ends(struct load *load, const struct tree *at,
                      struct sweep_path *path, struct range *range,
                      double *ret_from, double *ret_to)
{
    if (!range->from.at)
        range->from.at = at;
    if (!range->to.at)
        range->to.at = at;
    if (!quantity_of_path(path->path, &path->kind)) {
        path->kind = quantity_guess(range->from.text, range->from.length);
        if (path->kind == QUANTITY_COUNT)
            path->kind = quantity_guess(range->to.text, range->to.length);
    }
    return read_word(load, path, "start", &range->from, ret_from) &&
           read_word(load, path, "end", &range->to, ret_to);
}

static bool is_possible_log(struct load *load, const struct range *range,
                            const struct sweep_path *path, double from,
                            double to)
{
    if (!range->log_scale || (from > 0 && to > 0))
        return true;
    load_complain(load, range->from.at, NULL,
                  "a log scale of '%.100s' cannot begin at 0", path->path);
    return false;
}

/* How many values; `wanted` is that of the axis, 0: none yet. */
static uint32_t count_values(struct load *load, const struct sweep_path *path,
                             const struct range *range, double from, double to,
                             uint32_t wanted, double *ret_step)
{
    double count, step = 1;

    *ret_step = NAN;
    if (range->points.length > 0) {
        uint64_t points;
        char reason[REASON_SIZE];

        if (units_parse_count(range->points.text, range->points.length, &points,
                              reason, sizeof reason) &&
            points >= 2 && points <= SWEEP_VALUES_MAX)
            return (uint32_t)points;
        load_complain(load, range->points.at, NULL,
                      "'points' needs a count from 2 to %d", SWEEP_VALUES_MAX);
        return 0;
    }
    if (range->step.length > 0) {
        if (!read_word(load, path, "step", &range->step, &step))
            return 0;
        if (!(step > 0)) {
            load_complain(
                load, range->step.at ? range->step.at : range->from.at, NULL,
                "the step of '%.100s' must be above 0", path->path);
            return 0;
        }
    } else if (wanted > 0) {
        return wanted;
    } else if (path->kind != QUANTITY_COUNT || range->log_scale) {
        load_complain(load, range->from.at, "such as 'points 7' or 'step 2/s'",
                      "the range of '%.100s' says neither points nor step",
                      path->path);
        return 0;
    }
    count = floor(fabs(to - from) / step + 1e-9) + 1;
    *ret_step = to < from ? -step : step;
    if (count <= SWEEP_VALUES_MAX && !range->log_scale)
        return (uint32_t)count;
    load_complain(load, range->step.at ? range->step.at : range->from.at, NULL,
                  range->log_scale
                      ? "a log scale of '%.100s' takes points, not a step"
                      : "the range of '%.100s' has more values than are "
                        "allowed, 10000",
                  path->path);
    return 0;
}

static double nth(const struct range *range, double from, double to,
                  double step, uint32_t index, uint32_t count)
{
    double share = count > 1 ? (double)index / (count - 1.0) : 0;

    if (!isnan(step))
        return from + step * index;
    if (index + 1 == count && count > 1)
        return to;
    return range->log_scale ? from * pow(to / from, share)
                            : from + share * (to - from);
}

/* A count that moves in step must not be rounded in silence. */
static bool is_exact(struct load *load, const struct tree *at,
                     const struct sweep_path *path, double number)
{
    if (!quantity_is_whole(path->kind) ||
        fabs(number - round(number)) <= 1e-9 * fabs(number))
        return true;
    load_complain(load, at, "list the values, such as [1, 2, 4]",
                  "'%.100s' takes whole numbers, and moving in step it would "
                  "be %.9g",
                  path->path, number);
    return false;
}

static bool expand(struct load *load, const struct tree *at,
                   const struct range *range, double from, double to,
                   uint32_t wanted, struct sweep_path *path)
{
    double step;
    uint32_t count = count_values(load, path, range, from, to, wanted, &step);
    struct sweep_value *values;

    if (count == 0)
        return false;
    values = pool_allocate(load->pool, count * sizeof *values);
    if (!values)
        return false;
    path->values = values;
    path->value_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        double number = nth(range, from, to, step, i, count);
        char text[UNITS_TEXT_SIZE];
        struct sweep_value *value = &values[path->value_count];

        if (wanted > 0 && !is_exact(load, at, path, number))
            return false;
        quantity_write(path->kind, number, text);
        value->text = pool_print(load->pool, "%s", text);
        value->at = at;
        value->number = quantity_is_whole(path->kind) ? round(number) : number;
        if (!value->text)
            return false;
        /* Whole numbers on a log scale may fall together; those of a path that
           moves in step keep their number. */
        if (wanted > 0 || i == 0 || strcmp(value->text, value[-1].text) != 0)
            path->value_count++;
    }
    return true;
}

/* ---- lists ---- */

static bool add_item(struct load *load, const struct tree *item,
                     struct sweep_path *path, struct sweep_value *value)
{
    struct sheet sheet = {0};
    char *text, reason[REASON_SIZE];

    sheet_flow(&sheet, item);
    text = sheet_take(&sheet);
    value->text = text ? pool_print(load->pool, "%s", text) : NULL;
    value->at = item;
    value->number = NAN;
    free(text);
    load->pool->out_of_memory |= !value->text;
    if (item->kind == TREE_SCALAR && path->kind != QUANTITY_NONE &&
        !quantity_parse(path->kind, item->text, item->length, &value->number,
                        reason, sizeof reason))
        value->number = NAN; /* `off`, or a mistake that its point tells */
    return value->text != NULL;
}

/* The kind of a path that only its values tell: that of all, or none. */
static enum quantity_kind kind_of_list(const struct tree *const *items,
                                       uint32_t count)
{
    enum quantity_kind kind = QUANTITY_COUNT;

    for (uint32_t i = 0; i < count; i++) {
        enum quantity_kind other =
            items[i]->kind == TREE_SCALAR
                ? quantity_guess(items[i]->text, items[i]->length)
                : QUANTITY_NONE;

        if (other != QUANTITY_COUNT && i > 0 && kind != QUANTITY_COUNT &&
            other != kind)
            return QUANTITY_NONE;
        if (other != QUANTITY_COUNT)
            kind = other;
    }
    return kind;
}

static bool list_values(struct load *load, const struct tree *const *items,
                        uint32_t count, struct sweep_path *path)
{
    struct sweep_value *values =
        pool_allocate(load->pool, (count + 1) * sizeof *values);

    if (!values)
        return false;
    if (!quantity_of_path(path->path, &path->kind))
        path->kind = kind_of_list(items, count);
    path->values = values;
    path->value_count = count;
    for (uint32_t i = 0; i < count; i++) {
        if (!add_item(load, items[i], path, &values[i]))
            return false;
        for (uint32_t j = 0; j < i; j++)
            if (strcmp(values[j].text, values[i].text) == 0 &&
                !path->may_repeat) {
                load_complain(load, items[i], NULL,
                              "'%.100s' has this value twice", path->path);
                return false;
            }
    }
    return true;
}

/* ---- all forms ---- */

static bool is_form(const struct tree *map)
{
    static const char *const keys[] = {"from", "to", "values"};

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (tree_find(map, keys[i]))
            return true;
    return false;
}

static bool check_keys(struct load *load, const struct tree *map)
{
    static const char *const known[] = {"from",   "to",       "step",  "points",
                                        "values", "together", "scale", NULL};

    for (uint32_t i = 0; i < map->count; i++) {
        const struct tree *key = map->keys[i];
        bool fine = false;

        for (size_t j = 0; known[j]; j++)
            fine = fine || tree_is_text(key, known[j]);
        if (fine)
            continue;
        load_complain(
            load, key, load_nearest(load, key->text, key->length, known),
            "unknown key '%.60s' in the values of a sweep", key->text);
        return false;
    }
    return true;
}

bool load_axis_values(struct load *load, const struct tree *key,
                      const struct tree *value, uint32_t wanted,
                      struct sweep_path *ret, bool *ret_log)
{
    const struct tree *list = value;
    struct range range;
    double from, to;

    *ret_log = false;
    ret->path = key->text;
    ret->may_repeat = wanted > 0;
    if (value->kind == TREE_MAP && is_form(value)) {
        if (!check_keys(load, value) || !map_range(load, value, &range))
            return false;
        list = tree_find(value, "values");
    }
    if (list && list->kind == TREE_LIST) {
        if (list->count > 0 && list->count <= SWEEP_VALUES_MAX)
            return list_values(load, list->values, list->count, ret);
        load_complain(load, list, NULL,
                      "'%.100s' needs a list of 1 to %d values", key->text,
                      SWEEP_VALUES_MAX);
        return false;
    }
    if (list == value && !split_range(value, &range)) {
        if (!tree_is_nothing(value))
            return list_values(load, &value, 1, ret);
        load_complain(load, key, "such as [8/s, 12/s] or 8/s..20/s step 2/s",
                      "'%.100s' has no values", key->text);
        return false;
    }
    if (!read_ends(load, value, ret, &range, &from, &to) ||
        !is_possible_log(load, &range, ret, from, to))
        return false;
    *ret_log = range.log_scale;
    return expand(load, value, &range, from, to, wanted, ret);
}

bool load_axis_span(struct load *load, const struct tree *key,
                    const struct tree *value, struct sweep_span *ret,
                    bool *ret_log)
{
    struct sweep_path path = {.path = key->text};
    struct range range;
    bool fine = value->kind == TREE_MAP ? map_range(load, value, &range)
                                        : split_range(value, &range);

    if (!fine && value->kind != TREE_MAP)
        load_complain(load, tree_is_nothing(value) ? key : value,
                      "such as 8/s..20/s", "'%.100s' needs a range", key->text);
    if (!fine || !read_ends(load, value, &path, &range, &ret->from, &ret->to) ||
        !is_possible_log(load, &range, &path, ret->from, ret->to))
        return false;
    if (range.step.length > 0 || range.points.length > 0) {
        load_complain(load, range.from.at, NULL,
                      "a crossover is searched for, so its range takes "
                      "neither step nor points");
        return false;
    }
    ret->path = path.path;
    ret->kind = path.kind;
    ret->at = value;
    *ret_log = range.log_scale;
    return true;
}
