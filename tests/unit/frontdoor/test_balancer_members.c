/* Nodes that join and leave, as a balancer shows them to its policy. */
#include "tests/unit/frontdoor/recording.h"

/* A slot without a key is empty from the start, and takes nothing. */
static void empty_slots_are_not_eligible(void)
{
    uint32_t index = make_request(0, 1);

    described[1].key_length = 0;
    start();
    CHECK_UINT(seen.nodes[1].key_length, 0);
    ask(index, S, false);
    CHECK_UINT(seen.eligible, 5);
    CHECK_UINT(seen.request.eligible_count, 2);
}

static void leaver_empties_its_slot(void)
{
    uint32_t index = make_request(0, 1);

    start();
    CHECK(balancer_member(&balancer, 2, NULL, 3 * S));
    CHECK_TEXT(seen.log, "cmm");
    CHECK_INT(seen.view.now_ns, 3 * S);
    CHECK_UINT(seen.nodes[2].key_length, 0);
    ask(index, 4 * S, false);
    CHECK_UINT(seen.eligible, 3);
}

/* Another node in the old slot: nothing of the old one counts. */
static void newcomer_is_another_node(void)
{
    uint32_t index = make_request(0, 1);
    struct lbp_node as;

    start();
    as = described[2];
    CHECK(balancer_bar(&balancer, 2, BAR_DRAINING, true, S));
    CHECK_UINT(seen.nodes[2].health, LBP_DRAINING);
    CHECK(balancer_believe(&balancer, 2, false, S));
    CHECK(balancer_member(&balancer, 2, NULL, 2 * S));
    CHECK(balancer_member(&balancer, 2, &as, 5 * S));
    CHECK_UINT(seen.nodes[2].generation, as.generation + 1);
    CHECK_UINT(seen.nodes[2].key_length, as.key_length);
    CHECK_UINT(seen.nodes[2].health, LBP_HEALTHY);
    CHECK_INT(seen.nodes[2].up_since_ns, 5 * S);
    ask(index, 5 * S, false);
    CHECK_UINT(seen.eligible, 7);
    CHECK_UINT(seen.request.eligible_count, 3);
    CHECK(balancer_member(&balancer, 2, NULL, 6 * S));
    CHECK(balancer_member(&balancer, 2, &as, 7 * S));
    CHECK_UINT(seen.nodes[2].generation, as.generation + 2);
}

/* A newcomer of weight 0 joins, and takes nothing. */
static void weight_still_counts(void)
{
    uint32_t index = make_request(0, 1);
    struct lbp_node as;

    start();
    as = described[2];
    as.weight = 0;
    CHECK(balancer_member(&balancer, 2, NULL, S));
    CHECK(balancer_member(&balancer, 2, &as, 2 * S));
    ask(index, 3 * S, false);
    CHECK_UINT(seen.eligible, 3);
}

static void lack_of_memory_is_told(void)
{
    start();
    has_memory_for_members = false;
    CHECK(!balancer_member(&balancer, 2, NULL, S));
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"empty slots are not eligible", empty_slots_are_not_eligible},
        {"a leaver empties its slot", leaver_empties_its_slot},
        {"a newcomer is another node", newcomer_is_another_node},
        {"weight still counts", weight_still_counts},
        {"lack of memory is told", lack_of_memory_is_told},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("balancer joins", NULL, NULL, prepare, forget, tests),
        CU_SUITE_INFO_NULL,
    };

    return check_main(argc, argv, suites);
}
