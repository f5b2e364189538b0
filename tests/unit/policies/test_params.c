/* Parameters: what users may write, what they may not, and what they are
   told. */
#include "policies/params.h"

#include "policies/registry.h"
#include "tests/check.h"

struct config {
    double real, free_real, share;
    uint64_t count, free_count;
    int64_t duration, free_duration;
    bool on;
    uint32_t choice;
    const char *text;
};

enum row {
    REAL,
    FREE_REAL,
    SHARE,
    COUNT,
    FREE_COUNT,
    DURATION,
    FREE_DURATION,
    SWITCH,
    CHOICE,
    TEXT
};

#define FIELD(field) .offset = offsetof(struct config, field)

static const struct lbp_param params[] = {
    {"real", "", LBP_REAL, FIELD(real), .min = -10, .max = 10,
     .preset = "1.25"},
    {"free_real", "", LBP_REAL, FIELD(free_real)},
    {"share", "", LBP_SHARE, FIELD(share), .max = 1, .preset = "30 %"},
    {"count", "", LBP_COUNT, FIELD(count), .min = 1, .max = 65536,
     .preset = "50k"},
    {"free_count", "", LBP_COUNT, FIELD(free_count)},
    {"duration", "", LBP_DURATION, FIELD(duration), .max = 3600,
     .preset = "250 ms"},
    {"free_duration", "", LBP_DURATION, FIELD(free_duration)},
    {"switch", "", LBP_SWITCH, FIELD(on), .preset = "yes"},
    {"choice", "", LBP_CHOICE, FIELD(choice), .preset = "rotate",
     .choices = "own|first|random|rotate"},
    {"text", "", LBP_TEXT, FIELD(text), .preset = "plain"},
    {.name = NULL},
};

static const struct lbp_ops ops = {
    .name = "example",
    .params = params,
    .config_size = sizeof(struct config),
};

static struct config config;
static char message[300];

static void presets(void)
{
    lbp_params_preset(&ops, &config);
    message[0] = '\0';
}

static bool set(enum row row, const char *value)
{
    return lbp_params_set(&params[row], &config, value, strlen(value), message,
                          sizeof message);
}

/* All fields as text: two configs are alike if these are. */
static void describe(char *out, size_t size)
{
    size_t length = 0;

    for (const struct lbp_param *param = params; param->name; param++)
        length += lbp_params_write(param, &config, out + length, size - length);
}

static void check_refused(enum row row, const char *value)
{
    char before[200], after[200];

    describe(before, sizeof before);
    CHECK(!set(row, value));
    if (strlen(value) > 0)
        CHECK(strstr(message, value) != NULL);
    describe(after, sizeof after);
    CHECK_TEXT(after, before);
}

static const char *written(enum row row)
{
    static char text[64];
    size_t length = lbp_params_write(&params[row], &config, text, sizeof text);

    CHECK_UINT(length, strlen(text));
    return text;
}

static void presets_fill_every_field(void)
{
    CHECK_NEAR(config.real, 1.25, 0);
    CHECK(isnan(config.free_real));
    CHECK_NEAR(config.share, 0.3, 0);
    CHECK_UINT(config.count, 50000);
    CHECK_UINT(config.free_count, 0);
    CHECK_INT(config.duration, 250000000);
    CHECK_INT(config.free_duration, 0);
    CHECK(config.on);
    CHECK_UINT(config.choice, 3);
    CHECK_TEXT(config.text, "plain");
}

static void parameters_are_found_by_their_whole_name(void)
{
    CHECK(lbp_params_find(&ops, "count", 5) == &params[COUNT]);
    CHECK(lbp_params_find(&ops, "counter", 5) == &params[COUNT]);
    CHECK(lbp_params_find(&ops, "coun", 4) == NULL);
    CHECK(lbp_params_find(&ops, "counts", 6) == NULL);
    CHECK(lbp_params_find(lbp_registry_find("random", 6), "count", 5) == NULL);
}

static void check_real(const char *value, double expected)
{
    CHECK(set(REAL, value));
    CHECK_NEAR(config.real, expected, 0);
}

