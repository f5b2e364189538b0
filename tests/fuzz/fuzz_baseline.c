/*
 * Any bytes as a baseline: refused with a complaint, or read. With the right
 * sum at its end a text gets as far as it deserves; what is accepted then is no
 * different from itself, and compared with itself it is the same.
 */
#include "sim/experiment/baseline.h"
#include "sim/experiment/regression.h"
#include "tests/fuzz/target.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static struct baseline *parse(const char *text, size_t length)
{
    struct diag diag = {0};
    struct baseline *baseline = baseline_parse("fuzz", text, length, &diag);

    FUZZ_MUST(baseline || diag.errors > 0);
    FUZZ_MUST(!baseline || diag.errors == 0);
    diag_done(&diag);
    return baseline;
}

static void compare_measure(const struct baseline *baseline,
                            const struct baseline_measure *measure)
{
    static const struct regression_rules rules = {0.001, 0.95, false};
    struct regression_test test = {
        .old_values = measure->values,
        .new_values = measure->values,
        .pairs = baseline->runs < 50 ? baseline->runs : 50,
        .better = BETTER_LOWER,
        .allowed_ratio = 0.05,
    };
    struct regression finding;

    for (uint32_t i = 0; i < baseline->runs; i++)
        FUZZ_MUST(measure->values[i] != -INFINITY);
    FUZZ_MUST(regressions_judge(&test, 1, &rules, &finding));
    FUZZ_MUST(finding.kind == REGRESSION_SAME);
}

static void look_at(const struct baseline *baseline)
{
    struct diag diag = {0};

    FUZZ_MUST(!baseline_differs(baseline, baseline, &diag));
    FUZZ_MUST(!diag.text);
    for (uint32_t i = 0; i < baseline->policy_count; i++) {
        const struct baseline_policy *policy = &baseline->policies[i];

        FUZZ_MUST(baseline_find_policy(baseline, policy->label) == policy);
        FUZZ_MUST(policy->params);
        for (uint32_t m = 0; m < policy->measure_count; m++)
            compare_measure(baseline, &policy->measures[m]);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = calloc(1, size + 40);
    size_t length = size;
    struct baseline *baseline;

    FUZZ_MUST(text);
    if (size > 0)
        memcpy(text, data, size);
    baseline = parse(text, length);
    if (baseline)
        look_at(baseline);
    baseline_destroy(baseline);

    if (length > 0 && text[length - 1] != '\n')
        text[length++] = '\n';
    length += (size_t)sprintf(text + length, "end %016" PRIx64 "\n",
                              baseline_hash(text, length));
    baseline = parse(text, length);
    if (baseline)
        look_at(baseline);
    baseline_destroy(baseline);
    free(text);
    return 0;
}
