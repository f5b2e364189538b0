/* Checks: what a policy asks of its host, and what it must not ask elsewhere.
 */
#include "sim/conformance/trial.h"

#include "sim/conformance/cage.h"
#include "sim/conformance/watch.h"
#include "sim/core/child.h"

#include <stdio.h>
#include <time.h>

enum { NODES = 21, STEPS = 800 };

/* ---- calls of the C library ---- */

struct heard {
    uint64_t count;
    const char *name;
};

/* A life with all that can be told; what was called in create and on_members,
   and what in traffic. False: could not be watched. */
static bool listen(struct trial *trial, enum watch_kind kind,
                   struct heard *ret_start, struct heard *ret_traffic,
                   struct stage *stage)
{
    struct traffic traffic;
    struct stage_options options = {
        .slot_count = NODES, .with_reports = true, .seed = 141};

    if (!watch_install(trial->ops)) {
        trial_skip(trial, "calls cannot be watched on this machine");
        return false;
    }
    watch_forget();
    if (!trial_open(trial, stage, &options))
        return false;
    stage->refuse_hot = true;
    ret_start->count = watch_count(kind, &ret_start->name);
    watch_forget();
    traffic_start(&traffic, stage, 142);
    for (uint32_t step = 0; step < STEPS; step++)
        traffic_step(&traffic);
    traffic_drain(&traffic);
    ret_traffic->count = watch_count(kind, &ret_traffic->name);
    stage_members(stage);
    stage_close(stage);
    return true;
}

static void fail_if_heard(struct trial *trial, const struct heard *heard,
                          const char *when)
{
    if (heard->count > 0)
        trial_fail(trial,
                   "called %s() of the C library %s (%llu call%s of "
                   "that kind)",
                   heard->name, when, (unsigned long long)heard->count,
                   heard->count == 1 ? "" : "s");
}

void check_memory(struct trial *trial)
{
    struct stage stage;
    struct heard start, traffic;

    if (!listen(trial, WATCH_MEMORY, &start, &traffic, &stage))
        return;
    if (stage.hot_allocations > 0)
        trial_fail(trial,
                   "asked the host for memory %llu times in pick, on_sent, "
                   "on_first_token, on_done, on_report or on_probe",
                   (unsigned long long)stage.hot_allocations);
    fail_if_heard(trial, &traffic, "during traffic");
    fail_if_heard(trial, &start, "in create or on_members");
}

static void hear_nothing(struct trial *trial, enum watch_kind kind)
{
    struct stage stage;
    struct heard start, traffic;

    if (!listen(trial, kind, &start, &traffic, &stage))
        return;
    fail_if_heard(trial, &traffic, "during traffic");
    fail_if_heard(trial, &start, "in create or on_members");
}

void check_chance(struct trial *trial)
{
    hear_nothing(trial, WATCH_CHANCE);
}

/* ---- calls of the system ---- */

struct caged {
    struct trial trial;
    long call;   /* the system call that was made, -1: none */
    bool closed; /* the cage could be closed */
    bool ended;
};

/* Ends where it stands: from a closed cage nothing can be told any other way
   than in the memory that is shared. */
static void live_in_cage(void *context)
{
    struct caged *caged = context;
    struct traffic traffic;
    struct stage stage;
    struct stage_options options = {.slot_count = NODES, .seed = 145};

    if (!trial_open(&caged->trial, &stage, &options))
        return;
    stage.timer_ns = LBP_NO_TIME; /* a timer may allocate */
    traffic_start(&traffic, &stage, 146);
    for (uint32_t step = 0; step < 50; step++)
        traffic_step(&traffic);
    caged->closed = cage_close(&caged->call);
    for (uint32_t step = 0; caged->closed && step < STEPS; step++)
        traffic_step(&traffic);
    caged->ended = true;
    if (caged->closed)
        cage_end();
}

static void fail_caged(struct trial *trial, long call)
{
    const char *name = cage_call_name(call);

    if (call < 0)
        trial_fail(trial, "did not come back");
    else if (name)
        trial_fail(trial, "made the system call %s during traffic", name);
    else
        trial_fail(trial, "made the system call %ld during traffic", call);
}

