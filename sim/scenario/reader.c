/* Reads blocks of settings by the table; see draft.h. */
#include "sim/scenario/draft.h"
#include "sim/scenario/hints.h"
#include "sim/scenario/units.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { REASON_SIZE = 300 };

void load_complain(struct load *load, const struct tree *at, const char *hint,
                   const char *format, ...)
{
    struct diag_place place = tree_place(at);
    char message[600];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    load->errors++;
    diag_add(load->diag, DIAG_ERROR, &place, hint, "%s", message);
}

bool load_is_hopeless(const struct load *load)
{
    return load->errors >= DIAG_LIMIT || load->pool->out_of_memory;
}

const char *load_nearest(struct load *load, const char *word, size_t length,
                         const char *const *names)
{
    const char *near = diag_nearest(word, length, names);

    return near ? pool_print(load->pool, "did you mean '%s'?", near) : NULL;
}

static bool is_in_range(const struct setting *row, double value)
{
    if (row->flags & SETTING_ABOVE_MIN ? value <= row->min : value < row->min)
        return false;
    return value <= row->max;
}

static void complain_range(struct load *load, const struct setting *row,
                           const struct tree *value, double real)
{
    char range[120];
    const char *key, *hint = NULL;
    size_t length = settings_key(row, &key);

    if (row->kind == SETTING_SHARE &&
        !memchr(value->text, '%', value->length) &&
        is_in_range(row, real / 100))
        hint = pool_print(load->pool, "did you mean '%.60s %%'?", value->text);
    settings_range_words(row, range, sizeof range);
    load_complain(load, value, hint, "'%.*s' must be %s; got '%.60s'",
                  (int)length, key, range, value->text);
}

static void store_number(const struct setting *row, void *base, double real,
                         uint64_t whole)
{
    char *field = (char *)base + row->offset;

    switch (row->store) {
    case STORE_INT64: {
        int64_t value = (int64_t)whole;
        memcpy(field, &value, sizeof value);
        break;
    }
    case STORE_UINT64:
        memcpy(field, &whole, sizeof whole);
        break;
    case STORE_UINT32: {
        uint32_t value = (uint32_t)whole;
        memcpy(field, &value, sizeof value);
        break;
    }
    case STORE_BOOL: {
        bool value = whole != 0;
        memcpy(field, &value, sizeof value);
        break;
    }
    case STORE_DOUBLE:
        memcpy(field, &real, sizeof real);
        break;
    case STORE_TEXT:
    case STORE_NOWHERE:
        break;
    }
}

/* false: reason says why. *ret_real serves for the range too. */
static bool parse_quantity(const struct setting *row, const struct tree *value,
                           double *ret_real, uint64_t *ret_whole,
                           char reason[REASON_SIZE])
{
    const char *text = value->text;
    size_t length = value->length;
    int64_t ns = 0;
    bool fine;

    switch (row->kind) {
    case SETTING_DURATION:
        fine = units_parse_duration(text, length, &ns, reason, REASON_SIZE);
        *ret_whole = (uint64_t)ns;
        *ret_real = (double)ns / 1e9;
        return fine;
    case SETTING_SIZE:
        fine = units_parse_size(text, length, ret_whole, reason, REASON_SIZE);
        *ret_real = (double)*ret_whole;
        return fine;
    case SETTING_COUNT:
        fine = units_parse_count(text, length, ret_whole, reason, REASON_SIZE);
        *ret_real = (double)*ret_whole;
        return fine;
    case SETTING_RATE:
        return units_parse_rate(text, length, ret_real, reason, REASON_SIZE);
    case SETTING_SHARE:
        return units_parse_share(text, length, ret_real, reason, REASON_SIZE);
    default:
        return units_parse_number(text, length, ret_real, reason, REASON_SIZE);
    }
}

static void load_quantity(struct load *load, const struct setting *row,
                          const struct tree *value, void *base)
{
    char reason[REASON_SIZE];
    double real = 0;
    uint64_t whole = 0;

    if (!parse_quantity(row, value, &real, &whole, reason)) {
        const char *key;
        size_t length = settings_key(row, &key);

        load_complain(load, value, NULL, "'%.*s': %s", (int)length, key,
                      reason);
    } else if (!is_in_range(row, real)) {
        complain_range(load, row, value, real);
    } else {
        store_number(row, base, real, whole);
    }
}

/* "a|b|c" as an array that ends with NULL; at most 31 choices. */
static const char *const *split_choices(struct load *load, const char *choices)
{
    const char **names = pool_allocate(load->pool, 32 * sizeof *names);
    size_t count = 0;

    while (names && *choices && count < 31) {
        size_t length = strcspn(choices, "|");

        names[count] = pool_copy(load->pool, choices, length);
        if (!names[count++])
            return NULL;
        choices += length + (choices[length] == '|');
    }
    return names;
}

