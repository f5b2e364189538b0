#include "sim/advice/rules.h"

#define BOUNDED "{ring_hash: {bounded_load: 1.25}}"
#define UNWEIGHTED "{least_conn: {ignore_weights: true}}"
#define BLIND "{least_conn: {}, routing: off}"
#define ONE_TURN "{round_robin: {per_subset: off}}"

#define BETTER(policy, than)                         \
    {                                                \
        EXPECT_BETTER, policy, than, BY_OBJECTIVE, 0 \
    }
#define BETTER_BY(policy, than, measure)        \
    {                                           \
        EXPECT_BETTER, policy, than, measure, 0 \
    }
#define ALIKE(policy, than, bound)                      \
    {                                                   \
        EXPECT_ALIKE, policy, than, BY_OBJECTIVE, bound \
    }

const struct rule rules_table[] = {
    /* --- unequal nodes --------------------------------------------------- */
    {
        "slow_nodes_drown",
        {{FACT_SPEEDS, AT_LEAST, 1.2},
         {FACT_SLOWEST_LOAD, AT_LEAST, 0.95},
         {FACT_LOAD, AT_MOST, 0.9},
         {FACT_CLASSES, AT_MOST, 1}},
        {BETTER("least_conn", "round_robin")},
        "equal shares are more than the slowest nodes can serve: their queues "
        "grow while others have room",
        "the slowest nodes take {speed_ratio} times as long as the fastest, "
        "and an equal share would be {slowest_load} times what they can "
        "serve; the pool as a whole is loaded to {load}",
        "no queue is stable at load 1 or above",
    },
    {
        "unequal_speeds",
        {{FACT_SPEEDS, AT_LEAST, 1.5},
         {FACT_SLOWEST_LOAD, AT_LEAST, 0.5},
         {FACT_SLOWEST_LOAD, AT_MOST, 0.95},
         {FACT_LOAD, AT_MOST, 0.9},
         {FACT_CLASSES, AT_MOST, 1}},
        {BETTER("least_conn", "round_robin")},
        "slow nodes hold their requests longer, so counts send them less; a "
        "rotation does not notice",
        "the slowest nodes take {speed_ratio} times as long as the fastest; "
        "an equal share loads them to {slowest_load}, the pool as a whole "
        "to {load}",
        "Winston, Journal of Applied Probability 14(1), 1977",
    },
    {
        "weights_follow_speeds",
        {{FACT_CAPACITIES, AT_LEAST, 1.5},
         {FACT_WEIGHTS, AT_LEAST, 1.5},
         {FACT_MISFIT, AT_MOST, 1.25},
         {FACT_SLOWEST_LOAD, AT_LEAST, 0.7},
         {FACT_LOAD, AT_MOST, 0.9},
         {FACT_CLASSES, AT_MOST, 1}},
        {BETTER("smooth_weighted", "round_robin"),
         BETTER("least_conn", UNWEIGHTED)},
        "shares that follow capacity load all nodes alike; and of two nodes "
        "with equal counts the faster one is the better choice",
        "the strongest node can do {capacity_ratio} times as much as the "
        "weakest, and weights follow; equal shares would load the slowest "
        "to {slowest_load}",
        "load of a node is its share x rate x need / slots",
    },
    {
        "weights_overload",
        {{FACT_WEIGHTS, AT_LEAST, 1.2},
         {FACT_WEIGHTED_LOAD, AT_LEAST, 0.95},
         {FACT_LOAD, AT_MOST, 0.85},
         {FACT_STEADY, AT_LEAST, 1},
         {FACT_CLASSES, AT_MOST, 1}},
        {BETTER("least_conn", "smooth_weighted")},
        "the weights give some nodes more than they can serve; counts notice "
        "and a rotation does not",
        "shares by weight load the fullest nodes to {weighted_load}, the "
        "pool as a whole to {load}",
        "no queue is stable at load 1 or above",
    },
    {
        "weights_are_equal",
        {{FACT_WEIGHTS, AT_MOST, 1},
         {FACT_NODES, AT_LEAST, 2},
         {FACT_CLASSES, AT_MOST, 1},
         {FACT_STEADY, AT_LEAST, 1}},
        {ALIKE("smooth_weighted", "round_robin", 0.01)},
        "with equal weights a weighted rotation is the plain one",
        "all {nodes} nodes have the same weight",
        "nginx, ngx_http_upstream_round_robin.c",
    },
    {
        "expected_finish",
        {{FACT_SPEEDS, AT_LEAST, 1.5},
         {FACT_TIMED, AT_LEAST, 1},
         {FACT_SLOWEST_LOAD, AT_LEAST, 0.5},
         {FACT_LOAD, AT_MOST, 0.85},
         {FACT_BALANCERS, AT_MOST, 1},
         {FACT_PLAIN, AT_LEAST, 1},
         {FACT_CLASSES, AT_MOST, 1}},
        {BETTER("predict", "least_conn")},
        "sizes are known and speeds differ: a fast node with a queue may still "
        "answer first",
        "service follows from tokens, and the slowest nodes take "
        "{speed_ratio} times as long as the fastest",
        "Selen, Adan, Kapodistria, van Leeuwaarden, QUESTA 84, 2016: shortest "
        "expected delay",
    },
    /* --- equal nodes ----------------------------------------------------- */
    {
        "nobody_waits",
        {{FACT_WAIT, AT_MOST, 0.002},
         {FACT_NODES, AT_LEAST, 2},
         {FACT_DISPERSION, AT_MOST, 2},
         {FACT_REPEATS, AT_MOST, 0},
         {FACT_CLASSES, AT_MOST, 1},
         {FACT_STEADY, AT_LEAST, 1},
         {FACT_PLAIN, AT_LEAST, 1}},
        {ALIKE("least_conn", "round_robin", 0.03),
         ALIKE("two_choices", "round_robin", 0.03)},
        "nearly no request finds its node full, wherever it is sent",
        "with equal shares {wait_probability} of requests would find their "
        "node full (Erlang C)",
        "Erlang C (1917)",
    },
    {
        "needs_vary",
        {{FACT_NEED_SCV, AT_LEAST, 0.5},
         {FACT_WAIT, AT_LEAST, 0.05},
         {FACT_NODES, AT_LEAST, 2},
         {FACT_LOAD, AT_MOST, 0.97},
         {FACT_BALANCERS, AT_MOST, 1},
         {FACT_CLASSES, AT_MOST, 1},
         {FACT_STEADY, AT_LEAST, 1}},
        {BETTER("least_conn", "round_robin")},
        "a rotation puts requests behind long ones; counts go round them",
        "service times vary (variance {need_scv} times the squared mean; "
        "constant 0, exponential 1), and with equal shares "
        "{wait_probability} of requests would wait",
        "Winston, Journal of Applied Probability 14(1), 1977",
    },
    {
        "needs_are_constant",
        {{FACT_NEED_SCV, AT_MOST, 0.05},
         {FACT_WAIT, AT_LEAST, 0.1},
         {FACT_NODES, AT_LEAST, 2},
         {FACT_LOAD, AT_MOST, 0.97},
         {FACT_BALANCERS, AT_MOST, 1},
         {FACT_CLASSES, AT_MOST, 1},
         {FACT_STEADY, AT_LEAST, 1}},
        {BETTER("round_robin", "two_choices")},
        "with equal needs a rotation is first come, first served over all "
        "nodes: nothing can be better",
        "service times hardly vary (variance {need_scv} times the squared "
        "mean), and with equal shares {wait_probability} of requests would "
        "wait",
        "Liu & Towsley, Journal of Applied Probability 31(2), 1994",
    },
    {
        "power_of_two",
        {{FACT_WAIT, AT_LEAST, 0.05},
         {FACT_NODES, AT_LEAST, 3},
         {FACT_LOAD, AT_MOST, 0.97},
         {FACT_BALANCERS, AT_MOST, 1},
         {FACT_CLASSES, AT_MOST, 1},
         {FACT_STEADY, AT_LEAST, 1}},
        {BETTER("two_choices", "random")},
        "the less busy of two draws shortens queues out of all proportion",
        "with equal shares {wait_probability} of requests would wait, at "
        "{nodes} nodes",
        "Mitzenmacher, IEEE TPDS 12(10), 2001",
    },
    {
        "all_counts_beat_two",
        {{FACT_WAIT, AT_LEAST, 0.2},
         {FACT_SLOTS, AT_MOST, 2},
         {FACT_NODES, AT_LEAST, 3},
         {FACT_LOAD, AT_MOST, 0.97},
         {FACT_BALANCERS, AT_MOST, 1},
         {FACT_WEIGHTS, AT_MOST, 1},
         {FACT_CLASSES, AT_MOST, 1},
         {FACT_STEADY, AT_LEAST, 1}},
        {BETTER("least_conn", "two_choices")},
        "one balancer knows all counts exactly, so a sample of two gives "
        "something away",
        "one balancer sends all, a node serves {slots} at once, and with "
        "equal shares {wait_probability} of requests would wait",
        "Mitzenmacher, IEEE TPDS 12(10), 2001: d = 2 against d = n",
    },
    {
        "bursts",
        {{FACT_DISPERSION, AT_LEAST, 3},
         {FACT_PEAK_LOAD, AT_MOST, 0.95},
         {FACT_LOAD, AT_LEAST, 0.3},
         {FACT_NODES, AT_LEAST, 3},
         {FACT_BALANCERS, AT_MOST, 1},
         {FACT_CLASSES, AT_MOST, 1},
         {FACT_STEADY, AT_LEAST, 1}},
        {BETTER("least_conn", "random")},
        "in a burst nodes are full although the mean load is low",
        "arrivals come in bursts (variance {dispersion} times the mean; "
        "Poisson 1); load is {load} on average, {peak_load} when most "
        "arrives",
        "variance of arrivals adds to waits as that of needs does: Kingman, "
        "1961",
    },
    /* --- what balancers know ---------------------------------------------- */
    {
        "reports_draw_herds",
        {{FACT_REPORT_HERD, AT_LEAST, 2},
         {FACT_LOAD, AT_LEAST, 0.4},
         {FACT_LOAD, AT_MOST, 0.97},
         {FACT_NODES, AT_LEAST, 2},
         {FACT_CLASSES, AT_MOST, 1}},
        {BETTER("least_conn", "resource_score")},
        "between two reports all requests see the same figures and go to the "
        "same node",
        "{requests_per_report} requests a node arrive between two of its "
        "reports",
        "Mitzenmacher, How useful is old information?, IEEE TPDS 11(1), 2000",
    },
    {
        "herds_are_worse_than_chance",
        {{FACT_REPORT_HERD, AT_LEAST, 4},
         {FACT_SPEEDS, AT_MOST, 1},
         {FACT_LOAD, AT_LEAST, 0.5},
         {FACT_LOAD, AT_MOST, 0.97},
         {FACT_NODES, AT_LEAST, 3},
         {FACT_CLASSES, AT_MOST, 1},
         {FACT_STEADY, AT_LEAST, 1}},
        {BETTER("random", "resource_score")},
        "a draw at least spreads the requests between two reports",
        "{requests_per_report} requests a node arrive between two of its "
        "reports, and nodes are equal",
        "Mitzenmacher, IEEE TPDS 11(1), 2000; theory/old_news.yaml",
    },
    /* --- keys and caches ---------------------------------------------------
     */
    {
        "keys_stay_at_home",
        {{FACT_HITS_GAINED, AT_LEAST, 0.02},
         {FACT_LOAD, AT_MOST, 1}, /* else only hits keep the pool alive */
         {FACT_NODES, AT_LEAST, 2},
         {FACT_CLASSES, AT_MOST, 1}},
        {BETTER_BY("ring_hash", "round_robin", M_RESULT_HIT)},
        "a question that always goes to one node misses once, not once a node; "
        "caches hold different questions",
        "caches would answer {hits_spread} of requests when keys go "
        "anywhere, {hits_by_key} when each key has its node",
        "Karger et al., STOC 1997",
    },
    {
        "hits_pay",
        {{FACT_RELIEF, AT_LEAST, 0.06},
         {FACT_SPREAD_LOAD, AT_LEAST, 0.5},
         {FACT_SPREAD_LOAD, AT_MOST, 1},
         {FACT_SPEEDS, AT_MOST, 1},
         {FACT_NODES, AT_LEAST, 2},
         {FACT_CLASSES, AT_MOST, 1},
         {FACT_STEADY, AT_LEAST, 1}},
        {BETTER(BOUNDED, "least_conn")},
        "the hits that affinity wins take more load away than its bounded "
        "imbalance costs",
        "hits won by going by key take {relief} of the pool's capacity off "
        "a load of {load_spread}",
        "articles/repeats.yaml; Mirrokni, Thorup, Zadimoghaddam, SODA 2018",
    },
    {
        "hits_do_not_pay",
        {{FACT_KEYED, AT_LEAST, 1},
         {FACT_RELIEF, AT_MOST, 0.01},
         {FACT_LOAD, AT_LEAST, 0.7},
         {FACT_LOAD, AT_MOST, 0.97},
         {FACT_NODES, AT_LEAST, 2},
         {FACT_CLASSES, AT_MOST, 1},
         {FACT_STEADY, AT_LEAST, 1}},
        {BETTER("least_conn", "ring_hash")},
        "without hits to win a ring is a lopsided random split",
        "going by key would take {relief} of the pool's capacity off a load "
        "of {load}",
        "articles/repeats.yaml; share of a node varies by 1 / sqrt(replicas)",
    },
    {
        "hot_key",
        {{FACT_HOT_KEY_LOAD, AT_LEAST, 0.95},
         {FACT_HITS_GAINED, AT_MOST, 0},
         {FACT_LOAD, AT_MOST, 0.85},
         {FACT_NODES, AT_LEAST, 2},
         {FACT_CLASSES, AT_MOST, 1}},
        {BETTER(BOUNDED, "ring_hash")},
        "one key is more than its node can serve; a bound passes the rest on",
        "the commonest key would load its node to {hot_key_load}, and "
        "caches win nothing by it",
        "Mirrokni, Thorup, Zadimoghaddam, SODA 2018",
    },
    {
        "no_keys",
        {{FACT_KEYED, AT_MOST, 0}},
        {{EXPECT_NOTHING, NULL, NULL, BY_OBJECTIVE, 0}},
        "leave out policies that go by keys: requests have none",
        "",
        "policies/README.md",
    },
    /* --- kinds of requests -------------------------------------------------
     */
    {
        "classes_have_their_place",
        {{FACT_CLASSES, AT_LEAST, 2},
         {FACT_TABLE_SPEEDS, AT_LEAST, 1.5},
         {FACT_TABLE_LOAD, AT_MOST, 0.85},
         {FACT_STEADY, AT_LEAST, 1}},
        {BETTER("least_conn", BLIND)},
        "the table keeps a class off nodes on which it takes far longer",
        "a class takes up to {table_speed_ratio} times as long on nodes "
        "that the table keeps it off; the nodes it names are loaded to "
        "{table_load} at most",
        "articles/model_aware.yaml",
    },
    {
        "turns_of_their_own",
        {{FACT_CLASSES, AT_LEAST, 2},
         {FACT_TABLE_SPEEDS, AT_LEAST, 1.5},
         {FACT_TABLE_LOAD, AT_MOST, 0.85},
         {FACT_LOAD, AT_LEAST, 0.5},
         {FACT_STEADY, AT_LEAST, 1}},
        {BETTER("round_robin", ONE_TURN)},
        "one turn for sets of nodes that differ gives the node after a gap "
        "what all before it may not take",
        "the table sends classes to different nodes, and load is {load}",
        "articles/model_aware.yaml",
    },
    /* --- accidents ----------------------------------------------------------
     */
    {
        "the_dead_hold_on",
        {{FACT_SILENT_DEATHS, AT_LEAST, 1},
         {FACT_FAST, AT_MOST, 0},
         {FACT_BALANCERS, AT_MOST, 1},
         {FACT_NODES, AT_LEAST, 2},
         {FACT_CLASSES, AT_MOST, 1}},
        {BETTER_BY("least_conn", "round_robin", M_LOST_IN_WINDOW)},
        "what a dead node swallows stays in flight, and counts stay away from "
        "it",
        "faults that kill a node without a word: {silent_deaths}",
        "articles/black_hole.yaml",
    },
    {
        "the_hung_hold_on",
        {{FACT_HANGS, AT_LEAST, 1},
         {FACT_FAST, AT_MOST, 0},
         {FACT_ATTEMPTS, AT_MOST, 1},
         {FACT_BALANCERS, AT_MOST, 1},
         {FACT_NODES, AT_LEAST, 2},
         {FACT_CLASSES, AT_MOST, 1}},
        {BETTER_BY("least_conn", "round_robin", M_SUCCESS)},
        "what a hung node holds stays in flight, and counts stay away from it",
        "faults that hang a node: {hangs}; a request has one attempt",
        "outages/hung_gpu.yaml",
    },
    {
        "fast_failure_looks_idle",
        {{FACT_FAST, AT_LEAST, 1},
         {FACT_SILENT_DEATHS, AT_MOST, 0},
         {FACT_HANGS, AT_MOST, 0},
         {FACT_EJECTS, AT_MOST, 0},
         {FACT_ATTEMPTS, AT_MOST, 1},
         {FACT_NODES, AT_LEAST, 3},
         {FACT_CLASSES, AT_MOST, 1}},
        {BETTER_BY("round_robin", "least_conn", M_SUCCESS)},
        "a node that fails at once has nothing in flight, so counts send it "
        "everything",
        "faults after which a node fails at once: {fast_faults}; nothing "
        "leaves such a node out, and a request has one attempt",
        "outages/fails_fast.yaml",
    },
    {
        "slow_node",
        {{FACT_SLOW, AT_LEAST, 2},
         {FACT_SLOW_LOAD, AT_LEAST, 0.7},
         {FACT_LOAD, AT_MOST, 0.8},
         {FACT_CLASSES, AT_MOST, 1}},
        {BETTER("least_conn", "round_robin")},
        "a node that is slower than it says holds its requests, and counts "
        "see it",
        "a node will take {slow_factor} times as long; an equal share would "
        "load it to {slow_load}",
        "outages/slow_node.yaml",
    },
    /* --- no choice ----------------------------------------------------------
     */
    {
        "one_node",
        {{FACT_NODES, AT_MOST, 1}},
        {{EXPECT_NOTHING, NULL, NULL, BY_OBJECTIVE, 0}},
        "there is nothing to choose from",
        "",
        "arithmetic",
    },
    {
        "overload",
        {{FACT_SPREAD_LOAD, AT_LEAST, 1}},
        {{EXPECT_NOTHING, NULL, NULL, BY_OBJECTIVE, 0}},
        "there is more work than the nodes can do: what is missing is "
        "capacity, and policies differ only in who waits",
        "load is {load_spread} of capacity after what caches answer",
        "no queue is stable at load 1 or above",
    },
};

const size_t rules_count = sizeof rules_table / sizeof *rules_table;

static bool holds(const struct condition *condition, double value)
{
    return condition->relation == AT_LEAST ? value >= condition->bound
                                           : value <= condition->bound;
}

bool rule_fires(const struct rule *rule, const struct facts *facts)
{
    for (int i = 0; i < RULE_CONDITIONS && rule->when[i].relation; i++)
        if (!holds(&rule->when[i], facts->values[rule->when[i].fact]))
            return false; /* a NaN holds for neither */
    return true;
}
