#include "sim/cluster/hpa.h"

#include <math.h>

#define SECOND_NS INT64_C(1000000000)
#define REQUEST_MILLI 1000 /* what each pod requests, for utilisation */
#define REPLICAS_MAX INT32_MAX

struct hpa_spec hpa_defaults(void)
{
    return (struct hpa_spec){
        .min = 1,
        .max = 1,
        .tolerance = 0.1,
        .sync_ns = 15 * SECOND_NS,
        .cpu_initialization_ns = 300 * SECOND_NS,
        .initial_readiness_delay_ns = 30 * SECOND_NS,
        .up = {.select = HPA_SELECT_MAX,
               .policy_count = 2,
               .policies = {{false, 4, 15 * SECOND_NS},
                            {true, 100, 15 * SECOND_NS}}},
        .down = {.window_ns = 300 * SECOND_NS,
                 .select = HPA_SELECT_MAX,
                 .policy_count = 1,
                 .policies = {{true, 100, 15 * SECOND_NS}}},
    };
}

/* --- from metrics to a proposal ------------------------------------------- */

/* Metrics over which a ratio is taken. */
struct counted {
    int64_t sum; /* thousandths */
    int64_t pods;
};

/* Usage over target as the controller works it out: whole per cents, or whole
   thousandths per pod. */
static double usage_ratio(const struct hpa_metric *metric,
                          const struct counted *counted)
{
    int64_t usage = counted->sum / counted->pods;

    if (metric->kind == HPA_UTILISATION)
        usage = counted->sum * 100 / (counted->pods * REQUEST_MILLI);
    return (double)usage / (double)metric->target;
}

static bool is_within(double ratio, double tolerance)
{
    return fabs(1.0 - ratio) <= tolerance;
}

static uint32_t round_up(double replicas)
{
    double whole = ceil(replicas);

    return whole < REPLICAS_MAX ? (uint32_t)whole : REPLICAS_MAX;
}

/* A missing pod on the way down: as busy as the target, or as all that it
   requests. */
static int64_t busy_value(const struct hpa_metric *metric)
{
    if (metric->kind == HPA_AVERAGE_VALUE)
        return metric->target;
    return REQUEST_MILLI * (metric->target > 100 ? metric->target : 100) / 100;
}

static uint32_t count_state(const struct hpa_metric *metric,
                            enum hpa_pod_state state)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < metric->pod_count; i++)
        count += metric->pods[i].state == state;
    return count;
}

static struct counted count_ready(const struct hpa_metric *metric)
{
    struct counted counted = {0};

    for (uint32_t i = 0; i < metric->pod_count; i++)
        if (metric->pods[i].state == HPA_POD_READY) {
            counted.sum += metric->pods[i].value;
            counted.pods++;
        }
    return counted;
}

/* With those that are not ready or missing counted as what holds back. */
static uint32_t propose_warily(const struct hpa_metric *metric,
                               const struct counted *ready, double ratio,
                               uint32_t unready, uint32_t current,
                               double tolerance)
{
    uint32_t missing = count_state(metric, HPA_POD_MISSING);
    struct counted all = *ready;
    double new_ratio;
    uint32_t replicas;

    if (ratio < 1.0)
        all.sum += missing * busy_value(metric);
    if (ratio != 1.0)
        all.pods += missing;
    if (ratio > 1.0)
        all.pods += unready;
    new_ratio = usage_ratio(metric, &all);
    if (is_within(new_ratio, tolerance) || (ratio < 1.0 && new_ratio > 1.0) ||
        (ratio > 1.0 && new_ratio < 1.0))
        return current;
    replicas = round_up(new_ratio * (double)all.pods);
    if ((new_ratio < 1.0 && replicas > current) ||
        (new_ratio > 1.0 && replicas < current))
        return current;
    return replicas;
}

