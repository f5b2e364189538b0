#include "sim/experiment/experiment_state.h"

#include "sim/core/clock.h"
#include "sim/core/memory_use.h"
#include "sim/experiment/conduct.h"
#include "sim/experiment/pool.h"

#include <math.h>
#include <stdlib.h>

/* ---- one job ---- */

/* Numbered replication by replication: job / policies is the replication. */
static struct run_key key_of(const struct experiment *experiment,
                             uint64_t number)
{
    uint32_t replication = (uint32_t)(number / experiment->policies);

    return (struct run_key){
        .policy = (uint32_t)(number % experiment->policies),
        .replication = experiment->setup->first_replication + replication + 1,
        .warm_up_ns = experiment->cuts[replication].ns,
        .first_pass = experiment->first_pass,
        .totals_only = experiment->setup->totals_only,
    };
}

static struct run_result *place_of(const struct experiment *experiment,
                                   uint64_t number)
{
    return run_of(experiment, (uint32_t)(number % experiment->policies),
                  (uint32_t)(number / experiment->policies));
}

/* Latencies are only there to propose a cut, and large. */
static bool propose_cut(struct run_result *run)
{
    if (!conduct_warm_up_cut(run, &run->warm_up_cut, &run->warm_up_sure))
        return false;
    free(run->latencies);
    run->latencies = NULL;
    run->latency_count = 0;
    return true;
}

static enum sim_status simulate(struct experiment *experiment,
                                const struct run_key *key,
                                struct run_result *run)
{
    const struct run_shelf *shelf = experiment->setup->shelf;
    struct simulation_setup setup = {
        .scenario = experiment->scenario,
        .policy = key->policy,
        .replication = key->replication,
        .warm_up_ns = key->warm_up_ns,
        .keep_latencies = key->first_pass,
        .limit_events = experiment->setup->limit_events,
        .stop = &experiment->stop,
        .progress_ns = &experiment->meters[key->policy].simulated_ns,
    };
    enum sim_status status = experiment->setup->simulate(&setup, run);

    if (status != SIM_OK)
        return status;
    if (key->first_pass && !propose_cut(run))
        return SIM_NO_MEMORY;
    if (key->totals_only)
        run_result_keep_totals(run);
    return !shelf || shelf->keep(shelf->context, key, run) ? SIM_OK
                                                           : SIM_NO_MEMORY;
}

static void run_job(void *context, uint64_t number)
{
    struct experiment *experiment = context;
    struct job *job = &experiment->jobs[number];
    struct run_key key = key_of(experiment, number);
    struct run_result *run = place_of(experiment, number);
    int64_t started_ns = clock_now_ns();

    if (job->done ||
        job->foreign) /* found, or a first pass that needs no second */
        return;
    run_result_done(run); /* of a first pass, if there was one */
    job->found = false;
    job->status = simulate(experiment, &key, run);
    job->done = job->status == SIM_OK;
    job->limited =
        job->status == SIM_STOPPED && !atomic_load(&experiment->stop);
    if (is_failure(job->status))
        atomic_store(&experiment->stop, true);
    meter_job_ended(&experiment->meters[key.policy],
                    clock_now_ns() - started_ns);
}

/* ---- the shelf, on the calling thread ---- */

static void fail_shelf(struct experiment *experiment)
{
    experiment->shelf_failed = true;
    atomic_store(&experiment->stop, true);
}

static void lose(struct experiment *experiment)
{
    if (!experiment->shelf_failed)
        experiment->lost = true;
    atomic_store(&experiment->stop, true);
}

static void fetch_job(struct experiment *experiment, uint64_t number)
{
    const struct run_shelf *shelf = experiment->setup->shelf;
    struct run_key key = key_of(experiment, number);
    struct run_result *place = place_of(experiment, number);
    struct run_result run;

    switch (shelf->fetch(shelf->context, &key, &run)) {
    case SHELF_FAILED:
        fail_shelf(experiment);
        break;
    case SHELF_MISSING:
        break;
    case SHELF_FOUND:
        run_result_done(place);
        *place = run;
        experiment->jobs[number] = (struct job){.done = true, .found = true};
        meter_job_known(&experiment->meters[key.policy]);
        break;
    }
}

/* Whether jobs first .. first + count - 1 are all there now. */
static bool fetch_jobs(struct experiment *experiment, uint64_t first,
                       uint64_t count)
{
    bool all = true;

    for (uint64_t i = first; i < first + count; i++) {
        struct job *job = &experiment->jobs[i];

        if (job->foreign)
            continue;
        if (!job->done && experiment->setup->shelf && !experiment->shelf_failed)
            fetch_job(experiment, i);
        if (!job->done && unit_of(experiment, i) < experiment->setup->known)
            lose(experiment);
        all &= job->done;
    }
    return all;
}