static void complain_choice(struct load *load, const struct setting *row,
                            const struct tree *value)
{
    const char *const *names = split_choices(load, row->choices);
    char all[300];
    size_t used = 0;
    const char *key;
    size_t length = settings_key(row, &key);

    if (!names)
        return;
    for (size_t i = 0; names[i] && used < sizeof all; i++)
        used += (size_t)snprintf(all + used, sizeof all - used, "%s%s",
                                 i ? ", " : "", names[i]);
    load_complain(load, value,
                  load_nearest(load, value->text, value->length, names),
                  "'%.*s' must be %s%s; got '%.60s'", (int)length, key,
                  names[0] && names[1] ? "one of " : "", all, value->text);
}

static void load_choice(struct load *load, const struct setting *row,
                        const struct tree *value, void *base)
{
    const char *choice = row->choices;

    for (uint64_t index = 0; *choice; index++) {
        size_t length = strcspn(choice, "|");

        if (length == value->length &&
            memcmp(choice, value->text, length) == 0) {
            store_number(row, base, 0, index);
            return;
        }
        choice += length + (choice[length] == '|');
    }
    complain_choice(load, row, value);
}

static void load_switch(struct load *load, const struct setting *row,
                        const struct tree *value, void *base)
{
    bool yes = tree_is_text(value, "true");
    const char *key;
    size_t length = settings_key(row, &key);

    if (yes || tree_is_text(value, "false"))
        store_number(row, base, 0, yes);
    else
        load_complain(load, value, NULL,
                      "'%.*s' must be true or false; got '%.60s'", (int)length,
                      key, value->text);
}

/* Names end up in tables and file names: short, and without control bytes. */
static void load_text(struct load *load, const struct setting *row,
                      const struct tree *value, void *base)
{
    const char *key;
    size_t length = settings_key(row, &key);

    for (size_t i = 0; i < value->length; i++)
        if ((unsigned char)value->text[i] < ' ' || value->text[i] == 127) {
            load_complain(load, value, NULL,
                          "'%.*s' must not hold control characters",
                          (int)length, key);
            return;
        }
    if (value->length == 0 || value->length > 1000) {
        load_complain(load, value, NULL,
                      "'%.*s' must have 1 to 1000 letters; it has %zu",
                      (int)length, key, value->length);
        return;
    }
    memcpy((char *)base + row->offset, &value->text, sizeof value->text);
}

static void load_by_hand(struct load *load, const struct setting *row,
                         const struct tree *value)
{
    struct draft *draft = load->draft;

    switch (row->kind) {
    case SETTING_WARM_UP:
        load_warm_up(load, value, &draft->warm_up);
        break;
    case SETTING_RESAMPLE:
        load_resample(load, value, draft);
        break;
    case SETTING_MEASURE:
        load_measure(load, value, &draft->scenario.objective);
        break;
    default: /* lists and blocks of their own: their loaders come later */
        break;
    }
}

static bool takes_one_value(enum setting_kind kind)
{
    return (kind >= SETTING_DURATION && kind <= SETTING_WARM_UP) ||
           kind == SETTING_MEASURE;
}

void load_value(struct load *load, const struct setting *row,
                const struct tree *value, void *base)
{
    if (takes_one_value(row->kind) &&
        (value->kind != TREE_SCALAR || tree_is_nothing(value))) {
        const char *key;
        size_t length = settings_key(row, &key);

        load_complain(load, value, NULL, "'%.*s' needs %s; got %s", (int)length,
                      key, settings_kind_words(row->kind),
                      tree_kind_words(value));
        return;
    }
    switch (row->kind) {
    case SETTING_DURATION:
    case SETTING_SIZE:
    case SETTING_RATE:
    case SETTING_SHARE:
    case SETTING_COUNT:
    case SETTING_NUMBER:
        load_quantity(load, row, value, base);
        break;
    case SETTING_SWITCH:
        load_switch(load, row, value, base);
        break;
    case SETTING_CHOICE:
        load_choice(load, row, value, base);
        break;
    case SETTING_TEXT:
        load_text(load, row, value, base);
        break;
    default:
        load_by_hand(load, row, value);
        break;
    }
}

static void complain_unknown(struct load *load, const struct setting *block,
                             const struct tree *key)
{
    char name[200], hint[900];

    settings_block_name(block, load->in_defaults, name, sizeof name);
    settings_hint(block, load->in_defaults, key->text, key->length, hint,
                  sizeof hint);
    /* Ten mistakes in one block need its keys once. */
    if (load->listed && strcmp(load->listed, hint) == 0)
        *hint = '\0';
    else if (strncmp(hint, "it takes", 8) == 0)
        load->listed = pool_print(load->pool, "%s", hint);
    load_complain(load, key, *hint ? hint : NULL, "unknown key '%.60s' %s",
                  key->text, name);
}

