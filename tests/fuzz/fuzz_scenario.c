/*
 * Any text as a scenario: it is refused with at least one error, or accepted;
 * then it can be looked at by lint, and what --show-effective prints of it is
 * accepted again, means the same (the hash of all that changes results) and
 * prints the same values.
 */
#include "sim/scenario/lint.h"
#include "sim/scenario/loader.h"
#include "tests/fuzz/target.h"

#include <string.h>

static void check_effective(const struct scenario *scenario)
{
    char *text = scenario_effective(scenario);
    struct diag diag = {0};
    struct scenario *again;

    FUZZ_MUST(text);
    again =
        scenario_parse("effective.yaml", text, strlen(text), NULL, 0, &diag);
    if (!again)
        fprintf(stderr, "%s\n%s\n", text, diag.text ? diag.text : "");
    FUZZ_MUST(again);
    FUZZ_MUST(again->hash == scenario->hash);
    FUZZ_MUST(again->node_count == scenario->node_count);
    FUZZ_MUST(again->policy_count == scenario->policy_count);
    scenario_destroy(again);
    diag_done(&diag);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct diag diag = {0};
    struct scenario *scenario =
        scenario_parse("fuzz.yaml", (const char *)data, size, NULL, 0, &diag);

    if (scenario) {
        FUZZ_MUST(diag.errors == 0);
        scenario_lint(scenario, &diag);
        check_effective(scenario);
    } else {
        FUZZ_MUST(diag.errors > 0 && diag.text && *diag.text);
    }
    scenario_destroy(scenario);
    diag_done(&diag);
    return 0;
}
