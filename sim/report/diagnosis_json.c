/* Diagnoses for programs. */
#include "sim/report/diagnosis_report.h"

#include "sim/report/json_parts.h"
#include "sim/report/names.h"

#include <math.h>

/* Overrides for --set. */
static json_t *try_json(const struct cure *treatment)
{
    struct array list = array_new();

    for (size_t i = 0; i < treatment->overrides.count; i++)
        add(&list, text_json(treatment->overrides.items[i]));
    return array_take(&list);
}

static json_t *cause_json(const struct trial_of_cause *trial, uint32_t finding)
{
    const struct explained *explained = &trial->explained[finding];
    struct object object = object_new();

    set(&object, "cause", text_json(trial->cause->name));
    set(&object, "family", text_json(cause_family_names[trial->cause->family]));
    set(&object, "named", json_boolean(explained->named));
    set(&object, "explains", number_json(explained->share));
    set(&object, "lo", number_json(explained->lo));
    set(&object, "hi", number_json(explained->hi));
    set(&object, "objective_before", number_json(trial->before));
    set(&object, "objective_after", number_json(trial->after));
    set(&object, "evidence", text_json(trial->evidence));
    set(&object, "to_do", text_json(trial->cause->remedy));
    set(&object, "try", try_json(&trial->treatment));
    return object_take(&object);
}

/* Those named first, in order of what they explain. */
static json_t *causes_json(const struct diagnosis *diagnosis, uint32_t finding)
{
    uint32_t named[CAUSE_COUNT];
    uint32_t count = diagnosis_named(diagnosis, finding, named);
    struct array list = array_new();

    for (uint32_t i = 0; i < count; i++)
        add(&list, cause_json(&diagnosis->trials[named[i]], finding));
    for (uint32_t i = 0; i < diagnosis->trial_count; i++) {
        const struct trial_of_cause *trial = &diagnosis->trials[i];

        if (trial->tried && !trial->explained[finding].named)
            add(&list, cause_json(trial, finding));
    }
    return array_take(&list);
}

static json_t *finding_json(const struct diagnosis_report *report,
                            const struct diagnosis *diagnosis, uint32_t i)
{
    const struct finding *finding = &diagnosis->symptoms.findings[i];
    struct object object = object_new();
    char name[NAMES_NODE_SIZE];

    set(&object, "symptom", text_json(symptom_names[finding->symptom]));
    set(&object, "group",
        text_json(report->scenario->groups[finding->group].name));
    set(&object, "first_node",
        text_json(names_node(report->scenario, finding->first_node, name,
                             sizeof name)));
    set(&object, "nodes", count_json(finding->nodes));
    set(&object, "start_s", number_json(finding->start_s));
    set(&object, "end_s", number_json(finding->end_s));
    set(&object, "total_s", number_json(finding->total_s));
    set(&object, "level", number_json(finding->level));
    set(&object, "others", number_json(finding->others));
    set(&object, "causes", causes_json(diagnosis, i));
    return object_take(&object);
}

static json_t *policy_json(const struct diagnosis_report *report,
                           const struct diagnosis *diagnosis)
{
    struct object object = object_new();
    struct array findings = array_new();

    for (uint32_t i = 0; i < diagnosis->symptoms.finding_count; i++)
        add(&findings, finding_json(report, diagnosis, i));
    set(&object, "name", text_json(diagnosis->label));
    set(&object, "replications", count_json(diagnosis->replications));
    set(&object, "pool_use_ratio", number_json(diagnosis->symptoms.pool_use));
    set(&object, "pool_is_full",
        json_boolean(diagnosis->symptoms.pool_is_full));
    set(&object, "pool_full_s", number_json(diagnosis->symptoms.full_s));
    set(&object, "findings", array_take(&findings));
    return object_take(&object);
}

bool diagnosis_write_json(const struct diagnosis_report *report, FILE *out)
{
    struct object object = object_new();
    struct array policies = array_new();

    for (uint32_t i = 0; i < report->count; i++)
        add(&policies, policy_json(report, &report->diagnoses[i]));
    set(&object, "schema", text_json(DIAGNOSIS_SCHEMA));
    set(&object, "scenario", text_json(report->scenario->name));
    set(&object, "partial", json_boolean(report->count < report->asked));
    set(&object, "objective",
        text_json(measures[report->scenario->objective].name));
    set(&object, "hot_ratio", number_json(report->bounds->hot_ratio));
    set(&object, "idle_ratio", number_json(report->bounds->idle_ratio));
    set(&object, "long_s", number_json(report->bounds->long_s));
    set(&object, "policies", array_take(&policies));
    return json_dump_whole(object_take(&object), out);
}
