#include "tests/unit/workloads/workload_world.h"

#include <gsl/gsl_cdf.h>

static void same_seed_gives_the_same_requests(void)
{
    struct workload_spec spec = everything();
    size_t count, again;
    struct workload_request *a = requests_of(&spec, 42, 1, &count);
    struct workload_request *b = requests_of(&spec, 42, 1, &again);

    CHECK_UINT(again, count);
    CHECK(count > 3000);
    for (size_t i = 0; i < count && i < again; i++)
        CHECK(same(&a[i], &b[i]));
    free(a);
    free(b);
}

static void seed_and_replication_change_everything(void)
{
    static const uint64_t others[][2] = {{43, 1}, {42, 2}};
    struct workload_spec spec = everything();
    size_t count, other_count;
    struct workload_request *a = requests_of(&spec, 42, 1, &count);

    for (size_t j = 0; j < 2; j++) {
        struct workload_request *b =
            requests_of(&spec, others[j][0], others[j][1], &other_count);
        size_t equal = 0;

        for (size_t i = 0; i < count && i < other_count; i++)
            equal += a[i].at_ns == b[i].at_ns || a[i].work_s == b[i].work_s ||
                     a[i].noise == b[i].noise;
        CHECK_UINT(equal, 0);
        free(b);
    }
    free(a);
}

static void requests_come_in_order_before_the_end(void)
{
    struct workload_spec spec = everything();
    size_t count;
    struct workload_request *requests = requests_of(&spec, 42, 1, &count);

    for (size_t i = 0; i < count; i++) {
        CHECK_UINT(requests[i].number, i);
        CHECK(requests[i].at_ns < 60LL * SECOND);
        CHECK(i == 0 || requests[i].at_ns >= requests[i - 1].at_ns);
    }
    free(requests);
}

/* Adding a concern must not move another: without keys and noise the arrivals
   and the sizes of what does not repeat are what they were. */
static void concerns_do_not_shift_each_other(void)
{
    struct workload_spec spec = everything(), fewer = everything();
    size_t count, fewer_count;

    fewer.keys = (struct keys){0};
    fewer.noise.kind = fewer.input_tokens.kind = DIST_NONE;

    struct workload_request *a = requests_of(&spec, 42, 1, &count);
    struct workload_request *b = requests_of(&fewer, 42, 1, &fewer_count);
    CHECK_UINT(fewer_count, count);
    for (size_t i = 0; i < count && i < fewer_count; i++) {
        CHECK_INT(b[i].at_ns, a[i].at_ns);
        CHECK_UINT(b[i].input_tokens, 0);
        CHECK_NEAR(b[i].noise, 1, 0);
        CHECK_UINT(b[i].key_hash, 0);
        if (!keys_repeats(&spec.keys, a[i].key)) {
            CHECK_UINT(b[i].output_tokens, a[i].output_tokens);
            CHECK_NEAR(b[i].work_s, a[i].work_s, 0);
        }
    }
    free(a);
    free(b);
}

/* Request 10's draws are piece 10 of each lane, whatever came before. */
static void request_draws_from_its_piece_of_each_lane(void)
{
    struct workload_spec spec = everything();
    struct rng rng;
    size_t count;

    spec.keys = (struct keys){0};

    struct workload_request *requests = requests_of(&spec, 42, 1, &count);
    for (uint64_t n = 0; n < 100; n++) {
        rng_stream(&rng, 42, 1, RNG_WORK, 0);
        rng_advance(&rng, n * RNG_LANE_STRIDE);
        CHECK_NEAR(requests[n].work_s, dist_draw(&spec.work, &rng), 0);
        rng_stream(&rng, 42, 1, RNG_NOISE, 0);
        rng_advance(&rng, n * RNG_LANE_STRIDE);
        CHECK_NEAR(requests[n].noise, dist_draw(&spec.noise, &rng), 0);
        rng_stream(&rng, 42, 1, RNG_INPUT_TOKENS, 0);
        rng_advance(&rng, n * RNG_LANE_STRIDE);
        CHECK_NEAR(requests[n].input_tokens,
                   fmax(1, round(dist_draw(&spec.input_tokens, &rng))), 0);
        rng_stream(&rng, 42, 1, RNG_OUTPUT_TOKENS, 0);
        rng_advance(&rng, n * RNG_LANE_STRIDE);
        CHECK_NEAR(requests[n].output_tokens,
                   fmax(1, round(dist_draw(&spec.output_tokens, &rng))), 0);
    }
    free(requests);
}

