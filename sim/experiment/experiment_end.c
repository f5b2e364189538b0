/* From the runs of an experiment to its result. */
#include "sim/experiment/experiment_state.h"

#include "sim/core/clock.h"

#include <math.h>
#include <stdlib.h>

static bool ask_for_key_shares(const struct experiment *experiment,
                               struct experiment_result *ret)
{
    for (uint32_t i = 0; ret->replications > 0 && i < ret->policy_count; i++)
        if (!rehearse_key_share(experiment->scenario, i,
                                &ret->policies[i].key_share))
            return false;
    return true;
}

static enum experiment_status first_failure(const struct experiment *experiment,
                                            struct experiment_result *ret)
{
    static const enum experiment_status from[] = {
        [SIM_OK] = EXPERIMENT_OK,
        [SIM_STOPPED] = EXPERIMENT_OK,
        [SIM_NO_MEMORY] = EXPERIMENT_NO_MEMORY,
        [SIM_TOO_MANY_EVENTS] = EXPERIMENT_TOO_MANY_EVENTS,
        [SIM_TRACE_ERROR] = EXPERIMENT_TRACE_ERROR,
        [SIM_POLICY_ERROR] = EXPERIMENT_POLICY_ERROR,
        [SIM_BOOKS_OPEN] = EXPERIMENT_BOOKS_OPEN,
    };
    size_t jobs = (size_t)experiment->policies * experiment->replications;

    for (size_t i = 0; i < jobs; i++) {
        if (is_failure(experiment->jobs[i].status)) {
            ret->error_policy = (uint32_t)(i % experiment->policies);
            ret->error_replication = (uint32_t)(i / experiment->policies) + 1;
            return from[experiment->jobs[i].status];
        }
    }
    return EXPERIMENT_OK;
}

/* The cuts of whole replications. */
static void note_warm_up(const struct experiment *experiment,
                         struct experiment_result *ret)
{
    for (uint32_t i = 0; i < experiment->replications; i++) {
        const struct cut *cut = &experiment->cuts[i];

        if (!replication_is_whole(experiment, i))
            continue;
        ret->warm_up_doubtful += cut->doubtful;
        ret->warm_up_least_s =
            fmin(ret->warm_up_least_s, 1e-9 * (double)cut->ns);
        ret->warm_up_most_s = fmax(ret->warm_up_most_s, 1e-9 * (double)cut->ns);
    }
}

/* Moves whole replications to the front of each policy's runs; returns how
   many there are. numbers: [replications], which these are. */
static uint32_t gather_whole(struct experiment *experiment, uint32_t *numbers)
{
    uint32_t whole = 0;

    for (uint32_t i = 0; i < experiment->replications; i++) {
        if (!replication_is_whole(experiment, i))
            continue;
        for (uint32_t policy = 0; policy < experiment->policies; policy++) {
            struct run_result *to = run_of(experiment, policy, whole);
            struct run_result *from = run_of(experiment, policy, i);
            struct run_result moved = *from;

            *from = *to;
            *to = moved;
        }
        numbers[whole++] = i + 1;
    }
    return whole;
}

static struct shard_work shard_work(const struct experiment *experiment)
{
    size_t jobs = (size_t)experiment->policies * experiment->replications;
    struct shard_work work = {0};

    if (jobs > 0)
        work.units = unit_of(experiment, jobs - 1) + 1 - unit_of(experiment, 0);
    for (size_t i = 0; i < jobs; i++) {
        work.simulations += !experiment->jobs[i].foreign;
        work.done += experiment->jobs[i].done;
    }
    return work;
}

static bool any_limited(const struct experiment *experiment)
{
    size_t jobs = (size_t)experiment->policies * experiment->replications;

    for (size_t i = 0; i < jobs; i++)
        if (experiment->jobs[i].limited)
            return true;
    return false;
}

void experiment_count_work(const struct experiment *experiment,
                           struct experiment_result *ret, double cpu_before_s)
{
    size_t jobs = (size_t)experiment->policies * experiment->replications;

    for (size_t i = 0; i < jobs; i++) {
        ret->found += experiment->jobs[i].found;
        if (!experiment->jobs[i].found)
            ret->events += experiment->runs[i].events;
    }
    ret->elapsed_s = 1e-9 * (double)(clock_now_ns() - experiment->started_ns);
    ret->cpu_s = clock_process_cpu_s() - cpu_before_s;
    ret->threads = experiment->threads;
}

static void tell_runs(struct experiment *experiment, uint32_t whole)
{
    const struct experiment_setup *setup = experiment->setup;

    for (uint32_t p = 0; setup->on_run && p < experiment->policies; p++)
        for (uint32_t i = 0; i < whole; i++)
            setup->on_run(setup->run_context, p, i, run_of(experiment, p, i));
}

enum experiment_status experiment_conclude(struct experiment *experiment,
                                           struct experiment_result *ret)
{
    enum experiment_status status = first_failure(experiment, ret);

    if (status == EXPERIMENT_OK && experiment->shelf_failed)
        status = EXPERIMENT_SHELF_FAILED;
    if (status == EXPERIMENT_OK && experiment->lost)
        status = EXPERIMENT_LOST;
    if (status != EXPERIMENT_OK)
        return status;
    ret->work = shard_work(experiment);
    ret->end = experiment->end;
    if (ret->end == EXPERIMENT_WHOLE && any_limited(experiment))
        ret->end = EXPERIMENT_LIMIT_EVENTS;

    if (ret->warm_up_auto)
        note_warm_up(experiment, ret);
    ret->numbers =
        calloc((size_t)experiment->replications + 1, sizeof *ret->numbers);
    if (!ret->numbers)
        return EXPERIMENT_NO_MEMORY;

    uint32_t whole = gather_whole(experiment, ret->numbers);
    /* A limit may be reached when there was nothing left to run. */
    if (ret->runs_once || whole == experiment->replications ||
        (experiment->setup->shard && ret->work.done == ret->work.simulations))
        ret->end = EXPERIMENT_WHOLE;
    if (experiment->setup->shard)
        whole = 0; /* a part says nothing about the policies */
    tell_runs(experiment, whole);
    return outcome_fold(experiment->scenario, experiment->runs,
                        experiment->replications, whole, ret) &&
                   ask_for_key_shares(experiment, ret)
               ? EXPERIMENT_OK
               : EXPERIMENT_NO_MEMORY;
}
