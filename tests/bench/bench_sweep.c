/*
 * How much of a sweep's CPU time goes into its simulations, with a store and
 * without: `<case> <% in simulations> <ms of CPU per simulation>`. The rest is
 * loading, sharing out, folding and storing, some 1 to 3 ms a point, so small
 * simulations have the smaller share. A ratio within one run, which does not
 * drift with the machine's other work.
 *
 *   bench_sweep [POINTS]             points of each case, 100 unless said
 */
#include "sim/experiment/simulation.h"
#include "sim/experiment/store.h"
#include "sim/experiment/sweep.h"
#include "sim/scenario/loader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct bench_case {
    const char *name, *duration;
} cases[] = {{"sweep-200s", "200 s"}, {"sweep-23s", "23 s"}};

static const char scenario_text[] =
    "lbsim: 1\n"
    "warm_up: 2 s\n"
    "replications: 5\n"
    "workload:\n"
    "  arrivals: {rate: 60/s}\n"
    "  work: {dist: exponential, mean: 100 ms}\n"
    "nodes: [{group: gpu, count: 10, engine: {slots: 1}}]\n"
    "policies: [random, round_robin, least_conn]\n";

/* ---- a store for the one thread that there is ---- */

static bool lend(void *context, const struct scenario *scenario,
                 struct run_shelf *ret, void **ret_loan)
{
    *ret_loan = context;
    return store_begin(context, scenario, ret);
}

static bool give_back(void *context, void *loan)
{
    (void)loan;
    return store_flush_if_due(context);
}

static void tick(void *context)
{
    (void)context; /* give_back comes often enough */
}

/* ---- a sweep ---- */

static void run(const char *label, const struct scenario *base,
                struct store *store)
{
    struct sweep_shelves shelves = {
        .lend = lend, .give_back = give_back, .tick = tick, .context = store};
    enum measure_id measure = base->objective;
    struct sweep_setup setup = {
        .base = base,
        .experiment = {.simulate = simulation_run, .threads = 1},
        .shelves = store ? &shelves : NULL,
        .measures = &measure,
        .measure_count = 1,
    };
    struct sweep_result result;
    double simulations;

    if (sweep_run(&setup, &result) != EXPERIMENT_OK ||
        result.whole < result.point_count || (store && !store_flush(store)))
        exit(3);
    simulations = (double)result.work.simulations;
    printf("%-18s %6.1f %%  (%.2f ms of CPU a simulation, %.2f ms a point "
           "beside them%s)\n",
           label, 100 * result.simulated_s / result.cpu_s,
           1e3 * result.simulated_s / simulations,
           1e3 * (result.cpu_s - result.simulated_s) /
               (double)result.point_count,
           store ? ", with a store" : "");
    sweep_done(&result);
}

static struct scenario *load(const struct bench_case *bench, const char *points)
{
    char duration[60], vary[120];
    const char *overrides[] = {duration}, *texts[] = {vary};
    struct diag diag = {0};
    struct scenario *base;

    snprintf(duration, sizeof duration, "duration=%s", bench->duration);
    snprintf(vary, sizeof vary,
             "--vary workload.arrivals.rate=50/s..90/s points %.20s", points);
    base = scenario_parse("bench_sweep.yaml", scenario_text,
                          strlen(scenario_text), overrides, 1, &diag);
    if (!base || !scenario_vary(base, texts, 1, &diag))
        exit(2);
    diag_done(&diag);
    return base;
}

static void run_case(const struct bench_case *bench, const char *points,
                     const char *file)
{
    struct scenario *base = load(bench, points);
    struct store *store;
    char error[5000];

    run(bench->name, base, NULL);
    if (store_open(file, true, &store, error, sizeof error) != STORE_OK) {
        fprintf(stderr, "%s\n", error);
        exit(3);
    }
    run(bench->name, base, store);
    store_close(store);
    scenario_destroy(base);
}

int main(int argc, char **argv)
{
    char folder[] = "/tmp/lbsim-bench-XXXXXX", file[sizeof folder + 20];

    if (argc > 2) {
        fprintf(stderr, "usage: bench_sweep [POINTS]\n");
        return 2;
    }
    if (!mkdtemp(folder))
        return 3;
    snprintf(file, sizeof file, "%s/runs.sqlite", folder);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        run_case(&cases[i], argc == 2 ? argv[1] : "100", file);
    unlink(file);
    return rmdir(folder) == 0 ? 0 : 3;
}
