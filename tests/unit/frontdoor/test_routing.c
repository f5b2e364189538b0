/*
 * The routing table row by row, and the classifier. Nodes 0 and 1 are of group
 * 0, nodes 2 to 4 of group 1, node 69 of group 2; those between serve nothing
 * that is asked for here.
 */
#include "sim/frontdoor/routing.h"
#include "tests/check.h"

enum { ANY, CHAT, LIGHT, CODE };
enum { NODES = 70, WORDS = 2 };

static struct lbp_node nodes[NODES];
static struct arena arena;
static struct routing routing;
static uint64_t all[WORDS], chosen[WORDS];
static uint32_t model;

static void put(uint32_t node, uint16_t group, uint64_t models,
                uint32_t max_context)
{
    nodes[node] = (struct lbp_node){
        .group = group, .models = models, .max_context = max_context};
}

static void prepare(void)
{
    for (uint32_t i = 0; i < NODES; i++)
        put(i, 9, 1, 0);
    put(0, 0, 1 | 1 << CHAT, 4000);
    put(1, 0, 1 | 1 << CHAT, 8000);
    put(2, 1, 1 | 1 << LIGHT, 2000);
    put(3, 1, 1 | 1 << LIGHT | 1 << CHAT, 2000);
    put(4, 1, 1 | 1 << LIGHT, 0);
    put(69, 2, 1 | 1 << CODE, 0);
    all[0] = UINT64_MAX;
    all[1] = UINT64_MAX >> (128 - NODES);
    model = 77;
}

static void forget(void)
{
    arena_done(&arena);
}

/* Class 0 has these rows; class 1, which may be the default, the row of light;
   class 2 none. */
static void start(const struct routing_row *rows, uint32_t count,
                  bool has_default)
{
    static const struct routing_row light = {.model = LIGHT};
    struct routing_rows classes[3] = {{count, rows}, {1, &light}, {0, NULL}};
    struct routing_spec spec = {.given = true,
                                .classes = classes,
                                .class_count = 3,
                                .has_default = has_default,
                                .default_class = 1};

    CHECK(routing_init(&routing, &spec, nodes, NODES, &arena));
}

static uint32_t choose(uint32_t request_class, uint32_t tokens)
{
    return routing_choose(&routing, request_class, tokens, all, NULL, chosen,
                          &model);
}

static const uint32_t first_group[] = {0}, second_group[] = {1};

static void row_takes_nodes_that_list_its_model(void)
{
    static const struct routing_row rows[] = {{.model = CHAT}};

    start(rows, 1, false);
    CHECK_UINT(choose(0, 100), 3);
    CHECK_UINT(chosen[0], 1 << 0 | 1 << 1 | 1 << 3);
    CHECK_UINT(chosen[1], 0);
    CHECK_UINT(model, CHAT);
}

static void row_takes_nodes_of_its_groups(void)
{
    static const struct routing_row rows[] = {
        {.model = CHAT, .group_count = 1, .groups = second_group}};

    start(rows, 1, false);
    CHECK_UINT(choose(0, 100), 1);
    CHECK_UINT(chosen[0], 1 << 3);
}

static void nodes_beyond_the_first_word_count(void)
{
    static const struct routing_row rows[] = {{.model = CODE}};

    start(rows, 1, false);
    CHECK_UINT(choose(0, 100), 1);
    CHECK_UINT(chosen[0], 0);
    CHECK_UINT(chosen[1], 1 << (69 - 64));
}

static void any_model_is_on_every_node(void)
{
    static const struct routing_row rows[] = {{.model = ANY}};

    start(rows, 1, false);
    CHECK_UINT(choose(0, 100), NODES);
}

static void first_row_that_will_do_counts(void)
{
    static const struct routing_row rows[] = {
        {.model = CHAT, .group_count = 1, .groups = first_group},
        {.model = LIGHT},
    };

    start(rows, 2, false);
    CHECK_UINT(choose(0, 100), 2);
    CHECK_UINT(model, CHAT);
    all[0] &= ~(uint64_t)3; /* both are down, or were tried */
    CHECK_UINT(choose(0, 100), 3);
    CHECK_UINT(chosen[0], 1 << 2 | 1 << 3 | 1 << 4);
    CHECK_UINT(model, LIGHT);
}

