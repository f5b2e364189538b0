#include "workloads/empirical.h"

#include "workloads/dist.h"

#include "tests/check.h"
#include "tests/unit/workloads/ks.h"

#include <gsl/gsl_cdf.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const double weighed[] = {4, 1, 9, 1, 6};
static const double weights[] = {1, 2, 0, 1, 4};

/* By hand: 1 of weight 3, 4 of weight 1, 6 of weight 4; 9 is never drawn. */
static void values_are_drawn_by_weight(void)
{
    enum { DRAWS = 200000 };
    struct empirical *table = empirical_create(weighed, weights, 5, false);
    double counts[10] = {0}, expected[10] = {[1] = 3, [4] = 1, [6] = 4};
    double chi_square = 0;
    struct rng rng;

    rng_seed(&rng, 11, 1);
    for (int i = 0; i < DRAWS; i++) {
        double drawn = empirical_draw(table, &rng);

        CHECK(drawn == 1 || drawn == 4 || drawn == 6);
        counts[(int)drawn]++;
    }
    for (int i = 0; i < 10; i++)
        if (expected[i] > 0) {
            double mean = expected[i] / 8 * DRAWS;

            chi_square += (counts[i] - mean) * (counts[i] - mean) / mean;
        }
    CHECK(gsl_cdf_chisq_Q(chi_square, 2) > 0.001);
    CHECK_NEAR(empirical_mean(table), (3 * 1 + 4 + 4 * 6) / 8.0, 1e-15);
    empirical_destroy(table);
}

static void quantiles_are_of_the_values(void)
{
    struct empirical *table = empirical_create(weighed, weights, 5, false);

    CHECK_NEAR(empirical_quantile(table, 0), 1, 0);
    CHECK_NEAR(empirical_quantile(table, 0.37), 1, 0);
    CHECK_NEAR(empirical_quantile(table, 0.38), 4, 0);
    CHECK_NEAR(empirical_quantile(table, 0.51), 6, 0);
    CHECK_NEAR(empirical_quantile(table, 1), 6, 0);
    /* min(draw, 5): (3 * 1 + 4 + 4 * 5) / 8 */
    CHECK_NEAR(empirical_limited_mean(table, 5), 27.0 / 8, 1e-15);
    CHECK_NEAR(empirical_limited_mean(table, 0.5), 0.5, 1e-15);
    empirical_destroy(table);
}

/* Of 0, 10, 20, 40: type 7 of Hyndman and Fan 1996, as R's quantile() and
   numpy's percentile() give it: at 0.5 it is 15, at 0.9 it is 34. */
static void interpolation_is_type_7(void)
{
    static const double values[] = {40, 0, 20, 10};
    struct empirical *table = empirical_create(values, NULL, 4, true);

    CHECK_NEAR(empirical_quantile(table, 0), 0, 0);
    CHECK_NEAR(empirical_quantile(table, 0.5), 15, 1e-14);
    CHECK_NEAR(empirical_quantile(table, 0.9), 34, 1e-13);
    CHECK_NEAR(empirical_quantile(table, 1), 40, 0);
    /* (5 + 15 + 30) / 3; below 30: (5 + 15 + (20 + 30) / 4 + 15) / 3 */
    CHECK_NEAR(empirical_mean(table), 50.0 / 3, 1e-14);
    CHECK_NEAR(empirical_limited_mean(table, 30), 47.5 / 3, 1e-14);
    empirical_destroy(table);
}

static double between_below(double x, const void *context)
{
    (void)context;
    return x < 10   ? x / 30
           : x < 20 ? 1.0 / 3 + (x - 10) / 30
                    : 2.0 / 3 + (x - 20) / 60;
}

static void interpolated_draws_follow_their_law(void)
{
    enum { DRAWS = 200000 };
    static const double values[] = {0, 10, 20, 40};
    static double sample[DRAWS];
    struct empirical *table = empirical_create(values, NULL, 4, true);
    struct rng rng;

    rng_seed(&rng, 12, 1);
    for (int i = 0; i < DRAWS; i++)
        sample[i] = empirical_draw(table, &rng);
    CHECK_NEAR(ks_distance(sample, DRAWS, between_below, NULL), 0, KS_LIMIT);
    empirical_destroy(table);
}

static void one_value_is_constant(void)
{
    static const double value[] = {7};
    struct empirical *table = empirical_create(value, NULL, 1, true);

    CHECK_NEAR(empirical_quantile(table, 0.3), 7, 0);
    CHECK_NEAR(empirical_mean(table), 7, 0);
    empirical_destroy(table);
}

/* In milliseconds, with bounds: the law as dist draws it. */
static void dist_scales_and_bounds_it(void)
{
    struct empirical *table = empirical_create(weighed, weights, 5, false);
    struct dist_params params = DIST_PARAMS_NONE;
    struct dist dist;
    struct rng rng;

    params.kind = DIST_EMPIRICAL;
    params.table = table;
    params.scale = 0.001;
    params.at_most = 0.005;
    CHECK(dist_init(&dist, &params, NULL, 0));
    CHECK_NEAR(dist.mean, 0.031 / 8, 1e-17);
    CHECK_NEAR(dist_effective_mean(&dist), 0.027 / 8, 1e-17);
    rng_seed(&rng, 1, 1);
    for (int i = 0; i < 1000; i++) {
        double drawn = dist_draw(&dist, &rng);

        CHECK(drawn == 0.001 * 1 || drawn == 0.001 * 4 || drawn == 0.005);
    }
    CHECK(dist_scale_to_mean_1(&dist));
    CHECK_NEAR(dist_effective_mean(&dist), 27.0 / 31, 1e-15);
    empirical_destroy(table);
}

