/* The effective scenario: every value, and where it comes from. */
#include "sim/scenario/draft.h"
#include "sim/scenario/effective_retry.h"
#include "sim/scenario/loader.h"
#include "sim/scenario/sheet.h"
#include "sim/scenario/units.h"

#include "policies/params.h"

#include <stdlib.h>
#include <string.h>

enum { COMMENT_COLUMN = 48, INDENT = 2 };

struct writer {
    struct sheet sheet;
    const struct loaded *loaded;
    const struct draft *draft; /* of loaded, or of the overlay being written */
};

static void write_block(struct writer *writer, const struct setting *block,
                        const struct tree *map, int indent,
                        const struct fault_draft *fault);

/* A file's name could hold anything; a comment ends at the end of its line. */
static void write_origin(struct sheet *sheet, const struct tree *tree)
{
    const struct source *source = tree->source;

    sheet_pad(sheet, COMMENT_COLUMN);
    if (source && source->kind == SOURCE_FILE) {
        sheet_print(sheet, "# ");
        for (const char *c = source->name; *c; c++)
            sheet_print(sheet, "%c", (unsigned char)*c < ' ' ? '?' : *c);
        sheet_print(sheet, ":%u", tree->line);
    } else {
        sheet_print(sheet, "# %s", source ? source->name : "default");
    }
    sheet_print(sheet, "\n");
}

static void write_default(struct sheet *sheet, const char *like)
{
    sheet_pad(sheet, COMMENT_COLUMN);
    sheet_print(sheet, like ? "# default: %s\n" : "# default\n", like);
}

static void write_key(struct sheet *sheet, const struct setting *row,
                      int indent)
{
    const char *key;
    size_t length = settings_key(row, &key);

    sheet_print(sheet, "%*s%.*s:", indent, "", (int)length, key);
}

static bool write_zipf(struct sheet *sheet, const struct setting *row,
                       const struct keys_spec *keys)
{
    if (keys->kind != KEYS_ZIPF)
        return false;
    if (strcmp(row->path, "workload.keys.exponent") == 0)
        sheet_print(sheet, "1");
    else if (strcmp(row->path, "workload.keys.repeat_share") == 0)
        sheet_print(sheet, "100 %%");
    else
        return false;
    return true;
}

static const char *fault_key(const struct setting *row)
{
    return row->path + strlen("faults[].");
}

/* Defaults that the loader works out from other settings. */
static bool write_worked_out(struct writer *writer, const struct setting *row,
                             const struct fault_draft *fault)
{
    const struct scenario *scenario = &writer->draft->scenario;
    struct sheet *sheet = &writer->sheet;
    char text[UNITS_TEXT_SIZE];
    const char *own = writer->loaded->draft.scenario.name;
    struct tree name = {.text = own, .length = strlen(own)};

    if (strcmp(row->path, "name") == 0) {
        sheet_scalar(sheet, &name);
    } else if (strcmp(row->path, "drain") == 0) {
        units_write_duration(writer->loaded->draft.scenario.drain_ns, text);
        sheet_print(sheet, "%s", text);
    } else if (row->kind == SETTING_RESAMPLE) {
        units_write_duration(scenario->trace.block_ns, text);
        if (scenario->workload.resample == TRACE_RESAMPLE_BLOCKS)
            sheet_print(sheet, "{blocks: %s}", text);
        else
            sheet_print(sheet, "none");
    } else if (strcmp(row->path,
                      "balancer.outlier.enforcing_failure_percentage") == 0) {
        sheet_print(
            sheet, "%.9g %%",
            100 * scenario->balancer.outlier.failure_percentage.enforcing);
    } else if (fault && load_fault_default(&fault->spec, fault_key(row))) {
        sheet_print(sheet, "%s",
                    load_fault_default(&fault->spec, fault_key(row)));
    } else {
        return write_zipf(sheet, row, &writer->draft->keys);
    }
    return true;
}

/* Durations of the front door whose default the loader has made another one,
   as the rule of their block has it. */
static bool write_of_rule(struct writer *writer, const struct setting *row)
{
    const char *base = (const char *)writer->draft;
    char text[UNITS_TEXT_SIZE];
    int64_t ns;

    if (!row->preset || row->kind != SETTING_DURATION ||
        row->store != STORE_INT64 || strncmp(row->path, "balancer.", 9) != 0)
        return false;
    memcpy(&ns, base + row->offset, sizeof ns);
    units_write_duration(ns, text);
    if (strcmp(text, row->preset) == 0)
        return false;
    sheet_print(&writer->sheet, "%s", text);
    return true;
}

