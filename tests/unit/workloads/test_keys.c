#include "workloads/keys.h"

#include "tests/check.h"
#include "tests/unit/workloads/ks.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sf_zeta.h>

#include <stdlib.h>

enum { DRAWS = 500000 };

static struct keys zipf(double exponent, uint64_t distinct, double share)
{
    struct keys_spec spec = {KEYS_ZIPF, exponent, distinct, share};
    struct keys keys;

    CHECK(keys_init(&keys, &spec));
    return keys;
}

/* Sum of k^-s over 1 .. n. */
static double weights_to(uint64_t n, double s)
{
    double sum = 0;

    for (uint64_t k = 1; k <= n; k++)
        sum += pow((double)k, -s);
    return sum;
}

/* Level at which Pearson's chi-square rejects the draws; neighbouring ranks
   share a cell until at least 20 draws are expected in it. */
static double level_of_fit(double s, uint64_t n, uint64_t seed)
{
    struct keys keys = zipf(s, n, 1);
    uint64_t *counts = calloc(n, sizeof *counts);
    double total = weights_to(n, s), chi2 = 0, expected = 0, seen = 0;
    int cells = 0;
    struct rng rng;

    rng_seed(&rng, seed, 3);
    for (int i = 0; i < DRAWS; i++) {
        uint64_t key = keys_draw(&keys, &rng, (uint64_t)i);

        CHECK(key < n);
        if (key < n)
            counts[key]++;
    }
    for (uint64_t k = 0; k < n; k++) {
        expected += DRAWS * pow((double)(k + 1), -s) / total;
        seen += (double)counts[k];
        if (expected >= 20 || k == n - 1) {
            if (expected > 0.5) { /* a rest too small to tell anything */
                chi2 += (seen - expected) * (seen - expected) / expected;
                cells++;
            }
            expected = seen = 0;
        }
    }
    free(counts);
    return cells > 1 ? gsl_cdf_chisq_Q(chi2, cells - 1) : 1;
}

static void frequencies_follow_zipfs_law(void)
{
    static const double exponents[] = {0, 0.01,       0.5, 0.9, 0.99999999,
                                       1, 1.00000001, 1.2, 2,   3};
    static const uint64_t universes[] = {2, 3, 10, 1000, 20000};

    for (uint64_t i = 0; i < sizeof exponents / sizeof *exponents; i++)
        for (uint64_t j = 0; j < sizeof universes / sizeof *universes; j++) {
            char text[80];

            snprintf(text, sizeof text, "exponent %g of %g keys", exponents[i],
                     (double)universes[j]);
            check_near(text,
                       level_of_fit(exponents[i], universes[j], 10 * i + j) <
                           0.001,
                       0, 0, __LINE__, __FILE__, __func__);
        }
}

/* Euler and Maclaurin: the sum to n is zeta(s) + n^(1-s)/(1-s) + n^-s/2 to
   within s n^(-s-1)/12. */
static double weights_of_many(double n, double s)
{
    return gsl_sf_zeta(s) + pow(n, 1 - s) / (1 - s) + pow(n, -s) / 2 -
           s * pow(n, -s - 1) / 12;
}

static void largest_universe_follows_its_law(void)
{
    static const double edges[] = {1, 2, 4, 10, 100, 1e4, 1e6, 1e7, 5e7, 1e8};
    enum { CELLS = sizeof edges / sizeof *edges };
    const double s = 0.9, total = weights_of_many(1e8, s);
    struct keys keys = zipf(s, 100000000, 1);
    double counts[CELLS] = {0}, chi2 = 0, before = 0;
    struct rng rng;

    rng_seed(&rng, 77, 3);
    for (int i = 0; i < DRAWS; i++) {
        double rank = (double)keys_draw(&keys, &rng, 0) + 1;
        int cell = 0;

        while (rank > edges[cell])
            cell++;
        counts[cell]++;
    }
    for (int i = 0; i < CELLS; i++) {
        double share = edges[i] < 100 ? weights_to((uint64_t)edges[i], s)
                                      : weights_of_many(edges[i], s);
        double expected = DRAWS * (share - before) / total;

        chi2 += pow(counts[i] - expected, 2) / expected;
        before = share;
    }
    CHECK(gsl_cdf_chisq_Q(chi2, CELLS - 1) > 0.001);
}

static void universe_of_one_has_one_key(void)
{
    static const double exponents[] = {0, 0.9, 1, 5, 100};
    struct rng rng;

    rng_seed(&rng, 1, 1);
    for (size_t i = 0; i < sizeof exponents / sizeof *exponents; i++) {
        struct keys keys = zipf(exponents[i], 1, 1);

        for (uint64_t n = 0; n < 1000; n++)
            CHECK_UINT(keys_draw(&keys, &rng, n), 0);
    }
}

/* 2^-100 is the share of the second key. */
static void steepest_law_asks_one_key(void)
{
    struct keys keys = zipf(100, 100000000, 1);
    struct rng rng;

    rng_seed(&rng, 1, 1);
    for (uint64_t n = 0; n < 10000; n++)
        CHECK_UINT(keys_draw(&keys, &rng, n), 0);
}

