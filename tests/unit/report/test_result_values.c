/* values.csv as csv_write_values() makes it, and as somebody may leave it. */
#include "sim/report/result_values.h"
#include "tests/check.h"

#include <stdlib.h>
#include <unistd.h>

static char folder[] = "/tmp/lbsim-values-XXXXXX";
static char file[60];
static struct result_values values;
static char reason[400];

static void begin(void)
{
    memcpy(folder + sizeof folder - 7, "XXXXXX", 6);
    CU_ASSERT_FATAL(mkdtemp(folder) != NULL);
    snprintf(file, sizeof file, "%s/values.csv", folder);
}

static void end(void)
{
    result_values_done(&values);
    unlink(file);
    rmdir(folder);
}

#define HEAD                                                    \
    "# lbsim 0.1.0\n# scenario: demo (hash 0123)\n# seed: 42\n" \
    "# replications: 3\n# objective: latency_all_p99_s\n"       \
    "# confidence: 0.9\n# min_effect: 0.02\n"                   \
    "policy,replication,latency_all_p99_s,success_ratio,infinite\n"

static enum result_values_status load(const char *text)
{
    FILE *out = fopen(file, "w");

    result_values_done(&values);

    CU_ASSERT_FATAL(out != NULL);
    fputs(text, out);
    fclose(out);
    return result_values_load(folder, &values, reason, sizeof reason);
}

static void head_says_how_to_judge(void)
{
    CHECK_INT(load(HEAD "a,1,2,1,\n"), RESULT_VALUES_OK);
    CHECK_TEXT(values.scenario, "demo (hash 0123)");
    CHECK_TEXT(values.version, "0.1.0");
    CHECK_TEXT(values.partial, "");
    CHECK_UINT(values.seed, 42);
    CHECK_INT(values.objective, M_LATENCY_ALL_P99);
    CHECK_NEAR(values.confidence, 0.9, 0);
    CHECK_NEAR(values.min_effect, 0.02, 0);
    CHECK_UINT(values.most, 1);
}

/* Replications of a partial result have holes; what stands in no cell is
   infinite only where the last column says so. */
static void values_stand_at_their_replication(void)
{
    double p99[4], success[4];

    CHECK_INT(load(HEAD "a,1,2.5,1,\n"
                        "\"b, c\",1,,0.9,latency_all_p99_s\n"
                        "a,4,3.5,,\n"),
              RESULT_VALUES_OK);
    CHECK_UINT(values.most, 4);
    CHECK_UINT(values.policies.count, 2);
    CHECK_TEXT(values.policies.at[1], "b, c");

    CHECK(result_values_of(&values, "a", M_LATENCY_ALL_P99, p99, 4));
    CHECK(result_values_of(&values, "a", M_SUCCESS, success, 4));
    CHECK_NEAR(p99[0], 2.5, 0);
    CHECK(isnan(p99[1]) && isnan(p99[2]));
    CHECK_NEAR(p99[3], 3.5, 0);
    CHECK_NEAR(success[0], 1, 0);
    CHECK(isnan(success[3]));

    CHECK(result_values_of(&values, "b, c", M_LATENCY_ALL_P99, p99, 4));
    CHECK(isinf(p99[0]));
    CHECK(isnan(p99[1]));
    CHECK(!result_values_of(&values, "a", M_COST, p99, 4));
    CHECK(!result_values_of(&values, "d", M_SUCCESS, p99, 4));
}

/* latency_p99_s is the end of no other name, but a part of one. */
static void infinite_is_a_whole_name(void)
{
    double p99[1];

    CHECK_INT(load("# objective: latency_p99_s\n# confidence: 0.95\n"
                   "# min_effect: 0\n"
                   "policy,replication,latency_all_p99_s,latency_p99_s,infinite"
                   "\na,1,,,held_p99_s latency_p99_s\n"),
              RESULT_VALUES_OK);
    CHECK(result_values_of(&values, "a", M_LATENCY_P99, p99, 1));
    CHECK(isinf(p99[0]));
    CHECK(result_values_of(&values, "a", M_LATENCY_ALL_P99, p99, 1));
    CHECK(isnan(p99[0]));
}

static void what_is_no_result_is_refused(void)
{
    CHECK_INT(result_values_load("nowhere", &values, reason, sizeof reason),
              RESULT_VALUES_BAD);
    CHECK(strstr(reason, "'nowhere' is no result folder") != NULL);
    CHECK_INT(load(""), RESULT_VALUES_BAD);
    CHECK(strstr(reason, "lacks an objective") != NULL);
    CHECK_INT(load("# objective: speed\n# confidence: 0.9\n# min_effect: 0\n"),
              RESULT_VALUES_BAD);
    CHECK_INT(load("# objective: cost\n# confidence: 7\n# min_effect: 0\n"),
              RESULT_VALUES_BAD);
    CHECK_INT(load(HEAD "a,none,2,1,\n"), RESULT_VALUES_BAD);
    CHECK(strstr(reason, "without the number of its replication") != NULL);
    CHECK_INT(load(HEAD "a,99999999999,2,1,\n"), RESULT_VALUES_BAD);
}

/* A result without a whole replication has a head alone. */
static void result_may_be_empty(void)
{
    CHECK_INT(load(HEAD), RESULT_VALUES_OK);
    CHECK_UINT(values.policies.count, 0);
    CHECK_UINT(values.most, 0);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"the head says how to judge", head_says_how_to_judge},
        {"values stand at their replication",
         values_stand_at_their_replication},
        {"infinite is a whole name", infinite_is_a_whole_name},
        {"what is no result is refused", what_is_no_result_is_refused},
        {"a result may be empty", result_may_be_empty},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("result values", NULL, NULL, begin, end, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