static void write_leaf(struct writer *writer, const struct setting *row,
                       const struct tree *value, int indent,
                       const struct fault_draft *fault)
{
    struct sheet *sheet = &writer->sheet;
    size_t before = sheet->length;

    if (fault && !value && !load_fault_takes(fault->spec.kind, fault_key(row)))
        return; /* its default would be foreign to the kind */
    write_key(sheet, row, indent);
    sheet_print(sheet, " ");
    if (value) {
        sheet_flow(sheet, value);
        write_origin(sheet, value);
    } else if (effective_retry(sheet, row,
                               &writer->draft->scenario.balancer.retry)) {
        write_default(sheet, "of the rule");
    } else if (write_of_rule(writer, row)) {
        write_default(sheet, "by its rule or probe");
    } else if (row->preset) {
        sheet_print(sheet, "%s", row->preset);
        write_default(sheet, row->like);
    } else if (write_worked_out(writer, row, fault)) {
        write_default(sheet, row->like);
    } else { /* off */
        sheet_cut(sheet, before);
    }
}

/* Parameters that were not set are shown as comments: setting them would
   change the policy's label. */
static void write_other_params(struct sheet *sheet,
                               const struct policy_spec *policy,
                               const struct tree *params, int indent)
{
    for (const struct lbp_param *p = policy->ops->params; p && p->name; p++) {
        char value[300];

        if (tree_find(params, p->name))
            continue;
        lbp_params_write(p, policy->config, value, sizeof value);
        sheet_print(sheet, "%*s# %s: %s", indent, "", p->name, value);
        write_default(sheet, p->like);
    }
}

static void write_policy(struct sheet *sheet, const struct tree *entry,
                         const struct policy_spec *policy)
{
    bool block = entry->kind == TREE_MAP;
    uint32_t at = block ? load_entry_name(entry) : 0;
    const struct tree *params = block ? entry->values[at] : NULL;
    const struct tree *name = block ? entry->keys[at] : entry;
    int indent = 3 * INDENT;

    sheet_print(sheet, "%*s- %s%s", INDENT, "", policy->name,
                params ? params->count > 0 ? ":" : ": {}" : "");
    write_origin(sheet, name);
    for (uint32_t i = 0; params && i < params->count; i++) {
        sheet_print(sheet, "%*s", indent, "");
        sheet_scalar(sheet, params->keys[i]);
        sheet_print(sheet, ": ");
        sheet_scalar(sheet, params->values[i]);
        write_origin(sheet, params->values[i]);
    }
    write_other_params(sheet, policy, params, indent);
    for (uint32_t i = 0; block && i < entry->count; i++)
        if (i != at) {
            sheet_print(sheet, "%*s", 2 * INDENT, "");
            sheet_scalar(sheet, entry->keys[i]);
            sheet_print(sheet, ": ");
            sheet_flow(sheet, entry->values[i]);
            write_origin(sheet, entry->values[i]);
        }
}

static void write_policies(struct writer *writer, const struct tree *list)
{
    sheet_print(&writer->sheet, "policies:\n");
    for (uint32_t i = 0; i < list->count; i++)
        write_policy(&writer->sheet, list->values[i],
                     &writer->loaded->draft.scenario.policies[i]);
}

/* Values by measure: goals, tolerances. */
static void write_by_measure(struct sheet *sheet, const struct setting *row,
                             const struct tree *map, int indent)
{
    if (!map || map->count == 0)
        return;
    write_key(sheet, row, indent);
    sheet_print(sheet, "\n");
    for (uint32_t i = 0; i < map->count; i++) {
        sheet_print(sheet, "%*s", indent + INDENT, "");
        sheet_scalar(sheet, map->keys[i]);
        sheet_print(sheet, ": ");
        sheet_flow(sheet, map->values[i]);
        write_origin(sheet, map->values[i]);
    }
}

/* A block that turns out empty is written as {} when it was given, for it may
   turn a mechanism on; else not at all. */
