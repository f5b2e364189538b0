/*
 * How long until a dead node is out, and what it costs until then.
 *
 * Checks of a node start at a random phase, so a death at a fixed time is a
 * death at a random phase. A thousand balancers check the same node, each at
 * its own phase, in every run.
 */
#include "tests/oracle/harness.h"

#include <math.h>

#define REPLICATIONS 20
#define PHASES 400

struct detection {
    unsigned interval_s, timeout_ms, unhealthy_after;
    const char *how, *seen_as; /* how: more settings of health */
    double mean_s, least_s, most_s;
};

/* Envoy is in no hurry before a balancer has had requests. */
static bool needs_traffic(const struct detection *detection)
{
    return strstr(detection->how, "envoy") != NULL;
}

static bool load_detection(struct trial *trial, unsigned seed,
                           const struct detection *detection,
                           unsigned balancers)
{
    return trial_load(
        trial,
        "lbsim: 1\n"
        "duration: 300 s\n"
        "seed: %u\n"
        "workload:\n"
        "  arrivals: {process: deterministic, rate: %g/s}\n"
        "  work: {dist: constant, value: 1 ms}\n"
        "nodes: [{group: n, count: 2}]\n"
        "balancer:\n"
        "  count: %u\n"
        "  timeout: {total: 1 s}\n"
        "  health: {interval: %u s, timeout: %u ms, unhealthy_after: %u, %s}\n"
        "faults: [{kind: crash, target: \"n[1]\", at: 100 s, seen_as: %s}]\n"
        "policies: [round_robin]\n",
        seed, needs_traffic(detection) ? 200 : 0.1, balancers,
        detection->interval_s, detection->timeout_ms,
        detection->unhealthy_after, detection->how, detection->seen_as);
}

/* Uniform on that range: sd = (most - least) / sqrt(12), which so many phases
   find to 2.2 % (one standard error). */
static void check_spread(const struct trial *trial,
                         const struct detection *detection)
{
    double range_s = detection->most_s - detection->least_s, squares = 0;
    double mean_s = trial_mean(trial, M_DETECTION);

    for (uint32_t i = 0; i < trial->replications; i++)
        squares += pow(trial->results[i].values[M_DETECTION] - mean_s, 2) /
                   (PHASES - 1);
    CHECK_NEAR(sqrt(squares), range_s / sqrt(12), 0.075 * range_s / sqrt(12));
}

/* The mean over 20,000 phases, the ends of the range and its spread over 400.
 */
static void check_detection(unsigned seed, const struct detection *detection)
{
    struct trial trial;

    load_detection(&trial, seed, detection, 1000);
    trial_run(&trial, REPLICATIONS);
    TRIAL_MEAN(&trial, M_DETECTION, detection->mean_s, 0.015);
    trial_done(&trial);

    load_detection(&trial, seed, detection, 1);
    trial_run(&trial, PHASES);
    for (uint32_t i = 0; i < trial.replications; i++) {
        double delay_s = trial.results[i].values[M_DETECTION];

        CHECK(delay_s >= detection->least_s && delay_s <= detection->most_s);
    }
    check_spread(&trial, detection);
    trial_done(&trial);
}

static void check_all(unsigned seed, const struct detection *detections,
                      unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        check_detection(seed + i, &detections[i]);
}

/* Checks start every I whatever the last one did; a silent node fails one t
   after its start; down after k in a row: uniform on [(k-1) I + t, k I + t]. */
static void at_a_fixed_rate(void)
{
    static const struct detection detections[] = {
        {10, 2000, 3, "mode: fixed_rate", "silent", 27, 22, 32},
        {5, 1000, 1, "mode: fixed_rate", "silent", 3.5, 1, 6},
        {2, 500, 2, "mode: fixed_rate", "connect_timeout", 3.5, 2.5, 4.5},
        {30, 5000, 3, "mode: fixed_rate", "silent", 80, 65, 95},
    };

    check_all(4001, detections, 4);
}

