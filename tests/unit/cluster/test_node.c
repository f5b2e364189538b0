#include "sim/cluster/node.h"
#include "tests/check.h"

#include <math.h>

#define S INT64_C(1000000000)

static struct event_tree tree;
static struct request_slab slab;
static struct node_world world;
static struct result_cache cache;
static struct delay_line hits;
static struct node node;
static struct group_spec spec;

/* Two slots at speed 2: a need of 1 s takes 0.5 s. */
static void node_of_two_slots(void)
{
    spec = (struct group_spec){.name = "gpu",
                               .count = 1,
                               .cpu_per_request = NAN,
                               .engine = {.slots = 2, .speed = 2}};
    CHECK(event_tree_init(&tree, 4));
    request_slab_init(&slab, true, 0);
    delay_line_init(&hits, 5 * S / 1000, RANK_DONE, 1u << 30);
    CHECK(result_cache_init(&cache, 10, 0, INT64_MAX));
    world = (struct node_world){.tree = &tree, .slab = &slab};
    node_init(&node, &spec, 0, 0, NULL, NULL);
}

static void forget_node(void)
{
    result_cache_done(&cache);
    delay_line_done(&hits);
    request_slab_done(&slab);
    event_tree_done(&tree);
}

static void with_cache(enum cache_fill fill)
{
    spec.result_cache.fill = fill;
    spec.result_cache.bytes_per_token = 4;
    node_init(&node, &spec, 0, 0, &cache, &hits);
}

static uint32_t arrive(double need, uint64_t key, int64_t now_ns,
                       enum node_answer expected)
{
    uint32_t index;
    struct request *request = request_slab_take(&slab, &index);

    request->need = need;
    request->flags = 0;
    request->node = 0;
    request->output_tokens = 10;
    *request_key_at(&slab, index) = (struct request_key){.hash = key};
    CHECK_INT(node_accept(&node, &world, request, index, now_ns), expected);
    return index;
}

/* The first event is the end of a request: finishes it, says which. */
static uint32_t finish_first(int64_t expected_ns)
{
    struct event_key first = event_tree_first(&tree);
    uint32_t index = tree.subjects[event_leaf_of(first)];

    CHECK_INT((int64_t)first.time_ns, expected_ns);
    CHECK(node_finish(&node, &world, request_at(&slab, index), index,
                      expected_ns));
    request_slab_give(&slab, request_at(&slab, index), index);
    return index;
}

static void third_of_three_waits_for_a_slot(void)
{
    uint32_t a = arrive(1, 0, 0, NODE_STARTED);
    uint32_t b = arrive(3, 0, 0, NODE_STARTED);
    uint32_t c = arrive(1, 0, 0, NODE_QUEUED);

    CHECK_UINT(node.queued, 1);
    CHECK_UINT(finish_first(S / 2), a);
    CHECK_INT(request_at(&slab, c)->started_at_ns, S / 2);
    CHECK_UINT(finish_first(S), c);
    CHECK_UINT(finish_first(3 * S / 2), b);
    CHECK_UINT(node.running, 0);
}

static void first_come_is_first_served(void)
{
    uint32_t waiting[3];

    arrive(2, 0, 0, NODE_STARTED);
    arrive(2, 0, 0, NODE_STARTED);
    for (int i = 0; i < 3; i++)
        waiting[i] = arrive(2, 0, i + 1, NODE_QUEUED);
    node_cancel(&node, &world, request_at(&slab, waiting[1]), waiting[1], false,
                10);
    finish_first(S);
    finish_first(S);
    CHECK_UINT(finish_first(2 * S), waiting[0]);
    CHECK_UINT(finish_first(2 * S), waiting[2]);
}

static void cancelled_request_frees_its_slot(void)
{
    uint32_t a = arrive(10, 0, 0, NODE_STARTED);
    uint32_t b = arrive(10, 0, 0, NODE_STARTED);
    uint32_t c = arrive(1, 0, 0, NODE_QUEUED);

    node_cancel(&node, &world, request_at(&slab, a), a, false, S);
    CHECK_UINT(finish_first(3 * S / 2), c);
    CHECK_UINT(finish_first(5 * S), b);
}

/* base 20 ms, 0.1 ms an input token, 12 ms an output token, speed 2:
   (20 + 0.1 * 100 + 12 * 10) / 2 = 75 ms; first token after (20 + 10) / 2. */
static void costs_of_tokens_make_the_service_time(void)
{
    struct request request = {.need = 1,
                              .flags = REQUEST_TOKENS,
                              .input_tokens = 100,
                              .output_tokens = 10};

    spec.engine.service = (struct service_spec){true, 0.020, 0.0001, 0.012};
    node_init(&node, &spec, 0, 0, NULL, NULL);
    CHECK_INT(node_service_ns(&node, &request), 75000000);
    CHECK_INT(node_first_token_ns(&node, &request), 15000000);
    request.need = 2; /* the noise factor */
    CHECK_INT(node_service_ns(&node, &request), 150000000);
}

static void answer_is_cached_when_it_is_ready(void)
{
    uint32_t hit;

    with_cache(CACHE_FILL_AT_ANSWER);
    arrive(1, 7, 0, NODE_STARTED);
    arrive(1, 7, S / 10, NODE_STARTED); /* the first is not ready yet */
    finish_first(S / 2);
    hit = arrive(1, 7, S / 2, NODE_HIT);
    CHECK_UINT(request_at(&slab, hit)->flags, REQUEST_CACHED);
    CHECK_INT((int64_t)event_tree_first(&tree).time_ns, S / 2 + 5 * S / 1000);
    CHECK_UINT(cache.bytes, 40); /* ten tokens of four bytes */
    CHECK_UINT(node.hit_count, 1);
    CHECK_UINT(node.miss_count, 2);
}

