#include "sim/scenario/schema.h"

#include "sim/measure/measures.h"
#include "sim/scenario/settings.h"
#include "sim/scenario/sheet.h"

#include "policies/params.h"
#include "policies/registry.h"

#include <stdio.h>
#include <string.h>

/* A decimal number, as a regular expression within a JSON string. */
#define NUMBER "[0-9]*\\\\.?[0-9]+"

static void write_block(struct sheet *sheet, const struct setting *block,
                        bool in_defaults);
static void write_row(struct sheet *sheet, const struct setting *row);

static void write_string(struct sheet *sheet, const char *text, size_t length)
{
    sheet_print(sheet, "\"");
    for (size_t i = 0; i < length; i++) {
        unsigned char byte = (unsigned char)text[i];

        if (byte == '"' || byte == '\\')
            sheet_print(sheet, "\\%c", byte);
        else if (byte < ' ')
            sheet_print(sheet, "\\u%04x", byte);
        else
            sheet_add(sheet, &text[i], 1);
    }
    sheet_print(sheet, "\"");
}

static void write_text(struct sheet *sheet, const char *text)
{
    write_string(sheet, text, strlen(text));
}

/* "a|b|c" as ["a","b","c"]. */
/* YAML reads these two as no texts. */
static bool is_truth(const char *word, size_t length)
{
    return (length == 4 && memcmp(word, "true", 4) == 0) ||
           (length == 5 && memcmp(word, "false", 5) == 0);
}

static void write_enum(struct sheet *sheet, const char *choices)
{
    const char *between = "";

    sheet_print(sheet, "\"enum\":[");
    while (*choices) {
        size_t length = strcspn(choices, "|");

        sheet_print(sheet, "%s", between);
        if (is_truth(choices, length))
            sheet_print(sheet, "%.*s", (int)length, choices);
        else
            write_string(sheet, choices, length);
        choices += length + (choices[length] == '|');
        between = ",";
    }
    sheet_print(sheet, "]");
}

static void write_pattern(struct sheet *sheet, const char *unit)
{
    sheet_print(sheet, "\"type\":\"string\",\"pattern\":\"^ *" NUMBER "%s *$\"",
                unit);
}

/* A share, count or number may be written bare, or as a text with its sign. */
static void write_bare_or(struct sheet *sheet, const char *type,
                          const char *unit)
{
    sheet_print(sheet, "\"anyOf\":[{\"type\":\"%s\",\"minimum\":0},{", type);
    write_pattern(sheet, unit);
    sheet_print(sheet, "}]");
}

static void write_duration(struct sheet *sheet)
{
    sheet_print(sheet, "\"type\":\"string\",\"pattern\":\"^( *" NUMBER
                       " *(ns|us|ms|s|min|m|h|d))+ *$\"");
}

static void write_params(struct sheet *sheet, const struct lbp_ops *ops)
{
    const char *between = "";

    sheet_print(sheet, "{\"type\":\"object\",\"additionalProperties\":false,"
                       "\"properties\":{");
    for (const struct lbp_param *p = ops->params; p && p->name; p++) {
        sheet_print(sheet, "%s", between);
        write_text(sheet, p->name);
        sheet_print(sheet, ":{\"description\":");
        write_text(sheet, p->help ? p->help : "");
        if (p->preset) {
            sheet_print(sheet, ",\"default\":");
            write_text(sheet, p->preset);
        }
        if (p->kind == LBP_CHOICE) {
            sheet_print(sheet, ",");
            write_enum(sheet, p->choices);
        }
        sheet_print(sheet, "}");
        between = ",";
    }
    sheet_print(sheet, "}}");
}

/* What may stand beside a policy's name; returns how many. */
static uint32_t write_entry_settings(struct sheet *sheet, const char *before)
{
    const struct setting *block = settings_find("policies[]");
    uint32_t count = 0;

    for (const struct setting *row = settings_first_child(block); row;
         row = settings_next(block, row)) {
        sheet_print(sheet, "%s", count++ ? "," : before);
        write_row(sheet, row);
    }
    return count;
}

