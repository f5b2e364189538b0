/* Quantities as text. Expected values are arithmetic on the text. */
#include "sim/scenario/units.h"

#include "tests/check.h"

static char reason[200];

static int64_t duration(const char *text)
{
    int64_t ns = -1;

    reason[0] = '\0';
    units_parse_duration(text, strlen(text), &ns, reason, sizeof reason);
    return ns;
}

static void durations_are_exact(void)
{
    static const struct {
        const char *text;
        int64_t ns;
    } cases[] = {
        {"250 ms", 250000000},
        {"500ms", 500000000},
        {"5s", 5000000000},
        {"2m", 120000000000},
        {"10 min", 600000000000},
        {"1h30m", 5400000000000},
        {"1m 30s", 90000000000},
        {"1 d 1 h 1 min 1 s 1 ms 1 us 1 ns", 90061001001001},
        {"0.1 ms", 100000},
        {"0.05 us", 50},
        {"0.000000001 s", 1},
        {"1e3 ms", 1000000000},
        {"2.5e-3 s", 2500000},
        {"0.4 ns", 0},
        {"0.5 ns", 1},
        {"0 s", 0},
        {"  7 s  ", 7000000000},
        {".5 s", 500000000},
        {"9223372036854775807 ns", INT64_MAX},
        {"1.000000000000000000000 s", 1000000000},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        CHECK_INT(duration(cases[i].text), cases[i].ns);
}

static void check_refused(const char *text, const char *why)
{
    CHECK_INT(duration(text), -1);
    CHECK_TEXT(reason, why);
}

static void bad_durations_say_why(void)
{
    check_refused("5", "5 needs a unit, such as '5 s' or '5 ms'");
    check_refused("1e9", "1e9 needs a unit, such as '1e9 s' or '1e9 ms'");
    check_refused("-1s", "must not be negative, got '-1s'");
    check_refused("5 parsecs",
                  "unknown unit 'parsecs' (use ns, us, ms, s, min, h or d)");
    check_refused("0x10 s", "expected a duration such as '250 ms' or '10 min', "
                            "got '0x10 s'");
    check_refused("inf", "expected a duration such as '250 ms' or '10 min', "
                         "got 'inf'");
    check_refused("nan s", "expected a duration such as '250 ms' or '10 min', "
                           "got 'nan s'");
    check_refused("30s 1m", "expected a duration such as '250 ms' or "
                            "'10 min', got '30s 1m'");
    check_refused("1h30", "1h30 needs a unit, such as '1h30 s' or '1h30 ms'");
    check_refused("1,5 s", "expected a duration such as '250 ms' or '10 min', "
                           "got '1,5 s'");
    check_refused("293 d 9.3e9 s", "'293 d 9.3e9 s' is longer than 292 years");
    check_refused("9223372036854775808 ns",
                  "'9223372036854775808 ns' is longer than 292 years");
    check_refused("12345678901234567890 ns",
                  "expected a duration such as '250 ms' or '10 min', got "
                  "'12345678901234567890 ns'");
    check_refused("", "expected a duration such as '250 ms' or '10 min', got "
                      "''");
    check_refused("1e400 s", "expected a duration such as '250 ms' or "
                             "'10 min', got '1e400 s'");
    check_refused("1.2.3 s", "expected a duration such as '250 ms' or "
                             "'10 min', got '1.2.3 s'");
}

static uint64_t size_of(const char *text)
{
    uint64_t bytes = UINT64_MAX;

    reason[0] = '\0';
    units_parse_size(text, strlen(text), &bytes, reason, sizeof reason);
    return bytes;
}

static void sizes_tell_1000_from_1024(void)
{
    CHECK_UINT(size_of("2 GiB"), UINT64_C(2147483648));
    CHECK_UINT(size_of("2 GB"), 2000000000);
    CHECK_UINT(size_of("1 kB"), 1000);
    CHECK_UINT(size_of("1KiB"), 1024);
    CHECK_UINT(size_of("1.5 KiB"), 1536);
    CHECK_UINT(size_of("0 B"), 0);
    CHECK_UINT(size_of("1.5 B"), UINT64_MAX);
    CHECK_TEXT(reason, "'1.5 B' is not a whole number of bytes below 8 EiB");
    CHECK_UINT(size_of("9 Gb"), UINT64_MAX);
    CHECK_UINT(size_of("9000000 TiB"), UINT64_MAX);
    CHECK_UINT(size_of("1024"), UINT64_MAX);
    CHECK_TEXT(reason, "1024 needs a unit, such as '1024 B' or '1024 MiB'");
    CHECK_UINT(size_of("x"), UINT64_MAX);
    CHECK_UINT(size_of("1 B B"), UINT64_MAX);
}

static double rate(const char *text)
{
    double per_s = -1;

    reason[0] = '\0';
    units_parse_rate(text, strlen(text), &per_s, reason, sizeof reason);
    return per_s;
}

static void rates_are_per_second(void)
{
    CHECK_NEAR(rate("120/s"), 120, 0);
    CHECK_NEAR(rate("12 /s"), 12, 0);
    CHECK_NEAR(rate("600/min"), 10, 0);
    CHECK_NEAR(rate("600 per min"), 10, 0);
    CHECK_NEAR(rate("7200/h"), 2, 0);
    CHECK_NEAR(rate("1.5k/s"), 1500, 0);
    CHECK_NEAR(rate("0.8/s"), 0.8, 0);
    CHECK_NEAR(rate("86400 / d"), 1, 0);
    CHECK_NEAR(rate("12"), -1, 0);
    CHECK_TEXT(reason, "12 needs a unit, such as '12/s' or '12/min'");
    CHECK_NEAR(rate("12 s"), -1, 0);
    CHECK_NEAR(rate("12/week"), -1, 0);
    CHECK_NEAR(rate("12/"), -1, 0);
    CHECK_NEAR(rate("-3/s"), -1, 0);
    CHECK_NEAR(rate("inf/s"), -1, 0);
}

static double share(const char *text)
{
    double value = -1;

    units_parse_share(text, strlen(text), &value, reason, sizeof reason);
    return value;
}

/* The nearest double, as the C compiler reads the same decimal. */
static void shares_come_both_ways(void)
{
    CHECK_NEAR(share("30 %"), 0.3, 0);
    CHECK_NEAR(share("0.3"), 0.3, 0);
    CHECK_NEAR(share("35%"), 0.35, 0);
    CHECK_NEAR(share("0.1 %"), 0.001, 0);
    CHECK_NEAR(share("1"), 1, 0);
    CHECK_NEAR(share("99.99 %"), 0.9999, 0);
    CHECK_NEAR(share("30 percent"), -1, 0);
    CHECK_NEAR(share("%"), -1, 0);
    CHECK_NEAR(share("-5 %"), -1, 0);
}

static uint64_t count(const char *text)
{
    uint64_t value = UINT64_MAX;

    units_parse_count(text, strlen(text), &value, reason, sizeof reason);
    return value;
}

static void counts_are_whole(void)
{
    CHECK_UINT(count("50k"), 50000);
    CHECK_UINT(count("2M"), 2000000);
    CHECK_UINT(count("1.5k"), 1500);
    CHECK_UINT(count("1G"), 1000000000);
    CHECK_UINT(count("0"), 0);
    CHECK_UINT(count("1.5"), UINT64_MAX);
    CHECK_UINT(count("0x10"), UINT64_MAX);
    CHECK_UINT(count("1 0"), UINT64_MAX);
    CHECK_UINT(count("1e3"), UINT64_MAX);
    CHECK_UINT(count("99999999999999999999"), UINT64_MAX);
    CHECK_UINT(count("k"), UINT64_MAX);
}

static double number(const char *text)
{
    double value = -1;

    units_parse_number(text, strlen(text), &value, reason, sizeof reason);
    return value;
}

static void numbers_are_the_nearest_doubles(void)
{
    CHECK_NEAR(number("1.5"), 1.5, 0);
    CHECK_NEAR(number("0.6"), 0.6, 0);
    CHECK_NEAR(number("1e-3"), 1e-3, 0);
    CHECK_NEAR(number("1E+6"), 1e6, 0);
    CHECK_NEAR(number("5k"), 5000, 0);
    CHECK_NEAR(number("3.141592653589793"), 3.141592653589793, 0);
    CHECK_NEAR(number("1e-40"), 1e-40, 1e-55);
    CHECK_NEAR(number("1e"), -1, 0);
    CHECK_NEAR(number("1e300"), 1e300, 1e286);
    CHECK_NEAR(number("99999999999e300"), -1, 0); /* beyond doubles */
    CHECK_NEAR(number("nan"), -1, 0);
    CHECK_NEAR(number("0x1p3"), -1, 0);
    CHECK_NEAR(number("1 2"), -1, 0);
}

static void check_written(int64_t ns, const char *text)
{
    char written[UNITS_TEXT_SIZE];

    units_write_duration(ns, written);
    CHECK_TEXT(written, text);
    CHECK_INT(duration(written), ns);
}

static void writers_use_the_largest_whole_unit(void)
{
    char written[UNITS_TEXT_SIZE];

    check_written(0, "0 s");
    check_written(250000000, "250 ms");
    check_written(90000000000, "90 s");
    check_written(60000000000, "1 min");
    check_written(3600000000000, "1 h");
    check_written(86400000000000, "1 d");
    check_written(1, "1 ns");
    check_written(INT64_MAX, "9223372036854775807 ns");
    units_write_size(UINT64_C(1) << 30, written);
    CHECK_TEXT(written, "1 GiB");
    units_write_size(1500, written);
    CHECK_TEXT(written, "1500 B");
    units_write_size(0, written);
    CHECK_TEXT(written, "0 B");
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"durations are exact", durations_are_exact},
        {"bad durations say why", bad_durations_say_why},
        {"sizes tell 1000 from 1024", sizes_tell_1000_from_1024},
        {"rates are per second", rates_are_per_second},
        {"shares come both ways", shares_come_both_ways},
        {"counts are whole", counts_are_whole},
        {"numbers are the nearest doubles", numbers_are_the_nearest_doubles},
        {"writers use the largest whole unit",
         writers_use_the_largest_whole_unit},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("units", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
