/*
 * Any text as the value of any parameter of any policy: refused with a reason
 * and the config as it was, or accepted; then it is written and read again to
 * the same.
 */
#include "policies/params.h"
#include "policies/registry.h"
#include "tests/fuzz/target.h"

#include <string.h>

static void check_again(const struct lbp_ops *ops,
                        const struct lbp_param *param, const void *config)
{
    char text[2048], again[2048], error[256];
    void *other = calloc(1, ops->config_size);
    size_t length = lbp_params_write(param, config, text, sizeof text);

    FUZZ_MUST(other);
    if (length < sizeof text) {
        lbp_params_preset(ops, other);
        if (!lbp_params_set(param, other, text, length, error, sizeof error)) {
            fprintf(stderr, "%s.%s: '%s': %s\n", ops->name, param->name, text,
                    error);
            abort();
        }
        lbp_params_write(param, other, again, sizeof again);
        FUZZ_MUST(strcmp(text, again) == 0);
    }
    free(other);
}

static void try_param(const struct lbp_ops *ops, const struct lbp_param *param,
                      const char *value, size_t length)
{
    void *config = calloc(1, ops->config_size);
    void *before = calloc(1, ops->config_size);
    char error[256] = "";

    FUZZ_MUST(config && before);
    lbp_params_preset(ops, config);
    memcpy(before, config, ops->config_size);
    if (lbp_params_set(param, config, value, length, error, sizeof error)) {
        check_again(ops, param, config);
    } else {
        FUZZ_MUST(*error);
        FUZZ_MUST(memcmp(before, config, ops->config_size) == 0);
    }
    free(config);
    free(before);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint32_t count;
    const struct lbp_ops *const *policies = lbp_registry_list(&count);
    char *value = malloc(size + 1);

    FUZZ_MUST(value);
    if (size > 0)
        memcpy(value, data, size);
    value[size] = '\0'; /* a text parameter wants it */
    for (uint32_t i = 0; i < count; i++)
        for (const struct lbp_param *param = policies[i]->params;
             param && param->name; param++)
            try_param(policies[i], param, value, size);
    free(value);
    return 0;
}