/* Breakers take nodes out for a model, not for the others. */
static void barred_models_are_left_out(void)
{
    static const struct routing_row rows[] = {{.model = CHAT},
                                              {.model = LIGHT}};
    uint64_t barred[4][WORDS] = {{0}};

    start(rows, 2, false);
    barred[CHAT][0] = 1 << 0 | 1 << 3;
    barred[LIGHT][0] = 1 << 1;
    CHECK_UINT(routing_choose(&routing, 0, 100, all, barred[0], chosen, &model),
               1);
    CHECK_UINT(chosen[0], 1 << 1);
    barred[CHAT][0] |= 1 << 1; /* then the next row is asked */
    CHECK_UINT(routing_choose(&routing, 0, 100, all, barred[0], chosen, &model),
               3);
    CHECK_UINT(model, LIGHT);
}

static void row_needs_one_eligible_node_not_all(void)
{
    static const struct routing_row rows[] = {
        {.model = CHAT, .group_count = 1, .groups = first_group},
        {.model = LIGHT},
    };

    start(rows, 2, false);
    all[0] &= ~(uint64_t)1;
    CHECK_UINT(choose(0, 100), 1);
    CHECK_UINT(chosen[0], 1 << 1);
    CHECK_UINT(model, CHAT);
}

/* A request that fits exactly is taken; one token more goes to larger nodes,
   then to the next row, then nowhere. Unknown limits hold everything. */
static void context_must_be_large_enough(void)
{
    static const struct routing_row rows[] = {
        {.model = CHAT},
        {.model = LIGHT},
    };
    static const struct routing_row chat[] = {{.model = CHAT}};

    start(rows, 2, false);
    CHECK_UINT(choose(0, 2000), 3);
    CHECK_UINT(choose(0, 2001), 2);
    CHECK_UINT(chosen[0], 1 << 0 | 1 << 1);
    CHECK_UINT(choose(0, 4000), 2);
    CHECK_UINT(choose(0, 4001), 1);
    CHECK_UINT(chosen[0], 1 << 1);
    CHECK_UINT(choose(0, 8000), 1);
    CHECK_UINT(choose(0, 8001), 1);
    CHECK_UINT(chosen[0], 1 << 4);
    CHECK_UINT(model, LIGHT);
    CHECK_UINT(choose(0, UINT32_MAX), 1);
    arena_done(&arena);
    start(chat, 1, false);
    CHECK_UINT(choose(0, 8001), 0);
}

static void default_class_stands_in(void)
{
    static const struct routing_row rows[] = {
        {.model = CHAT, .group_count = 1, .groups = first_group}};

    start(rows, 1, true);
    CHECK_UINT(choose(0, 100), 2);
    CHECK_UINT(choose(2, 100), 3); /* not in the table */
    CHECK_UINT(model, LIGHT);
    all[0] &= ~(uint64_t)3;
    CHECK_UINT(choose(0, 100), 3);
    CHECK_UINT(model, LIGHT);
    all[0] = 0;
    CHECK_UINT(choose(0, 100), 0);
}

static void without_default_nothing_will_do(void)
{
    static const struct routing_row rows[] = {{.model = CHAT}};

    start(rows, 1, false);
    CHECK_UINT(choose(2, 100), 0);
    all[0] = (uint64_t)1 << 2 | (uint64_t)1 << 4;
    CHECK_UINT(choose(0, 100), 0);
}

/* --- the classifier ------------------------------------------------------- */

/* Of 40,000 requests a share p has the standard deviation
   sqrt(p (1 - p) / 40,000); the limit is 4 of them, the seed was fixed before
   looking. */
static void errs_as_often_as_it_says(void)
{
    enum { COUNT = 40000 };
    static const struct classifier_spec spec = {.given = true, .accuracy = 0.9};
    struct classifier classifier;
    uint32_t taken[4] = {0};

    classifier_init(&classifier, &spec, 4, 42, 1);
    for (int i = 0; i < COUNT; i++)
        taken[classifier_guess(&classifier, 0, (uint64_t)i, 2)]++;
    for (int c = 0; c < 4; c++) {
        double p = c == 2 ? 0.9 : 0.1 / 3;

        CHECK_NEAR(taken[c] / (double)COUNT, p, 4 * sqrt(p * (1 - p) / COUNT));
    }
}

