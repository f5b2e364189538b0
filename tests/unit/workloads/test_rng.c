#include "workloads/rng.h"

#include "tests/check.h"
#include "tests/unit/workloads/ks.h"

#include <gsl/gsl_cdf.h>

/* The package's own check value for seed 42, stream 54. */
static void first_draws_are_those_of_the_package(void)
{
    struct rng rng;

    rng_seed(&rng, 42, 54);
    CHECK_UINT(rng_next(&rng), 0x86b1da1d72062b68);
    CHECK_UINT(rng_next(&rng), 0x1304aa46c9853d39);
}

/* XXH64 and PCG64 written anew in Python from their specifications. */
static void stream_is_the_hash_of_its_tuple(void)
{
    struct rng rng;

    rng_stream(&rng, 42, 3, RNG_WORK, (uint64_t)1 << 40);
    CHECK_UINT((uint64_t)(rng.state >> 64), 0x53143852eda4cd01);
    CHECK_UINT((uint64_t)rng.state, 0x32ef2bcba1a8642c);
    CHECK_UINT((uint64_t)(rng.increment >> 64), 0xade08ffd417730fa);
    CHECK_UINT((uint64_t)rng.increment, 0xe4ba939fe6aefa3a | 1);
    CHECK_UINT(rng_next(&rng), 0x4890750b192ef80e);
    CHECK_UINT(rng_next(&rng), 0xd6fa0dd6f451d275);
}

/* The numbers are part of what a seed means: a new purpose must not shift
   them. */
static void purposes_keep_their_numbers(void)
{
    static const enum rng_purpose in_order[] = {
        RNG_ARRIVALS,
        RNG_INPUT_TOKENS,
        RNG_OUTPUT_TOKENS,
        RNG_WORK,
        RNG_NOISE,
        RNG_KEYS,
        RNG_KEY_INPUT_TOKENS,
        RNG_ATTEMPT_NOISE,
        RNG_RESAMPLE,
        RNG_POLICY,
        RNG_ASSIGN,
        RNG_HEALTH_PHASE,
        RNG_REPORT_PHASE,
        RNG_NODE_KEYS,
        RNG_KEY_OUTPUT_TOKENS,
        RNG_KEY_WORK,
    };

    for (uint64_t i = 0; i < sizeof in_order / sizeof *in_order; i++)
        CHECK_UINT(in_order[i], i + 1);
}

/* Two purposes with one number would share their draws. A switch takes each
   number once, and the compiler asks for every purpose. */
static void no_two_purposes_share_a_number(void)
{
    uint32_t known = 0;

    for (int number = 0; number <= RNG_CONNECTIONS; number++) {
        switch ((enum rng_purpose)number) {
        case RNG_ARRIVALS:
        case RNG_INPUT_TOKENS:
        case RNG_OUTPUT_TOKENS:
        case RNG_WORK:
        case RNG_NOISE:
        case RNG_KEYS:
        case RNG_KEY_INPUT_TOKENS:
        case RNG_ATTEMPT_NOISE:
        case RNG_RESAMPLE:
        case RNG_POLICY:
        case RNG_ASSIGN:
        case RNG_HEALTH_PHASE:
        case RNG_REPORT_PHASE:
        case RNG_NODE_KEYS:
        case RNG_KEY_OUTPUT_TOKENS:
        case RNG_KEY_WORK:
        case RNG_CLASSES:
        case RNG_KEY_CLASS:
        case RNG_CLASSIFIER:
        case RNG_REPORT_LOSS:
        case RNG_ARRIVAL_STATES:
        case RNG_THINK:
        case RNG_HEALTH_JITTER:
        case RNG_GENERATION_PHASE:
        case RNG_GENERATION_JITTER:
        case RNG_OUTLIERS:
        case RNG_BACKOFF:
        case RNG_PATIENCE:
        case RNG_START_UP:
        case RNG_SCRAPES:
        case RNG_SCRAPE_LAGS:
        case RNG_FAULT_TIMES:
        case RNG_FAULT_VICTIMS:
        case RNG_FAULT_ERRORS:
        case RNG_FAULT_PROBES:
        case RNG_FAULT_REPORTS:
        case RNG_TENANTS:
        case RNG_PROVISION:
        case RNG_CONNECTIONS:
            known++;
        }
    }
    CHECK_UINT(known, 39);
}

