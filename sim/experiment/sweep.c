#include "sim/experiment/sweep.h"

#include "sim/core/clock.h"
#include "sim/core/memory_use.h"
#include "sim/experiment/pool.h"
#include "sim/experiment/sweep_cross.h"
#include "sim/scenario/loader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define POINT_NS 1000000000 /* a point on the meter, whatever it simulates */

/* Threads write to their own job and point, and to the atomic members. */
struct job {
    enum experiment_status status;
    enum experiment_end end;
    uint32_t error_policy, error_replication;
    uint64_t events;
    struct shard_work work;
    uint64_t told_ns; /* of POINT_NS to the meter */
    double simulated_s;
    struct diag diag;
};

struct sweep {
    const struct sweep_setup *setup;
    struct sweep_result *result;
    struct job *jobs; /* [point_count] */
    uint32_t inner_threads;
    atomic_bool stop;
    struct meter meter; /* of points */
    uint32_t outer_threads;
    int64_t started_ns, stopped_ns; /* stopped: 0 before that */
    enum experiment_end end;
};

/* ---- one point ---- */

/* Which policy has the best mean of the objective, and is it better for sure
   than each of the others? */
static bool find_best(const struct scenario *scenario,
                      const struct experiment_result *from,
                      struct sweep_point *point)
{
    enum measure_id objective = scenario->objective;
    enum measure_better better = measures[objective].better;
    uint32_t count = from->policy_count;
    const double **values = calloc(count, sizeof *values);
    struct verdict *verdicts = calloc(count, sizeof *verdicts);
    double least = INFINITY, alpha = 1 - scenario->confidence;
    bool fine = values && verdicts;

    point->best = count;
    for (uint32_t i = 0; i < count; i++) {
        double mean = from->policies[i].fold.measures[objective].mean;

        mean = better == BETTER_HIGHER ? -mean : mean;
        if (mean < least) {
            least = mean;
            point->best = i;
        }
    }
    if (fine && point->best < count) {
        uint32_t others = 0, worse = 0;

        values[others++] = from->policies[point->best].fold.values[objective];
        for (uint32_t i = 0; i < count; i++)
            if (i != point->best)
                values[others++] = from->policies[i].fold.values[objective];
        /* The best was chosen by looking: any of the others may be the true
           one, so each is tested at a share of what may go wrong. */
        fine = verdicts_reach(values, count, from->replications, objective,
                              1 - alpha / (count > 1 ? count - 1 : 1),
                              scenario->min_effect, verdicts);
        for (uint32_t i = 1; fine && i < count; i++)
            worse += verdicts[i].kind == VERDICT_WORSE;
        point->best_is_sure = worse + 1 == count && count > 1;
    }
    free(values);
    free(verdicts);
    return fine;
}

static bool keep_policy(const struct sweep_setup *setup,
                        const struct policy_result *from,
                        struct sweep_policy *ret)
{
    ret->measures = calloc(setup->measure_count + 1u, sizeof *ret->measures);
    if (!ret->measures)
        return false;
    for (uint32_t i = 0; i < setup->measure_count; i++)
        ret->measures[i] = from->fold.measures[setup->measures[i]];
    ret->verdict = from->verdict;
    ret->unstable = from->fold.unstable > from->fold.replications / 10;
    return true;
}

static bool keep_point(const struct sweep_setup *setup,
                       const struct scenario *scenario,
                       const struct experiment_result *from,
                       struct sweep_point *ret)
{
    bool fine;

    ret->policies = calloc(from->policy_count + 1u, sizeof *ret->policies);
    fine = ret->policies && find_best(scenario, from, ret);
    for (uint32_t i = 0; fine && i < from->policy_count; i++)
        fine = keep_policy(setup, &from->policies[i], &ret->policies[i]);
    ret->replications = from->replications;
    ret->hash = scenario->hash;
    ret->whole = fine;
    return fine;
}

/* A point that is swept over replications may have more or fewer: numbers then
   overlap or are left out, which is no harm but to evenness. */
static uint64_t units_of_a_point(const struct scenario *base)
{
    return (uint64_t)base->replications *
           (base->warm_up.kind == WARM_UP_AUTO ? 1 : base->policy_count);
}

static bool is_search(const struct sweep *sweep)
{
    return sweep->setup->base->sweep.crossover.given;
}

