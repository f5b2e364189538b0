/*
 * The scenarios of the articles against the figures of an independent program:
 * a small model of event queue, slots and caches that shares nothing with this
 * one, 10 replications of its own seeds. A half-width of 0 in its tables means
 * less than half of the last digit.
 *
 * Where the two differ it is known why:
 *
 * - A report here tells mean uses of the interval before; there it tells the
 *   moment. resource_score at reports of 1 s therefore herds more, and to other
 *   nodes: an idle second of a slow node looks as good as that of a fast one.
 *   P99 is 4.99 s against 3.97 s on mixed nodes and 4.65 s against 3.29 s in
 *   the quickstart. With reports of the moment this program finds 4.05 +-0.17 s
 *   and 3.38 +-0.13 s: nothing else is left to explain. Both statements are
 *   tested where they meet: reports that are short-lived, and the order.
 * - The ring there is one, and an even one; here it changes with the
 *   replication. Eight other rings gave the model crossovers against
 * round_robin of 24 to 29 % (mean) and 28 to 35 % (P99), against least_conn of
 * 32 to 35 % and 32 to 38 %.
 * - There predict knows costs and speeds, here it learns them. The model's use
 *   of 93 % of the high pair on mixed nodes is a slip: with 10 % of the mid
 * pair it would be more than the work that arrives, 42/s of 0.515 s, of which
 * the pair's 24 slots can have 90 % at the most.
 */
#include "tests/oracle/harness.h"

#include <math.h>

#define REPLICATIONS 10

/* A mean over the replications with its half-width of 95 %. */
struct figure {
    double value, half_width;
};

struct sketch {
    uint32_t policy; /* of the scenario's list */
    struct figure mean_s, p99_s, hits, use;
};

static void compare(const struct trial *trial, const char *what,
                    enum measure_id measure, struct figure figure, double digit)
{
    double half_width = fmax(figure.half_width, digit / 2) + digit / 2;

    if (figure.value > 0)
        trial_judge(what, trial_estimate(trial, measure), figure.value,
                    half_width * 4.78 / 2.26, 0.5 * figure.value, __LINE__,
                    __FILE__, __func__);
}

static void follows(const char *path, const char *const *overrides,
                    const struct sketch *sketches, uint32_t count)
{
    struct trial trial;

    if (!trial_open(&trial, path, overrides))
        return;
    for (uint32_t i = 0; i < count; i++) {
        trial.policy_index = sketches[i].policy;
        trial_run(&trial, REPLICATIONS);
        compare(&trial, "mean", M_LATENCY_MEAN, sketches[i].mean_s, 0.01);
        compare(&trial, "P99", M_LATENCY_P99, sketches[i].p99_s, 0.01);
        compare(&trial, "hits", M_RESULT_HIT, sketches[i].hits, 0.001);
        compare(&trial, "GPU use", M_GPU_USE, sketches[i].use, 0.001);
    }
    trial_done(&trial);
}

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* --- quickstart ----------------------------------------------------------- */

enum { ROTATES, SMOOTH, COUNTS, TWO, SCORES, RING, PREDICTS };

#define QUICKSTART "scenarios/quickstart.yaml"

static const struct sketch quickstart[] = {
    {ROTATES, {0.60, 0.03}, {4.65, 0.60}, {0.150, 0.001}, {0.343, 0.002}},
    {SMOOTH, {0.42, 0}, {2.87, 0.03}, {0.150, 0.001}, {0.389, 0.003}},
    {COUNTS, {0.38, 0}, {2.58, 0.05}, {0.150, 0.001}, {0.401, 0.003}},
    {TWO, {0.44, 0}, {3.07, 0.06}, {0.150, 0.002}, {0.380, 0.003}},
    {RING, {0.38, 0}, {2.73, 0.05}, {0.242, 0.002}, {0.351, 0.002}},
    {PREDICTS, {0.32, 0}, {1.87, 0.02}, {0.151, 0.001}, {0.371, 0.003}},
};

static void quickstart_is_as_sketched(void)
{
    follows(QUICKSTART, NULL, quickstart, COUNT(quickstart));
}

