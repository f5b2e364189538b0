/* Slow start: the values of its namesakes, as read in their sources. */
#include "sim/frontdoor/slow_start.h"

#include "sim/frontdoor/node_cap.h"

#include "tests/check.h"

#define MS INT64_C(1000000)
#define S INT64_C(1000000000)

static const struct slow_start_spec envoy = {.given = true,
                                             .rule = SLOW_START_ENVOY,
                                             .window_ns = 60 * S,
                                             .aggression = 1,
                                             .min_share = 0.1};
static const struct slow_start_spec haproxy = {
    .given = true, .rule = SLOW_START_HAPROXY, .window_ns = 60 * S};

static double envoy_at(double t_s, double aggression)
{
    struct slow_start_spec spec = envoy;

    spec.aggression = aggression;
    return slow_start_factor(&spec, (int64_t)(t_s * (double)S));
}

/* Window 60 s: max(10 %, (max(1 ms, t) / window)^(1 / aggression)); 0.5^0.5 =
   0.70711. */
static void envoy_grows_from_a_tenth(void)
{
    CHECK_NEAR(envoy_at(0, 1), 0.10, 1e-15);
    CHECK_NEAR(envoy_at(1, 1), 0.10, 1e-15);
    CHECK_NEAR(envoy_at(6, 1), 0.10, 1e-15);
    CHECK_NEAR(envoy_at(30, 1), 0.50, 1e-15);
    CHECK_NEAR(envoy_at(30, 2), 0.7071067811865476, 1e-14);
    CHECK_NEAR(envoy_at(30, 0.5), 0.25, 1e-15);
    CHECK_NEAR(envoy_at(59.999, 1), 59.999 / 60, 1e-12);
    CHECK_NEAR(envoy_at(60, 1), 1, 0);
    CHECK_NEAR(envoy_at(1e6, 0.5), 1, 0);
}

/* Its clock counts milliseconds, and the first is there at once: 1/60000 to the
   power of 1/5 is 0.11076. */
static void envoy_takes_a_millisecond_for_granted(void)
{
    CHECK_NEAR(envoy_at(0, 5), 0.110756634324829, 1e-12);
    CHECK_NEAR(envoy_at(0.0019, 5), 0.110756634324829, 1e-12);
}

/* S = 60 s: w = floor((16 t + S) / S) of 16; with user weight 100 effective
   100, 100, 200, 500, 900, 1300, 1600, 1600. */
static void haproxy_grows_by_sixteenths(void)
{
    static const unsigned t_s[] = {0, 1, 4, 15, 30, 45, 59, 60};
    static const unsigned w[] = {1, 1, 2, 5, 9, 13, 16, 16};

    for (unsigned i = 0; i < 8; i++)
        CHECK_NEAR(slow_start_factor(&haproxy, t_s[i] * S), w[i] / 16.0, 0);
    CHECK_NEAR(slow_start_factor(&haproxy, 15 * S - 1), 4 / 16.0, 0);
}

/* maxconn 100 at t = 0, 1, 15, 30, 59: 1, 1, 25, 50, 98. With minconn 100,
   maxconn 1000, fullconn 10000 and 5000 connections the cap is 500, and a
   quarter of it after 15 s: 125. */
static void haproxy_caps_what_is_in_flight(void)
{
    static const unsigned t_s[] = {0, 1, 15, 30, 59, 60};
    static const unsigned cap[] = {1, 1, 25, 50, 98, 100};

    for (unsigned i = 0; i < 6; i++)
        CHECK_UINT(node_cap(100, 0, 1, 50,
                            slow_start_cap_percent(&haproxy, t_s[i] * S)),
                   cap[i]);
    CHECK_UINT(node_cap(1000, 100, 10000, 5000,
                        slow_start_cap_percent(&haproxy, 15 * S)),
               125);
    CHECK_UINT(slow_start_cap_percent(&envoy, 15 * S), 100);
}

/* Every max(1 s, S / 20) as the namesake does; a hundredth of the window. */
static void it_is_looked_at_in_steps(void)
{
    struct slow_start_spec brief = haproxy;

    CHECK_INT(slow_start_step_ns(&haproxy), 3 * S);
    brief.window_ns = 10 * S;
    CHECK_INT(slow_start_step_ns(&brief), S);
    CHECK_INT(slow_start_step_ns(&envoy), 600 * MS);
    brief = envoy;
    brief.window_ns = S;
    CHECK_INT(slow_start_step_ns(&brief), 100 * MS);
}

static void only_envoy_begins_slowly_at_time_0(void)
{
    struct slow_start_spec off = envoy;

    off.given = false;
    CHECK(slow_start_at_start(&envoy));
    CHECK(!slow_start_at_start(&haproxy));
    CHECK(!slow_start_at_start(&off));
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"envoy grows from a tenth", envoy_grows_from_a_tenth},
        {"envoy takes a millisecond for granted",
         envoy_takes_a_millisecond_for_granted},
        {"haproxy grows by sixteenths", haproxy_grows_by_sixteenths},
        {"haproxy caps what is in flight", haproxy_caps_what_is_in_flight},
        {"it is looked at in steps", it_is_looked_at_in_steps},
        {"only envoy begins slowly at time 0",
         only_envoy_begins_slowly_at_time_0},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("slow_start", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
