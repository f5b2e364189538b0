/*
 * The table of measures as users meet it, and the points of the curve of
 * latency.
 */
#include "sim/measure/measures.h"
#include "sim/measure/run_result.h"
#include "tests/check.h"

#include <ctype.h>
#include <stdlib.h>

static enum measure_id find(const char *name)
{
    return measure_find(name, strlen(name));
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), tail = strlen(end);

    return length > tail && strcmp(text + length - tail, end) == 0;
}

static void names_are_unique(void)
{
    for (int a = 0; a < MEASURE_COUNT; a++)
        for (int b = 0; b < a; b++)
            CHECK(strcmp(measures[a].name, measures[b].name) != 0);
}

/* They become columns, keys of JSON and settings. */
static void names_are_lower_case_words(void)
{
    for (int id = 0; id < MEASURE_COUNT; id++) {
        const char *name = measures[id].name;

        CHECK(islower((unsigned char)name[0]));
        for (const char *at = name; *at; at++)
            CHECK(islower((unsigned char)*at) || isdigit((unsigned char)*at) ||
                  (*at == '_' && at[1] && at[1] != '_'));
        CHECK(strlen(measures[id].help) > 10);
        CHECK(!strchr(measures[id].help, '\n'));
    }
}

/* Column names carry units; a ratio may be known by a name of its own, and
   counts say what they count. */
static void names_carry_their_units(void)
{
    for (int id = 0; id < MEASURE_COUNT; id++) {
        const char *name = measures[id].name;

        switch (measures[id].unit) {
        case UNIT_SECONDS:
            CHECK(ends_with(name, "_s") && !ends_with(name, "_per_s"));
            break;
        case UNIT_PER_SECOND:
            CHECK(ends_with(name, "_per_s"));
            break;
        case UNIT_REQUESTS:
            CHECK(ends_with(name, "_requests"));
            break;
        case UNIT_COUNT:
        case UNIT_RATIO:
        case UNIT_PLAIN:
            CHECK(!ends_with(name, "_s"));
            break;
        }
    }
}

static void every_name_finds_its_measure(void)
{
    for (int id = 0; id < MEASURE_COUNT; id++)
        CHECK_INT(find(measures[id].name), id);
}

static void suffix_of_the_unit_may_be_left_out(void)
{
    CHECK_INT(find("latency_p99"), M_LATENCY_P99);
    CHECK_INT(find("latency_all_p99"), M_LATENCY_ALL_P99);
    CHECK_INT(find("success"), M_SUCCESS);
    CHECK_INT(find("throughput"), M_THROUGHPUT);
    CHECK_INT(find("completed"), M_COMPLETED);
    CHECK_INT(find("in_flight_mean"), M_IN_FLIGHT);
    CHECK_INT(find("cost"), M_COST); /* and not the cost of anything */
}

/* With or without the suffix a name means one measure. */
static void short_names_are_unique(void)
{
    static const char *const suffixes[] = {"_per_s", "_s", "_ratio",
                                           "_requests"};

    for (int id = 0; id < MEASURE_COUNT; id++)
        for (size_t i = 0; i < 4; i++) {
            const char *name = measures[id].name;
            size_t length = strlen(name) - strlen(suffixes[i]);

            if (!ends_with(name, suffixes[i]))
                continue;
            if (measure_find(name, length) != MEASURE_COUNT)
                CHECK_INT(measure_find(name, length), id);
        }
}

static void other_words_find_nothing(void)
{
    CHECK_INT(find(""), MEASURE_COUNT);
    CHECK_INT(find("latency"), MEASURE_COUNT);
    CHECK_INT(find("latency_p9"), MEASURE_COUNT);
    CHECK_INT(find("latency_p99_"), MEASURE_COUNT);
    CHECK_INT(find("latency_p99_s_"), MEASURE_COUNT);
    CHECK_INT(find("latency_p99_ratio"), MEASURE_COUNT);
    CHECK_INT(find("Latency_p99_s"), MEASURE_COUNT);
    CHECK_INT(find("throughput_per"), MEASURE_COUNT);
}

/* Names come out of longer texts: only length bytes count. */
static void name_need_not_end_with_0(void)
{
    CHECK_INT(measure_find("success_ratio > 0.99", 13), M_SUCCESS);
    CHECK_INT(measure_find("success_ratio", 7), M_SUCCESS);
    CHECK_INT(measure_find("success_ratio", 0), MEASURE_COUNT);
}

/* A verdict needs to know which way is better. */
static void goals_have_a_direction(void)
{
    CHECK_INT(measures[M_LATENCY_ALL_P99].better, BETTER_LOWER);
    CHECK_INT(measures[M_SUCCESS].better, BETTER_HIGHER);
    CHECK_INT(measures[M_THROUGHPUT].better, BETTER_HIGHER);
    CHECK_INT(measures[M_FAILED].better, BETTER_LOWER);
    CHECK_INT(measures[M_GPU_USE].better, BETTER_NEITHER);
}

/* Steps of 1/50 along -log10(1 - q), by libm's pow; never below 0.005. */
static void curve_is_even_along_the_tail(void)
{
    CHECK_NEAR(curve_quantile(0), 0.005, 0);
    for (uint32_t point = 1; point < CURVE_POINTS; point++)
        CHECK_NEAR(curve_quantile(point), 1 - pow(10, -(double)point / 50),
                   1e-14);
    CHECK_NEAR(curve_quantile(50), 0.9, 1e-14);
    CHECK_NEAR(curve_quantile(100), 0.99, 1e-14);
    CHECK_NEAR(curve_quantile(CURVE_POINTS - 1), 0.9999, 1e-14);
}

static void curve_rises(void)
{
    for (uint32_t point = 1; point < CURVE_POINTS; point++)
        CHECK(curve_quantile(point) > curve_quantile(point - 1));
}

static void result_is_empty_once_done(void)
{
    struct run_result result = {
        .nodes = calloc(2, sizeof *result.nodes),
        .buckets = calloc(3, sizeof *result.buckets),
        .node_buckets = calloc(6, sizeof *result.node_buckets),
        .latencies = calloc(9, sizeof *result.latencies),
        .node_count = 2,
    };

    run_result_done(&result);
    CHECK(!result.nodes && !result.latencies);
    CHECK_UINT(result.node_count, 0);
    run_result_done(&result); /* again does no harm */
}

int main(int argc, char **argv)
{
    CU_TestInfo names[] = {
        {"are unique", names_are_unique},
        {"are lower case words", names_are_lower_case_words},
        {"carry their units", names_carry_their_units},
        {"find their measures", every_name_finds_its_measure},
        {"may leave the suffix out", suffix_of_the_unit_may_be_left_out},
        {"short ones are unique", short_names_are_unique},
        {"other words find nothing", other_words_find_nothing},
        {"need not end with 0", name_need_not_end_with_0},
        {"of goals have a direction", goals_have_a_direction},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo result[] = {
        {"curve is even along the tail", curve_is_even_along_the_tail},
        {"curve rises", curve_rises},
        {"is empty once done", result_is_empty_once_done},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("measure names", NULL, NULL, NULL, NULL, names),
        SUITE("run result", NULL, NULL, NULL, NULL, result),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
