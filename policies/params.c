#include "policies/params.h"

#include "policies/quantity.h"

#include <math.h>
#include <string.h>

#define BOUND_MAX 64 /* room for a bound of a range as text */
#define SHOWN_MAX 40 /* bytes of a bad value that a message repeats */

static bool read_switch(struct lbp_text text, bool *ret_value)
{
    static const char *const words[] = {"false", "true", "no", "yes",
                                        "off",   "on",   "0",  "1"};

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (lbp_text_is(&text, words[i])) {
            *ret_value = i % 2 == 1;
            return true;
        }
    return false;
}

/* The choice at *list, up to the next bar; moves *list past it. */
static struct lbp_text next_choice(const char **list)
{
    struct lbp_text choice = {*list, *list + strcspn(*list, "|")};

    *list = *choice.end ? choice.end + 1 : choice.end;
    return choice;
}

static bool read_choice(struct lbp_text text, const char *choices,
                        uint32_t *ret_value)
{
    size_t length = (size_t)(text.end - text.at);

    for (uint32_t i = 0; *choices; i++) {
        struct lbp_text choice = next_choice(&choices);

        if ((size_t)(choice.end - choice.at) == length && length > 0 &&
            memcmp(choice.at, text.at, length) == 0) {
            *ret_value = i;
            return true;
        }
    }
    return false;
}

/* Messages. */

static bool has_range(const struct lbp_param *param)
{
    return param->min < param->max;
}

static void write_bound(const struct lbp_param *param, double bound, char *out,
                        size_t size)
{
    if (param->kind == LBP_DURATION && bound > -9e9 && bound < 9e9)
        lbp_write_duration((int64_t)(bound * 1e9 + (bound < 0 ? -0.5 : 0.5)),
                           out, size);
    else
        lbp_write_real(bound, out, size);
}

/* "from 1 to 65536", or less if the range has no end, or nothing. */
static void append_range(const struct lbp_param *param, char *out, size_t size,
                         size_t *length)
{
    char low[BOUND_MAX], high[BOUND_MAX];

    if (!has_range(param))
        return;
    write_bound(param, param->min, low, sizeof low);
    write_bound(param, param->max, high, sizeof high);
    if (isinf(param->max))
        lbp_append(out, size, length, " of %s or more", low);
    else
        lbp_append(out, size, length, " from %s to %s", low, high);
}

static void append_choices(const char *choices, char *out, size_t size,
                           size_t *length)
{
    const char *start = choices;

    while (*choices) {
        bool first = choices == start;
        struct lbp_text choice = next_choice(&choices);

        lbp_append(out, size, length, "%s%.*s",
                   first      ? " "
                   : *choices ? ", "
                              : " or ",
                   (int)(choice.end - choice.at), choice.at);
    }
}

static void append_expected(const struct lbp_param *param, char *out,
                            size_t size, size_t *length)
{
    static const char *const nouns[] = {
        [LBP_REAL] = "a number",        [LBP_SHARE] = "a share",
        [LBP_COUNT] = "a count",        [LBP_DURATION] = "a duration",
        [LBP_SWITCH] = "true or false", [LBP_CHOICE] = "one of",
        [LBP_TEXT] = "a text",
    };

    lbp_append(out, size, length, "'%s' needs %s", param->name,
               nouns[param->kind]);
    if (param->kind == LBP_CHOICE)
        append_choices(param->choices, out, size, length);
    if (param->kind <= LBP_DURATION)
        append_range(param, out, size, length);
    if (param->kind == LBP_SHARE)
        lbp_append(out, size, length, " such as 0.3 or 30 %%");
    if (param->kind == LBP_DURATION)
        lbp_append(out, size, length,
                   " with its unit, such as 250 ms or 10 min");
    if (param->kind <= LBP_DURATION && !param->preset)
        lbp_append(out, size, length, ", or off");
}

static void complain(const struct lbp_param *param, struct lbp_text text,
                     char *reterr, size_t reterr_size)
{
    size_t length = 0;
    int found = (int)(text.end - text.at);

    if (!reterr || reterr_size == 0)
        return;
    append_expected(param, reterr, reterr_size, &length);
    if (text.end == text.at)
        lbp_append(reterr, reterr_size, &length, ", got nothing");
    else if (text.end - text.at > SHOWN_MAX)
        lbp_append(reterr, reterr_size, &length, ", got '%.*s...'", SHOWN_MAX,
                   text.at);
    else
        lbp_append(reterr, reterr_size, &length, ", got '%.*s'", found,
                   text.at);
}

/* Setting. */

/* A value before it goes to its field, whatever its kind. */
union field {
    double real;
    uint64_t count;
    int64_t duration_ns;
    uint32_t choice;
    bool on;
    const char *text;
};

static size_t field_size(enum lbp_param_kind kind)
{
    switch (kind) {
    case LBP_REAL:
    case LBP_SHARE:
        return sizeof(double);
    case LBP_COUNT:
        return sizeof(uint64_t);
    case LBP_DURATION:
        return sizeof(int64_t);
    case LBP_SWITCH:
        return sizeof(bool);
    case LBP_CHOICE:
        return sizeof(uint32_t);
    case LBP_TEXT:
        break;
    }
    return sizeof(const char *);
}