/* What to write where a block has nothing in it. */
static const char *hint_at_block(struct load *load, const struct setting *row)
{
    const struct setting *child = settings_first_child(row);
    const char *key;
    size_t length;

    while (child && !(child->flags & SETTING_REQUIRED))
        child = settings_next(row, child);
    if (!child)
        return "write {} to take all its defaults";
    length = settings_key(child, &key);
    return pool_print(load->pool, "it needs '%.*s'", (int)length, key);
}

/* What to write instead of one value; NULL: no idea. */
static const char *hint_at_bare_value(struct load *load,
                                      const struct setting *row,
                                      const struct tree *value)
{
    char hint[200];

    if (hints_bare_value(row, value->text, value->length, hint, sizeof hint))
        return pool_print(load->pool, "%s", hint);
    return row->flags & SETTING_MECHANISM ? "'off' does without it" : NULL;
}

static void load_child_block(struct load *load, const struct setting *row,
                             const struct tree *key, const struct tree *value,
                             void *base)
{
    if (value->kind != TREE_MAP) {
        bool nothing = tree_is_nothing(value);
        const char *hint = nothing ? hint_at_block(load, row)
                           : value->kind == TREE_SCALAR
                               ? hint_at_bare_value(load, row, value)
                               : NULL;

        load_complain(load, nothing ? key : value, hint,
                      "'%.60s' needs a block of settings; got %s", key->text,
                      tree_kind_words(value));
        return;
    }
    if (row->store == STORE_BOOL)
        store_number(row, base, 0, 1);
    load_block(load, row, value, base);
}

static void load_given(struct load *load, const struct setting *block,
                       const struct tree *map, void *base)
{
    for (uint32_t i = 0; i < map->count && !load_is_hopeless(load); i++) {
        const struct tree *key = map->keys[i];
        const struct setting *row =
            settings_child(block, key->text, key->length);

        if (!row)
            complain_unknown(load, block, key);
        else if (load->in_defaults && (row->flags & SETTING_PER_GROUP))
            load_complain(load, key, NULL,
                          "'%.60s' belongs to each group, not in defaults",
                          key->text);
        else if (row->kind == SETTING_BLOCK)
            load_child_block(load, row, key, map->values[i], base);
        else
            load_value(load, row, map->values[i], base);
    }
}

static void load_preset(struct load *load, const struct setting *row,
                        void *base)
{
    struct tree preset = {.kind = TREE_SCALAR,
                          .text = row->preset,
                          .length = strlen(row->preset)};

    load_value(load, row, &preset, base);
}

bool load_is_misspelt(const struct setting *block, const struct tree *map,
                      const char *key)
{
    const char *const wanted[] = {key, NULL};

    for (uint32_t i = 0; i < map->count; i++) {
        const struct tree *other = map->keys[i];

        if (!settings_child(block, other->text, other->length) &&
            diag_nearest(other->text, other->length, wanted))
            return true;
    }
    return false;
}

static void complain_missing(struct load *load, const struct setting *block,
                             const struct setting *row, const struct tree *map)
{
    char name[200], takes[300], hint[600], word[100];
    const char *key;
    size_t length = settings_key(row, &key);

    snprintf(word, sizeof word, "%.*s", (int)length, key);
    if (load_is_misspelt(block, map, word))
        return;
    settings_block_name(block, false, name, sizeof name);
    settings_takes(row, takes, sizeof takes);
    snprintf(hint, sizeof hint, "it takes %s: %s", takes, row->help);
    load_complain(load, map->count ? map->keys[0] : map, hint,
                  "'%s' is missing %s", word, name);
}

/* What was not given: its default, the defaults of its block, or an error. */
static void load_absent(struct load *load, const struct setting *block,
                        const struct setting *row, const struct tree *map,
                        void *base)
{
    if (row->kind == SETTING_BLOCK) {
        if (!(row->flags & SETTING_MECHANISM))
            load_block(load, row, NULL, base);
    } else if (row->flags & SETTING_REQUIRED) {
        if (map && !load->in_defaults)
            complain_missing(load, block, row, map);
    } else if (row->preset) {
        load_preset(load, row, base);
    }
}

void load_block(struct load *load, const struct setting *block,
                const struct tree *map, void *base)
{
    const struct setting *row = settings_first_child(block);

    if (map)
        load_given(load, block, map, base);
    for (; row && !load_is_hopeless(load); row = settings_next(block, row)) {
        const char *key;
        size_t length = settings_key(row, &key);

        if (!tree_get(map, key, length))
            load_absent(load, block, row, map, base);
    }
}
