/*
 * What differs between simulations of one scenario and what does not: which
 * balancer takes a request, the names of nodes, what is drawn.
 */
#include "tests/unit/experiment/simulation_world.h"

/* --- several balancers ---------------------------------------------------- */

static void four_balancers_a_thousand_requests(enum balancer_assign assign)
{
    scenario.balancer.count = 4;
    scenario.balancer.assign = assign;
    scenario.workload.arrivals.rate_per_s = 100;
    scenario.workload.work = constant(0.001);
    run(SIM_OK);
    CHECK_UINT(result.books.completed, 999);
    CHECK_UINT(probe.picks, 999);
}

static void balancers_take_requests_in_turn(void)
{
    four_balancers_a_thousand_requests(BALANCER_ASSIGN_ROUND_ROBIN);
    for (uint32_t i = 0; i < 999; i++)
        CHECK_UINT(probe.balancer_of[i], i % 4);
}

/* Four standard deviations of a binomial share: 4 sqrt(999 / 4 * 3 / 4) = 55;
   and neighbours go where they like: equal pairs are a quarter as well. */
static void balancers_take_requests_by_hash(void)
{
    uint32_t taken[4] = {0}, equal = 0;

    four_balancers_a_thousand_requests(BALANCER_ASSIGN_HASH);
    for (uint32_t i = 0; i < 999; i++) {
        taken[probe.balancer_of[i]]++;
        equal += i > 0 && probe.balancer_of[i] == probe.balancer_of[i - 1];
    }
    for (uint32_t b = 0; b < 4; b++)
        CHECK_NEAR(taken[b], 999 / 4.0, 55);
    CHECK_NEAR(equal, 998 / 4.0, 55);
}

/* A request's balancer depends on its number alone. */
static void hash_is_the_same_in_every_replication(void)
{
    static uint16_t before[REQUESTS_MAX];

    four_balancers_a_thousand_requests(BALANCER_ASSIGN_HASH);
    memcpy(before, probe.balancer_of, sizeof before);
    setup.replication = 2;
    probe.picks = 0;
    four_balancers_a_thousand_requests(BALANCER_ASSIGN_HASH);
    CHECK(memcmp(before, probe.balancer_of, sizeof before) == 0);
}

/* --- names of nodes ------------------------------------------------------- */

static void check_key(uint32_t node, const char *expected)
{
    CHECK_TEXT(probe.keys[node], expected);
    CHECK_UINT(probe.key_hashes[node],
               lbp_hash_xxh64(expected, strlen(expected), 0));
}

/* "<plain>~" and eight hexadecimal digits. */
static bool is_varied(const char *key, const char *plain)
{
    size_t length = strlen(plain);

    if (strncmp(key, plain, length) != 0 || key[length] != '~' ||
        strlen(key) != length + 9)
        return false;
    for (const char *at = key + length + 1; *at; at++)
        if (!isdigit((unsigned char)*at) && (*at < 'a' || *at > 'f'))
            return false;
    return true;
}

static void first_replication_has_plain_names(void)
{
    set_nodes(2);
    scenario.group_count = 2;
    scenario.node_count = 3;
    groups[1].name = "cpu";
    run(SIM_OK);
    check_key(0, "gpu-0");
    check_key(1, "gpu-1");
    check_key(2, "cpu-0");
}

static void other_replications_have_other_names(void)
{
    char second[KEY_SIZE];

    set_nodes(2);
    setup.replication = 2;
    run(SIM_OK);
    CHECK(is_varied(probe.keys[0], "gpu-0"));
    CHECK(is_varied(probe.keys[1], "gpu-1"));
    CHECK(strcmp(probe.keys[0] + 5, probe.keys[1] + 5) != 0);
    CHECK_UINT(probe.key_hashes[0],
               lbp_hash_xxh64(probe.keys[0], strlen(probe.keys[0]), 0));
    strcpy(second, probe.keys[0]);
    run(SIM_OK);
    CHECK_TEXT(probe.keys[0], second); /* the same in the same one */
    setup.replication = 3;
    run(SIM_OK);
    CHECK(is_varied(probe.keys[0], "gpu-0"));
    CHECK(strcmp(probe.keys[0], second) != 0);
}

