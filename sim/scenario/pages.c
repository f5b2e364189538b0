/* The table of settings as pages for people. */
#include "policies/registry.h"
#include "sim/measure/measures.h"
#include "sim/scenario/settings.h"
#include "sim/scenario/sheet.h"

#include <stdlib.h>
#include <string.h>

enum { PATH_COLUMN = 38 };

/* "5 s (whose)", "(how it is worked out)", "required" or nothing. */
static void write_default(struct sheet *sheet, const struct setting *row)
{
    if (row->flags & SETTING_REQUIRED)
        sheet_print(sheet, "required");
    else if (row->flags & SETTING_MECHANISM)
        sheet_print(sheet, "off");
    else if (row->preset && row->like)
        sheet_print(sheet, "%s (as in %s)", row->preset, row->like);
    else if (row->preset)
        sheet_print(sheet, "%s", row->preset);
    else if (row->like)
        sheet_print(sheet, "%s", row->like);
}

static bool has_default(const struct setting *row)
{
    return row->preset || row->like ||
           (row->flags & (SETTING_REQUIRED | SETTING_MECHANISM));
}

static void write_short(struct sheet *sheet, const struct setting *row)
{
    sheet_print(sheet, "%s", row->path);
    sheet_pad(sheet, PATH_COLUMN);
    sheet_print(sheet, "%s\n", row->help);
}

static void write_long(struct sheet *sheet, const struct setting *row)
{
    char range[120], takes[300];

    settings_takes(row, takes, sizeof takes);
    sheet_print(sheet, "%s\n    %s\n    takes:   %s\n", row->path, row->help,
                takes);
    settings_range_words(row, range, sizeof range);
    if (*range)
        sheet_print(sheet, "    range:   %s\n", range);
    if (has_default(row)) {
        sheet_print(sheet, "    default: ");
        write_default(sheet, row);
        sheet_print(sheet, "\n");
    }
}

static void write_measures(struct sheet *sheet)
{
    sheet_print(sheet, "    measures (the unit at the end may be left out):\n");
    for (int i = 0; i < MEASURE_COUNT; i++) {
        if (measures[i].better == BETTER_NEITHER)
            continue;
        sheet_print(sheet, "        %s", measures[i].name);
        sheet_pad(sheet, PATH_COLUMN);
        sheet_print(sheet, "%s\n", measures[i].help);
    }
}

static void write_children(struct sheet *sheet, const struct setting *block)
{
    for (const struct setting *row = settings_first_child(block); row;
         row = settings_next(block, row)) {
        sheet_print(sheet, "\n");
        write_long(sheet, row);
    }
}

char *settings_text(const char *path)
{
    size_t count;
    const struct setting *table = settings_table(&count), *row;
    struct sheet sheet = {0};

    if (!path) {
        for (size_t i = 0; i < count; i++)
            write_short(&sheet, &table[i]);
        return sheet_take(&sheet);
    }
    row = settings_find(path);
    if (!row)
        return NULL;
    write_long(&sheet, row);
    if (row->kind == SETTING_MEASURE || row->kind == SETTING_GOALS ||
        row->kind == SETTING_TOLERANCES)
        write_measures(&sheet);
    write_children(&sheet, row);
    return sheet_take(&sheet);
}

/* A bar would end the cell. */
static void write_cell(struct sheet *sheet, const char *text)
{
    for (; *text; text++)
        sheet_print(sheet, *text == '|' ? "\\|" : "%c", *text);
}

static void write_table_row(struct sheet *sheet, const struct setting *row)
{
    char range[120], takes[300];
    struct sheet preset = {0};
    char *text;
    const char *key;
    size_t length = settings_key(row, &key);

    write_default(&preset, row);
    text = sheet_take(&preset);
    settings_range_words(row, range, sizeof range);
    settings_takes(row, takes, sizeof takes);
    sheet_print(sheet, "| `%.*s` | %s | %s | ", (int)length, key, takes, range);
    write_cell(sheet, text ? text : "");
    sheet_print(sheet, " | ");
    write_cell(sheet, row->help);
    sheet_print(sheet, " |\n");
    free(text);
}

static bool has_children(const struct setting *row)
{
    return row->kind == SETTING_BLOCK || row->kind == SETTING_LIST ||
           row->kind == SETTING_POLICIES;
}

