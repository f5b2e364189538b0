/*
 * The search against trying everything: needs of one and of two groups that
 * are known exactly, so the cheapest mix is too.
 */
#include "sim/experiment/plan_search.h"

#include "tests/check.h"

#include <math.h>
#include <string.h>

/* A mix is good enough when what its nodes serve reaches the need. */
static double serves[PLAN_GROUPS_MAX], need, hopeless_need;
static uint32_t unsure_from; /* nodes of the second group; 0: all are told */
static uint32_t unsure_at, asked_log[2000][PLAN_GROUPS_MAX], asked_count;
static bool slow_nodes_hurt;
static uint32_t cannot_below, struck_from; /* nodes of the first group */
static struct plan_search search;

static double served(const uint32_t *counts)
{
    double sum = 0;

    for (uint32_t g = 0; g < search.grid.groups; g++)
        sum += serves[g] * counts[g];
    return sum;
}

static bool is_hopeless(void *context, const uint32_t *counts)
{
    (void)context;
    return served(counts) < hopeless_need;
}

/* Slow ones hurt as they do in turns by round robin: each node gets an equal
   share, and the slowest that is there decides. */
static bool is_met(const uint32_t *counts)
{
    if (slow_nodes_hurt) {
        double nodes = counts[0] + counts[1];

        return nodes * (counts[1] > 0 ? serves[1] : serves[0]) >= need;
    }
    return served(counts) >= need;
}

static enum plan_answer ask(void *context, const uint32_t *counts)
{
    (void)context;
    if (asked_count < 2000)
        memcpy(asked_log[asked_count], counts, sizeof asked_log[0]);
    asked_count++;
    if (counts[0] < cannot_below)
        return PLAN_NOT_RUN;
    if (struck_from > 0 && counts[0] >= struck_from)
        return PLAN_MISSED;
    if (unsure_at > 0 && counts[0] == unsure_at)
        return PLAN_CANNOT_TELL;
    if (unsure_from > 0 && counts[1] >= unsure_from)
        return PLAN_CANNOT_TELL;
    return is_met(counts) ? PLAN_MET : PLAN_MISSED;
}

static uint32_t is_struck(void *context, const uint32_t *counts)
{
    (void)context;
    return counts[0] >= struck_from;
}

static void one_group(void)
{
    search = (struct plan_search){
        .grid = {.groups = 1, .least = {0}, .most = {100}, .price = {1}},
        .is_hopeless = is_hopeless,
        .ask = ask,
        .limit = 1000,
    };
    serves[0] = 10;
    need = 123;
    hopeless_need = 0;
    unsure_at = unsure_from = asked_count = 0;
    cannot_below = struck_from = 0;
    slow_nodes_hurt = false;
}

static void two_groups(void)
{
    one_group();
    search.grid.groups = 2;
    search.grid.most[0] = search.grid.most[1] = 20;
    search.grid.price[0] = 4;
    search.grid.price[1] = 1.1;
    serves[1] = 2.5;
}

static struct plan_found run(void)
{
    struct plan_found found;

    asked_count = 0;
    CHECK(plan_search_run(&search, &found));
    CHECK_UINT(found.asked, asked_count);
    return found;
}

static void finds_the_fewest_by_halving(void)
{
    struct plan_found found = run();

    CHECK_UINT(found.end, PLAN_FOUND);
    CHECK_UINT(found.best[0], 13); /* 123 / 10 rounded up */
    CHECK(found.asked <= 8);       /* 2^7 > 101, and a neighbour */
    CHECK(!found.contradicted);
    CHECK_UINT(found.mixes, 101);
    CHECK_UINT(found.inferred + found.asked + found.hopeless, 101);
}

static void a_good_guess_costs_three_questions(void)
{
    const uint32_t guess[] = {13};

    search.guess = guess;
    hopeless_need = 120;

    struct plan_found found = run();
    CHECK_UINT(found.best[0], 13);
    CHECK_UINT(asked_log[0][0], 13);
    CHECK_UINT(found.hopeless, 12); /* 0 to 11 serve less than 120 */
    CHECK(found.asked <= 3);        /* 13, 12 and the neighbour 14 */
}

static void never_asks_what_is_hopeless(void)
{
    hopeless_need = 100;
    run();
    for (uint32_t i = 0; i < asked_count; i++)
        CHECK(asked_log[i][0] >= 10);
}

