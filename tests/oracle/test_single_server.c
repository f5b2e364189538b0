/*
 * One node against queueing theory: Poisson arrivals, first come first served.
 * Times are in mean service times, which last a second.
 *
 * Every trial takes so many requests that its half-width at 99.9 % stays below
 * the share that is asked for, with some room; it starts empty and leaves the
 * first tenth out.
 */
#include "tests/oracle/harness.h"

#define REPLICATIONS 20

static bool run_queue(struct trial *trial, unsigned seed, double seconds,
                      double rate_per_s, const char *work, unsigned slots)
{
    return trial_run_slots(trial, seed, seconds, rate_per_s, work, slots,
                           REPLICATIONS);
}

/* --- M/M/1: Kleinrock 1975 ch. 3; mean L = rho / (1 - rho), T exponential
   with rate 1 - rho, P(Wq > t) = rho exp(-(1 - rho) t) ------------------- */

static void mm1_at_load_05(void)
{
    struct trial trial;

    run_queue(&trial, 1001, 200000, 0.5, "exponential, mean: 1 s", 1);
    TRIAL_MEAN(&trial, M_LATENCY_MEAN, 2, 0.02);
    TRIAL_MEAN(&trial, M_WAIT_MEAN, 1, 0.02);
    TRIAL_MEAN(&trial, M_IN_FLIGHT, 1, 0.02);
    TRIAL_MEAN(&trial, M_GPU_USE, 0.5, 0.01);
    TRIAL_MEAN(&trial, M_LATENCY_P50, 1.386294361, 0.02);
    TRIAL_MEAN(&trial, M_LATENCY_P90, 4.605170186, 0.02);
    TRIAL_MEAN(&trial, M_LATENCY_P99, 9.210340372, 0.02);
    TRIAL_MEAN(&trial, M_LATENCY_P999, 13.81551056, 0.06);
    TRIAL_MEAN(&trial, M_WAIT_P90, 3.218875825, 0.02);
    TRIAL_MEAN(&trial, M_WAIT_P99, 7.824046011, 0.02);
    trial_done(&trial);
}

static void mm1_at_load_08(void)
{
    struct trial trial;

    run_queue(&trial, 1002, 500000, 0.8, "exponential, mean: 1 s", 1);
    TRIAL_MEAN(&trial, M_LATENCY_MEAN, 5, 0.02);
    TRIAL_MEAN(&trial, M_WAIT_MEAN, 4, 0.02);
    TRIAL_MEAN(&trial, M_IN_FLIGHT, 4, 0.02);
    TRIAL_MEAN(&trial, M_GPU_USE, 0.8, 0.005);
    TRIAL_MEAN(&trial, M_LATENCY_P50, 3.465735903, 0.02);
    TRIAL_MEAN(&trial, M_LATENCY_P90, 11.51292546, 0.02);
    TRIAL_MEAN(&trial, M_LATENCY_P99, 23.02585093, 0.05);
    TRIAL_MEAN(&trial, M_WAIT_P50, 2.350018146, 0.03);
    TRIAL_MEAN(&trial, M_WAIT_P90, 10.39720771, 0.03);
    TRIAL_MEAN(&trial, M_WAIT_P99, 21.91013317, 0.05);
    trial_done(&trial);
}

/* Little's law holds for each run by itself, but for who is inside at the
   edges of the window: L / (arrivals a second) against the mean time. */
static void littles_law(void)
{
    struct trial trial;

    run_queue(&trial, 1003, 100000, 0.8, "exponential, mean: 1 s", 1);
    for (uint32_t i = 0; i < trial.replications; i++) {
        const double *values = trial.results[i].values;

        CHECK_NEAR(values[M_IN_FLIGHT] / values[M_OFFERED],
                   values[M_LATENCY_MEAN], 0.005 * values[M_LATENCY_MEAN]);
    }
    trial_done(&trial);
}

/* --- M/M/c: Erlang C, Harchol-Balter 2013 ch. 14 ------------------------- */

