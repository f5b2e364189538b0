#include "sim/report/json.h"

#include "sim/experiment/cost.h"
#include "sim/report/json_parts.h"
#include "sim/report/names.h"
#include "sim/report/notes.h"
#include "sim/report/number.h"
#include "workloads/trace.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STRIKES_MAX = 1000 };

/* ---- parts ---- */

static json_t *scenario_json(const struct scenario *scenario)
{
    struct object object = object_new();
    char hash[20];

    snprintf(hash, sizeof hash, "%016" PRIx64, scenario->hash);
    set(&object, "name", text_json(scenario->name));
    set(&object, "hash", text_json(hash));
    return object_take(&object);
}

static json_t *measure_json(const struct policy_fold *fold, enum measure_id id)
{
    const struct measure_fold *measure = &fold->measures[id];
    struct object object = object_new();
    char text[200];
    const char *reason = policy_fold_reason(fold, id, text, sizeof text);

    set(&object, "mean", number_json(measure->mean));
    set(&object, "lo", number_json(measure->lo));
    set(&object, "hi", number_json(measure->hi));
    set(&object, "n", count_json(measure->n));
    if (reason)
        set(&object, "reason", text_json(reason));
    if (measure->weak)
        set(&object, "weak", json_true());
    if (measure->assumes_independence)
        set(&object, "assumes", text_json("independent requests"));
    return object_take(&object);
}

static json_t *measures_json(const struct experiment_result *result,
                             const struct policy_fold *fold)
{
    struct object object = object_new();

    for (uint32_t id = 0; id < MEASURE_COUNT; id++)
        if (outcome_shows(result, (enum measure_id)id))
            set(&object, measures[id].name,
                measure_json(fold, (enum measure_id)id));
    return object_take(&object);
}

static json_t *verdict_json(const struct verdict *verdict)
{
    static const char *const reasons[] = {
        [VERDICT_CLEAR] = NULL,
        [VERDICT_NOISE] = "the interval holds 0",
        [VERDICT_SMALL] = "there is a difference, but below min_effect",
        [VERDICT_ALIKE] = "any difference is below min_effect",
        [VERDICT_SAME] = "no difference in any pair",
        [VERDICT_ONE_PAIR] = "fewer than two pairs",
        [VERDICT_NO_VALUE] = "the objective has no value",
        [VERDICT_INFINITE] = "infinite values, and no pairs",
    };
    struct object object = object_new();
    const char *reason = reasons[verdict->reason];

    if (verdict->by_sign && !reason)
        reason = "infinite values: decided by sign test";
    if (verdict->by_sign && verdict->reason == VERDICT_NOISE)
        reason = "infinite values: the sign test does not tell";
    if (verdict->by_sign && verdict->reason == VERDICT_SAME)
        reason = "infinite values: all pairs tie";
    set_difference(&object, verdict);
    set(&object, "p", number_json(verdict->p));
    set(&object, "test", text_json(verdict->by_sign ? "sign" : "paired t"));
    set_pairs(&object, verdict);
    if (reason)
        set(&object, "reason", text_json(reason));
    return object_take(&object);
}

static json_t *success_gap_json(const struct success_gap *gap)
{
    struct object object = object_new();

    set(&object, "difference", number_json(gap->difference));
    set(&object, "lo", number_json(gap->lo));
    set(&object, "hi", number_json(gap->hi));
    return object_take(&object);
}

static json_t *goals_json(const struct scenario *scenario,
                          const struct policy_result *policy)
{
    struct array array = array_new();

    for (uint32_t i = 0; i < scenario->goal_count; i++) {
        struct object object = object_new();
        const struct goal_result *goal = &policy->goals[i];

        set(&object, "measure",
            text_json(measures[scenario->goals[i].measure].name));
        set(&object, "bound", number_json(scenario->goals[i].bound));
        set(&object, "value", number_json(goal->value));
        set(&object, "met", json_boolean(goal->met));
        set(&object, "certain", json_boolean(goal->certain));
        add(&array, object_take(&object));
    }
    return array_take(&array);
}

static json_t *books_json(const struct books *books)
{
    struct object object = object_new();

    set(&object, "arrived", count_json(books->arrived));
    set(&object, "completed", count_json(books->completed));
    set(&object, "degraded", count_json(books->degraded));
    set(&object, "refused", count_json(books->refused));
    set(&object, "failed", count_json(books->failed));
    set(&object, "timed_out", count_json(books->timed_out));
    set(&object, "unfinished", count_json(books->unfinished));
    return object_take(&object);
}

