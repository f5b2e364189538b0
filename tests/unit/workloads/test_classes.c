/*
 * Classes of requests: how often each comes, what it draws from, and what does
 * not change when there are classes.
 */
#include "workloads/workload.h"

#include "tests/check.h"

#include <stdlib.h>

enum { SECOND = 1000000000, REQUESTS = 40000 };

static struct dist constant(double value)
{
    struct dist dist;
    struct dist_params params = DIST_PARAMS_NONE;

    params.kind = DIST_CONSTANT;
    params.value = value;
    CHECK(dist_init(&dist, &params, NULL, 0));
    return dist;
}

static struct dist lognormal(double mean, double scv)
{
    struct dist dist;
    struct dist_params params = DIST_PARAMS_NONE;

    params.kind = DIST_LOGNORMAL;
    params.mean = mean;
    params.scv = scv;
    CHECK(dist_init(&dist, &params, NULL, 0));
    return dist;
}

static struct workload_spec traffic(const struct workload_class *classes,
                                    uint32_t count)
{
    return (struct workload_spec){
        .arrivals = {.process = ARRIVALS_POISSON, .rate_per_s = 1000, .cv = 1},
        .class_count = count,
        .classes = classes,
    };
}

static struct workload *open(const struct workload_spec *spec)
{
    struct workload *workload =
        workload_create(spec, (int64_t)1000 * SECOND, 42, 1);

    if (!workload)
        abort();
    return workload;
}

static struct workload_request next(struct workload *workload)
{
    struct workload_request request;

    CHECK(workload_next(workload, &request));
    return request;
}

/* Of 40,000 draws a share p has the standard deviation sqrt(p (1 - p) / n); the
   seed was fixed before looking, the limit is 4 of them. */
static void shares_are_those_of_the_scenario(void)
{
    static const struct workload_class classes[] = {
        {.name = "a", .share = 0.62},
        {.name = "never", .share = 0},
        {.name = "b", .share = 0.35},
        {.name = "c", .share = 0.03},
    };
    struct workload_spec spec = traffic(classes, 4);
    struct workload *workload = open(&spec);
    uint32_t counts[4] = {0};

    for (int i = 0; i < REQUESTS; i++)
        counts[next(workload).request_class]++;
    for (int c = 0; c < 4; c++) {
        double p = classes[c].share;

        CHECK_NEAR(counts[c] / (double)REQUESTS, p,
                   4 * sqrt(p * (1 - p) / REQUESTS) + 1e-12);
    }
    workload_destroy(workload);
}

/* Rounding may leave the sum of shares below 1, here by far, and the last class
   may have none: what is drawn beyond the sum goes to one that has. */
static void no_share_means_never(void)
{
    static const struct workload_class classes[] = {
        {.name = "half", .share = 0.5}, {.name = "none", .share = 0}};
    struct rng rng;

    rng_stream(&rng, 1, 1, RNG_CLASSES, 0);
    for (int i = 0; i < 1000; i++)
        CHECK_UINT(classes_draw(classes, 2, &rng), 0);
}

static void sizes_are_the_class_own_or_the_workload_s(void)
{
    const struct workload_class classes[] = {
        {.name = "own",
         .share = 0.5,
         .input_tokens = constant(11),
         .output_tokens = constant(12),
         .work = constant(13),
         .noise = constant(1)},
        {.name = "shared", .share = 0.5, .output_tokens = constant(22)},
    };
    struct workload_spec spec = traffic(classes, 2);
    struct workload *workload;

    spec.input_tokens = constant(101);
    spec.noise = lognormal(1, 2);
    workload = open(&spec);
    for (int i = 0; i < 200; i++) {
        struct workload_request request = next(workload);
        bool own = request.request_class == 0;

        CHECK_UINT(request.input_tokens, own ? 11 : 101);
        CHECK_UINT(request.output_tokens, own ? 12 : 22);
        CHECK(own ? request.work_s == 13 : request.work_s < 0);
        CHECK(own ? request.noise == 1 : request.noise != 1);
    }
    workload_destroy(workload);
}

