/*
 * What people reported of balancers in public, with the right results. The
 * cases are named by project and issue.
 */
#include "policies/lbp.h"
#include "tests/oracle/harness.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

static struct trial trial;

static void forget_trial(void)
{
    trial_done(&trial);
}

/* --- envoyproxy/envoy #3886, #4481; ray-project/ray #36501 ----------------
   How much does scanning all nodes win over two choices, over taking turns? */

static double run_four(const char *policy)
{
    trial_load(&trial,
               "lbsim: 1\n"
               "duration: 60000 s\n"
               "warm_up: 10 %%\n"
               "seed: 7001\n"
               "workload:\n"
               "  arrivals: {process: poisson, rate: 3.6/s}\n"
               "  work: {dist: exponential, mean: 1 s}\n"
               "nodes: [{group: n, count: 4}]\n"
               "policies: [%s]\n",
               policy);
    trial_run(&trial, 20);
    return trial_mean(&trial, M_LATENCY_MEAN);
}

/* M/M/1; Erlang-4 gaps; independent simulation; a chain solved numerically. No
   dispatcher beats one queue, Erlang C: 2.969383161. */
static void policies_in_order_of_mean_time(void)
{
    double random, turns, two, least;

    random = run_four("random");
    TRIAL_MEAN(&trial, M_LATENCY_MEAN, 10, 0.05);
    trial_done(&trial);
    turns = run_four("round_robin");
    TRIAL_MEAN(&trial, M_LATENCY_MEAN, 6.383049518, 0.04);
    TRIAL_MEAN(&trial, M_LATENCY_P99, 29.39502934, 0.1);
    trial_done(&trial);
    two = run_four("two_choices");
    TRIAL_TWO_SAMPLES(&trial, M_LATENCY_MEAN, 3.76247, 0.023, 0.03);
    trial_done(&trial);
    least = run_four("least_conn");
    TRIAL_MEAN(&trial, M_LATENCY_MEAN, 3.240838357, 0.03);
    CHECK(random > turns && turns > two && two > least);
    CHECK(least > 2.969383161);
}

/* --- haproxy/haproxy #1099; envoyproxy/envoy #38511 -----------------------
   Counting connections gives a node of twice the speed more requests, not the
   same number: 57, 62 and 65 % of them, within 1.5 points, at a load of 0.3,
   0.7 and 0.9; requests in flight differ by less than 0.8. */
static void counting_evens_out_flights_not_requests(void)
{
    static const struct {
        double load, share;
    } cases[] = {{0.3, 0.57}, {0.7, 0.62}, {0.9, 0.65}};

    for (int i = 0; i < 3; i++) {
        const struct node_result *nodes;

        trial_load(&trial,
                   "lbsim: 1\n"
                   "duration: 200000 s\n"
                   "warm_up: 5 %%\n"
                   "seed: 7002\n"
                   "workload:\n"
                   "  arrivals: {process: poisson, rate: %.1f/s}\n"
                   "  work: {dist: exponential, mean: 1 s}\n"
                   "nodes: [{group: fast, engine: {speed: 2}}, {group: slow}]\n"
                   "policies: [least_conn]\n",
                   3 * cases[i].load);
        trial_run(&trial, 1);
        nodes = trial.results[0].nodes;
        CHECK_NEAR(nodes[0].share_ratio, cases[i].share, 0.015);
        CHECK_NEAR(nodes[0].in_flight_mean_requests,
                   nodes[1].in_flight_mean_requests, 0.8);
        trial_done(&trial);
    }
}

/* --- sgl-project/sglang #32016: arithmetic of LRU --------------------------
 */

static char trace_path[64];

/* A trace of our own format, from rows of key and output tokens. */
static FILE *begin_trace(void)
{
    int fd;

    snprintf(trace_path, sizeof trace_path, "/tmp/lbsim-oracle-XXXXXX");
    fd = mkstemp(trace_path);
    if (fd < 0)
        abort();
    return fdopen(fd, "w");
}

static void run_trace(const char *cache)
{
    trial_load(&trial,
               "lbsim: 1\n"
               "workload: {trace: {file: %s, format: canonical}, work: {dist: "
               "constant, value: 1 ms}}\n"
               "nodes: [{group: n, result_cache: {%s, fill: at_miss}}]\n"
               "policies: [random]\n",
               trace_path, cache);
    trial_run(&trial, 1);
    unlink(trace_path);
}

static void write_rounds(unsigned keys, unsigned rounds)
{
    FILE *file = begin_trace();

    fprintf(file, "arrival_s,input_tokens,output_tokens,key\n");
    for (unsigned i = 0; i < keys * rounds; i++)
        fprintf(file, "%u,10,10,question %u\n", i, i % keys);
    fclose(file);
}

/* 100 keys in turn, a hundred times: all but the first round hit. With 101
   each has just been pushed out when it comes again. */