/* Of a list of fields; SET is defined where they are those of an object. */
#define SET_EACH(field) SET(field);

static json_t *node_json(const struct scenario *scenario, uint32_t node,
                         const struct node_fold *fold)
{
    struct object object = object_new();
    const struct group_spec *group = names_group_of(scenario, node);
    char name[NAMES_NODE_SIZE];

    set(&object, "node",
        text_json(names_node(scenario, node, name, sizeof name)));
    set(&object, "group", text_json(group->name));
    set(&object, "kind", text_json(names_kind(group)));
    set(&object, "weight", count_json(group->weight));
    set(&object, "speed", number_json(group->engine.speed));
#define SET(field) set(&object, #field, number_json(fold->field))
    SERVING_FIELDS(SET_EACH)
    SET(latency_p50_s);
    SET(latency_p99_s);
    if (balancer_spec_ejects(&scenario->balancer))
        SET(ejected_ratio);
#undef SET
    return object_take(&object);
}

/* Busy shares, card by card. */
static json_t *cards_json(const double *use_ratios, uint32_t count)
{
    struct array array = array_new();

    for (uint32_t i = 0; i < count; i++)
        add(&array, number_json(use_ratios[i]));
    return array_take(&array);
}

static json_t *nodes_json(const struct scenario *scenario,
                          const struct policy_fold *fold)
{
    struct array array = array_new();
    uint32_t card = 0;

    for (uint32_t i = 0; i < fold->node_count; i++) {
        json_t *node = node_json(scenario, i, &fold->nodes[i]);
        uint32_t cards = names_group_of(scenario, i)->cards;

        if (cards > 1 && card + cards <= fold->card_count) {
            array.failed |=
                json_object_set_new(
                    node, "card_use_ratios",
                    cards_json(&fold->card_use_ratios[card], cards)) != 0;
            card += cards;
        }
        add(&array, node);
    }
    return array_take(&array);
}

static json_t *class_measure_json(const struct class_measure_fold *fold)
{
    struct object object = object_new();

    set(&object, "mean", number_json(fold->mean));
    set(&object, "lo", number_json(fold->lo));
    set(&object, "hi", number_json(fold->hi));
    if (fold->infinite > 0)
        set(&object, "infinite_replications", count_json(fold->infinite));
    if (fold->weak)
        set(&object, "weak", json_true());
    return object_take(&object);
}

/* Of a class or a source, as what says. */
static json_t *class_json(const char *what, const char *name,
                          const struct class_fold *fold)
{
    struct object object = object_new();

    set(&object, what, text_json(name));
    for (int m = 0; m < CLASS_MEASURE_COUNT; m++)
        set(&object, class_measure_names[m],
            class_measure_json(&fold->measures[m]));
    return object_take(&object);
}

static json_t *classes_json(const struct scenario *scenario,
                            const struct policy_fold *fold)
{
    struct array array = array_new();

    for (uint32_t i = 0; i < fold->class_count; i++)
        add(&array, class_json("class", scenario->workload.classes[i].name,
                               &fold->classes[i]));
    return array_take(&array);
}

static json_t *sources_json(const struct scenario *scenario,
                            const struct policy_fold *fold)
{
    struct array array = array_new();

    for (uint32_t i = 0; i < fold->source_count; i++)
        add(&array,
            class_json("source", names_source(scenario, i), &fold->sources[i]));
    return array_take(&array);
}

static json_t *group_json(const struct scenario *scenario, uint32_t index,
                          const struct group_fold *fold)
{
    const struct group_spec *group = &scenario->groups[index];
    struct object object = object_new();

    set(&object, "group", text_json(group->name));
    set(&object, "kind", text_json(names_kind(group)));
    set(&object, "nodes", count_json(group->count));
    set(&object, "weight", count_json(group->weight));
    set(&object, "speed", number_json(group->engine.speed));
#define SET(field) set(&object, #field, number_json(fold->field))
    SERVING_FIELDS(SET_EACH)
    if (cost_is_stated(scenario)) {
        SET(cost);
        SET(cost_per_1000);
    }
    if (scenario->node_percentiles) {
        SET(latency_mean_s);
        SET(latency_p50_s);
        SET(latency_p99_s);
    }
#undef SET
    return object_take(&object);
}

