/* Quantities of every kind as numbers in base units and back: by hand. */
#include "sim/scenario/quantity.h"
#include "tests/check.h"

static void check_kind(const char *path, enum quantity_kind expected)
{
    enum quantity_kind kind = QUANTITY_NONE;

    CHECK(quantity_of_path(path, &kind));
    CHECK_INT(kind, expected);
}

static void settings_and_parameters_have_kinds(void)
{
    enum quantity_kind kind;

    check_kind("seed", QUANTITY_COUNT);
    check_kind("duration", QUANTITY_DURATION);
    check_kind("workload.arrivals.rate", QUANTITY_RATE);
    check_kind("workload.arrivals.cv", QUANTITY_NUMBER);
    check_kind("workload.work", QUANTITY_NONE);
    check_kind("policies[0].ring_hash.replicas", QUANTITY_COUNT);
    check_kind("policies[0]", QUANTITY_NONE);
    CHECK(!quantity_of_path("workload.nothing", &kind));
    CHECK(!quantity_of_path("warm_up", &kind)); /* a share or a duration */
    CHECK(!quantity_of_path("policies[0].nobody.replicas", &kind));
}

static void check_guess(const char *text, enum quantity_kind expected)
{
    CHECK_INT(quantity_guess(text, strlen(text)), expected);
}

static void texts_look_like_their_kind(void)
{
    check_guess("50k", QUANTITY_COUNT);
    check_guess("1.5", QUANTITY_NUMBER);
    check_guess("30 %", QUANTITY_SHARE);
    check_guess("12/s", QUANTITY_RATE);
    check_guess("512 MiB", QUANTITY_SIZE);
    check_guess("250 ms", QUANTITY_DURATION);
    check_guess("poisson", QUANTITY_NONE);
}

static void check_parsed(enum quantity_kind kind, const char *text,
                         double expected)
{
    char reason[200] = "";
    double value = NAN;

    CHECK(quantity_parse(kind, text, strlen(text), &value, reason,
                         sizeof reason));
    CHECK_TEXT(reason, "");
    CHECK_NEAR(value, expected, 1e-12 * expected);
}

static void numbers_are_in_base_units(void)
{
    check_parsed(QUANTITY_COUNT, "50k", 50000);
    check_parsed(QUANTITY_NUMBER, "1.5", 1.5);
    check_parsed(QUANTITY_SHARE, "30 %", 0.3);
    check_parsed(QUANTITY_RATE, "600/min", 10);
    check_parsed(QUANTITY_SIZE, "2 KiB", 2048);
    check_parsed(QUANTITY_DURATION, "250 ms", 0.25);
}

static void what_takes_no_number_says_so(void)
{
    char reason[200] = "";
    double value = -1;

    CHECK(
        !quantity_parse(QUANTITY_NONE, "5", 1, &value, reason, sizeof reason));
    CHECK_TEXT(reason, "takes no number");
    CHECK(
        !quantity_parse(QUANTITY_RATE, "5", 1, &value, reason, sizeof reason));
    CHECK(strstr(reason, "unit") != NULL);
    CHECK_NEAR(value, -1, 0);
}

static void check_written(enum quantity_kind kind, double value,
                          const char *expected)
{
    char text[UNITS_TEXT_SIZE];

    quantity_write(kind, value, text);
    CHECK_TEXT(text, expected);
}

static void texts_are_what_a_setting_takes(void)
{
    check_written(QUANTITY_COUNT, 49999.6, "50000");
    check_written(QUANTITY_NUMBER, 1.5, "1.5");
    check_written(QUANTITY_SHARE, 0.3, "30 %");
    check_written(QUANTITY_RATE, 12.5, "12.5/s");
    check_written(QUANTITY_SIZE, 2048.4, "2 KiB");
    check_written(QUANTITY_DURATION, 0.25, "250 ms");
    check_written(QUANTITY_NONE, 2, "2");
}

/* A third of a second, to nine digits: 0.333333333 s. */
static void durations_are_written_to_nine_digits(void)
{
    check_written(QUANTITY_DURATION, 1. / 3, "333333333 ns");
    check_written(QUANTITY_DURATION, 1000. / 3, "333333333 us");
}

static void units_stand_behind_numbers(void)
{
    CHECK_TEXT(quantity_unit(QUANTITY_COUNT), "");
    CHECK_TEXT(quantity_unit(QUANTITY_NUMBER), "");
    CHECK_TEXT(quantity_unit(QUANTITY_SHARE), "");
    CHECK_TEXT(quantity_unit(QUANTITY_RATE), "/s");
    CHECK_TEXT(quantity_unit(QUANTITY_SIZE), "B");
    CHECK_TEXT(quantity_unit(QUANTITY_DURATION), "s");
    CHECK(quantity_is_whole(QUANTITY_COUNT));
    CHECK(!quantity_is_whole(QUANTITY_RATE));
}

/* The words show an example, which the kind itself takes. */
static void words_show_an_example_that_is_taken(void)
{
    for (int kind = QUANTITY_COUNT; kind < QUANTITY_NONE; kind++) {
        const char *words = quantity_words((enum quantity_kind)kind);
        const char *first = strchr(words, '\'');
        const char *last = first ? strchr(first + 1, '\'') : NULL;
        char reason[200];
        double value;

        CHECK(last && quantity_parse((enum quantity_kind)kind, first + 1,
                                     (size_t)(last - first) - 1, &value, reason,
                                     sizeof reason));
    }
    CHECK_TEXT(quantity_words(QUANTITY_NONE), "a text");
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"settings and parameters have kinds",
         settings_and_parameters_have_kinds},
        {"texts look like their kind", texts_look_like_their_kind},
        {"numbers are in base units", numbers_are_in_base_units},
        {"what takes no number says so", what_takes_no_number_says_so},
        {"texts are what a setting takes", texts_are_what_a_setting_takes},
        {"durations are written to nine digits",
         durations_are_written_to_nine_digits},
        {"units stand behind numbers", units_stand_behind_numbers},
        {"words show an example that is taken",
         words_show_an_example_that_is_taken},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("quantity", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
