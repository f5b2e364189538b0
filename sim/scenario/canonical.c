/*
 * What a scenario means, free of how it was written: the text behind its hash.
 *
 * What is as in a scenario that says nothing is left out, so that a setting
 * that is new does not change the hash of scenarios that do not use it.
 */
#include "sim/scenario/draft.h"
#include "sim/scenario/loader.h"
#include "sim/scenario/sheet.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Not a number means unsaid; how C prints it differs. */
static void write_real(struct sheet *sheet, double real)
{
    if (isnan(real))
        sheet_print(sheet, "unsaid");
    else
        sheet_print(sheet, "%.17g", real);
}

static void write_field(struct sheet *sheet, const struct setting *row,
                        const void *base)
{
    const char *field = (const char *)base + row->offset;
    int64_t ns;
    uint32_t small;
    uint64_t large;
    double real;
    bool yes;
    const char *text;

    sheet_print(sheet, "%s=", row->path);
    switch (row->store) {
    case STORE_INT64:
        memcpy(&ns, field, sizeof ns);
        sheet_print(sheet, "%" PRId64 "\n", ns);
        break;
    case STORE_UINT32:
        memcpy(&small, field, sizeof small);
        sheet_print(sheet, "%" PRIu32 "\n", small);
        break;
    case STORE_UINT64:
        memcpy(&large, field, sizeof large);
        sheet_print(sheet, "%" PRIu64 "\n", large);
        break;
    case STORE_DOUBLE:
        memcpy(&real, field, sizeof real);
        write_real(sheet, real);
        sheet_print(sheet, "\n");
        break;
    case STORE_BOOL:
        memcpy(&yes, field, sizeof yes);
        sheet_print(sheet, "%d\n", yes);
        break;
    case STORE_TEXT:
        memcpy(&text, field, sizeof text);
        sheet_print(sheet, "%s\n", text ? text : "");
        break;
    case STORE_NOWHERE:
        break;
    }
}

/* What scenario, group, class and fault are when nothing is said. */
struct nothing {
    struct draft *draft;
    struct group_draft group;
    struct class_draft class;
    struct fault_draft fault;
};

static size_t field_size(enum setting_store store)
{
    switch (store) {
    case STORE_INT64:
        return sizeof(int64_t);
    case STORE_UINT32:
        return sizeof(uint32_t);
    case STORE_UINT64:
        return sizeof(uint64_t);
    case STORE_DOUBLE:
        return sizeof(double);
    case STORE_BOOL:
        return sizeof(bool);
    case STORE_TEXT:
        return sizeof(const char *);
    case STORE_NOWHERE:
        break;
    }
    return 0;
}

static bool is_same_text(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "") == 0;
}

/* Whether write_field would write the same of both. */
static bool is_same_field(const struct setting *row, const void *base,
                          const void *other)
{
    const char *a = (const char *)base + row->offset;
    const char *b = (const char *)other + row->offset;
    const char *texts[2];
    double reals[2];

    if (memcmp(a, b, field_size(row->store)) == 0)
        return true;
    if (row->store == STORE_TEXT) {
        memcpy(&texts[0], a, sizeof texts[0]);
        memcpy(&texts[1], b, sizeof texts[1]);
        return is_same_text(texts[0], texts[1]);
    }
    if (row->store == STORE_DOUBLE) {
        memcpy(&reals[0], a, sizeof reals[0]);
        memcpy(&reals[1], b, sizeof reals[1]);
        return isnan(reals[0]) && isnan(reals[1]);
    }
    return false;
}

/* All rows whose path begins so, with their values in base. */
static void write_rows(struct sheet *sheet, const char *prefix,
                       const void *base, const void *nothing)
{
    size_t count, length = strlen(prefix);
    const struct setting *table = settings_table(&count);

    for (size_t i = 0; i < count; i++) {
        const struct setting *row = &table[i];

        if (row->store == STORE_NOWHERE || (row->flags & SETTING_NO_RESULT) ||
            strncmp(row->path, prefix, length) != 0)
            continue;
        if (prefix[length ? length - 1 : 0] != ']' && strstr(row->path, "[]"))
            continue; /* groups and faults have bases of their own */
        if (!is_same_field(row, base, nothing))
            write_field(sheet, row, base);
    }
}

static void write_keys(struct sheet *sheet, const struct group_spec *group)
{
    sheet_print(sheet, "nodes[].keys=%d", (int)group->keys);
    for (uint32_t i = 0; group->keys == NODE_KEYS_LISTED && i < group->count;
         i++)
        sheet_print(sheet, " %s", group->listed_keys[i]);
    sheet_print(sheet, "\n");
}

