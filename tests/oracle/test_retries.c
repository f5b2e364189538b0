/*
 * Time-outs, retries and hedges in whole simulations, against closed forms and
 * against what is easily worked out by hand.
 */
#include "tests/oracle/harness.h"

#include <math.h>
#include <unistd.h>

static struct trial trial;
static char trace_path[TRIAL_PATH_SIZE];

static void forget(void)
{
    trial_done(&trial);
}

static double value(enum measure_id measure)
{
    return trial.results[0].values[measure];
}

/* One queue before so many servers, exponential work of mean 1 s. */
static void one_queue(double rate, int servers, const char *patience,
                      const char *timeout)
{
    trial_load(&trial,
               "lbsim: 1\n"
               "duration: 15000 s\n"
               "warm_up: 500 s\n"
               "seed: 7351\n"
               "workload:\n"
               "  arrivals: {process: poisson, rate: %g/s}\n"
               "  work: {dist: exponential, mean: 1 s}\n"
               "%s"
               "nodes: [{group: n, engine: {slots: %d}}]\n"
               "%s"
               "policies: [random]\n",
               rate, patience, servers, timeout);
}

static void check_lost(double share, double width)
{
    struct trial_estimate estimate;

    trial_run(&trial, 10);
    estimate = trial_estimate(&trial, M_SUCCESS);
    estimate.mean = 1 - estimate.mean;
    trial_judge("1 - success", estimate, share, 0, width * share, __LINE__,
                __FILE__, __func__);
}

/* --- clients that leave queues ---------------------------------------------
 */

/* Barrer 1957; Baccelli & Hebuterne 1981: P_abandon of M/M/1 where nobody waits
   longer than tau, and the mean wait of those who are served. */
static void nobody_waits_longer_than(void)
{
    one_queue(0.8, 1, "", "balancer: {timeout: {queue: 2 s}}\n");
    check_lost(0.1878320744, 0.07);
    TRIAL_MEAN(&trial, M_WAIT_MEAN, 0.530913093761124, 0.05);
    trial_done(&trial);
    one_queue(0.9, 1, "", "balancer: {timeout: {queue: 5 s}}\n");
    check_lost(0.107306209039949, 0.13);
    TRIAL_MEAN(&trial, M_WAIT_MEAN, 1.78770323307301, 0.06);
    trial_done(&trial);
    one_queue(1.2, 1, "", "balancer: {timeout: {queue: 3 s}}\n");
    check_lost(0.2693033367, 0.07);
}

/* The same at the front door, where a policy holds requests: queue is one. */
static void patience_of_one_length_is_the_same(void)
{
    one_queue(1, 1, "  patience: {dist: constant, value: 2 s}\n", "");
    check_lost(0.25, 0.07);
}

/* Palm 1957, Garnett, Mandelbaum, Reiman 2002: P_abandon of Erlang A. */
static void erlang_a(void)
{
    one_queue(1.5, 1, "  patience: {dist: exponential, mean: 5 s}\n", "");
    check_lost(0.3850001202, 0.07);
    trial_done(&trial);
    one_queue(3.6, 4, "  patience: {dist: exponential, mean: 4 s}\n", "");
    check_lost(0.09738121304, 0.07);
    trial_done(&trial);
    one_queue(11, 10, "  patience: {dist: exponential, mean: 1 s}\n", "");
    check_lost(0.1684790873, 0.07);
}

/* p0 = 1/(1 + lam A), P = p0 e^{-(mu-lam) tau}, A = (1 - e^{..})/(mu-lam): a
   limit on the whole time, in service too. */
static void whole_attempts_are_limited(void)
{
    one_queue(0.8, 1, "", "balancer: {timeout: {attempt: 2 s}}\n");
    check_lost(0.2890905755, 0.07);
    trial_done(&trial);
    one_queue(0.9, 1, "", "balancer: {timeout: {attempt: 5 s}}\n");
    check_lost(0.133561051239389, 0.1);
    trial_done(&trial);
    one_queue(1.2, 1, "", "balancer: {timeout: {ttft: 3 s}}\n");
    check_lost(0.3071307952, 0.07);
}

/* The node goes on for nobody: e^{-(mu-lam) tau} come too late. */
static void work_goes_on_without_cancel(void)
{
    one_queue(0.8, 1, "",
              "balancer: {timeout: {attempt: 2 s, cancel: false}}\n");
    check_lost(0.670320046, 0.07);
}

/* --- by hand ----------------------------------------------------------------
 */

