#include "sim/report/json_parts.h"
#include "sim/report/report.h"
#include "sim/report/sweep_report.h"

#include <inttypes.h>
#include <math.h>

/* ---- the grid ---- */

static json_t *scenario_json(const struct scenario *base)
{
    struct object object = object_new();
    char hash[20];

    snprintf(hash, sizeof hash, "%016" PRIx64, base->hash);
    set(&object, "name", text_json(base->name));
    set(&object, "hash", text_json(hash));
    return object_take(&object);
}

static json_t *path_json(const struct sweep_path *path)
{
    struct object object = object_new();
    struct array texts = array_new(), numbers = array_new();

    for (uint32_t i = 0; i < path->value_count; i++) {
        add(&texts, text_json(path->values[i].text));
        add(&numbers, number_json(path->values[i].number));
    }
    set(&object, "path", text_json(path->path));
    set(&object, "unit", text_json(quantity_unit(path->kind)));
    set(&object, "values", array_take(&texts));
    set(&object, "numbers", array_take(&numbers));
    return object_take(&object);
}

static json_t *axes_json(const struct sweep_spec *spec)
{
    struct array axes = array_new();

    for (uint32_t i = 0; i < spec->axis_count; i++) {
        struct array paths = array_new();

        for (uint32_t j = 0; j < spec->axes[i].path_count; j++)
            add(&paths, path_json(&spec->axes[i].paths[j]));
        add(&axes, array_take(&paths));
    }
    return array_take(&axes);
}

static json_t *values_json(const struct sweep_spec *spec, uint64_t point)
{
    struct object object = object_new();

    for (uint32_t i = 0; i < spec->axis_count; i++)
        for (uint32_t j = 0; j < spec->axes[i].path_count; j++) {
            const struct sweep_path *path = &spec->axes[i].paths[j];

            set(&object, path->path,
                text_json(path->values[sweep_place(spec, point, i)].text));
        }
    return object_take(&object);
}

/* ---- points ---- */

static json_t *measure_json(const struct measure_fold *fold)
{
    struct object object = object_new();

    set(&object, "mean", number_json(fold->infinite ? NAN : fold->mean));
    set(&object, "lo", number_json(fold->lo));
    set(&object, "hi", number_json(fold->hi));
    set(&object, "n", count_json(fold->n));
    if (fold->infinite > 0)
        set(&object, "infinite", count_json(fold->infinite));
    return object_take(&object);
}

static json_t *policy_json(const struct sweep_report *report,
                           const struct sweep_policy *policy, uint32_t index)
{
    const struct sweep_result *result = report->result;
    struct object object = object_new(), all = object_new();

    for (uint32_t i = 0; i < result->measure_count; i++) {
        const struct measure_fold *fold = &policy->measures[i];

        if (fold->n > 0 || fold->infinite > 0)
            set(&all, measures[result->measures[i]].name, measure_json(fold));
    }
    set(&object, "name", text_json(report->base->policies[index].label));
    set(&object, "verdict", text_json(verdict_names[policy->verdict.kind]));
    if (policy->unstable)
        set(&object, "unstable", json_true());
    set(&object, "measures", object_take(&all));
    return object_take(&object);
}

static void set_policies(const struct sweep_report *report,
                         const struct sweep_point *point, struct object *object)
{
    struct array policies = array_new();
    uint32_t count = report->result->policy_count;

    for (uint32_t i = 0; i < count; i++)
        add(&policies, policy_json(report, &point->policies[i], i));
    set(object, "replications", count_json(point->replications));
    set(object, "best",
        point->best < count
            ? text_json(report->base->policies[point->best].label)
            : json_null());
    set(object, "best_is_sure", json_boolean(point->best_is_sure));
    set(object, "policies", array_take(&policies));
}

/* ---- crossovers ---- */

static json_t *probes_json(const struct crossover_result *found)
{
    struct array probes = array_new();

    for (uint32_t i = 0; i < found->probe_count; i++) {
        const struct crossover_probe *probe = &found->probes[i];
        struct object object = object_new();

        set(&object, "x", number_json(probe->x));
        set(&object, "pairs", count_json(probe->pairs));
        set(&object, "difference", number_json(probe->mean));
        set(&object, "lo", number_json(probe->lo));
        set(&object, "hi", number_json(probe->hi));
        set(&object, "certain_sign", json_integer(probe->sign));
        add(&probes, object_take(&object));
    }
    return array_take(&probes);
}