static void share_of_repeats_is_as_asked(void)
{
    static const double shares[] = {0, 0.1, 0.35, 0.8, 1};

    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
        struct keys keys = zipf(0.9, 5000, shares[i]);
        double p = shares[i], repeats = 0;
        struct rng rng;

        rng_seed(&rng, 5, i);
        for (uint64_t n = 0; n < DRAWS; n++) {
            uint64_t key = keys_draw(&keys, &rng, n);

            repeats += keys_repeats(&keys, key);
            if (!keys_repeats(&keys, key))
                CHECK_UINT(key, 5000 + n);
        }
        CHECK_NEAR(repeats / DRAWS, p,
                   KS_NORMAL_LIMIT * sqrt(p * (1 - p) / DRAWS));
    }
}

static void unique_keys_are_the_requests(void)
{
    struct keys_spec spec = {.kind = KEYS_UNIQUE, .distinct = 9};
    struct keys keys;
    struct rng rng = {0};

    CHECK(keys_init(&keys, &spec));
    CHECK_UINT(keys_draw(&keys, &rng, 0), 0);
    CHECK_UINT(keys_draw(&keys, &rng, 123), 123);
    CHECK(!keys_repeats(&keys, 0));
    CHECK(rng.state == 0); /* needs no chance */
    keys_done(&keys);
    CHECK_UINT(keys.spec.kind, KEYS_NONE);
}

static void no_keys_are_0(void)
{
    struct keys_spec spec = {.kind = KEYS_NONE};
    struct keys keys;
    struct rng rng = {0};

    CHECK(keys_init(&keys, &spec));
    CHECK_UINT(keys_draw(&keys, &rng, 5), 0);
    CHECK(!keys_repeats(&keys, 0));
}

static void numbers_out_of_range_are_refused(void)
{
    static const struct keys_spec wrong[] = {
        {KEYS_ZIPF, -0.1, 10, 0.5}, {KEYS_ZIPF, 101, 10, 0.5},
        {KEYS_ZIPF, 1, 0, 0.5},     {KEYS_ZIPF, 1, 100000001, 0.5},
        {KEYS_ZIPF, 1, 10, -0.1},   {KEYS_ZIPF, 1, 10, 1.1},
        {KEYS_ZIPF, NAN, 10, 0.5},  {KEYS_ZIPF, 1, 10, NAN},
    };
    struct keys keys;

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        CHECK(!keys_init(&keys, &wrong[i]));
}

static void text_is_k_and_the_number(void)
{
    char text[KEYS_TEXT_SIZE];

    CHECK_UINT(keys_text(0, text), 2);
    CHECK_TEXT(text, "k0");
    CHECK_UINT(keys_text(17, text), 3);
    CHECK_TEXT(text, "k17");
    CHECK_UINT(keys_text(1000, text), 5);
    CHECK_TEXT(text, "k1000");
    CHECK_UINT(keys_text(UINT64_MAX, text), 21);
    CHECK_TEXT(text, "k18446744073709551615");
}

/* By XXH64 written anew in Python from its specification. */
static void hash_is_that_of_the_text(void)
{
    CHECK_UINT(keys_hash(0), 0x6c16de135b8c63aa);
    CHECK_UINT(keys_hash(17), 0x446b1fbc84ad3491);
    CHECK_UINT(keys_hash(49999), 0xc84c675b5ff94a45);
    CHECK_UINT(keys_hash(UINT64_MAX), 0x3dd4396378abd087);
}

/* Sums over every rank, computed independently in Python with math.fsum:
   r - sum(1 - exp(-N r p_k)) / N. The fourth by hand: all nine questions are
   asked, (1200 - 9) / 2400. */
static void an_endless_cache_misses_first_askings(void)
{
    static const struct {
        double exponent;
        uint64_t distinct;
        double share, requests, hits;
    } cases[] = {
        {1, 100000, 0.6, 1800, 0.23086111097908274},
        {1, 100000, 0.6, 300, 0.14334847274566526},
        {0.8, 5000000, 1, 1e6, 0.4122204023997771},
        {0, 9, 0.5, 2400, 0.49625},
        {2.5, 1000, 0.3, 50, 0.23183542945654406},
        {1, 100000, 0.6, INFINITY, 0.6},
        {1, 100000, 0, 1800, 0},
    };
    struct keys_spec unique = {.kind = KEYS_UNIQUE};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct keys_spec spec = {KEYS_ZIPF, cases[i].exponent,
                                 cases[i].distinct, cases[i].share};

        CHECK_NEAR(keys_ideal_hit_share(&spec, cases[i].requests),
                   cases[i].hits, 1e-5);
    }
    CHECK(keys_ideal_hit_share(&unique, 1000) == 0);
}

static void names_are_those_users_write(void)
{
    CHECK_TEXT(keys_kind_names[KEYS_NONE], "none");
    CHECK_TEXT(keys_kind_names[KEYS_ZIPF], "zipf");
    CHECK_TEXT(keys_kind_names[KEYS_UNIQUE], "unique");
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"frequencies follow Zipf's law", frequencies_follow_zipfs_law},
        {"largest universe follows its law", largest_universe_follows_its_law},
        {"universe of one has one key", universe_of_one_has_one_key},
        {"steepest law asks one key", steepest_law_asks_one_key},
        {"share of repeats is as asked", share_of_repeats_is_as_asked},
        {"unique keys are the requests", unique_keys_are_the_requests},
        {"no keys are 0", no_keys_are_0},
        {"numbers out of range are refused", numbers_out_of_range_are_refused},
        {"text is k and the number", text_is_k_and_the_number},
        {"hash is that of the text", hash_is_that_of_the_text},
        {"an endless cache misses first askings",
         an_endless_cache_misses_first_askings},
        {"names are those users write", names_are_those_users_write},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("keys", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