/* Arrivals, keys and luck stay when requests are sorted into classes. */
static void classes_shift_nothing_else(void)
{
    static const struct workload_class classes[] = {
        {.name = "a", .share = 0.3}, {.name = "b", .share = 0.7}};
    struct workload_spec plain = traffic(NULL, 0);
    struct workload_spec sorted;
    struct keys_spec keys = {.kind = KEYS_ZIPF,
                             .exponent = 0.9,
                             .distinct = 50,
                             .repeat_share = 0.5};
    struct workload *one, *other;

    CHECK(keys_init(&plain.keys, &keys));
    plain.input_tokens = lognormal(100, 3);
    plain.noise = lognormal(1, 2);
    sorted = plain;
    sorted.classes = classes;
    sorted.class_count = 2;
    one = open(&plain);
    other = open(&sorted);
    for (int i = 0; i < 1000; i++) {
        struct workload_request a = next(one), b = next(other);

        CHECK_UINT(b.number, a.number);
        CHECK_INT(b.at_ns, a.at_ns);
        CHECK_UINT(b.key, a.key);
        CHECK_UINT(b.input_tokens, a.input_tokens);
        CHECK_NEAR(b.noise, a.noise, 0);
        CHECK_UINT(a.request_class, 0);
    }
    workload_destroy(one);
    workload_destroy(other);
    keys_done(&plain.keys);
}

/* What one class draws does not depend on the laws of the others. */
static void a_class_keeps_its_luck(void)
{
    struct workload_class classes[] = {
        {.name = "a", .share = 0.5, .input_tokens = lognormal(100, 3)},
        {.name = "b", .share = 0.5, .input_tokens = constant(7)},
    };
    struct workload_spec spec = traffic(classes, 2);
    uint32_t first[500];
    struct workload *workload = open(&spec);

    for (int i = 0; i < 500; i++) {
        struct workload_request request = next(workload);

        first[i] = request.request_class == 0 ? request.input_tokens : 0;
    }
    workload_destroy(workload);
    classes[1].input_tokens = lognormal(5000, 9);
    workload = open(&spec);
    for (int i = 0; i < 500; i++) {
        struct workload_request request = next(workload);

        CHECK_UINT(request.request_class == 0 ? request.input_tokens : 0,
                   first[i]);
    }
    workload_destroy(workload);
}

/* The same prompt is the same kind of question; new prompts are drawn by the
   shares. */
static void a_repeating_key_has_one_class(void)
{
    static const struct workload_class classes[] = {
        {.name = "a", .share = 0.5}, {.name = "b", .share = 0.5}};
    struct workload_spec spec = traffic(classes, 2);
    struct keys_spec keys = {.kind = KEYS_ZIPF,
                             .exponent = 0.5,
                             .distinct = 200,
                             .repeat_share = 0.6};
    struct workload *workload;
    uint32_t of_key[200], counts[2] = {0}, fresh[2] = {0}, known = 0;

    memset(of_key, 0xFF, sizeof of_key);
    CHECK(keys_init(&spec.keys, &keys));
    workload = open(&spec);
    for (int i = 0; i < 20000; i++) {
        struct workload_request request = next(workload);

        if (request.key >= 200) {
            fresh[request.request_class]++;
            continue;
        }
        if (of_key[request.key] == UINT32_MAX) {
            of_key[request.key] = request.request_class;
            counts[request.request_class]++;
            known++;
        }
        CHECK_UINT(request.request_class, of_key[request.key]);
    }
    CHECK_UINT(known, 200);
    CHECK_NEAR(counts[0], 100, 4 * sqrt(50.0)); /* of 200 fair coins */
    CHECK_NEAR(fresh[0] / (double)(fresh[0] + fresh[1]), 0.5,
               4 * sqrt(0.25 / 8000));
    workload_destroy(workload);
    keys_done(&spec.keys);
}

