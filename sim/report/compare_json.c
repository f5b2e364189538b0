/* A comparison as JSON, schema lbsim.compare/1. */
#include "sim/report/compare_report.h"

#include "sim/report/json_parts.h"
#include "sim/report/report.h"

static json_t *mean_json(const struct compare_mean *mean)
{
    struct object object = object_new();

    set(&object, "mean", number_json(mean->mean));
    set(&object, "lo", number_json(mean->lo));
    set(&object, "hi", number_json(mean->hi));
    if (mean->infinite)
        set(&object, "reason", text_json("infinite in some replication"));
    return object_take(&object);
}

static json_t *side_json(const struct compare_result *result, uint32_t side)
{
    const struct compare_setup *setup = result->setup;
    struct object object = object_new();
    struct object values = object_new();

    for (uint32_t m = 0; m < setup->measure_count; m++)
        set(&values, measures[setup->measures[m]].name,
            mean_json(&result->means[(size_t)m * setup->side_count + side]));
    set(&object, "policy", text_json(setup->sides[side].label));
    set(&object, "measures", object_take(&values));
    return object_take(&object);
}

static const char *test_text(const struct verdict *verdict)
{
    if (verdict->by_sign)
        return "sign";
    return verdict->unpaired ? "Welch" : "paired t";
}

static const char *reason_text(const struct verdict *verdict)
{
    switch (verdict->reason) {
    case VERDICT_NOISE:
        return verdict->by_sign ? "infinite values: the sign test does not tell"
                                : "the interval holds 0";
    case VERDICT_SMALL:
        return "there is a difference, but below min_effect";
    case VERDICT_ALIKE:
        return "any difference is below min_effect";
    case VERDICT_SAME:
        return verdict->by_sign ? "infinite values: all pairs tie"
                                : "no difference in any pair";
    case VERDICT_ONE_PAIR:
        return "fewer than two replications";
    case VERDICT_NO_VALUE:
        return "no value on one side or both";
    case VERDICT_INFINITE:
        return "infinite values, and no pairs";
    case VERDICT_CLEAR:
        break;
    }
    return verdict->by_sign ? "infinite values: decided by sign test" : NULL;
}

static json_t *verdict_json(const struct verdict *verdict)
{
    struct object object = object_new();
    const char *reason = reason_text(verdict);

    set(&object, "verdict", text_json(compare_verdict_name(verdict)));
    set_difference(&object, verdict);
    set(&object, "p", number_json(verdict->p));
    set(&object, "level", number_json(verdict->level));
    set(&object, "test", text_json(test_text(verdict)));
    set_pairs(&object, verdict);
    if (reason)
        set(&object, "reason", text_json(reason));
    return object_take(&object);
}

static json_t *pair_json(const struct compare_result *result, uint32_t pair)
{
    const struct compare_setup *setup = result->setup;
    struct object object = object_new();
    struct object values = object_new();

    for (uint32_t m = 0; m < setup->measure_count; m++)
        set(&values, measures[setup->measures[m]].name,
            verdict_json(compare_verdict(result, m, pair)));
    set(&object, "policy",
        text_json(setup->sides[setup->pairs[pair].side].label));
    set(&object, "against",
        text_json(setup->sides[setup->pairs[pair].reference].label));
    set(&object, "same", json_boolean(result->same[pair]));
    set(&object, "pairing_gain", number_json(result->pairing_gains[pair]));
    set(&object, "measures", object_take(&values));
    return object_take(&object);
}

static json_t *ranking_json(const struct compare_result *result)
{
    static const char *const names[] = {[STEP_BETTER] = "better",
                                        [STEP_ALIKE] = "alike",
                                        [STEP_CANNOT_TELL] = "cannot_tell"};
    const struct compare_setup *setup = result->setup;
    struct array array = array_new();

    for (uint32_t i = 0; i < setup->side_count; i++) {
        struct object object = object_new();

        set(&object, "policy",
            text_json(setup->sides[result->ranking[i]].label));
        if (i > 0) {
            set(&object, "best_is", text_json(names[result->from_best[i]]));
            set(&object, "former_is", text_json(names[result->to_next[i - 1]]));
        }
        add(&array, object_take(&object));
    }
    return array_take(&array);
}

static json_t *looks_json(const struct compare_report *report)
{
    const struct compare_setup *setup = report->result->setup;
    struct object object = object_new();
    struct array at = array_new();

    for (uint32_t i = 0; i < setup->looks->count; i++)
        add(&at, count_json(setup->looks->at[i]));
    set(&object, "until", number_json(report->until));
    set(&object, "at", array_take(&at));
    set(&object, "look", count_json(setup->look + 1));
    return object_take(&object);
}

static json_t *notes_json(const struct notes *notes)
{
    struct array array = array_new();

    for (size_t i = 0; i < notes->count; i++)
        add(&array, text_json(notes->lines[i]));
    return array_take(&array);
}

static void set_lists(const struct compare_report *report,
                      struct object *object)
{
    const struct compare_result *result = report->result;
    const struct compare_setup *setup = result->setup;
    struct array sides = array_new(), pairs = array_new();
    bool any = report->replications > 0;

    for (uint32_t i = 0; any && i < setup->side_count; i++)
        add(&sides, side_json(result, i));
    for (uint32_t i = 0; any && i < setup->pair_count; i++)
        add(&pairs, pair_json(result, i));
    set(object, "policies", array_take(&sides));
    set(object, "comparisons", array_take(&pairs));
    if (any && setup->ranks)
        set(object, "ranking", ranking_json(result));
    if (setup->looks)
        set(object, "looks", looks_json(report));
}

bool compare_write_json(const struct compare_report *report, FILE *out)
{
    const struct compare_setup *setup = report->result->setup;
    struct object object = object_new();
    struct notes notes;
    bool fine = compare_notes(report, &notes);

    set(&object, "schema", text_json(COMPARE_SCHEMA));
    set(&object, "version", text_json(LBSIM_VERSION));
    set(&object, "title", text_json(report->title));
    set(&object, "replications", count_json(report->replications));
    set(&object, "partial",
        report->partial ? text_json(report->partial) : json_false());
    set(&object, "paired", json_boolean(!setup->unpaired));
    set(&object, "objective", text_json(measures[setup->measures[0]].name));
    set(&object, "confidence", number_json(setup->confidence));
    set(&object, "min_effect", number_json(setup->min_effect));
    set_lists(report, &object);
    set(&object, "notes", notes_json(&notes));
    notes_done(&notes);
    if (!fine)
        object.failed = 1;
    return json_dump_whole(object_take(&object), out);
}
