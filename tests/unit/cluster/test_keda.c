/* KEDA between none and one, and the HPA that it hands over to. */
#include "sim/cluster/keda.h"

#include "tests/check.h"

#define SECOND INT64_C(1000000000)

static struct keda keda;
static struct keda_spec spec;

static void begin(uint32_t min)
{
    spec = keda_defaults();
    spec.hpa.min = min;
    spec.target = 10000;
    CHECK(keda_init(&keda, &spec, 0));
}

static void end(void)
{
    keda_done(&keda);
}

static uint32_t poll(int64_t queue, uint32_t current, int64_t at_s)
{
    return keda_poll(&keda, queue * 1000, current, at_s * SECOND);
}

static uint32_t sync_at(int64_t queue, uint32_t current, int64_t at_s)
{
    return keda_sync(&keda, queue * 1000, true, current, at_s * SECOND);
}

static void activity_wakes_it(void)
{
    begin(0);
    CHECK_UINT(poll(0, 0, 0), 0);
    CHECK_UINT(sync_at(50, 0, 15), 0); /* the HPA is off at none */
    CHECK_UINT(poll(1, 0, 30), 1);
    CHECK_UINT(poll(50, 3, 60), 3);
    end();
}

/* A queue of 95 at 10 per replica: 10, four and then the double at a time. */
static void hpa_divides_the_queue(void)
{
    uint32_t current = 1;

    begin(0);
    current = sync_at(95, current, 0);
    CHECK_UINT(current, 5);
    current = sync_at(95, current, 15);
    CHECK_UINT(current, 10);
    CHECK_UINT(sync_at(95, current, 30), 10);
    CHECK_UINT(keda_sync(&keda, 0, false, current, 45 * SECOND), 10);
    end();
}

/* The last activity was seen at 60 s, so the cooldown is over after 360 s. */
static void cooldown_comes_before_none(void)
{
    begin(0);
    CHECK_UINT(poll(4, 2, 60), 2);
    CHECK_UINT(poll(0, 2, 330), 2);
    CHECK_UINT(poll(0, 2, 360), 2);
    CHECK_UINT(poll(0, 2, 390), 0);
    end();
}

/* Never active: none at once, but for an initial cooldown. */
static void initial_cooldown(void)
{
    begin(0);
    CHECK_UINT(poll(0, 1, 30), 0);
    spec.initial_cooldown_ns = 120 * SECOND;
    CHECK_UINT(poll(0, 1, 90), 1);
    CHECK_UINT(poll(0, 1, 120), 0);
    end();
}

static void minimum_is_kept(void)
{
    begin(2);
    CHECK_UINT(poll(0, 2, 1000), 2);
    CHECK_UINT(poll(0, 0, 1030), 2);
    CHECK_UINT(poll(5, 0, 1060), 2);
    end();
}

/* The HPA below it goes down to one, never to none. */
static void hpa_stops_at_one(void)
{
    begin(0);
    CHECK_UINT(sync_at(1, 4, 0), 4);
    CHECK_UINT(sync_at(0, 4, 301), 1);
    CHECK_UINT(sync_at(0, 1, 700), 1);
    end();
}

static void activation_has_a_threshold(void)
{
    begin(0);
    spec.activation = 5000;
    CHECK_UINT(poll(5, 0, 0), 0);
    CHECK_UINT(poll(6, 0, 30), 1);
    end();
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"activity wakes it", activity_wakes_it},
        {"the hpa divides the queue", hpa_divides_the_queue},
        {"cooldown comes before none", cooldown_comes_before_none},
        {"initial cooldown", initial_cooldown},
        {"the minimum is kept", minimum_is_kept},
        {"the hpa stops at one", hpa_stops_at_one},
        {"activation has a threshold", activation_has_a_threshold},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("keda", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };

    return check_main(argc, argv, suites);
}
