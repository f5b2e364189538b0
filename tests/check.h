/*
 * Checks that show the values on failure. CUnit's own assertions print only
 * the source text, which says that something differs but not what it was.
 *
 * A test program ends with
 *
 *     int main(int argc, char **argv)
 *     {
 *         CU_TestInfo tests[] = {
 *             {"takes nodes in turn", takes_nodes_in_turn},
 *             CU_TEST_INFO_NULL,
 *         };
 *         CU_SuiteInfo suites[] = {
 *             SUITE("round_robin", NULL, NULL, setup, teardown, tests),
 *             CU_SUITE_INFO_NULL,
 *         };
 *         return check_main(argc, argv, suites);
 *     }
 *
 * The build reads the SUITE lines and makes one CTest entry of each; the
 * program runs the suite named by its argument, or all of them without one.
 */
#ifndef TESTS_CHECK_H
#define TESTS_CHECK_H

#include <CUnit/Basic.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define SUITE(name, init, done, setup, teardown, tests) \
    {                                                   \
        name, init, done, setup, teardown, tests        \
    }

#define CHECK(condition)                                                 \
    CU_assertImplementation((condition), __LINE__, #condition, __FILE__, \
                            __func__, CU_FALSE)

#define CHECK_UINT(actual, expected) \
    check_uint(#actual, (actual), (expected), __LINE__, __FILE__, __func__)

#define CHECK_INT(actual, expected) \
    check_int(#actual, (actual), (expected), __LINE__, __FILE__, __func__)

/* |actual - expected| <= tolerance, an absolute distance; NaN fails. */
#define CHECK_NEAR(actual, expected, tolerance)                                \
    check_near(#actual, (actual), (expected), (tolerance), __LINE__, __FILE__, \
               __func__)

/* Equal as C strings; NULL differs from every text. */
#define CHECK_TEXT(actual, expected) \
    check_text(#actual, (actual), (expected), __LINE__, __FILE__, __func__)

static inline void check_uint(const char *what, uint64_t actual,
                              uint64_t expected, unsigned line,
                              const char *file, const char *function)
{
    char text[240];

    snprintf(text, sizeof text, "%s is %" PRIu64 ", expected %" PRIu64, what,
             actual, expected);
    CU_assertImplementation(actual == expected, line, text, file, function,
                            CU_FALSE);
}

static inline void check_int(const char *what, int64_t actual, int64_t expected,
                             unsigned line, const char *file,
                             const char *function)
{
    char text[240];

    snprintf(text, sizeof text, "%s is %" PRId64 ", expected %" PRId64, what,
             actual, expected);
    CU_assertImplementation(actual == expected, line, text, file, function,
                            CU_FALSE);
}

static inline void check_near(const char *what, double actual, double expected,
                              double tolerance, unsigned line, const char *file,
                              const char *function)
{
    char text[240];

    snprintf(text, sizeof text, "%s is %.12g, expected %.12g +- %.3g", what,
             actual, expected, tolerance);
    CU_assertImplementation(fabs(actual - expected) <= tolerance, line, text,
                            file, function, CU_FALSE);
}

static inline void check_text(const char *what, const char *actual,
                              const char *expected, unsigned line,
                              const char *file, const char *function)
{
    char text[1200];

    snprintf(text, sizeof text, "%s is\n<<%.500s>>\nexpected\n<<%.500s>>", what,
             actual ? actual : "(null)", expected ? expected : "(null)");
    CU_assertImplementation(actual && expected && strcmp(actual, expected) == 0,
                            line, text, file, function, CU_FALSE);
}

/* Runs the suite named by argv[1], or all; returns main()'s exit status. */
static inline int check_main(int argc, char **argv, CU_SuiteInfo *suites)
{
    unsigned failures = 1;
    CU_SuiteInfo chosen[2] = {CU_SUITE_INFO_NULL, CU_SUITE_INFO_NULL};

    if (argc > 1) {
        for (CU_SuiteInfo *suite = suites; suite->pName; suite++)
            if (strcmp(suite->pName, argv[1]) == 0)
                chosen[0] = *suite;
        if (!chosen[0].pName) {
            fprintf(stderr, "no suite '%s'\n", argv[1]);
            return 2;
        }
        suites = chosen;
    }
    if (CU_initialize_registry() == CUE_SUCCESS &&
        CU_register_suites(suites) == CUE_SUCCESS) {
        CU_basic_set_mode(CU_BRM_NORMAL);
        CU_basic_run_tests();
        failures = CU_get_number_of_failures() +
                   CU_get_number_of_suites_failed() +
                   (CU_get_number_of_tests_run() == 0);
    }
    CU_cleanup_registry();
    return failures == 0 ? 0 : 1;
}

#endif