static void reals_are_decimal_numbers(void)
{
    check_real("0.1", 0.1);
    check_real("-2.5", -2.5);
    check_real("+3", 3);
    check_real(".5", 0.5);
    check_real("1e-3", 0.001);
    check_real("25E-1", 2.5);
    check_real("  7\t", 7);
    check_real("0.30000000000000004", 0.30000000000000004);
    check_refused(REAL, "10.5");
    check_refused(REAL, "-11");
}

static void what_is_no_number_is_refused(void)
{
    static const char *const bad[] = {
        "",
        "x",
        "0x10",
        "0x1p3",
        "inf",
        "-inf",
        "nan",
        "1e999",
        "1 2",
        "1,5",
        "1.",
        "--1",
        "1e",
        "1e+",
        "+",
        ".",
        "1.5.2",
        "1_000",
        "off",
        "5 %",
        "1k",
        "99999999999999999999",
        "0.99999999999999999999",
    };

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        check_refused(REAL, bad[i]);
}

static void check_share(const char *value, double expected)
{
    CHECK(set(SHARE, value));
    CHECK_NEAR(config.share, expected, 0);
}

static void shares_are_fractions_or_percentages(void)
{
    check_share("0.3", 0.3);
    check_share("30 %", 0.3);
    check_share("30%", 0.3);
    check_share("99.9 %", 0.999);
    check_share("100 %", 1);
    check_share("0", 0);
    check_refused(SHARE, "30");
    check_refused(SHARE, "101 %");
    check_refused(SHARE, "-1 %");
    check_refused(SHARE, "30 % %");
    check_refused(SHARE, "%");
}

static void check_count(const char *value, uint64_t expected)
{
    CHECK(set(FREE_COUNT, value));
    CHECK_UINT(config.free_count, expected);
}

static void counts_are_whole_and_may_be_large(void)
{
    check_count("0", 0);
    check_count("50k", 50000);
    check_count("1.5M", 1500000);
    check_count("2G", 2000000000);
    check_count("1e3", 1000);
    check_count("2.50e1", 25);
    check_count("100.0", 100);
    check_count("0.001k", 1);
    check_count("18446744073709551615", UINT64_MAX);
    check_refused(FREE_COUNT, "18446744073709551616");
    check_refused(FREE_COUNT, "18446744073709551615k");
    check_refused(FREE_COUNT, "1e30");
    check_refused(FREE_COUNT, "1.5");
    check_refused(FREE_COUNT, "0.0001k");
    check_refused(FREE_COUNT, "-1");
    check_refused(FREE_COUNT, "5m");
    check_refused(FREE_COUNT, "5 k");
    check_refused(FREE_COUNT, "k");
    check_refused(COUNT, "0");
    check_refused(COUNT, "65537");
    CHECK(set(COUNT, "65536"));
}

static void check_duration(const char *value, int64_t expected_ns)
{
    CHECK(set(FREE_DURATION, value));
    CHECK_INT(config.free_duration, expected_ns);
}

static void durations_carry_their_unit(void)
{
    check_duration("17 ns", 17);
    check_duration("3us", 3000);
    check_duration("250 ms", 250000000);
    check_duration("1.5 s", 1500000000);
    check_duration("10 min", 600000000000);
    check_duration("10m", 600000000000);
    check_duration("2 h", 7200000000000);
    check_duration("1 d", 86400000000000);
    check_duration("1h30m", 5400000000000);
    check_duration("1 h 30 min", 5400000000000);
    check_duration("1d2h3min4s5ms6us7ns", 93784005006007);
    check_duration("0 s", 0);
    check_duration("1e-3 s", 1000000);
    check_duration("-1 s", -1000000000);
    check_duration("106751 d", 9223286400000000000);
}

static void durations_without_sense_are_refused(void)
{
    static const char *const bad[] = {
        "",         "5",      "0",          "5 sec",         "s",
        "30m1h",    "1h1h",   "1h 30",      "1 hm",          "5 Ms",
        "0.5 ns",   "1e40 s", "106752 d",   "106751 d 24 h", "1h-5m",
        "1 s junk", "--1 s",  "10 m 5 min",
    };

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        check_refused(FREE_DURATION, bad[i]);
    check_refused(DURATION, "61 min");
    check_refused(DURATION, "-1 ms");
    CHECK(set(DURATION, "1 h"));
}