/* Whatever reaches the system, by whichever function of whichever library. */
static void stay_in_cage(struct trial *trial)
{
    struct caged *caged = child_share(sizeof *caged);
    char how[CONFORMANCE_TEXT / 2];

    if (!caged)
        return;
    caged->trial = *trial;
    caged->call = -1;
    if (child_run(live_in_cage, caged, trial->limit_ns, how, sizeof how) !=
            CHILD_RETURNED &&
        caged->closed && !caged->ended)
        fail_caged(trial, caged->call);
    child_unshare(caged, sizeof *caged);
}

void check_outside(struct trial *trial)
{
    hear_nothing(trial, WATCH_OUTSIDE);
    stay_in_cage(trial);
}

/* ---- memory that is refused ---- */

/* A node joins, and the policy has no memory for it: the old view goes on. */
static void join_without_memory(struct trial *trial, struct stage *stage,
                                struct traffic *traffic)
{
    for (uint64_t n = 1; n <= 20; n++) {
        stage_join(stage, NODES - 1);
        stage->heap.asked = 0;
        stage->heap.fail_at = n;
        stage->heap.refused = false;
        if (stage_members(stage)) {
            if (!stage->heap.refused)
                break;
        } else if (!stage->heap.refused) {
            trial_fail(trial, "on_members gave false though nothing was "
                              "refused");
        } else {
            stage_leave(stage, NODES - 1);
        }
        stage->heap.fail_at = 0;
        for (uint32_t step = 0; step < 20; step++)
            traffic_step(traffic);
        if (stage->in_flight[NODES - 1] > 0 ||
            stage_node(stage, NODES - 1)->key_length > 0)
            break; /* it has coped without the memory */
    }
    stage->heap.fail_at = 0;
}

static void refuse_at_join(struct trial *trial)
{
    struct traffic traffic;
    struct stage stage;
    struct stage_options options = {.slot_count = NODES, .seed = 151};

    trial_doing(trial, "when memory was refused as a node joined");
    if (!trial_open(trial, &stage, &options))
        return;
    stage_leave(&stage, NODES - 1);
    stage_mask_all(&stage);
    stage_members(&stage);
    traffic_start(&traffic, &stage, 152);
    for (uint32_t step = 0; step < 100; step++)
        traffic_step(&traffic);
    join_without_memory(trial, &stage, &traffic);
    trial_fail_unsound(trial, &traffic,
                       "after memory had been refused as a node joined");
    traffic_drain(&traffic);
    stage_close(&stage);
}

/* What stays when nothing is refused is the matter of another check. */
static uint32_t lost_usually(struct trial *trial)
{
    struct stage stage;
    struct stage_options options = {.slot_count = NODES, .seed = 161};

    stage_open(&stage, trial->ops, trial->config, &options);
    stage_close(&stage);
    return stage.heap.live;
}

/* The n-th allocation since the stage opened fails. False: there is none. */
static bool refuse_at_start(struct trial *trial, uint64_t n, uint32_t usual)
{
    struct stage stage;
    struct stage_options options = {
        .slot_count = NODES, .seed = 161, .fail_at = n};
    bool created;

    trial_doing(trial, "when allocation %llu was refused",
                (unsigned long long)n);
    stage_open(&stage, trial->ops, trial->config, &options);
    created = stage.state != NULL;
    stage_close(&stage);
    if (!stage.heap.refused)
        return false;
    if (!created && stage.heap.live > 0)
        trial_fail(trial,
                   "create gave NULL when allocation %llu was refused, and "
                   "kept %u",
                   (unsigned long long)n, stage.heap.live);
    if (created && stage.heap.live > usual)
        trial_fail(trial, "lost %u allocations when number %llu was refused",
                   stage.heap.live - usual, (unsigned long long)n);
    return true;
}

void check_refused(struct trial *trial)
{
    uint32_t usual = lost_usually(trial);

    for (uint64_t n = 1; n <= 200; n++)
        if (!refuse_at_start(trial, n, usual))
            break;
    refuse_at_join(trial);
}

