/* Advice for programs. */
#include "sim/report/advice_report.h"

#include "sim/report/building.h"

#include <math.h>

static json_t *facts_json(const struct facts *facts)
{
    struct building object = building_begin();

    for (int i = 0; i < FACT_COUNT; i++)
        if (!isnan(facts->values[i]))
            building_put_number(&object, facts_table[i].name, facts->values[i]);
    return building_end(&object);
}

static json_t *conditions_json(const struct rule *rule,
                               const struct facts *facts)
{
    json_t *list = json_array();
    bool fine = true;

    for (int i = 0; i < RULE_CONDITIONS && rule->when[i].relation; i++) {
        const struct condition *condition = &rule->when[i];
        struct building object = building_begin();

        building_put_text(&object, "fact", facts_table[condition->fact].name);
        building_put_number(&object, "value", facts->values[condition->fact]);
        building_put_number(
            &object, condition->relation == AT_LEAST ? "at_least" : "at_most",
            condition->bound);
        fine = building_append(list, building_end(&object)) && fine;
    }
    if (fine)
        return list;
    json_decref(list);
    return NULL;
}

static void put_here(struct building *object, const struct rule *rule,
                     const struct facts *facts)
{
    char here[4 * ADVICE_TEXT_SIZE];

    advice_here_text(rule, facts, here, sizeof here);
    if (*here)
        building_put_text(object, "here", here);
}

static void put_outcome(struct building *object, const struct judged *judged)
{
    const struct verdict *verdict = &judged->verdict;

    building_put_text(object, "outcome", judgement_names[judged->judgement]);
    building_put_text(object, "verdict", verdict_names[verdict->kind]);
    building_put_number(object, "difference", verdict->difference);
    building_put_number(object, "lo", verdict->lo);
    building_put_number(object, "hi", verdict->hi);
    building_put_number(object, "ratio", verdict->effect_ratio);
    building_put(object, "pairs", json_integer(verdict->pairs));
    building_put(object, "better_pairs", json_integer(verdict->better_pairs));
    building_put(object, "worse_pairs", json_integer(verdict->worse_pairs));
    if (verdict->replications_needed > 0)
        building_put(object, "replications_needed",
                     json_integer((json_int_t)verdict->replications_needed));
}

static json_t *prediction_json(const struct advice_report *report, uint32_t i)
{
    const struct prediction *prediction = &report->advice->predictions[i];
    bool alike = prediction->expects->kind == EXPECT_ALIKE;
    struct building object = building_begin();

    building_put_text(&object, "rule", prediction->rule->name);
    building_put_text(&object, "expects", alike ? "alike" : "better");
    building_put_text(&object, "policy",
                      report->advice->policies[prediction->policy]);
    building_put_text(&object, "than",
                      report->advice->policies[prediction->than]);
    building_put_text(&object, "measure", measures[prediction->measure].name);
    if (alike)
        building_put_number(&object, "within", prediction->expects->bound);
    building_put_text(&object, "why", prediction->rule->why);
    put_here(&object, prediction->rule, report->facts);
    building_put_text(&object, "source", prediction->rule->source);
    building_put(&object, "because",
                 conditions_json(prediction->rule, report->facts));
    if (report->judged)
        put_outcome(&object, &report->judged[i]);
    return building_end(&object);
}

static json_t *predictions_json(const struct advice_report *report)
{
    json_t *list = json_array();
    bool fine = true;

    for (uint32_t i = 0; i < report->advice->prediction_count; i++)
        fine = building_append(list, prediction_json(report, i)) && fine;
    if (fine)
        return list;
    json_decref(list);
    return NULL;
}

static json_t *notes_json(const struct advice_report *report)
{
    json_t *list = json_array();
    bool fine = true;

    for (uint32_t i = 0; i < report->advice->rule_count; i++) {
        const struct rule *rule = report->advice->rules[i];
        struct building object = building_begin();

        building_put_text(&object, "rule", rule->name);
        building_put_text(&object, "why", rule->why);
        put_here(&object, rule, report->facts);
        building_put(&object, "because", conditions_json(rule, report->facts));
        json_t *note = building_end(&object);

        if (rule->expects[0].kind != EXPECT_NOTHING)
            json_decref(note);
        else
            fine = building_append(list, note) && fine;
    }
    if (fine)
        return list;
    json_decref(list);
    return NULL;
}

static json_t *policies_json(const struct advice *advice)
{
    json_t *list = json_array();
    bool fine = true;

    for (uint32_t i = 0; i < advice->policy_count; i++)
        fine = building_append(list, json_string(advice->policies[i])) && fine;
    if (fine)
        return list;
    json_decref(list);
    return NULL;
}

/* null: no policy has a mean. */
static json_t *best_json(const struct advice_report *report)
{
    const struct experiment_result *result = report->result;
    const struct advice_best *best = report->best;
    struct building object = building_begin();
    json_t *close = json_array();
    bool fine = true;

    if (best->policy == UINT32_MAX) {
        json_decref(close);
        json_decref(building_end(&object));
        return json_null();
    }
    for (uint32_t i = 0; i < result->policy_count; i++)
        if (best->close[i])
            fine = building_append(close,
                                   json_string(report->advice->policies[i])) &&
                   fine;
    building_put_text(&object, "policy",
                      report->advice->policies[best->policy]);
    building_put_text(&object, "measure",
                      measures[report->scenario->objective].name);
    building_put(&object, "not_told_from_it", fine ? close : NULL);
    if (!fine)
        json_decref(close);
    return building_end(&object);
}

bool advice_write_json(const struct advice_report *report, FILE *out)
{
    struct building object = building_begin();

    building_put_text(&object, "schema", ADVICE_SCHEMA);
    building_put_text(&object, "scenario", report->scenario->name);
    building_put(&object, "facts", facts_json(report->facts));
    building_put(&object, "policies", policies_json(report->advice));
    building_put(&object, "predictions", predictions_json(report));
    building_put(&object, "notes", notes_json(report));
    if (report->judged) {
        const char *end = outcome_end_text(report->result->end);

        building_put(&object, "partial", end ? json_string(end) : json_false());
        building_put(&object, "replications",
                     json_integer(report->result->replications));
        building_put(&object, "held",
                     json_integer(advice_count(report, JUDGED_HELD)));
        building_put(&object, "failed",
                     json_integer(advice_count(report, JUDGED_FAILED)));
        building_put(&object, "cannot_tell",
                     json_integer(advice_count(report, JUDGED_CANNOT_TELL)));
        building_put(&object, "best", best_json(report));
    }
    return building_write(building_end(&object), out);
}