static void write_policies(struct sheet *sheet)
{
    uint32_t beside = 0, count;
    const struct lbp_ops *const *list = lbp_registry_list(&count);

    sheet_print(sheet, "\"type\":\"array\",\"minItems\":1,\"items\":{"
                       "\"oneOf\":[{\"enum\":[");
    for (uint32_t i = 0; i < count; i++) {
        sheet_print(sheet, "%s", i ? "," : "");
        write_text(sheet, list[i]->name);
    }
    sheet_print(sheet, "]}");
    for (uint32_t i = 0; i < count; i++) {
        sheet_print(sheet, ",{\"type\":\"object\",\"required\":[");
        write_text(sheet, list[i]->name);
        sheet_print(sheet, "],\"additionalProperties\":false,"
                           "\"properties\":{");
        write_text(sheet, list[i]->name);
        sheet_print(sheet, ":");
        write_params(sheet, list[i]);
        beside = write_entry_settings(sheet, ",");
        sheet_print(sheet, "}}");
    }
    /* A shared object has any name, and parameters that only it knows. */
    sheet_print(sheet,
                ",{\"type\":\"object\",\"minProperties\":1,"
                "\"maxProperties\":%u,\"properties\":{",
                beside + 1);
    write_entry_settings(sheet, "");
    sheet_print(sheet, "},\"additionalProperties\":{\"type\":\"object\","
                       "\"required\":[\"so\"],"
                       "\"properties\":{\"so\":{\"type\":\"string\"}}}}]}");
}

static void write_measures(struct sheet *sheet)
{
    const char *between = "";

    sheet_print(sheet, "\"enum\":[");
    for (int i = 0; i < MEASURE_COUNT; i++) {
        if (measures[i].better == BETTER_NEITHER)
            continue;
        sheet_print(sheet, "%s", between);
        write_text(sheet, measures[i].name);
        between = ",";
    }
    sheet_print(sheet, "]");
}

static void write_type_by_hand(struct sheet *sheet, enum setting_kind kind)
{
    switch (kind) {
    case SETTING_MEASURE:
        write_measures(sheet);
        break;
    case SETTING_GOALS:
    case SETTING_TOLERANCES:
        sheet_print(sheet, "\"type\":\"object\"");
        break;
    case SETTING_POLICIES:
        write_policies(sheet);
        break;
    case SETTING_RESAMPLE:
        sheet_print(sheet, "\"anyOf\":[{\"enum\":[\"none\",\"blocks\"]},"
                           "{\"type\":\"object\",\"required\":[\"blocks\"],"
                           "\"additionalProperties\":false,"
                           "\"properties\":{\"blocks\":{");
        write_duration(sheet);
        sheet_print(sheet, "}}}]");
        break;
    case SETTING_KEYS:
        sheet_print(sheet, "\"anyOf\":[{\"enum\":[\"fixed\"]},{\"type\":"
                           "\"array\",\"items\":{\"type\":[\"string\","
                           "\"number\"]},\"uniqueItems\":true}]");
        break;
    case SETTING_MOVES:
        sheet_print(sheet, "\"type\":\"array\",\"items\":{\"type\":"
                           "\"string\"}");
        break;
    case SETTING_INCLUDE:
        sheet_print(sheet, "\"anyOf\":[{\"type\":\"string\"},{\"type\":"
                           "\"array\",\"items\":{\"type\":\"string\"}}]");
        break;
    case SETTING_NAMES:
        sheet_print(sheet, "\"type\":\"array\",\"minItems\":1,\"items\":{"
                           "\"type\":[\"string\",\"number\"]}");
        break;
    case SETTING_ROUTES:
        sheet_print(sheet, "\"type\":\"object\",\"minProperties\":1,"
                           "\"additionalProperties\":{\"type\":\"array\","
                           "\"minItems\":1,\"items\":{\"type\":\"object\","
                           "\"required\":[\"model\"],"
                           "\"additionalProperties\":false,\"properties\":{"
                           "\"model\":{\"type\":[\"string\",\"number\"]},"
                           "\"groups\":{\"type\":\"array\",\"minItems\":1,"
                           "\"items\":{\"type\":\"string\"}}}}}");
        break;
    case SETTING_RANGES:
        sheet_print(sheet,
                    "\"type\":\"object\",\"minProperties\":1,"
                    "\"additionalProperties\":{\"anyOf\":[{\"type\":"
                    "\"integer\",\"minimum\":0},{\"type\":\"string\"}]}");
        break;
    case SETTING_SWEEP:
        sheet_print(sheet, "\"type\":\"object\"");
        break;
    default: /* a text: its form is told by the loader */
        sheet_print(sheet, "\"type\":\"string\"");
    }
}

