/*
 * Models: nodes that lack the one asked for, by hand arithmetic; and what
 * routing by model is worth, against an independent small model's figures
 * (Poisson arrivals, lognormal sizes, ten replications, 95 % intervals).
 */
#include "tests/oracle/harness.h"

/* Node a lists chat, node b light; every request asks for chat and takes 100
   ms. Requests come every second and go to a and b in turn. */
#define TWO_NODES                                               \
    "lbsim: 1\nduration: 10500 ms\nworkload:\n"                 \
    "  arrivals: {process: deterministic, rate: 1/s}\n"         \
    "  work: {dist: constant, value: 100 ms}\n"                 \
    "  classes: [{name: chat, share: 100 %%, model: chat}]\n"   \
    "nodes:\n"                                                  \
    "  - {group: a, models: [chat], engine: {slots: 4}}\n"      \
    "  - {group: b, models: [light], engine: {slots: 4}, %s}\n" \
    "policies: [round_robin]\n%s"

static const double *run_two(struct trial *trial, const char *node,
                             const char *more)
{
    static const double nothing[MEASURE_COUNT];

    if (!trial_load(trial, TWO_NODES, node, more) || !trial_run(trial, 1))
        return nothing;
    CHECK_NEAR(trial->results[0].values[M_ARRIVED], 10, 0);
    return trial->results[0].values;
}

/* Every second request comes to b and fails there at once. */
static void wrong_nodes_refuse(void)
{
    struct trial trial;
    const double *values = run_two(&trial, "misroute: refuse", "");

    CHECK_NEAR(values[M_COMPLETED], 5, 0);
    CHECK_NEAR(values[M_FAILED], 5, 0);
    CHECK_NEAR(values[M_MISROUTED], 5, 0);
    CHECK_NEAR(values[M_ERRORS_MODEL], 5, 0);
    CHECK_NEAR(values[M_LATENCY_MAX], 0.1, 1e-9);
    trial_done(&trial);
}

/* A client's error is passed on, unless the scenario says otherwise; then it
   costs an attempt, and the way there and back: 3 x 10 ms + 100 ms + 10 ms. */
static void refusal_is_retried_only_if_asked(void)
{
    struct trial trial;
    const double *values = run_two(&trial, "misroute: refuse",
                                   "balancer: {retry: {attempts: 2}}\n");

    CHECK_NEAR(values[M_COMPLETED], 5, 0);
    CHECK_NEAR(values[M_RETRIES], 0, 0);
    trial_done(&trial);
    values = run_two(&trial, "misroute: refuse",
                     "balancer: {network_delay: 10 ms, retry: {attempts: 2, "
                     "on_misroute: true}}\n");
    CHECK_NEAR(values[M_COMPLETED], 10, 0);
    CHECK_NEAR(values[M_RETRIES] * 10, values[M_ERRORS_MODEL], 1e-9);
    CHECK(values[M_ERRORS_MODEL] > 0);
    CHECK_NEAR(values[M_LATENCY_MAX], 0.14, 1e-9);
    trial_done(&trial);
}

static void wrong_nodes_run_it_all_the_same(void)
{
    struct trial trial;
    const double *values = run_two(&trial, "misroute: run", "");

    CHECK_NEAR(values[M_COMPLETED], 10, 0);
    CHECK_NEAR(values[M_MISROUTED], 5, 0);
    CHECK_NEAR(values[M_ERRORS_MODEL], 0, 0);
    CHECK_NEAR(values[M_LATENCY_MAX], 0.1, 1e-9);
    trial_done(&trial);
}

/* The first that comes to b waits for the load of 2.5 s; the next, two seconds
   later, for what is left of it; the others find the model there:
   (8 x 0.1 + 2.6 + 0.6) / 10. */
static void wrong_nodes_load_it_once(void)
{
    struct trial trial;
    const double *values =
        run_two(&trial, "misroute: load, model_load: {time: 2500 ms}", "");

    CHECK_NEAR(values[M_COMPLETED], 10, 0);
    CHECK_NEAR(values[M_MISROUTED], 2, 0);
    CHECK_NEAR(values[M_MODEL_LOADS], 1, 0);
    CHECK_NEAR(values[M_LATENCY_MAX], 2.6, 1e-9);
    CHECK_NEAR(values[M_LATENCY_MEAN], 0.4, 1e-9);
    trial_done(&trial);
}

/* With room for one of two models, the one that it names first is there: the
   scenario's order of names, chat before light, is no matter. */