static int by_key(const void *a, const void *b)
{
    const struct workload_request *x = a, *y = b;

    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

static void same_question_has_the_same_sizes_but_its_own_noise(void)
{
    struct workload_spec spec = everything();
    size_t count, pairs = 0;
    struct workload_request *a = requests_of(&spec, 42, 1, &count);

    qsort(a, count, sizeof *a, by_key);
    for (size_t i = 1; i < count; i++) {
        if (a[i].key != a[i - 1].key)
            continue;
        pairs++;
        CHECK_UINT(a[i].input_tokens, a[i - 1].input_tokens);
        CHECK_UINT(a[i].output_tokens, a[i - 1].output_tokens);
        CHECK_NEAR(a[i].work_s, a[i - 1].work_s, 0);
        CHECK(a[i].noise != a[i - 1].noise);
        CHECK_UINT(a[i].key_hash, keys_hash(a[i].key));
    }
    CHECK(pairs > 500);
    free(a);
}

static void questions_differ_in_size(void)
{
    struct workload_spec spec = everything();
    size_t count, equal = 0, kinds = 0;

    spec.keys = zipf(0, 100, 1);
    struct workload_request *a = requests_of(&spec, 42, 1, &count);
    qsort(a, count, sizeof *a, by_key);
    for (size_t i = 1; i < count; i++)
        if (a[i].key != a[i - 1].key) {
            kinds++;
            equal += a[i].work_s == a[i - 1].work_s;
        }
    CHECK_UINT(kinds, 99);
    CHECK_UINT(equal, 0);
    free(a);
}

enum { RUNS = 10, RUN_S = 600, WARM_UP_S = 60, RUN_LIMIT = 40000 };

/*
 * Share of ideal hits among the requests from a start on, at 60/s of which
 * 35 % repeat. Question k comes in a Poisson stream of its own, of rate
 * r_k = 21 k^-0.9 / sum; its first asking falls within [start, end) with
 * chance exp(-r_k start) - exp(-r_k end).
 */
static double expected_ideal_hits(uint64_t distinct, double start_s)
{
    double total = 0, first = 0, asked = 21 * (RUN_S - start_s);

    for (uint64_t k = 1; k <= distinct; k++)
        total += pow((double)k, -0.9);
    for (uint64_t k = 1; k <= distinct; k++) {
        double rate = 21 * pow((double)k, -0.9) / total;

        first += exp(-rate * start_s) - exp(-rate * RUN_S);
    }
    return (asked - first) / (60 * (RUN_S - start_s));
}

struct tally {
    double requests, repeats, hits;
    double measured, measured_hits; /* after the warm-up */
};

/* Hits are counted a second time, by sorting the keys. */
static void count_run(const struct workload_spec *spec, uint64_t run,
                      struct tally *tally)
{
    struct workload *workload =
        workload_create(spec, RUN_S * (int64_t)SECOND, 42, run);
    const struct workload_books *books = workload_books(workload);
    struct workload_request *all = calloc(RUN_LIMIT, sizeof *all);
    size_t count = 0, said = 0, counted = 0;

    for (; count < RUN_LIMIT && workload_next(workload, &all[count]); count++) {
        bool hit = workload_last_was_ideal_hit(workload);
        bool measured = all[count].at_ns >= WARM_UP_S * (int64_t)SECOND;

        said += hit;
        tally->measured += measured;
        tally->measured_hits += measured && hit;
    }
    qsort(all, count, sizeof *all, by_key);
    for (size_t i = 1; i < count; i++)
        counted += all[i].key == all[i - 1].key;
    CHECK_UINT(books->ideal_hits, counted);
    CHECK_UINT(said, counted);
    tally->requests += (double)books->requests;
    tally->repeats += (double)books->repeats;
    tally->hits += (double)counted;
    free(all);
    workload_destroy(workload);
}

static void check_books(uint64_t distinct, double published_share)
{
    struct workload_spec spec = poisson(60);
    struct tally tally = {0};

    spec.keys = zipf(0.9, distinct, 0.35);
    for (uint64_t run = 1; run <= RUNS; run++)
        count_run(&spec, run, &tally);

    /* 360,000 requests: shares are known to 0.0008. */
    double allowed = KS_NORMAL_LIMIT * sqrt(0.25 / tally.measured);
    CHECK_NEAR(tally.repeats / tally.requests, 0.35, allowed);
    CHECK_NEAR(tally.hits / tally.requests, expected_ideal_hits(distinct, 0),
               allowed);
    CHECK_NEAR(tally.measured_hits / tally.measured,
               expected_ideal_hits(distinct, WARM_UP_S), allowed);
    CHECK_NEAR(tally.measured_hits / tally.measured, published_share,
               allowed + 0.0005); /* it has three digits */
}

/* 27.8 % and 18.9 % after a minute of warm-up come from an independent model
   of the same traffic. */
static void ideal_hits_are_those_of_one_endless_cache(void)
{
    check_books(5000, 0.278);
    check_books(50000, 0.189);
}

static void unique_keys_never_hit(void)
{
    struct workload_spec spec = poisson(100);
    struct keys_spec unique = {.kind = KEYS_UNIQUE};
    struct workload_request request;

    CHECK(keys_init(&spec.keys, &unique));
    struct workload *workload = workload_create(&spec, 10LL * SECOND, 42, 1);
    while (workload_next(workload, &request)) {
        CHECK_UINT(request.key_hash, keys_hash(request.number));
        CHECK(!workload_last_was_ideal_hit(workload));
    }
    CHECK(workload_books(workload)->requests > 500);
    CHECK_UINT(workload_books(workload)->repeats, 0);
    CHECK_UINT(workload_books(workload)->ideal_hits, 0);
    workload_destroy(workload);
}

static struct workload_request first_request(const struct workload_spec *spec)
{
    struct workload *workload = workload_create(spec, INT64_MAX, 42, 2);
    struct workload_request request = {0};

    CHECK(workload_next(workload, &request));
    workload_destroy(workload);
    return request;
}

static void draws_are_rounded_to_counts(void)
{
    static const struct {
        double drawn;
        uint32_t tokens;
    } cases[] = {
        {0, 1},
        {0.4, 1},
        {1.4, 1},
        {1.5, 2},
        {99.7, 100},
        {4294967294, 4294967294},
        {5e9, UINT32_MAX},
        {1e15, UINT32_MAX},
    };
    struct workload_spec spec = poisson(1);

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        spec.input_tokens = spec.output_tokens = constant(cases[i].drawn);
        CHECK_UINT(first_request(&spec).input_tokens, cases[i].tokens);
        CHECK_UINT(first_request(&spec).output_tokens, cases[i].tokens);
    }
}