/* The next check starts I after the end of the last: uniform on
   [(k-1)(I+t) + t, I + (k-1)(I+t) + t]. */
static void after_each_result(void)
{
    static const struct detection detections[] = {
        {10, 2000, 3, "mode: after_result", "silent", 31, 26, 36},
        {5, 1000, 1, "mode: after_result", "silent", 3.5, 1, 6},
        {2, 500, 2, "mode: after_result", "connect_timeout", 4, 3, 5},
        {30, 5000, 3, "mode: after_result", "silent", 90, 75, 105},
    };

    check_all(4011, detections, 4);
}

/* Three missed checks at 5 s, 1 s to answer: 11 to 16 s when nothing comes, 10
   to 15 s when the node refuses. */
static void three_missed_checks(void)
{
    static const struct detection detections[] = {
        {5, 1000, 3, "mode: fixed_rate", "silent", 13.5, 11, 16},
        {5, 1000, 3, "mode: fixed_rate", "refused", 12.5, 10, 15},
    };

    check_all(4021, detections, 2);
}

/*
 * Other intervals while a change is under way: the first failure comes as ever,
 * uniform on [t, I + t], each further one E + t after it. Envoy's edge of 1 s
 * makes 5 / 2 + 1 + 2 (1 + 1) = 7.5 s out of 15.5; its unhealthy interval is
 * the edge's too, and a node that refuses takes no time-outs. HAProxy waits its
 * interval of 2 s for an answer: 2 / 2 + 2 + 2 (0.5 + 2) = 8 s. Envoy's checks
 * before there is traffic are as frequent as those after it; else when the
 * first request came would decide about the phase, which were not uniform.
 */
static void faster_on_the_edge(void)
{
    static const struct detection detections[] = {
        {5, 1000, 3, "rule: envoy, no_traffic_interval: 5 s", "silent", 15.5,
         13, 18},
        {5, 1000, 3,
         "rule: envoy, no_traffic_interval: 5 s, unhealthy_edge_interval: 1 s",
         "silent", 7.5, 5, 10},
        {5, 1000, 3,
         "rule: envoy, no_traffic_interval: 5 s, unhealthy_interval: 1 s",
         "refused", 4.5, 2, 7},
        {2, 2000, 3, "rule: haproxy, fastinter: 500 ms", "silent", 8, 7, 9},
    };

    check_all(4041, detections, 4);
}

/*
 * Back again: two good checks in a row, 5 to 10 s after the restart at 200 s.
 * Before 205 s nobody sends to the node, after 210 s everybody does.
 */
static double share_of_returned(unsigned from_s, unsigned to_s)
{
    struct trial trial;
    double share;

    trial_load(&trial,
               "lbsim: 1\n"
               "duration: %u s\n"
               "warm_up: %u s\n"
               "seed: 4051\n"
               "workload:\n"
               "  arrivals: {process: deterministic, rate: 1000/s}\n"
               "  work: {dist: constant, value: 1 us}\n"
               "nodes: [{group: n, count: 2}]\n"
               "balancer: {count: 500, health: {}}\n"
               "faults: [{kind: crash, target: \"n[1]\", at: 100 s, "
               "restart_after: 100 s}]\n"
               "policies: [round_robin]\n",
               to_s, from_s);
    trial_run(&trial, 1);
    share = trial.results[0].nodes[1].share_ratio;
    trial_done(&trial);
    return share;
}

static void back_after_5_to_10_seconds(void)
{
    CHECK_NEAR(share_of_returned(200, 205), 0, 0);
    CHECK_NEAR(share_of_returned(205, 210), 0.25, 0.05);
    CHECK_NEAR(share_of_returned(211, 216), 0.5, 0.05);
}

/*
 * Taking turns sends lam / N to the dead node until it is out: that times the
 * mean delay is lost, and that times the longest delay in the worst case.
 * Services are too short for anybody to be inside.
 */
