#include "policies/table.h"

#include "policies/params.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    NAME_MAX = 60,
    ROWS_MAX = 256,
    CONFIG_MAX = 64 * 1024, /* bytes; a config is a handful of numbers */
    REASON_MAX = 200
};

/* What the first version of the table ends with: no object has less. */
#define SIZE_OF_VERSION_1                 \
    (offsetof(struct lbp_ops, on_timer) + \
     sizeof(((struct lbp_ops *)0)->on_timer))

struct complaint {
    char *text;
    size_t size;
};

/* Always false, so that a check can end with it. */
__attribute__((format(printf, 2, 3))) static bool
complain(const struct complaint *complaint, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    if (complaint->text && complaint->size > 0)
        vsnprintf(complaint->text, complaint->size, format, arguments);
    va_end(arguments);
    return false;
}

bool lbp_table_is_name(const char *name, size_t length)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz"
                                  "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

    if (length == 0 || length > NAME_MAX || !strchr(letters, name[0]))
        return false;
    for (size_t i = 0; i < length; i++)
        if (name[i] == '\0' ||
            (!strchr(letters, name[i]) && !strchr("0123456789_-.", name[i])))
            return false;
    return true;
}

/* At most one byte more than a name may have is looked at. */
static bool is_name(const char *name)
{
    const char *end = name ? memchr(name, '\0', NAME_MAX + 1) : NULL;

    return end && lbp_table_is_name(name, (size_t)(end - name));
}

bool lbp_table_adopt(const struct lbp_ops *theirs, struct lbp_ops *ret,
                     char *reterr, size_t reterr_size)
{
    struct complaint complaint = {reterr, reterr_size};
    size_t size = sizeof *ret;

    if (theirs->abi != LBP_ABI)
        return complain(&complaint,
                        "it keeps version %u of the contract, and this host "
                        "version %u",
                        theirs->abi, LBP_ABI);
    if (theirs->size < SIZE_OF_VERSION_1)
        return complain(&complaint,
                        "its struct lbp_ops says that it has %u bytes, and "
                        "version %u has %zu",
                        theirs->size, LBP_ABI, SIZE_OF_VERSION_1);
    if (theirs->size < size)
        size = theirs->size;
    *ret = (struct lbp_ops){0};
    memcpy(ret, theirs, size);
    return true;
}

/* ---- parameters ---- */

struct field {
    size_t size, alignment;
};

static const struct field fields[] = {
    [LBP_REAL] = {sizeof(double), _Alignof(double)},
    [LBP_SHARE] = {sizeof(double), _Alignof(double)},
    [LBP_COUNT] = {sizeof(uint64_t), _Alignof(uint64_t)},
    [LBP_DURATION] = {sizeof(int64_t), _Alignof(int64_t)},
    [LBP_SWITCH] = {sizeof(bool), _Alignof(bool)},
    [LBP_CHOICE] = {sizeof(uint32_t), _Alignof(uint32_t)},
    [LBP_TEXT] = {sizeof(char *), _Alignof(char *)},
};

static bool check_place(const struct lbp_ops *ops,
                        const struct lbp_param *param,
                        const struct complaint *complaint)
{
    const struct field *field = &fields[param->kind];

    if (param->offset > ops->config_size ||
        ops->config_size - param->offset < field->size)
        return complain(complaint,
                        "parameter '%s' takes bytes %zu to %zu of a config "
                        "that has %zu",
                        param->name, param->offset,
                        param->offset + field->size - 1, ops->config_size);
    if (param->offset % field->alignment != 0)
        return complain(complaint,
                        "parameter '%s' has offset %zu, which is no multiple "
                        "of %zu",
                        param->name, param->offset, field->alignment);
    for (const struct lbp_param *other = ops->params; other != param; other++)
        if (other->offset < param->offset + field->size &&
            param->offset < other->offset + fields[other->kind].size)
            return complain(complaint,
                            "parameters '%s' and '%s' share bytes of the "
                            "config",
                            other->name, param->name);
    return true;
}

/* Only numbers have a range, and only they may be without preset. */
static bool check_range(const struct lbp_param *param,
                        const struct complaint *complaint)
{
    bool number = param->kind == LBP_REAL || param->kind == LBP_SHARE ||
                  param->kind == LBP_COUNT || param->kind == LBP_DURATION;

    if (number &&
        (isnan(param->min) || isnan(param->max) || param->min > param->max))
        return complain(complaint, "parameter '%s' has the range %g to %g",
                        param->name, param->min, param->max);
    if (param->kind == LBP_CHOICE && (!param->choices || !*param->choices))
        return complain(complaint, "parameter '%s' is a choice of nothing",
                        param->name);
    if (!param->preset && (param->kind == LBP_CHOICE))
        return complain(complaint, "parameter '%s' is a choice without preset",
                        param->name);
    return true;
}

