#include "tests/unit/workloads/dist_laws.h"

struct complaint {
    struct dist_params params;
    const char *text;
};

static void check_complaints(const struct complaint *complaints, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct dist_params params = said(complaints[i].params);
        struct dist dist;
        char text[200] = "";

        CHECK(!dist_init(&dist, &params, text, sizeof text));
        CHECK_TEXT(text, complaints[i].text);
        CHECK(dist.kind == DIST_NONE);
    }
}

#define CHECK_COMPLAINTS(complaints) \
    check_complaints(complaints, sizeof(complaints) / sizeof *(complaints))

static void missing_parameters_are_named(void)
{
    static const struct complaint complaints[] = {
        {{.kind = DIST_CONSTANT}, "'constant' needs 'value'"},
        {{DIST_UNIFORM, .min = 1}, "'uniform' needs 'min' and 'max'"},
        {{.kind = DIST_EXPONENTIAL}, "'exponential' needs 'mean'"},
        {{DIST_LOGNORMAL, .median = 1},
         "'lognormal' needs 'median' or 'mean', and 'sigma', 'p99' or 'scv'"},
        {{DIST_LOGNORMAL, .sigma = 1},
         "'lognormal' needs 'median' or 'mean', and 'sigma', 'p99' or 'scv'"},
        {{DIST_PARETO, .shape = 2},
         "'pareto' needs 'shape', and 'mean' or 'min'"},
        {{DIST_BOUNDED_PARETO, .shape = 2, .max = 5},
         "'bounded_pareto' needs 'shape', and 'min' and 'max' or 'mean' and "
         "'ratio'"},
        {{DIST_HYPEREXPONENTIAL, .mean = 1},
         "'hyperexponential' needs 'mean' and 'scv'"},
        {{.kind = DIST_GEOMETRIC}, "'geometric' needs 'mean'"},
        {{DIST_WEIBULL, .shape = 2},
         "'weibull' needs 'shape', and 'mean' or 'scale'"},
        {{DIST_GAMMA, .mean = 2},
         "'gamma' needs 'mean', and 'shape' or 'scv'; or 'shape' and "
         "'scale'"},
        {{.kind = DIST_EMPIRICAL}, "'empirical' needs a file of values"},
    };

    CHECK_COMPLAINTS(complaints);
}

static void foreign_and_double_parameters_are_named(void)
{
    static const struct complaint complaints[] = {
        {{DIST_EXPONENTIAL, .mean = 1, .sigma = 2},
         "'exponential' takes no 'sigma'; it needs 'mean'"},
        {{DIST_CONSTANT, .mean = 1},
         "'constant' takes no 'mean'; it needs 'value'"},
        {{DIST_LOGNORMAL, .mean = 1, .median = 1, .sigma = 1},
         "'lognormal' takes 'mean' or 'median', not both; it needs 'median' or "
         "'mean', and 'sigma', 'p99' or 'scv'"},
        {{DIST_LOGNORMAL, .mean = 1, .p99 = 3},
         "'lognormal' takes 'mean' or 'p99', not both; it needs 'median' or "
         "'mean', and 'sigma', 'p99' or 'scv'"},
        {{DIST_LOGNORMAL, .median = 1, .p99 = 3, .sigma = 1},
         "'lognormal' takes 'p99' or 'sigma', not both; it needs 'median' or "
         "'mean', and 'sigma', 'p99' or 'scv'"},
        {{DIST_PARETO, .shape = 2, .mean = 1, .min = 1},
         "'pareto' takes 'mean' or 'min', not both; it needs 'shape', and "
         "'mean' or 'min'"},
        {{DIST_BOUNDED_PARETO, .shape = 2, .min = 1, .ratio = 3},
         "'bounded_pareto' takes 'min' or 'ratio', not both; it needs 'shape', "
         "and 'min' and 'max' or 'mean' and 'ratio'"},
        {{DIST_WEIBULL, .shape = 2, .mean = 1, .scale = 1},
         "'weibull' takes 'mean' or 'scale', not both; it needs 'shape', and "
         "'mean' or 'scale'"},
        {{DIST_GAMMA, .mean = 1, .shape = 1, .scv = 1},
         "'gamma' takes 'scv' or 'shape', not both; it needs 'mean', and "
         "'shape' or 'scv'; or 'shape' and 'scale'"},
        {{DIST_EMPIRICAL, .mean = 1},
         "'empirical' takes no 'mean'; it needs nothing but 'scale' beside its "
         "file"},
    };

    CHECK_COMPLAINTS(complaints);
}