static json_t *flips_json(const struct crossover_result *found)
{
    struct array flips = array_new();

    for (uint32_t i = 0; i < found->flip_count; i++) {
        struct object object = object_new();

        set(&object, "lo", number_json(found->flips[i].lo));
        set(&object, "hi", number_json(found->flips[i].hi));
        add(&flips, object_take(&object));
    }
    return array_take(&flips);
}

static json_t *crossover_json(const struct sweep_report *report,
                              const struct crossover_result *found)
{
    struct object object = object_new();
    char text[1000];

    sweep_finding_text(report, found, text, sizeof text);
    set(&object, "kind", text_json(crossover_kind_names[found->kind]));
    set(&object, "at", number_json(found->at));
    set(&object, "lo", number_json(found->lo));
    set(&object, "hi", number_json(found->hi));
    set(&object, "bracket_lo", number_json(found->bracket_lo));
    set(&object, "bracket_hi", number_json(found->bracket_hi));
    set(&object, "finding", text_json(text));
    set(&object, "pairs", count_json(found->pairs));
    if (found->kind == CROSSOVER_SEVERAL)
        set(&object, "flips", flips_json(found));
    set(&object, "probes", probes_json(found));
    return object_take(&object);
}

static json_t *question_json(const struct sweep_report *report)
{
    const struct scenario *base = report->base;
    const struct crossover_spec *spec = &base->sweep.crossover;
    struct object object = object_new();
    struct array pair = array_new(), paths = array_new();

    for (int i = 0; i < 2; i++)
        add(&pair, text_json(base->policies[report->result->pair[i]].label));
    for (uint32_t i = 0; i < spec->path_count; i++) {
        struct object path = object_new();

        set(&path, "path", text_json(spec->spans[i].path));
        set(&path, "unit", text_json(quantity_unit(spec->spans[i].kind)));
        set(&path, "from", number_json(spec->spans[i].from));
        set(&path, "to", number_json(spec->spans[i].to));
        add(&paths, object_take(&path));
    }
    set(&object, "paths", array_take(&paths));
    set(&object, "scale", text_json(spec->log_scale ? "log" : "linear"));
    set(&object, "between", array_take(&pair));
    set(&object, "measure",
        text_json(measures[report->result->pair_measure].name));
    set(&object, "confidence", number_json(base->confidence));
    return object_take(&object);
}

/* ---- the whole ---- */

static json_t *point_json(const struct sweep_report *report, uint64_t number)
{
    const struct sweep_point *point = &report->result->points[number];
    struct object object = object_new();
    char hash[20];

    set(&object, "point", count_json(number + 1));
    set(&object, "values", values_json(&report->base->sweep, number));
    if (point->crossover) {
        set(&object, "crossover", crossover_json(report, point->crossover));
        return object_take(&object);
    }
    snprintf(hash, sizeof hash, "%016" PRIx64, point->hash);
    set(&object, "hash", text_json(hash));
    set_policies(report, point, &object);
    return object_take(&object);
}

bool sweep_json_write(const struct sweep_report *report, FILE *out)
{
    const struct scenario *base = report->base;
    const struct sweep_result *result = report->result;
    struct object object = object_new();
    struct array points = array_new();

    for (uint64_t i = 0; i < result->point_count; i++)
        if (result->points[i].whole)
            add(&points, point_json(report, i));
    set(&object, "schema", text_json(SWEEP_SCHEMA));
    set(&object, "version", text_json(LBSIM_VERSION));
    set(&object, "scenario", scenario_json(base));
    set(&object, "seed", count_json(base->seed));
    set(&object, "replications", count_json(base->replications));
    set(&object, "objective", text_json(measures[base->objective].name));
    set(&object, "axes", axes_json(&base->sweep));
    if (base->sweep.crossover.given)
        set(&object, "crossover", question_json(report));
    set(&object, "whole", json_boolean(result->whole == result->point_count));
    set(&object, "points", array_take(&points));
    return json_dump_whole(object_take(&object), out);
}