static struct experiment_setup inner_setup(const struct sweep *sweep,
                                           uint64_t number)
{
    struct experiment_setup setup = sweep->setup->experiment;

    if (is_search(sweep)) {
        setup.shard = NULL;
        setup.known = setup.known > 0 ? UINT64_MAX : 0;
    } else {
        setup.first_unit = number * units_of_a_point(sweep->setup->base);
    }

    setup.totals_only = true;
    setup.threads = sweep->inner_threads;
    setup.limit_time_ns = 0; /* the sweep looks at these */
    setup.limit_memory_bytes = 0;
    setup.interrupted = &sweep->stop;
    setup.on_progress = NULL;
    return setup;
}

/* Where a job tells how far its experiment is. */
struct teller {
    struct meter *meter;
    struct job *job;
};

static void tell_meter(void *context, const struct experiment_progress *now)
{
    struct teller *teller = context;
    uint64_t part_ns = (uint64_t)(now->share * POINT_NS);

    if (part_ns <= teller->job->told_ns)
        return;
    atomic_fetch_add(&teller->meter->simulated_ns,
                     part_ns - teller->job->told_ns);
    teller->job->told_ns = part_ns;
}

static void run_experiment(struct sweep *sweep, uint64_t number,
                           struct job *job)
{
    struct experiment_setup setup = inner_setup(sweep, number);
    struct experiment_result result;
    struct scenario *scenario =
        sweep_load_point(sweep->setup->base, number, NAN, 0, &job->diag);

    if (!scenario)
        return;
    struct teller teller = {&sweep->meter, job};
    setup.scenario = scenario;
    setup.on_progress = tell_meter;
    setup.progress_context = &teller;
    job->status = sweep_experiment(sweep->setup->shelves, &setup, &result);
    job->end = result.end;
    job->events = result.events;
    job->error_policy = result.error_policy;
    job->error_replication = result.error_replication;
    job->work = result.work;
    job->simulated_s = sweep_simulated_s(&result);
    if (job->status == EXPERIMENT_OK && result.end == EXPERIMENT_WHOLE &&
        !setup.shard &&
        !keep_point(sweep->setup, scenario, &result,
                    &sweep->result->points[number]))
        job->status = EXPERIMENT_NO_MEMORY;
    outcome_done(&result);
    scenario_destroy(scenario);
}

static void run_search(struct sweep *sweep, uint64_t number, struct job *job)
{
    struct sweep_point *point = &sweep->result->points[number];
    struct sweep_cross cross = {
        .base = sweep->setup->base,
        .point = number,
        .shelves = sweep->setup->shelves,
        .setup = inner_setup(sweep, number),
        .pair = {sweep->result->pair[0], sweep->result->pair[1]},
        .measure = sweep->result->pair_measure,
    };

    point->crossover = calloc(1, sizeof *point->crossover);
    if (!point->crossover || !sweep_cross(&cross, point->crossover))
        cross.status = EXPERIMENT_NO_MEMORY;
    job->status = cross.status;
    job->end = cross.end;
    job->events = cross.events;
    job->simulated_s = cross.simulated_s;
    job->error_policy = cross.error_policy;
    job->error_replication = cross.error_replication;
    job->diag = cross.diag;
    point->whole = job->status == EXPERIMENT_OK &&
                   point->crossover->kind != CROSSOVER_STOPPED;
    point->hash = sweep->setup->base->hash;
}

/* What is not simulated is known: found, or another shard's. */
static void note_end(struct meter *meter, struct job *job, int64_t spent_ns)
{
    if (job->events > 0) {
        atomic_fetch_add(&meter->simulated_ns, POINT_NS - job->told_ns);
        meter_job_ended(meter, spent_ns);
    } else {
        atomic_fetch_sub(&meter->simulated_ns, job->told_ns);
        meter_job_known(meter);
    }
}

static void run_point(void *context, uint64_t number)
{
    struct sweep *sweep = context;
    struct job *job = &sweep->jobs[number];
    const struct shard *shard = sweep->setup->experiment.shard;
    int64_t started_ns = clock_now_ns();

    if (!is_search(sweep))
        run_experiment(sweep, number, job);
    else if (!shard || shard_has(shard, number))
        run_search(sweep, number, job);
    if (job->status != EXPERIMENT_OK || job->diag.errors > 0 ||
        job->diag.no_memory)
        atomic_store(&sweep->stop, true);
    note_end(&sweep->meter, job, clock_now_ns() - started_ns);
}

/* ---- limits and progress, on the calling thread ---- */

static void end_early(struct sweep *sweep, enum experiment_end end)
{
    if (sweep->end == EXPERIMENT_WHOLE)
        sweep->end = end;
    atomic_store(&sweep->stop, true);
}