/* 21 pairs, all apart. The reported score is the last but one or the last. */
static void quickstart_keeps_its_order(void)
{
    static const uint32_t order[] = {PREDICTS, COUNTS, RING, SMOOTH, TWO};
    struct trial trial;
    double p99_s[7], mean_s[7];

    if (!trial_open(&trial, QUICKSTART, NULL))
        return;
    for (uint32_t p = 0; p < 7; p++) {
        trial.policy_index = p;
        trial_run(&trial, REPLICATIONS);
        p99_s[p] = trial_mean(&trial, M_LATENCY_P99);
        mean_s[p] = trial_mean(&trial, M_LATENCY_MEAN);
    }
    for (int i = 1; i < 5; i++)
        CHECK(p99_s[order[i - 1]] < p99_s[order[i]]);
    CHECK(p99_s[TWO] < p99_s[SCORES] && p99_s[TWO] < p99_s[ROTATES]);
    for (uint32_t p = 0; p < 7; p++)
        CHECK(p == SCORES || mean_s[p] < mean_s[SCORES]);
    trial_done(&trial);
}

/* Without repeats its margin is gone: ring_hash ties with smooth_weighted. */
static void quickstart_without_repeats(void)
{
    static const char *const none[] = {"workload.keys.repeat_share=0 %", NULL};
    static const struct sketch sketches[] = {
        {SMOOTH, .p99_s = {3.10, 0.06}},
        {RING, .p99_s = {3.11, 0.06}},
    };

    follows(QUICKSTART, none, sketches, COUNT(sketches));
}

/* --- repeats -------------------------------------------------------------- */

enum { CACHED_TURNS, CACHED_COUNTS, CACHED_RING, CACHED_BOUNDED };

#define REPEATS "scenarios/articles/repeats.yaml"

/* The ring's own latency depends on its luck; hits and use do not. */
static void repeats_are_as_sketched(void)
{
    static const struct {
        const char *share;
        struct sketch sketches[4];
    } steps[] = {
        {"workload.keys.repeat_share=0 %",
         {{CACHED_TURNS, {0.747, 0.014}, {3.36, 0.12}, {0, 0}, {0.89, 0.005}},
          {CACHED_COUNTS, {0.542, 0.005}, {2.91, 0.02}, {0, 0}, {0.89, 0.005}},
          {CACHED_RING, .use = {0.89, 0.005}},
          {CACHED_BOUNDED,
           {0.620, 0.008},
           {2.99, 0.03},
           {0, 0},
           {0.89, 0.005}}}},
        {"workload.keys.repeat_share=30 %",
         {{CACHED_TURNS,
           {0.505, 0.005},
           {2.81, 0.03},
           {0.126, 0},
           {0.78, 0.005}},
          {CACHED_COUNTS,
           {0.455, 0.002},
           {2.74, 0.03},
           {0.126, 0},
           {0.78, 0.005}},
          {CACHED_RING, .hits = {0.210, 0.001}, .use = {0.70, 0.005}},
          {CACHED_BOUNDED,
           {0.428, 0.002},
           {2.67, 0.02},
           {0.188, 0.001},
           {0.72, 0.005}}}},
        {"workload.keys.repeat_share=80 %",
         {{CACHED_TURNS,
           {0.278, 0.003},
           {2.25, 0.03},
           {0.469, 0.001},
           {0.47, 0.005}},
          {CACHED_COUNTS,
           {0.277, 0.003},
           {2.25, 0.04},
           {0.469, 0.001},
           {0.47, 0.005}},
          {CACHED_RING,
           {0.146, 0.001},
           {1.73, 0.02},
           {0.727, 0.001},
           {0.24, 0.005}},
          {CACHED_BOUNDED,
           {0.190, 0.001},
           {1.93, 0.02},
           {0.640, 0.001},
           {0.32, 0.005}}}},
    };

    for (uint32_t i = 0; i < COUNT(steps); i++) {
        const char *const overrides[] = {steps[i].share, NULL};

        follows(REPEATS, overrides, steps[i].sketches, 4);
    }
}

/* The share of repeats, in steps of 5 points, from which the ring's mean is
   lower; between those of the even ring and of the worst of nine. */
