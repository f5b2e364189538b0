/* How the settings of nodes that come and go must fit together. */
#include "sim/scenario/draft.h"

#include "sim/scenario/units.h"

#include <stdio.h>
#include <string.h>

#define SECOND_NS INT64_C(1000000000)

/* --- defaults that follow from the rule --------------------------------------
 */

static const struct {
    int64_t sync_s, scrape_s;
    double low;
} rule_defaults[] = {
    [SCALE_HPA] = {15, 15, NAN},      [SCALE_KEDA] = {15, 15, NAN},
    [SCALE_KPA] = {2, 1, NAN},        [SCALE_SCHEDULE] = {0, 15, NAN},
    [SCALE_TREND] = {15, 15, NAN},    [SCALE_GOAL] = {60, 15, 0.5},
    [SCALE_STAFFING] = {60, 15, NAN}, [SCALE_THRESHOLD] = {15, 15, 0.8},
    [SCALE_DEMAND] = {0, 0, NAN},
};

/* What a request rate per node is aimed at when only the rule is said. */
static void default_target(struct group_spec *group)
{
    struct scale_spec *scale = &group->scale;
    double slots = group->engine.kind == ENGINE_SLOTS ? group->engine.slots
                                                      : group->engine.limit;

    for (uint32_t m = 0; m < SCALE_METRICS; m++)
        if (!isnan(scale->targets[m]))
            return;
    if (scale->rule == SCALE_HPA || scale->rule == SCALE_THRESHOLD)
        scale->targets[group->kind == NODE_GPU ? SCALE_GPU : SCALE_CPU] = 0.7;
    else if (scale->rule == SCALE_KPA)
        scale->targets[SCALE_IN_FLIGHT] = 70;
    else if (scale->rule == SCALE_DEMAND && slots > 0)
        scale->targets[SCALE_IN_FLIGHT] = slots;
}

static void fill_defaults(const struct tree *block, struct group_spec *group)
{
    struct scale_spec *scale = &group->scale;

    if (scale->sync_ns == 0)
        scale->sync_ns = rule_defaults[scale->rule].sync_s * SECOND_NS;
    if (scale->scrape_ns == 0)
        scale->scrape_ns = rule_defaults[scale->rule].scrape_s * SECOND_NS;
    if (isnan(scale->low))
        scale->low = rule_defaults[scale->rule].low;
    if (!tree_find(block, "hold"))
        scale->holds = scale->min == 0;
    default_target(group);
}

/* The lists that the rules go by, without what is 0. */
static void fill_policies(struct hpa_rules *rules)
{
    struct hpa_policy pods = rules->policies[0], percent = rules->policies[1];

    pods.percent = false;
    percent.percent = true;
    rules->policy_count = 0;
    if (pods.value > 0)
        rules->policies[rules->policy_count++] = pods;
    if (percent.value > 0)
        rules->policies[rules->policy_count++] = percent;
}

/* Knative aims at 70 % of what a pod could take, and keeps room for a burst. */
static void fill_kpa(struct scale_spec *scale, enum scale_metric metric)
{
    struct kpa_spec presets = kpa_defaults();

    scale->kpa.min = scale->min;
    scale->kpa.max = scale->max;
    scale->kpa.tick_ns = scale->sync_ns;
    scale->kpa.target = scale->targets[metric];
    scale->kpa.capacity = scale->targets[metric] / 0.7;
    scale->kpa.burst_capacity = presets.burst_capacity;
}

/* --- the schedule
 * ------------------------------------------------------------- */

/* "10 at 8 h": the piece from text, length long. */
static bool parse_entry(const char *text, size_t length,
                        struct schedule_entry *ret)
{
    char reason[300];
    unsigned nodes;
    int used = 0;
    char piece[80];

    if (length >= sizeof piece)
        return false;
    memcpy(piece, text, length);
    piece[length] = '\0';
    if (sscanf(piece, " %7u at %n", &nodes, &used) != 1 || used == 0)
        return false;
    ret->nodes = nodes;
    while (length > 0 && piece[length - 1] == ' ')
        length--;
    return units_parse_duration(piece + used, length - (size_t)used,
                                &ret->at_ns, reason, sizeof reason);
}

static void load_schedule(struct load *load, const struct tree *at,
                          struct group_spec *group)
{
    const char *text = group->schedule_text;
    struct schedule_entry *entries;
    uint32_t count = 0;