static const struct loss {
    unsigned interval_s, timeout_ms, unhealthy_after, nodes, rate_per_s,
        duration_s, replications;
    double mean, most;
} losses[] = {
    {10, 2000, 3, 4, 100, 60, 60, 675, 800},
    {5, 1000, 1, 8, 200, 60, 60, 87.5, 150},
    {2, 500, 2, 4, 50, 60, 60, 43.75, 56.25},
    {30, 5000, 3, 10, 1000, 120, 12, 8000, 9500},
};

#define LOSSES (sizeof losses / sizeof *losses)

static void load_loss(struct trial *trial, unsigned seed,
                      const struct loss *loss, const char *process,
                      unsigned balancers)
{
    trial_load(trial,
               "lbsim: 1\n"
               "duration: %u s\n"
               "seed: %u\n"
               "workload:\n"
               "  arrivals: {process: %s, rate: %u/s}\n"
               "  work: {dist: constant, value: 1 us}\n"
               "nodes: [{group: n, count: %u}]\n"
               "balancer:\n"
               "  count: %u\n"
               "  timeout: {total: 5 s}\n"
               "  health: {interval: %u s, timeout: %u ms, "
               "unhealthy_after: %u}\n"
               "faults: [{kind: host_down, target: \"n[1]\", at: 20 s}]\n"
               "policies: [{round_robin: {phase: random}}]\n",
               loss->duration_s, seed, process, loss->rate_per_s, loss->nodes,
               balancers, loss->interval_s, loss->timeout_ms,
               loss->unhealthy_after);
    trial_run(trial, loss->replications);
}

/* Fifty balancers, each at its own phase, share the load. */
static void lost_until_found_out(void)
{
    for (unsigned i = 0; i < LOSSES; i++) {
        struct trial trial;

        load_loss(&trial, 4031 + i, &losses[i], "poisson", 50);
        TRIAL_MEAN(&trial, M_LOST_IN_WINDOW, losses[i].mean, 0.07);
        trial_done(&trial);
    }
}

/* One balancer at equal gaps: between what the best phase costs, as far below
   the mean as the worst is above, and what the worst does, give or take the one
   request that the turns round to. Some of the phases are bad ones. */
static void lost_in_the_worst_phase(void)
{
    for (unsigned i = 0; i < LOSSES; i++) {
        const struct loss *loss = &losses[i];
        struct trial trial;
        double greatest = 0;

        load_loss(&trial, 4071 + i, loss, "deterministic", 1);
        for (uint32_t r = 0; r < trial.replications; r++) {
            double lost = trial.results[r].values[M_LOST_IN_WINDOW];

            CHECK(lost >= 2 * loss->mean - loss->most - 1);
            CHECK(lost <= loss->most + 1);
            greatest = lost > greatest ? lost : greatest;
        }
        CHECK(greatest > loss->mean);
        trial_done(&trial);
    }
}

/* --- found out by traffic ------------------------------------------------- */

/*
 * Down after k errors in a row, which a dead node gives at once. Picked at
 * random it has errors at lam / N: k N / lam on the average. By turns the first
 * comes with one of the next N requests and each further one N later:
 * ((k - 1) N + (N + 1) / 2) / lam. A hundred balancers have their own counts
 * and lam each.
 */
