/*
 * A balancer with a routing table: what its policy may choose from, and what it
 * is told. Nodes 0 and 1 run chat, nodes 1 and 2 light; chat may fall back on
 * light.
 */
#include "tests/unit/frontdoor/recording.h"

enum { ANY, CHAT, LIGHT };
enum { CLASS_CHAT, CLASS_LIGHT, CLASS_LOST };

static struct routing routing;

static const struct workload_class classes[] = {
    [CLASS_CHAT] = {.name = "chat",
                    .max_output_tokens = 100,
                    .priority = 5,
                    .deadline_ns = INT64_MAX,
                    .model = CHAT},
    [CLASS_LIGHT] = {.name = "light", .deadline_ns = INT64_MAX, .model = LIGHT},
    [CLASS_LOST] = {.name = "lost", .deadline_ns = INT64_MAX},
};

static void prepare_routed(void)
{
    static const struct routing_row chat[] = {{.model = CHAT},
                                              {.model = LIGHT}};
    static const struct routing_row light[] = {{.model = LIGHT}};
    static const struct routing_rows rows[] = {{2, chat}, {1, light}, {0}};
    static const struct routing_spec spec = {
        .given = true, .classes = rows, .class_count = 3};

    prepare();
    described[0].models = 1 | 1 << CHAT;
    described[1].models = 1 | 1 << CHAT | 1 << LIGHT;
    described[2].models = 1 | 1 << LIGHT;
    described[0].max_context = 500;
    CHECK(routing_init(&routing, &spec, described, NODES, &arena));
    setup.classes = classes;
    setup.routing = &routing;
}

static uint32_t make(uint64_t number, uint8_t is, uint32_t input_tokens)
{
    uint32_t index = make_request(number, input_tokens);
    struct request *request = request_at(&slab, index);

    request->request_class = request->taken_for = is;
    request->model = (uint8_t)classes[is].model;
    return index;
}

static void policy_sees_the_row_s_nodes(void)
{
    uint32_t chat = make(0, CLASS_CHAT, 10), light = make(1, CLASS_LIGHT, 10);

    start();
    ask(chat, 1, false);
    CHECK_UINT(seen.eligible, 1 << 0 | 1 << 1);
    CHECK_UINT(seen.request.eligible_count, 2);
    send(chat, 0, 1);
    CHECK_UINT(seen.request.model, CHAT);
    send(light, 2, 2);
    CHECK_UINT(seen.request.model, LIGHT);
    CHECK_UINT(request_at(&slab, light)->model, LIGHT);
    end(chat, 3, LBP_OK);
    CHECK_UINT(seen.request.model, CHAT); /* the same at on_done */
    CHECK_UINT(seen.request.request_class, CLASS_CHAT);
}

/* Input and the longest answer that clients allow: 400 + 100 fit, 401 do not.
 */
static void size_counts_with_the_answer_allowed(void)
{
    uint32_t fits = make(0, CLASS_CHAT, 400), large = make(1, CLASS_CHAT, 401);

    start();
    answer_slot = 1;
    ask(fits, 1, false);
    CHECK_UINT(seen.eligible, 1 << 0 | 1 << 1);
    ask(large, 1, false);
    CHECK_UINT(seen.eligible, 1 << 1);
}

/* One row after another, each without what was tried. */
static void retry_goes_on_to_the_next_row(void)
{
    uint32_t chat = make(0, CLASS_CHAT, 10);

    start();
    send(chat, 0, 1);
    fail(chat, 2);
    send(chat, 1, 3);
    CHECK_UINT(seen.request.model, CHAT);
    fail(chat, 4);
    answer_slot = 2;
    CHECK_INT(ask(chat, 5, false), LBP_PICKED);
    CHECK_UINT(seen.eligible, 1 << 2);
    CHECK_UINT(seen.request.model, LIGHT);
    CHECK_UINT(request_at(&slab, chat)->model, LIGHT);
}

static void unhealthy_nodes_are_no_row_s(void)
{
    uint32_t chat = make(0, CLASS_CHAT, 10);

    start();
    CHECK(balancer_believe(&balancer, 0, false, 1));
    CHECK(balancer_believe(&balancer, 1, false, 1));
    answer_slot = 2;
    ask(chat, 2, false);
    CHECK_UINT(seen.eligible, 1 << 2);
    CHECK(balancer_believe(&balancer, 0, true, 3));
    answer_slot = 0;
    ask(chat, 4, false);
    CHECK_UINT(seen.eligible, 1 << 0);
}

static void lack_of_a_model_differs_from_lack_of_nodes(void)
{
    uint32_t lost = make(0, CLASS_LOST, 10), light = make(1, CLASS_LIGHT, 10);
    uint32_t node = LBP_NO_SLOT;
    bool broken;

    start();
    CHECK_INT(balancer_pick(&balancer, &slab, request_at(&slab, lost), lost, 1,
                            &node, &broken),
              LBP_NO_NODE);
    CHECK(balancer.lacks_model);
    answer_slot = 1;
    ask(light, 2, false);
    CHECK(!balancer.lacks_model);
    for (uint32_t i = 0; i < NODES; i++)
        CHECK(balancer_believe(&balancer, i, false, 3));
    CHECK_INT(balancer_pick(&balancer, &slab, request_at(&slab, light), light,
                            4, &node, &broken),
              LBP_NO_NODE);
    CHECK(!balancer.lacks_model);
}

/* A policy may not name a node outside of the row. */
static void node_of_another_row_is_broken(void)
{
    uint32_t light = make(0, CLASS_LIGHT, 10);

    start();
    answer_slot = 0;
    ask(light, 1, true);
}

/* The front door goes by what it takes a request for. */
static void mistaken_request_goes_with_the_others(void)
{
    uint32_t chat = make(0, CLASS_CHAT, 10);

    start();
    request_at(&slab, chat)->taken_for = CLASS_LIGHT;
    answer_slot = 1;
    ask(chat, 1, false);
    CHECK_UINT(seen.eligible, 1 << 1 | 1 << 2);
    CHECK_UINT(seen.request.request_class, CLASS_LIGHT);
    CHECK_INT(seen.request.priority, 0);
    CHECK_UINT(seen.request.model, LIGHT);
}

static void without_routing_the_model_is_told_and_no_more(void)
{
    uint32_t chat = make(0, CLASS_CHAT, 1000);

    setup.routing = NULL;
    start();
    ask(chat, 1, false);
    CHECK_UINT(seen.request.eligible_count, 3);
    CHECK_UINT(seen.request.model, CHAT);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"the policy sees the row's nodes", policy_sees_the_row_s_nodes},
        {"the size counts with the answer allowed",
         size_counts_with_the_answer_allowed},
        {"a retry goes on to the next row", retry_goes_on_to_the_next_row},
        {"unhealthy nodes are no row's", unhealthy_nodes_are_no_row_s},
        {"lack of a model differs from lack of nodes",
         lack_of_a_model_differs_from_lack_of_nodes},
        {"a node of another row is broken", node_of_another_row_is_broken},
        {"a mistaken request goes with the others",
         mistaken_request_goes_with_the_others},
        {"without routing the model is told and no more",
         without_routing_the_model_is_told_and_no_more},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("balancer routed", NULL, NULL, prepare_routed, forget, tests),
        CU_SUITE_INFO_NULL,
    };

    return check_main(argc, argv, suites);
}
