/* Numbers and times out of text. */
#include "tests/check.h"
#include "workloads/formats/decimal.h"

#include <stdlib.h>
#include <time.h>

static enum decimal_status count(const char *text, uint32_t *ret)
{
    *ret = 0;
    return decimal_parse_count(text, strlen(text), ret);
}

static enum decimal_status seconds(const char *text, int64_t *ret)
{
    *ret = 0;
    return decimal_parse_seconds(text, strlen(text), ret);
}

static enum decimal_status calendar(const char *text, int64_t *ret)
{
    enum decimal_zone zone;

    *ret = 0;
    return decimal_parse_calendar(text, strlen(text), ret, &zone);
}

static void reads_counts(void)
{
    static const struct {
        const char *text;
        enum decimal_status status;
        uint32_t count;
    } cases[] = {
        {"0", DECIMAL_OK, 0},
        {"0374", DECIMAL_OK, 374},
        {"123.0", DECIMAL_OK, 123},
        {"123.", DECIMAL_OK, 123},
        {"2147483647", DECIMAL_OK, 2147483647},
        {"2147483648", DECIMAL_TOO_LARGE, 0},
        {"99999999999999999999999", DECIMAL_TOO_LARGE, 0},
        {"", DECIMAL_EMPTY, 0},
        {"-5", DECIMAL_NEGATIVE, 0},
        {"-", DECIMAL_MALFORMED, 0},
        {"+5", DECIMAL_MALFORMED, 0},
        {"12.5", DECIMAL_MALFORMED, 0},
        {"1e3", DECIMAL_MALFORMED, 0},
        {"nan", DECIMAL_MALFORMED, 0},
        {"inf", DECIMAL_MALFORMED, 0},
        {"7x", DECIMAL_MALFORMED, 0},
        {"99999999999x", DECIMAL_MALFORMED, 0},
        {"1 2", DECIMAL_MALFORMED, 0},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint32_t value;

        CHECK_INT(count(cases[i].text, &value), cases[i].status);
        CHECK_UINT(value, cases[i].count);
    }
}

static void reads_seconds_to_the_nanosecond(void)
{
    static const struct {
        const char *text;
        enum decimal_status status;
        int64_t ns;
    } cases[] = {
        {"0", DECIMAL_OK, 0},
        {"3.0523", DECIMAL_OK, 3052300000},
        {"0.000000001", DECIMAL_OK, 1},
        {"1.0000000010000", DECIMAL_OK, 1000000001},
        /* 2^53 + 1 ns: a double would lose the last digit. */
        {"9007199.254740993", DECIMAL_OK, 9007199254740993},
        {"9223372035.999999999", DECIMAL_OK, 9223372035999999999},
        {"9223372036", DECIMAL_TOO_LARGE, 0},
        {"0.0000000001", DECIMAL_TOO_FINE, 0},
        {"5.", DECIMAL_MALFORMED, 0},
        {".5", DECIMAL_MALFORMED, 0},
        {"1.5s", DECIMAL_MALFORMED, 0},
        {"", DECIMAL_EMPTY, 0},
        {"-0.5", DECIMAL_NEGATIVE, 0},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t ns;

        CHECK_INT(seconds(cases[i].text, &ns), cases[i].status);
        CHECK_INT(ns, cases[i].ns);
    }
}

/* Times of Vidur's, as doubles print: the nearest microsecond is meant. */
static void rounds_seconds_to_the_microsecond(void)
{
    static const struct {
        const char *text;
        enum decimal_status status;
        int64_t ns;
    } cases[] = {
        {"0.0", DECIMAL_OK, 0},
        {"7", DECIMAL_OK, 7000000000},
        {"4.314579", DECIMAL_OK, 4314579000},
        {"5.8926549999999995", DECIMAL_OK, 5892655000},
        {"0.0000004", DECIMAL_OK, 0},
        {"0.0000005", DECIMAL_OK, 1000},
        {"1.9999999", DECIMAL_OK, 2000000000},
        {"0.05", DECIMAL_OK, 50000000},
        {"1.", DECIMAL_MALFORMED, 0},
        {"1.5x", DECIMAL_MALFORMED, 0},
        {"1e-5", DECIMAL_MALFORMED, 0},
        {"", DECIMAL_EMPTY, 0},
        {"-1", DECIMAL_NEGATIVE, 0},
        {"9223372036", DECIMAL_TOO_LARGE, 0},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *text = cases[i].text;
        int64_t ns = 0;

        CHECK_INT(decimal_parse_rounded_seconds(text, strlen(text), &ns),
                  cases[i].status);
        CHECK_INT(ns, cases[i].ns);
    }
}

