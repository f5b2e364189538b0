/*
 * What happens inside a node, against theory: processor sharing, losses of a
 * limited queue, and the shortest job first.
 */
#include "tests/oracle/harness.h"

#include <math.h>

#define REPLICATIONS 20

static bool run_node(struct trial *trial, unsigned seed, double seconds,
                     double rate_per_s, const char *work, const char *engine)
{
    return trial_run_node(trial, seed, seconds, rate_per_s, work, engine,
                          REPLICATIONS);
}

/* --- M/G/1-PS: T = E[S] / (1 - rho) whatever the law of the service, by
   Kleinrock 1976 (4.17); L = rho / (1 - rho); a busy node is busy rho of the
   time ------------------------------------------------------------------- */

static void ps_knows_the_mean_alone(void)
{
    static const char *const laws[] = {
        "exponential, mean: 1 s", "constant, value: 1 s",
        "lognormal, mean: 1 s, scv: 4",
        "bounded_pareto, mean: 1 s, shape: 1.5, ratio: 1000"};

    for (unsigned i = 0; i < 4; i++) {
        struct trial trial;

        run_node(&trial, 3001 + i, i == 1 ? 10000 : 30000, 0.5, laws[i],
                 "kind: sharing");
        TRIAL_MEAN(&trial, M_LATENCY_MEAN, 2, 0.05);
        TRIAL_MEAN(&trial, M_IN_FLIGHT, 1, 0.05);
        TRIAL_MEAN(&trial, M_GPU_USE, 0.5, 0.04);
        TRIAL_MEAN(&trial, M_WAIT_MEAN, 0, 0);
        trial_done(&trial);
    }
}

static void ps_under_load(void)
{
    struct trial trial;

    run_node(&trial, 3005, 60000, 0.8, "constant, value: 1 s", "kind: sharing");
    TRIAL_MEAN(&trial, M_LATENCY_MEAN, 5, 0.03);
    TRIAL_MEAN(&trial, M_IN_FLIGHT, 4, 0.03);
    trial_done(&trial);
}

/* Exponential services: Var T = (2 + rho) / ((1 - rho)^2 (2 - rho)), so E[T^2]
   is 10.667 at 0.5 (Coffman, Muntz & Trotter 1970). */
static void ps_spreads_as_known(void)
{
    struct trial trial;
    double squares[REPLICATIONS];

    trial_load(&trial, "lbsim: 1\n"
                       "duration: 60000 s\n"
                       "seed: 3007\n"
                       "workload:\n"
                       "  arrivals: {process: poisson, rate: 0.5/s}\n"
                       "  work: {dist: exponential, mean: 1 s}\n"
                       "nodes: [{group: node, engine: {kind: sharing}}]\n"
                       "policies: [random]\n");
    trial.keep_latencies = true;
    trial_run(&trial, REPLICATIONS);
    for (uint32_t r = 0; r < trial.replications; r++) {
        const struct run_result *result = &trial.results[r];
        uint64_t first = result->latency_count / 10;
        double sum = 0;

        for (uint64_t i = first; i < result->latency_count; i++)
            sum += result->latencies[i] * result->latencies[i];
        squares[r] = sum / (double)(result->latency_count - first);
    }
    trial_judge("E[T^2]", trial_estimate_of(squares, trial.replications),
                10.66666667, 0, 0.1 * 10.66666667, __LINE__, __FILE__,
                __func__);
    trial_done(&trial);
}

/* E[T | x] = x / (1 - rho): so the first token, due after a service of 0.5 s,
   comes after 0.5 / (1 - rho). */