static void mmc_with_4_slots(void)
{
    struct trial trial;

    run_queue(&trial, 1004, 120000, 3.2, "exponential, mean: 1 s", 4);
    TRIAL_MEAN(&trial, M_LATENCY_MEAN, 1.74554059, 0.02);
    TRIAL_MEAN(&trial, M_WAIT_MEAN, 0.7455405897, 0.03);
    TRIAL_MEAN(&trial, M_LATENCY_P50, 1.346199054, 0.02);
    TRIAL_MEAN(&trial, M_LATENCY_P90, 3.77596025, 0.02);
    TRIAL_MEAN(&trial, M_LATENCY_P99, 6.893203749, 0.02);
    TRIAL_MEAN(&trial, M_WAIT_P90, 2.232244802, 0.03);
    TRIAL_MEAN(&trial, M_WAIT_P99, 5.110476168, 0.04);
    trial_done(&trial);
}

static void mmc_with_16_slots(void)
{
    struct trial trial;

    run_queue(&trial, 1005, 50000, 14.4, "exponential, mean: 1 s", 16);
    TRIAL_MEAN(&trial, M_LATENCY_MEAN, 1.369589621, 0.02);
    TRIAL_MEAN(&trial, M_WAIT_MEAN, 0.3695896212, 0.04);
    TRIAL_MEAN(&trial, M_LATENCY_P50, 1.078009773, 0.02);
    TRIAL_MEAN(&trial, M_LATENCY_P90, 2.897176888, 0.02);
    TRIAL_MEAN(&trial, M_LATENCY_P99, 5.269834601, 0.02);
    TRIAL_MEAN(&trial, M_WAIT_P99, 2.549882371, 0.07);
    trial_done(&trial);
}

/* --- M/D/1: Erlang 1909 -------------------------------------------------- */

static void md1(void)
{
    struct trial trial;

    run_queue(&trial, 1006, 300000, 0.8, "constant, value: 1 s", 1);
    TRIAL_MEAN(&trial, M_LATENCY_MEAN, 3, 0.02);
    TRIAL_MEAN(&trial, M_WAIT_MEAN, 2, 0.02);
    TRIAL_MEAN(&trial, M_LATENCY_P50, 2.275939873, 0.02);
    TRIAL_MEAN(&trial, M_LATENCY_P90, 6.011511498, 0.02);
    TRIAL_MEAN(&trial, M_LATENCY_P99, 11.35588679, 0.05);
    TRIAL_MEAN(&trial, M_WAIT_P50, 1.275939873, 0.02);
    TRIAL_MEAN(&trial, M_WAIT_P99, 10.35588679, 0.05);
    trial_done(&trial);
}

/* --- M/G/1: Pollaczek-Khinchine, Kleinrock 1975 (5.63); percentiles by
   partial fractions or by the Benes series on a lattice -------------------- */

static void mg1_hyperexponential(void)
{
    struct trial trial;

    run_queue(&trial, 1008, 800000, 0.5, "hyperexponential, mean: 1 s, scv: 4",
              1);
    TRIAL_MEAN(&trial, M_WAIT_MEAN, 2.5, 0.03);
    TRIAL_MEAN(&trial, M_LATENCY_MEAN, 3.5, 0.03);
    TRIAL_MEAN(&trial, M_WAIT_P90, 8.542406219, 0.03);
    TRIAL_MEAN(&trial, M_WAIT_P99, 24.10870413, 0.04);
    trial_done(&trial);
}

/* Index 2.5, cut at 30 times the least: without the cut E[S^3] is infinite and
   a t interval means nothing. */
static void mg1_bounded_pareto(void)
{
    struct trial trial;

    run_queue(&trial, 1009, 500000, 0.5,
              "bounded_pareto, mean: 1 s, shape: 2.5, ratio: 30", 1);
    TRIAL_MEAN(&trial, M_WAIT_MEAN, 0.7445690208, 0.03);
    TRIAL_MEAN(&trial, M_LATENCY_MEAN, 1.744569021, 0.02);
    trial_done(&trial);
}