static void switches_know_four_words_each(void)
{
    static const char *const words[] = {"true", "false", "yes", "no",
                                        "on",   "off",   "1",   "0"};

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        CHECK(set(SWITCH, words[i]));
        CHECK_UINT(config.on, i % 2 == 0);
    }
    check_refused(SWITCH, "maybe");
    check_refused(SWITCH, "TRUE");
    check_refused(SWITCH, "2");
}

static void choices_are_whole_words(void)
{
    CHECK(set(CHOICE, "own"));
    CHECK_UINT(config.choice, 0);
    CHECK(set(CHOICE, " random "));
    CHECK_UINT(config.choice, 2);
    check_refused(CHOICE, "rand");
    check_refused(CHOICE, "own|first");
    check_refused(CHOICE, "");
}

static void texts_are_borrowed_as_they_stand(void)
{
    static const char text[] = " any text ";

    CHECK(set(TEXT, text));
    CHECK(config.text == text);
}

static void numbers_without_preset_may_be_off(void)
{
    CHECK(set(FREE_REAL, "4"));
    CHECK(set(FREE_REAL, "off"));
    CHECK(isnan(config.free_real));
    CHECK(set(FREE_COUNT, "4"));
    CHECK(set(FREE_COUNT, "off"));
    CHECK_UINT(config.free_count, 0);
    CHECK(set(FREE_DURATION, "4 s"));
    CHECK(set(FREE_DURATION, "off"));
    CHECK_INT(config.free_duration, 0);
    check_refused(COUNT, "off");
}

static void check_message(enum row row, const char *value, const char *expected)
{
    CHECK(!set(row, value));
    CHECK_TEXT(message, expected);
}

static void messages_say_what_is_expected_and_found(void)
{
    check_message(COUNT, "ten",
                  "'count' needs a count from 1 to 65536, got 'ten'");
    check_message(SHARE, "30",
                  "'share' needs a share from 0 to 1 such as 0.3 or 30 %, got "
                  "'30'");
    check_message(DURATION, "5",
                  "'duration' needs a duration from 0 s to 1 h with its unit, "
                  "such as 250 ms or 10 min, got '5'");
    check_message(CHOICE, "last",
                  "'choice' needs one of own, first, random or rotate, got "
                  "'last'");
    check_message(SWITCH, "", "'switch' needs true or false, got nothing");
    check_message(REAL, "11", "'real' needs a number from -10 to 10, got '11'");
    check_message(FREE_REAL, "x",
                  "'free_real' needs a number, or off, got "
                  "'x'");
    check_message(REAL, "12345678901234567890123456789012345678901234567890",
                  "'real' needs a number from -10 to 10, got "
                  "'1234567890123456789012345678901234567890...'");
}

static void ranges_may_have_no_end(void)
{
    static const struct lbp_param open = {
        "open", "", LBP_DURATION, 0, .min = 0.001, .max = INFINITY};
    int64_t field;

    CHECK(!lbp_params_set(&open, &field, "1 us", 4, message, sizeof message));
    CHECK_TEXT(message,
               "'open' needs a duration of 1 ms or more with its unit, such "
               "as 250 ms or 10 min, or off, got '1 us'");
    CHECK(lbp_params_set(&open, &field, "1 ms", 4, NULL, 0));
}

static void messages_fit_their_room(void)
{
    char small[10];

    CHECK(
        !lbp_params_set(&params[COUNT], &config, "x", 1, small, sizeof small));
    CHECK_TEXT(small, "'count' n");
    CHECK(!lbp_params_set(&params[COUNT], &config, "x", 1, NULL, 0));
}