static void one_key_too_many_hits_nothing(void)
{
    write_rounds(100, 100);
    run_trace("entries: 100");
    CHECK_NEAR(trial_mean(&trial, M_RESULT_HIT), 0.99, 1e-12);
    CHECK_NEAR(trial_mean(&trial, M_EVICTIONS), 0, 0);
    trial_done(&trial);
    write_rounds(101, 100);
    run_trace("entries: 100");
    CHECK_NEAR(trial_mean(&trial, M_RESULT_HIT), 0, 0);
    CHECK_NEAR(trial_mean(&trial, M_EVICTIONS), 100 * 101 - 100, 0);
    CHECK_UINT(trial.results[0].nodes[0].evictions, 100 * 101 - 100);
}

/*
 * Room for 10 tokens: a to i fill 9. a is asked again and so is the last to
 * go. One of 3 tokens then needs 2 more: b and c leave, exactly; d (still
 * there) and a hit, b does not.
 */
static void eviction_frees_the_shortfall_alone(void)
{
    FILE *file = begin_trace();
    int row = 0;

    fprintf(file, "arrival_s,input_tokens,output_tokens,key\n");
    for (int key = 'a'; key <= 'i'; key++)
        fprintf(file, "%d,1,1,%c\n", row++, key);
    fprintf(file, "%d,1,1,a\n", row++);
    fprintf(file, "%d,1,3,large\n", row++);
    fprintf(file, "%d,1,1,d\n", row++);
    fprintf(file, "%d,1,1,a\n", row++);
    fclose(file);
    run_trace("bytes: 10 B, bytes_per_token: 1");
    CHECK_NEAR(trial_mean(&trial, M_EVICTIONS), 2, 0);
    CHECK_NEAR(trial_mean(&trial, M_RESULT_HIT), 3.0 / 13, 1e-12);
}

/* --- vllm-project/vllm #11477; sgl-project/sglang #2114 --------------------
   Equally popular groups of prompts on four nodes with room for C groups each:
   spreading hits min(1, C / G). */

static void run_groups(unsigned groups, unsigned capacity, const char *policy)
{
    trial_load(&trial,
               "lbsim: 1\n"
               "duration: 40 s\n"
               "seed: 7003\n"
               "workload:\n"
               "  arrivals: {process: deterministic, rate: 1000/s}\n"
               "  work: {dist: constant, value: 0.1 ms}\n"
               "  keys: {dist: zipf, exponent: 0, distinct: %u}\n"
               "nodes: [{group: n, count: 4, engine: {slots: 50}, "
               "result_cache: {entries: %u, fill: at_miss}}]\n"
               "policies: [%s]\n",
               groups, capacity, policy);
    trial_run(&trial, 1);
}

static void spreading_divides_the_cache(void)
{
    static const struct {
        unsigned groups, capacity;
        double hits;
    } cases[] = {
        {8, 8, 0.999}, {8, 4, 0.5}, {8, 2, 0.25}, {32, 8, 0.25}, {40, 8, 0.2}};

    for (int i = 0; i < 5; i++) {
        run_groups(cases[i].groups, cases[i].capacity, "round_robin");
        CHECK_NEAR(trial_mean(&trial, M_RESULT_HIT), cases[i].hits, 0.01);
        trial_done(&trial);
    }
}

/* A ring does not give every node as many groups as the next: with g groups, a
   node hits min(1, C / g). How many it has shows in its share of requests. */
static double hits_by_shares(unsigned groups, unsigned capacity)
{
    double hits = 0;

    for (int i = 0; i < 4; i++) {
        double share = trial.results[0].nodes[i].share_ratio;
        double here = round(share * groups);

        if (here > 0)
            hits += here / groups * fmin(1, capacity / here);
    }
    return hits;
}

static void affinity_multiplies_the_cache(void)
{
    static const unsigned cases[][2] = {
        {8, 8}, {8, 4}, {8, 2}, {32, 8}, {40, 8}};

    for (int i = 0; i < 5; i++) {
        run_groups(cases[i][0], cases[i][1], "ring_hash");
        CHECK_NEAR(trial_mean(&trial, M_RESULT_HIT),
                   hits_by_shares(cases[i][0], cases[i][1]), 0.01);
        trial_done(&trial);
    }
    run_groups(8, 8, "ring_hash");
    CHECK_NEAR(trial_mean(&trial, M_RESULT_HIT), 1 - 8 / 39999.0, 1e-12);
}

/* --- microsoft/vidur #41; casys-kaist/LLMServingSim #12 --------------------
   A pool of three kinds, written as groups and node by node. */