/* Rows of a trace; all work takes 10 s unless the rest says otherwise. */
static void play(const char *rows, const char *classes, const char *rest)
{
    trial_write_trace(trace_path, rows);
    trial_load(&trial,
               "lbsim: 1\n"
               "drain: 10 min\n"
               "workload:\n"
               "  trace: {file: %s, format: canonical}\n"
               "%s"
               "%s"
               "%s",
               trace_path,
               strstr(rest, "service") ? ""
                                       : "  work: {dist: constant, value: 10 "
                                         "s}\n",
               classes, rest);
    trial.keep_latencies = true;
    trial_run(&trial, 1);
    unlink(trace_path);
}

/* Seconds from arrival of each request; NAN: it has no answer. */
#define CHECK_LATENCIES(...) TRIAL_LATENCIES(&trial, __VA_ARGS__)
#define CHECK_VALUE(measure, expected) \
    CHECK_NEAR(value(measure), (expected), 1e-9)

/*
 * r-simmer/simmer #227, CiwPython/Ciw #197: B waits from 3 s on, leaves at 8 s,
 * comes again behind C and leaves at 13 s, for good; C is served from 10 to
 * 20 s. (B alone is impatient, so its class is.)
 */
static void leaves_the_queue_and_comes_again(void)
{
    play("arrival_s,input_tokens,output_tokens,class\n"
         "0,1,1,calm\n"
         "3,1,1,hasty\n"
         "4,1,1,calm\n",
         "  classes:\n"
         "    - {name: calm}\n"
         "    - {name: hasty, patience: {dist: constant, value: 5 s}}\n",
         "nodes: [{group: n}]\n"
         "balancer: {retry: {attempts: 2, to: any, on: [patience]}}\n"
         "policies: [random]\n");
    CHECK_LATENCIES(10, NAN, 16);
    CHECK_VALUE(M_RETRIES, 1.0 / 3);
    CHECK_VALUE(M_ERRORS_PATIENCE, 2);
    CHECK_VALUE(M_TIMED_OUT, 1);
}

/* At one instant work is done first: whoever comes into service then stays. */
static void served_just_in_time(void)
{
    play("arrival_s,input_tokens,output_tokens\n0,1,1\n5,1,1\n", "",
         "nodes: [{group: n}]\n"
         "balancer: {timeout: {queue: 5 s}}\n"
         "policies: [random]\n");
    CHECK_LATENCIES(10, 15);
    CHECK_VALUE(M_ERRORS_QUEUE, 0);
}

/* r0 is at A from 0 to 10 s, r1 at B from 1 to 11 s; r2 waits at A from 4 s,
   leaves for B at 7 s and leaves B at 10 s, for good. */
static void out_of_time_goes_to_the_other_node(void)
{
    play("arrival_s,input_tokens,output_tokens\n0,1,1\n1,1,1\n4,1,1\n", "",
         "nodes: [{group: n, count: 2}]\n"
         "balancer: {retry: {}, timeout: {queue: 3 s}}\n"
         "policies: [round_robin]\n");
    CHECK_LATENCIES(10, 10, NAN);
    CHECK_VALUE(M_RETRIES, 1.0 / 3);
    CHECK_VALUE(M_ERRORS_QUEUE, 2);
}

/*
 * One slot; 10 s, 10 s and 1 s of work, come at 0, 1 and 8 s, given up after 6.
 * r0 is given up at 6 s in service, r1 at 7 s. All is cancelled: r1 has the
 * slot from 6 to 7 s, r2 from 8 s on: busy for 8 s. Nothing: r0 and r1 have it
 * for 20 s. The queue: r0 has it till 10 s and r1 never, so r2 does from 10 to
 * 11 s.
 */
static void three_kinds_of_cancel(void)
{
    static const struct {
        const char *cancel;
        double latency_s, busy_s;
    } cases[] = {{"true", 1, 8}, {"false", NAN, 12}, {"queue", 3, 11}};
    char rest[300];

    for (unsigned i = 0; i < 3; i++) {
        snprintf(rest, sizeof rest,
                 "duration: 12 s\n"
                 "nodes: [{group: n, engine: {service: {per_output_token: 1 "
                 "s}}}]\n"
                 "balancer: {timeout: {total: 6 s, cancel: %s}}\n"
                 "policies: [random]\n",
                 cases[i].cancel);
        play("arrival_s,input_tokens,output_tokens\n0,1,10\n1,1,10\n8,1,1\n",
             "", rest);
        CHECK_LATENCIES(NAN, NAN, cases[i].latency_s);
        CHECK_VALUE(M_GPU_USE, cases[i].busy_s / 12);
        trial_done(&trial);
    }
}

/* --- hedges -----------------------------------------------------------------
 */

/*
 * gRPC A6: the first attempt at 0, further ones each 500 ms, four in all; the
 * first answer, at 10 s, cancels the rest. They were at work for 10, 9.5, 9 and
 * 8.5 s, of which 10 count.
 */