/* Other speeds and token costs are the same queue in other words: base 0.25 s
   and 250 tokens of 3 ms, on a node of speed 2 asked 1.6 times a second, with
   exponential noise, is M/M/1 at 0.8 with services of half a second. */
static void mm1_by_tokens_and_speed(void)
{
    struct trial trial;

    trial_load(&trial,
               "lbsim: 1\n"
               "duration: 200000 s\n"
               "warm_up: 10 %%\n"
               "seed: 1020\n"
               "workload:\n"
               "  arrivals: {process: poisson, rate: 1.6/s}\n"
               "  input_tokens: {dist: constant, value: 50}\n"
               "  output_tokens: {dist: constant, value: 200}\n"
               "  noise: {dist: exponential, mean: 7}\n"
               "nodes: [{group: node, engine: {speed: 2, service: {base: 250 "
               "ms, per_input_token: 3 ms, per_output_token: 3 ms}}}]\n"
               "policies: [random]\n");
    trial_run(&trial, REPLICATIONS);
    TRIAL_MEAN(&trial, M_LATENCY_MEAN, 2.5, 0.03);
    TRIAL_MEAN(&trial, M_WAIT_MEAN, 2, 0.03);
    /* The first token comes when base and input are done: 0.4 of the service.
     */
    TRIAL_MEAN(&trial, M_TTFT_MEAN, 2.2, 0.03);
    /* 199 tokens follow in 0.6 of it, of half a second. */
    TRIAL_MEAN(&trial, M_TPOT_MEAN, 0.3 / 199, 0.01);
    trial_done(&trial);
}

/* --- GI/M/1: Kleinrock 1975 ch. 6 ---------------------------------------- */

static bool run_arrivals(struct trial *trial, unsigned seed, double seconds,
                         const char *arrivals)
{
    return trial_load(trial,
                      "lbsim: 1\n"
                      "duration: %.0f s\n"
                      "warm_up: 10 %%\n"
                      "seed: %u\n"
                      "workload:\n"
                      "  arrivals: {process: %s}\n"
                      "  work: {dist: exponential, mean: 1 s}\n"
                      "nodes: [{group: node}]\n"
                      "policies: [random]\n",
                      seconds, seed, arrivals) &&
           trial_run(trial, REPLICATIONS);
}

static void evenly_spaced_arrivals(void)
{
    struct trial trial;

    run_arrivals(&trial, 1021, 300000, "deterministic, rate: 0.8/s");
    TRIAL_MEAN(&trial, M_LATENCY_MEAN, 2.69273084, 0.02);
    TRIAL_MEAN(&trial, M_LATENCY_P50, 1.86645879, 0.02);
    TRIAL_MEAN(&trial, M_LATENCY_P99, 12.40048378, 0.04);
    trial_done(&trial);
}

/* Gaps of shape 1/4: squared coefficient of variation 4. */
static void bursty_arrivals(void)
{
    struct trial trial;

    run_arrivals(&trial, 1022, 300000, "gamma, cv: 2, rate: 0.5/s");
    TRIAL_MEAN(&trial, M_LATENCY_MEAN, 4.361051364, 0.03);
    TRIAL_MEAN(&trial, M_LATENCY_P50, 3.022850457, 0.03);
    TRIAL_MEAN(&trial, M_LATENCY_P99, 20.08338372, 0.05);
    trial_done(&trial);
}

/* --- M/M/1 with a limit tau on the whole time ----------------------------- */

static bool run_timeout(struct trial *trial, unsigned seed, double rate_per_s,
                        unsigned total_s, const char *cancel)
{
    return trial_load(trial,
                      "lbsim: 1\n"
                      "duration: 100000 s\n"
                      "warm_up: 10 %%\n"
                      "seed: %u\n"
                      "workload:\n"
                      "  arrivals: {process: poisson, rate: %.1f/s}\n"
                      "  work: {dist: exponential, mean: 1 s}\n"
                      "nodes: [{group: node}]\n"
                      "balancer: {timeout: {total: %u s, cancel: %s}}\n"
                      "policies: [random]\n",
                      seed, rate_per_s, total_s, cancel) &&
           trial_run(trial, REPLICATIONS);
}