static void affinity_pays_from_a_share_on(void)
{
    static const struct {
        const char *rate;
        uint32_t rival;
        int worse, better; /* shares in percent */
    } points[] = {
        {"workload.arrivals.rate=110/s", CACHED_TURNS, 15, 35},
        {"workload.arrivals.rate=110/s", CACHED_COUNTS, 25, 40},
        {"workload.arrivals.rate=60/s", CACHED_TURNS, 0, 10},
        {"workload.arrivals.rate=60/s", CACHED_COUNTS, 0, 10},
    };

    for (uint32_t i = 0; i < COUNT(points); i++)
        for (int at = 0; at < 2; at++) {
            char share[64];
            const char *const overrides[] = {points[i].rate, share, NULL};
            struct trial trial;
            double rival;

            snprintf(share, sizeof share, "workload.keys.repeat_share=%d %%",
                     at ? points[i].better : points[i].worse);
            if (!trial_open(&trial, REPEATS, overrides))
                return;
            trial.policy_index = points[i].rival;
            trial_run(&trial, REPLICATIONS);
            rival = trial_mean(&trial, M_LATENCY_MEAN);
            trial.policy_index = CACHED_RING;
            trial_run(&trial, REPLICATIONS);
            CHECK((trial_mean(&trial, M_LATENCY_MEAN) < rival) == (at == 1));
            trial_done(&trial);
        }
}

/* --- mixed nodes ---------------------------------------------------------- */

enum {
    MIXED_TURNS,
    MIXED_SMOOTH,
    MIXED_COUNTS,
    MIXED_UNWEIGHTED,
    MIXED_SCORES,
    MIXED_PREDICTS
};

#define MIXED "scenarios/articles/mixed_nodes.yaml"

static void mixed_nodes_are_as_sketched(void)
{
    static const struct sketch sketches[] = {
        {MIXED_TURNS, {0.84, 0.04}, {5.27, 0.39}, .use = {0.555, 0.005}},
        {MIXED_SMOOTH, {0.52, 0}, {3.28, 0.05}, .use = {0.453, 0.004}},
        {MIXED_UNWEIGHTED, {0.53, 0}, {3.35, 0.06}, .use = {0.464, 0.004}},
        {MIXED_COUNTS, {0.46, 0}, {2.84, 0.03}, .use = {0.403, 0.003}},
        {MIXED_PREDICTS, {0.39, 0}, {1.99, 0.03}, .use = {0.309, 0.003}},
    };

    follows(MIXED, NULL, sketches, COUNT(sketches));
}

static void mixed_nodes_at_other_rates(void)
{
    static const struct {
        const char *rate;
        double turns_s, turns_half_s, smooth_s, counts_s, predicts_s;
    } rows[] = {
        {"workload.arrivals.rate=20/s", 4.03, 0.09, 3.24, 2.92, 1.91},
        {"workload.arrivals.rate=36/s", 4.17, 0.11, 3.27, 2.87, 1.93},
        {"workload.arrivals.rate=46/s", 12.8, 2.7, 3.28, 2.86, 2.02},
        {"workload.arrivals.rate=60/s", 0, 0, 3.29, 2.85, 2.25},
        {"workload.arrivals.rate=75/s", 0, 0, 3.46, 2.91, 2.64},
    };

    for (uint32_t i = 0; i < COUNT(rows); i++) {
        const char *const overrides[] = {rows[i].rate, NULL};
        const struct sketch sketches[] = {
            {MIXED_TURNS, .p99_s = {rows[i].turns_s, rows[i].turns_half_s}},
            {MIXED_SMOOTH, .p99_s = {rows[i].smooth_s, 0.05}},
            {MIXED_COUNTS, .p99_s = {rows[i].counts_s, 0.04}},
            {MIXED_PREDICTS, .p99_s = {rows[i].predicts_s, 0.03}},
        };

        follows(MIXED, overrides, sketches, COUNT(sketches));
    }
}

/* 95.2 and 88.3 % succeed when the low pair has more than it can do; P99 of
   those says no more than the time-out of 60 s. */
