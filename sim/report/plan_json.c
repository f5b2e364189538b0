#include "sim/report/plan_report.h"

#include "sim/report/json_parts.h"
#include "sim/report/report.h"
#include "sim/scenario/absent.h"

#include <inttypes.h>

static json_t *counts_json(const struct plan_report *report,
                           const uint32_t *counts)
{
    struct object object = object_new();

    for (uint32_t i = 0; i < report->result->range_count; i++) {
        uint32_t group = report->result->ranges[i].group;

        set(&object, report->scenario->groups[group].name,
            count_json(counts[i]));
    }
    return object_take(&object);
}

/* ---- candidates ---- */

static json_t *goal_json(const struct goal_spec *spec,
                         const struct plan_goal *goal)
{
    struct object object = object_new();

    set(&object, "measure", text_json(measures[spec->measure].name));
    set(&object, "bound", number_json(spec->bound));
    set(&object, "answer", text_json(plan_answer_names[goal->answer]));
    set(&object, "value", number_json(goal->value));
    if (isinf(goal->value))
        set(&object, "reason", text_json("infinite: requests without answer"));
    else if (isnan(goal->value))
        set(&object, "reason", text_json("no value"));
    set(&object, "lo", number_json(goal->lo));
    set(&object, "hi", number_json(goal->hi));
    set(&object, "margin_ratio", number_json(goal->margin));
    if (goal->replications_needed > 0)
        set(&object, "replications_needed",
            count_json(goal->replications_needed));
    return object_take(&object);
}

static json_t *goals_json(const struct plan_report *report,
                          const struct plan_trial *trial)
{
    struct array array = array_new();

    for (uint32_t i = 0; i < report->scenario->goal_count; i++)
        add(&array, goal_json(&report->scenario->goals[i], &trial->goals[i]));
    return array_take(&array);
}

static json_t *trial_json(const struct plan_report *report,
                          const struct plan_trial *trial)
{
    struct object object = object_new();

    set(&object, "kind", text_json(plan_trial_names[trial->kind]));
    if (trial->kind == PLAN_NODES_LOST) {
        set(&object, "lost_group",
            text_json(report->scenario->groups[trial->group].name));
        set(&object, "lost_nodes", count_json(trial->lost));
    }
    set(&object, "times_load", number_json(trial->load));
    set(&object, "load_of_capacity", number_json(trial->use));
    set(&object, "answer", text_json(plan_answer_names[trial->answer]));
    set(&object, "replications", count_json(trial->replications));
    set(&object, "growing", json_boolean(trial->growing));
    if (trial->replications > 0)
        set(&object, "goals", goals_json(report, trial));
    else
        set(&object, "reason", text_json(trial->reason));
    return object_take(&object);
}

static json_t *candidate_json(const struct plan_report *report,
                              const struct plan_candidate *candidate)
{
    struct object object = object_new();
    struct array trials = array_new();

    for (uint32_t i = 0; i < candidate->trial_count; i++)
        add(&trials, trial_json(report, &candidate->trials[i]));
    set(&object, "counts", counts_json(report, candidate->counts));
    set(&object, "nodes", count_json(candidate->nodes));
    set(&object, "cost_per_hour", number_json(candidate->cost_per_hour));
    set(&object, "answer", text_json(plan_answer_names[candidate->answer]));
    set(&object, "interval_confidence", number_json(candidate->level));
    set(&object, "trials", array_take(&trials));
    return object_take(&object);
}

/* ---- policies ---- */

static json_t *contradiction_json(const struct plan_report *report,
                                  const struct plan_contradiction *of)
{
    struct object object = object_new();

    set(&object, "met_with", counts_json(report, of->fewer));
    set(&object, "missed_with", counts_json(report, of->more));
    return object_take(&object);
}

static json_t *search_json(const struct plan_report *report,
                           const struct plan_found *found)
{
    struct object object = object_new();

    set(&object, "mixes", count_json(found->mixes));
    set(&object, "hopeless", count_json(found->hopeless));
    set(&object, "inferred", count_json(found->inferred));
    set(&object, "asked", count_json(found->asked));
    set(&object, "not_run", count_json(found->untried));
    set(&object, "more_nodes_hurt",
        found->contradicted ? contradiction_json(report, &found->contradiction)
                            : json_false());
    return object_take(&object);
}

/* The cheapest mix that might be enough, too. */
static json_t *maybe_json(const struct plan_report *report,
                          const struct plan_candidate *candidate)
{
    uint64_t needed =
        plan_replications_needed(candidate, report->scenario->goal_count);
    struct object object = object_new();

    set(&object, "counts", counts_json(report, candidate->counts));
    set(&object, "nodes", count_json(candidate->nodes));
    if (needed > 0)
        set(&object, "replications_needed", count_json(needed));
    return object_take(&object);
}

