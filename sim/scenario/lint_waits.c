/* Who leaves when he has waited for too long: queues of such requests do not
   grow without end, however much arrives. */
#include "sim/scenario/lint_rules.h"

/* Nothing but the end of an attempt bounds how many a node serves at once. */
static bool any_serves_all_at_once(const struct scenario *scenario)
{
    for (uint32_t g = 0; g < scenario->group_count; g++)
        if (scenario->groups[g].count > 0 &&
            scenario->groups[g].engine.kind == ENGINE_SHARING &&
            scenario->groups[g].engine.limit == 0)
            return true;
    return false;
}

/* Whether attempts end in time, and none waits at the door before it. */
static bool attempts_end(const struct scenario *scenario)
{
    const struct timeout_spec *timeout = &scenario->balancer.timeout;

    if (lint_door_holds(scenario))
        return false;
    return timeout->attempt_ns > 0 ||
           (timeout->ttft_ns > 0 && !any_serves_all_at_once(scenario));
}

/* Whether time-outs end all requests, or all that wait. */
static bool time_outs_end_all(const struct scenario *scenario)
{
    const struct balancer_spec *spec = &scenario->balancer;

    return spec->timeout.total_ns < INT64_MAX ||
           (spec->timeout.queue_ns > 0 && !any_serves_all_at_once(scenario)) ||
           (spec->degrade.given && spec->degrade.light == 0 &&
            spec->degrade.after_ns >= 0) ||
           attempts_end(scenario);
}

static int64_t deadline_ns(const struct workload_spec *part, uint32_t of_class)
{
    return part->class_count > 0 ? part->classes[of_class].deadline_ns
                                 : INT64_MAX;
}

static bool is_patient(const struct workload_spec *part, uint32_t of_class)
{
    return part->patience.kind == DIST_NONE &&
           (part->class_count == 0 ||
            part->classes[of_class].patience.kind == DIST_NONE);
}

/* Whether who leaves does not take his work along, though it waited. */
static bool leaves_work_behind(const struct scenario *scenario)
{
    enum timeout_cancel cancel = scenario->balancer.timeout.cancel;

    return cancel == CANCEL_NOTHING ||
           (cancel == CANCEL_QUEUED && any_serves_all_at_once(scenario));
}

bool lint_class_stays(const struct scenario *scenario,
                      const struct workload_spec *part, uint32_t of_class)
{
    const struct balancer_spec *spec = &scenario->balancer;

    if (leaves_work_behind(scenario))
        return true;
    if (time_outs_end_all(scenario))
        return false;
    if (deadline_ns(part, of_class) < INT64_MAX &&
        (spec->deadline.given || spec->degrade.given))
        return false;
    return is_patient(part, of_class) || any_serves_all_at_once(scenario);
}