static void numbers_out_of_range_are_shown(void)
{
    static const struct complaint complaints[] = {
        {{DIST_EXPONENTIAL, .mean = -1}, "'mean' must be more than 0, got -1"},
        {{DIST_EXPONENTIAL, .mean = INFINITY},
         "'mean' must be at most 1e+15, got inf"},
        {{DIST_EXPONENTIAL, .mean = 1e-16},
         "'mean' must be 1e-15 or more, got 1e-16"},
        {{DIST_CONSTANT, .value = -3}, "'value' must be 0 or more, got -3"},
        {{DIST_LOGNORMAL, .median = 1, .sigma = 31},
         "'sigma' must be at most 30, got 31"},
        {{DIST_PARETO, .shape = 0.001, .min = 1},
         "'shape' must be 0.01 or more, got 0.001"},
        {{DIST_BOUNDED_PARETO, .shape = 2, .mean = 1, .ratio = 1},
         "'ratio' must be more than 1, got 1"},
        {{DIST_WEIBULL, .shape = 1, .scale = 1e-16},
         "'scale' must be 1e-15 or more, got 1e-16"},
        {{DIST_EXPONENTIAL, .mean = 1, .at_least = -1},
         "'at_least' must be 0 or more, got -1"},
        {{DIST_EXPONENTIAL, .mean = 1, .at_most = -1},
         "'at_most' must be 0 or more, got -1"},
        {{DIST_EXPONENTIAL, .mean = 1, .at_least = 3, .at_most = 2},
         "'at_most' must not be below 'at_least' = 3, got 2"},
    };

    CHECK_COMPLAINTS(complaints);
}

static void numbers_that_do_not_agree_are_shown(void)
{
    static const struct complaint complaints[] = {
        {{DIST_UNIFORM, .min = 2, .max = 1},
         "'max' must not be below 'min' = 2, got 1"},
        {{DIST_LOGNORMAL, .median = 5, .p99 = 4},
         "'p99' must not be below 'median' = 5, got 4"},
        {{DIST_PARETO, .shape = 0.9, .mean = 1},
         "'pareto' has a mean only for a 'shape' above 1, got 0.9; give 'min'"},
        {{DIST_BOUNDED_PARETO, .shape = 2, .min = 3, .max = 3},
         "'max' must be above 'min' = 3, got 3"},
        {{DIST_HYPEREXPONENTIAL, .mean = 1, .scv = 0.5},
         "'scv' of 'hyperexponential' must be 1 or more, got 0.5"},
        {{DIST_GEOMETRIC, .mean = 0.5},
         "'mean' of 'geometric' must be 1 or more, got 0.5"},
    };

    CHECK_COMPLAINTS(complaints);
}

static void gamma_needs_some_variation(void)
{
    struct dist_params params = DIST_PARAMS_NONE;
    char text[200];

    params.kind = DIST_GAMMA;
    params.mean = 1;
    params.scv = 0;
    CHECK(!dist_params_check(&params, text, sizeof text));
    CHECK_TEXT(text, "'scv' of 'gamma' must be more than 0, got 0");
}

/* A least of 0 cannot be told from unsaid in the table above. */
static void paretos_need_a_least_above_0(void)
{
    struct dist_params params = DIST_PARAMS_NONE;
    char text[200];

    params.kind = DIST_PARETO;
    params.shape = 2;
    params.min = 0;
    CHECK(!dist_params_check(&params, text, sizeof text));
    CHECK_TEXT(text, "'min' must be more than 0, got 0");
    params.kind = DIST_BOUNDED_PARETO;
    params.max = 2;
    CHECK(!dist_params_check(&params, text, sizeof text));
    CHECK_TEXT(text, "'min' must be more than 0, got 0");
}

static void complaints_fit_their_room(void)
{
    struct dist_params params =
        said((struct dist_params){.kind = DIST_EXPONENTIAL});
    struct dist dist;
    char text[8] = "";

    CHECK(!dist_init(&dist, &params, text, sizeof text));
    CHECK_TEXT(text, "'expone");
    CHECK(!dist_init(&dist, &params, NULL, 0));
}

static void names_are_those_users_write(void)
{
    CHECK_TEXT(dist_names[DIST_NONE], "none");
    CHECK_TEXT(dist_names[DIST_BOUNDED_PARETO], "bounded_pareto");
    CHECK_TEXT(dist_names[DIST_GEOMETRIC], "geometric");
    CHECK_TEXT(dist_names[DIST_EMPIRICAL], "empirical");
}

int main(int argc, char **argv)
{
    CU_TestInfo complaints[] = {
        {"missing parameters are named", missing_parameters_are_named},
        {"foreign and double parameters are named",
         foreign_and_double_parameters_are_named},
        {"numbers out of range are shown", numbers_out_of_range_are_shown},
        {"numbers that do not agree are shown",
         numbers_that_do_not_agree_are_shown},
        {"paretos need a least above 0", paretos_need_a_least_above_0},
        {"gamma needs some variation", gamma_needs_some_variation},
        {"complaints fit their room", complaints_fit_their_room},
        {"names are those users write", names_are_those_users_write},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("dist_complaints", NULL, NULL, NULL, NULL, complaints),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