static void fill_at_miss_serves_the_next_at_once(void)
{
    with_cache(CACHE_FILL_AT_MISS);
    arrive(1, 7, 0, NODE_STARTED);
    arrive(1, 7, 0, NODE_HIT);
}

/* What a full node refuses, it does not answer. */
static void refused_question_is_not_learnt(void)
{
    spec.engine.slots = 1;
    spec.engine.limits_queue = true;
    with_cache(CACHE_FILL_AT_MISS);
    arrive(1, 7, 0, NODE_STARTED);
    arrive(1, 8, 0, NODE_FULL);
    arrive(1, 8, 0, NODE_FULL);
    arrive(1, 7, 0, NODE_HIT);
}

static void request_without_key_asks_no_cache(void)
{
    with_cache(CACHE_FILL_AT_MISS);
    arrive(1, 0, 0, NODE_STARTED);
    arrive(1, 0, 0, NODE_STARTED);
    CHECK_UINT(node.miss_count, 0);
}

static void death_loses_all_inside_and_the_cache(void)
{
    uint32_t a, b, c, d, lost;

    with_cache(CACHE_FILL_AT_MISS);
    a = arrive(1, 1, 0, NODE_STARTED);
    b = arrive(1, 2, 0, NODE_STARTED);
    c = arrive(1, 3, 0, NODE_QUEUED);
    d = arrive(1, 1, 0, NODE_HIT);

    lost = node_die(&node, &world, 0, S / 4);
    CHECK_UINT(lost, a);
    CHECK_UINT(request_at(&slab, a)->next, b);
    CHECK_UINT(request_at(&slab, b)->next, c);
    CHECK_UINT(request_at(&slab, c)->next, d);
    CHECK_UINT(request_at(&slab, d)->next, REQUEST_NONE);
    CHECK_INT(request_at(&slab, a)->state, REQUEST_LOST);
    CHECK_UINT(node.running + node.queued, 0);
    arrive(1, 1, S / 3, NODE_DEAD);
    node_restart(&node, S);
    arrive(1, 1, S, NODE_STARTED); /* cold */
}

/* One request from 0 to 0.5 s, two more from 1 s on, one of them waiting;
   dead from 1.25 s to 2 s. */
static void meters_integrate_what_changes(void)
{
    struct node_reading read;

    spec.engine.slots = 1;
    spec.memory_given = true;
    spec.memory_base = 0.4;
    spec.memory_per_request = 0.3;
    node_init(&node, &spec, 0, 0, NULL, NULL);
    arrive(1, 0, 0, NODE_STARTED);
    finish_first(S / 2);
    arrive(1, 0, S, NODE_STARTED);
    arrive(1, 0, S, NODE_QUEUED);
    node_die(&node, &world, 0, 5 * S / 4);
    node_read(&node, 2 * S, &read);

    CHECK_UINT(read.busy, (uint64_t)(S / 2 + S / 4));
    CHECK_UINT(read.queued, (uint64_t)(S / 4));
    CHECK_UINT(read.down_ns, (uint64_t)(3 * S / 4));
    CHECK_NEAR(read.memory_ns * 1e-9, 0.75 * 0.7 + 0.5 * 0.4, 1e-9);
}

static void uses_are_shares_capped_at_one(void)
{
    spec.memory_given = true;
    spec.memory_base = 0.8;
    spec.memory_per_request = 0.15;
    spec.cpu_per_request = 0.1;
    node_init(&node, &spec, 0, 0, NULL, NULL);
    arrive(1, 0, 0, NODE_STARTED);
    CHECK_NEAR(node_gpu_use(&node), 0.5, 0);
    CHECK_NEAR(node_cpu_use(&node), 0.1, 1e-15);
    CHECK_NEAR(node_memory_use(&node), 0.95, 1e-15);
    arrive(1, 0, 0, NODE_STARTED);
    CHECK_NEAR(node_memory_use(&node), 1, 0);
    spec.kind = NODE_CPU;
    node_init(&node, &spec, 0, 0, NULL, NULL);
    CHECK_NEAR(node_cpu_use(&node), 0, 0);
    CHECK(isnan(node_gpu_use(&node)));
}

static void first_token_has_an_event_when_asked_for(void)
{
    uint32_t index;
    struct request *request = request_slab_take(&slab, &index);

    spec.engine.service = (struct service_spec){true, 0.020, 0, 0.010};
    node_init(&node, &spec, 0, 0, NULL, NULL);
    world.first_token_events = true;
    *request = (struct request){
        .need = 1, .flags = REQUEST_TOKENS, .output_tokens = 4};
    node_accept(&node, &world, request, index, 0);
    CHECK_UINT(event_tree_first(&tree).time_ns, 10000000);
    CHECK(request->flags & REQUEST_FIRST_TOKEN);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"the third of three waits for a slot",
         third_of_three_waits_for_a_slot},
        {"first come is first served", first_come_is_first_served},
        {"a cancelled request frees its slot",
         cancelled_request_frees_its_slot},
        {"costs of tokens make the service time",
         costs_of_tokens_make_the_service_time},
        {"an answer is cached when it is ready",
         answer_is_cached_when_it_is_ready},
        {"fill at miss serves the next at once",
         fill_at_miss_serves_the_next_at_once},
        {"a refused question is not learnt", refused_question_is_not_learnt},
        {"a request without key asks no cache",
         request_without_key_asks_no_cache},
        {"death loses all inside and the cache",
         death_loses_all_inside_and_the_cache},
        {"meters integrate what changes", meters_integrate_what_changes},
        {"uses are shares capped at one", uses_are_shares_capped_at_one},
        {"the first token has an event when asked for",
         first_token_has_an_event_when_asked_for},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("node", NULL, NULL, node_of_two_slots, forget_node, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