static void a_later_attempt_draws_by_its_class(void)
{
    const struct workload_class classes[] = {
        {.name = "calm", .share = 0.5, .noise = constant(1)},
        {.name = "wild", .share = 0.5},
    };
    struct workload_spec spec = traffic(classes, 2);
    struct workload *workload;

    spec.noise = lognormal(1, 2);
    spec.noise_per = WORKLOAD_NOISE_ATTEMPT;
    workload = open(&spec);
    CHECK_NEAR(workload_attempt_noise(workload, 3, 0, 0.25, 1), 1, 0);
    CHECK(workload_attempt_noise(workload, 3, 1, 0.25, 1) != 0.25);
    CHECK_NEAR(workload_attempt_noise(workload, 3, 0, 0.25, 0), 0.25, 0);
    workload_destroy(workload);
}

/* 0.25 x 100 + 0.75 x 20 = 40 tokens; 0.25 x 4 + 0.75 x 2 = 2.5 s. */
static void means_go_by_shares(void)
{
    const struct workload_class classes[] = {
        {.name = "a",
         .share = 0.25,
         .input_tokens = constant(100),
         .work = constant(4)},
        {.name = "b", .share = 0.75, .work = constant(2)},
        {.name = "endless",
         .share = 0,
         .work = {.kind = DIST_CONSTANT, .mean = INFINITY}},
    };
    struct workload_spec spec = traffic(classes, 3);
    struct workload_means means;

    spec.input_tokens = constant(20);
    workload_spec_means(&spec, INT64_MAX, &means);
    CHECK_NEAR(means.rate_per_s, 1000, 1e-9);
    CHECK_NEAR(means.input_tokens, 40, 1e-9);
    CHECK_NEAR(means.output_tokens, 0, 0);
    CHECK_NEAR(means.work_s, 2.5, 1e-12);
    CHECK_NEAR(means.noise, 1, 1e-12);
    workload_class_means(&spec, 0, INT64_MAX, &means);
    CHECK_NEAR(means.rate_per_s, 250, 1e-9);
    CHECK_NEAR(means.input_tokens, 100, 0);
    workload_class_means(&spec, 1, INT64_MAX, &means);
    CHECK_NEAR(means.input_tokens, 20, 0);
    CHECK_NEAR(means.work_s, 2, 0);
}

static void laws_are_found_class_by_class(void)
{
    const struct workload_class classes[] = {
        {.name = "a", .share = 0.5, .work = constant(4)},
        {.name = "b", .share = 0.5},
    };
    struct workload_spec spec = traffic(classes, 2);

    CHECK(workload_has_law(&spec, LAW_WORK));
    CHECK(!workload_all_have_law(&spec, LAW_WORK));
    CHECK(!workload_has_law(&spec, LAW_NOISE));
    spec.work = constant(1);
    CHECK(workload_all_have_law(&spec, LAW_WORK));
    CHECK_NEAR(workload_law(&spec, 0, LAW_WORK)->mean, 4, 0);
    CHECK_NEAR(workload_law(&spec, 1, LAW_WORK)->mean, 1, 0);
    spec.class_count = 0;
    CHECK_NEAR(workload_law(&spec, 0, LAW_WORK)->mean, 1, 0);
    CHECK(workload_all_have_law(&spec, LAW_WORK));
    CHECK(!workload_all_have_law(&spec, LAW_OUTPUT_TOKENS));
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"shares are those of the scenario", shares_are_those_of_the_scenario},
        {"no share means never", no_share_means_never},
        {"sizes are the class' own or the workload's",
         sizes_are_the_class_own_or_the_workload_s},
        {"classes shift nothing else", classes_shift_nothing_else},
        {"a class keeps its luck", a_class_keeps_its_luck},
        {"a repeating key has one class", a_repeating_key_has_one_class},
        {"a later attempt draws by its class",
         a_later_attempt_draws_by_its_class},
        {"means go by shares", means_go_by_shares},
        {"laws are found class by class", laws_are_found_class_by_class},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("classes", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };

    return check_main(argc, argv, suites);
}
