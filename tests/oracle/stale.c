#include "tests/oracle/stale.h"

bool stale_load(struct trial *trial, unsigned seed, double seconds,
                unsigned nodes, double load, double period_s)
{
#define POSTED "queue: 1, queue_norm: off, in_service: on, ties: random"
    return trial_load(trial,
                      "lbsim: 1\n"
                      "duration: %.0f s\n"
                      "warm_up: 10 %%\n"
                      "seed: %u\n"
                      "workload:\n"
                      "  arrivals: {process: poisson, rate: %.3f/s}\n"
                      "  work: {dist: exponential, mean: 1 s}\n"
                      "nodes: [{group: n, count: %u}]\n"
                      "balancer: {report_interval: %g s, report_phase: same}\n"
                      "policies:\n"
                      "  - random\n"
                      "  - {resource_score: {" POSTED "}}\n"
                      "  - {resource_score: {" POSTED ", local_inflight: on}}\n"
                      "  - {resource_score: {" POSTED ", p2c: on}}\n",
                      seconds, seed, nodes * load, nodes, period_s);
#undef POSTED
}

void stale_run(struct trial *trial, enum stale_policy policy,
               uint32_t replications)
{
    trial->policy_index = (uint32_t)policy;
    trial_run(trial, replications);
}

bool herd_load(struct trial *trial, unsigned seed, double seconds,
               const char *interval)
{
    return trial_load(
        trial,
        "lbsim: 1\n"
        "duration: %.0f s\n"
        "warm_up: 10 %%\n"
        "seed: %u\n"
        "workload:\n"
        "  arrivals: {process: poisson, rate: 90/s}\n"
        "  input_tokens: {dist: lognormal, median: 1020, p99: 4142, at_most: "
        "8000}\n"
        "  output_tokens: {dist: lognormal, median: 129, p99: 800, at_most: "
        "2000}\n"
        "  noise: {dist: lognormal, sigma: 0.6}\n"
        "defaults:\n"
        "  engine: {slots: 8, service: {base: 20 ms, per_input_token: 0.05 ms, "
        "per_output_token: 2.5 ms}}\n"
        "  cpu_per_request: 2.5 %%\n"
        "  memory: {base: 40 %%, per_request: 3.75 %%}\n"
        "nodes: [{group: gpu, count: 8}]\n"
        "balancer: {report_interval: %s, timeout: {total: 60 s}}\n"
        "policies:\n"
        "  - random\n"
        "  - resource_score\n"
        "  - {resource_score: {local_inflight: on}}\n"
        "  - {resource_score: {local_inflight: on, queue_norm: off}}\n"
        "  - {resource_score: {p2c: on}}\n",
        seconds, seed, interval);
}

struct trial_estimate herd_mean(struct trial *trial, enum herd_policy policy,
                                uint32_t replications)
{
    trial->policy_index = (uint32_t)policy;
    trial_run(trial, replications);
    return trial_estimate(trial, M_LATENCY_MEAN);
}
