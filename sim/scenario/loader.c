#include "sim/scenario/loader.h"

#include "sim/scenario/draft.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void load_blank_draft(struct draft *draft)
{
    struct scenario *scenario = &draft->scenario;

    scenario->duration_ns = INT64_MAX;
    scenario->objective = M_LATENCY_ALL_P99;
    scenario->workload.arrivals.cv = 1;
    scenario->trace.rate_scale = scenario->trace.rate_per_s = NAN;
    scenario->trace.duration_ns = INT64_MAX;
    scenario->balancer.report_interval_ns = -1;
    load_blank_front(&scenario->balancer);
    scenario->balancer.queue.size = UINT32_MAX;
    scenario->balancer.queue.flow_size = UINT32_MAX;
    scenario->balancer.queue.tokens = INFINITY;
    scenario->balancer.flow_control.ttl_ns = INT64_MAX;
    scenario->balancer.degrade.expected_ns = -1;
    scenario->balancer.degrade.after_ns = -1;
    scenario->plan.minimise = PLAN_UNSAID;
    scenario->tier.ttl_ns = INT64_MAX;
    draft->input_tokens = draft->output_tokens = DIST_PARAMS_NONE;
    draft->work = draft->noise = draft->think = DIST_PARAMS_NONE;
    draft->patience = DIST_PARAMS_NONE;
    draft->warm_up.share = NAN;
}

/* File name without folder and ending. Results are named by it, so control
   bytes do not stay. */
static const char *name_of(struct pool *pool, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    char *copy = pool_copy(
        pool, name, dot && dot > name ? (size_t)(dot - name) : strlen(name));

    for (char *c = copy; c && *c; c++)
        if ((unsigned char)*c < ' ' || *c == 127)
            *c = '?';
    return copy;
}

static void load_parts(struct load *load, const struct tree *root)
{
    struct scenario *scenario = &load->loaded->draft.scenario;

    load_block(load, NULL, root, &load->loaded->draft);
    load_workload(load, root);
    load_nodes(load, root);
    load_balancer(load, root);
    load_passive(load, root);
    load_admission(load, root);
    load_retries(load, root);
    load_tier(load, root);
    load_faults(load, root);
    load_agent(load, root);
    load_routing(load, root);
    load_degrade(load, root);
    load_batching(load, root);
    load_policies(load, root);
    load_goals(load, root);
    load_run(load, root);
    load_plan(load, root);
    load_sweep(load, root);
    load_check(load, root);
    if (!scenario->name)
        scenario->name = name_of(load->pool, scenario->path);
}

/* Keys are prepared last: their table may be large. */
static bool finish(struct load *load)
{
    struct loaded *loaded = load->loaded;
    struct draft *draft = &loaded->draft;

    if (load->errors > 0 || load->pool->out_of_memory ||
        !load_times(loaded, load->diag))
        return false;
    loaded->canonical = canonical_text(loaded, &loaded->canonical_run_length);
    if (!loaded->canonical)
        return false;
    draft->scenario.hash =
        XXH64(loaded->canonical, strlen(loaded->canonical), 0);
    if (draft->keys.kind == KEYS_NONE)
        return true;
    loaded->keys_made = keys_init(&draft->scenario.workload.keys, &draft->keys);
    load->pool->out_of_memory |= !loaded->keys_made;
    return loaded->keys_made;
}

static struct loaded *create_loaded(const char *path)
{
    struct loaded *loaded = calloc(1, sizeof *loaded);

    if (!loaded)
        return NULL;
    load_blank_draft(&loaded->draft);
    loaded->draft.scenario.owned = loaded;
    loaded->draft.scenario.path = pool_print(&loaded->pool, "%s", path);
    return loaded;
}

struct loaded *load_nothing(void)
{
    struct loaded *nothing = create_loaded("");
    struct diag unheard = {0};
    struct load load = {.loaded = nothing, .diag = &unheard};

    if (!nothing)
        return NULL;
    load.pool = &nothing->pool;
    load.draft = &nothing->draft;
    load_block(&load, NULL, NULL, &nothing->draft);
    diag_done(&unheard);
    if (!nothing->pool.out_of_memory)
        return nothing;
    scenario_destroy(&nothing->draft.scenario);
    return NULL;
}

static void complain_memory(struct diag *diag, const char *name)
{
    struct diag_place place = {.file = name};

    if (diag) { /* what was said before may be wrong for lack of memory */
        diag_done(diag);
        *diag = (struct diag){0};
    }
    diag_add_no_memory(diag, &place);
}