static void ps_first_token(void)
{
    struct trial trial;

    trial_load(&trial,
               "lbsim: 1\n"
               "duration: 100000 s\n"
               "warm_up: 10 %%\n"
               "seed: 3006\n"
               "workload:\n"
               "  arrivals: {process: poisson, rate: 0.3/s}\n"
               "  input_tokens: {dist: constant, value: 100}\n"
               "  output_tokens: {dist: uniform, min: 1, max: 300}\n"
               "nodes: [{group: node, engine: {kind: sharing, service: "
               "{base: 0.4 s, per_input_token: 1 ms, per_output_token: 10 "
               "ms}}}]\n"
               "policies: [random]\n");
    trial_run(&trial, REPLICATIONS);
    /* Output 1 to 300 tokens, 1.505 s in the mean: S = 2.005 s. */
    TRIAL_MEAN(&trial, M_LATENCY_MEAN, 2.005 / (1 - 0.3 * 2.005), 0.03);
    TRIAL_MEAN(&trial, M_TTFT_MEAN, 0.5 / (1 - 0.3 * 2.005), 0.03);
    trial_done(&trial);
}

/* --- a batching accelerator: with n inside, each advances at 1 / (A + C n),
   at most K, who finds K is lost. Stationary weights w_n = prod lam (A + C k)
   / k, insensitive to the law of the work (Kelly 1979 ch. 3.3) ------------- */

static struct trial_estimate lost_share(const struct trial *trial)
{
    double shares[REPLICATIONS];

    for (uint32_t i = 0; i < trial->replications; i++)
        shares[i] = trial->results[i].values[M_ERRORS_FULL] /
                    trial->results[i].values[M_ARRIVED];
    return trial_estimate_of(shares, trial->replications);
}

#define CHECK_LOST(trial, value, share)                      \
    trial_judge("share lost", lost_share(trial), (value), 0, \
                (share) * (value), __LINE__, __FILE__, __func__)

static void batch_ps(void)
{
    static const struct {
        double rate, base, latency, in_flight, loss;
        unsigned limit;
    } rows[] = {
        {5, 0.1, 0.1312707182, 0.6366559486, 0.03001071811, 3},
        {20, 0.1, 0.1883702673, 3.609969183, 0.04178901615, 8},
        {30, 0.05, 0.143682204, 3.997485064, 0.07260956152, 8},
    };

    for (unsigned i = 0; i < 6; i++) {
        unsigned row = i / 2;
        char engine[200];
        struct trial trial;

        snprintf(engine, sizeof engine,
                 "kind: sharing, limit: %u, queue_limit: 0, slowdown: {base: "
                 "%g, per_request: 0.02}",
                 rows[row].limit, rows[row].base);
        run_node(&trial, 3010 + i, 20000 / rows[row].rate, rows[row].rate,
                 i % 2 ? "lognormal, mean: 1 s, scv: 4"
                       : "exponential, mean: 1 s",
                 engine);
        TRIAL_MEAN(&trial, M_LATENCY_MEAN, rows[row].latency, 0.03);
        TRIAL_MEAN(&trial, M_IN_FLIGHT, rows[row].in_flight, 0.03);
        TRIAL_MEAN(&trial, M_GPU_USE, rows[row].in_flight / rows[row].limit,
                   0.03);
        CHECK_LOST(&trial, rows[row].loss, 0.1);
        trial_done(&trial);
    }
}

/* --- no waiting room: Erlang B, by the mean service alone (Sevastyanov
   1957) ---------------------------------------------------------------- */

static void erlang_b(void)
{
    static const char *const laws[] = {
        "exponential, mean: 1 s", "constant, value: 1 s",
        "lognormal, mean: 1 s, scv: 4", "pareto, mean: 1 s, shape: 2.5"};

    for (unsigned i = 0; i < 4; i++) {
        struct trial trial;

        run_node(&trial, 3020 + i, 4000, 3, laws[i],
                 "slots: 5, queue_limit: 0");
        CHECK_LOST(&trial, 0.1100543478, 0.08);
        trial_done(&trial);
        run_node(&trial, 3030 + i, 1500, 8, laws[i],
                 "slots: 10, queue_limit: 0");
        CHECK_LOST(&trial, 0.1216610643, 0.08);
        trial_done(&trial);
    }
}