    entries = pool_allocate(load->pool, (strlen(text) + 1) * sizeof *entries);
    while (entries && *text) {
        size_t length = strcspn(text, ",");
        struct schedule_entry *entry = &entries[count++];

        if (!parse_entry(text, length, entry)) {
            load_complain(load, at, "such as '10 at 8 h, 2 at 20 h'",
                          "'schedule' needs nodes and times; got '%.*s'",
                          (int)(length < 60 ? length : 60), text);
            return;
        }
        if (count > 1 && entry->at_ns <= entries[count - 2].at_ns) {
            load_complain(load, at, NULL,
                          "the times of 'schedule' must rise; got '%.60s'",
                          group->schedule_text);
            return;
        }
        text += length + (text[length] == ',');
    }
    group->scale.schedule.entries = entries;
    group->scale.schedule.count = count;
}

/* --- checks
 * ------------------------------------------------------------------- */

static uint32_t count_targets(const struct scale_spec *scale)
{
    uint32_t count = 0;

    for (uint32_t m = 0; m < SCALE_METRICS; m++)
        if (!isnan(scale->targets[m]))
            count++;
    return count;
}

static const char *const rule_names[] = {"hpa",      "keda",      "kpa",
                                         "schedule", "trend",     "goal",
                                         "staffing", "threshold", "demand"};

/* Which metrics a rule can go by, and how to say so. */
static const struct {
    uint32_t metrics;
    const char *words;
} takes[] = {
    [SCALE_HPA] = {0x7f, "any of target's metrics"},
    [SCALE_KEDA] = {1 << SCALE_IN_FLIGHT | 1 << SCALE_QUEUE | 1 << SCALE_RPS,
                    "one of in_flight, queue, rps"},
    [SCALE_KPA] = {1 << SCALE_IN_FLIGHT | 1 << SCALE_RPS,
                   "one of in_flight, rps"},
    [SCALE_TREND] = {0x1f, "one of gpu, cpu, in_flight, queue, rps"},
    [SCALE_GOAL] = {1 << SCALE_LATENCY | 1 << SCALE_TTFT,
                    "one of latency_p99, ttft_p99"},
    [SCALE_THRESHOLD] = {0x1f, "one of gpu, cpu, in_flight, queue, rps"},
    [SCALE_DEMAND] = {1 << SCALE_IN_FLIGHT, "in_flight"},
};

static bool can_take(const struct scale_spec *scale)
{
    uint32_t count = count_targets(scale);

    for (uint32_t m = 0; m < SCALE_METRICS; m++)
        if (!isnan(scale->targets[m]) && !(takes[scale->rule].metrics >> m & 1))
            return false;
    return count == 1 || (count > 1 && scale->rule == SCALE_HPA);
}

static void check_target(struct load *load, const struct tree *block,
                         const struct group_spec *group)
{
    const struct scale_spec *scale = &group->scale;
    const struct tree *at = tree_key(block, "target");

    if (scale->rule == SCALE_SCHEDULE || scale->rule == SCALE_STAFFING)
        return;
    if (!can_take(scale))
        load_complain(load, at ? at : block, NULL,
                      "the target of rule '%s' is %s", rule_names[scale->rule],
                      takes[scale->rule].words);
    else if ((!isnan(scale->targets[SCALE_GPU]) && group->kind == NODE_CPU) ||
             (!isnan(scale->targets[SCALE_CPU]) && group->kind == NODE_GPU &&
              isnan(group->cpu_per_request)))
        load_complain(load, at ? at : block,
                      "gpu nodes state cpu use with 'cpu_per_request'",
                      "the nodes of group '%s' do not measure that use",
                      group->name ? group->name : "");
}

static bool goes_to_zero(enum scale_rule rule)
{
    return rule == SCALE_KEDA || rule == SCALE_KPA || rule == SCALE_DEMAND ||
           rule == SCALE_SCHEDULE;
}

static void check_counts(struct load *load, const struct tree *item,
                         const struct tree *block,
                         const struct group_spec *group)
{
    const struct scale_spec *scale = &group->scale;
    const struct tree *count = tree_key(item, "count");

    if (scale->max > 0 && scale->min > scale->max)
        load_complain(load, tree_key(block, "min"), NULL,
                      "'min' is %u, above 'max', %u", scale->min, scale->max);
    else if (scale->max > 0 && scale->start > scale->max)
        load_complain(load, count ? count : block,
                      "'count' is how many there are at the start",
                      "'count' is %u, above autoscale.max, %u", scale->start,
                      scale->max);
    if (scale->min == 0 && !goes_to_zero(scale->rule))
        load_complain(load, tree_key(block, "min"),
                      "keda, kpa, demand and schedule can",
                      "rule '%s' cannot come back from no nodes: 'min' must "
                      "be 1 or more",
                      rule_names[scale->rule]);
}