static json_t *groups_json(const struct scenario *scenario,
                           const struct group_fold *folds)
{
    struct array array = array_new();

    for (uint32_t i = 0; i < scenario->group_count; i++)
        add(&array, group_json(scenario, i, &folds[i]));
    return array_take(&array);
}

/* What was asked for; how each policy did stands with it. */
static json_t *bounds_json(const struct scenario *scenario)
{
    struct array array = array_new();

    for (uint32_t i = 0; i < scenario->goal_count; i++) {
        struct object object = object_new();

        set(&object, "measure",
            text_json(measures[scenario->goals[i].measure].name));
        set(&object, "bound", number_json(scenario->goals[i].bound));
        add(&array, object_take(&object));
    }
    return array_take(&array);
}

/* Which file decided: its name alone would not say whether it was the same. */
static json_t *shared_object_json(const struct policy_spec *spec)
{
    struct object object = object_new();
    char hash[20];

    snprintf(hash, sizeof hash, "%016" PRIx64, spec->so_hash);
    set(&object, "file", text_json(spec->so));
    set(&object, "xxh64", text_json(hash));
    return object_take(&object);
}

static json_t *strike_json(const struct scenario *scenario,
                           const struct fault_strike *strike)
{
    struct object object = object_new();

    set(&object, "kind", text_json(fault_kind_names[strike->kind]));
    if (strike->node != UINT32_MAX) {
        char name[NAMES_NODE_SIZE];

        set(&object, "node",
            text_json(names_node(scenario, strike->node, name, sizeof name)));
    }
    set(&object, "at_s", number_json(strike->at_s));
    if (!isinf(strike->end_s))
        set(&object, "end_s", number_json(strike->end_s));
    return object_take(&object);
}

/* Of the first replication, as many as a summary can hold: the result folder
   has all of them in faults.csv. */
static json_t *strikes_json(const struct scenario *scenario,
                            const struct policy_fold *fold)
{
    struct array array = array_new();

    for (uint64_t i = 0; i < fold->strike_count && i < STRIKES_MAX; i++)
        if (fold->strikes[i].replication == 1)
            add(&array, strike_json(scenario, &fold->strikes[i].strike));
    return array_take(&array);
}

static json_t *policy_json(const struct report_input *input, uint32_t index)
{
    const struct policy_spec *spec = &input->scenario->policies[index];
    const struct policy_result *policy = &input->result->policies[index];
    struct object object = object_new();

    set(&object, "name", text_json(policy->label));
    if (spec->so)
        set(&object, "shared_object", shared_object_json(spec));
    if (spec->hints != POLICY_HINTS_NONE)
        set(&object, "hints",
            text_json(spec->hints == POLICY_HINTS_EXACT ? "exact" : "history"));
    set(&object, "verdict", text_json(verdict_names[policy->verdict.kind]));
    if (index > 0)
        set(&object, "effect", verdict_json(&policy->verdict));
    if (policy->verdict.kind == VERDICT_CANNOT_TELL &&
        policy->success_gap.separated)
        set(&object, "success_difference",
            success_gap_json(&policy->success_gap));
    set(&object, "unstable_replications", count_json(policy->fold.unstable));
    set(&object, "excluded_requests", count_json(policy->fold.excluded));
    set(&object, "books", books_json(&policy->fold.books));
    if (!isnan(policy->key_share.max_over_mean))
        set(&object, "key_share_max_over_mean",
            number_json(policy->key_share.max_over_mean));
    set(&object, "goals", goals_json(input->scenario, policy));
    set(&object, "measures", measures_json(input->result, &policy->fold));
    if (policy->fold.class_count > 0)
        set(&object, "classes", classes_json(input->scenario, &policy->fold));
    if (policy->fold.source_count > 0)
        set(&object, "sources", sources_json(input->scenario, &policy->fold));
    if (outcome_shows(input->result, M_AVAILABILITY))
        set(&object, "strikes", strikes_json(input->scenario, &policy->fold));
    set(&object, "groups", groups_json(input->scenario, policy->groups));
    set(&object, "nodes", nodes_json(input->scenario, &policy->fold));
    return object_take(&object);
}

static json_t *policies_json(const struct report_input *input)
{
    struct array array = array_new();

    for (uint32_t i = 0;
         input->result->replications > 0 && i < input->result->policy_count;
         i++)
        add(&array, policy_json(input, i));
    return array_take(&array);
}

