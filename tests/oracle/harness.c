#include "tests/oracle/harness.h"

#include "policies/lbp.h"
#include "sim/measure/stats.h"
#include "sim/scenario/loader.h"

#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>

#define TEXT_SIZE 8192
#define THREADS 2

/* What was loaded is fit to run, and nobody complained. */
static bool take(struct trial *trial, struct scenario *loaded,
                 struct diag *diag)
{
    trial->loaded = loaded;
    if (trial->loaded && scenario_open_trace(trial->loaded, diag))
        trial->scenario = *trial->loaded;
    CHECK_TEXT(diag->text ? diag->text : "", "");
    CHECK(trial->loaded != NULL);
    diag_done(diag);
    return trial->loaded != NULL;
}

bool trial_load(struct trial *trial, const char *format, ...)
{
    char text[TEXT_SIZE];
    struct diag diag = {0};
    va_list arguments;
    int length;

    *trial = (struct trial){0};
    va_start(arguments, format);
    length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    CHECK(length > 0 && (size_t)length < sizeof text);
    return take(
        trial,
        scenario_parse("trial.yaml", text, (size_t)length, NULL, 0, &diag),
        &diag);
}

bool trial_open(struct trial *trial, const char *path,
                const char *const *overrides)
{
    struct diag diag = {0};
    size_t count = 0;

    while (overrides && overrides[count])
        count++;
    *trial = (struct trial){0};
    return take(trial, scenario_load(path, overrides, count, &diag), &diag);
}

static void forget_results(struct trial *trial)
{
    for (uint32_t i = 0; i < trial->replications; i++)
        run_result_done(&trial->results[i]);
    free(trial->results);
    trial->results = NULL;
    trial->replications = 0;
}

void trial_done(struct trial *trial)
{
    forget_results(trial);
    scenario_destroy(trial->loaded);
    *trial = (struct trial){0};
}

void trial_use_policy(struct trial *trial, const struct lbp_ops *ops,
                      const void *config)
{
    trial->policy =
        (struct policy_spec){.label = ops->name, .ops = ops, .config = config};
    trial->scenario.policies = &trial->policy;
    trial->scenario.policy_count = 1;
    trial->policy_index = 0;
}

bool trial_run_node(struct trial *trial, unsigned seed, double seconds,
                    double rate_per_s, const char *work, const char *engine,
                    uint32_t replications)
{
    return trial_load(trial,
                      "lbsim: 1\n"
                      "duration: %.0f s\n"
                      "warm_up: 10 %%\n"
                      "seed: %u\n"
                      "workload:\n"
                      "  arrivals: {process: poisson, rate: %g/s}\n"
                      "  work: {dist: %s}\n"
                      "nodes: [{group: node, engine: {%s}}]\n"
                      "policies: [random]\n",
                      seconds, seed, rate_per_s, work, engine) &&
           trial_run(trial, replications);
}

bool trial_run_slots(struct trial *trial, unsigned seed, double seconds,
                     double rate_per_s, const char *work, unsigned slots,
                     uint32_t replications)
{
    char engine[40];

    snprintf(engine, sizeof engine, "slots: %u", slots);
    return trial_run_node(trial, seed, seconds, rate_per_s, work, engine,
                          replications);
}

void trial_write_trace(char path[TRIAL_PATH_SIZE], const char *rows)
{
    int fd;
    FILE *file;

    snprintf(path, TRIAL_PATH_SIZE, "/tmp/lbsim-oracle-XXXXXX");
    fd = mkstemp(path);
    file = fd < 0 ? NULL : fdopen(fd, "w");
    if (!file)
        abort();
    fputs(rows, file);
    fclose(file);
}

enum sim_status trial_run_one(const struct trial *trial, uint32_t replication,
                              struct run_result *ret)
{
    struct simulation_setup setup = {.scenario = &trial->scenario,
                                     .policy = trial->policy_index,
                                     .replication = replication,
                                     .warm_up_ns = -1,
                                     .keep_latencies = trial->keep_latencies};