static void turns_fall_off_a_cliff(void)
{
    static const char *const rates[] = {"workload.arrivals.rate=60/s",
                                        "workload.arrivals.rate=75/s"};
    static const double success[] = {0.952, 0.883};

    for (int i = 0; i < 2; i++) {
        const char *const overrides[] = {rates[i], NULL};
        struct trial trial;

        if (!trial_open(&trial, MIXED, overrides))
            return;
        trial_run(&trial, REPLICATIONS);
        TRIAL_TWO_SAMPLES(&trial, M_SUCCESS, success[i], 0.002, 0.01);
        CHECK(trial_mean(&trial, M_LATENCY_P99) > 59);
        trial_done(&trial);
    }
}

/* When reports are short-lived, means and moments are the same thing. */
static void fresh_reports_are_as_good_as_weights(void)
{
    static const char *const fresh[] = {"balancer.report_interval=100 ms",
                                        NULL};
    static const struct sketch sketches[] = {
        {MIXED_SCORES, .mean_s = {0.52, 0.01}, .p99_s = {3.30, 0.09}},
    };

    follows(MIXED, fresh, sketches, COUNT(sketches));
}

/* --- black hole ----------------------------------------------------------- */

enum {
    NIGHT_TURNS,
    NIGHT_SMOOTH,
    NIGHT_COUNTS,
    NIGHT_SCORES,
    NIGHT_CURED,
    NIGHT_PREDICTS
};

#define BLACK_HOLE "scenarios/articles/black_hole.yaml"

static void black_hole_is_as_sketched(void)
{
    static const struct sketch sketches[] = {
        {NIGHT_TURNS, {2.60, 0.25}, {22.3, 1.4}, .use = {0.42, 0.005}},
        {NIGHT_SMOOTH, {2.70, 0.23}, {22.5, 1.2}, .use = {0.42, 0.005}},
        {NIGHT_COUNTS, {0.55, 0.01}, {4.12, 0.13}, .use = {0.30, 0.005}},
        {NIGHT_PREDICTS, {0.37, 0}, {2.02, 0.06}, .use = {0.20, 0.005}},
    };

    follows(BLACK_HOLE, NULL, sketches, COUNT(sketches));
}

/* Success by how the node died and how often it is asked, in percent. */
static void black_hole_by_variant(void)
{
    static const struct {
        const char *variant;
        struct figure turns, counts;
    } rows[] = {
        {"balancer.health.interval=5 s", {0.991, 0.001}, {0.999, 0.0005}},
        {"balancer.health.interval=30 s", {0.951, 0.003}, {0.997, 0.001}},
        {"balancer.health.interval=1 d", {0.925, 0.002}, {0.996, 0.001}},
    };

    for (uint32_t i = 0; i < COUNT(rows); i++) {
        const char *const overrides[] = {rows[i].variant, NULL};
        struct trial trial;

        if (!trial_open(&trial, BLACK_HOLE, overrides))
            return;
        trial_run(&trial, REPLICATIONS);
        compare(&trial, "turns", M_SUCCESS, rows[i].turns, 0.001);
        trial.policy_index = NIGHT_COUNTS;
        trial_run(&trial, REPLICATIONS);
        compare(&trial, "counts", M_SUCCESS, rows[i].counts, 0.001);
        trial_done(&trial);
    }
}

int main(int argc, char **argv)
{
    CU_TestInfo quick[] = {
        {"is as sketched", quickstart_is_as_sketched},
        {"keeps its order", quickstart_keeps_its_order},
        {"without repeats", quickstart_without_repeats},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo repeats[] = {
        {"are as sketched", repeats_are_as_sketched},
        {"pay from a share on", affinity_pays_from_a_share_on},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo mixed[] = {
        {"are as sketched", mixed_nodes_are_as_sketched},
        {"at other rates", mixed_nodes_at_other_rates},
        {"turns fall off a cliff", turns_fall_off_a_cliff},
        {"fresh reports are as good as weights",
         fresh_reports_are_as_good_as_weights},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo hole[] = {
        {"is as sketched", black_hole_is_as_sketched},
        {"by variant", black_hole_by_variant},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("sketch of quickstart", NULL, NULL, NULL, NULL, quick),
        SUITE("sketch of repeats", NULL, NULL, NULL, NULL, repeats),
        SUITE("sketch of mixed nodes", NULL, NULL, NULL, NULL, mixed),
        SUITE("sketch of a black hole", NULL, NULL, NULL, NULL, hole),
        CU_SUITE_INFO_NULL,
    };

    return check_main(argc, argv, suites);
}