static void a_guess_beside_the_grid_is_not_asked(void)
{
    const uint32_t guess[] = {101};

    search.guess = guess;
    CHECK_UINT(run().best[0], 13);
    for (uint32_t i = 0; i < asked_count; i++)
        CHECK(asked_log[i][0] <= 100);
}

static void what_cannot_be_told_is_not_good_enough(void)
{
    unsure_at = 13;

    struct plan_found found = run();
    CHECK_UINT(found.best[0], 14);
    CHECK(!found.contradicted); /* 13 is not more than any that is met */
}

static void says_when_nothing_is_enough(void)
{
    need = 1001;

    struct plan_found found = run();
    CHECK_UINT(found.end, PLAN_INFEASIBLE);
    CHECK(!found.any);
    CHECK(found.asked <= 8);
}

static void says_when_everything_is_hopeless(void)
{
    hopeless_need = 2000;

    struct plan_found found = run();
    CHECK_UINT(found.end, PLAN_INFEASIBLE);
    CHECK_UINT(found.asked, 0);
    CHECK_UINT(found.hopeless, 101);
}

static void stops_at_the_limit_with_the_best_so_far(void)
{
    search.limit = 2;

    struct plan_found found = run();
    CHECK_UINT(found.end, PLAN_LIMITED);
    CHECK_UINT(found.asked, 2);
    CHECK(found.any);
    CHECK(found.best[0] >= 13);
}

/* Only 13 and more can be run, and they tell nothing of 12. */
static void what_cannot_run_rules_nothing_out(void)
{
    cannot_below = 13;

    struct plan_found found = run();
    CHECK_UINT(found.end, PLAN_FOUND);
    CHECK_UINT(found.best[0], 13);
    CHECK_UINT(found.untried, 12); /* 1 to 12, each asked */

    /* What is missed still speaks for all below. */
    need = 1001;
    cannot_below = 40;
    CHECK_UINT(run().end, PLAN_INFEASIBLE);

    cannot_below = 101;
    found = run();
    CHECK_UINT(found.untried, 100);
    CHECK_UINT(found.end, PLAN_UNTRIED);
    CHECK(!found.any && !found.contradicted);
}

/* From 30 on none is enough; those below are of another kind, so nothing is
   contradicted, nor inferred of them. */
static void kinds_do_not_speak_for_each_other(void)
{
    const uint32_t guess[] = {90};

    struck_from = 30;
    search.guess = guess;
    search.kind_of = is_struck;

    struct plan_found found = run();
    CHECK_UINT(found.end, PLAN_FOUND);
    CHECK_UINT(found.best[0], 13);
    CHECK(!found.contradicted);
    CHECK(found.asked <= 12);
}

/* ---- two groups ---- */

static double price(const uint32_t *counts)
{
    return search.grid.price[0] * counts[0] + search.grid.price[1] * counts[1];
}

/* The cheapest of all that are good enough; INFINITY: none is. */
static double cheapest(void)
{
    double least = INFINITY;

    for (uint32_t a = search.grid.least[0]; a <= search.grid.most[0]; a++)
        for (uint32_t b = search.grid.least[1]; b <= search.grid.most[1]; b++) {
            uint32_t counts[] = {a, b};

            if (a + b > 0 && is_met(counts))
                least = fmin(least, price(counts));
        }
    return least;
}

static void check_cheapest(void)
{
    struct plan_found found = run();
    double least = cheapest();

    CHECK(found.any == isfinite(least));
    if (found.any) {
        CHECK_NEAR(price(found.best), least, 1e-9);
        CHECK(is_met(found.best));
    }
}

static void finds_the_cheapest_mix(void)
{
    uint64_t questions = 0;

    for (need = 1; need < 260; need += 7)
        for (search.grid.price[1] = 0.1; search.grid.price[1] < 3;
             search.grid.price[1] += 0.37) {
            hopeless_need = 0.8 * need;
            check_cheapest();
            questions += asked_count;
        }
    /* 37 needs times 8 prices; trying all would take 441 questions each. */
    CHECK(questions / 296 < 25);
}

static void counts_below_the_least_are_not_mixed(void)
{
    search.grid.least[0] = 3;
    search.grid.least[1] = 5;
    for (need = 10; need < 200; need += 13)
        check_cheapest();
    for (uint32_t i = 0; i < asked_count; i++)
        CHECK(asked_log[i][0] >= 3 && asked_log[i][1] >= 5);
}

