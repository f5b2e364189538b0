/* Advice for programs. */
#include "sim/report/advice_report.h"

#include "sim/report/json_parts.h"

#include <math.h>

static json_t *facts_json(const struct facts *facts)
{
    struct object object = object_new();

    for (int i = 0; i < FACT_COUNT; i++)
        if (!isnan(facts->values[i]))
            set(&object, facts_table[i].name, number_json(facts->values[i]));
    return object_take(&object);
}

static json_t *conditions_json(const struct rule *rule,
                               const struct facts *facts)
{
    struct array list = array_new();

    for (int i = 0; i < RULE_CONDITIONS && rule->when[i].relation; i++) {
        const struct condition *condition = &rule->when[i];
        struct object object = object_new();

        set(&object, "fact", text_json(facts_table[condition->fact].name));
        set(&object, "value", number_json(facts->values[condition->fact]));
        set(&object, condition->relation == AT_LEAST ? "at_least" : "at_most",
            number_json(condition->bound));
        add(&list, object_take(&object));
    }
    return array_take(&list);
}

static void put_here(struct object *object, const struct rule *rule,
                     const struct facts *facts)
{
    char here[4 * ADVICE_TEXT_SIZE];

    advice_here_text(rule, facts, here, sizeof here);
    if (*here)
        set(object, "here", text_json(here));
}

static void put_outcome(struct object *object, const struct judged *judged)
{
    const struct verdict *verdict = &judged->verdict;

    set(object, "outcome", text_json(judgement_names[judged->judgement]));
    set(object, "verdict", text_json(verdict_names[verdict->kind]));
    set_difference(object, verdict);
    set_pairs(object, verdict);
}

static json_t *prediction_json(const struct advice_report *report, uint32_t i)
{
    const struct prediction *prediction = &report->advice->predictions[i];
    bool alike = prediction->expects->kind == EXPECT_ALIKE;
    struct object object = object_new();

    set(&object, "rule", text_json(prediction->rule->name));
    set(&object, "expects", text_json(alike ? "alike" : "better"));
    set(&object, "policy",
        text_json(report->advice->policies[prediction->policy]));
    set(&object, "than", text_json(report->advice->policies[prediction->than]));
    set(&object, "measure", text_json(measures[prediction->measure].name));
    if (alike)
        set(&object, "within", number_json(prediction->expects->bound));
    set(&object, "why", text_json(prediction->rule->why));
    put_here(&object, prediction->rule, report->facts);
    set(&object, "source", text_json(prediction->rule->source));
    set(&object, "because", conditions_json(prediction->rule, report->facts));
    if (report->judged)
        put_outcome(&object, &report->judged[i]);
    return object_take(&object);
}

static json_t *predictions_json(const struct advice_report *report)
{
    struct array list = array_new();

    for (uint32_t i = 0; i < report->advice->prediction_count; i++)
        add(&list, prediction_json(report, i));
    return array_take(&list);
}

static json_t *notes_json(const struct advice_report *report)
{
    struct array list = array_new();

    for (uint32_t i = 0; i < report->advice->rule_count; i++) {
        const struct rule *rule = report->advice->rules[i];
        struct object object = object_new();

        set(&object, "rule", text_json(rule->name));
        set(&object, "why", text_json(rule->why));
        put_here(&object, rule, report->facts);
        set(&object, "because", conditions_json(rule, report->facts));
        json_t *note = object_take(&object);

        if (rule->expects[0].kind != EXPECT_NOTHING)
            json_decref(note);
        else
            add(&list, note);
    }
    return array_take(&list);
}

static json_t *policies_json(const struct advice *advice)
{
    struct array list = array_new();

    for (uint32_t i = 0; i < advice->policy_count; i++)
        add(&list, text_json(advice->policies[i]));
    return array_take(&list);
}

/* Of a policy that has a mean. */
static json_t *best_json(const struct advice_report *report)
{
    const struct experiment_result *result = report->result;
    const struct advice_best *best = report->best;
    struct object object = object_new();
    struct array close = array_new();

    for (uint32_t i = 0; i < result->policy_count; i++)
        if (best->close[i])
            add(&close, text_json(report->advice->policies[i]));
    set(&object, "policy", text_json(report->advice->policies[best->policy]));
    set(&object, "measure",
        text_json(measures[report->scenario->objective].name));
    set(&object, "not_told_from_it", array_take(&close));
    return object_take(&object);
}

bool advice_write_json(const struct advice_report *report, FILE *out)
{
    struct object object = object_new();

    set(&object, "schema", text_json(ADVICE_SCHEMA));
    set(&object, "scenario", text_json(report->scenario->name));
    set(&object, "facts", facts_json(report->facts));
    set(&object, "policies", policies_json(report->advice));
    set(&object, "predictions", predictions_json(report));
    set(&object, "notes", notes_json(report));
    if (report->judged) {
        const char *end = outcome_end_text(report->result->end);

        set(&object, "partial", end ? text_json(end) : json_false());
        set(&object, "replications", count_json(report->result->replications));
        set(&object, "held", count_json(advice_count(report, JUDGED_HELD)));
        set(&object, "failed", count_json(advice_count(report, JUDGED_FAILED)));
        set(&object, "cannot_tell",
            count_json(advice_count(report, JUDGED_CANNOT_TELL)));
        set(&object, "best",
            report->best->policy == UINT32_MAX ? json_null()
                                               : best_json(report));
    }
    return json_dump_whole(object_take(&object), out);
}