static void store(const struct lbp_param *param, void *config,
                  const union field *field)
{
    memcpy((char *)config + param->offset, field, field_size(param->kind));
}

static union field load(const struct lbp_param *param, const void *config)
{
    union field field = {0};

    memcpy(&field, (const char *)config + param->offset,
           field_size(param->kind));
    return field;
}

static union field off_value(enum lbp_param_kind kind)
{
    union field field = {0};

    if (kind == LBP_REAL || kind == LBP_SHARE)
        field.real = NAN;
    return field;
}

static bool read_field(const struct lbp_param *param, struct lbp_text text,
                       union field *ret_field)
{
    switch (param->kind) {
    case LBP_REAL:
        return lbp_read_real(text, &ret_field->real);
    case LBP_SHARE:
        return lbp_read_share(text, &ret_field->real);
    case LBP_COUNT:
        return lbp_read_count(text, &ret_field->count);
    case LBP_DURATION:
        return lbp_read_duration(text, &ret_field->duration_ns);
    case LBP_SWITCH:
        return read_switch(text, &ret_field->on);
    case LBP_CHOICE:
        return read_choice(text, param->choices, &ret_field->choice);
    case LBP_TEXT:
        ret_field->text = text.at;
        return true;
    }
    return false;
}

static bool in_range(const struct lbp_param *param, const union field *field)
{
    double value;

    switch (param->kind) {
    case LBP_REAL:
    case LBP_SHARE:
        value = field->real;
        break;
    case LBP_COUNT:
        value = (double)field->count;
        break;
    case LBP_DURATION:
        value = (double)field->duration_ns / 1e9;
        break;
    default:
        return true;
    }
    return !has_range(param) || (value >= param->min && value <= param->max);
}

static bool means_off(const struct lbp_param *param,
                      const struct lbp_text *text)
{
    return param->kind <= LBP_DURATION && !param->preset &&
           lbp_text_is(text, "off");
}

bool lbp_params_set(const struct lbp_param *param, void *config,
                    const char *value, size_t length, char *reterr,
                    size_t reterr_size)
{
    struct lbp_text text = lbp_text_trimmed(value, length);
    union field field = off_value(param->kind);

    if (param->kind == LBP_TEXT)
        text.at = value; /* a text is what it is, spaces too */
    if (!means_off(param, &text) &&
        (!read_field(param, text, &field) || !in_range(param, &field))) {
        complain(param, text, reterr, reterr_size);
        return false;
    }
    store(param, config, &field);
    return true;
}

void lbp_params_preset(const struct lbp_ops *ops, void *config)
{
    memset(config, 0, ops->config_size);
    for (const struct lbp_param *param = ops->params; param && param->name;
         param++) {
        union field off = off_value(param->kind);

        if (param->preset)
            lbp_params_set(param, config, param->preset, strlen(param->preset),
                           NULL, 0);
        else
            store(param, config, &off);
    }
}

const struct lbp_param *lbp_params_find(const struct lbp_ops *ops,
                                        const char *name, size_t length)
{
    for (const struct lbp_param *param = ops->params; param && param->name;
         param++)
        if (strlen(param->name) == length &&
            memcmp(param->name, name, length) == 0)
            return param;
    return NULL;
}

/* Writing. */

static size_t write_text(char *out, size_t size, const char *text,
                         size_t text_length)
{
    size_t length = 0;

    lbp_append(out, size, &length, "%.*s", (int)text_length, text);
    return length;
}

static size_t write_choice(const char *choices, uint32_t index, char *out,
                           size_t size)
{
    struct lbp_text choice = next_choice(&choices);

    for (uint32_t i = 0; i < index; i++)
        choice = next_choice(&choices);
    return write_text(out, size, choice.at, (size_t)(choice.end - choice.at));
}

/* A number without preset that has the value of one that was not given. */
static bool is_off(const struct lbp_param *param, const union field *field)
{
    if (param->kind == LBP_REAL || param->kind == LBP_SHARE)
        return isnan(field->real);
    if (param->kind == LBP_COUNT)
        return !param->preset && field->count == 0;
    return param->kind == LBP_DURATION && !param->preset &&
           field->duration_ns == 0;
}

size_t lbp_params_write(const struct lbp_param *param, const void *config,
                        char *out, size_t size)
{
    union field field = load(param, config);

    if (is_off(param, &field))
        return write_text(out, size, "off", 3);
    switch (param->kind) {
    case LBP_REAL:
    case LBP_SHARE:
        return lbp_write_real(field.real, out, size);
    case LBP_COUNT:
        return lbp_write_count(field.count, out, size);
    case LBP_DURATION:
        return lbp_write_duration(field.duration_ns, out, size);
    case LBP_SWITCH:
        return field.on ? write_text(out, size, "true", 4)
                        : write_text(out, size, "false", 5);
    case LBP_CHOICE:
        return write_choice(param->choices, field.choice, out, size);
    case LBP_TEXT:
        break;
    }
    return field.text ? write_text(out, size, field.text, strlen(field.text))
                      : write_text(out, size, "", 0);
}