/* ---- limits and progress, on the calling thread ---- */

static void end_early(struct experiment *experiment, enum experiment_end end)
{
    if (experiment->end == EXPERIMENT_WHOLE)
        experiment->end = end;
    atomic_store(&experiment->stop, true);
}

static void check_limits(struct experiment *experiment)
{
    const struct experiment_setup *setup = experiment->setup;

    if (setup->interrupted && atomic_load(setup->interrupted))
        end_early(experiment, EXPERIMENT_INTERRUPTED);
    else if (setup->limit_time_ns > 0 &&
             clock_now_ns() - experiment->started_ns >= setup->limit_time_ns)
        end_early(experiment, EXPERIMENT_LIMIT_TIME);
    else if (setup->limit_memory_bytes > 0 &&
             memory_use_bytes() > setup->limit_memory_bytes)
        end_early(experiment, EXPERIMENT_LIMIT_MEMORY);
}

static double overdue_s(struct experiment *experiment)
{
    if (!atomic_load(&experiment->stop))
        return 0;
    if (experiment->stopped_ns == 0)
        experiment->stopped_ns = clock_now_ns();
    return 1e-9 * (double)(clock_now_ns() - experiment->stopped_ns);
}

static void tick(void *context)
{
    struct experiment *experiment = context;
    const struct experiment_setup *setup = experiment->setup;
    struct experiment_progress progress;

    check_limits(experiment);
    if (setup->shelf && !experiment->shelf_failed &&
        !setup->shelf->tick(setup->shelf->context))
        fail_shelf(experiment);
    if (!setup->on_progress)
        return;
    meter_read(experiment->meters, experiment->policies,
               experiment->scenario->duration_ns, experiment->threads,
               1e-9 * (double)(clock_now_ns() - experiment->started_ns),
               &progress);
    progress.overdue_s = overdue_s(experiment);
    setup->on_progress(setup->progress_context, &progress);
}

/* ---- passes ---- */

/* Runs all policies of replications first .. first + count - 1, but for those
   that are found. */
static bool run_pass(struct experiment *experiment, uint32_t first,
                     uint32_t count)
{
    struct pool_work work = {
        .first = (uint64_t)first * experiment->policies,
        .count = (uint64_t)count * experiment->policies,
        .run = run_job,
        .tick = tick,
        .context = experiment,
        .stop = &experiment->stop,
    };

    if (fetch_jobs(experiment, work.first, work.count))
        return true;
    check_limits(experiment); /* a limit may be reached before the first job */
    return pool_run(&work, experiment->threads);
}

/*
 * The largest cut over the policies of one replication, as a time. A cut of 0
 * arrivals needs no second pass: the first one measured everything already.
 */
static enum experiment_status choose_cut(const struct experiment *experiment,
                                         uint32_t replication, struct cut *ret)
{
    uint64_t most = 0;

    for (uint32_t i = 0; i < experiment->policies; i++) {
        const struct run_result *run = run_of(experiment, i, replication);

        ret->doubtful |= !run->warm_up_sure;
        if (run->warm_up_cut > most)
            most = run->warm_up_cut;
    }
    ret->ns = most == 0
                  ? 0
                  : conduct_arrival_of(experiment->scenario,
                                       experiment->setup->first_replication +
                                           replication + 1,
                                       most);
    return ret->ns < 0 ? EXPERIMENT_TRACE_ERROR : EXPERIMENT_OK;
}

static void forget_replication(struct experiment *experiment,
                               uint32_t replication)
{
    for (uint32_t i = 0; i < experiment->policies; i++)
        experiment->jobs[(size_t)replication * experiment->policies + i].done =
            false;
}

/* The second pass of a replication is the first. */
static void note_known(struct experiment *experiment)
{
    for (uint32_t i = 0; i < experiment->policies; i++)
        meter_job_known(&experiment->meters[i]);
}

static enum experiment_status run_second_pass(struct experiment *experiment,
                                              uint32_t first, uint32_t count)
{
    experiment->first_pass = false;
    for (uint32_t i = first; i < first + count; i++) {
        if (!replication_is_whole(experiment, i)) {
            forget_replication(experiment, i);
            continue;
        }
        enum experiment_status status =
            choose_cut(experiment, i, &experiment->cuts[i]);
        if (status != EXPERIMENT_OK)
            return status;
        if (experiment->cuts[i].ns > 0)
            forget_replication(experiment, i);
        else
            note_known(experiment);
    }
    return run_pass(experiment, first, count) ? EXPERIMENT_OK
                                              : EXPERIMENT_NO_THREADS;
}