/* --- files --------------------------------------------------------------- */

static char path[] = "/tmp/lbsim-empirical-XXXXXX";

static void write_file(const char *text)
{
    int file;

    strcpy(path + sizeof path - 7, "XXXXXX");
    file = mkstemp(path);
    CHECK(file >= 0);
    CHECK(write(file, text, strlen(text)) == (ssize_t)strlen(text));
    close(file);
}

static struct empirical *read_text(const char *text,
                                   const struct empirical_spec *spec,
                                   struct diag *diag)
{
    struct empirical *table;

    write_file(text);
    table = empirical_read(path, spec, diag);
    unlink(path);
    return table;
}

static void check_mean(const char *text, struct empirical_spec spec,
                       double mean)
{
    struct diag diag = {0};
    struct empirical *table = read_text(text, &spec, &diag);

    CHECK_TEXT(diag.text ? diag.text : "", "");
    CHECK(table != NULL);
    if (table)
        CHECK_NEAR(empirical_mean(table), mean, 1e-12 * mean);
    empirical_destroy(table);
    diag_done(&diag);
}

static void files_are_read_in_both_shapes(void)
{
    struct empirical_spec plain = {0};
    struct empirical_spec named = {.column = "tokens"};
    struct empirical_spec counted = {.column = "tokens", .weights = "count"};

    check_mean("1\n2\n6\n", plain, 3);
    check_mean("# a comment\r\n1\r\n\r\n 2.5e0 \r\n5.5", plain, 3);
    check_mean("tokens\n10\n20\n", plain, 15);
    check_mean("tokens\n10\n20\n", named, 15);
    check_mean("id,tokens,count\na,10,3\nb,\"20\",1\n", named, 15);
    check_mean("id,tokens,count\na,10,3\nb,\"20\",1\n", counted, 12.5);
}

/* The complaint without the temporary file's name. */
static void check_complaint(const char *text, struct empirical_spec spec,
                            const char *expected)
{
    struct diag diag = {0};

    CHECK(read_text(text, &spec, &diag) == NULL);
    CHECK_INT(diag.errors, 1);
    CHECK_TEXT(diag.text ? diag.text + strlen(path) : "", expected);
    diag_done(&diag);
}

static void broken_files_are_shown(void)
{
    struct empirical_spec plain = {0};
    struct empirical_spec named = {.column = "tokens"};
    struct empirical_spec counted = {.column = "tokens", .weights = "count"};

    check_complaint("", plain, ": error: has no values\n");
    check_complaint("tokens\n", plain, ": error: has no values\n");
    check_complaint("1\n-2\n", plain,
                    ":2:1: error: expected a number of 0 to 1e+15, got '-2'\n"
                    "    2 | -2\n"
                    "      | ^~\n");
    check_complaint("1\nnan\n", plain,
                    ":2:1: error: expected a number of 0 to 1e+15, got 'nan'\n"
                    "    2 | nan\n"
                    "      | ^~~\n");
    check_complaint("a,b\n1,2\n", plain,
                    ":1:1: error: the file has 2 columns, which of them holds "
                    "the values?\n"
                    "    1 | a,b\n"
                    "      | ^\n"
                    "  hint: name one in 'column', by the header\n");
    check_complaint("a,b\n1,2\n", named,
                    ":1:1: error: the header has no column 'tokens'\n"
                    "    1 | a,b\n"
                    "      | ^\n"
                    "  hint: it has a, b\n");
    check_complaint("tokens,count\n1,0\n2,0\n", counted,
                    ": error: the weights are all 0: nothing can be drawn\n");
    check_complaint("tokens,count\n1\n", counted,
                    ":2:2: error: the row has 1 field, expected a number in "
                    "field 2\n"
                    "    2 | 1\n"
                    "      |  ^\n");
}

static void missing_file_is_told(void)
{
    struct empirical_spec plain = {0};
    struct diag diag = {0};

    CHECK(empirical_read("/nonexistent/values", &plain, &diag) == NULL);
    CHECK_INT(diag.errors, 1);
    diag_done(&diag);
}

int main(int argc, char **argv)
{
    CU_TestInfo draws[] = {
        {"values are drawn by weight", values_are_drawn_by_weight},
        {"quantiles are of the values", quantiles_are_of_the_values},
        {"interpolation is type 7", interpolation_is_type_7},
        {"interpolated draws follow their law",
         interpolated_draws_follow_their_law},
        {"one value is constant", one_value_is_constant},
        {"dist scales and bounds it", dist_scales_and_bounds_it},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo files[] = {
        {"files are read in both shapes", files_are_read_in_both_shapes},
        {"broken files are shown", broken_files_are_shown},
        {"missing file is told", missing_file_is_told},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("empirical_draws", NULL, NULL, NULL, NULL, draws),
        SUITE("empirical_files", NULL, NULL, NULL, NULL, files),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