static void values_are_written_as_users_write_them(void)
{
    CHECK_TEXT(written(REAL), "1.25");
    CHECK_TEXT(written(FREE_REAL), "off");
    CHECK_TEXT(written(SHARE), "0.3");
    CHECK_TEXT(written(COUNT), "50000");
    CHECK_TEXT(written(FREE_COUNT), "off");
    CHECK_TEXT(written(DURATION), "250 ms");
    CHECK_TEXT(written(FREE_DURATION), "off");
    CHECK_TEXT(written(SWITCH), "true");
    CHECK_TEXT(written(CHOICE), "rotate");
    CHECK_TEXT(written(TEXT), "plain");
    CHECK(set(SWITCH, "no") && set(DURATION, "0 s") && set(CHOICE, "own"));
    CHECK_TEXT(written(SWITCH), "false");
    CHECK_TEXT(written(DURATION), "0 s");
    CHECK_TEXT(written(CHOICE), "own");
    CHECK(set(FREE_DURATION, "-90 min") && set(REAL, "0.1"));
    CHECK_TEXT(written(FREE_DURATION), "-90 min");
    CHECK_TEXT(written(REAL), "0.1");
    config.text = NULL;
    CHECK_TEXT(written(TEXT), "");
}

static void what_is_written_reads_back(void)
{
    static const char *const durations[] = {"1 d",     "25 h", "61 min",
                                            "1.001 s", "1 ns", "1h1ns"};
    static const char *const reals[] = {"0.1", "1e-300", "0.30000000000000004",
                                        "12345678.9", "1e22"};

    for (size_t i = 0; i < sizeof durations / sizeof durations[0]; i++) {
        int64_t before;

        CHECK(set(FREE_DURATION, durations[i]));
        before = config.free_duration;
        CHECK(set(FREE_DURATION, written(FREE_DURATION)));
        CHECK_INT(config.free_duration, before);
    }
    for (size_t i = 0; i < sizeof reals / sizeof reals[0]; i++) {
        double before;

        CHECK(set(FREE_REAL, reals[i]));
        before = config.free_real;
        CHECK(set(FREE_REAL, written(FREE_REAL)));
        CHECK_NEAR(config.free_real, before, 0);
    }
}

static void long_values_are_cut_to_the_room(void)
{
    char small[4];

    CHECK_UINT(lbp_params_write(&params[CHOICE], &config, small, sizeof small),
               6);
    CHECK_TEXT(small, "rot");
    CHECK_UINT(lbp_params_write(&params[CHOICE], &config, NULL, 0), 6);
}

static void every_preset_of_every_policy_is_in_range(void)
{
    uint32_t count;
    const struct lbp_ops *const *list = lbp_registry_list(&count);

    for (uint32_t i = 0; i < count; i++)
        for (const struct lbp_param *param = list[i]->params;
             param && param->name; param++) {
            union {
                char bytes[256];
                max_align_t align;
            } room;

            CHECK(list[i]->config_size <= sizeof room);
            CHECK(!param->preset ||
                  lbp_params_set(param, room.bytes, param->preset,
                                 strlen(param->preset), NULL, 0));
        }
}

int main(int argc, char **argv)
{
    CU_TestInfo reading[] = {
        {"presets fill every field", presets_fill_every_field},
        {"parameters are found by their whole name",
         parameters_are_found_by_their_whole_name},
        {"reals are decimal numbers", reals_are_decimal_numbers},
        {"what is no number is refused", what_is_no_number_is_refused},
        {"shares are fractions or percentages",
         shares_are_fractions_or_percentages},
        {"counts are whole and may be large",
         counts_are_whole_and_may_be_large},
        {"durations carry their unit", durations_carry_their_unit},
        {"durations without sense are refused",
         durations_without_sense_are_refused},
        {"switches know four words each", switches_know_four_words_each},
        {"choices are whole words", choices_are_whole_words},
        {"texts are borrowed as they stand", texts_are_borrowed_as_they_stand},
        {"numbers without preset may be off",
         numbers_without_preset_may_be_off},
        {"every preset of every policy is in range",
         every_preset_of_every_policy_is_in_range},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo writing[] = {
        {"messages say what is expected and found",
         messages_say_what_is_expected_and_found},
        {"ranges may have no end", ranges_may_have_no_end},
        {"messages fit their room", messages_fit_their_room},
        {"values are written as users write them",
         values_are_written_as_users_write_them},
        {"what is written reads back", what_is_written_reads_back},
        {"long values are cut to the room", long_values_are_cut_to_the_room},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("params", NULL, NULL, presets, NULL, reading),
        SUITE("params as text", NULL, NULL, presets, NULL, writing),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