static void write_models(struct sheet *sheet, const struct scenario *scenario,
                         const struct group_spec *group)
{
    sheet_print(sheet, "nodes[].models=");
    for (uint32_t i = 1; i < scenario->model_count; i++)
        if (group->models >> i & 1)
            sheet_print(sheet, "%s ", scenario->models[i]);
    sheet_print(sheet, "\n");
}

static void write_rows_of_class(struct sheet *sheet,
                                const struct scenario *scenario, uint32_t index)
{
    const struct routing_rows *rows = &scenario->routing.classes[index];

    sheet_print(sheet,
                "routing.table.%s=", scenario->workload.classes[index].name);
    for (uint32_t i = 0; i < rows->count; i++) {
        const struct routing_row *row = &rows->rows[i];

        sheet_print(sheet, "%s[", scenario->models[row->model]);
        for (uint32_t g = 0; g < row->group_count; g++)
            sheet_print(sheet, "%" PRIu32 " ", row->groups[g]);
        sheet_print(sheet, "] ");
    }
    sheet_print(sheet, "\n");
}

/* Its number within its group. */
static void write_node(struct sheet *sheet, const struct scenario *scenario,
                       uint32_t node)
{
    uint32_t g = 0;

    while (node >= scenario->groups[g].count)
        node -= scenario->groups[g++].count;
    sheet_print(sheet, "faults[].target=%" PRIu32 "[%" PRIu32 "]\n", g, node);
}

static void write_target(struct sheet *sheet, const char *what,
                         const struct scenario *scenario,
                         const struct fault_target *target)
{
    if (scenario && fault_target_only(target) != UINT32_MAX) {
        write_node(sheet, scenario, fault_target_only(target));
        return;
    }
    sheet_print(sheet, "faults[].%s=", what);
    for (uint32_t p = 0; p < target->pick_count; p++) {
        const struct fault_pick *pick = &target->picks[p];

        sheet_print(sheet, "%d %.17g %" PRIu32, (int)pick->kind, pick->share,
                    pick->count);
        for (uint32_t s = 0; s < pick->stretch_count; s++) {
            const struct fault_stretch *stretch =
                &target->stretches[pick->first_stretch + s];

            sheet_print(sheet, " %" PRIu32 "+%" PRIu32 "*%" PRIu32,
                        stretch->first, stretch->count, stretch->stride);
        }
        sheet_print(sheet, ";");
    }
    sheet_print(sheet, "\n");
}

static void write_fault(struct sheet *sheet, const struct scenario *scenario,
                        const struct fault_draft *fault,
                        const struct nothing *nothing)
{
    struct fault_draft plain = *fault;

    /* "gpu" and "gpu[0]" may be the same node */
    plain.target = plain.balancers = NULL;
    write_rows(sheet, "faults[]", &plain, &nothing->fault);
    write_target(sheet, "target", scenario, &fault->spec.target);
    if (fault_has_balancers(fault->spec.kind))
        write_target(sheet, "balancers", NULL, &fault->spec.balancers);
}

static void write_warm_up(struct sheet *sheet,
                          const struct warm_up_draft *warm_up)
{
    sheet_print(sheet, "warm_up=%d %" PRId64 " %" PRIu64 " ",
                (int)warm_up->kind, warm_up->time_ns, warm_up->requests);
    write_real(sheet, warm_up->share);
    sheet_print(sheet, "\n");
}

/* Lists of arrivals; factor and rate of a spike mean the same. */
static void write_arrivals(struct sheet *sheet,
                           const struct arrivals_spec *spec)
{
    for (uint32_t i = 0; i < spec->point_count; i++)
        sheet_print(sheet, "workload.arrivals.points[]=%" PRId64 " %.17g\n",
                    spec->points[i].at_ns, spec->points[i].rate_per_s);
    for (uint32_t i = 0; i < spec->spike_count; i++) {
        const struct arrivals_spike *spike = &spec->spikes[i];

        sheet_print(sheet,
                    "workload.arrivals.spikes[]=%" PRId64 " %" PRId64
                    " %" PRId64 " %" PRId64 " %.17g\n",
                    spike->at_ns, spike->duration_ns, spike->ramp_ns,
                    spike->every_ns, spike->factor);
    }
    for (uint32_t i = 0; i < spec->state_count; i++) {
        const struct arrivals_state *state = &spec->states[i];

        sheet_print(sheet, "workload.arrivals.states[]=%.17g %.17g",
                    state->rate_per_s, state->stay_s);
        for (uint32_t j = 0; state->moves_per_s && j < spec->state_count; j++)
            sheet_print(sheet, " %.17g", state->moves_per_s[j]);
        sheet_print(sheet, "\n");
    }
}