static void found_out_by_traffic(void)
{
    static const struct {
        unsigned nodes, rate_per_s, errors;
        const char *rule, *policy;
        double mean_s, widest;
    } cases[] = {
#define OUTLIER "outlier: {max_ejection_percent: 50 %, consecutive_5xx"
#define MAX_FAILS "max_fails: {clock: 1 ms, fails"
        {4, 100, 3, OUTLIER, "random", 0.12, 0.07},
        {4, 100, 3, OUTLIER, "round_robin: {phase: random}", 0.105, 0.04},
        {8, 200, 5, OUTLIER, "random", 0.2, 0.06},
        {8, 200, 5, OUTLIER, "round_robin: {phase: random}", 0.1825, 0.03},
        {4, 100, 3, MAX_FAILS, "random", 0.12, 0.07},
        {8, 200, 5, MAX_FAILS, "round_robin: {phase: random}", 0.1825, 0.03},
#undef OUTLIER
#undef MAX_FAILS
    };

    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct trial trial;

        trial_load(&trial,
                   "lbsim: 1\n"
                   "duration: 3 s\n"
                   "seed: %u\n"
                   "workload:\n"
                   "  arrivals: {process: poisson, rate: %u/s}\n"
                   "  work: {dist: constant, value: 1 us}\n"
                   "nodes: [{group: n, count: %u}]\n"
                   "balancer: {count: 100, %s: %u}}\n"
                   "faults: [{kind: crash, target: \"n[1]\", at: 1 s}]\n"
                   "policies: [%s%s%s]\n",
                   4081 + i, 100 * cases[i].rate_per_s, cases[i].nodes,
                   cases[i].rule, cases[i].errors,
                   strchr(cases[i].policy, ':') ? "{" : "", cases[i].policy,
                   strchr(cases[i].policy, ':') ? "}" : "");
        trial_run(&trial, REPLICATIONS);
        TRIAL_MEAN(&trial, M_DETECTION, cases[i].mean_s, cases[i].widest);
        trial_done(&trial);
    }
}

/* --- lost in the long run ------------------------------------------------- */

/*
 * Nodes die and come back at random. A cycle: up and held up, MTBF; down and
 * not yet seen, E min(D, R) with D uniform on [(k-1) I + t, k I + t] and R
 * exponential; down and known; up and not yet seen, half an I. With the shares
 * p and p' of the first two and q = 1 - p - p', requests that go to a node held
 * up are lost with p' / (p + p') (1 - q^N) + q^N. What the formula leaves out,
 * deaths before the node is held up again, makes it too high by the I / 2 that
 * every MTBF has of that: that is the bias which the judgement allows.
 */
static void lost_in_the_long_run(void)
{
    static const struct {
        unsigned mtbf_s, mttr_s, interval_s, unhealthy_after, timeout_s, nodes;
        double lost;
    } cases[] = {
        {1000, 60, 5, 3, 1, 4, 0.011935917155035},
        {500, 20, 10, 2, 2, 8, 0.022219815917526},
    };

    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        double bias =
            cases[i].lost * cases[i].interval_s / 2.0 / cases[i].mtbf_s;
        struct trial trial;

        trial_load(&trial,
                   "lbsim: 1\n"
                   "duration: 160000 s\n"
                   "warm_up: 1000 s\n"
                   "seed: %u\n"
                   "workload:\n"
                   "  arrivals: {process: deterministic, rate: 1/s}\n"
                   "  work: {dist: constant, value: 1 us}\n"
                   "nodes: [{group: n, count: %u}]\n"
                   "balancer:\n"
                   "  timeout: {total: 1 s}\n"
                   "  health: {interval: %u s, timeout: %u s, "
                   "unhealthy_after: %u, healthy_after: 1}\n"
                   "faults: [{kind: crash, target: \"n[*]\", seen_as: silent, "
                   "mtbf: {dist: exponential, mean: %u s}, "
                   "mttr: {dist: exponential, mean: %u s}}]\n"
                   "policies: [random]\n",
                   4091 + i, cases[i].nodes, cases[i].interval_s,
                   cases[i].timeout_s, cases[i].unhealthy_after,
                   cases[i].mtbf_s, cases[i].mttr_s);
        trial_run(&trial, REPLICATIONS);
        TRIAL_BIASED(&trial, M_SUCCESS, 1 - cases[i].lost, bias,
                     0.05 * cases[i].lost);
        trial_done(&trial);
    }
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"at a fixed rate", at_a_fixed_rate},
        {"after each result", after_each_result},
        {"three missed checks", three_missed_checks},
        {"faster on the edge", faster_on_the_edge},
        {"back after 5 to 10 seconds", back_after_5_to_10_seconds},
        {"lost until found out", lost_until_found_out},
        {"lost in the worst phase", lost_in_the_worst_phase},
        {"found out by traffic", found_out_by_traffic},
        {"lost in the long run", lost_in_the_long_run},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("detection", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