/* --- room for some: M/M/c/K and M/D/1/K (Tijms 2003; Gross & Harris) ------ */

static void room_for_some(void)
{
    struct trial trial;

    run_node(&trial, 3041, 40000, 0.8, "exponential, mean: 1 s",
             "queue_limit: 9");
    CHECK_LOST(&trial, 0.02349285758, 0.1);
    TRIAL_MEAN(&trial, M_LATENCY_MEAN, 3.797097504, 0.02);
    trial_done(&trial);
    run_node(&trial, 3042, 20000, 3.5, "exponential, mean: 1 s",
             "slots: 4, queue_limit: 6");
    CHECK_LOST(&trial, 0.05828070215, 0.04);
    TRIAL_MEAN(&trial, M_LATENCY_MEAN, 1.473501399, 0.02);
    TRIAL_MEAN(&trial, M_WAIT_MEAN, 0.473501399, 0.03);
    trial_done(&trial);
    run_node(&trial, 3043, 40000, 0.8, "constant, value: 1 s",
             "queue_limit: 4");
    CHECK_LOST(&trial, 0.03529039644, 0.04);
    TRIAL_MEAN(&trial, M_LATENCY_MEAN, 2.209666563, 0.02);
    trial_done(&trial);
    run_node(&trial, 3044, 20000, 1.2, "constant, value: 1 s",
             "queue_limit: 4");
    CHECK_LOST(&trial, 0.1991466933, 0.03);
    TRIAL_MEAN(&trial, M_LATENCY_MEAN, 3.400458019, 0.02);
    trial_done(&trial);
}

/* --- the shortest first, not interrupted: Phipps 1956. W(x) = lam E[S^2] / 2 /
   (1 - rho(x))^2 for a request of size x, rho(x) the load of those below. With
   exponential sizes of mean 1, rho(x) = lam (1 - (1 + x) e^-x); at 0.8 the
   mean is 1.8822186 (quadrature by mpmath) --------------------------------- */

static void shortest_first(void)
{
    struct trial trial;

    run_node(&trial, 3051, 60000, 0.8, "exponential, mean: 1 s", "order: sjf");
    TRIAL_MEAN(&trial, M_WAIT_MEAN, 1.8822186, 0.04);
    trial_done(&trial);
    /* The order of the queue changes no law of M/M/1 that it cannot see: by
       noise alone the sizes differ, and the wait is 4. */
    trial_load(&trial, "lbsim: 1\n"
                       "duration: 100000 s\n"
                       "warm_up: 10 %%\n"
                       "seed: 3052\n"
                       "workload:\n"
                       "  arrivals: {process: poisson, rate: 0.8/s}\n"
                       "  work: {dist: constant, value: 1 s}\n"
                       "  noise: {dist: exponential, mean: 1}\n"
                       "nodes: [{group: node, engine: {order: sjf}}]\n"
                       "policies: [random]\n");
    trial_run(&trial, REPLICATIONS);
    TRIAL_MEAN(&trial, M_WAIT_MEAN, 4, 0.04);
    trial_done(&trial);
}

int main(int argc, char **argv)
{
    CU_TestInfo sharing[] = {
        {"M/G/1-PS knows the mean alone", ps_knows_the_mean_alone},
        {"M/D/1-PS at 0.8", ps_under_load},
        {"M/M/1-PS, second moment", ps_spreads_as_known},
        {"M/G/1-PS, first token", ps_first_token},
        {"a batching accelerator", batch_ps},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo limits[] = {
        {"Erlang B", erlang_b},
        {"M/M/c/K and M/D/1/K", room_for_some},
        {"the shortest first", shortest_first},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("engines sharing", NULL, NULL, NULL, NULL, sharing),
        SUITE("engines queue", NULL, NULL, NULL, NULL, limits),
        CU_SUITE_INFO_NULL,
    };
    return check_main(argc, argv, suites);
}