static void write_section(struct sheet *sheet, const struct setting *block)
{
    sheet_print(sheet, "\n## %s\n\n", block ? block->path : "Top level");
    if (block)
        sheet_print(sheet, "%s.%s\n\n", block->help,
                    block->flags & SETTING_MECHANISM
                        ? " Off unless the scenario names it."
                        : "");
    sheet_print(sheet, "| setting | takes | range | default | what it is |\n"
                       "|---|---|---|---|---|\n");
    for (const struct setting *row = settings_first_child(block); row;
         row = settings_next(block, row))
        write_table_row(sheet, row);
}

/* ---- what settings may name: measures and policies ---- */

static const char *better_words(enum measure_better better)
{
    switch (better) {
    case BETTER_LOWER:
        return "lower";
    case BETTER_HIGHER:
        return "higher";
    case BETTER_NEITHER:
        break;
    }
    return "";
}

static void write_measure_list(struct sheet *sheet)
{
    sheet_print(
        sheet,
        "\n## Measures\n\n"
        "What `objective`, `goals` and `check.tolerances` may name, where one side is "
        "better, and what results hold. The unit at the end of a name "
        "may be left out. Those of a mechanism that a scenario does "
        "not use have no value.\n\n"
        "| measure | better | what it is |\n|---|---|---|\n");
    for (int i = 0; i < MEASURE_COUNT; i++) {
        sheet_print(sheet, "| `%s` | %s | ", measures[i].name,
                    better_words(measures[i].better));
        write_cell(sheet, measures[i].help);
        sheet_print(sheet, " |\n");
    }
}

static const char *param_kind_words(const struct lbp_param *param)
{
    switch (param->kind) {
    case LBP_REAL:
        return "a number";
    case LBP_SHARE:
        return "a share";
    case LBP_COUNT:
        return "a count";
    case LBP_DURATION:
        return "a duration";
    case LBP_SWITCH:
        return "true or false";
    case LBP_CHOICE:
        return param->choices;
    case LBP_TEXT:
        break;
    }
    return "text";
}

static void write_param(struct sheet *sheet, const struct lbp_param *param)
{
    sheet_print(sheet, "| `%s` | ", param->name);
    write_cell(sheet, param_kind_words(param));
    sheet_print(sheet, " | %s", param->preset ? param->preset : "off");
    if (param->like)
        sheet_print(sheet, " (as in %s)", param->like);
    sheet_print(sheet, " | ");
    write_cell(sheet, param->help);
    sheet_print(sheet, " |\n");
}

static void write_policy_list(struct sheet *sheet)
{
    uint32_t count;
    const struct lbp_ops *const *list = lbp_registry_list(&count);

    sheet_print(sheet, "\n## Policies\n\nWhat `policies` may list. "
                       "`lbsim policies NAME` says more.\n");
    for (uint32_t i = 0; i < count; i++) {
        const struct lbp_param *param = list[i]->params;

        sheet_print(sheet, "\n### %s\n\n%s. Ties: %s.\n", list[i]->name,
                    list[i]->summary, list[i]->tie_rule);
        if (param && param->name)
            sheet_print(sheet, "\n| parameter | takes | default | what it is "
                               "|\n|---|---|---|---|\n");
        for (; param && param->name; param++)
            write_param(sheet, param);
    }
}

char *settings_markdown(void)
{
    size_t count;
    const struct setting *table = settings_table(&count);
    struct sheet sheet = {0};

    sheet_print(&sheet,
                "# Settings of a scenario\n\n"
                "Written by `lbsim settings --format markdown` from the table "
                "that also reads and checks scenarios; do not edit.\n\n"
                "Durations take ns, us, ms, s, min (or m), h, d; sizes B, kB, "
                "MB, GB, TB, KiB, MiB, GiB, TiB; rates /s, /min, /h, /d; "
                "shares `30 %%` or `0.3`; counts and plain numbers also `50k`, "
                "`2M`. `defaults` takes what `nodes[]` takes, but for `group` "
                "and `count`, and lies under each group.\n");
    write_section(&sheet, NULL);
    for (size_t i = 0; i < count; i++)
        if (has_children(&table[i]))
            write_section(&sheet, &table[i]);
    write_measure_list(&sheet);
    write_policy_list(&sheet);
    return sheet_take(&sheet);
}
