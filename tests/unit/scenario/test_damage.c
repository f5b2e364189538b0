/*
 * Thousands of damaged scenarios: each is read or refused with a complaint,
 * and nothing crashes or leaks (run under the sanitizers).
 */
#include "sim/scenario/lint.h"

#include "tests/unit/scenario/scenario_text.h"

static uint64_t state;

/* A plain congruential sequence (Knuth's MMIX constants), so that a failure
   can be repeated from its number. */
static uint64_t draw(uint64_t bound)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (state >> 33) % bound;
}

/* Bytes that mean something to YAML and to quantities. */
static const char telling[] = "{}[]:,-#&*!|>'\"%@`\t\n ?=~<.0123456789eExsmh\\"
                              "\0\xff\xc3\xe2\x80";

static char any_byte(void)
{
    return draw(4) ? telling[draw(sizeof telling)] : (char)draw(256);
}

static size_t damage(char *text, size_t length)
{
    size_t at = draw(length), span = draw(12) + 1, from = draw(length);

    if (at + span > length)
        span = length - at;
    switch (draw(5)) {
    case 0: /* another byte */
        text[at] = any_byte();
        return length;
    case 1: /* some gone */
        memmove(text + at, text + at + span, length - at - span);
        return length - span;
    case 2: /* one more */
        memmove(text + at + 1, text + at, length - at);
        text[at] = any_byte();
        return length + 1;
    case 3: /* some copied over others */
        if (from + span > length)
            from = length - span;
        memmove(text + at, text + from, span);
        return length;
    default: /* cut off */
        return draw(20) ? length : at + 1;
    }
}

static void read_one(const char *text, size_t length)
{
    struct diag diag = {0};
    const char *override = draw(3) ? "seed=3" : "nodes[0].count=2";
    struct scenario *scenario =
        scenario_parse("damaged.yaml", text, length, &override, draw(2), &diag);

    if (scenario) {
        char *effective = scenario_effective(scenario);

        CHECK(effective != NULL);
        scenario_lint(scenario, &diag);
        free(effective);
        CHECK_UINT(diag.errors, 0);
    } else {
        CHECK(diag.errors > 0);
        CHECK(diag.text != NULL);
    }
    scenario_destroy(scenario);
    diag_done(&diag);
}

static void damage_copies_of(const char *path, int copies)
{
    size_t length;
    char *good = read_text(path, &length);
    char *text = malloc(length + 100);

    CHECK(length > 500);
    for (int i = 0; i < copies && length > 500; i++) {
        size_t changed = length;

        state = (uint64_t)i;
        memcpy(text, good, length);
        for (uint64_t times = draw(8) + 1; times > 0 && changed > 1; times--)
            changed = damage(text, changed);
        read_one(text, changed);
    }
    free(good);
    free(text);
}

static void damaged_scenarios_are_read_or_refused(void)
{
    damage_copies_of("tests/data/scenarios/good.yaml", 600);
    damage_copies_of("scenarios/quickstart.yaml", 200);
}

/* Overrides are read by a parser of their own. */
static void damaged_overrides_are_read_or_refused(void)
{
    static const char *const good[] = {
        "nodes[gpu].engine.speed=2", "policies[0].ring_hash.replicas=7",
        "faults=[{kind: crash, target: \"gpu[0]\", at: 1 min}]",
        "workload.arrivals={rate: 5/s}"};

    for (int i = 0; i < 800; i++) {
        char text[200];
        const char *override = text;
        size_t length;
        struct diag diag = {0};
        struct scenario *scenario;

        state = (uint64_t)i;
        length = strlen(strcpy(text, good[draw(4)]));
        for (uint64_t times = draw(4) + 1; times > 0 && length > 1; times--)
            length = damage(text, length);
        text[length] = '\0';
        scenario = scenario_parse("plain.yaml", plain_text, strlen(plain_text),
                                  &override, 1, &diag);
        CHECK(scenario || diag.errors > 0);
        scenario_destroy(scenario);
        diag_done(&diag);
    }
}

/* A file that was not written to its end. */
static void every_beginning_is_read_or_refused(void)
{
    size_t length;
    char *good = read_text("tests/data/scenarios/good.yaml", &length);

    for (size_t i = 0; i < length; i++) {
        struct diag diag = {0};
        struct scenario *scenario =
            scenario_parse("cut.yaml", good, i, NULL, 0, &diag);

        CHECK(scenario || diag.errors > 0);
        scenario_destroy(scenario);
        diag_done(&diag);
    }
    free(good);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"damaged scenarios are read or refused",
         damaged_scenarios_are_read_or_refused},
        {"damaged overrides are read or refused",
         damaged_overrides_are_read_or_refused},
        {"every beginning is read or refused",
         every_beginning_is_read_or_refused},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("damaged scenarios", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