static json_t *policy_json(const struct plan_report *report,
                           const struct plan_policy *policy)
{
    struct object object = object_new();
    struct array candidates = array_new();
    uint32_t count = policy->candidate_count;

    for (uint32_t i = 0; i < count; i++)
        add(&candidates, candidate_json(report, &policy->candidates[i]));
    set(&object, "name", text_json(policy->label));
    set(&object, "end", text_json(plan_end_name(policy)));
    set(&object, "chosen",
        policy->best < count
            ? candidate_json(report, &policy->candidates[policy->best])
            : json_null());
    set(&object, "nearest",
        policy->best == count && policy->nearest < count
            ? candidate_json(report, &policy->candidates[policy->nearest])
            : json_null());
    set(&object, "undecided",
        policy->maybe < count
            ? maybe_json(report, &policy->candidates[policy->maybe])
            : json_null());
    set(&object, "bears_times_load", number_json(policy->bears));
    set(&object, "bears_more", json_boolean(policy->bears_more));
    set(&object, "search", search_json(report, &policy->found));
    set(&object, "candidates", array_take(&candidates));
    return object_take(&object);
}

/* ---- the whole ---- */

static json_t *ranges_json(const struct plan_report *report)
{
    struct array array = array_new();

    for (uint32_t i = 0; i < report->result->range_count; i++) {
        const struct plan_range *range = &report->result->ranges[i];
        struct object object = object_new();

        set(&object, "group",
            text_json(report->scenario->groups[range->group].name));
        set(&object, "least", count_json(range->least));
        set(&object, "most", count_json(range->most));
        add(&array, object_take(&object));
    }
    return array_take(&array);
}

/* Those that some mixes do not see, or see in part. */
static json_t *faults_json(const struct plan_report *report)
{
    const struct scenario *scenario = report->scenario;
    struct array array = array_new();

    for (uint32_t i = 0; i < scenario->fault_count; i++) {
        struct object object = object_new();

        if (!plan_may_lack_target(scenario, report->result, i)) {
            json_decref(object.json);
            continue;
        }
        set(&object, "kind",
            text_json(fault_kind_names[scenario->faults[i].kind]));
        set(&object, "target", text_json(absent_target_text(scenario, i)));
        add(&array, object_take(&object));
    }
    return array_take(&array);
}

static json_t *nodes_json(uint32_t nodes)
{
    return nodes > 0 ? count_json(nodes) : json_null();
}

static json_t *references_json(const struct plan_report *report)
{
    struct array array = array_new();

    for (uint32_t i = 0; i < report->result->range_count; i++) {
        const struct plan_reference *from = &report->result->references[i];
        struct object object = object_new();

        if (!from->known) {
            json_decref(object.json);
            continue;
        }
        set(&object, "group",
            text_json(report->scenario->groups[from->group].name));
        set(&object, "erlangs", number_json(from->erlangs));
        set(&object, "by_goals", json_boolean(from->by_goals));
        set(&object, "erlang_c_nodes", nodes_json(from->erlang));
        set(&object, "square_root_nodes", nodes_json(from->root));
        add(&array, object_take(&object));
    }
    return array_take(&array);
}

static json_t *asked_json(const struct plan_report *report)
{
    const struct plan_spec *spec = &report->scenario->plan;
    struct object object = object_new();

    set(&object, "minimise",
        text_json(spec->minimise == PLAN_COST ? "cost" : "nodes"));
    set(&object, "headroom", number_json(spec->headroom));
    set(&object, "lose", count_json(spec->lose));
    set(&object, "lose_at", number_json(spec->lose_at));
    set(&object, "confidence", number_json(report->scenario->confidence));
    set(&object, "answers_at_most", count_json(report->result->answers));
    set(&object, "looks_at_most", count_json(report->result->looks));
    set(&object, "groups", ranges_json(report));
    set(&object, "faults_not_in_all", faults_json(report));
    return object_take(&object);
}

static json_t *plan_json(const struct plan_report *report)
{
    struct object object = object_new();
    struct object scenario = object_new();
    struct array policies = array_new();
    char hash[20];

    snprintf(hash, sizeof hash, "%016" PRIx64, report->scenario->hash);
    set(&scenario, "name", text_json(report->scenario->name));
    set(&scenario, "hash", text_json(hash));
    for (uint32_t i = 0; i < report->result->policy_count; i++)
        add(&policies, policy_json(report, &report->result->policies[i]));
    set(&object, "schema", text_json(PLAN_SCHEMA));
    set(&object, "version", text_json(LBSIM_VERSION));
    set(&object, "scenario", object_take(&scenario));
    set(&object, "seed", count_json(report->scenario->seed));
    set(&object, "partial", json_boolean(report->result->stopped));
    set(&object, "plan", asked_json(report));
    set(&object, "references", references_json(report));
    set(&object, "policies", array_take(&policies));
    return object_take(&object);
}

bool plan_write_json(const struct plan_report *report, FILE *out)
{
    return json_dump_whole(plan_json(report), out);
}
