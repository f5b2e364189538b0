/*
 * One node against queueing theory, for traffic beyond Poisson arrivals of
 * plain laws. Times are in mean service times, which last a second.
 *
 * Tables of reference values were computed independently, with mpmath at 40
 * digits or as numerically solved Markov chains; sources at each test.
 */
#include "tests/oracle/harness.h"

#include <stdio.h>

#define REPLICATIONS 20

static bool run_queue(struct trial *trial, unsigned seed, double seconds,
                      const char *workload)
{
    return trial_load(trial,
                      "lbsim: 1\n"
                      "duration: %.0f s\n"
                      "warm_up: 10 %%\n"
                      "seed: %u\n"
                      "workload:\n"
                      "%s"
                      "nodes: [{group: node}]\n"
                      "policies: [random]\n",
                      seconds, seed, workload) &&
           trial_run(trial, REPLICATIONS);
}

/* --- M/G/1: Pollaczek-Khinchine, Kleinrock 1975 (5.63) -------------------- */

static void mg1_weibull(void)
{
    struct trial trial;

    run_queue(&trial, 1301, 400000,
              "  arrivals: {process: poisson, rate: 0.5/s}\n"
              "  work: {dist: weibull, shape: 0.5, mean: 1 s}\n");
    TRIAL_MEAN(&trial, M_WAIT_MEAN, 3, 0.04);
    TRIAL_MEAN(&trial, M_LATENCY_MEAN, 4, 0.03);
    trial_done(&trial);
    run_queue(&trial, 1302, 300000,
              "  arrivals: {process: poisson, rate: 0.8/s}\n"
              "  work: {dist: weibull, shape: 2, mean: 1 s}\n");
    TRIAL_MEAN(&trial, M_WAIT_MEAN, 2.546479089, 0.03);
    trial_done(&trial);
}

static void mg1_gamma(void)
{
    struct trial trial;

    run_queue(&trial, 1303, 300000,
              "  arrivals: {process: poisson, rate: 0.5/s}\n"
              "  work: {dist: gamma, mean: 1 s, scv: 2}\n");
    TRIAL_MEAN(&trial, M_WAIT_MEAN, 1.5, 0.03);
    TRIAL_MEAN(&trial, M_LATENCY_MEAN, 2.5, 0.02);
    trial_done(&trial);
    run_queue(&trial, 1304, 300000,
              "  arrivals: {process: poisson, rate: 0.8/s}\n"
              "  work: {dist: gamma, shape: 4, scale: 250 ms}\n");
    TRIAL_MEAN(&trial, M_WAIT_MEAN, 2.5, 0.03);
    trial_done(&trial);
}

/* 0.5 s twice and 2 s once: mean 1, E[S^2] = 1.5, so Wq = 0.5 * 1.5 / 1 =
   0.75. The file counts in milliseconds. */
static void mg1_empirical(void)
{
    struct trial trial;

    run_queue(&trial, 1305, 300000,
              "  arrivals: {process: poisson, rate: 0.5/s}\n"
              "  work: {dist: empirical, file: tests/data/values.csv, column: "
              "work_ms, weights: seen, scale: 1 ms}\n");
    TRIAL_MEAN(&trial, M_WAIT_MEAN, 0.75, 0.03);
    TRIAL_MEAN(&trial, M_LATENCY_MEAN, 1.75, 0.02);
    trial_done(&trial);
}

/* --- MMPP(2)/M/1: matrix-geometric solution, Neuts 1981; Fischer and
   Meier-Hellstern 1993 ------------------------------------------------------
 */

static void mmpp_of_two_states(void)
{
    struct trial trial;

    run_queue(&trial, 1311, 400000,
              "  arrivals: {process: mmpp, states: [{rate: 0.5/s, stay: 20 s}, "
              "{rate: 3/s, stay: 2 s}]}\n"
              "  work: {dist: exponential, mean: 1 s}\n");
    TRIAL_MEAN(&trial, M_LATENCY_MEAN, 7.967149465, 0.04);
    TRIAL_MEAN(&trial, M_IN_FLIGHT, 5.79429052, 0.04);
    TRIAL_MEAN(&trial, M_OFFERED, 0.7272727273, 0.01);
    trial_done(&trial);
}

/* The interrupted Poisson case equals GI/M/1 with hyperexponential gaps
   (Kuczura 1973). States by their rates of leaving. */
static void mmpp_that_is_interrupted(void)
{
    struct trial trial;

    run_queue(&trial, 1312, 400000,
              "  arrivals: {process: mmpp, states: [{rate: 0/s, moves: [0/s, "
              "0.1/s]}, {rate: 1.5/s, moves: [0.1/s, 0/s]}]}\n"
              "  work: {dist: exponential, mean: 1 s}\n");
    TRIAL_MEAN(&trial, M_LATENCY_MEAN, 15.30662386, 0.05);
    TRIAL_MEAN(&trial, M_IN_FLIGHT, 11.4799679, 0.05);
    trial_done(&trial);
}

/* --- Mt/M/1: forward equations run to the periodic state. Windows are whole
   periods ------------------------------------------------------------------ */

