/* What newcomers write, and what they are told. */
#include "sim/scenario/hints.h"

#include "tests/check.h"

#include <string.h>

static char hint[200];

static bool knows(const char *block, const char *word)
{
    *hint = '\0';
    return hints_foreign_word(settings_find(block), word, strlen(word), hint,
                              sizeof hint);
}

static void words_of_other_programs_are_known(void)
{
    CHECK(knows("balancer.health", "rise"));
    CHECK_TEXT(hint, "HAProxy's 'rise' is 'healthy_after' here");
    CHECK(knows("balancer.retry", "num_retries"));
    CHECK_TEXT(hint, "Envoy's 'num_retries' is 'attempts' here, which counts "
                     "the first too");
    CHECK(knows("nodes[].autoscale", "maxReplicas"));
    CHECK_TEXT(hint, "Kubernetes's 'maxReplicas' is 'max' here");
}

static void other_words_are_not(void)
{
    CHECK(!knows("balancer.retry", "rise"));
    CHECK(!knows("balancer.health", "ris"));
    CHECK(!hints_foreign_word(NULL, "rise", 4, hint, sizeof hint));
    CHECK_TEXT(hint, "");
}

/* expected empty: there is no hint. */
static void check_bare(const char *block, const char *value,
                       const char *expected)
{
    *hint = '\0';
    CHECK(hints_bare_value(settings_find(block), value, strlen(value), hint,
                           sizeof hint) == (*expected != '\0'));
    CHECK_TEXT(hint, expected);
}

static void one_value_finds_its_place(void)
{
    check_bare("workload.arrivals", "5/s", "such as 'arrivals: {rate: 5/s}'");
    check_bare("workload.work", "100 ms",
               "such as 'work: {dist: constant, value: 100 ms}'");
    check_bare("workload.work", "exponential",
               "such as 'work: {dist: exponential}'");
    check_bare("balancer.retry", "3", "such as 'retry: {attempts: 3}'");
    check_bare("nodes[].autoscale", "8", "such as 'autoscale: {max: 8}'");
    check_bare("balancer.health", "tcp", "such as 'health: {probe: tcp}'");
    check_bare("balancer.timeout", "queue",
               "such as 'timeout: {cancel: queue}'");
    check_bare("balancer.timeout", "false", ""); /* not one of its own */
    check_bare("balancer.health", "true",
               "'health: {}' takes all its defaults");
}

static void what_fits_nowhere_has_no_hint(void)
{
    check_bare("balancer.caps", "high", "");
    check_bare("balancer.caps", "", "");
    check_bare("balancer.panic", "10 s", "");
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"words of other programs are known",
         words_of_other_programs_are_known},
        {"other words are not", other_words_are_not},
        {"one value finds its place", one_value_finds_its_place},
        {"what fits nowhere has no hint", what_fits_nowhere_has_no_hint},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("hints", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