/* What was stopped in its first pass has a second one all the same: it may be
   on the shelf. */
static enum experiment_status run_replications(struct experiment *experiment,
                                               uint32_t first, uint32_t count,
                                               bool warm_up_auto)
{
    if (!warm_up_auto)
        return run_pass(experiment, first, count) ? EXPERIMENT_OK
                                                  : EXPERIMENT_NO_THREADS;

    for (uint32_t i = first; i < first + count; i++)
        experiment->cuts[i].ns = 0;
    experiment->first_pass = true;
    if (!run_pass(experiment, first, count))
        return EXPERIMENT_NO_THREADS;
    return run_second_pass(experiment, first, count);
}

/* The first replication tells whether the others could differ from it; a shard
   has but a part of it. */
static enum experiment_status run_all(struct experiment *experiment,
                                      struct experiment_result *ret)
{
    uint32_t count = experiment->replications;
    uint32_t first = 0;

    if (count > 1 && !experiment->setup->shard &&
        conduct_inputs_are_fixed(experiment->scenario)) {
        enum experiment_status status =
            run_replications(experiment, 0, 1, ret->warm_up_auto);

        if (status != EXPERIMENT_OK)
            return status;

        bool fixed = replication_is_whole(experiment, 0);
        for (uint32_t i = 0; i < experiment->policies; i++)
            fixed &= conduct_drew_nothing(run_of(experiment, i, 0), 1);
        if (fixed) {
            ret->runs_once = true;
            return EXPERIMENT_OK;
        }
        if (atomic_load(&experiment->stop))
            return EXPERIMENT_OK;
        first = 1;
    }
    return run_replications(experiment, first, count - first,
                            ret->warm_up_auto);
}

/* ---- the whole ---- */

/* What is to be run, and what of it is another shard's. */
static void deal_out(struct experiment *experiment)
{
    const struct shard *shard = experiment->setup->shard;
    size_t jobs = (size_t)experiment->policies * experiment->replications;
    unsigned passes =
        experiment->scenario->warm_up.kind == WARM_UP_AUTO ? 2 : 1;

    for (size_t i = 0; i < jobs; i++) {
        bool foreign = shard && !shard_has(shard, unit_of(experiment, i));

        experiment->jobs[i].foreign = foreign;
        if (!foreign)
            experiment->meters[i % experiment->policies].jobs += passes;
    }
}

static bool allocate(struct experiment *experiment)
{
    size_t jobs = (size_t)experiment->policies * experiment->replications;

    experiment->jobs = calloc(jobs + 1, sizeof *experiment->jobs);
    experiment->runs = calloc(jobs + 1, sizeof *experiment->runs);
    experiment->cuts =
        calloc((size_t)experiment->replications + 1, sizeof *experiment->cuts);
    experiment->meters =
        calloc((size_t)experiment->policies + 1, sizeof *experiment->meters);
    if (!experiment->jobs || !experiment->runs || !experiment->cuts ||
        !experiment->meters)
        return false;
    for (uint32_t i = 0; i < experiment->replications; i++)
        experiment->cuts[i].ns = -1;
    deal_out(experiment);
    return true;
}

static void release(struct experiment *experiment)
{
    size_t jobs = (size_t)experiment->policies * experiment->replications;

    for (size_t i = 0; experiment->runs && i < jobs; i++)
        run_result_done(&experiment->runs[i]);
    free(experiment->runs);
    free(experiment->jobs);
    free(experiment->cuts);
    free(experiment->meters);
}

enum experiment_status experiment_run(const struct experiment_setup *setup,
                                      struct experiment_result *ret)
{
    const struct scenario *scenario = setup->scenario;
    double cpu_before_s = clock_process_cpu_s();
    struct experiment experiment = {
        .setup = setup,
        .scenario = scenario,
        .policies = scenario->policy_count,
        .replications = scenario->replications,
        .threads = setup->threads ? setup->threads : pool_machine_threads(),
        .started_ns = clock_now_ns(),
    };
    enum experiment_status status = EXPERIMENT_NO_MEMORY;

    *ret = (struct experiment_result){
        .replications_asked = scenario->replications,
        .warm_up_auto = scenario->warm_up.kind == WARM_UP_AUTO,
        .warm_up_least_s = INFINITY,
    };
    if (!allocate(&experiment))
        goto out;
    status = run_all(&experiment, ret);
    if (status != EXPERIMENT_OK)
        goto out;
    experiment_count_work(&experiment, ret, cpu_before_s);
    status = experiment_conclude(&experiment, ret);

out:
    release(&experiment);
    return status;
}