static void diurnal_sine(void)
{
    struct trial trial;

    run_queue(&trial, 1321, 300000,
              "  arrivals: {process: diurnal, rate: 0.6/s, amplitude: 50 %, "
              "period: 100 s}\n"
              "  work: {dist: exponential, mean: 1 s}\n");
    TRIAL_MEAN(&trial, M_LATENCY_MEAN, 3.365801792, 0.03);
    TRIAL_MEAN(&trial, M_IN_FLIGHT, 2.019481075, 0.03);
    trial_done(&trial);
    run_queue(&trial, 1322, 300000,
              "  arrivals: {process: diurnal, rate: 0.7/s, amplitude: 90 %, "
              "period: 50 s}\n"
              "  work: {dist: exponential, mean: 1 s}\n");
    TRIAL_MEAN(&trial, M_LATENCY_MEAN, 5.629137376, 0.03);
    TRIAL_MEAN(&trial, M_IN_FLIGHT, 3.940396163, 0.03);
    trial_done(&trial);
}

/* A sine is met by straight lines between 20 points of it within 0.9 % of the
   rate, and its queue within 1 % or so: another way through the program to
   the same law. The points lie on the sine, chords inside. */
static void diurnal_points_along_the_sine(void)
{
    static const double sine[] = {0, 0.309017, 0.587785, 0.809017, 0.951057,
                                  1, 0.951057, 0.809017, 0.587785, 0.309017};
    char workload[2000];
    size_t used = 0;
    struct trial trial;

    used += (size_t)snprintf(workload, sizeof workload,
                             "  arrivals: {process: diurnal, period: 100 s, "
                             "points: [");
    for (int i = 0; i < 20; i++)
        used += (size_t)snprintf(
            workload + used, sizeof workload - used,
            "%s{at: %d s, rate: %.6f/s}", i ? ", " : "", 5 * i,
            0.6 * (1 + 0.5 * (i < 10 ? sine[i] : -sine[i - 10])));
    snprintf(workload + used, sizeof workload - used,
             "]}\n  work: {dist: exponential, mean: 1 s}\n");
    run_queue(&trial, 1323, 200000, workload);
    TRIAL_BIASED(&trial, M_LATENCY_MEAN, 3.365801792, 0.035, 0.12);
    TRIAL_MEAN(&trial, M_OFFERED, 0.6, 0.01);
    trial_done(&trial);
}

/* --- closed loops: the machine repairman, M/M/c//N; Kleinrock 1975 section
   3.8. With think time Z and service S, p(n) = p(n - 1) (N - n + 1) S / (Z
   min(n, c)), the throughput X = sum p(n) min(n, c) / S and, by Little's law,
   R = N / X - Z ------------------------------------------------------------ */

static void closed_loop_with_one_server(void)
{
    struct trial trial;

    run_queue(&trial, 1331, 30000,
              "  arrivals: {process: closed, clients: 5, think: {dist: "
              "exponential, mean: 2 s}}\n"
              "  work: {dist: exponential, mean: 1 s}\n");
    TRIAL_MEAN(&trial, M_THROUGHPUT, 0.9633027523, 0.01);
    TRIAL_MEAN(&trial, M_LATENCY_MEAN, 3.19047619, 0.02);
    TRIAL_MEAN(&trial, M_IN_FLIGHT, 3.073394495, 0.02);
    TRIAL_MEAN(&trial, M_GPU_USE, 0.9633027523, 0.01);
    trial_done(&trial);
}

/* Think times of another law with the same mean change nothing: the clients
   are an infinite server, which is insensitive to its law (Baskett, Chandy,
   Muntz and Palacios 1975). */
static void closed_loop_is_insensitive_to_thinking(void)
{
    struct trial trial;

    run_queue(&trial, 1332, 60000,
              "  arrivals: {process: closed, clients: 10, think: {dist: "
              "constant, value: 5 s}}\n"
              "  work: {dist: exponential, mean: 1 s}\n");
    TRIAL_MEAN(&trial, M_THROUGHPUT, 0.9816154297, 0.01);
    TRIAL_MEAN(&trial, M_LATENCY_MEAN, 5.18728893, 0.02);
    trial_done(&trial);
}

int main(int argc, char **argv)
{
    CU_TestInfo laws[] = {
        {"M/G/1, Weibull", mg1_weibull},
        {"M/G/1, gamma", mg1_gamma},
        {"M/G/1, values of a file", mg1_empirical},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo arrivals[] = {
        {"MMPP of two states", mmpp_of_two_states},
        {"MMPP that is interrupted", mmpp_that_is_interrupted},
        {"sine", diurnal_sine},
        {"points along the sine", diurnal_points_along_the_sine},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo closed[] = {
        {"one server", closed_loop_with_one_server},
        {"insensitive to thinking", closed_loop_is_insensitive_to_thinking},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("traffic_laws", NULL, NULL, NULL, NULL, laws),
        SUITE("traffic_arrivals", NULL, NULL, NULL, NULL, arrivals),
        SUITE("traffic_closed", NULL, NULL, NULL, NULL, closed),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