static void fixed_names_never_change(void)
{
    groups[0].keys = NODE_KEYS_FIXED;
    setup.replication = 2;
    run(SIM_OK);
    check_key(0, "gpu-0");
}

static void listed_names_are_the_users(void)
{
    static const char *const keys[] = {"10.0.0.1:8000", "10.0.0.2:8000"};

    set_nodes(2);
    groups[0].keys = NODE_KEYS_LISTED;
    groups[0].listed_keys = keys;
    setup.replication = 7;
    run(SIM_OK);
    check_key(0, "10.0.0.1:8000");
    check_key(1, "10.0.0.2:8000");
}

/* --- chance --------------------------------------------------------------- */

static void poisson(void)
{
    scenario.workload.arrivals.process = ARRIVALS_POISSON;
}

static bool same_values(const struct run_result *other)
{
    return memcmp(result.values, other->values, sizeof result.values) == 0 &&
           memcmp(&result.books, &other->books, sizeof result.books) == 0 &&
           memcmp(result.curve_s, other->curve_s, sizeof result.curve_s) == 0 &&
           result.draws == other->draws && result.events == other->events;
}

/* One draw a pick between two nodes, none where there is one. */
static void draws_of_the_policy_are_counted(void)
{
    use_policy("random");
    run(SIM_OK);
    CHECK_UINT(result.draws, 0);
    set_nodes(2);
    run(SIM_OK);
    CHECK_UINT(result.draws, 99);
    scenario.balancer.count = 3;
    run(SIM_OK);
    CHECK_UINT(result.draws, 99);
}

static void same_seed_gives_the_same_results(void)
{
    struct run_result other;

    poisson();
    set_nodes(3);
    use_policy("two_choices");
    CHECK_INT(simulation_run(&setup, &other), SIM_OK);
    run(SIM_OK);
    CHECK(same_values(&other));
    run_result_done(&other);
}

static void other_seed_or_replication_gives_others(void)
{
    struct run_result other;

    poisson();
    CHECK_INT(simulation_run(&setup, &other), SIM_OK);
    setup.replication = 2;
    run(SIM_OK);
    CHECK(!same_values(&other));
    setup.replication = 1;
    scenario.seed = 2;
    run(SIM_OK);
    CHECK(!same_values(&other));
    run_result_done(&other);
}

/* What arrives does not depend on what the policy draws. */
static void policies_face_the_same_traffic(void)
{
    double offered, arrived;

    poisson();
    set_nodes(3);
    use_policy("random");
    run(SIM_OK);
    offered = result.values[M_OFFERED];
    arrived = (double)result.books.arrived;
    use_policy("round_robin");
    run(SIM_OK);
    CHECK_NEAR(result.values[M_OFFERED], offered, 0);
    CHECK_NEAR((double)result.books.arrived, arrived, 0);
}

int main(int argc, char **argv)
{
    CU_TestInfo balancers[] = {
        {"in turn", balancers_take_requests_in_turn},
        {"by hash", balancers_take_requests_by_hash},
        {"hash is the same in every replication",
         hash_is_the_same_in_every_replication},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo names[] = {
        {"plain in the first replication", first_replication_has_plain_names},
        {"varied in the others", other_replications_have_other_names},
        {"fixed", fixed_names_never_change},
        {"listed", listed_names_are_the_users},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo chance[] = {
        {"draws are counted", draws_of_the_policy_are_counted},
        {"same seed, same results", same_seed_gives_the_same_results},
        {"other seed or replication, others",
         other_seed_or_replication_gives_others},
        {"policies face the same traffic", policies_face_the_same_traffic},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("simulation balancers", NULL, NULL, prepare, forget, balancers),
        SUITE("simulation node names", NULL, NULL, prepare, forget, names),
        SUITE("simulation chance", NULL, NULL, prepare, forget, chance),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