static void nodes_begin_with_what_they_list_first(void)
{
    static const char *const lists[] = {"chat, light", "light, chat"};

    for (int i = 0; i < 2; i++) {
        struct trial trial;

        trial_load(&trial,
                   "lbsim: 1\nduration: 10500 ms\nworkload:\n"
                   "  arrivals: {process: deterministic, rate: 1/s}\n"
                   "  work: {dist: constant, value: 100 ms}\n"
                   "  classes: [{name: c, share: 100 %%, model: chat}]\n"
                   "nodes:\n"
                   "  - {group: a, count: 0, models: [chat, light]}\n"
                   "  - {group: b, models: [%s], misroute: load, model_load: "
                   "{time: 2500 ms, resident: 1}}\n"
                   "policies: [round_robin]\n",
                   lists[i]);
        trial_run(&trial, 1);
        CHECK_NEAR(trial_mean(&trial, M_MODEL_LOADS), i, 0);
        CHECK_NEAR(trial_mean(&trial, M_LATENCY_MAX), 0.1 + 2.5 * i, 1e-9);
        trial_done(&trial);
    }
}

/* A total of 2 s ends the first before its model is there; the second, which
   waits half a second, is answered. */
static void waiting_for_a_model_can_time_out(void)
{
    struct trial trial;
    const double *values =
        run_two(&trial, "misroute: load, model_load: {time: 2500 ms}",
                "balancer: {timeout: {total: 2 s}}\n");

    CHECK_NEAR(values[M_TIMED_OUT], 1, 0);
    CHECK_NEAR(values[M_COMPLETED], 9, 0);
    CHECK_NEAR(values[M_LATENCY_MAX], 0.6, 1e-9);
    trial_done(&trial);
}

/* It dies half a second after the first began to wait (whatever the instant of
   the first arrival, the second of them comes at 2 s and goes to b): that one
   is reset. Back at 3.2 s it has forgotten the load: the next at 4 s waits for
   a new one, 2.5 s, the one at 6 s for the rest. */
static void death_forgets_loads(void)
{
    struct trial trial;
    const double *values =
        run_two(&trial, "misroute: load, model_load: {time: 2500 ms}",
                "faults: [{kind: crash, target: \"b[0]\", at: 2500 ms, "
                "restart_after: 700 ms}]\n");

    CHECK_NEAR(values[M_ERRORS_RESET], 1, 0);
    CHECK_NEAR(values[M_FAILED], 1, 0);
    CHECK_NEAR(values[M_COMPLETED], 9, 0);
    CHECK_NEAR(values[M_MODEL_LOADS], 1, 0);
    CHECK_NEAR(values[M_LATENCY_MAX], 2.6, 1e-9);
    CHECK_NEAR(values[M_LATENCY_MEAN], (7 * 0.1 + 2.6 + 0.6) / 9, 1e-9);
    trial_done(&trial);
}

/* --- what routing is worth ------------------------------------------------ */

enum { BLIND, BLIND_COUNTS, AWARE_COUNTS, AWARE_TURNS, ONE_TURN };

/* scenarios/articles/model_aware.yaml */
static bool load_fleet(struct trial *trial, const char *more)
{
    return trial_load(
        trial,
        "lbsim: 1\nduration: 10 min\nwarm_up: 1 min\nseed: 42\nworkload:\n"
        "  arrivals: {process: poisson, rate: 79/s}\n  classes:\n"
        "    - {name: chat, share: 53 %%, model: chat, input_tokens: {dist: "
        "lognormal, median: 1020, p99: 4142, at_most: 8000}, output_tokens: "
        "{dist: lognormal, median: 129, p99: 800, at_most: 2000}}\n"
        "    - {name: light, share: 47 %%, model: light, input_tokens: {dist: "
        "lognormal, median: 306, p99: 1243, at_most: 8000}, output_tokens: "
        "{dist: lognormal, median: 38.7, p99: 240, at_most: 2000}}\n"
        "  noise: {dist: lognormal, sigma: 0.6}\n"
        "defaults: {models: [chat, light], engine: {service: {base: 20 ms, "
        "per_input_token: 0.05 ms, per_output_token: 2.5 ms}}}\n"
        "nodes:\n  - {group: gpu, count: 4, engine: {slots: 8}}\n"
        "  - {group: cpu, count: 6, kind: cpu, engine: {slots: 16, speed: "
        "0.46}}\n"
        "routing: {table: {chat: [{model: chat, groups: [gpu]}], light: "
        "[{model: light, groups: [gpu, cpu]}]}}\n"
        "policies:\n  - {round_robin: {}, routing: off}\n"
        "  - {least_conn: {}, routing: off}\n  - least_conn\n  - round_robin\n"
        "  - {round_robin: {per_subset: off}}\n%s",
        more);
}