static void check_limits(struct sweep *sweep)
{
    const struct experiment_setup *setup = &sweep->setup->experiment;

    if (setup->interrupted && atomic_load(setup->interrupted))
        end_early(sweep, EXPERIMENT_INTERRUPTED);
    else if (setup->limit_time_ns > 0 &&
             clock_now_ns() - sweep->started_ns >= setup->limit_time_ns)
        end_early(sweep, EXPERIMENT_LIMIT_TIME);
    else if (setup->limit_memory_bytes > 0 &&
             memory_use_bytes() > setup->limit_memory_bytes)
        end_early(sweep, EXPERIMENT_LIMIT_MEMORY);
}

/* Since points were told to end: a policy that does not return shows here. */
static double overdue_s(struct sweep *sweep)
{
    if (!atomic_load(&sweep->stop))
        return 0;
    if (sweep->stopped_ns == 0)
        sweep->stopped_ns = clock_now_ns();
    return 1e-9 * (double)(clock_now_ns() - sweep->stopped_ns);
}

static void tick(void *context)
{
    struct sweep *sweep = context;
    const struct experiment_setup *setup = &sweep->setup->experiment;

    if (setup->on_progress) {
        struct experiment_progress progress;

        meter_read(&sweep->meter, 1, POINT_NS, sweep->outer_threads,
                   1e-9 * (double)(clock_now_ns() - sweep->started_ns),
                   &progress);
        progress.of_points = true;
        progress.overdue_s = overdue_s(sweep);
        setup->on_progress(setup->progress_context, &progress);
    }
    if (sweep->setup->shelves)
        sweep->setup->shelves->tick(sweep->setup->shelves->context);
    check_limits(sweep);
}

/* ---- all points ---- */

static uint32_t find_policy(const struct scenario *scenario, const char *label,
                            uint32_t preset)
{
    for (uint32_t i = 0; label && i < scenario->policy_count; i++)
        if (strcmp(scenario->policies[i].label, label) == 0)
            return i;
    return preset;
}

static void choose_pair(const struct scenario *base, struct sweep_result *ret)
{
    const struct crossover_spec *spec = &base->sweep.crossover;

    ret->pair[0] = find_policy(base, spec->between[0], 0);
    ret->pair[1] = find_policy(base, spec->between[1], 1);
    ret->pair_measure =
        spec->measure == MEASURE_COUNT ? base->objective : spec->measure;
}

/* What the first point in order says, whichever thread came first. */
static enum experiment_status gather(struct sweep *sweep)
{
    struct sweep_result *result = sweep->result;
    enum experiment_status status = EXPERIMENT_OK;
    bool failed = false;

    result->end = sweep->end;
    for (uint64_t i = 0; i < result->point_count; i++) {
        struct job *job = &sweep->jobs[i];

        result->events += job->events;
        result->simulated_s += job->simulated_s;
        result->whole += result->points[i].whole;
        result->work.simulations += job->work.simulations;
        result->work.done += job->work.done;
        if (result->end == EXPERIMENT_WHOLE &&
            job->end == EXPERIMENT_LIMIT_EVENTS)
            result->end = job->end;
        if (failed || (job->status == EXPERIMENT_OK && job->diag.errors == 0 &&
                       !job->diag.no_memory))
            continue;
        failed = true;
        status = job->status;
        result->error_point = i;
        result->error_policy = job->error_policy;
        result->error_replication = job->error_replication;
        result->diag = job->diag;
        job->diag = (struct diag){0};
    }
    if (result->whole == result->point_count)
        result->end = EXPERIMENT_WHOLE; /* a limit came when all was done */
    return status;
}

static void share_threads(struct sweep *sweep)
{
    uint32_t all = sweep->setup->experiment.threads
                       ? sweep->setup->experiment.threads
                       : pool_machine_threads();
    uint64_t points = sweep->result->point_count;

    sweep->outer_threads = points < all ? (uint32_t)points : all;
    sweep->inner_threads = all / sweep->outer_threads;
    sweep->result->threads = all;
}

static enum experiment_status run_all(struct sweep *sweep)
{
    struct pool_work work = {
        .count = sweep->result->point_count,
        .run = run_point,
        .tick = tick,
        .context = sweep,
        .stop = &sweep->stop,
    };

    share_threads(sweep);
    check_limits(sweep); /* a limit may be reached before the first point */
    return pool_run(&work, sweep->outer_threads) ? gather(sweep)
                                                 : EXPERIMENT_NO_THREADS;
}