/* Where a scenario is read from: of base, a scenario that was loaded, or of
   text, or of the file of that name. */
struct origin {
    const char *name;
    const struct loaded *base; /* or NULL */
    const char *text;          /* [length], or NULL */
    size_t length;
    const char *const *overrides; /* [override_count] */
    size_t override_count;
};

static const struct tree *read_origin(struct load *load,
                                      const struct origin *origin)
{
    const struct source *source;
    const char *text = origin->text;
    size_t length = origin->length;

    if (origin->base) {
        load->loaded->folder = origin->base->folder;
        return override_all(load, origin->base->as_written, origin->overrides,
                            origin->override_count);
    }
    if (!text) {
        source = compose_read_file(load, origin->name, NULL);
        if (!source)
            return NULL;
        text = source->text;
        length = source->length;
    }
    return compose(load, origin->name, text, length, origin->overrides,
                   origin->override_count);
}

static bool load_all(struct load *load, const struct origin *origin)
{
    struct loaded *loaded = load->loaded;

    loaded->as_written = read_origin(load, origin);
    if (!loaded->as_written)
        return false;
    loaded->root = load_merge_defaults(load, loaded->as_written);
    if (loaded->root)
        loaded->root = load_without_off(load, NULL, loaded->root);
    if (!loaded->root)
        return false;
    load_parts(load, loaded->root);
    return finish(load);
}

static struct scenario *load_scenario(const struct origin *origin,
                                      struct diag *diag)
{
    struct diag unheard = {0};
    struct loaded *loaded = create_loaded(origin->name);
    struct load load = {.loaded = loaded, .diag = diag ? diag : &unheard};
    struct scenario *scenario = NULL;

    if (!loaded) {
        complain_memory(diag, origin->name);
        return NULL;
    }
    load.pool = &loaded->pool;
    load.draft = &loaded->draft;
    if (load_all(&load, origin))
        scenario = &loaded->draft.scenario;
    else if (loaded->pool.out_of_memory || load.diag->errors == 0)
        complain_memory(load.diag, origin->name);
    if (!scenario)
        scenario_destroy(&loaded->draft.scenario);
    diag_done(&unheard);
    return scenario;
}

struct scenario *scenario_load(const char *path, const char *const *overrides,
                               size_t override_count, struct diag *diag)
{
    struct origin origin = {
        .name = path, .overrides = overrides, .override_count = override_count};

    return load_scenario(&origin, diag);
}

struct scenario *scenario_load_over(const struct scenario *base,
                                    const char *const *overrides,
                                    size_t override_count, struct diag *diag)
{
    struct origin origin = {.name = base->path,
                            .base = base->owned,
                            .overrides = overrides,
                            .override_count = override_count};

    return load_scenario(&origin, diag);
}

struct scenario *scenario_parse(const char *name, const char *text,
                                size_t length, const char *const *overrides,
                                size_t override_count, struct diag *diag)
{
    struct scenario *scenario = NULL;
    char *copy = malloc(length + 1);
    struct origin origin = {.name = name,
                            .text = copy,
                            .length = length,
                            .overrides = overrides,
                            .override_count = override_count};
    struct diag_place place = {.file = name};

    if (length > SCENARIO_SIZE_MAX) {
        diag_add(diag, DIAG_ERROR, &place, NULL,
                 "is larger than 1 MiB, which is more than a scenario needs");
    } else if (copy) {
        memcpy(copy, text, length);
        scenario = load_scenario(&origin, diag);
    } else {
        complain_memory(diag, name);
    }
    if (scenario) /* places point into the text */
        ((struct loaded *)scenario->owned)->text = copy;
    else
        free(copy);
    return scenario;
}

void scenario_destroy(struct scenario *scenario)
{
    struct loaded *loaded;

    if (!scenario)
        return;
    loaded = scenario->owned;
    if (loaded->keys_made)
        keys_done(&loaded->draft.scenario.workload.keys);
    if (!loaded->trace_is_lent)
        trace_close(loaded->trace);
    load_close_overlays(loaded);
    for (const struct empirical_open *e = loaded->empiricals; e; e = e->next)
        empirical_destroy(e->table);
    for (struct shared_open *open = loaded->shared; open; open = open->next)
        shared_policy_close(&open->policy);
    normaliser_close(loaded->normaliser);
    pool_done(&loaded->pool);
    free(loaded->canonical);
    free(loaded->text);
    free(loaded);
}