static bool check_preset(const struct lbp_param *param, void *config,
                         const struct complaint *complaint)
{
    char reason[REASON_MAX];

    if (!param->preset ||
        lbp_params_set(param, config, param->preset, strlen(param->preset),
                       reason, sizeof reason))
        return true;
    return complain(complaint, "the preset of parameter '%s': %s", param->name,
                    reason);
}

static bool check_param(const struct lbp_ops *ops,
                        const struct lbp_param *param, void *config,
                        const struct complaint *complaint)
{
    if (!is_name(param->name))
        return complain(
            complaint, "parameter %td has no fit name: '%.60s'%s",
            param - ops->params + 1, param->name,
            param == ops->params ? "" : "; does the table end with {0}?");
    if (strcmp(param->name, "so") == 0)
        return complain(complaint, "a parameter cannot be called 'so', with "
                                   "which hosts name the object");
    for (const struct lbp_param *other = ops->params; other != param; other++)
        if (strcmp(other->name, param->name) == 0)
            return complain(complaint, "parameter '%s' is listed twice",
                            param->name);
    if (!param->help)
        return complain(complaint, "parameter '%s' has no help", param->name);
    if ((uint32_t)param->kind > LBP_TEXT)
        return complain(complaint, "parameter '%s' is of an unknown kind, %u",
                        param->name, (unsigned)param->kind);
    return check_place(ops, param, complaint) &&
           check_range(param, complaint) &&
           check_preset(param, config, complaint);
}

static bool check_params(const struct lbp_ops *ops,
                         const struct complaint *complaint)
{
    void *config;
    bool fine = true;

    if (ops->config_size > CONFIG_MAX)
        return complain(complaint, "a config of %zu bytes; %d are allowed",
                        ops->config_size, CONFIG_MAX);
    if (!ops->params)
        return true;
    config = calloc(1, ops->config_size + 1);
    if (!config)
        return complain(complaint, "no memory to look at the parameters");
    for (uint32_t i = 0; fine && ops->params[i].name; i++) {
        fine = i < ROWS_MAX
                   ? check_param(ops, &ops->params[i], config, complaint)
                   : complain(complaint,
                              "more than %d parameters: does the "
                              "table end with a row without name?",
                              ROWS_MAX);
    }
    free(config);
    return fine;
}

/* ---- the rest ---- */

static bool check_texts(const struct lbp_ops *ops,
                        const struct complaint *complaint)
{
    uint32_t terms = 0;

    if (!is_name(ops->name))
        return complain(complaint,
                        "no fit name: a letter, then at most %d letters, "
                        "digits or any of _-.",
                        NAME_MAX - 1);
    if (!ops->summary || !ops->tie_rule)
        return complain(complaint, "%s is missing",
                        ops->summary ? "tie_rule" : "summary");
    while (ops->term_names && terms <= LBP_MAX_TERMS && ops->term_names[terms])
        terms++;
    if (terms > LBP_MAX_TERMS)
        return complain(complaint,
                        "more than %d names of terms: do they end with NULL?",
                        LBP_MAX_TERMS);
    return true;
}

bool lbp_table_check_needs(uint32_t needs, char *reterr, size_t reterr_size)
{
    static const uint32_t known =
        LBP_NEEDS_KEY | LBP_NEEDS_BLOCKS | LBP_NEEDS_TEXT | LBP_NEEDS_REPORTS |
        LBP_NEEDS_PROBES | LBP_NEEDS_SESSION | LBP_PREDICTS;
    struct complaint complaint = {reterr, reterr_size};

    return (needs & ~known) == 0 ||
           complain(&complaint,
                    "needs 0x%x, of which this host knows only 0x%x", needs,
                    known);
}

bool lbp_table_check(const struct lbp_ops *ops, char *reterr,
                     size_t reterr_size)
{
    struct complaint complaint = {reterr, reterr_size};

    if (!ops->create || !ops->destroy || !ops->pick)
        return complain(&complaint, "%s is missing",
                        !ops->create    ? "create"
                        : !ops->destroy ? "destroy"
                                        : "pick");
    return lbp_table_check_needs(ops->needs, reterr, reterr_size) &&
           check_texts(ops, &complaint) && check_params(ops, &complaint);
}