static json_t *notes_json(const struct report_input *input)
{
    struct notes notes;
    struct array array = array_new();

    array.failed |= !notes_collect(input, &notes);
    for (size_t i = 0; i < notes.count; i++)
        add(&array, text_json(notes.lines[i]));
    notes_done(&notes);
    return array_take(&array);
}

/* What was done to prompts. */
static json_t *prompts_json(const struct trace_prompts *prompts)
{
    struct object object = object_new();

    set(&object, "prompts", count_json(prompts->prompts));
    set(&object, "changed", count_json(prompts->changed));
    set(&object, "raw_keys", count_json(prompts->raw_keys));
    set(&object, "keys", count_json(prompts->keys));
    set(&object, "invalid_utf8", count_json(prompts->invalid));
    set(&object, "translated", count_json(prompts->translated));
    set(&object, "untranslated", count_json(prompts->untranslated));
    set(&object, "unsettled", count_json(prompts->unsettled));
    return object_take(&object);
}

static json_t *trace_json(const struct trace *trace)
{
    const struct trace_books *books = trace_books(trace);
    struct object object = object_new();
    struct object dropped = object_new();

    set(&object, "rows_read", count_json(books->rows_read));
    set(&object, "rows_kept", count_json(books->rows_kept));
    for (uint32_t i = 0; i < TRACE_DROP_COUNT; i++)
        if (books->dropped[i] > 0)
            set(&dropped, trace_drop_names[i], count_json(books->dropped[i]));
    set(&object, "rows_dropped", object_take(&dropped));
    set(&object, "rate_scale", number_json(books->rate_scale));
    set(&object, "rate_per_s", number_json(books->rate_per_s));
    if (books->is_normalised)
        set(&object, "normalised", prompts_json(&books->prompts));
    return object_take(&object);
}

static json_t *result_json(const struct report_input *input)
{
    const struct scenario *scenario = input->scenario;
    const char *end = outcome_end_text(input->result->end);
    struct object object = object_new();

    set(&object, "schema", text_json(JSON_RESULT_SCHEMA));
    set(&object, "version", text_json(LBSIM_VERSION));
    set(&object, "scenario", scenario_json(scenario));
    set(&object, "seed", count_json(scenario->seed));
    set(&object, "replications", count_json(input->result->replications));
    set(&object, "partial", end ? text_json(end) : json_false());
    set(&object, "objective", text_json(measures[scenario->objective].name));
    set(&object, "confidence", number_json(scenario->confidence));
    set(&object, "min_effect", number_json(scenario->min_effect));
    if (scenario->workload.trace)
        set(&object, "trace", trace_json(scenario->workload.trace));
    set(&object, "goals", bounds_json(scenario));
    set(&object, "policies", policies_json(input));
    set(&object, "notes", notes_json(input));
    return object_take(&object);
}

bool json_write_result(const struct report_input *input, FILE *out)
{
    return json_dump_whole(result_json(input), out);
}

/* ---- speed ---- */

static json_t *policy_speed_json(const struct policy_result *policy)
{
    const struct policy_fold *fold = &policy->fold;
    struct object object = object_new();

    set(&object, "name", text_json(policy->label));
    set(&object, "cpu_s", number_json(fold->cpu_s));
    set(&object, "events", count_json(fold->events));
    set(&object, "requests", count_json(fold->books.arrived));
    set(&object, "cpu_ns_per_request",
        number_json(1e9 * fold->cpu_s / (double)fold->books.arrived));
    set(&object, "pick_ns",
        number_json(1e9 * fold->timed_picks_s / (double)fold->timed_picks));
    return object_take(&object);
}

bool json_write_speed(const struct report_input *input, FILE *out)
{
    const struct experiment_result *result = input->result;
    struct object object = object_new();
    struct array array = array_new();

    for (uint32_t i = 0; i < result->policy_count; i++)
        add(&array, policy_speed_json(&result->policies[i]));
    set(&object, "schema", text_json("lbsim.speed/1"));
    set(&object, "version", text_json(LBSIM_VERSION));
    set(&object, "threads", count_json(result->threads));
    set(&object, "elapsed_s", number_json(result->elapsed_s));
    set(&object, "cpu_s", number_json(result->cpu_s));
    set(&object, "events", count_json(result->events));
    set(&object, "events_per_cpu_s",
        number_json((double)result->events / result->cpu_s));
    set(&object, "policies", array_take(&array));
    return json_dump_whole(object_take(&object), out);
}