static void write_child_block(struct writer *writer, const struct setting *row,
                              const struct tree *value, int indent)
{
    struct sheet *sheet = &writer->sheet;
    size_t before = sheet->length, inside;

    if (!value && (row->flags & SETTING_MECHANISM) &&
        !effective_retry_has(row, &writer->draft->scenario.balancer.retry))
        return;
    write_key(sheet, row, indent);
    sheet_print(sheet, "\n");
    inside = sheet->length;
    write_block(writer, row, value, indent + INDENT, NULL);
    if (sheet->length > inside)
        return;
    sheet_cut(sheet, before);
    if (value) {
        write_key(sheet, row, indent);
        sheet_print(sheet, " {}");
        write_origin(sheet, value);
    }
}

static void write_list(struct writer *writer, const struct setting *row,
                       const struct tree *list, int indent)
{
    struct sheet *sheet = &writer->sheet;
    bool of_faults = strcmp(row->path, "faults[]") == 0;
    bool of_overlays = strcmp(row->path, "workload.overlay[]") == 0;

    if (!list || list->count == 0)
        return;
    write_key(sheet, row, indent);
    sheet_print(sheet, "\n");
    for (uint32_t i = 0; i < list->count; i++) {
        size_t before = sheet->length;
        const struct fault_draft *fault =
            of_faults ? &writer->loaded->draft.faults[i] : NULL;

        if (of_overlays)
            writer->draft = &writer->loaded->overlays[i].draft;
        write_block(writer, row, list->values[i], indent + 2 * INDENT, fault);
        if (of_overlays)
            writer->draft = &writer->loaded->draft;
        if (!sheet->failed && sheet->length > before)
            sheet->text[before + (size_t)indent + INDENT] = '-';
    }
}

/* Whether the block is of that kind, or goes by that rule. */
static bool is_of_kind(const struct setting *block, const struct tree *map,
                       const char *kind)
{
    const struct setting *rule = settings_child(block, "rule", 4);
    const struct tree *said =
        map ? tree_find(map, rule ? "rule" : "kind") : NULL;

    if (said)
        return tree_is_text(said, kind);
    return map && rule && strcmp(rule->preset, kind) == 0;
}

/* Defaults of other kinds than this block's would only be in the way. */
static bool is_beside_the_point(const struct setting *block,
                                const struct setting *row,
                                const struct tree *map,
                                const struct tree *value)
{
    return !value && row->of_kind && !is_of_kind(block, map, row->of_kind);
}

static void write_block(struct writer *writer, const struct setting *block,
                        const struct tree *map, int indent,
                        const struct fault_draft *fault)
{
    const struct setting *row = settings_first_child(block);

    for (; row; row = settings_next(block, row)) {
        const char *key;
        size_t length = settings_key(row, &key);
        const struct tree *value = tree_get(map, key, length);

        if (is_beside_the_point(block, row, map, value))
            continue;
        switch (row->kind) {
        case SETTING_BLOCK:
            write_child_block(writer, row, value, indent);
            break;
        case SETTING_LIST:
            write_list(writer, row, value, indent);
            break;
        case SETTING_PATTERN: /* have been laid under the groups */
        case SETTING_INCLUDE: /* has been laid under the scenario */
            break;
        case SETTING_GOALS:
        case SETTING_TOLERANCES:
            write_by_measure(&writer->sheet, row, value, indent);
            break;
        case SETTING_POLICIES:
            write_policies(writer, value);
            break;
        default:
            write_leaf(writer, row, value, indent, fault);
        }
    }
}

char *scenario_effective(const struct scenario *scenario)
{
    struct writer writer = {.loaded = scenario->owned};

    writer.draft = &writer.loaded->draft;

    sheet_print(&writer.sheet,
                "# The effective scenario: each value and where it comes "
                "from.\n");
    write_block(&writer, NULL, writer.loaded->root, 0, NULL);
    return sheet_take(&writer.sheet);
}

char *scenario_policy_beside(const struct scenario *scenario, uint32_t policy)
{
    const struct loaded *loaded = scenario->owned;
    const struct tree *entry =
        tree_find(loaded->root, "policies")->values[policy];
    uint32_t name = entry->kind == TREE_MAP ? load_entry_name(entry) : 0;
    struct sheet sheet = {0};

    for (uint32_t i = 0; entry->kind == TREE_MAP && i < entry->count; i++) {
        if (i == name)
            continue;
        sheet_print(&sheet, ", ");
        sheet_scalar(&sheet, entry->keys[i]);
        sheet_print(&sheet, ": ");
        sheet_flow(&sheet, entry->values[i]);
    }
    return sheet_take(&sheet);
}
