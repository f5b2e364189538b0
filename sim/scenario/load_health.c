/* Health checks, and what goes by them: panic, slow start, dynamic weights.
   Defaults that depend on the rule, and what settings must be to each other. */
#include "sim/scenario/draft.h"
#include "sim/scenario/units.h"

#include <string.h>

#define S INT64_C(1000000000)

/* The word of a choice. Its row names them all. */
static const char *choice_word(struct load *load, const char *path,
                               uint32_t index)
{
    const char *word = settings_find(path)->choices;

    while (index-- > 0)
        word = strchr(word, '|') + 1;
    return pool_print(load->pool, "%.*s", (int)strcspn(word, "|"), word);
}

void load_refuse_other_rules(struct load *load, const char *path,
                             const struct tree *map, const char *rule)
{
    const struct setting *block = settings_find(path);
    const struct setting *row = settings_first_child(block);

    for (; map && rule && row; row = settings_next(block, row)) {
        const char *key;
        size_t length = settings_key(row, &key);

        if (row->of_kind && strcmp(row->of_kind, rule) != 0 &&
            tree_get(map, key, length))
            load_complain(load, tree_key(map, key),
                          pool_print(load->pool,
                                     "set 'rule: %s', or leave it "
                                     "out",
                                     row->of_kind),
                          "'%.*s' is of the rule '%s', and the rule here is "
                          "'%s'",
                          (int)length, key, row->of_kind, rule);
    }
}

/* --- health --------------------------------------------------------------- */

static void set_unless_said(const struct tree *map, const char *key,
                            int64_t value_ns, int64_t *ns)
{
    if (!tree_find(map, key))
        *ns = value_ns;
}

/* Unsaid numbers are those of the namesake, or of what is asked for. */
static void fill_times(const struct tree *map, struct health_spec *spec)
{
    if (spec->probe == PROBE_GENERATION)
        set_unless_said(map, "interval", 30 * S, &spec->interval_ns);
    else if (spec->rule == HEALTH_HAPROXY)
        set_unless_said(map, "interval", 2 * S, &spec->interval_ns);
    if (spec->rule == HEALTH_HAPROXY)
        set_unless_said(map, "timeout", spec->interval_ns, &spec->timeout_ns);
    else if (spec->probe == PROBE_GENERATION)
        set_unless_said(map, "timeout", 5 * S, &spec->timeout_ns);
}

static int64_t or_else(int64_t ns, int64_t otherwise_ns)
{
    return ns > 0 ? ns : otherwise_ns;
}

static void fill_intervals(struct health_spec *spec)
{
    bool haproxy = spec->rule == HEALTH_HAPROXY;
    int64_t whole_ns = spec->interval_ns;

    if (spec->rule == HEALTH_PLAIN)
        return;
    spec->mode = HEALTH_AFTER_RESULT;
    spec->unhealthy_interval_ns =
        or_else(haproxy ? spec->down_interval_ns : spec->unhealthy_interval_ns,
                whole_ns);
    spec->healthy_edge_interval_ns = or_else(
        haproxy ? spec->fast_interval_ns : spec->healthy_edge_interval_ns,
        whole_ns);
    spec->unhealthy_edge_interval_ns = or_else(
        haproxy ? spec->fast_interval_ns : spec->unhealthy_edge_interval_ns,
        haproxy ? whole_ns : spec->unhealthy_interval_ns);
}

/* The second row goes by the rule of the first, at intervals of its own. */
static void fill_generation(const struct health_spec *of,
                            struct health_spec *generation)
{
    generation->rule = of->rule;
    generation->mode = of->mode;
    generation->probe = PROBE_GENERATION;
    generation->lenient = of->lenient;
    generation->restart_ns = of->restart_ns;
    generation->jitter_ns = of->jitter_ns;
    generation->interval_jitter = of->interval_jitter;
    generation->spread = of->spread;
    fill_intervals(generation);
}

