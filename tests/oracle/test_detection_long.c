/*
 * How long until a dead node is out, and what it costs until then.
 *
 * Checks of a node start at a random phase, so a death at a fixed time is a
 * death at a random phase. A thousand balancers check the same node, each at
 * its own phase, in every run.
 */
#include "tests/oracle/harness.h"

#define REPLICATIONS 20

struct detection {
    unsigned interval_s, timeout_ms, unhealthy_after;
    const char *mode, *seen_as;
    double mean_s, least_s, most_s;
};

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
        "  arrivals: {process: deterministic, rate: 0.1/s}\n"
        "  work: {dist: constant, value: 1 ms}\n"
        "nodes: [{group: n, count: 2}]\n"
        "balancer:\n"
        "  count: %u\n"
        "  timeout: {total: 1 s}\n"
        "  health: {interval: %u s, timeout: %u ms, unhealthy_after: %u, mode: "
        "%s}\n"
        "faults: [{kind: crash, target: \"n[1]\", at: 100 s, seen_as: %s}]\n"
        "policies: [round_robin]\n",
        seed, balancers, detection->interval_s, detection->timeout_ms,
        detection->unhealthy_after, detection->mode, detection->seen_as);
}

/* The mean over 20,000 phases, and the ends of the range over 400. */
static void check_detection(unsigned seed, const struct detection *detection)
{
    struct trial trial;

    load_detection(&trial, seed, detection, 1000);
    trial_run(&trial, REPLICATIONS);
    TRIAL_MEAN(&trial, M_DETECTION, detection->mean_s, 0.015);
    trial_done(&trial);

    load_detection(&trial, seed, detection, 1);
    trial_run(&trial, 400);
    for (uint32_t i = 0; i < trial.replications; i++) {
        double delay_s = trial.results[i].values[M_DETECTION];

        CHECK(delay_s >= detection->least_s && delay_s <= detection->most_s);
    }
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
        {10, 2000, 3, "fixed_rate", "silent", 27, 22, 32},
        {5, 1000, 1, "fixed_rate", "silent", 3.5, 1, 6},
        {2, 500, 2, "fixed_rate", "connect_timeout", 3.5, 2.5, 4.5},
        {30, 5000, 3, "fixed_rate", "silent", 80, 65, 95},
    };

    check_all(4001, detections, 4);
}

/* The next check starts I after the end of the last: uniform on
   [(k-1)(I+t) + t, I + (k-1)(I+t) + t]. */
static void after_each_result(void)
{
    static const struct detection detections[] = {
        {10, 2000, 3, "after_result", "silent", 31, 26, 36},
        {5, 1000, 1, "after_result", "silent", 3.5, 1, 6},
        {2, 500, 2, "after_result", "connect_timeout", 4, 3, 5},
        {30, 5000, 3, "after_result", "silent", 90, 75, 105},
    };

    check_all(4011, detections, 4);
}

/* Three missed checks at 5 s, 1 s to answer: 11 to 16 s when nothing comes, 10
   to 15 s when the node refuses. */
static void three_missed_checks(void)
{
    static const struct detection detections[] = {
        {5, 1000, 3, "fixed_rate", "silent", 13.5, 11, 16},
        {5, 1000, 3, "fixed_rate", "refused", 12.5, 10, 15},
    };

    check_all(4021, detections, 2);
}

/*
 * Taking turns sends lam / N to the dead node until it is out: that times the
 * mean delay is lost. Fifty balancers share the load; services are too short
 * for anybody to be inside.
 */
static void lost_until_found_out(void)
{
    static const struct {
        unsigned interval_s, timeout_ms, unhealthy_after, nodes, rate_per_s;
        double lost;
    } cases[] = {
        {10, 2000, 3, 4, 100, 675},
        {5, 1000, 1, 8, 200, 87.5},
        {2, 500, 2, 4, 50, 43.75},
    };

    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct trial trial;

        trial_load(&trial,
                   "lbsim: 1\n"
                   "duration: 60 s\n"
                   "seed: %u\n"
                   "workload:\n"
                   "  arrivals: {process: poisson, rate: %u/s}\n"
                   "  work: {dist: constant, value: 1 us}\n"
                   "nodes: [{group: n, count: %u}]\n"
                   "balancer:\n"
                   "  count: 50\n"
                   "  timeout: {total: 5 s}\n"
                   "  health: {interval: %u s, timeout: %u ms, "
                   "unhealthy_after: %u}\n"
                   "faults: [{kind: host_down, target: \"n[1]\", at: 20 s}]\n"
                   "policies: [{round_robin: {phase: random}}]\n",
                   4031 + i, cases[i].rate_per_s, cases[i].nodes,
                   cases[i].interval_s, cases[i].timeout_ms,
                   cases[i].unhealthy_after);
        trial_run(&trial, 60);
        TRIAL_MEAN(&trial, M_LOST_IN_WINDOW, cases[i].lost, 0.07);
        trial_done(&trial);
    }
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"at a fixed rate", at_a_fixed_rate},
        {"after each result", after_each_result},
        {"three missed checks", three_missed_checks},
        {"lost until found out", lost_until_found_out},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("detection", NULL, NULL, NULL, NULL, tests),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