/* Seconds since 1970 as `date -u +%s` of GNU coreutils gives them. */
static void reads_calendar_times(void)
{
    static const struct {
        const char *text;
        int64_t s, ns;
    } cases[] = {
        {"1970-01-01 00:00:00", 0, 0},
        {"2000-02-29 00:00:00", 951782400, 0},
        {"2000-03-01 00:00:00", 951868800, 0},
        {"2100-02-28 23:59:59", 4107542399, 0},
        {"2100-03-01 00:00:00", 4107542400, 0},
        {"2023-11-16 18:15:46.6805900", 1700158546, 680590000},
        {"2023-11-16 18:15:46.6805901", 1700158546, 680590100},
        {"2024-05-10 00:00:00.009930+00:00", 1715299200, 9930000},
        {"2024-05-12 00:00:00+00:00", 1715472000, 0},
        {"2024-10-15T12:00:00.269Z", 1728993600, 269000000},
        {"2024-05-12 05:30:00.5+05:30", 1715472000, 500000000},
        {"2024-05-11 19:00:00-0500", 1715472000, 0},
        {"2024-05-11 12:00:00-12", 1715472000, 0},
        {"2261-12-31 23:59:59.999999999", 9214646399, 999999999},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t ns;

        CHECK_INT(calendar(cases[i].text, &ns), DECIMAL_OK);
        CHECK_INT(ns, cases[i].s * 1000000000 + cases[i].ns);
    }
}

static void refuses_what_is_no_time(void)
{
    static const struct {
        const char *text;
        enum decimal_status status;
    } cases[] = {
        {"", DECIMAL_EMPTY},
        {"2023-11-16", DECIMAL_MALFORMED},
        {"2023/11/16 18:15:46", DECIMAL_MALFORMED},
        {"16-11-2023 18:15:46", DECIMAL_MALFORMED},
        {"2023-11-16 18:15", DECIMAL_MALFORMED},
        {"2023-11-16_18:15:46", DECIMAL_MALFORMED},
        {"2023-11-16 18:15:46.", DECIMAL_MALFORMED},
        {"2023-11-16 18:15:46 UTC", DECIMAL_MALFORMED},
        {"2023-11-16 18:15:46+0", DECIMAL_MALFORMED},
        {"2023-11-16 18:15:46+01:", DECIMAL_MALFORMED},
        {"2023-11-16 18:15:46+01:00x", DECIMAL_MALFORMED},
        {"2023-11-16 18:15:46.12345678905", DECIMAL_TOO_FINE},
        {"2023-00-16 18:15:46", DECIMAL_NO_SUCH_TIME},
        {"2023-13-16 18:15:46", DECIMAL_NO_SUCH_TIME},
        {"2023-04-31 18:15:46", DECIMAL_NO_SUCH_TIME},
        {"2100-02-29 18:15:46", DECIMAL_NO_SUCH_TIME},
        {"2023-11-16 18:60:46", DECIMAL_NO_SUCH_TIME},
        {"2023-11-16 18:15:60", DECIMAL_NO_SUCH_TIME},
        {"2023-11-16 18:15:46+24:00", DECIMAL_NO_SUCH_TIME},
        {"1969-12-31 23:59:59", DECIMAL_TOO_LARGE},
        {"2262-01-01 00:00:00", DECIMAL_TOO_LARGE},
        {"1970-01-01 00:00:00+01:00", DECIMAL_TOO_LARGE},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t ns;

        CHECK_INT(calendar(cases[i].text, &ns), cases[i].status);
    }
}

/* Every day of three centuries against the C library's calendar, under a
   host's zone that must not matter. */
static void agrees_with_gmtime_on_every_day(void)
{
    setenv("TZ", "America/New_York", 1);
    tzset();
    for (time_t day = 0; day < 106000; day += 1) {
        time_t at = day * 86400 + 40271; /* 11:11:11 */
        struct tm parts;
        char text[64];
        int64_t ns;

        gmtime_r(&at, &parts);
        strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &parts);
        CHECK_INT(calendar(text, &ns), DECIMAL_OK);
        CHECK_INT(ns, at * INT64_C(1000000000));
    }
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"reads counts", reads_counts},
        {"reads seconds to the nanosecond", reads_seconds_to_the_nanosecond},
        {"rounds seconds to the microsecond",
         rounds_seconds_to_the_microsecond},
        {"reads calendar times", reads_calendar_times},
        {"refuses what is no time", refuses_what_is_no_time},
        {"agrees with gmtime on every day", agrees_with_gmtime_on_every_day},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("trace_decimal", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