static const char mixed_pool[] =
    "lbsim: 1\n"
    "duration: 60 s\n"
    "warm_up: 5 s\n"
    "seed: 7004\n"
    "workload:\n"
    "  arrivals: {process: poisson, rate: 30/s}\n"
    "  input_tokens: {dist: lognormal, median: 500, p99: 2000}\n"
    "  output_tokens: {dist: geometric, mean: 60}\n"
    "  noise: {dist: lognormal, mean: 1, sigma: 0.5}\n"
    "  keys: {dist: zipf, exponent: 0.9, distinct: 300, repeat_share: 50 %%}\n"
    "defaults: {engine: {service: {base: 20 ms, per_input_token: 0.1 ms, "
    "per_output_token: 3 ms}}, result_cache: {entries: 50}}\n"
    "balancer: {count: 2, report_interval: 1 s, health: {}, retry: {}, "
    "timeout: {total: 5 s}}\n"
    "policies: [random, round_robin, smooth_weighted, least_conn, two_choices, "
    "ring_hash]\n"
    "faults:\n"
    "  - {kind: crash, target: \"%s\", at: 20 s, restart_after: 10 s}\n"
    "  - {kind: host_down, target: \"%s\", at: 30 s, restart_after: 15 s}\n"
    "nodes:\n%s";

#define FAST \
    "weight: 4, engine: {speed: 3, slots: 4}, memory: {base: 20 %, per_request: 10 %}"
#define SLOW "weight: 2, engine: {speed: 1.5, slots: 2}"
#define BOX "weight: 1, kind: cpu, engine: {speed: 0.5}"

static const char by_group[] =
    "  - {group: fast, count: 2, keys: [f0, f1], " FAST "}\n"
    "  - {group: slow, count: 4, keys: [s0, s1, s2, s3], " SLOW "}\n"
    "  - {group: none, count: 0}\n"
    "  - {group: box, count: 8, keys: [b0, b1, b2, b3, b4, b5, b6, b7], " BOX
    "}\n";

static const char by_node[] = "  - {group: g0, keys: [f0], " FAST "}\n"
                              "  - {group: g1, keys: [f1], " FAST "}\n"
                              "  - {group: g2, keys: [s0], " SLOW "}\n"
                              "  - {group: g3, keys: [s1], " SLOW "}\n"
                              "  - {group: g4, keys: [s2], " SLOW "}\n"
                              "  - {group: g5, keys: [s3], " SLOW "}\n"
                              "  - {group: h0, keys: [b0], " BOX "}\n"
                              "  - {group: h1, keys: [b1], " BOX "}\n"
                              "  - {group: h2, keys: [b2], " BOX "}\n"
                              "  - {group: h3, keys: [b3], " BOX "}\n"
                              "  - {group: h4, keys: [b4], " BOX "}\n"
                              "  - {group: h5, keys: [b5], " BOX "}\n"
                              "  - {group: h6, keys: [b6], " BOX "}\n"
                              "  - {group: h7, keys: [b7], " BOX "}\n";

static bool same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static void check_same_results(const struct run_result *a,
                               const struct run_result *b)
{
    CHECK_UINT(a->node_count, 14);
    CHECK_UINT(b->node_count, 14);
    for (int m = 0; m < MEASURE_COUNT; m++)
        CHECK(same(a->values[m], b->values[m]));
    for (uint32_t i = 0; i < a->node_count && i < b->node_count; i++) {
        CHECK_UINT(a->nodes[i].attempts, b->nodes[i].attempts);
        CHECK_UINT(a->nodes[i].completed, b->nodes[i].completed);
        CHECK(same(a->nodes[i].use_ratio, b->nodes[i].use_ratio));
        CHECK(same(a->nodes[i].hit_ratio, b->nodes[i].hit_ratio));
    }
}

static void groups_are_a_way_of_writing(void)
{
    struct trial other;

    trial_load(&trial, mixed_pool, "fast[1]", "box[3]", by_group);
    trial_load(&other, mixed_pool, "g1[0]", "h3[0]", by_node);
    for (uint32_t p = 0; p < 6; p++) {
        trial.policy_index = other.policy_index = p;
        trial_run(&trial, 2);
        trial_run(&other, 2);
        for (uint32_t r = 0; r < trial.replications; r++)
            check_same_results(&trial.results[r], &other.results[r]);
        CHECK(trial_mean(&trial, M_RETRIES) > 0);
        CHECK(trial_mean(&trial, M_RESULT_HIT) > 0);
    }
    trial_done(&other);
}

int main(int argc, char **argv)
{
    CU_TestInfo policies[] = {
        {"policies in order of mean time", policies_in_order_of_mean_time},
        {"counting evens out flights, not requests",
         counting_evens_out_flights_not_requests},
        {"groups are a way of writing", groups_are_a_way_of_writing},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo caches[] = {
        {"one key too many hits nothing", one_key_too_many_hits_nothing},
        {"eviction frees the shortfall alone",
         eviction_frees_the_shortfall_alone},
        {"spreading divides the cache", spreading_divides_the_cache},
        {"affinity multiplies the cache", affinity_multiplies_the_cache},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("cases of policies", NULL, NULL, NULL, forget_trial, policies),
        SUITE("cases of caches", NULL, NULL, NULL, forget_trial, caches),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