    *ret = (struct run_result){0};
    return trial->loaded ? simulation_run(&setup, ret) : SIM_STOPPED;
}

struct share_of_work {
    const struct trial *trial;
    struct run_result *results;
    uint32_t replications;
    atomic_uint next, bad;
};

static void *work(void *argument)
{
    struct share_of_work *all = argument;
    uint32_t i;

    while ((i = atomic_fetch_add(&all->next, 1)) < all->replications)
        if (trial_run_one(all->trial, i + 1, &all->results[i]) != SIM_OK)
            atomic_fetch_add(&all->bad, 1);
    return NULL;
}

bool trial_run(struct trial *trial, uint32_t replications)
{
    struct share_of_work all = {.trial = trial, .replications = replications};
    pthread_t threads[THREADS];
    uint32_t started = 0;

    forget_results(trial);
    all.results = calloc(replications, sizeof *all.results);
    if (!all.results)
        abort();
    while (started < THREADS && started + 1 < replications &&
           pthread_create(&threads[started], NULL, work, &all) == 0)
        started++;
    work(&all);
    while (started > 0)
        pthread_join(threads[--started], NULL);
    trial->results = all.results;
    trial->replications = replications;
    CHECK_UINT(atomic_load(&all.bad), 0);
    return atomic_load(&all.bad) == 0;
}

struct trial_estimate trial_estimate_of(const double *values, uint32_t count)
{
    struct stats_interval interval =
        stats_t_interval(values, count, TRIAL_CONFIDENCE);

    return (struct trial_estimate){interval.mean, interval.hi - interval.mean};
}

struct trial_estimate trial_estimate(const struct trial *trial,
                                     enum measure_id measure)
{
    double *values = calloc(trial->replications + 1, sizeof *values);
    struct trial_estimate estimate;

    if (!values)
        abort();
    for (uint32_t i = 0; i < trial->replications; i++)
        values[i] = trial->results[i].values[measure];
    estimate = trial_estimate_of(values, trial->replications);
    free(values);
    return estimate;
}

double trial_mean(const struct trial *trial, enum measure_id measure)
{
    return trial_estimate(trial, measure).mean;
}

static void judge(const char *what, struct trial_estimate estimate,
                  double value, double allowance, double widest, unsigned line,
                  const char *file, const char *function)
{
    bool narrow = estimate.half_width <= widest;
    bool near = fabs(estimate.mean - value) <= allowance;
    char text[240];

    snprintf(text, sizeof text,
             "%s is %.6g +- %.3g, expected %.6g within %.3g; "
             "half-width at most %.3g",
             what, estimate.mean, estimate.half_width, value, allowance,
             widest);
    if (getenv("ORACLE_SHOW"))
        fprintf(stderr, "%s:%u %s\n", function, line, text);
    CU_assertImplementation(narrow && near, line, text, file, function,
                            CU_FALSE);
}

void trial_judge(const char *what, struct trial_estimate estimate, double value,
                 double value_half_width, double widest, unsigned line,
                 const char *file, const char *function)
{
    judge(what, estimate, value, hypot(estimate.half_width, value_half_width),
          widest, line, file, function);
}

void trial_judge_biased(const char *what, struct trial_estimate estimate,
                        double value, double bias, double widest, unsigned line,
                        const char *file, const char *function)
{
    judge(what, estimate, value, estimate.half_width + bias, widest, line, file,
          function);
}

void trial_check_latencies(const struct trial *trial, const double *expected,
                           uint64_t count, unsigned line, const char *file)
{
    const struct run_result *result = &trial->results[0];

    CHECK_UINT(result->latency_count, count);
    for (uint64_t i = 0; i < count && i < result->latency_count; i++) {
        char what[80];

        snprintf(what, sizeof what, "line %u: latency of r%" PRIu64, line, i);
        if (isnan(expected[i]))
            CHECK(isnan(result->latencies[i]));
        else
            check_near(what, result->latencies[i], expected[i], 1e-9, line,
                       file, __func__);
    }
}
