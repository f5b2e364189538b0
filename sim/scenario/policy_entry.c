#include "sim/scenario/policy_entry.h"

#include "policies/params.h"

#include <stdlib.h>
#include <string.h>

enum { VALUE_SIZE = 200 };

void policy_entry_quote(const char *text, FILE *out)
{
    fputc('\'', out);
    for (; *text; text++) {
        if (*text == '\'')
            fputc('\'', out);
        fputc(*text, out);
    }
    fputc('\'', out);
}

/* NULL: it stays as it is. */
static const char *changed(const struct policy_entry_change *changes,
                           const char *param)
{
    for (; changes && changes->param; changes++)
        if (strcmp(changes->param, param) == 0)
            return changes->value;
    return NULL;
}

static const char *write_param(const struct policy_spec *policy,
                               const struct lbp_param *param,
                               const void *presets, const char *change,
                               const char *separator, FILE *out)
{
    char value[VALUE_SIZE];
    char preset[VALUE_SIZE];

    lbp_params_write(param, presets, preset, sizeof preset);
    if (change)
        snprintf(value, sizeof value, "%s", change);
    else
        lbp_params_write(param, policy->config, value, sizeof value);
    if (strcmp(value, preset) == 0)
        return separator;
    fprintf(out, "%s%s: %s", separator, param->name, value);
    return ", ";
}

void policy_entry_write(const struct policy_spec *policy,
                        const struct policy_entry_change *changes,
                        const char *beside, FILE *out)
{
    const struct lbp_ops *ops = policy->ops;
    void *presets = malloc(ops->config_size + 1);
    const char *separator = "";

    fprintf(out, "{%s: {", policy->name);
    if (policy->so) {
        fputs("so: ", out);
        policy_entry_quote(policy->so, out);
        separator = ", ";
    }
    if (presets)
        lbp_params_preset(ops, presets);
    for (const struct lbp_param *param = ops->params;
         presets && param && param->name; param++)
        separator = write_param(policy, param, presets,
                                changed(changes, param->name), separator, out);
    fprintf(out, "}%s}", beside);
    free(presets);
}
