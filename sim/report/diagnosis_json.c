/* Diagnoses for programs. */
#include "sim/report/diagnosis_report.h"

#include "sim/report/building.h"
#include "sim/report/names.h"

#include <math.h>

static json_t *cause_json(const struct trial_of_cause *trial, uint32_t finding)
{
    const struct explained *explained = &trial->explained[finding];
    struct building object = building_begin();

    building_put_text(&object, "cause", trial->cause->name);
    building_put_text(&object, "family",
                      cause_family_names[trial->cause->family]);
    building_put(&object, "named", json_boolean(explained->named));
    building_put_number(&object, "explains", explained->share);
    building_put_number(&object, "lo", explained->lo);
    building_put_number(&object, "hi", explained->hi);
    building_put_number(&object, "objective_before", trial->before);
    building_put_number(&object, "objective_after", trial->after);
    building_put_text(&object, "evidence", trial->evidence);
    building_put_text(&object, "to_do", trial->cause->remedy);
    return building_end(&object);
}

/* Those named first, in order of what they explain. */
static json_t *causes_json(const struct diagnosis *diagnosis, uint32_t finding)
{
    uint32_t named[CAUSE_COUNT];
    uint32_t count = diagnosis_named(diagnosis, finding, named);
    json_t *list = json_array();
    bool fine = list != NULL;

    for (uint32_t i = 0; i < count; i++)
        fine = building_append(
                   list, cause_json(&diagnosis->trials[named[i]], finding)) &&
               fine;
    for (uint32_t i = 0; i < diagnosis->trial_count; i++) {
        const struct trial_of_cause *trial = &diagnosis->trials[i];

        if (trial->tried && !trial->explained[finding].named)
            fine = building_append(list, cause_json(trial, finding)) && fine;
    }
    if (fine)
        return list;
    json_decref(list);
    return NULL;
}

static json_t *finding_json(const struct diagnosis_report *report,
                            const struct diagnosis *diagnosis, uint32_t i)
{
    const struct finding *finding = &diagnosis->symptoms.findings[i];
    struct building object = building_begin();
    char name[NAMES_NODE_SIZE];

    building_put_text(&object, "symptom", symptom_names[finding->symptom]);
    building_put_text(&object, "group",
                      report->scenario->groups[finding->group].name);
    building_put_text(
        &object, "first_node",
        names_node(report->scenario, finding->first_node, name, sizeof name));
    building_put(&object, "nodes", json_integer(finding->nodes));
    building_put_number(&object, "start_s", finding->start_s);
    building_put_number(&object, "end_s", finding->end_s);
    building_put_number(&object, "total_s", finding->total_s);
    building_put_number(&object, "level", finding->level);
    building_put_number(&object, "others", finding->others);
    building_put(&object, "causes", causes_json(diagnosis, i));
    return building_end(&object);
}

static json_t *policy_json(const struct diagnosis_report *report,
                           const struct diagnosis *diagnosis)
{
    struct building object = building_begin();
    json_t *findings = json_array();

    for (uint32_t i = 0; i < diagnosis->symptoms.finding_count; i++)
        object.failed |=
            !building_append(findings, finding_json(report, diagnosis, i));
    building_put_text(&object, "name", diagnosis->label);
    building_put(&object, "replications",
                 json_integer(diagnosis->replications));
    building_put_number(&object, "pool_use_ratio",
                        diagnosis->symptoms.pool_use);
    building_put(&object, "pool_is_full",
                 json_boolean(diagnosis->symptoms.pool_is_full));
    building_put(&object, "findings", findings);
    return building_end(&object);
}

bool diagnosis_write_json(const struct diagnosis_report *report, FILE *out)
{
    struct building object = building_begin();
    json_t *policies = json_array();

    for (uint32_t i = 0; i < report->count; i++)
        object.failed |= !building_append(
            policies, policy_json(report, &report->diagnoses[i]));
    building_put_text(&object, "schema", DIAGNOSIS_SCHEMA);
    building_put_text(&object, "scenario", report->scenario->name);
    building_put(&object, "partial",
                 json_boolean(report->count < report->asked));
    building_put_text(&object, "objective",
                      measures[report->scenario->objective].name);
    building_put_number(&object, "hot_ratio", report->bounds->hot_ratio);
    building_put_number(&object, "idle_ratio", report->bounds->idle_ratio);
    building_put_number(&object, "long_s", report->bounds->long_s);
    building_put(&object, "policies", policies);
    return building_write(building_end(&object), out);
}