static void hedges_by_the_clock(void)
{
    play("arrival_s,input_tokens,output_tokens\n0,1,1\n", "",
         "nodes: [{group: n, count: 5}]\n"
         "balancer: {hedge: {rule: grpc, after: 500 ms, attempts: 4}}\n"
         "policies: [round_robin]\n");
    CHECK_LATENCIES(10);
    CHECK_VALUE(M_HEDGES_SENT, 3);
    CHECK_VALUE(M_HEDGES_WON, 0);
    CHECK_VALUE(M_AMPLIFICATION, 4);
    CHECK_VALUE(M_HEDGES_WASTED, 27.0 / 37);
}

/* A takes 10 s, B 1 s. r0 is at A from 0 and at B from 2 s: answered at 3 s,
   when A is free at once; so r1 is at A from 3.5 s, at B from 5.5 to 6.5 s. */
static void winner_frees_the_other_node(void)
{
    play("arrival_s,input_tokens,output_tokens\n0,1,1\n3.5,1,1\n", "",
         "nodes: [{group: a}, {group: b, engine: {speed: 10}}]\n"
         "balancer: {hedge: {after: 2 s, budget: 100 %}}\n"
         "policies: [round_robin]\n");
    CHECK_LATENCIES(3, 3);
    CHECK_VALUE(M_HEDGES_SENT, 2);
    CHECK_VALUE(M_HEDGES_WON, 2);
    CHECK_VALUE(M_HEDGES_WASTED, 6.0 / 8);
}

/* Without cancel A goes on: r1 waits behind that till 10 s, its hedge does
   not. */
static void loser_works_on_without_cancel(void)
{
    play("arrival_s,input_tokens,output_tokens\n0,1,1\n3.5,1,1\n", "",
         "nodes: [{group: a}, {group: b, engine: {speed: 10}}]\n"
         "balancer: {hedge: {after: 2 s, budget: 100 %}, timeout: {cancel: "
         "false}}\n"
         "policies: [round_robin]\n");
    CHECK_LATENCIES(3, 3);
    CHECK_VALUE(M_HEDGES_WASTED, 3.0 / 5); /* r1 did not get to A */
}

/* A race until the first token: 2 s of prompt, 8 s of answer at A; from 1 s on
   also at B, of the same speed, which is 1 s behind: it is cancelled at 2 s. */
static void first_token_decides(void)
{
    play("arrival_s,input_tokens,output_tokens\n0,2,8\n", "",
         "defaults: {engine: {service: {per_input_token: 1 s,\n"
         "                              per_output_token: 1 s}}}\n"
         "nodes: [{group: n, count: 2}]\n"
         "balancer: {hedge: {after: 1 s, budget: 100 %}}\n"
         "policies: [round_robin]\n");
    CHECK_LATENCIES(10);
    CHECK_VALUE(M_HEDGES_SENT, 1);
    CHECK_VALUE(M_HEDGES_WASTED, 1.0 / 11);
}

/* The minimum of an exponential time, mean 1, and of 2.9957 (its 95th
   percentile) plus another one: 99 % within 3.800, 99.9 % within 4.952. */
static void hedging_cuts_the_tail(void)
{
    trial_load(
        &trial,
        "lbsim: 1\n"
        "duration: 200000 s\n"
        "seed: 7352\n"
        "workload:\n"
        "  arrivals: {process: poisson, rate: 1/s}\n"
        "  work: {dist: constant, value: 1 s}\n"
        "  noise: {dist: exponential, per: attempt}\n"
        "nodes: [{group: n, count: 4, engine: {slots: 100}}]\n"
        "balancer:\n"
        "  hedge: {after: 2.995732274 s, budget: 100 %%, until: answer}\n"
        "policies: [random]\n");
    trial_run(&trial, 2);
    CHECK_NEAR(trial_mean(&trial, M_LATENCY_P99), 3.800, 0.03);
    CHECK_NEAR(trial_mean(&trial, M_LATENCY_P999), 4.952, 0.12);
    CHECK_NEAR(trial_mean(&trial, M_HEDGES_SENT) / 200000, 0.05, 0.001);
}

/* The same by the percentile that is learned, within its steps of 3 %. */
static void percentile_is_learned(void)
{
    trial_load(&trial,
               "lbsim: 1\n"
               "duration: 100000 s\n"
               "warm_up: 1000 s\n"
               "seed: 7353\n"
               "workload:\n"
               "  arrivals: {process: poisson, rate: 1/s}\n"
               "  work: {dist: constant, value: 1 s}\n"
               "  noise: {dist: exponential, per: attempt}\n"
               "nodes: [{group: n, count: 4, engine: {slots: 100}}]\n"
               "balancer:\n"
               "  hedge: {percentile: 95 %%, budget: 100 %%, until: answer}\n"
               "policies: [random]\n");
    trial_run(&trial, 1);
    CHECK(value(M_HEDGES_SENT) > 4400 && value(M_HEDGES_SENT) < 5500);
}

