/*
 * Any lines as texts of --set, up to eight, for one good scenario.
 */
#include "sim/scenario/lint.h"
#include "sim/scenario/loader.h"
#include "tests/fuzz/target.h"

#include <string.h>

enum { OVERRIDES_MAX = 8 };

static const char good[] =
    "lbsim: 1\n"
    "duration: 1 min\n"
    "workload: {arrivals: {rate: 20/s}, work: {dist: constant, value: 1 s},\n"
    "  keys: {dist: zipf, exponent: 1, distinct: 100, repeat_share: 30 %}}\n"
    "nodes:\n"
    "  - {group: a, count: 2, engine: {kind: slots, slots: 4},\n"
    "     result_cache: {entries: 10}}\n"
    "  - {group: b, kind: cpu, count: 2, engine: {kind: slots, slots: 4}}\n"
    "balancer: {health: {}, retry: {attempts: 2}, timeout: {total: 10 s}}\n"
    "faults: [{kind: crash, target: 'a[1]', at: 20 s}]\n"
    "policies: [random, {ring_hash: {replicas: 100}}]\n"
    "goals: {latency_all_p99: 20 s}\n";

/* Cuts the text at its line ends; what is left over is part of the last. */
static size_t cut_lines(char *text, const char **ret_lines)
{
    size_t count = 0;

    while (text && count < OVERRIDES_MAX) {
        char *end = count + 1 < OVERRIDES_MAX ? strchr(text, '\n') : NULL;

        ret_lines[count++] = text;
        if (end)
            *end = '\0';
        text = end ? end + 1 : NULL;
    }
    return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *lines[OVERRIDES_MAX];
    struct diag diag = {0};
    char *text = malloc(size + 1);
    struct scenario *scenario;
    size_t count;

    FUZZ_MUST(text);
    if (size > 0)
        memcpy(text, data, size);
    text[size] = '\0';
    count = cut_lines(text, lines);
    scenario =
        scenario_parse("good.yaml", good, sizeof good - 1, lines, count, &diag);
    FUZZ_MUST((scenario != NULL) == (diag.errors == 0));
    if (scenario)
        scenario_lint(scenario, &diag);
    scenario_destroy(scenario);
    diag_done(&diag);
    free(text);
    return 0;
}