static int compare_words(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

/* Of 40,000 words of 64 bits two agree by chance once in 20 billion tries. */
static void check_all_differ(uint64_t *words, size_t count)
{
    size_t equal = 0;

    qsort(words, count, sizeof *words, compare_words);
    for (size_t i = 1; i < count; i++)
        equal += words[i] == words[i - 1];
    CHECK_UINT(equal, 0);
}

static void streams_do_not_collide(void)
{
    enum { SEEDS = 10, REPLICATIONS = 10, PURPOSES = 20, ENTITIES = 20 };
    enum { COUNT = SEEDS * REPLICATIONS * PURPOSES * ENTITIES };
    static uint64_t draws[COUNT], increments[COUNT];
    struct rng rng;
    size_t count = 0;

    for (uint64_t i = 0; i < COUNT; i++) {
        rng_stream(
            &rng, i % SEEDS, 1 + i / SEEDS % REPLICATIONS,
            (enum rng_purpose)(1 + i / (SEEDS * REPLICATIONS) % PURPOSES),
            i / (SEEDS * REPLICATIONS * PURPOSES));
        increments[count] = (uint64_t)(rng.increment >> 64);
        draws[count++] = rng_next(&rng);
    }
    check_all_differ(draws, COUNT);
    check_all_differ(increments, COUNT);
}

/* The sample correlation of n independent pairs has deviation 1/sqrt(n). */
static double correlation(struct rng *a, struct rng *b, int count)
{
    double sum = 0;

    for (int i = 0; i < count; i++)
        sum += (rng_uniform(a) - 0.5) * (rng_uniform(b) - 0.5);
    return 12 * sum / count;
}

static void neighbouring_streams_do_not_correlate(void)
{
    enum { COUNT = 100000, PAIRS = 20 };
    double limit = 4.5 / sqrt(COUNT); /* 1 in 7,000 for the worst of 20 */
    struct rng a, b;

    for (uint64_t i = 0; i < PAIRS; i++) {
        rng_stream(&a, 42, 1, RNG_WORK, i);
        rng_stream(&b, 42, 1, RNG_WORK, i + 1);
        CHECK_NEAR(correlation(&a, &b, COUNT), 0, limit);
    }
}

static void advancing_is_drawing(void)
{
    static const uint64_t distances[] = {0, 1, 2, 3, 61, 64, 1000, 12345};

    for (size_t i = 0; i < sizeof distances / sizeof *distances; i++) {
        struct rng walked, jumped;

        rng_seed(&walked, 7, 11);
        jumped = walked;
        for (uint64_t step = 0; step < distances[i]; step++)
            rng_next(&walked);
        rng_advance(&jumped, distances[i]);
        CHECK(walked.state == jumped.state);

        rng_advance(&jumped, -(rng_u128)distances[i]);
        rng_seed(&walked, 7, 11);
        CHECK(walked.state == jumped.state);
    }
}

static void advancing_by_the_period_comes_back(void)
{
    struct rng rng, start;

    rng_seed(&rng, 1, 2);
    start = rng;
    rng_advance(&rng, (rng_u128)1 << 127);
    CHECK(rng.state != start.state);
    rng_advance(&rng, (rng_u128)1 << 127); /* 2^128 draws in all */
    CHECK(rng.state == start.state);
}

static void lane_hands_out_equal_pieces_of_its_stream(void)
{
    struct rng_lane lane;
    struct rng stream;

    rng_lane_init(&lane, 42, 2, RNG_OUTPUT_TOKENS);
    for (uint64_t n = 0; n < 2000; n++) {
        struct rng piece = rng_lane_next(&lane);

        rng_stream(&stream, 42, 2, RNG_OUTPUT_TOKENS, 0);
        rng_advance(&stream, (rng_u128)n * RNG_LANE_STRIDE);
        CHECK(piece.state == stream.state);
        CHECK(piece.increment == stream.increment);
    }
}

/* What a request draws from its piece does not move the next piece. */
static void piece_does_not_depend_on_draws_before(void)
{
    struct rng_lane idle, busy;

    rng_lane_init(&idle, 42, 1, RNG_WORK);
    rng_lane_init(&busy, 42, 1, RNG_WORK);
    for (int n = 0; n < 100; n++) {
        struct rng a = rng_lane_next(&idle), b = rng_lane_next(&busy);

        CHECK_UINT(rng_next(&a), rng_next(&b));
        for (int i = 0; i < n; i++)
            rng_next(&b);
    }
}

static void entities_of_two_numbers_differ(void)
{
    CHECK(rng_entity(1, 0) != rng_entity(0, 1));
    CHECK_UINT(rng_entity(5, 3), 5 * 16777216 + 3);
}

static void uniform_draws_lie_in_their_range(void)
{
    enum { COUNT = 200000 };
    double least = 1, most = 0, sum = 0;
    struct rng rng;

    rng_seed(&rng, 5, 5);
    for (int i = 0; i < COUNT; i++) {
        double u = rng_uniform(&rng), open = rng_uniform_open(&rng);

        least = fmin(least, fmin(u, open));
        most = fmax(most, fmax(u, open));
        sum += u;
        CHECK(ldexp(u, 53) == floor(ldexp(u, 53)));
    }
    CHECK(least >= 0 && most < 1);
    CHECK_NEAR(sum / COUNT, 0.5, KS_NORMAL_LIMIT / sqrt(12.0 * COUNT));
}

/* The ends are a matter of arithmetic: no draw may round up to 1. */
static void extreme_words_stay_inside(void)
{
    double highest = ((double)(int64_t)(UINT64_MAX >> 12) + 0.5) * 0x1p-52;

    CHECK(highest < 1);
    CHECK((double)(int64_t)(UINT64_MAX >> 11) * 0x1p-53 < 1);
}

static void below_is_even(void)
{
    enum { BOUND = 6, COUNT = 60000 };
    uint64_t counts[BOUND] = {0};
    double chi2 = 0;
    struct rng rng;

    rng_seed(&rng, 6, 6);
    for (int i = 0; i < COUNT; i++)
        counts[rng_below(&rng, BOUND)]++;
    for (int i = 0; i < BOUND; i++)
        chi2 += pow((double)counts[i] - COUNT / BOUND, 2) / (COUNT / BOUND);
    CHECK(gsl_cdf_chisq_Q(chi2, BOUND - 1) > 0.001);
}

static double chi_square_of_3(const uint64_t counts[3])
{
    double third = (double)(counts[0] + counts[1] + counts[2]) / 3, chi2 = 0;

    for (int i = 0; i < 3; i++)
        chi2 += pow((double)counts[i] - third, 2) / third;
    return chi2;
}

/* With 3 * 2^62 a remainder would draw the first third twice as often, and a
   product without rejection every third number. */
static void below_is_even_at_bounds_that_do_not_divide(void)
{
    const uint64_t third = (uint64_t)1 << 62;
    uint64_t thirds[3] = {0}, residues[3] = {0};
    struct rng rng;

    rng_seed(&rng, 8, 8);
    for (int i = 0; i < 60000; i++) {
        uint64_t drawn = rng_below(&rng, 3 * third);

        thirds[drawn / third]++;
        residues[drawn % 3]++;
    }
    CHECK(gsl_cdf_chisq_Q(chi_square_of_3(thirds), 2) > 0.001);
    CHECK(gsl_cdf_chisq_Q(chi_square_of_3(residues), 2) > 0.001);
}

static void below_0_and_1_are_the_edges(void)
{
    struct rng rng, same;

    rng_seed(&rng, 9, 9);
    same = rng;
    CHECK_UINT(rng_below(&rng, 0), rng_next(&same));
    CHECK_UINT(rng_below(&rng, 1), 0);
}

static void gsl_draws_from_the_same_stream(void)
{
    gsl_rng *gsl = gsl_rng_alloc(rng_gsl_type);
    struct rng rng;

    CHECK(gsl_rng_max(gsl) == UINT64_MAX && gsl_rng_min(gsl) == 0);
    gsl_rng_set(gsl, 1234);
    rng_seed(&rng, 1234, 0);
    for (int i = 0; i < 100; i++) {
        CHECK_UINT(gsl_rng_get(gsl), rng_next(&rng));
        CHECK_NEAR(gsl_rng_uniform(gsl), rng_uniform(&rng), 0);
    }

    rng_stream(&rng, 42, 1, RNG_WORK, 0);
    *(struct rng *)gsl_rng_state(gsl) = rng;
    CHECK_UINT(gsl_rng_get(gsl), rng_next(&rng));
    CHECK_TEXT(gsl_rng_name(gsl), "pcg64");
    gsl_rng_free(gsl);
}

int main(int argc, char **argv)
{
    CU_TestInfo generator[] = {
        {"first draws are those of the package",
         first_draws_are_those_of_the_package},
        {"advancing is drawing", advancing_is_drawing},
        {"advancing by the period comes back",
         advancing_by_the_period_comes_back},
        {"uniform draws lie in their range", uniform_draws_lie_in_their_range},
        {"extreme words stay inside", extreme_words_stay_inside},
        {"below is even", below_is_even},
        {"below is even at bounds that do not divide",
         below_is_even_at_bounds_that_do_not_divide},
        {"below 0 and 1 are the edges", below_0_and_1_are_the_edges},
        {"GSL draws from the same stream", gsl_draws_from_the_same_stream},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo streams[] = {
        {"stream is the hash of its tuple", stream_is_the_hash_of_its_tuple},
        {"purposes keep their numbers", purposes_keep_their_numbers},
        {"no two purposes share a number", no_two_purposes_share_a_number},
        {"streams do not collide", streams_do_not_collide},
        {"neighbouring streams do not correlate",
         neighbouring_streams_do_not_correlate},
        {"lane hands out equal pieces of its stream",
         lane_hands_out_equal_pieces_of_its_stream},
        {"piece does not depend on draws before",
         piece_does_not_depend_on_draws_before},
        {"entities of two numbers differ", entities_of_two_numbers_differ},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("rng", NULL, NULL, NULL, NULL, generator),
        SUITE("rng_streams", NULL, NULL, NULL, NULL, streams),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