static void perfect_and_hopeless_ones_are_exact(void)
{
    static const struct classifier_spec perfect = {true, 1};
    static const struct classifier_spec hopeless = {true, 0};
    struct classifier classifier;

    classifier_init(&classifier, &perfect, 2, 42, 1);
    for (uint64_t i = 0; i < 1000; i++)
        CHECK_UINT(classifier_guess(&classifier, 0, i, 1), 1);
    classifier_init(&classifier, &hopeless, 2, 42, 1);
    for (uint64_t i = 0; i < 1000; i++)
        CHECK_UINT(classifier_guess(&classifier, 0, i, 1), 0);
}

/* Of one class there is no other to be taken for. */
static void one_class_cannot_be_mistaken(void)
{
    static const struct classifier_spec hopeless = {true, 0};
    struct classifier classifier;

    classifier_init(&classifier, &hopeless, 1, 42, 1);
    CHECK_UINT(classifier_guess(&classifier, 0, 0, 0), 0);
}

/* Whether request n is mistaken depends on n alone. */
static void luck_goes_by_request(void)
{
    static const struct classifier_spec spec = {true, 0.5};
    struct classifier one, other;

    classifier_init(&one, &spec, 3, 42, 1);
    classifier_init(&other, &spec, 3, 42, 1);
    for (uint32_t i = 0; i < 1000; i++) {
        bool right = classifier_guess(&one, 0, i, 0) == 0;
        uint32_t is = i % 3;

        CHECK(right == (classifier_guess(&other, 0, i, is) == is));
    }
}

/* Asked backwards, and with another source in between, the answers are the
   same; those of the other source are others. */
static void order_and_other_sources_change_nothing(void)
{
    enum { COUNT = 500 };
    static const struct classifier_spec spec = {true, 0.5};
    struct classifier classifier;
    uint32_t guesses[COUNT], unlike = 0;

    classifier_init(&classifier, &spec, 3, 42, 1);
    for (uint32_t i = 0; i < COUNT; i++)
        guesses[i] = classifier_guess(&classifier, 0, i, 1);
    classifier_init(&classifier, &spec, 3, 42, 1);
    for (uint32_t i = COUNT; i-- > 0;) {
        unlike += classifier_guess(&classifier, 1, 7 * i, 1) != guesses[i];
        CHECK_UINT(classifier_guess(&classifier, 0, i, 1), guesses[i]);
    }
    CHECK(unlike > COUNT / 4); /* 5/8 of them are expected */
}

int main(int argc, char **argv)
{
    CU_TestInfo table[] = {
        {"a row takes nodes that list its model",
         row_takes_nodes_that_list_its_model},
        {"a row takes nodes of its groups", row_takes_nodes_of_its_groups},
        {"nodes beyond the first word count",
         nodes_beyond_the_first_word_count},
        {"any model is on every node", any_model_is_on_every_node},
        {"the first row that will do counts", first_row_that_will_do_counts},
        {"barred models are left out", barred_models_are_left_out},
        {"a row needs one eligible node, not all",
         row_needs_one_eligible_node_not_all},
        {"the context must be large enough", context_must_be_large_enough},
        {"the default class stands in", default_class_stands_in},
        {"without default nothing will do", without_default_nothing_will_do},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo classifier[] = {
        {"errs as often as it says", errs_as_often_as_it_says},
        {"perfect and hopeless ones are exact",
         perfect_and_hopeless_ones_are_exact},
        {"one class cannot be mistaken", one_class_cannot_be_mistaken},
        {"luck goes by request", luck_goes_by_request},
        {"order and other sources change nothing",
         order_and_other_sources_change_nothing},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("routing table", NULL, NULL, prepare, forget, table),
        SUITE("classifier", NULL, NULL, NULL, NULL, classifier),
        CU_SUITE_INFO_NULL,
    };

    return check_main(argc, argv, suites);
}