static bool propose_by_pods(const struct hpa_metric *metric, uint32_t current,
                            double tolerance, uint32_t *ret)
{
    struct counted ready = count_ready(metric);
    uint32_t unready = count_state(metric, HPA_POD_UNREADY);
    double ratio;

    if (ready.pods == 0)
        return false;
    ratio = usage_ratio(metric, &ready);
    if ((unready > 0 && ratio > 1.0) || count_state(metric, HPA_POD_MISSING))
        *ret =
            propose_warily(metric, &ready, ratio, unready, current, tolerance);
    else if (is_within(ratio, tolerance))
        *ret = current;
    else
        *ret = round_up(ratio * (double)ready.pods);
    return true;
}

/* One number for all: shared out among the pods, or brought down by them. */
static uint32_t propose_by_total(const struct hpa_metric *metric,
                                 uint32_t current, double tolerance)
{
    double total = (double)metric->total, target = (double)metric->target;

    if (metric->kind == HPA_EXTERNAL)
        return is_within(total / (target * (double)current), tolerance)
                   ? current
                   : round_up(total / target);
    if (is_within(total / target, tolerance))
        return current;
    return round_up(total / target * count_state(metric, HPA_POD_READY));
}

bool hpa_propose(const struct hpa_metric *metric, uint32_t current,
                 double tolerance, uint32_t *ret)
{
    if (!metric->available)
        return false;
    if (metric->kind == HPA_UTILISATION || metric->kind == HPA_AVERAGE_VALUE)
        return propose_by_pods(metric, current, tolerance, ret);
    *ret = propose_by_total(metric, current, tolerance);
    return true;
}

void hpa_add_proposal(struct hpa_proposals *proposals,
                      const struct hpa_metric *metric, uint32_t current,
                      double tolerance)
{
    uint32_t proposed;

    proposals->asked++;
    if (!hpa_propose(metric, current, tolerance, &proposed))
        proposals->failed++;
    else if (proposed > proposals->largest)
        proposals->largest = proposed;
}

uint32_t hpa_largest(const struct hpa_proposals *proposals, uint32_t current)
{
    if (proposals->failed == proposals->asked ||
        (proposals->failed > 0 && proposals->largest < current))
        return current;
    return proposals->largest;
}

bool hpa_cpu_is_unready(const struct hpa_spec *spec,
                        const struct hpa_pod_times *times, int64_t now_ns)
{
    if (times->started_at_ns + spec->cpu_initialization_ns > now_ns)
        return !times->ready ||
               times->metric_at_ns <
                   times->ready_changed_at_ns + times->metric_window_ns;
    return !times->ready &&
           times->started_at_ns + spec->initial_readiness_delay_ns >
               times->ready_changed_at_ns;
}

/* --- from a proposal to replicas ------------------------------------------ */

static int64_t longer(int64_t a_ns, int64_t b_ns)
{
    return a_ns > b_ns ? a_ns : b_ns;
}

static int64_t longest_period_ns(const struct hpa_rules *rules)
{
    int64_t longest_ns = 0;

    for (uint32_t i = 0; i < rules->policy_count; i++)
        longest_ns = longer(longest_ns, rules->policies[i].period_ns);
    return longest_ns;
}

bool hpa_init(struct hpa *hpa, const struct hpa_spec *spec)
{
    int64_t window_ns = longer(spec->up.window_ns, spec->down.window_ns);
    /* Either direction asks both lists for what its period began with. */
    int64_t period_ns =
        longer(longest_period_ns(&spec->up), longest_period_ns(&spec->down));
    uint32_t windows = scale_history_size(window_ns, spec->sync_ns);
    uint32_t periods = scale_history_size(period_ns, spec->sync_ns);

    *hpa = (struct hpa){.spec = spec};
    return scale_history_init(&hpa->recommendations, windows) &&
           scale_history_init(&hpa->ups, periods) &&
           scale_history_init(&hpa->downs, periods);
}

void hpa_done(struct hpa *hpa)
{
    scale_history_done(&hpa->recommendations);
    scale_history_done(&hpa->ups);
    scale_history_done(&hpa->downs);
}

/* Up: not above the least of the window before now; down: not below the most.
   An entry as old as the window is no longer in it. */