static void write_type(struct sheet *sheet, const struct setting *row)
{
    switch (row->kind) {
    case SETTING_DURATION:
        write_duration(sheet);
        break;
    case SETTING_SIZE:
        write_pattern(sheet, " *([kMGT]?B|[KMGT]iB)");
        break;
    case SETTING_RATE:
        write_pattern(sheet, "[kMG]? *(/|per ) *(s|min|m|h|d)");
        break;
    case SETTING_SHARE:
        write_bare_or(sheet, "number", " *%");
        break;
    case SETTING_COUNT:
        write_bare_or(sheet, "integer", "[kMG]");
        break;
    case SETTING_NUMBER:
        write_bare_or(sheet, "number", "[kMG]");
        break;
    case SETTING_SWITCH:
        sheet_print(sheet, "\"type\":\"boolean\"");
        break;
    case SETTING_CHOICE:
        write_enum(sheet, row->choices);
        break;
    default:
        write_type_by_hand(sheet, row->kind);
    }
}

static void write_description(struct sheet *sheet, const struct setting *row)
{
    char range[120];

    sheet_print(sheet, "\"description\":");
    settings_range_words(row, range, sizeof range);
    if (*range) {
        char words[400];

        snprintf(words, sizeof words, "%s (%s)", row->help, range);
        write_text(sheet, words);
    } else {
        write_text(sheet, row->help);
    }
    if (row->preset) {
        sheet_print(sheet, ",\"default\":");
        write_text(sheet, row->preset);
    }
    sheet_print(sheet, ",");
}

static void write_row(struct sheet *sheet, const struct setting *row)
{
    const char *key;
    size_t length = settings_key(row, &key);

    write_string(sheet, key, length);
    sheet_print(sheet, ":{");
    write_description(sheet, row);
    if (row->kind == SETTING_LIST) {
        sheet_print(sheet, "\"type\":\"array\",\"items\":{");
        write_block(sheet, row, false);
        sheet_print(sheet, "}");
    } else if (row->flags & SETTING_MECHANISM) {
        sheet_print(sheet, "\"anyOf\":[{\"enum\":[\"off\"]},{");
        write_block(sheet, row, false);
        sheet_print(sheet, "}]");
    } else if (row->kind == SETTING_BLOCK || row->kind == SETTING_PATTERN) {
        write_block(sheet, row, row->kind == SETTING_PATTERN);
    } else {
        write_type(sheet, row);
    }
    sheet_print(sheet, "}");
}

/* What an including scenario needs may stand in the included one, so only
   what must be in each block of its own is required here. */
static void write_required(struct sheet *sheet, const struct setting *block)
{
    const char *between = "";

    sheet_print(sheet, ",\"required\":[");
    for (const struct setting *row = settings_first_child(block); row;
         row = settings_next(block, row)) {
        const char *key;
        size_t length = settings_key(row, &key);

        if (!(row->flags & SETTING_REQUIRED))
            continue;
        sheet_print(sheet, "%s", between);
        write_string(sheet, key, length);
        between = ",";
    }
    sheet_print(sheet, "]");
}

static void write_block(struct sheet *sheet, const struct setting *block,
                        bool in_defaults)
{
    const char *between = "";

    sheet_print(sheet, "\"type\":\"object\",\"additionalProperties\":false,"
                       "\"properties\":{");
    for (const struct setting *row = settings_first_child(block); row;
         row = settings_next(block, row)) {
        if (in_defaults && (row->flags & SETTING_PER_GROUP))
            continue;
        sheet_print(sheet, "%s", between);
        write_row(sheet, row);
        between = ",";
    }
    sheet_print(sheet, "}");
    if (block && !in_defaults)
        write_required(sheet, block);
}

char *scenario_schema(void)
{
    struct sheet sheet = {0};

    sheet_print(&sheet, "{\"$schema\":"
                        "\"https://json-schema.org/draft/2020-12/schema\","
                        "\"title\":\"lbsim scenario\",");
    write_block(&sheet, NULL, false);
    sheet_print(&sheet, "}\n");
    return sheet_take(&sheet);
}