/* Checks at a fixed rate must be over before the next one starts. */
static void check_timeout(struct load *load, const struct tree *map,
                          const struct health_spec *spec)
{
    char timeout[UNITS_TEXT_SIZE], interval[UNITS_TEXT_SIZE];
    const struct tree *at = tree_find(map, "timeout");

    if (spec->mode == HEALTH_AFTER_RESULT ||
        spec->timeout_ns < spec->interval_ns)
        return;
    if (!at)
        at = tree_find(map, "interval");
    units_write_duration(spec->timeout_ns, timeout);
    units_write_duration(spec->interval_ns, interval);
    load_complain(load, at,
                  "with 'mode: after_result' each waits for the last one's "
                  "result",
                  "a check's 'timeout' of %s must be below its 'interval' of "
                  "%s",
                  timeout, interval);
}

static void check_path(struct load *load, const struct tree *map,
                       const struct health_spec *spec)
{
    if (spec->probe == PROBE_TCP && spec->path == PROBE_QUEUED)
        load_complain(load, tree_find(map, "path"), "set 'probe: http'",
                      "a connection waits for nobody's turn: the kernel opens "
                      "it");
}

static void load_health(struct load *load, const struct tree *balancer)
{
    struct balancer_spec *spec = &load->loaded->draft.scenario.balancer;
    const struct tree *map = tree_find(balancer, "health");
    const struct tree *generation = tree_find(map, "generation");

    load_refuse_other_rules(
        load, "balancer.health", map,
        choice_word(load, "balancer.health.rule", spec->health.rule));
    fill_times(map, &spec->health);
    fill_intervals(&spec->health);
    check_path(load, map, &spec->health);
    check_timeout(load, map, &spec->health);
    if (!spec->generation.given)
        return;
    fill_generation(&spec->health, &spec->generation);
    check_timeout(load, generation, &spec->generation);
}

/* --- what goes by it --- */

static void load_slow_start(struct load *load, const struct tree *balancer)
{
    struct slow_start_spec *spec =
        &load->loaded->draft.scenario.balancer.slow_start;
    const struct tree *map = tree_find(balancer, "slow_start");

    load_refuse_other_rules(
        load, "balancer.slow_start", map,
        choice_word(load, "balancer.slow_start.rule", spec->rule));
    if (spec->rule == SLOW_START_HAPROXY &&
        (spec->window_ns < S || spec->window_ns % S != 0))
        load_complain(load, tree_find(map, "window"),
                      "such as 'window: 30 s'; with 'rule: envoy' it may be "
                      "any",
                      "HAProxy's slow start counts whole seconds, from 1 s on");
}

static void load_dynamic_weights(struct load *load, const struct tree *balancer)
{
    const struct balancer_spec *of = &load->loaded->draft.scenario.balancer;
    struct dynamic_weights_spec *spec =
        &load->loaded->draft.scenario.balancer.dynamic_weights;
    const struct tree *map = tree_find(balancer, "dynamic_weights");

    load_refuse_other_rules(
        load, "balancer.dynamic_weights", map,
        choice_word(load, "balancer.dynamic_weights.rule", spec->rule));
    if (spec->rule == DYNAMIC_WEIGHTS_HAPROXY_AGENT)
        set_unless_said(map, "period", 2 * S, &spec->period_ns);
    if (spec->below >= spec->above)
        load_complain(
            load, tree_find(map, tree_find(map, "below") ? "below" : "above"),
            NULL, "'below' must be less than 'above'");
    if (of->report_interval_ns < 0)
        load_complain(load, tree_key(balancer, "dynamic_weights"),
                      "set balancer.report_interval, such as '1 s'",
                      "dynamic weights go by what nodes report, and there are "
                      "no reports");
}

void load_checks(struct load *load, const struct tree *balancer)
{
    const struct balancer_spec *spec = &load->loaded->draft.scenario.balancer;

    if (load->errors > 0)
        return;
    if (spec->health.given)
        load_health(load, balancer);
    if (spec->slow_start.given)
        load_slow_start(load, balancer);
    if (spec->dynamic_weights.given)
        load_dynamic_weights(load, balancer);
}
