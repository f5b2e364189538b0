/* Targets of faults: what users write, who is meant, and what is refused. */
#include "sim/cluster/fault_target.h"

#include "sim/cluster/fault_spec.h"
#include "sim/cluster/group_spec.h"
#include "tests/check.h"

#include <stdlib.h>

/* gpu: 0 to 5, cpu: 6 and 7, 4090: 8; zones a and b in turn, b, none. */
static const char *const two_zones[] = {"a", "b"};
static const char *const one_zone[] = {"b"};
static const struct group_spec groups[] = {
    {.name = "gpu", .count = 6, .zones = two_zones, .zone_count = 2},
    {.name = "cpu", .count = 2, .zones = one_zone, .zone_count = 1},
    {.name = "4090", .count = 1},
    {.name = "none", .count = 0}};
enum { NODES = 9, GROUPS = 4 };

static struct fault_target_text read;
static struct fault_flaw_at flaw;

static bool reads(const char *text)
{
    return fault_target_read(text, groups, GROUPS, &read, &flaw);
}

static uint64_t resolve(uint64_t seed)
{
    uint64_t bits = 0, scratch;
    struct rng rng;

    rng_stream(&rng, seed, 1, RNG_FAULT_VICTIMS, 0);
    fault_target_resolve(&read.target, &rng, NODES, &bits, &scratch);
    return bits;
}

/* Bit n of expected: node n. */
static void is(const char *text, uint64_t expected)
{
    CHECK(reads(text));
    CHECK(fault_target_is_fixed(&read.target));
    CHECK_UINT(resolve(1), expected);
}

static void places_are_understood(void)
{
    is("gpu[0]", 1);
    is("gpu[5]", 32);
    is("cpu[1]", 128);
    is("4090", 256);
    is("4090[0]", 256);
    is(" gpu [ 1 - 3 ] ", 14);
    is("gpu[0,2-3,5]", 45);
    is("gpu[*]", 63);
    is("*", 511);
    is("zone a", 21);   /* 0, 2, 4 */
    is("zone: b", 234); /* 1, 3, 5, 6, 7 */
    is("zone:b", 234);
    is("gpu[0], cpu[*]", 193);
    is("gpu[1], gpu[1-2], gpu[2]", 6); /* nobody is struck twice */
}

static void the_only_one_is_told(void)
{
    CHECK(reads("cpu[0]"));
    CHECK_UINT(fault_target_only(&read.target), 6);
    CHECK(reads("gpu[0-1]"));
    CHECK_UINT(fault_target_only(&read.target), UINT32_MAX);
    CHECK(reads("1 of gpu"));
    CHECK_UINT(fault_target_only(&read.target), UINT32_MAX);
    CHECK_UINT(fault_target_size(&read.target), 6);
}

static void draws_take_as_many_as_they_say(void)
{
    static const struct {
        const char *text;
        uint64_t among;
        int count;
    } draws[] = {{"2 of gpu", 63, 2},         {"30 % of gpu", 63, 2},
                 {"25% of gpu[0-3]", 15, 1},  {"1 % of gpu", 63, 1},
                 {"100 % of zone b", 234, 5}, {"3 of zone a", 21, 3},
                 {"12.5 % of *", 511, 1},     {"50 % of cpu, gpu[0]", 193, 2}};

    for (size_t i = 0; i < sizeof draws / sizeof *draws; i++)
        for (uint64_t seed = 1; seed <= 50; seed++) {
            uint64_t bits;

            CHECK(reads(draws[i].text));
            bits = resolve(seed);
            CHECK_UINT(bits & ~draws[i].among, 0);
            CHECK_INT(__builtin_popcountll(bits), draws[i].count);
            CHECK(!fault_target_is_fixed(&read.target));
        }
}

/* Each of 15 pairs of 6 is as likely: 30,000 draws, 2,000 expected of each,
   with a standard deviation of 43. */
static void each_set_is_as_likely(void)
{
    uint32_t seen[64] = {0};
    uint32_t pairs = 0;

    CHECK(reads("2 of gpu"));
    for (uint64_t seed = 1; seed <= 30000; seed++)
        seen[resolve(seed) & 63]++;
    for (int set = 0; set < 64; set++) {
        if (seen[set] == 0)
            continue;
        pairs++;
        CHECK_NEAR(seen[set], 2000, 5 * 43);
    }
    CHECK_UINT(pairs, 15);
}

static void refuses(const char *text, enum fault_flaw expected)
{
    CHECK(!reads(text));
    CHECK_INT(flaw.flaw, expected);
}

