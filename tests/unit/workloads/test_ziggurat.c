#include "workloads/ziggurat.h"

#include "tests/check.h"
#include "tests/unit/workloads/ks.h"

#include <gsl/gsl_cdf.h>

enum { SAMPLE = 1000000 };

static double sample[SAMPLE];

static const double exponential_r = 7.69711747013104972;
static const double normal_r = 3.6541528853610088;

/* r = 7.69711747013104972 and 3.6541528853610088 are those of Marsaglia and
   Tsang 2000 for 256 layers. */
struct table {
    const struct ziggurat_layer *layers;
    long double (*density)(long double x);
    long double r;
    long double v; /* r f(r) + the area beyond r */
};

static long double exponential_density(long double x)
{
    return expl(-x);
}

static long double normal_density(long double x)
{
    return expl(-x * x / 2);
}

static struct table exponential_table(void)
{
    long double r = 7.69711747013104972L;

    return (struct table){ziggurat_exponential, exponential_density, r,
                          (r + 1) * expl(-r)};
}

static struct table normal_table(void)
{
    long double r = 3.6541528853610088L;
    long double root_half_pi = 1.2533141373155002512L;

    return (struct table){ziggurat_normal, normal_density, r,
                          r * normal_density(r) +
                              root_half_pi * erfcl(r / sqrtl(2))};
}

static long double edge(const struct table *table, uint32_t layer)
{
    return layer < ZIGGURAT_LAYERS
               ? (long double)table->layers[layer].unit * 0x1p53L
               : 0;
}

static void check_areas(const struct table *table, double tolerance)
{
    long double v = table->v;

    CHECK_NEAR((double)edge(table, 1), (double)table->r, 1e-15);
    CHECK_NEAR((double)(edge(table, 0) * table->density(edge(table, 1)) / v), 1,
               tolerance);
    for (uint32_t i = 1; i < ZIGGURAT_LAYERS; i++) {
        long double height =
            table->density(edge(table, i + 1)) - table->density(edge(table, i));

        CHECK_NEAR((double)(edge(table, i) * height / v), 1, tolerance);
    }
}

/* Both edges are rounded to doubles: 2^-53 of an edge is up to 256 * 2^-53 of
   the height of a layer. */
static void layers_have_equal_areas(void)
{
    struct table exponential = exponential_table(), normal = normal_table();

    check_areas(&exponential, 6e-14);
    check_areas(&normal, 6e-14);
}

static void check_insides(const struct table *table)
{
    for (uint32_t i = 0; i < ZIGGURAT_LAYERS; i++) {
        double truth = (double)(edge(table, i + 1) / edge(table, i) * 0x1p53L);
        double inside = (double)table->layers[i].inside;

        /* Rounded down; the edges here are doubles, each good to a place. */
        CHECK_NEAR(inside, truth - 0.5, 2.6);
    }
}

static void places_inside_lie_below_the_next_edge(void)
{
    struct table exponential = exponential_table(), normal = normal_table();

    check_insides(&exponential);
    check_insides(&normal);
}

static double exponential_cdf(double x, const void *context)
{
    (void)context;
    return gsl_cdf_exponential_P(x, 1);
}

static double normal_cdf(double x, const void *context)
{
    (void)context;
    return gsl_cdf_ugaussian_P(x);
}

static void exponential_draws_follow_their_law(void)
{
    struct rng rng;

    rng_seed(&rng, 101, 1);
    for (int i = 0; i < SAMPLE; i++)
        sample[i] = ziggurat_draw_exponential(&rng);
    CHECK_NEAR(ks_distance(sample, SAMPLE, exponential_cdf, NULL), 0, KS_LIMIT);
    CHECK(sample[0] >= 0);
}

static void normal_draws_follow_their_law(void)
{
    struct rng rng;

    rng_seed(&rng, 102, 1);
    for (int i = 0; i < SAMPLE; i++)
        sample[i] = ziggurat_draw_normal(&rng);
    CHECK_NEAR(ks_distance(sample, SAMPLE, normal_cdf, NULL), 0, KS_LIMIT);
}