/* ---- the end ---- */

void check_destroy(struct trial *trial)
{
    struct traffic traffic;
    struct stage stage;
    struct stage_options options = {.slot_count = NODES, .seed = 171};

    trial_doing(trial, "in destroy(NULL)");
    trial->ops->destroy(NULL);
    trial_doing(trial, "during traffic or in destroy");
    if (!trial_open(trial, &stage, &options))
        return;
    traffic_start(&traffic, &stage, 172);
    for (uint32_t step = 0; step < STEPS; step++)
        traffic_step(&traffic);
    stage_members(&stage);
    stage_close(&stage); /* with requests under way: the host is leaving */
    if (stage.heap.live > 0)
        trial_fail(trial, "%u allocations of %zu bytes were never released",
                   stage.heap.live, stage.heap.bytes);
    if (stage.heap.strange_release)
        trial_fail(trial, "released what the host had not given");
    if (stage.heap.overrun)
        trial_fail(trial, "wrote past the end of its memory");
}

void check_timer(struct trial *trial)
{
    struct traffic traffic;
    struct stage stage;
    struct stage_options options = {.slot_count = NODES, .seed = 181};

    if (!trial->ops->on_timer) {
        trial_skip(trial, "it has none");
        return;
    }
    if (!trial_open(trial, &stage, &options))
        return;
    traffic_start(&traffic, &stage, 182);
    for (uint32_t step = 0; step < STEPS; step++)
        traffic_step(&traffic);
    traffic_drain(&traffic);
    if (stage.stuck_timers > 0)
        trial_fail(trial,
                   "asked %u times to be called at a time that had "
                   "come",
                   stage.stuck_timers);
    stage_close(&stage);
}

/* ---- time ---- */

enum { BATCH = 200, BATCHES = 25, ENOUGH_US = 200000 };

static double clock_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

/* A pick alone, of all nodes, none of whose reports is old, with no explanation
   asked: CPU time, the best of some batches, as the machine's other work only
   adds. Between them the state moves on. Negative: it did not start. */
static double pick_us(struct trial *trial, uint32_t slot_count)
{
    struct traffic traffic;
    struct stage stage;
    struct stage_attempt attempts[BATCH];
    struct stage_options options = {
        .slot_count = slot_count, .unequal = true, .seed = 191};
    double best = -1, begun;

    if (!trial_open(trial, &stage, &options))
        return -1;
    traffic_start(&traffic, &stage, 192);
    begun = clock_us();
    for (uint32_t batch = 0;
         batch < BATCHES && (batch < 3 || clock_us() - begun < ENOUGH_US);
         batch++) {
        double start, taken;
        uint32_t slot;

        for (uint32_t step = 0; step < 20; step++)
            traffic_step(&traffic);
        stage_mask_all(&stage);
        for (uint32_t i = 0; i < BATCH; i++) {
            stage_request(&stage, &attempts[i], i);
            attempts[i].ask.request.eligible = stage.mask;
            attempts[i].ask.request.eligible_count = stage_mask_count(&stage);
        }
        start = clock_us();
        for (uint32_t i = 0; i < BATCH; i++)
            trial->ops->pick(stage.state, stage.view, &attempts[i].ask.request,
                             &slot, NULL);
        taken = (clock_us() - start) / BATCH;
        if (best < 0 || taken < best)
            best = taken;
    }
    traffic_drain(&traffic);
    stage_close(&stage);
    return best;
}

void check_budget(struct trial *trial)
{
    double few_us = pick_us(trial, 64), many_us = pick_us(trial, 1024);

    if (few_us < 0 || many_us < 0)
        return;
    trial_note(trial, "a pick took %.3g us at 64 nodes, %.3g us at 1,024%s",
               few_us, many_us,
               few_us > 2 || many_us > 10 ? ": more than it should" : "");
    if (few_us > 20 || many_us > 100)
        trial_fail(trial,
                   "a pick took %.3g us at 64 nodes and %.3g us at "
                   "1,024",
                   few_us, many_us);
}