/* Gardner et al. 2016: copies at d random nodes, the first to complete cancels
   the others: T = sum_{i=d}^{N} 1/(N C(N-1,d-1)/C(i-1,d-1) mu - N lam). */
static void redundancy(const char *count, int attempts, double rate,
                       double known)
{
    trial_load(&trial,
               "lbsim: 1\n"
               "duration: 30000 s\n"
               "warm_up: 500 s\n"
               "seed: 7354\n"
               "workload:\n"
               "  arrivals: {process: poisson, rate: %g/s}\n"
               "  work: {dist: constant, value: 1 s}\n"
               "  noise: {dist: exponential, per: attempt}\n"
               "nodes: [{group: n, count: %s}]\n"
               "balancer:\n"
               "  hedge: {after: 0 s, attempts: %d, budget: 1000 %%,\n"
               "          saturation: 100000 %%, until: answer}\n"
               "policies: [random]\n",
               rate, count, attempts);
    trial_run(&trial, 10);
    TRIAL_MEAN(&trial, M_LATENCY_MEAN, known, 0.05);
    trial_done(&trial);
}

static void copies_at_once(void)
{
    redundancy("2", 2, 1.0, 1.0);
    redundancy("3", 2, 1.8, 1.071428571);
    redundancy("4", 2, 2.8, 1.25452898550725);
    redundancy("4", 3, 2.8, 0.9420289855);
}

/* --- the storm that outlives its cause ---------------------------------------
   envoyproxy/envoy #24937, #10869: 28/s to a pool of 40/s, 1 s for an attempt,
   an outage of 20 s; success from its end on. */

static double storm(const char *const *overrides)
{
    trial_open(&trial, "scenarios/outages/retry_storm.yaml", overrides);
    trial_run(&trial, 3);
    return trial_mean(&trial, M_SUCCESS);
}

static void storm_outlives_its_cause(void)
{
    const char *no_retry[] = {"balancer.retry=off", NULL};
    const char *cancel[] = {"balancer.retry=off",
                            "balancer.timeout.cancel=true", NULL};
    const char *budget[] = {"balancer.retry.budget.share=20 %",
                            "balancer.timeout.cancel=true", NULL};
    const char *queue_budget[] = {"balancer.retry.budget.share=20 %",
                                  "balancer.timeout.cancel=queue", NULL};
    const char *queue[] = {"balancer.timeout.cancel=queue", "warm_up=200 s",
                           NULL};

    CHECK_NEAR(storm(NULL), 0, 0.001);
    CHECK_NEAR(trial_mean(&trial, M_AMPLIFICATION), 3, 0.01);
    trial_done(&trial);
    CHECK(storm(budget) >= 0.98);
    trial_done(&trial);
    /* A backlog of 20 s at 28/s goes by 12/s: 46.7 s of 220 s, less the last
       second, whose requests are in time. */
    CHECK_NEAR(storm(no_retry), 1 - 46.0 / 220, 0.03);
    trial_done(&trial);
    CHECK(storm(cancel) >= 0.98);
    trial_done(&trial);
    /* Queues hold what has waited for nearly 1 s: begun, it ends too late. */
    CHECK(storm(queue) < 0.6);
    trial_done(&trial);
    CHECK(storm(queue_budget) >= 0.98);
}

int main(int argc, char **argv)
{
    CU_TestInfo limits[] = {
        {"nobody waits longer than", nobody_waits_longer_than},
        {"patience of one length is the same",
         patience_of_one_length_is_the_same},
        {"Erlang A", erlang_a},
        {"whole attempts are limited", whole_attempts_are_limited},
        {"work goes on without cancel", work_goes_on_without_cancel},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo hand[] = {
        {"leaves the queue and comes again", leaves_the_queue_and_comes_again},
        {"served just in time", served_just_in_time},
        {"out of time goes to the other node",
         out_of_time_goes_to_the_other_node},
        {"three kinds of cancel", three_kinds_of_cancel},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo hedges[] = {
        {"hedges by the clock", hedges_by_the_clock},
        {"winner frees the other node", winner_frees_the_other_node},
        {"loser works on without cancel", loser_works_on_without_cancel},
        {"first token decides", first_token_decides},
        {"hedging cuts the tail", hedging_cuts_the_tail},
        {"percentile is learned", percentile_is_learned},
        {"copies at once", copies_at_once},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo storms[] = {
        {"storm outlives its cause", storm_outlives_its_cause},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("time_limits", NULL, NULL, NULL, forget, limits),
        SUITE("tries_by_hand", NULL, NULL, NULL, forget, hand),
        SUITE("retry_storm", NULL, NULL, NULL, forget, storms),
        SUITE("hedges", NULL, NULL, NULL, forget, hedges),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