static int64_t stabilise(struct hpa *hpa, int64_t current, int64_t proposed,
                         int64_t now_ns)
{
    int64_t up = proposed, down = proposed, steady = current;

    if (hpa->recommendations.count == 0)
        scale_history_add(&hpa->recommendations, now_ns, current);
    for (uint32_t i = 0; i < hpa->recommendations.count; i++) {
        const struct scale_entry *entry =
            scale_history_at(&hpa->recommendations, i);

        if (entry->at_ns > now_ns - hpa->spec->up.window_ns &&
            entry->value < up)
            up = entry->value;
        if (entry->at_ns > now_ns - hpa->spec->down.window_ns &&
            entry->value > down)
            down = entry->value;
    }
    if (steady < up)
        steady = up;
    if (steady > down)
        steady = down;
    scale_history_add(&hpa->recommendations, now_ns, proposed);
    return steady;
}

/* Replicas when the period of the policy began. */
static int64_t at_start(const struct hpa *hpa, int64_t current,
                        const struct hpa_policy *policy, int64_t now_ns)
{
    int64_t since_ns = now_ns - policy->period_ns;

    return current - scale_history_sum(&hpa->ups, since_ns) +
           scale_history_sum(&hpa->downs, since_ns);
}

/* Per cents are rounded up on the way up, or 1 would never grow, and cut off
   on the way down. */
static int64_t limit_of(const struct hpa_policy *policy, int64_t start, bool up)
{
    double share = (double)policy->value / 100;

    if (!policy->percent)
        return up ? start + policy->value : start - (int64_t)policy->value;
    if (up)
        return (int64_t)ceil((double)start * (1 + share));
    return (int64_t)((double)start * (1 - share));
}

/* As far as the rules let replicas go in one direction. */
static int64_t farthest(const struct hpa *hpa, int64_t current, bool up,
                        int64_t now_ns)
{
    const struct hpa_rules *rules = up ? &hpa->spec->up : &hpa->spec->down;
    bool higher = up == (rules->select == HPA_SELECT_MAX);
    int64_t result = higher ? INT64_MIN : INT64_MAX;

    if (rules->select == HPA_SELECT_DISABLED)
        return current;
    for (uint32_t i = 0; i < rules->policy_count; i++) {
        const struct hpa_policy *policy = &rules->policies[i];
        int64_t start = at_start(hpa, current, policy, now_ns);
        int64_t limit = limit_of(policy, start, up);

        if (higher ? limit > result : limit < result)
            result = limit;
    }
    if (rules->policy_count == 0 || (up ? result < current : result > current))
        return current;
    return result;
}

static int64_t clamp(int64_t value, int64_t low, int64_t high)
{
    if (value > high)
        value = high;
    return value < low ? low : value;
}

uint32_t hpa_settle(struct hpa *hpa, uint32_t current, uint32_t proposed,
                    int64_t now_ns)
{
    int64_t replicas = stabilise(hpa, current, proposed, now_ns);

    if (replicas > current)
        replicas = clamp(replicas, 0, farthest(hpa, current, true, now_ns));
    else if (replicas < current)
        replicas =
            clamp(replicas, farthest(hpa, current, false, now_ns), current);
    replicas = clamp(replicas, hpa->spec->min, hpa->spec->max);
    if (replicas > current)
        scale_history_add(&hpa->ups, now_ns, replicas - current);
    else if (replicas < current)
        scale_history_add(&hpa->downs, now_ns, current - replicas);
    return (uint32_t)replicas;
}

uint32_t hpa_sync_proposed(struct hpa *hpa,
                           const struct hpa_proposals *proposals,
                           uint32_t current, int64_t now_ns)
{
    const struct hpa_spec *spec = hpa->spec;

    if (current == 0)
        return 0;
    if (current > spec->max)
        return spec->max;
    if (current < spec->min)
        return spec->min;
    return hpa_settle(hpa, current, hpa_largest(proposals, current), now_ns);
}

uint32_t hpa_sync(struct hpa *hpa, const struct hpa_metric *metrics,
                  uint32_t count, uint32_t current, int64_t now_ns)
{
    struct hpa_proposals all = {0};

    for (uint32_t i = 0; i < count; i++)
        hpa_add_proposal(&all, &metrics[i], current, hpa->spec->tolerance);
    return hpa_sync_proposed(hpa, &all, current, now_ns);
}