static void check_policies(struct load *load, const struct tree *block,
                           const char *way, const struct hpa_rules *rules)
{
    const struct tree *at = tree_find(block, way);

    if (at && rules->policy_count == 0 && rules->select != HPA_SELECT_DISABLED)
        load_complain(load, at, "'select: disabled' is how to forbid changes",
                      "'%s' needs 'pods' or 'percent': with both 0 nothing is "
                      "allowed",
                      way);
}

/* Times that do not go together, or are not there. */
static void check_times(struct load *load, const struct tree *block,
                        const struct scale_spec *scale)
{
    if (scale->rule == SCALE_KPA &&
        scale->kpa.panic_window_ns < scale->scrape_ns)
        load_complain(load, tree_key(block, "scrape"), NULL,
                      "'scrape' must not be longer than kpa.panic_window");
    if (scale->rule == SCALE_SCHEDULE && !tree_find(block, "schedule"))
        load_complain(load, block, "such as '10 at 8 h, 2 at 20 h'",
                      "rule 'schedule' needs a 'schedule'");
    if (scale->rule == SCALE_SCHEDULE && scale->schedule.day_ns > 0 &&
        scale->schedule.count > 0 &&
        scale->schedule.entries[scale->schedule.count - 1].at_ns >=
            scale->schedule.day_ns)
        load_complain(load, tree_key(block, "day"), NULL,
                      "the last time of 'schedule' is not before the end of "
                      "the 'day'");
}

static void load_autoscale(struct load *load, const struct tree *item,
                           const struct tree *block, struct group_spec *group)
{
    struct scale_spec *scale = &group->scale;

    scale->start = group->count;
    scale->keda.activation = llround(group->activation * 1000);
    fill_defaults(block, group);
    fill_policies(&scale->hpa.up);
    fill_policies(&scale->hpa.down);
    if (group->schedule_text)
        load_schedule(load, tree_find(block, "schedule"), group);
    check_target(load, block, group);
    check_counts(load, item, block, group);
    check_policies(load, block, "up", &scale->hpa.up);
    check_policies(load, block, "down", &scale->hpa.down);
    check_times(load, block, scale);
    for (uint32_t m = 0; m < SCALE_METRICS; m++)
        if (!isnan(scale->targets[m]) && scale->rule == SCALE_KPA)
            fill_kpa(scale, (enum scale_metric)m);
    group->count = scale->max;
}

/* One that is not said stays blank, as in the scenario that says nothing. */
static void load_noise_if_said(struct load *load, const struct tree *block,
                               const char *key, struct dist_params *params,
                               struct dist *ret)
{
    if (tree_find(block, key))
        load_noise(load, block, key, params, ret);
}

/* How times vary. */
static void load_noises(struct load *load, const struct tree *item,
                        struct group_draft *draft)
{
    const struct tree *start_up = tree_find(item, "start_up");
    const struct tree *scale = tree_find(item, "autoscale");
    struct group_spec *group = &draft->spec;

    load_noise_if_said(load, start_up, "provision_noise",
                       &draft->provision_noise,
                       &group->start_up.provision_noise);
    load_noise_if_said(load, start_up, "load_noise", &draft->load_noise,
                       &group->start_up.load_noise);
    load_noise_if_said(load, scale, "scrape_noise", &draft->scrape_noise,
                       &group->scale.scrape_noise);
    load_noise_if_said(load, scale, "lag_noise", &draft->lag_noise,
                       &group->scale.lag_noise);
    if (tree_find(start_up, "law") && tree_find(start_up, "provision_noise"))
        load_complain(load, tree_key(start_up, "law"), "leave one out",
                      "'law' and 'provision_noise' both say how the time to "
                      "provision varies");
}

void load_scaling(struct load *load, const struct tree *item,
                  struct group_draft *draft)
{
    const struct tree *block = tree_find(item, "autoscale");

    load_noises(load, item, draft);
    if (!block || block->kind != TREE_MAP || load->errors > 0)
        return;
    load_autoscale(load, item, block, &draft->spec);
}