enum experiment_status sweep_run(const struct sweep_setup *setup,
                                 struct sweep_result *ret)
{
    const struct scenario *base = setup->base;
    double cpu_before_s = clock_process_cpu_s();
    struct sweep sweep = {
        .setup = setup, .result = ret, .started_ns = clock_now_ns()};
    enum experiment_status status = EXPERIMENT_NO_MEMORY;

    *ret = (struct sweep_result){
        .point_count = sweep_point_count(&base->sweep),
        .policy_count = base->policy_count,
        .measures = setup->measures,
        .measure_count = setup->measure_count,
    };
    ret->work.units =
        ret->point_count * (is_search(&sweep) ? 1 : units_of_a_point(base));
    sweep.meter.jobs = ret->point_count;
    choose_pair(base, ret);
    ret->points = calloc(ret->point_count, sizeof *ret->points);
    sweep.jobs = calloc(ret->point_count, sizeof *sweep.jobs);
    if (ret->points && sweep.jobs)
        status = run_all(&sweep);
    for (uint64_t i = 0; sweep.jobs && i < ret->point_count; i++)
        diag_done(&sweep.jobs[i].diag);
    free(sweep.jobs);
    ret->elapsed_s = 1e-9 * (double)(clock_now_ns() - sweep.started_ns);
    ret->cpu_s = clock_process_cpu_s() - cpu_before_s;
    return status;
}

void sweep_done(struct sweep_result *result)
{
    for (uint64_t i = 0; result->points && i < result->point_count; i++) {
        struct sweep_point *point = &result->points[i];

        for (uint32_t j = 0; point->policies && j < result->policy_count; j++)
            free(point->policies[j].measures);
        free(point->policies);
        free(point->crossover);
    }
    free(result->points);
    diag_done(&result->diag);
    *result = (struct sweep_result){0};
}

uint32_t sweep_better_of_pair(enum measure_id measure, int sign)
{
    bool second_is_larger = sign > 0;

    return second_is_larger == (measures[measure].better == BETTER_HIGHER);
}

/* ---- looking at all points first ---- */

/* One value after the other, with the first value of all other axes: what is
   wrong with a value alone shows, in fewer loads than there are points. */
struct check {
    const struct scenario *base;
    struct diag *diags; /* [values of all axes, 1 without axes] */
    atomic_bool stop;
};

/* The point that has value `number`, counted through all axes. */
static uint64_t point_of_value(const struct sweep_spec *spec, uint64_t number)
{
    uint64_t stride = sweep_point_count(spec);

    for (uint32_t i = 0; i < spec->axis_count; i++) {
        uint32_t count = spec->axes[i].paths[0].value_count;

        stride /= count;
        if (number < count)
            return number * stride;
        number -= count;
    }
    return 0;
}

static uint64_t values_of(const struct sweep_spec *spec)
{
    uint64_t count = spec->axis_count == 0;

    for (uint32_t i = 0; i < spec->axis_count; i++)
        count += spec->axes[i].paths[0].value_count;
    return count;
}

static void check_value(void *context, uint64_t number)
{
    struct check *check = context;
    const struct sweep_spec *sweep = &check->base->sweep;
    const struct crossover_spec *spec = &sweep->crossover;
    double ends[] = {spec->given ? spec->spans[0].from : NAN,
                     spec->given ? spec->spans[0].to : NAN};
    bool fine = true;

    for (int i = 0; fine && i < 1 + spec->given; i++) {
        struct scenario *scenario =
            sweep_load_point(check->base, point_of_value(sweep, number),
                             ends[i], 0, &check->diags[number]);

        fine = scenario != NULL;
        scenario_destroy(scenario);
    }
    if (!fine)
        atomic_store(&check->stop, true);
}

bool sweep_check(const struct scenario *base, uint32_t threads,
                 struct diag *diag)
{
    if (base->sweep.crossover.given && !sweep_cross_check(base, diag))
        return false;

    uint64_t count = values_of(&base->sweep);
    struct check check = {.base = base,
                          .diags = calloc(count, sizeof *check.diags)};
    struct pool_work work = {.count = count,
                             .run = check_value,
                             .context = &check,
                             .stop = &check.stop};
    bool fine = check.diags &&
                pool_run(&work, threads ? threads : pool_machine_threads());

    if (!fine)
        diag_add_no_memory(diag, NULL);
    for (uint64_t i = 0; check.diags && i < count; i++) {
        if (fine && (check.diags[i].errors > 0 || check.diags[i].no_memory)) {
            *diag = check.diags[i];
            check.diags[i] = (struct diag){0};
            fine = false;
        }
        diag_done(&check.diags[i]);
    }
    free(check.diags);
    return fine;
}