static void what_is_not_described_is_left_out(void)
{
    struct workload_spec spec = poisson(1);
    struct workload_request request = first_request(&spec);

    CHECK_UINT(request.input_tokens, 0);
    CHECK_UINT(request.output_tokens, 0);
    CHECK(request.work_s < 0);
    CHECK_NEAR(request.noise, 1, 0);
    CHECK_UINT(request.key_hash, 0);
    CHECK(request.key_text == NULL);
}

static void endless_work_is_cut(void)
{
    struct workload_spec spec = poisson(1);

    spec.work = constant(1e12);
    CHECK_NEAR(first_request(&spec).work_s, WORKLOAD_WORK_LIMIT_S, 0);
}

static void attempts_share_the_noise_of_their_request(void)
{
    struct workload_spec spec = everything();
    struct workload *workload = workload_create(&spec, SECOND, 42, 1);

    CHECK_NEAR(workload_attempt_noise(workload, 7, 0, 1.25, 0), 1.25, 0);
    CHECK_NEAR(workload_attempt_noise(workload, 7, 0, 1.25, 1), 1.25, 0);
    workload_destroy(workload);
}

static double lognormal_cdf(double x, const void *sigma)
{
    double s = *(const double *)sigma;

    return gsl_cdf_lognormal_P(x, -s * s / 2, s);
}

