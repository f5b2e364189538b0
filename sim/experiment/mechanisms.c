#include "sim/experiment/mechanisms.h"

#include "sim/experiment/admission.h"
#include "sim/experiment/agents.h"
#include "sim/experiment/batching.h"
#include "sim/experiment/check_restarts.h"
#include "sim/experiment/deadlines.h"
#include "sim/experiment/degrade.h"
#include "sim/experiment/detections.h"
#include "sim/experiment/hedges.h"
#include "sim/experiment/members.h"
#include "sim/experiment/panics.h"
#include "sim/experiment/passive.h"
#include "sim/experiment/remaps.h"
#include "sim/experiment/retries.h"
#include "sim/experiment/rollouts.h"
#include "sim/experiment/scaling.h"
#include "sim/experiment/slow_starts.h"
#include "sim/experiment/timeouts.h"
#include "sim/experiment/weight_times.h"
#include "sim/experiment/weight_updates.h"

bool mechanisms_make(struct sim *sim)
{
    return timeouts_make(sim) && deadlines_make(sim) && retries_make(sim) &&
           hedges_make(sim) && detections_make(sim) && panics_make(sim) &&
           slow_starts_make(sim) && weight_updates_make(sim) &&
           agents_make(sim) && weight_times_make(sim) && passive_make(sim) &&
           admission_make(sim) && scaling_make(sim) && remaps_make(sim) &&
           degrade_make(sim) && batching_make(sim);
}

void mechanisms_unmake(struct sim *sim)
{
    timeouts_unmake(sim);
    deadlines_unmake(sim);
    admission_unmake(sim);
    scaling_unmake(sim);
    remaps_unmake(sim);
    degrade_unmake(sim);
}

bool mechanisms_start(struct sim *sim)
{
    passive_start(sim);
    admission_start(sim);
    scaling_start(sim);
    rollouts_start(sim);
    slow_starts_start(sim);
    weight_updates_start(sim);
    agents_start(sim);
    return true;
}

void sim_alarm(struct sim *sim, int64_t at_ns, enum alarm_kind kind,
               uint32_t subject, uint32_t epoch)
{
    if (at_ns < sim->now_ns)
        at_ns = sim->now_ns;
    if (!alarms_set(&sim->alarms, &sim->tree, at_ns, kind, subject, epoch))
        sim_fail(sim, SIM_NO_MEMORY);
}

void mechanisms_alarm(struct sim *sim)
{
    struct alarm alarm = alarms_pop(&sim->alarms, &sim->tree);

    switch ((enum alarm_kind)alarm.kind) {
    case ALARM_RETRY:
        retries_alarm(sim, &alarm);
        break;
    case ALARM_TIMEOUT:
    case ALARM_PATIENCE:
        timeouts_alarm(sim, &alarm);
        break;
    case ALARM_DEADLINE:
        deadlines_alarm(sim, &alarm);
        break;
    case ALARM_HEDGE:
    case ALARM_TOKEN:
        hedges_alarm(sim, &alarm);
        break;
    case ALARM_MAX_FAILS:
        ejectors_may_try(sim, alarm.subject);
        break;
    case ALARM_OUTLIERS:
        ejectors_tick(sim, alarm.subject);
        break;
    case ALARM_BREAKER:
        breakers_cooled(sim, alarm.subject);
        break;
    case ALARM_DOOR_SWEEP:
        admission_sweep(sim, alarm.subject);
        break;
    case ALARM_AIMD_WINDOW:
        admission_close_window(sim, alarm.subject);
        break;
    case ALARM_FAIL_FAST:
        admission_fail_fast(sim, alarm.subject);
        break;
    case ALARM_MEMBER_PHASE:
        members_next_phase(sim, alarm.subject, alarm.epoch);
        break;
    case ALARM_MEMBER_CLOSES:
        members_close(sim, alarm.subject, alarm.epoch);
        break;
    case ALARM_MEMBER_LEAVES:
        members_leave(sim, alarm.subject, alarm.epoch);
        break;
    case ALARM_MEMBER_GROWN:
        members_grown(sim, alarm.subject, alarm.epoch);
        break;
    case ALARM_SCALER:
        scaling_tick(sim, alarm.subject);
        break;
    case ALARM_SCALER_LOOKS:
        scaling_look(sim, alarm.subject);
        break;
    case ALARM_ROLLOUT:
        rollouts_next(sim, alarm.subject);
        break;
    case ALARM_REMAPS:
        remaps_measure(sim);
        break;
    case ALARM_SLOW_START:
        slow_starts_step(sim, alarm.subject);
        break;
    case ALARM_CHECK_RESTART:
        check_restarts_back(sim, alarm.subject, alarm.epoch);
        break;
    case ALARM_WEIGHTS:
        weight_updates_period(sim, alarm.subject);
        break;
    case ALARM_AGENTS:
        agents_ask(sim, alarm.subject);
        break;
    case ALARM_DEGRADE:
    case ALARM_OLD_ANSWER:
        degrade_alarm(sim, &alarm);
        break;
    case ALARM_BATCHES:
        batching_alarm(sim, &alarm);
        break;
    }
}

static void connections_finish(const struct sim *sim, struct run_result *ret)
{
    uint64_t opened = 0;

    if (!sim->scenario->balancer.connections.given)
        return;
    for (uint32_t b = 0; b < sim->balancer_count; b++)
        opened += sim->balancers[b].connections.opened;
    ret->values[M_CONNECTIONS] = (double)opened;
}

void mechanisms_finish(const struct sim *sim, struct run_result *ret)
{
    connections_finish(sim, ret);
    timeouts_finish(sim, ret);
    deadlines_finish(sim, ret);
    retries_finish(sim, ret);
    hedges_finish(sim, ret);
    detections_finish(sim, ret);
    passive_finish(sim, ret);
    admission_finish(sim, ret);
    members_finish(sim, ret);
    scaling_finish(sim, ret);
    remaps_finish(sim, ret);
    check_restarts_finish(sim, ret);
    panics_finish(sim, ret);
    slow_starts_finish(sim, ret);
    weight_updates_finish(sim, ret);
    agents_finish(sim, ret);
    weight_times_finish(sim, ret);
    degrade_finish(sim, ret);
    batching_finish(sim, ret);
}
