/* What arrives: checks between the settings of workload. */
#include "sim/scenario/draft.h"
#include "sim/scenario/units.h"

#include <math.h>
#include <string.h>

static const int64_t block_unless_said_ns = INT64_C(300000000000);

static void check_sources(struct load *load, const struct tree *workload,
                          const struct tree *at)
{
    const struct draft *draft = load->draft;
    const struct tree *arrivals = tree_key(workload, "arrivals");
    const struct tree *trace = tree_key(workload, "trace");

    if (draft->has_arrivals && draft->scenario.has_trace)
        load_complain(load, trace, "leave one of them out",
                      "two sources of traffic: 'trace' and 'arrivals'");
    else if (!arrivals && !trace && !load_is_hopeless(load))
        load_complain(load, at,
                      "such as 'arrivals: {process: poisson, rate: 12/s}'",
                      "workload has no traffic: give 'arrivals' or 'trace'");
}

static void check_trace(struct load *load, const struct tree *workload)
{
    const struct tree *trace = tree_find(workload, "trace");

    if (tree_find(trace, "rate") && tree_find(trace, "rate_scale"))
        load_complain(load, tree_key(trace, "rate_scale"), NULL,
                      "'rate' and 'rate_scale' both set the rate of the "
                      "trace; leave one of them out");
}

/* Noise is scaled to mean 1 anyway, so its shape says enough. */
static void complete_noise(struct dist_params *noise)
{
    bool placed = !isnan(noise->mean) || !isnan(noise->median) ||
                  !isnan(noise->min) || !isnan(noise->max) ||
                  !isnan(noise->scale);

    if (!placed && noise->kind != DIST_CONSTANT &&
        noise->kind != DIST_UNIFORM && noise->kind != DIST_GEOMETRIC &&
        noise->kind != DIST_EMPIRICAL)
        noise->mean = 1;
}

void load_noise(struct load *load, const struct tree *map, const char *key,
                struct dist_params *params, struct dist *ret)
{
    complete_noise(params);
    load_dist(load, map, key, params, ret);
    if (ret->kind != DIST_NONE && !dist_scale_to_mean_1(ret))
        load_complain(load, tree_key(map, key), NULL,
                      "'%s' needs a law with a finite mean above 0, as it "
                      "is scaled to mean 1",
                      key);
}

static void make_dists(struct load *load, const struct tree *workload)
{
    struct draft *draft = load->draft;
    struct workload_spec *spec = &draft->scenario.workload;

    load_dist(load, workload, "input_tokens", &draft->input_tokens,
              &spec->input_tokens);
    load_dist(load, workload, "output_tokens", &draft->output_tokens,
              &spec->output_tokens);
    load_dist(load, workload, "work", &draft->work, &spec->work);
    load_noise(load, workload, "noise", &draft->noise, &spec->noise);
    load_dist(load, workload, "patience", &draft->patience, &spec->patience);
}

static void check_keys(struct load *load, const struct tree *workload)
{
    static const char *const of_zipf[] = {"exponent", "distinct",
                                          "repeat_share"};
    const struct keys_spec *spec = &load->draft->keys;
    const struct tree *keys = tree_find(workload, "keys");

    if (!tree_find(keys, "dist"))
        return;
    if (spec->kind == KEYS_ZIPF && !tree_find(keys, "distinct"))
        load_complain(load, tree_find(keys, "dist"),
                      "how many prompts repeat, such as 'distinct: 50k'",
                      "dist zipf needs 'distinct'");
    for (size_t i = 0; i < 3 && spec->kind != KEYS_ZIPF; i++)
        if (tree_find(keys, of_zipf[i]))
            load_complain(load, tree_key(keys, of_zipf[i]), NULL,
                          "'%s' is for dist zipf; the dist is %s", of_zipf[i],
                          keys_kind_names[spec->kind]);
}

static void complete_keys(struct keys_spec *keys, const struct tree *block)
{
    if (keys->kind != KEYS_ZIPF)
        return;
    if (!tree_find(block, "exponent"))
        keys->exponent = 1;
    if (!tree_find(block, "repeat_share"))
        keys->repeat_share = 1;
}

/* {blocks: 5 min} */
static void load_blocks(struct load *load, const struct tree *map,
                        struct draft *draft)
{
    char reason[300];

    for (uint32_t i = 0; i < map->count; i++) {
        const struct tree *key = map->keys[i], *value = map->values[i];

        if (!tree_is_text(key, "blocks")) {
            load_complain(load, key, "did you mean 'blocks'?",
                          "unknown key '%.60s' in workload.trace.resample",
                          key->text);
        } else if (value->kind != TREE_SCALAR) {
            load_complain(load, value, NULL, "'blocks' needs %s; got %s",
                          settings_kind_words(SETTING_DURATION),
                          tree_kind_words(value));
        } else if (!units_parse_duration(value->text, value->length,
                                         &draft->scenario.trace.block_ns,
                                         reason, sizeof reason)) {
            load_complain(load, value, NULL, "'blocks': %s", reason);
        } else if (draft->scenario.trace.block_ns == 0) {
            load_complain(load, value, NULL,
                          "'blocks' must be more than 0 s; got '%.60s'",
                          value->text);
        }
    }
    draft->scenario.workload.resample = TRACE_RESAMPLE_BLOCKS;
}

void load_resample(struct load *load, const struct tree *value,
                   struct draft *draft)
{
    draft->resample_said = true;
    if (value->kind == TREE_MAP && value->count > 0)
        load_blocks(load, value, draft);
    else if (tree_is_text(value, "none"))
        draft->scenario.workload.resample = TRACE_RESAMPLE_NONE;
    else if (tree_is_text(value, "blocks"))
        draft->scenario.workload.resample = TRACE_RESAMPLE_BLOCKS;
    else
        load_complain(load, value, NULL, "'resample' needs %s; got %s%.60s%s",
                      settings_kind_words(SETTING_RESAMPLE),
                      value->kind == TREE_SCALAR ? "'" : "",
                      value->kind == TREE_SCALAR ? value->text
                                                 : tree_kind_words(value),
                      value->kind == TREE_SCALAR ? "'" : "");
}

static void choose_resample(struct draft *draft)
{
    struct scenario *scenario = &draft->scenario;

    if (!draft->resample_said && scenario->has_trace &&
        scenario->replications > 1)
        scenario->workload.resample = TRACE_RESAMPLE_BLOCKS;
    if (scenario->trace.block_ns == 0)
        scenario->trace.block_ns = block_unless_said_ns;
}

void load_traffic(struct load *load, const struct tree *workload,
                  const struct tree *at)
{
    uint32_t before = load->errors;

    check_sources(load, workload, at);
    if (before > 0) /* values may be missing only because they were wrong */
        return;
    if (load->draft->has_arrivals)
        load_arrivals(load, workload);
    check_trace(load, workload);
    make_dists(load, workload);
    check_keys(load, workload);
    complete_keys(&load->draft->keys, tree_find(workload, "keys"));
    choose_resample(load->draft);
}

void load_workload(struct load *load, const struct tree *root)
{
    const struct tree *workload = tree_find(root, "workload");
    uint32_t before = load->errors;

    load_traffic(load, workload,
                 workload && workload->kind == TREE_MAP
                     ? tree_key(root, "workload")
                     : root);
    if (before > 0)
        return;
    load_classes(load, workload);
    load_overlays(load, workload);
}