/* 35.0 +-0.3 % and 67.9 +-0.3 % of GPU use, 4.19 +-0.06 s and 2.51 +-0.02 s. */
static void routing_moves_work_where_it_belongs(void)
{
    struct trial trial;
    double blind_s;

    load_fleet(&trial, "");
    trial.policy_index = BLIND;
    trial_run(&trial, 10);
    TRIAL_TWO_SAMPLES(&trial, M_GPU_USE, 0.350, 0.003, 0.03);
    TRIAL_TWO_SAMPLES(&trial, M_LATENCY_P99, 4.19, 0.06, 0.05);
    blind_s = trial_mean(&trial, M_LATENCY_P99);
    trial.policy_index = AWARE_COUNTS;
    trial_run(&trial, 10);
    TRIAL_TWO_SAMPLES(&trial, M_GPU_USE, 0.679, 0.003, 0.03);
    TRIAL_TWO_SAMPLES(&trial, M_LATENCY_P99, 2.51, 0.02, 0.05);
    CHECK_NEAR(trial_mean(&trial, M_LATENCY_P99) / blind_s, 0.60, 0.03);
    trial_done(&trial);
}

/* Counting alone, unaware, comes half of the way in use (50.3 %) and a quarter
   in P99 (3.74 s). */
static void counting_alone_comes_half_way(void)
{
    struct trial trial;

    load_fleet(&trial, "");
    trial.policy_index = BLIND_COUNTS;
    trial_run(&trial, 3);
    CHECK_NEAR(trial_mean(&trial, M_GPU_USE), 0.503, 0.015);
    CHECK_NEAR(trial_mean(&trial, M_LATENCY_P99), 3.74, 0.2);
    trial_done(&trial);
}

/* One turn for all that skips six nodes always lands on the first GPU node
   behind them: that one is full while the others run at 71 %, and P99 is ten
   times as long. A turn for each set of nodes has no such gap (P99 2.48 s). */
static void one_turn_for_all_is_a_trap(void)
{
    struct trial trial;

    load_fleet(&trial, "");
    trial.policy_index = AWARE_TURNS;
    trial_run(&trial, 3);
    CHECK_NEAR(trial_mean(&trial, M_LATENCY_P99), 2.48, 0.15);
    CHECK(trial_mean(&trial, M_FULLEST_USE) < 0.8);
    trial.policy_index = ONE_TURN;
    trial_run(&trial, 3);
    CHECK(trial_mean(&trial, M_LATENCY_P99) > 10);
    CHECK(trial_mean(&trial, M_FULLEST_USE) > 0.97);
    CHECK_NEAR(trial_mean(&trial, M_GPU_USE), 0.787, 0.02);
    trial_done(&trial);
}

/* P99 is made by the worst 1 %: when a tenth of chat is taken for light, the
   tail is longer, and still shorter than without routing. */
static void classifier_that_errs_costs_the_tail(void)
{
    struct trial perfect, erring;

    load_fleet(&perfect, "");
    load_fleet(&erring, "classifier: {accuracy: 90 %}\n");
    perfect.policy_index = erring.policy_index = AWARE_COUNTS;
    trial_run(&perfect, 3);
    trial_run(&erring, 3);
    CHECK_NEAR(trial_mean(&erring, M_MISCLASSIFIED) /
                   trial_mean(&erring, M_ARRIVED),
               0.1, 0.005);
    CHECK(isnan(trial_mean(&perfect, M_MISCLASSIFIED)));
    CHECK(trial_mean(&erring, M_LATENCY_P99) >
          trial_mean(&perfect, M_LATENCY_P99));
    CHECK(trial_mean(&erring, M_LATENCY_P99) < 3.9);
    trial_done(&perfect);
    trial_done(&erring);
}

int main(int argc, char **argv)
{
    CU_TestInfo misroutes[] = {
        {"wrong nodes refuse", wrong_nodes_refuse},
        {"a refusal is retried only if asked",
         refusal_is_retried_only_if_asked},
        {"wrong nodes run it all the same", wrong_nodes_run_it_all_the_same},
        {"wrong nodes load it once", wrong_nodes_load_it_once},
        {"nodes begin with what they list first",
         nodes_begin_with_what_they_list_first},
        {"waiting for a model can time out", waiting_for_a_model_can_time_out},
        {"death forgets loads", death_forgets_loads},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo routing[] = {
        {"moves work where it belongs", routing_moves_work_where_it_belongs},
        {"counting alone comes half way", counting_alone_comes_half_way},
        {"one turn for all is a trap", one_turn_for_all_is_a_trap},
        {"a classifier that errs costs the tail",
         classifier_that_errs_costs_the_tail},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        SUITE("misroutes by hand", NULL, NULL, NULL, NULL, misroutes),
        SUITE("model routing", NULL, NULL, NULL, NULL, routing),
        CU_SUITE_INFO_NULL,
    };

    return check_main(argc, argv, suites);
}
