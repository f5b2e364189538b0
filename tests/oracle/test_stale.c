/*
 * Old information. Queue lengths posted every T: own simulations of the
 * periodic update model (Mitzenmacher, "How Useful Is Old Information?", IEEE
 * TPDS 11(1), 2000) by an independent program, with 95 % half-widths. The
 * herd of eight nodes: a second independent program, whose reports are of the
 * moment and not means.
 */
#include "tests/oracle/stale.h"

#define REPLICATIONS 10

/* Ten requests a node of 1 s each between two posts: worse than blindness from
   somewhere between two and four on (llm-d-router #1598), gently so for two. */
static void shortest_posted_queue_herds(void)
{
    struct trial trial;

    stale_load(&trial, 2301, 6000, 8, 0.8, 2);
    stale_run(&trial, STALE_SHORTEST, REPLICATIONS);
    TRIAL_BIASED(&trial, M_LATENCY_MEAN, 4.1, 0.2, 0.3);
    CHECK(trial_mean(&trial, M_LATENCY_MEAN) < 5); /* M/M/1 */
    trial_done(&trial);
    stale_load(&trial, 2302, 6000, 8, 0.8, 4);
    stale_run(&trial, STALE_SHORTEST, REPLICATIONS);
    TRIAL_BIASED(&trial, M_LATENCY_MEAN, 6.4, 0.3, 0.5);
    CHECK(trial_mean(&trial, M_LATENCY_MEAN) > 5);
    stale_run(&trial, STALE_OWN_COUNTED, REPLICATIONS);
    CHECK(trial_mean(&trial, M_LATENCY_MEAN) < 2.4);
    trial_done(&trial);
}

static void two_choices_of_posted_queues(void)
{
    struct trial trial;

    stale_load(&trial, 2303, 600, 100, 0.5, 5);
    stale_run(&trial, STALE_TWO, REPLICATIONS);
    TRIAL_TWO_SAMPLES(&trial, M_LATENCY_MEAN, 1.81119, 0.0033, 0.03);
    trial_done(&trial);
}

/* Between blind and always right: reports at 1 s against none, under way for
   ever longer. */
static void late_reports_are_older_news(void)
{
    struct trial trial;
    double means[3];

    for (int i = 0; i < 3; i++) {
        stale_load(&trial, 2305, 2000, 8, 0.8, 0.5);
        trial.scenario.balancer.report_delay_ns = i * INT64_C(1000000000);
        stale_run(&trial, STALE_SHORTEST, 4);
        means[i] = trial_mean(&trial, M_LATENCY_MEAN);
        trial_done(&trial);
    }
    CHECK(means[0] * 1.2 < means[1] && means[1] * 1.2 < means[2]);
}

/* Losing half of the reports is about as bad as making half as many, and own
   counts make up for both. */
static void lost_reports_are_as_good_as_not_made(void)
{
    struct trial trial;
    struct trial_estimate lossy, rare;

    herd_load(&trial, 2306, 120, "1 s");
    trial.scenario.balancer.report_loss = 0.5;
    lossy = herd_mean(&trial, HERD_PLAIN, 5);
    CHECK(herd_mean(&trial, HERD_RAW, 5).mean <
          herd_mean(&trial, HERD_RANDOM, 5).mean);
    trial_done(&trial);
    herd_load(&trial, 2306, 120, "2 s");
    rare = herd_mean(&trial, HERD_PLAIN, 5);
    CHECK_NEAR(lossy.mean, rare.mean, 0.3 * rare.mean);
    trial_done(&trial);
}

/* --- eight nodes of eight slots ------------------------------------------- */

static void herd_at(const char *interval, struct trial_estimate *ret)
{
    struct trial trial;

    herd_load(&trial, 2307, 200, interval);
    for (int p = 0; trial.loaded && p < HERD_POLICIES; p++)
        ret[p] = herd_mean(&trial, (enum herd_policy)p, 4);
    trial_done(&trial);
}

static bool is_below(struct trial_estimate a, struct trial_estimate b)
{
    return a.mean < b.mean;
}

static void herding_needs_a_raw_queue_to_be_cured(void)
{
    struct trial_estimate half[HERD_POLICIES], one[HERD_POLICIES];

    herd_at("500 ms", half);
    herd_at("1 s", one);
    CHECK(is_below(half[HERD_RANDOM], half[HERD_NORMALISED]));
    CHECK(is_below(half[HERD_NORMALISED], half[HERD_PLAIN]));
    CHECK(is_below(half[HERD_RAW], half[HERD_RANDOM]));
    CHECK(is_below(half[HERD_TWO], half[HERD_RANDOM]));
    CHECK(is_below(one[HERD_RANDOM], one[HERD_NORMALISED]));
    CHECK(3 * one[HERD_RANDOM].mean < one[HERD_PLAIN].mean);
    CHECK(is_below(one[HERD_RAW], one[HERD_RANDOM]));
    CHECK_NEAR(one[HERD_RAW].mean, 0.53, 0.02);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"shortest posted queue herds", shortest_posted_queue_herds},
        {"two choices of posted queues", two_choices_of_posted_queues},
        {"late reports are older news", late_reports_are_older_news},
        {"lost reports are as good as not made",
         lost_reports_are_as_good_as_not_made},
        {"herding needs a raw queue to be cured",
         herding_needs_a_raw_queue_to_be_cured},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("old information", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