static void attempts_draw_noise_of_their_own(void)
{
    enum { ATTEMPTS = 20000 };
    static double noises[ATTEMPTS];
    struct workload_spec spec = everything();
    double sigma = sqrt(log(1.43)); /* scv 0.43 */

    spec.noise_per = WORKLOAD_NOISE_ATTEMPT;
    struct workload *workload = workload_create(&spec, SECOND, 42, 1);
    CHECK_NEAR(workload_attempt_noise(workload, 7, 0, 1.25, 0), 1.25, 0);
    for (uint32_t i = 0; i < ATTEMPTS; i++) {
        noises[i] = workload_attempt_noise(workload, i / 4, 0, 1.25, 1 + i % 4);
        CHECK_NEAR(workload_attempt_noise(workload, i / 4, 0, 3, 1 + i % 4),
                   noises[i], 0);
    }
    CHECK_NEAR(ks_distance(noises, ATTEMPTS, lognormal_cdf, &sigma), 0,
               KS_LIMIT);
    for (uint32_t i = 1; i < ATTEMPTS; i++) /* sorted by now */
        CHECK(noises[i] != noises[i - 1]);
    workload_destroy(workload);
}

static void no_noise_needs_no_draw(void)
{
    struct workload_spec spec = poisson(1);

    spec.noise_per = WORKLOAD_NOISE_ATTEMPT;
    struct workload *workload = workload_create(&spec, SECOND, 42, 1);
    CHECK_NEAR(workload_attempt_noise(workload, 7, 0, 1, 3), 1, 0);
    workload_destroy(workload);
}

static void means_of_traffic_are_known(void)
{
    struct workload_spec spec = everything();
    struct workload_means means;

    workload_spec_means(&spec, INT64_MAX, &means);
    CHECK_NEAR(means.rate_per_s, 60, 0);
    CHECK_NEAR(means.input_tokens, 1222, 1e-9);
    CHECK_NEAR(means.output_tokens, 174, 1e-9);
    CHECK_NEAR(means.work_s, 0.5, 1e-12);
    CHECK_NEAR(means.noise, 1, 1e-12);

    spec = poisson(5);
    workload_spec_means(&spec, INT64_MAX, &means);
    CHECK_NEAR(means.input_tokens, 0, 0);
    CHECK(isnan(means.work_s));
    CHECK_NEAR(means.noise, 1, 0);
}

int main(int argc, char **argv)
{
    CU_TestInfo synthetic[] = {
        {"same seed gives the same requests",
         same_seed_gives_the_same_requests},
        {"seed and replication change everything",
         seed_and_replication_change_everything},
        {"requests come in order before the end",
         requests_come_in_order_before_the_end},
        {"concerns do not shift each other", concerns_do_not_shift_each_other},
        {"request draws from its piece of each lane",
         request_draws_from_its_piece_of_each_lane},
        {"same question has the same sizes but its own noise",
         same_question_has_the_same_sizes_but_its_own_noise},
        {"questions differ in size", questions_differ_in_size},
        {"ideal hits are those of one endless cache",
         ideal_hits_are_those_of_one_endless_cache},
        {"unique keys never hit", unique_keys_never_hit},
        {"draws are rounded to counts", draws_are_rounded_to_counts},
        {"what is not described is left out",
         what_is_not_described_is_left_out},
        {"endless work is cut", endless_work_is_cut},
        {"attempts share the noise of their request",
         attempts_share_the_noise_of_their_request},
        {"attempts draw noise of their own", attempts_draw_noise_of_their_own},
        {"no noise needs no draw", no_noise_needs_no_draw},
        {"means of traffic are known", means_of_traffic_are_known},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("workload", NULL, NULL, NULL, NULL, synthetic),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
