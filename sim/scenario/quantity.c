#include "sim/scenario/quantity.h"

#include "policies/params.h"
#include "policies/registry.h"
#include "sim/scenario/settings.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static enum quantity_kind of_setting(enum setting_kind kind)
{
    switch (kind) {
    case SETTING_COUNT:
        return QUANTITY_COUNT;
    case SETTING_NUMBER:
        return QUANTITY_NUMBER;
    case SETTING_SHARE:
        return QUANTITY_SHARE;
    case SETTING_RATE:
        return QUANTITY_RATE;
    case SETTING_SIZE:
        return QUANTITY_SIZE;
    case SETTING_DURATION:
        return QUANTITY_DURATION;
    default:
        return QUANTITY_NONE;
    }
}

static enum quantity_kind of_param(enum lbp_param_kind kind)
{
    switch (kind) {
    case LBP_COUNT:
        return QUANTITY_COUNT;
    case LBP_REAL:
        return QUANTITY_NUMBER;
    case LBP_SHARE:
        return QUANTITY_SHARE;
    case LBP_DURATION:
        return QUANTITY_DURATION;
    default:
        return QUANTITY_NONE;
    }
}

/* "policies[1].ring_hash.replicas"; NULL: it is no such path. */
static const struct lbp_param *find_param(const char *path)
{
    const char *policy =
        strncmp(path, "policies[", 9) == 0 ? strstr(path, "].") : NULL;
    const char *name = policy ? strchr(policy + 2, '.') : NULL;

    if (!name)
        return NULL;
    const struct lbp_ops *ops =
        lbp_registry_find(policy + 2, (size_t)(name - policy) - 2);
    return ops ? lbp_params_find(ops, name + 1, strlen(name + 1)) : NULL;
}

bool quantity_of_path(const char *path, enum quantity_kind *ret)
{
    const struct lbp_param *param = find_param(path);
    const struct setting *row = param ? NULL : settings_find(path);

    if (param)
        *ret = of_param(param->kind);
    else if (row && row->kind != SETTING_WARM_UP)
        *ret = of_setting(row->kind);
    return param || (row && row->kind != SETTING_WARM_UP);
}

enum quantity_kind quantity_guess(const char *text, size_t length)
{
    static const enum quantity_kind order[] = {
        QUANTITY_COUNT, QUANTITY_NUMBER, QUANTITY_SHARE,
        QUANTITY_RATE,  QUANTITY_SIZE,   QUANTITY_DURATION,
    };
    char reason[200];
    double value;

    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        if (quantity_parse(order[i], text, length, &value, reason,
                           sizeof reason))
            return order[i];
    return QUANTITY_NONE;
}

bool quantity_parse(enum quantity_kind kind, const char *text, size_t length,
                    double *ret, char *reterr, size_t reterr_size)
{
    uint64_t whole = 0;
    int64_t ns = 0;
    bool fine = false;

    switch (kind) {
    case QUANTITY_COUNT:
        fine = units_parse_count(text, length, &whole, reterr, reterr_size);
        break;
    case QUANTITY_SIZE:
        fine = units_parse_size(text, length, &whole, reterr, reterr_size);
        break;
    case QUANTITY_DURATION:
        fine = units_parse_duration(text, length, &ns, reterr, reterr_size);
        break;
    case QUANTITY_NUMBER:
        return units_parse_number(text, length, ret, reterr, reterr_size);
    case QUANTITY_SHARE:
        return units_parse_share(text, length, ret, reterr, reterr_size);
    case QUANTITY_RATE:
        return units_parse_rate(text, length, ret, reterr, reterr_size);
    case QUANTITY_NONE:
        snprintf(reterr, reterr_size, "takes no number");
        break;
    }
    if (fine)
        *ret = kind == QUANTITY_DURATION ? (double)ns / 1e9 : (double)whole;
    return fine;
}

void quantity_write(enum quantity_kind kind, double value,
                    char text[UNITS_TEXT_SIZE])
{
    switch (kind) {
    case QUANTITY_SIZE:
        units_write_size((uint64_t)round(value), text);
        break;
    case QUANTITY_DURATION: /* to nine digits, not to the last nanosecond */
        snprintf(text, UNITS_TEXT_SIZE, "%.9g", value);
        sscanf(text, "%lf", &value);
        units_write_duration((int64_t)round(1e9 * value), text);
        break;
    case QUANTITY_COUNT:
        snprintf(text, UNITS_TEXT_SIZE, "%.0f", value);
        break;
    case QUANTITY_SHARE:
        snprintf(text, UNITS_TEXT_SIZE, "%.9g %%", 100 * value);
        break;
    case QUANTITY_RATE:
        snprintf(text, UNITS_TEXT_SIZE, "%.9g/s", value);
        break;
    case QUANTITY_NUMBER:
    case QUANTITY_NONE:
        snprintf(text, UNITS_TEXT_SIZE, "%.9g", value);
        break;
    }
}

bool quantity_is_whole(enum quantity_kind kind)
{
    return kind == QUANTITY_COUNT;
}

const char *quantity_unit(enum quantity_kind kind)
{
    static const char *const units[] = {
        [QUANTITY_COUNT] = "", [QUANTITY_NUMBER] = "",
        [QUANTITY_SHARE] = "", [QUANTITY_RATE] = "/s",
        [QUANTITY_SIZE] = "B", [QUANTITY_DURATION] = "s",
        [QUANTITY_NONE] = "",
    };

    return units[kind];
}

const char *quantity_words(enum quantity_kind kind)
{
    static const enum setting_kind settings[] = {
        [QUANTITY_COUNT] = SETTING_COUNT,
        [QUANTITY_NUMBER] = SETTING_NUMBER,
        [QUANTITY_SHARE] = SETTING_SHARE,
        [QUANTITY_RATE] = SETTING_RATE,
        [QUANTITY_SIZE] = SETTING_SIZE,
        [QUANTITY_DURATION] = SETTING_DURATION,
        [QUANTITY_NONE] = SETTING_TEXT,
    };

    return settings_kind_words(settings[kind]);
}