/*
 * What goes wrong at the edges of layers is too little to show in the whole
 * law. So places there are given to the rest of the draw, which takes a place x
 * of layer i with chance (f(x) - f(x[i])) / (f(x[i + 1]) - f(x[i])). Quarters
 * of the way from edge to edge are judged apart.
 */
static void check_edges(struct table table,
                        double (*rest)(struct rng *rng, uint32_t layer,
                                       double x))
{
    double surplus[4] = {0}, variance[4] = {0};
    struct rng rng;

    rng_seed(&rng, 105, 1);
    for (uint32_t i = 0; i < 2000 * (ZIGGURAT_LAYERS - 1); i++) {
        uint32_t layer = 1 + i % (ZIGGURAT_LAYERS - 1);
        double left = (double)edge(&table, layer + 1);
        double right = (double)edge(&table, layer);
        double way = rng_uniform(&rng), x = left + way * (right - left);
        double low = (double)table.density(right);
        double chance = ((double)table.density(x) - low) /
                        ((double)table.density(left) - low);
        int quarter = (int)(4 * way);

        surplus[quarter] += (rest(&rng, layer, x) == x) - chance;
        variance[quarter] += chance * (1 - chance);
    }
    for (int i = 0; i < 4; i++)
        CHECK_NEAR(surplus[i], 0, KS_NORMAL_LIMIT * sqrt(variance[i]));
}

static void edges_of_layers_are_cut_by_the_density(void)
{
    check_edges(exponential_table(), ziggurat_exponential_rest);
    check_edges(normal_table(), ziggurat_normal_rest);
}

/* How often draws reach the tail, and on which side. */
static void tails_are_reached_as_often_as_they_should(void)
{
    const double draws = 4000000;
    double share = exp(-exponential_r),
           both = 2 * gsl_cdf_ugaussian_Q(normal_r);
    double beyond = 0, left = 0, right = 0;
    struct rng rng;

    rng_seed(&rng, 103, 1);
    for (int i = 0; i < (int)draws; i++) {
        double x = ziggurat_draw_normal(&rng);

        beyond += ziggurat_draw_exponential(&rng) > exponential_r;
        left += x < -normal_r;
        right += x > normal_r;
    }
    CHECK_NEAR(beyond, share * draws, KS_NORMAL_LIMIT * sqrt(share * draws));
    CHECK_NEAR(left + right, both * draws,
               KS_NORMAL_LIMIT * sqrt(both * draws));
    CHECK_NEAR(left - right, 0, KS_NORMAL_LIMIT * sqrt(both * draws));
}

static double normal_tail_cdf(double x, const void *context)
{
    (void)context;
    return 1 - gsl_cdf_ugaussian_Q(x) / gsl_cdf_ugaussian_Q(normal_r);
}

/* Tails are too rare to be tested by whole draws: the lowest layer is asked for
   its rest directly, with a place outside. */
static void tails_follow_their_laws(void)
{
    struct rng rng;

    rng_seed(&rng, 104, 1);
    for (int i = 0; i < SAMPLE; i++)
        sample[i] = ziggurat_exponential_rest(&rng, 0, 8) - exponential_r;
    CHECK_NEAR(ks_distance(sample, SAMPLE, exponential_cdf, NULL), 0, KS_LIMIT);
    for (int i = 0; i < SAMPLE; i++)
        sample[i] = ziggurat_normal_rest(&rng, 0, 4);
    CHECK_NEAR(ks_distance(sample, SAMPLE, normal_tail_cdf, NULL), 0, KS_LIMIT);
    CHECK(ziggurat_normal_rest(&rng, 0, -4) < -normal_r);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"layers have equal areas", layers_have_equal_areas},
        {"places inside lie below the next edge",
         places_inside_lie_below_the_next_edge},
        {"exponential draws follow their law",
         exponential_draws_follow_their_law},
        {"normal draws follow their law", normal_draws_follow_their_law},
        {"edges of layers are cut by the density",
         edges_of_layers_are_cut_by_the_density},
        {"tails are reached as often as they should",
         tails_are_reached_as_often_as_they_should},
        {"tails follow their laws", tails_follow_their_laws},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("ziggurat", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
