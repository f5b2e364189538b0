#include "sim/report/words.h"
#include "tests/check.h"

#include <math.h>

static char text[WORDS_SIZE];

static void values_have_their_unit(void)
{
    CHECK_TEXT(words_value(text, 4.651, UNIT_SECONDS), "4.65 s");
    CHECK_TEXT(words_value(text, 12.34, UNIT_PER_SECOND), "12.3/s");
    CHECK_TEXT(words_value(text, 0.3432, UNIT_RATIO), "34.3 %");
    CHECK_TEXT(words_value(text, 7, UNIT_COUNT), "7.00");
    CHECK_TEXT(words_value(text, NAN, UNIT_SECONDS), "-");
    CHECK_TEXT(words_value(text, INFINITY, UNIT_SECONDS), "infinite");
}

static void intervals_have_half_a_width(void)
{
    CHECK_TEXT(words_interval(text, 4.65, 4.05, 5.25, UNIT_SECONDS),
               "4.65 s +-0.60");
    CHECK_TEXT(words_interval(text, 4.65, NAN, NAN, UNIT_SECONDS), "4.65 s");
    CHECK_TEXT(words_interval(text, INFINITY, 1, 2, UNIT_SECONDS), "infinite");
    CHECK_TEXT(words_interval(text, NAN, NAN, NAN, UNIT_SECONDS), "-");
}

static void differences_have_a_sign(void)
{
    struct verdict verdict = {.difference = 2, .lo = 1.5, .hi = 2.5};

    CHECK_TEXT(words_difference(text, &verdict, UNIT_SECONDS),
               "+2.00 s +-0.50");
    verdict = (struct verdict){.difference = -2, .lo = NAN, .hi = NAN};
    CHECK_TEXT(words_difference(text, &verdict, UNIT_PER_SECOND), "-2.00/s");
}

static void verdicts_by_sign_count_the_pairs_that_decide(void)
{
    struct verdict verdict = {.kind = VERDICT_WORSE,
                              .by_sign = true,
                              .pairs = 10,
                              .better_pairs = 1,
                              .worse_pairs = 8};

    CHECK_TEXT(words_by_sign(text, &verdict), "worse in 8 of 10 pairs");
}

static void what_is_lacking_is_said_if_it_is_known(void)
{
    struct verdict verdict = {.reason = VERDICT_NOISE,
                              .replications_needed = 252};

    CHECK_TEXT(words_lack(text, &verdict), "about 252 replications would");
    verdict.replications_needed = 0;
    CHECK_TEXT(words_lack(text, &verdict), "");
    verdict.reason = VERDICT_ONE_PAIR;
    CHECK_TEXT(words_lack(text, &verdict), "one replication");
    verdict.reason = VERDICT_CLEAR;
    CHECK_TEXT(words_lack(text, &verdict), "");
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"values have their unit", values_have_their_unit},
        {"intervals have half a width", intervals_have_half_a_width},
        {"differences have a sign", differences_have_a_sign},
        {"verdicts by sign count the pairs that decide",
         verdicts_by_sign_count_the_pairs_that_decide},
        {"what is lacking is said if it is known",
         what_is_lacking_is_said_if_it_is_known},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("words", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