static void flaws_are_told_apart(void)
{
    refuses("gpus[0]", FAULT_FLAW_NO_GROUP);
    refuses("zone c", FAULT_FLAW_NO_ZONE);
    refuses("gpu", FAULT_FLAW_BARE);
    refuses("none", FAULT_FLAW_BARE);
    refuses("gpu[6]", FAULT_FLAW_NO_NODE);
    refuses("gpu[4-6]", FAULT_FLAW_NO_NODE);
    refuses("none[*]", FAULT_FLAW_TOO_FEW);
    refuses("7 of gpu", FAULT_FLAW_TOO_FEW);
    refuses("0 of gpu", FAULT_FLAW_TOO_FEW);
    refuses("1.5 of gpu", FAULT_FLAW_TOO_FEW);
    refuses("0 % of gpu", FAULT_FLAW_TOO_FEW);
    refuses("101 % of gpu", FAULT_FLAW_TOO_FEW);
    refuses("gpu[", FAULT_FLAW_FORM);
    refuses("gpu[]", FAULT_FLAW_FORM);
    refuses("gpu[x]", FAULT_FLAW_FORM);
    refuses("gpu[2-1]", FAULT_FLAW_FORM);
    refuses("gpu[1-]", FAULT_FLAW_FORM);
    refuses("gpu[1 2]", FAULT_FLAW_FORM);
    refuses("gpu[99999999999]", FAULT_FLAW_FORM);
    refuses("", FAULT_FLAW_FORM);
    refuses("gpu[0],", FAULT_FLAW_FORM);
    refuses("gpu[0], cpu[9]", FAULT_FLAW_NO_NODE);
    CHECK_UINT(flaw.length, 1);
    CHECK(strncmp(flaw.text, "9]", 2) == 0);
}

static void too_long_a_list_is_refused(void)
{
    char text[9000] = "4090";

    for (int i = 0; i < FAULT_PICKS_MAX; i++)
        strcat(text, ",4090");
    refuses(text, FAULT_FLAW_TOO_LONG);
    strcpy(text, "gpu[0");
    for (int i = 0; i < FAULT_STRETCHES_MAX; i++)
        strcat(text, ",0");
    strcat(text, "]");
    refuses(text, FAULT_FLAW_TOO_LONG);
}

static void balancers_go_by_number(void)
{
    uint64_t bits = 0, scratch;

    CHECK(fault_target_read_balancers("0, 2-3", 4, &read, &flaw));
    fault_target_resolve(&read.target, NULL, 4, &bits, &scratch);
    CHECK_UINT(bits, 13);
    CHECK(fault_target_read_balancers("*", 4, &read, &flaw));
    CHECK_UINT(fault_target_size(&read.target), 4);
    CHECK(fault_target_read_balancers("50 %", 4, &read, &flaw));
    CHECK(!fault_target_is_fixed(&read.target));
    CHECK_INT(__builtin_popcountll(resolve(3)), 2);
    CHECK(!fault_target_read_balancers("4", 4, &read, &flaw));
    CHECK_INT(flaw.flaw, FAULT_FLAW_NO_NODE);
    CHECK(!fault_target_read_balancers("gpu[0]", 4, &read, &flaw));
    CHECK_INT(flaw.flaw, FAULT_FLAW_FORM);
}

/* Against every pair of places, node by node. */
static void targets_meet_where_a_node_is_in_both(void)
{
    static const char *const places[] = {"gpu[0]",  "gpu[3-5]", "zone a",
                                         "zone b",  "cpu[*]",   "gpu[1,4]",
                                         "4090[0]", "*"};
    enum { COUNT = sizeof places / sizeof *places };

    for (int i = 0; i < COUNT; i++)
        for (int j = 0; j < COUNT; j++) {
            static struct fault_target_text a, b;
            uint64_t of_a, of_b;

            CHECK(reads(places[i]));
            a = read;
            a.target.picks = a.picks;
            a.target.stretches = a.stretches;
            of_a = resolve(1);
            CHECK(reads(places[j]));
            b = read;
            b.target.picks = b.picks;
            b.target.stretches = b.stretches;
            of_b = resolve(1);
            CHECK_INT(fault_targets_meet(&a.target, &b.target),
                      (of_a & of_b) != 0);
        }
}

/* A mean of 10 s, of 10,000 draws: within five standard errors. */
static void times_are_drawn_in_ns(void)
{
    struct dist_params params = DIST_PARAMS_NONE;
    struct dist dist;
    struct rng rng;
    double sum_s = 0;

    params.kind = DIST_EXPONENTIAL;
    params.mean = 10;
    CHECK(dist_init(&dist, &params, NULL, 0));
    rng_stream(&rng, 1, 1, RNG_FAULT_TIMES, 0);
    for (int i = 0; i < 10000; i++)
        sum_s += (double)fault_draw_time_ns(&dist, &rng) * 1e-9;
    CHECK_NEAR(sum_s / 10000, 10, 0.5);
    params.kind = DIST_CONSTANT;
    params.mean = NAN;
    params.value = 0; /* time goes on */
    CHECK(dist_init(&dist, &params, NULL, 0));
    CHECK_INT(fault_draw_time_ns(&dist, &rng), 1);
    params.value = 1e12;
    CHECK(dist_init(&dist, &params, NULL, 0));
    CHECK_INT(fault_draw_time_ns(&dist, &rng), INT64_C(3153600000000000000));
    CHECK_INT(fault_end_ns(5, INT64_MAX), INT64_MAX);
    CHECK_INT(fault_end_ns(5, 6), 11);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"places are understood", places_are_understood},
        {"the only one is told", the_only_one_is_told},
        {"draws take as many as they say", draws_take_as_many_as_they_say},
        {"each set is as likely", each_set_is_as_likely},
        {"flaws are told apart", flaws_are_told_apart},
        {"too long a list is refused", too_long_a_list_is_refused},
        {"balancers go by number", balancers_go_by_number},
        {"targets meet where a node is in both",
         targets_meet_where_a_node_is_in_both},
        {"times are drawn in ns", times_are_drawn_in_ns},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("fault_target", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