/* A tie: 4 of the first serve what 16 of the second do, at the same price. */
static void a_tie_goes_to_fewer_nodes(void)
{
    search.grid.price[1] = 1;
    need = 40;

    struct plan_found found = run();
    CHECK_UINT(found.best[0], 4);
    CHECK_UINT(found.best[1], 0);
}

/* 20 fast nodes and 20 slow ones serve less, in turns, than 20 fast ones. */
static void nodes_that_hurt_are_found_out(void)
{
    slow_nodes_hurt = true;
    for (need = 20; need < 260; need += 7)
        check_cheapest();

    need = 150; /* 15 fast ones; 40 of all serve 100 */
    struct plan_found found = run();
    CHECK(found.contradicted);
    CHECK_UINT(found.best[0], 15);
    CHECK_UINT(found.best[1], 0);
    CHECK(found.contradiction.more[0] >= found.contradiction.fewer[0]);
    CHECK(found.contradiction.more[1] > found.contradiction.fewer[1]);
    CHECK(is_met(found.contradiction.fewer));
    CHECK(!is_met(found.contradiction.more));
}

/* One slow node, and nothing can be told; what such mixes seemed to say of
   those without is not believed. */
static void a_mix_that_cannot_be_told_is_no_proof(void)
{
    unsure_from = 1;
    need = 55;

    struct plan_found found = run();
    CHECK_UINT(found.best[0], 6);
    CHECK_UINT(found.best[1], 0);
    CHECK(found.contradicted);
    CHECK(!found.contradiction.told);
}

static void three_groups(void)
{
    two_groups();
    search.grid.groups = 3;
    search.grid.price[2] = 2.3;
    serves[2] = 5.5;
    need = 97;

    /* By hand: 5.5 for 2.3 (0.418 each), 10 for 4 (0.4), 2.5 for 1.1 (0.44).
       97 of 9 tens and 3 of 2.5 is 39.3; of 8 tens, 2 of 5.5 and 3 of 2.5 is
       39.9; of 7 tens and 5 of 5.5, 97.5, is 39.5; of 9 tens, 5.5 and 2.5, 98,
       is 39.4; of 6 tens, 7 of 5.5, 98.5, is 40.1. */
    struct plan_found found = run();
    CHECK_UINT(found.best[0], 9);
    CHECK_UINT(found.best[1], 3);
    CHECK_UINT(found.best[2], 0);
}

static void mixes_are_counted_up_to_a_limit(void)
{
    struct plan_grid grid = {.groups = 2, .most = {9, 19}};

    CHECK_UINT(plan_grid_mixes(&grid), 200);
    grid.groups = 3;
    grid.most[0] = grid.most[1] = grid.most[2] = 9999;
    CHECK_UINT(plan_grid_mixes(&grid), PLAN_MIXES_MAX + 1);
}

int main(int argc, char **argv)
{
    CU_TestInfo one_tests[] = {
        {"finds the fewest by halving", finds_the_fewest_by_halving},
        {"a good guess costs three questions",
         a_good_guess_costs_three_questions},
        {"never asks what is hopeless", never_asks_what_is_hopeless},
        {"a guess beside the grid is not asked",
         a_guess_beside_the_grid_is_not_asked},
        {"what cannot be told is not good enough",
         what_cannot_be_told_is_not_good_enough},
        {"says when nothing is enough", says_when_nothing_is_enough},
        {"what cannot run rules nothing out",
         what_cannot_run_rules_nothing_out},
        {"kinds do not speak for each other",
         kinds_do_not_speak_for_each_other},
        {"says when everything is hopeless", says_when_everything_is_hopeless},
        {"stops at the limit with the best so far",
         stops_at_the_limit_with_the_best_so_far},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo two_tests[] = {
        {"finds the cheapest mix", finds_the_cheapest_mix},
        {"counts below the least are not mixed",
         counts_below_the_least_are_not_mixed},
        {"a tie goes to fewer nodes", a_tie_goes_to_fewer_nodes},
        {"nodes that hurt are found out", nodes_that_hurt_are_found_out},
        {"a mix that cannot be told is no proof",
         a_mix_that_cannot_be_told_is_no_proof},
        {"three groups", three_groups},
        {"mixes are counted up to a limit", mixes_are_counted_up_to_a_limit},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("plan search of one group", NULL, NULL, one_group, NULL,
              one_tests),
        SUITE("plan search of mixes", NULL, NULL, two_groups, NULL, two_tests),
        CU_SUITE_INFO_NULL,
    };

    return check_main(argc, argv, suites);
}