static struct trial_estimate timed_out_share(const struct trial *trial)
{
    double shares[REPLICATIONS];

    for (uint32_t i = 0; i < trial->replications; i++)
        shares[i] = trial->results[i].values[M_TIMED_OUT] /
                    trial->results[i].values[M_ARRIVED];
    return trial_estimate_of(shares, trial->replications);
}

#define CHECK_TIMED_OUT(trial, width, value)                           \
    trial_judge("share timed out", timed_out_share(trial), (value), 0, \
                (width) * (value), __LINE__, __FILE__, __func__)

/* What is given up leaves the server at once: the work present has density
   lam p0 exp(-(mu - lam) x) below tau, p0 = 1 / (1 + lam A), A = (1 - E) /
   (mu - lam), E = exp(-(mu - lam) tau), and P = p0 E. */
static void time_outs_that_cancel(void)
{
    struct trial trial;

    run_timeout(&trial, 1023, 0.8, 2, "true");
    CHECK_TIMED_OUT(&trial, 0.02, 0.2890905755);
    trial_done(&trial);
    run_timeout(&trial, 1024, 1.2, 3, "true");
    CHECK_TIMED_OUT(&trial, 0.02, 0.3071307952);
    trial_done(&trial);
}

/* The client leaves but the node goes on: all waits are those of M/M/1, so
   P = exp(-(mu - lam) tau). */
static void time_outs_that_leave_zombies(void)
{
    struct trial trial;

    run_timeout(&trial, 1025, 0.8, 2, "false");
    CHECK_TIMED_OUT(&trial, 0.02, 0.670320046);
    TRIAL_MEAN(&trial, M_GPU_USE, 0.8, 0.02);
    trial_done(&trial);
    run_timeout(&trial, 1027, 0.9, 5, "false");
    CHECK_TIMED_OUT(&trial, 0.03, 0.606530659712633);
    TRIAL_MEAN(&trial, M_GPU_USE, 0.9, 0.02);
    trial_done(&trial);
}

/* The queue is left at tau, the server never: as Barrer 1957, 1/p0 = 1 + lam A
   + lam E/mu, P(wait > tau) = p0 lam E/mu; and with those whose service ends
   late P = p0 E (1 + lam/mu). Busy for 1 - p0. */
static void time_outs_that_cancel_the_queue(void)
{
    struct trial trial;

    run_timeout(&trial, 1026, 0.8, 2, "queue");
    CHECK_TIMED_OUT(&trial, 0.02, 0.4226221675);
    TRIAL_MEAN(&trial, M_GPU_USE, 0.6497343596, 0.02);
    trial_done(&trial);
}

int main(int argc, char **argv)
{
    CU_TestInfo exponential[] = {
        {"M/M/1 at 0.5", mm1_at_load_05},
        {"M/M/1 at 0.8", mm1_at_load_08},
        {"Little's law in each run", littles_law},
        {"M/M/4 at 0.8", mmc_with_4_slots},
        {"M/M/16 at 0.9", mmc_with_16_slots},
        {"M/M/1 by tokens and speed", mm1_by_tokens_and_speed},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo general[] = {
        {"M/D/1 at 0.8", md1},
        {"M/G/1, hyperexponential", mg1_hyperexponential},
        {"M/G/1, bounded Pareto", mg1_bounded_pareto},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo arrivals[] = {
        {"evenly spaced arrivals", evenly_spaced_arrivals},
        {"bursty arrivals", bursty_arrivals},
        {"time-outs that cancel", time_outs_that_cancel},
        {"time-outs that cancel the queue", time_outs_that_cancel_the_queue},
        {"time-outs that leave zombies", time_outs_that_leave_zombies},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("single exponential", NULL, NULL, NULL, NULL, exponential),
        SUITE("single general", NULL, NULL, NULL, NULL, general),
        SUITE("single arrivals and time-outs", NULL, NULL, NULL, NULL,
              arrivals),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
