/*
 * Knative's autoscaler: answers worked by hand from autoscaler.go, and the
 * reports of knative/serving #8106 and #3153.
 */
#include "sim/cluster/kpa.h"

#include "tests/check.h"

#define SECOND INT64_C(1000000000)

static struct kpa_spec spec;
static struct kpa kpa;

static uint32_t tick(uint32_t ready, double stable, double panic, int64_t at_s)
{
    return kpa_tick(&kpa, ready, stable, panic, at_s * SECOND).desired;
}

static void begin(void)
{
    spec = kpa_defaults();
    kpa_init(&kpa, &spec);
}

/* Target 70. 350 ask for 5, 2.5 times the 2 there are; 270 for 4, just twice;
   210 for 3, once and a half. */
static void panic_threshold(void)
{
    begin();
    CHECK_UINT(tick(2, 140, 350, 0), 5);
    CHECK(kpa.panics);
    begin();
    CHECK_UINT(tick(2, 140, 270, 0), 4);
    CHECK(kpa.panics);
    begin();
    CHECK_UINT(tick(2, 140, 210, 0), 2);
    CHECK(!kpa.panics);
}

static void shrinking_is_by_half_at_most(void)
{
    begin();
    CHECK_UINT(tick(10, 70, 70, 0), 5);
    CHECK_UINT(tick(5, 70, 70, 2), 2);
}

static void growth_has_a_rate(void)
{
    begin();
    spec.max_up_rate = 1.5;
    CHECK_UINT(tick(2, 700, 700, 0), 3);
    CHECK_UINT(tick(0, 7, 7, 2), 3); /* it panics and does not go down */
}

/* 5 pods of 100 less 211 less 120. */
static void excess_burst_is_what_is_left(void)
{
    begin();
    CHECK_NEAR(kpa_tick(&kpa, 5, 100, 120, 0).excess_burst, 169, 0);
    CHECK_NEAR(kpa_tick(&kpa, 2, 100, 120, 0).excess_burst, -131, 0);
    spec.burst_capacity = 0;
    CHECK_NEAR(kpa_tick(&kpa, 2, 100, 120, 0).excess_burst, 0, 0);
    spec.burst_capacity = -1;
    CHECK_NEAR(kpa_tick(&kpa, 90, 100, 120, 0).excess_burst, -1, 0);
}

/* Crossed at 0 s and again at 10 s: over after 70 s, and only then down. */
static void panic_lasts_a_stable_window(void)
{
    begin();
    CHECK_UINT(tick(2, 140, 700, 0), 10);
    CHECK_UINT(tick(2, 140, 560, 10), 10);
    CHECK_UINT(tick(10, 200, 70, 40), 10);
    CHECK_UINT(tick(10, 500, 70, 70), 10);
    CHECK_UINT(tick(10, 500, 70, 72), 8);
}

/* Samples 1000 0 0 0 0 1000 at target 10: 333.3 over six, 200 over five. In a
   panic the larger counts, 34, not the 20 of the short window. */
static void panic_does_not_forget_the_long_window(void)
{
    static const double samples[] = {1000, 0, 0, 0, 0, 1000};
    struct bucket_window window;

    begin();
    spec.target = 10;
    CHECK(bucket_window_init(&window, 6));
    for (int i = 0; i < 6; i++)
        bucket_window_add(&window, samples[i]);
    CHECK_NEAR(bucket_window_mean(&window, 6), 333.333333333333, 1e-9);
    CHECK_NEAR(bucket_window_mean(&window, 5), 200, 0);
    CHECK_UINT(tick(10, bucket_window_mean(&window, 6),
                    bucket_window_mean(&window, 5), 6),
               34);
    CHECK(kpa.panics);
    bucket_window_done(&window);
}

/* A ramp to 1000 pods that take 60 s to start: what is wanted never falls
   while the load stays, not even when the panic is over. */
static void ramp_is_not_undone(void)
{
    uint32_t wanted[600], last = 0;
    struct bucket_window window;

    begin();
    spec.target = 10;
    CHECK(bucket_window_init(&window, 60));
    for (int s = 0; s < 600; s++) {
        uint32_t ready = s < 60 ? 1 : wanted[s - 60];

        bucket_window_add(&window, 10000);
        wanted[s] = tick(ready, bucket_window_mean(&window, 60),
                         bucket_window_mean(&window, 6), s);
        CHECK(wanted[s] >= last);
        last = wanted[s];
    }
    CHECK_UINT(last, 1000);
    CHECK(!kpa.panics);
    bucket_window_done(&window);
}

static void last_one_goes_after_its_grace(void)
{
    begin();
    CHECK_UINT(tick(1, 5, 0, 0), 1);
    CHECK_UINT(tick(1, 0, 0, 60), 1);
    CHECK_UINT(tick(1, 0, 0, 88), 1);
    CHECK_UINT(tick(1, 0, 0, 90), 0);
    CHECK_UINT(tick(0, 0, 0, 92), 0);
    CHECK_UINT(tick(0, 1, 1, 94), 1);
    CHECK_UINT(tick(1, 0, 0, 96), 1); /* the grace begins anew */
    spec.min = 1;
    CHECK_UINT(tick(1, 0, 0, 600), 1);
}

static void limits_hold(void)
{
    begin();
    spec.min = 2;
    spec.max = 6;
    CHECK_UINT(tick(1, 0, 0, 0), 2);
    CHECK_UINT(tick(2, 7000, 7000, 2), 6);
}

/* Less than a window seen: the mean is over what was seen. */
static void windows_fill(void)
{
    struct bucket_window window;

    CHECK(bucket_window_init(&window, 4));
    CHECK_NEAR(bucket_window_mean(&window, 4), 0, 0);
    bucket_window_add(&window, 8);
    bucket_window_add(&window, 4);
    CHECK_NEAR(bucket_window_mean(&window, 4), 6, 0);
    for (int i = 1; i <= 9; i++)
        bucket_window_add(&window, i);
    CHECK_NEAR(bucket_window_mean(&window, 4), 7.5, 0);
    CHECK_NEAR(bucket_window_mean(&window, 1), 9, 0);
    bucket_window_done(&window);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"panic threshold", panic_threshold},
        {"shrinking is by half at most", shrinking_is_by_half_at_most},
        {"growth has a rate", growth_has_a_rate},
        {"excess burst is what is left", excess_burst_is_what_is_left},
        {"a panic lasts a stable window", panic_lasts_a_stable_window},
        {"a panic does not forget the long window",
         panic_does_not_forget_the_long_window},
        {"a ramp is not undone", ramp_is_not_undone},
        {"the last one goes after its grace", last_one_goes_after_its_grace},
        {"limits hold", limits_hold},
        {"windows fill", windows_fill},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("kpa", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };

    return check_main(argc, argv, suites);
}