/* Its name changes nothing. */
static void write_overlay(struct sheet *sheet,
                          const struct overlay_draft *overlay,
                          const struct workload_overlay *spec,
                          const struct draft *nothing)
{
    const struct scenario *scenario = &overlay->draft.scenario;

    sheet_print(sheet,
                "workload.overlay[]=%" PRId64 " %" PRId64 " %" PRIu32 "\n",
                overlay->at_ns, overlay->duration_ns, spec->spec.one_class);
    if (spec->spec.one_tenant > 0)
        sheet_print(sheet, "workload.overlay[].tenant=%" PRIu32 "\n",
                    spec->spec.one_tenant);
    write_rows(sheet, "workload.", &overlay->draft, nothing);
    write_arrivals(sheet, &scenario->workload.arrivals);
    sheet_print(sheet, "workload.trace.resample=%d %" PRId64 "\n",
                (int)scenario->workload.resample, scenario->trace.block_ns);
}

/* Unlike any: times are always written, or two lists might read the same. */
static const struct tier_outage no_outage = {-1, -1, true};

static const struct agent_say no_say = {.at_ns = -1};

static void write_lists(struct sheet *sheet, struct loaded *loaded,
                        const struct nothing *nothing)
{
    const struct draft *draft = &loaded->draft;
    const struct scenario *scenario = &draft->scenario;

    for (uint32_t i = 0; i < scenario->workload.class_count; i++)
        write_rows(sheet, "workload.classes[]", &draft->classes[i],
                   &nothing->class);
    write_arrivals(sheet, &scenario->workload.arrivals);
    for (uint32_t i = 0; i < scenario->workload.overlay_count; i++)
        write_overlay(sheet, &loaded->overlays[i], &loaded->overlay_specs[i],
                      nothing->draft);
    for (uint32_t i = 0; i < scenario->group_count; i++) {
        write_rows(sheet, "nodes[]", &draft->groups[i], &nothing->group);
        write_keys(sheet, &draft->groups[i].spec);
        if (draft->groups[i].spec.scale.given) /* count is the most */
            sheet_print(sheet, "nodes[].start=%" PRIu32 "\n",
                        draft->groups[i].spec.scale.start);
        if (scenario->model_count > 0)
            write_models(sheet, scenario, &draft->groups[i].spec);
    }
    for (uint32_t i = 0; i < scenario->routing.class_count; i++)
        write_rows_of_class(sheet, scenario, i);
    for (uint32_t i = 0; i < scenario->tier.outage_count; i++)
        write_rows(sheet, "result_tier.outages[]", &scenario->tier.outages[i],
                   &no_outage);
    for (uint32_t i = 0; i < scenario->balancer.agent.say_count; i++)
        write_rows(sheet, "balancer.agent.says[]",
                   &scenario->balancer.agent.says[i], &no_say);
    for (uint32_t i = 0; i < scenario->fault_count; i++)
        write_fault(sheet, scenario, &draft->faults[i], nothing);
}

static void write_policies(struct sheet *sheet, struct loaded *loaded)
{
    const struct scenario *scenario = &loaded->draft.scenario;

    for (uint32_t i = 0; i < scenario->policy_count; i++)
        sheet_print(sheet, "policies[]=%s\n",
                    load_policy_text(&loaded->pool, scenario,
                                     &scenario->policies[i], true));
}

/* What of the whole has no place in the table. */
static void write_by_hand(struct sheet *sheet, const struct draft *draft,
                          const struct draft *nothing)
{
    const struct scenario *scenario = &draft->scenario;

    write_warm_up(sheet, &draft->warm_up);
    if (scenario->balancer.retry.on != nothing->scenario.balancer.retry.on)
        sheet_print(sheet, "balancer.retry.on=%" PRIu32 "\n",
                    scenario->balancer.retry.on);
    sheet_print(sheet, "workload.trace.resample=%d %" PRId64 "\n",
                (int)scenario->workload.resample, scenario->trace.block_ns);
}

char *canonical_text(struct loaded *loaded, size_t *ret_run_length)
{
    struct loaded *said_nothing = load_nothing();
    struct sheet sheet = {0};
    struct nothing nothing;
    struct diag unheard = {0};
    struct load load = {.loaded = said_nothing, .diag = &unheard};

    if (!said_nothing)
        return NULL;
    load.pool = &said_nothing->pool;
    load.draft = &said_nothing->draft;
    nothing.draft = &said_nothing->draft;
    load_nothing_of_group(&load, &nothing.group);
    load_nothing_of_class(&load, &nothing.class);
    load_nothing_of_fault(&load, &nothing.fault);
    write_rows(&sheet, "", &loaded->draft, nothing.draft);
    write_by_hand(&sheet, &loaded->draft, nothing.draft);
    write_lists(&sheet, loaded, &nothing);
    *ret_run_length = sheet.length;
    write_policies(&sheet, loaded);
    diag_done(&unheard);
    scenario_destroy(&said_nothing->draft.scenario);
    return sheet_take(&sheet);
}
